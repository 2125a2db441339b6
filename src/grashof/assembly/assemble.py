"""Assembly: positions and velocities that close every loop and meet every need, as near to the guess as they can be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from grashof.assembly.fitting import contradiction
from grashof.assembly.guess import default_attitudes, guess_rows, place_bodies
from grashof.assembly.positions import (
    Position,
    angles_near,
    closed_position,
    condition_row,
    deviation,
    gradient_rows,
    quantity,
    turns_near,
)
from grashof.assembly.refusals import check_mass
from grashof.assembly.velocities import check_accelerations, starting_velocities
from grashof.common.wording import count_of
from grashof.formulation.natural.closing import Positions, leads_nowhere
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.natural.state import measure_parts
from grashof.formulation.natural.system import System
from grashof.geometry.shape import GeometryChange
from grashof.model.bodies import GROUND
from grashof.model.loops import find_loops
from grashof.model.measures import Angle
from grashof.singular.start_branches import freedom_along

SHOWN = 3
"""How many bodies a line of the report names."""

MOVING = 1e-6
"""A body moves along a direction if its coordinates change by more than this fraction of the largest change."""


@dataclass(frozen=True)
class Assembly:
    """A consistent start, and how it was found.

    q, v         coordinates and velocities
    residual     largest equation error, (position in m, velocity in m/s)
    moved        how far each body's origin is from its guess (m) and how much it turned (rad); guessed bodies only
    branch       the bend of each pin between two moving bodies, in rad within ±π (plane): its sign is the branch
    angles       every angle, with the whole turns that a need, a motor, a coupling or a want gives it
    redundant    how many of the presolved constraint rows are implied by the others; at a singular start, just after it
    singular     at a singular start, the degrees of freedom beyond those of the motion that the velocities choose; else
                 0
    iterations   Newton steps
    free         degrees of freedom of the position that joints, motors, needs and wants leave
    unguessed    how many of these are left if all guesses are kept as well
    default      the bodies that these can move, and the attitude from which each of them began
    missed       wants that could not be met: (wanted, found), in m or rad
    changes      what was moved to make redundant joints fit together, largest first
    """

    time: float
    q: np.ndarray
    v: np.ndarray
    residual: tuple[float, float]
    moved: dict[str, tuple[float, float]]
    branch: dict[str, float]
    angles: dict[str, float]
    redundant: int
    singular: int
    iterations: int
    free: int
    unguessed: int
    default: dict[str, str]
    missed: dict[str, tuple[float, float]]
    changes: tuple[GeometryChange, ...] = ()

    def __str__(self) -> str:
        lines = [
            f"Assembled in {count_of(self.iterations, 'iteration')}: equations hold to {self.residual[0]:.1e} m "
            f"and {self.residual[1]:.1e} m/s."
        ]
        if self.singular:
            more = f"{self.singular} more degree{'s' * (self.singular > 1)} of freedom"
            lines[0] += f" The position is singular: it has {more} than the motion selected by its velocities."
        if self.changes:
            rest = len(self.changes) - SHOWN
            named = ", ".join(map(str, self.changes[:SHOWN])) + (f" and {rest} smaller changes" if rest > 0 else "")
            lines.append(f"  adjusted so that the joints fit together: {named}")
        for name, (distance, turn) in self.moved.items():
            if distance > 1e-6 or turn > 1e-6:
                lines.append(f"  {name} moved {distance:.3g} m and turned {turn:.3g} rad from its guess")
        for name, (wanted, found) in self.missed.items():
            lines.append(
                f"  {name} is {found:.6g}; {wanted:.6g} was wanted, and none of the assembly modes found comes closer"
            )
        if self.default:
            lines.append(f"  {self._free_in_words()}")
        bends = [f"{name} {'left' if bend > 0 else 'right'} ({bend:+.3f} rad)" for name, bend in self.branch.items()]
        if bends:
            lines.append("  branch: " + ", ".join(bends))
        return "\n".join(lines)

    def _free_in_words(self) -> str:
        ways = []
        for how in dict.fromkeys(self.default.values()):
            bodies = [f"'{name}'" for name, chosen in self.default.items() if chosen == how]
            names = ", ".join(bodies[:SHOWN]) + (f" and {len(bodies) - SHOWN} more" if len(bodies) > SHOWN else "")
            ways.append(f"{names} {how}")
        return (
            f"The start position is under-specified by {self.unguessed}; chosen by default: {'; '.join(ways)}. "
            "Give a guess, a need or a want to start elsewhere."
        )


def assemble(dynamics: Dynamics, changes: tuple[GeometryChange, ...] = ()) -> Assembly:
    """The start that `find_start` finds, with a report of how it was found.

    changes  what was moved beforehand to make it fit together
    """
    start = find_start(dynamics)
    system, positions, q = dynamics.system, start.positions, start.q
    free = _free(positions, q, start.freedom)
    unguessed, default = _by_default(positions, q, free)
    position_error = float(np.max(np.abs(positions.errors(q)), initial=0.0))
    return Assembly(
        time=start.time,
        q=q,
        v=start.v,
        residual=(position_error, start.rate_error),
        moved=_bodies_moved(system, q),
        branch=_branch(system, q),
        angles=start.angles,
        redundant=system.m - (system.n - start.moving),
        singular=start.singular,
        iterations=start.position.iterations,
        free=free,
        unguessed=unguessed,
        default=default,
        missed=_largest_miss(system, q),
        changes=changes,
    )


@dataclass(frozen=True, eq=False)
class ConsistentStart:
    """A position and velocities that satisfy joints, motors and needs.

    positions    the equations of the position
    rate_error   largest error of the equations of the velocities, m/s
    freedom      degrees of freedom at the position, and `moving` those of the motion that the velocities choose
    """

    positions: Positions
    position: Position
    v: np.ndarray
    rate_error: float
    freedom: int
    moving: int

    @property
    def time(self) -> float:
        """When the motion begins, s."""
        return self.positions.time

    @property
    def q(self) -> np.ndarray:
        """The coordinates."""
        return self.position.q

    @property
    def singular(self) -> int:
        """At a singular start, the degrees of freedom beyond those of the motion; else 0."""
        return self.freedom - self.moving

    @cached_property
    def angles(self) -> dict[str, float]:
        """Every angle, with the whole turns that a need, a motor, a coupling or a want gives it."""
        return angles_near(self.positions.dynamics.system, self.time, self.q)


def find_start(dynamics: Dynamics) -> ConsistentStart:
    """Closes the mechanism from its guesses; raises ModelError, naming loop or need, when it cannot."""
    system = dynamics.system
    time = system.model.start.time
    position = closed_position(dynamics)
    q = position.q
    positions = Positions(dynamics, time, turns=turns_near(system, time, q))
    dependencies = positions.dependencies(q)
    freedom = dynamics.freedom(len(dependencies))
    if freedom:
        check_mass(positions, q)
    if not freedom or len(dependencies):
        _check_contradictions(positions, q, len(dependencies), elsewhere=position.attempt > 0)
    v, rate_error = starting_velocities(dynamics, time, q, positions.turns)
    moving = freedom_along(positions, q, v) if len(dependencies) else freedom
    check_accelerations(dynamics, time, q, v, positions.turns)
    return ConsistentStart(positions, position, v, rate_error, freedom, moving)


def _check_contradictions(positions: Positions, q: np.ndarray, redundant: int, *, elsewhere: bool) -> None:
    """Raises ModelError where joints lock each other, or leave a way that no position is on, by a little.

    elsewhere   whether no position was found from the guess itself, but from another one
    """
    system = positions.dynamics.system
    if not find_loops(system.model).closed:
        return  # joints of open chains cannot contradict each other
    if system.couplings:  # theirs are not equations of the joints
        positions = replace(positions, dynamics=positions.dynamics.uncoupled, turns=())
        redundant = len(positions.dependencies(q))
    locked = system.model.joints and system.n == len(system.rows) - redundant
    if locked or (redundant and (elsewhere or leads_nowhere(positions, q))):
        problem = contradiction(system.model)
        if problem:
            raise problem


# -- the report


def _free(positions: Positions, q: np.ndarray, freedom: int) -> int:
    """How many of the degrees of freedom no need and no want is about."""
    system = positions.dynamics.system
    start = system.model.start
    given = [condition_row(system, x) for x in (*start.needs, *start.wants) if x.value is not None]
    if not given or not freedom:
        return freedom
    rows = gradient_rows(given, q)
    return freedom - int(np.linalg.matrix_rank(rows @ positions.free_part(q, rows.T), tol=1e-8))


def _by_default(positions: Positions, q: np.ndarray, free: int) -> tuple[int, dict[str, str]]:
    """How many degrees of freedom no need, want or guess is about, and the attitudes from which the bodies began
    that these can move."""
    system = positions.dynamics.system
    start = system.model.start
    default = default_attitudes(system.model) if free else {}
    if not default or not start.guesses:
        return free if default else 0, default
    given = [condition_row(system, x) for x in (*start.needs, *start.wants) if x.value is not None]
    held = replace(positions, conditions=[*given, *guess_rows(system)])
    way = held.free_part(q, np.random.default_rng(1).normal(size=system.n))
    moving = MOVING * float(np.max(np.abs(way)))

    def moves(name: str) -> bool:
        frame = system.frames[name]
        return any(abs(form.rate(way)) > moving for forms in (frame.origin, *frame.directions) for form in forms)

    unguessed = held.freedom(q)
    return unguessed, {name: how for name, how in default.items() if moves(name)} if unguessed else {}


def _largest_miss(system: System, q: np.ndarray) -> dict[str, tuple[float, float]]:
    return {
        want.quantity: (want.value, quantity(system, want.quantity, q))
        for want in system.model.start.wants
        if want.value is not None and deviation(system, want, q) > 1e-6 * system.length
    }


def _bodies_moved(system: System, q: np.ndarray) -> dict[str, tuple[float, float]]:
    placements = place_bodies(system.model)
    moved = {}
    for name in system.model.start.guesses:
        frame = system.frames[name]
        origin, axes = placements[name]
        there = np.array([form.at(q) for form in frame.origin], float)
        expected = origin + axes @ np.array(frame.origin_local)
        turns = [0.0]
        for direction, local in zip(frame.directions, frame.directions_local, strict=True):
            now, before = np.array([form.at(q) for form in direction], float), axes @ local
            cosine = now @ before / (np.linalg.norm(now) * np.linalg.norm(before))
            turns.append(2.0 * np.arcsin(np.sqrt(max(0.0, 0.5 * (1.0 - cosine)))))
        moved[name] = (float(np.linalg.norm(there - expected)), float(max(turns)))
    return moved


def _branch(system: System, q: np.ndarray) -> dict[str, float]:
    if system.dimension == 3:
        return {}
    bends = {}
    for joint in system.model.joints:
        a, b = joint.bodies
        if joint.is_pin and GROUND not in (a, b):
            bend = Angle("", b, a)
            bends[joint.name] = float(bend.value([float(x.at(q)) for x in measure_parts(system, bend)]))
    return bends
