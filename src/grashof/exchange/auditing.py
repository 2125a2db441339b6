"""Audit of a description: finds values that contradict each other, with the size of the contradiction and a correction.

Descriptions often contain redundant data. Joint angles at the start also follow from closing the loops; points of the
same name on several bodies should coincide; and there may be two descriptions of the same mechanism. The following are
compared:

    declared values   needs and wants of the start, or the default values of an imported model's coordinates, against
                      the position that closes the loops
    shared points     points of one name on several bodies, some of them joined there, against that position
    two descriptions  every number that both have

A number with decimals stands for every value that rounds to it: 2.088 for 2.0875 to 2.0885. Whole numbers count as
exact.

>>> import grashof as gr
>>> m = gr.Mechanism("triangle")
>>> a, b = m.bar("a", length=3.0, mass=1.0), m.bar("b", length=4.0, mass=1.0)
>>> _ = m.revolute(m.ground.at(0, 0), a.start), m.revolute(a.end, b.start), m.revolute(b.end, m.ground.at(5, 0))
>>> m.want(a.angle, value=0.93)
>>> m.want(b.angle, value=-0.65)
>>> print(audit(m))  # doctest: +NORMALIZE_WHITESPACE
triangle: 2 declared values were compared with the position that closes the loops; 1 contradiction was found.
  b.angle is declared as -0.65 rad, but the loops close at -0.6435 rad, 0.006 rad away, which leaves a gap of 0.026 m at
  joint 'a.end~b.start'; use -0.6435011087932843 rad.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal

import msgspec
import numpy as np

from grashof.common.blas import one_thread
from grashof.common.errors import ModelError
from grashof.exchange.stages import reading
from grashof.model.bodies import GROUND
from grashof.model.fields import body_of
from grashof.model.measures import Measure
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.model.parameters import numbers, with_numbers
from grashof.situation import Situation, situation

MOST = 40
"""The largest number of declared values for which each is left out in turn."""
SAME = 1e-9
"""Numbers count as equal up to this relative difference, and places up to this fraction of the mechanism's length."""


ENDS = frozenset({"start", "end"})
"""Point names that do not identify a place."""


@dataclass(frozen=True)
class AuditFinding:
    """One contradiction; its text is one sentence.

    item      what it is about: a quantity, a point, or the path of a number
    declared  the value in the description;  expected: the value it should have; both in the item's unit (None if they
              are not single numbers)
    gap       the remaining gap at a joint, in m, with the declared value while all else is in the closed position; None
              if it is not known
    least_gap the smallest possible gap if the body on the other side turns about its next pins; None if nothing holds
    that body
    """

    item: str
    declared: float | None
    expected: float | None
    unit: str
    evidence: str
    correction: str
    gap: float | None = None
    least_gap: float | None = None

    def __str__(self) -> str:
        return f"{self.item} {self.evidence}; {self.correction}."

    def as_dict(self) -> dict[str, object]:
        """Plain data."""
        return {
            "item": self.item,
            "declared": self.declared,
            "expected": self.expected,
            "unit": self.unit,
            "gap_m": self.gap,
            "least_gap_m": self.least_gap,
            "sentence": str(self),
        }


@dataclass(frozen=True)
class Audit:
    """What was compared, and the contradictions that were found."""

    name: str
    findings: tuple[AuditFinding, ...]
    values: int
    numbers: int
    problem: str = ""
    """Why the loops cannot be closed at all; empty if they can."""

    def __str__(self) -> str:
        compared = (
            f"{self.values} declared value{'s' * (self.values != 1)} {'were' if self.values != 1 else 'was'} "
            "compared with the position that closes the loops"
        )
        if self.numbers:
            compared += f", and {self.numbers} numbers with those of the other description"
        count = len(self.findings)
        outcome = f"{count or 'no'} contradiction{'s' * (count != 1)} {'was' if count == 1 else 'were'} found"
        lines = [f"{self.name}: {compared}; {outcome}."]
        if self.problem:
            lines.append(f"  The loops cannot be closed as described: {self.problem}")
        return "\n".join([*lines, *(f"  {finding}" for finding in self.findings)])

    def as_dict(self) -> dict[str, object]:
        """Plain data."""
        return {
            "name": self.name,
            "values_compared": self.values,
            "numbers_compared": self.numbers,
            "problem": self.problem or None,
            "findings": [finding.as_dict() for finding in self.findings],
        }


