"""What the mobility report says: its numbers (see `mobility`), and these in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from grashof.common.notebook import report_html
from grashof.common.wording import count_of, join_words, quote_first, signed_number
from grashof.formulation.natural.closing import CLOSED
from grashof.freedoms.twists import Group, GroupKind

IN_DOUBT = 10.0 * CLOSED**0.5
"""Along a singular direction the gap of a loop is of second order, so that a loop closed to CLOSED is placed to
√CLOSED only. A margin below ten times that makes a position nearly singular."""


Kind = GroupKind | Literal["dimensions", "position"]


@dataclass(frozen=True)
class Repeat:
    """A joint some of whose equations are implied by earlier joints.

    loop        the bodies around the loop that it closes
    count       how many of its equations are redundant here
    nearby      how many of these are redundant at a generic position nearby, too
    directions  what is constrained again, at the joint and in world axes
    kind, why   the cause, as a keyword and as a phrase
    """

    joint: str
    loop: tuple[str, ...]
    count: int
    nearby: int
    directions: tuple[str, ...]
    kind: Kind
    why: str


@dataclass(frozen=True)
class Mobility:
    """The mobility of a mechanism at its start: its degrees of freedom are `dof`; `str()` gives the report as text.

    bodies, joints, motors, couplings   how many there are; couplings that depend on time count as motors
    body_freedoms     freedoms of all bodies as if they were free, 3 each in the plane and 6 in space
    equations, rank   equations of all joints, and how many of these are independent
    idle_spins        bodies that can spin without any effect (a slender bar between ball joints), and in how many
                      ways; they are not degrees of freedom
    coupled           freedoms removed by couplings
    driven            freedoms removed by motors
    idle_motors       motors and couplings that are implied by joints and earlier motors and couplings
    repeats           the joints that have redundant equations
    dof_nearby        degrees of freedom at a generic position nearby; None if no other position was found
    redundant_nearby  redundant joint equations there
    loosened          bodies that can begin to move in ways they cannot nearby
    margin            how far the independent equations are from dependent ones: 1 at right angles, 0 not at all
    held              motors that hold their target in place, and where, in words
    slips             equations of joints and couplings that hold for velocities only, as those of rolling do
    slip_rank         how many of them are independent of all others
    slipping          the joints and couplings that have them
    blocked           couplings that contradict each other unless they stand still, such as belts of different ratios
    """

    mechanism: str
    dimension: int
    bodies: int
    joints: int
    motors: int
    couplings: int
    body_freedoms: int
    equations: int
    rank: int
    idle_spins: dict[str, int]
    coupled: int
    driven: int
    idle_motors: tuple[str, ...]
    repeats: tuple[Repeat, ...]
    dof_nearby: int | None
    redundant_nearby: int | None
    loosened: tuple[str, ...]
    margin: float
    held: tuple[str, ...] = ()
    slips: int = 0
    slip_rank: int = 0
    slipping: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()

    @property
    def dof_without_motors(self) -> int:
        """Degrees of freedom that joints and couplings leave."""
        return self.body_freedoms - self.rank - sum(self.idle_spins.values()) - self.coupled

    @property
    def dof(self) -> int:
        """Degrees of freedom that remain with the motors running."""
        return self.dof_without_motors - self.driven

    @property
    def velocity_dof(self) -> int:
        """Degrees of freedom of the velocities, with the motors running: fewer than those of the positions, `dof`, if
        equations hold for velocities only."""
        return self.dof - self.slip_rank

    @property
    def redundant(self) -> int:
        """Joint equations that are implied by other joints."""
        return self.equations - self.rank

    @property
    def gruebler(self) -> int:
        """What Grübler's formula gives, motors left out."""
        return self.body_freedoms - self.equations - self.couplings

    @property
    def singular(self) -> bool:
        """Whether there are more degrees of freedom here than nearby, or no other position was found nearby."""
        return self.dof_nearby is None or self.dof > self.dof_nearby

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        derived = ("dof", "velocity_dof", "dof_without_motors", "redundant", "gruebler", "singular")
        fields = asdict(self)
        return {"freedoms": fields.pop("body_freedoms")} | fields | {name: getattr(self, name) for name in derived}

    def __str__(self) -> str:
        lines = [
            *_counts_in_words(self),
            *_velocities_in_words(self),
            *self.held,
            *_idle_in_words(self),
            *_blocked_in_words(self),
            *_repeats_in_words(self),
            _position_in_words(self),
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return report_html(str(self))


def _counts_in_words(report: Mobility) -> list[str]:
    freedom = count_of(report.dof_without_motors, "degree") + " of freedom"
    driven = report.dof_without_motors - report.dof
    if report.slips:
        freedom += f" of position and {report.velocity_dof + driven} of velocity"
    if report.motors:
        which = "" if report.dof == 0 else f"{driven} of them "
        freedom += f", {which}driven by {count_of(report.motors, 'motor')}"
    repeating = report.couplings - report.coupled
    excess = [count_of(report.redundant, "redundant joint equation")] if report.redundant else []
    excess += [count_of(repeating, "redundant coupling")] if repeating else []
    again = report.slips - report.slip_rank
    repeats = [*excess, *([count_of(again, "redundant equation") + " for velocities"] if again else [])]
    redundant = join_words(repeats) if repeats else "no redundant constraints"
    idle = sum(report.idle_spins.values())
    without = f" − {count_of(idle, 'idle spin')}" if idle else ""
    if report.coupled:
        without += f" − {report.coupled} by {count_of(report.couplings, 'coupling')}"
    lines = [
        f"{report.mechanism}: {freedom}{';' if report.motors else ','} {redundant}.",
        f"{count_of(report.bodies, 'body', 'bodies')} with {report.body_freedoms} freedoms, "
        f"{count_of(report.joints, 'joint')} with {count_of(report.equations, 'equation')}, {report.rank} of them "
        f"independent: {report.body_freedoms} − {report.rank}{without} = {report.dof_without_motors}.",
    ]
    verdict = "would give" if excess else "agrees:"
    spins = ", idle spins included" if idle else ""
    couplings = f" − {report.couplings}" if report.couplings else ""
    count = f"{report.body_freedoms} − {report.equations}{couplings} = {signed_number(report.gruebler)}"
    lines.append(f"Grübler's formula {verdict} {count}{spins}.")
    return lines


def _velocities_in_words(report: Mobility) -> list[str]:
    """How the freedoms of the velocities are counted, if some equations hold for velocities only."""
    if not report.slips:
        return []
    equations = count_of(report.slips, "equation")
    verb = "restricts" if report.slips == 1 else "restrict"
    among = "" if report.slip_rank == report.slips else f", {report.slip_rank} of them independent,"
    return [
        f"{equations} of {quote_first(report.slipping)}{among} {verb} velocities but not positions: "
        f"{report.dof} − {report.slip_rank} = {report.velocity_dof}."
    ]


def _blocked_in_words(report: Mobility) -> list[str]:
    """Which couplings contradict each other."""
    if not report.blocked:
        return []
    return [f"Couplings {quote_first(report.blocked)} contradict each other unless they stand still."]


def _idle_in_words(report: Mobility) -> list[str]:
    lines = []
    bars = [name for name, count in report.idle_spins.items() if count == 1]
    balls = [name for name, count in report.idle_spins.items() if count == 3]
    if bars:
        own = "its own axis" if len(bars) == 1 else "their own axes"
        lines.append(f"{count_of(len(bars), 'idle spin')}, of no consequence: {quote_first(bars)} about {own}.")
    if balls:
        lines.append(
            f"{count_of(3 * len(balls), 'idle spin')}, of no consequence: {quote_first(balls)} about any axis."
        )
    if report.idle_motors:
        kind = "Motors and couplings" if report.couplings else "Motors"
        lines.append(f"{kind} that remove no degree of freedom here: {quote_first(report.idle_motors)}.")
    return lines


def _repeats_in_words(report: Mobility) -> list[str]:
    """Joints with the same finding share a line."""
    alike: dict[tuple[str, str, int], list[Repeat]] = {}
    for repeat in report.repeats:
        alike.setdefault((repeat.kind, repeat.why, repeat.count), []).append(repeat)
    lines = ["Redundant equations:"] if alike else []
    for (kind, why, count), repeats in alike.items():
        name = f"{kind} loop" if kind in ("planar", "spherical") else "loop"
        joints = quote_first([repeat.joint for repeat in repeats])
        if len(repeats) > 1:
            total = f"have {count_of(count, 'redundant equation')} each, {count * len(repeats)} in total"
            lines.append(f"  {len(repeats)} {name}s {total}: {why}. Closed by {joints}.")
        else:
            only = repeats[0]
            held = "" if "again" in why else f" ({join_words(only.directions)})"
            excess = count_of(count, "redundant equation")
            lines.append(f"  The {name} {' – '.join(only.loop)}, closed by {joints}, has {excess}{held}: {why}.")
    return lines


def _position_in_words(report: Mobility) -> str:
    if report.dof_nearby is None:
        return (
            f"The position is singular: {quote_first(report.loosened)} can begin to move, but no position nearby "
            "was found."
        )
    if report.singular:
        ways = count_of(report.dof - report.dof_nearby, "way")
        return (
            f"The position is singular: {count_of(report.dof, 'degree')} of freedom here and {report.dof_nearby} "
            f"nearby; {quote_first(report.loosened)} can begin to move in {ways} not possible nearby. A motion that "
            "starts here is determined only if its initial velocities select one branch of motion."
        )
    if report.margin < IN_DOUBT:
        return (
            "The position is nearly singular: one equation is independent of the others by only "
            f"{report.margin:.0e} of its size."
        )
    return "The position is regular: nearby positions have the same number of degrees of freedom."


def group_in_words(group: Group) -> str:
    """Why closing a loop in which bodies move in this group repeats equations."""
    match group.kind:
        case "fixed":
            return "its joints allow no motion, so the last one constrains everything again"
        case "translations":
            return "no joint allows rotation, so closing the loop prevents it again"
        case "one axis":
            return (
                f"all axes lie on one line along {_axis(group.mark)}, so closing the loop holds the bodies on it again"
            )
        case "planar":
            return (
                f"all axes are parallel to {_axis(group.mark)}, so closing the loop constrains "
                f"translation along {_axis(group.mark)} and {_turns_across(group.mark)} again"
            )
        case "parallel axes":
            across = _turns_across(group.mark)
            return f"all axes are parallel to {_axis(group.mark)}, so closing the loop constrains {across} again"
        case "spherical":
            return (
                f"all axes pass through the point {_vector(group.mark)}, so closing the loop constrains "
                "the three translations again"
            )
        case "general":
            return ""


def _axis(axis: Sequence[float]) -> str:
    aligned = [name for name, share in zip("xyz", np.abs(axis), strict=True) if share > 1.0 - 1e-9]
    return aligned[0] if aligned else _vector(axis)


def _turns_across(axis: Sequence[float]) -> str:
    others = [name for name in "xyz" if name != _axis(axis)]
    return (
        f"rotations about {join_words(others)}"
        if len(others) == 2
        else "the two rotations about axes perpendicular to it"
    )


def _vector(components: Sequence[float]) -> str:
    return "(" + ", ".join(f"{x + 0.0:.3g}".replace("-", "−") for x in np.round(components, 9)) + ")"