@one_thread()
def audit(mechanism: Mechanism | Model, against: Mechanism | Model | None = None) -> Audit:
    """Compares the values in a description with those that follow from it, and with another description of the same
    mechanism.
    """
    model = as_model(mechanism)
    other = None if against is None else as_model(against)
    differing = {} if other is None else _differing(model, other)
    closed, problem = _close_loops(model)
    findings = [_number(model, path, pair, problem) for path, pair in differing.items()]
    right: Model = model
    if differing:
        right = with_numbers(model, {path: theirs for path, (_, theirs) in differing.items()})
        closed, _ = _close_loops(right)
    declared = _declared_value(right)
    if closed is not None:
        findings += _values(right, closed, declared)
        findings += _points(closed)
    known = 0 if other is None else len(_common(model, other))
    return Audit(model.name, tuple(findings), len(declared) if closed is not None else 0, known, problem)


def half_unit(value: float) -> float:
    """Half a unit of the last decimal place of a number as written; zero for a whole number, which counts as exact.

    >>> half_unit(2.088), half_unit(-3.0)
    (0.0005, 0.0)
    """
    if value == int(value):
        return 0.0
    exponent = int(Decimal(repr(value)).as_tuple().exponent)
    return float(Decimal(5).scaleb(exponent - 1))


def fits(written: float, value: float) -> bool:
    """Whether a number as written rounds from a value."""
    return abs(written - value) <= half_unit(written) * (1.0 + 1e-9) + SAME * 1e-3 * abs(value)


# -- declared values


def _declared_value(model: Model) -> dict[str, float]:
    conditions = (*model.start.needs, *model.start.wants)
    return {condition.quantity: condition.value for condition in conditions if condition.value is not None}


def _close_loops(model: Model) -> tuple[Situation | None, str]:
    """The mechanism with its loops closed, or the reason why they cannot be closed; needs that contradict each other
    are treated as wants.
    """
    start = model.start
    attempts = [model]
    if len(start.needs) > 1:
        wishes = msgspec.structs.replace(start, needs=start.needs[:1], wants=(*start.needs[1:], *start.wants))
        attempts.append(msgspec.structs.replace(model, start=wishes))
    problem = ""
    for attempt in attempts:
        try:
            return situation(attempt), problem
        except ModelError as refusal:
            problem = problem or str(refusal)
    return None, problem


def _values(model: Model, closed: Situation, declared: dict[str, float]) -> list[AuditFinding]:
    """The declared values that contradict the loops. If all others fit once one of them is left out, that one is
    reported: closing the loops as close as possible to all of them would spread its error.
    """
    found = [one for name, value in declared.items() if (one := _value(closed, name, value))]
    if len(found) < 2 or len(declared) > MOST or _needs_decide(model):
        return found
    for one in sorted(found, key=lambda finding: -abs((finding.declared or 0.0) - (finding.expected or 0.0))):
        start = model.start
        needs, wants = (tuple(x for x in group if x.quantity != one.item) for group in (start.needs, start.wants))
        without, _ = _close_loops(
            msgspec.structs.replace(model, start=msgspec.structs.replace(start, needs=needs, wants=wants))
        )
        if without is None or not _follows(without, declared, one.item):
            continue
        alone = _value(without, one.item, declared[one.item])
        return [] if alone is None else [alone]
    return found


def _without_wants(model: Model) -> Model:
    return msgspec.structs.replace(model, start=msgspec.structs.replace(model.start, wants=()))


def _needs_decide(model: Model) -> bool:
    """Whether the needs alone leave no freedom; then the error of one want cannot affect another."""
    closed, problem = _close_loops(_without_wants(model))
    return closed is not None and not problem and closed.assembly.free == 0


def _follows(s: Situation, declared: dict[str, float], but: str) -> bool:
    """Whether all declared values but one hold in a position."""
    return all(_value(s, name, value) is None for name, value in declared.items() if name != but)


def _value(s: Situation, name: str, declared: float) -> AuditFinding | None:
    measure = s.model.quantities.get(name)
    if measure is None:
        return None
    found = reading(s, measure)
    unit = measure.unit
    if measure.winds:
        found += 2.0 * math.pi * round((declared - found) / (2.0 * math.pi))
    size = 1.0 if measure.winds else s.system.length
    if fits(declared, found) or abs(declared - found) <= SAME * 1e-3 * size:  # round-off, for example of zero
        return None
    gap, least, joint = _gap(s, measure, declared - found)
    evidence = (
        f"is declared as {declared:.10g} {unit}, but the loops close at {found:.4g} {unit}, "
        f"{abs(declared - found):.1g} {unit} away"
    )
    for word, value in (("supplement", math.copysign(math.pi, found) - found), ("opposite", -found)):
        if (unit == "rad" or word == "opposite") and fits(abs(declared), abs(value)) and fits(declared, value):
            evidence += f" (its {word} is {value:.5g} {unit})"
            break
    if gap is not None:
        evidence += f", which leaves a gap of {gap:.2g} m at joint '{joint}'"
        if least is not None and least < 0.95 * gap:
            evidence += f", and of at least {least:.2g} m however the next body is turned"
    return AuditFinding(name, declared, found, unit, evidence, f"use {found!r} {unit}", gap, least)


def _gap(s: Situation, measure: Measure, error: float) -> tuple[float | None, float | None, str]:
    """The largest gap that opens at the next joints of a body if only that body is turned about its pin, or slid, by an
    error; the smallest possible gap at that joint; and its name.
    """
    turn = measure.motion
    if turn is None or turn.kind != "turn":
        if len(set(measure.bodies)) > 1 and s.model.joints:
            return abs(error), None, next(iter(s.model.joints_by_name), "")
        return None, None, ""
    reference, body = measure.bodies
    pins = [joint for joint in s.model.joints if set(joint.bodies) == {body, reference} and joint.points_meet]
    if not pins:
        # an angle against the ground of a body that is pinned elsewhere
        pins = [joint for joint in s.model.joints if body in joint.bodies and joint.points_meet]
    if not pins:
        return None, None, ""
    center = s.place(pins[0].a)
    best: tuple[float | None, float | None, str] = (None, None, "")
    for joint in s.model.joints:
        if joint is pins[0] or body not in joint.bodies:
            continue
        point, other = (joint.a, joint.b) if body_of(joint.a) == body else (joint.b, joint.a)
        arm = s.place(point) - center
        moved = 2.0 * abs(math.sin(0.5 * error)) * float(np.linalg.norm(arm))
        if best[0] is None or moved > best[0]:
            turned = center + _rotate_about(arm, s.heading(reference, turn.axis_a or ()), error)
            best = moved, _least(s, body, other, turned) if body_of(other) != GROUND else moved, joint.name
    return best


def _rotate_about(arm: np.ndarray, axis: np.ndarray, angle: float) -> np.ndarray:
    """A vector turned about a unit vector."""
    along = axis * (axis @ arm)
    turned: np.ndarray = along + math.cos(angle) * (arm - along) + math.sin(angle) * np.cross(axis, arm)
    return turned


def _least(s: Situation, body: str, point: str, target: np.ndarray) -> float | None:
    """The smallest distance between a point and a target while the pins between its own body and bodies other than
    `body` hold, so that its distances from those pins are fixed.
    """
    held = [
        s.place(pin.a)
        for pin in s.model.joints
        if pin.points_meet and body_of(point) in pin.bodies and body not in pin.bodies
    ]
    here = s.place(point)
    misses = [abs(np.linalg.norm(target - pin) - np.linalg.norm(here - pin)) for pin in held if _apart(s, here, pin)]
    return float(max(misses)) if misses else None


def _apart(s: Situation, a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two places differ."""
    return float(np.linalg.norm(a - b)) > SAME * s.system.length


# -- points of one name


def _points(s: Situation) -> list[AuditFinding]:
    """Points that are joined to nothing, and are not where points of the same name are joined to each other; `start`
    and `end` are excluded, since every bar has them.
    """
    places: dict[str, dict[str, np.ndarray]] = {}
    for reference in s.model.points:
        places.setdefault(reference.rpartition(".")[2], {})[reference] = s.place(reference)
    joined: dict[str, set[str]] = {}
    for joint in s.model.joints:
        names = {end.rpartition(".")[2] for end in (joint.a, joint.b)}
        if joint.points_meet and len(names) == 1 and names.isdisjoint(ENDS):
            joined.setdefault(names.pop(), set()).update((joint.a, joint.b))
    fixed = {end for joint in s.model.joints for end in (joint.a, joint.b)}
    found = []
    for name, tied in joined.items():
        for reference, place in places[name].items():
            if reference in fixed or body_of(reference) == GROUND:
                continue
            base = min(sorted(tied), key=lambda other: float(np.linalg.norm(place - places[name][other])))
            if _apart(s, place, places[name][base]):
                apart = float(np.linalg.norm(place - places[name][base]))
                evidence = f"and {base} have the same name, but are {apart:.3g} m apart in the closed position"
                found.append(
                    AuditFinding(reference, None, None, "m", evidence, "join them, or give one of them another name")
                )
    return found


# -- two descriptions


def _common(model: Model, other: Model) -> dict[str, tuple[float, float, str]]:
    """The numbers that both descriptions contain, except for guesses of the start and for numbers given by the same
    formula in both.
    """
    mine, theirs = numbers(model), numbers(other)
    return {
        path: (float(number.value), float(theirs[path].value), number.unit)
        for path, number in mine.items()
        if path in theirs
        and not path.startswith("start.")
        and not (number.formula and number.formula == theirs[path].formula)
    }


def _differing(model: Model, other: Model) -> dict[str, tuple[float, float]]:
    found = {}
    for path, (mine, theirs, _) in _common(model, other).items():
        if abs(mine - theirs) > SAME * 1e-3 * max(abs(mine), abs(theirs)):
            found[path] = (mine, theirs)
    return found


def _closes(model: Model, path: str, value: float) -> bool:
    """Whether loops that do not close would close with another number; masses and stiffnesses do not affect positions
    and are not tried.
    """
    changed = with_numbers(model, {path: value})
    shapes = [(x.points, x.joints, x.couplings, x.motors, x.measures, x.start) for x in (model, changed)]
    return shapes[0] != shapes[1] and _close_loops(changed)[0] is not None


def _number(model: Model, path: str, pair: tuple[float, float], problem: str) -> AuditFinding:
    mine, theirs = pair
    unit = numbers(model)[path].unit
    evidence = f"is {mine:.10g} {unit} here and {theirs:.10g} {unit} in the other description"
    if abs(mine + theirs) <= SAME * abs(theirs):
        evidence += ", which has the opposite sign"
    elif fits(mine, theirs):
        evidence += "; digits were rounded away here"
    else:
        away = abs(mine - theirs) / max(abs(mine), abs(theirs))
        evidence += f", {away:.1%} away" if away >= 1e-3 else f", {100.0 * away:.1g}% away"
    if problem and _closes(_without_wants(model), path, theirs):
        evidence += "; the loops do not close here, but they do with that number alone"
    return AuditFinding(path, mine, theirs, unit, evidence, f"use {theirs!r} {unit}".rstrip())
