"""Assembly: positions and velocities that close every loop and meet every need, as near to the guess as they can be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grashof.analysis.closing import CLOSED, Positions, close, is_closed
from grashof.analysis.guess import place_bodies, starting_coordinates
from grashof.analysis.loops import find_loops
from grashof.analysis.singular import freedom_along
from grashof.analysis.velocities import check_accelerations, starting_velocities
from grashof.dynamics.equations import Dynamics
from grashof.dynamics.kkt import make_kkt
from grashof.dynamics.rigid import RigidFields
from grashof.dynamics.state import angle_parts
from grashof.errors import ModelError
from grashof.model.bodies import GROUND
from grashof.model.fields import dot
from grashof.model.joints import Revolute
from grashof.model.measures import Angle
from grashof.model.start import Condition
from grashof.system.forms import Expression
from grashof.system.system import System

MASSLESS = 1e-11
"""A motion that moves less than this fraction of a typical mass moves none."""


@dataclass(frozen=True)
class Assembly:
    """A consistent start, and what was done to get there.

    q, v         coordinates and velocities
    residual     largest equation error, (position in m, velocity in m/s)
    moved        how far each body's origin is from its guess (m) and how much it turned (rad); guessed bodies only
    branch       the bend of each pin between two moving bodies, in rad within ±π (plane): its sign is the branch
    angles       every angle, with the whole turns that a need or a motor gives it
    redundant    how many of the presolved constraint rows the others imply; at a singular start, just after it
    singular     at a singular start, the degrees of freedom beyond those of the motion that the velocities choose; else 0
    iterations   Newton steps
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

    def __str__(self) -> str:
        lines = [
            f"Assembled in {self.iterations} iterations: equations hold to {self.residual[0]:.1e} m "
            f"and {self.residual[1]:.1e} m/s."
        ]
        if self.singular:
            more = f"{self.singular} degree{'s' * (self.singular > 1)} of freedom more"
            lines[0] += f" The position is singular: it has {more} than the motion that its velocities choose."
        for name, (distance, turn) in self.moved.items():
            if distance > 1e-6 or turn > 1e-6:
                lines.append(f"  {name} moved {distance:.3g} m and turned {turn:.3g} rad from its guess")
        bends = [f"{name} {'left' if bend > 0 else 'right'} ({bend:+.3f} rad)" for name, bend in self.branch.items()]
        if bends:
            lines.append("  branch: " + ", ".join(bends))
        return "\n".join(lines)


def assemble(dynamics: Dynamics) -> Assembly:
    """Closes the mechanism from its guesses; raises ModelError, naming loop or need, when it cannot."""
    system = dynamics.system
    time = system.model.start.time
    q, iterations = closed_position(dynamics)
    positions = Positions(dynamics, time)
    dependencies = positions.dependencies(q)
    freedom = system.n - system.m + len(dependencies)
    if freedom:
        _check_mass(positions, q)
    v, rate_error = starting_velocities(dynamics, time, q)
    moving = freedom_along(positions, q, v) if len(dependencies) else freedom
    check_accelerations(dynamics, time, q, v)
    position_error = float(np.max(np.abs(positions.errors(q)), initial=0.0))
    return Assembly(
        time=time,
        q=q,
        v=v,
        residual=(position_error, rate_error),
        moved=_moved(system, q),
        branch=_branch(system, q),
        angles=_angles(system, time, q),
        redundant=system.m - (system.n - moving),
        singular=freedom - moving,
        iterations=iterations,
    )


def closed_position(dynamics: Dynamics) -> tuple[np.ndarray, int]:
    """Coordinates that close every loop and meet the needs, singular or not, and the Newton steps it took.

    Raises ModelError, naming loop or need, when there are none near the guess.
    """
    system = dynamics.system
    start = system.model.start
    needs = [_row(system, need) for need in start.needs if need.value is not None]
    forward = _forward(system, start.time)
    positions = Positions(dynamics, start.time, needs + forward)
    guess = starting_coordinates(system)
    q, iterations, error = close(positions, guess)
    if forward and not is_closed(positions, error):
        # a direction that leans towards its angle's axis has a shorter projection: from here on the sines will do
        positions = Positions(dynamics, start.time, needs)
        q, more, error = close(positions, q)
        iterations += more
        for row, (angle, value) in zip(forward, _fixed_angles(system, start.time), strict=True):
            if is_closed(positions, error) and row.at(q) < -system.length:
                raise ModelError(
                    f"Mechanism '{system.model.name}': the angle '{angle.name}' came out half a turn away from {value:g} rad; "
                    "give a guess nearer to it."
                )
    if not is_closed(positions, error):
        _explain_gap(positions, guess, q)
    if not _right_handed(system, q):
        raise ModelError(
            f"Mechanism '{system.model.name}' assembles only as its mirror image from this guess; "
            "turn the guessed bodies nearer to where they belong."
        )
    wants = [_row(system, want) for want in start.wants if want.value is not None]
    if wants:
        q = _nearest(positions, q, wants)
    return q, iterations


def _row(system: System, condition: Condition) -> Expression:
    """A condition's value as an expression that is to be zero, in metres."""
    measure = system.model.all_measures.get(condition.quantity)
    value = condition.value or 0.0
    if measure is None:
        reference, _, axis = condition.quantity.rpartition(".")
        coordinate: Expression = system.point(reference)["xyz".index(axis)] - value
        return coordinate
    scale = 1.0 / system.length
    if isinstance(measure, Angle):
        sine, cosine = angle_parts(system, measure)
        expression: Expression = sine * (np.cos(value) * scale) - cosine * (np.sin(value) * scale)
    else:
        span = measure.span(system)
        expression = (dot(span, span) - value**2) * (0.5 * scale)
    return expression


def _fixed_angles(system: System, time: float) -> list[tuple[Angle, float]]:
    """The angles that needs and motors fix, and at what, whole turns included."""
    fixed = [(need.quantity, need.value) for need in system.model.start.needs if need.value is not None]
    fixed += [(motor.target, motor.value(time)) for motor in system.model.motors]
    measures = system.model.all_measures
    return [(angle, x) for name, x in fixed if isinstance(angle := measures.get(name), Angle)]


def _forward(system: System, time: float) -> list[Expression]:
    """ℓ cos(θ − f) − ℓ for every angle that is fixed at f: sin(θ − f) = 0 alone would hold half a turn away, too."""
    rows: list[Expression] = []
    for angle, value in _fixed_angles(system, time):
        sine, cosine = angle_parts(system, angle)
        rows.append((sine * np.sin(value) + cosine * np.cos(value)) * (1.0 / system.length) - system.length)
    return rows


def _nearest(positions: Positions, q: np.ndarray, wants: list[Expression]) -> np.ndarray:
    """Moves along the free directions until the wants hold as nearly as possible: Gauss–Newton, closed again each time."""
    length = positions.length
    share = 1.0  # of the Gauss–Newton step, which is too long where the wants stay far off
    errors = _values(wants, q)
    for _ in range(200):
        values = q.tolist()
        rows = np.zeros((len(wants), len(q)))
        for row, want in zip(rows, wants, strict=True):
            gradient = want.gradient(values)
            row[list(gradient)] = list(gradient.values())
        moves = np.array([positions.free_part(q, row) for row in rows]).T
        step = moves @ np.linalg.lstsq(rows @ moves, -errors, rcond=1e-8)[0]
        step *= share * min(1.0, 0.3 * length / max(float(np.max(np.abs(step))), 1e-300))
        trial, _, error = close(positions, q + step)
        found = _values(wants, trial)
        if is_closed(positions, error) and found @ found <= errors @ errors:
            q, errors, share = trial, found, min(1.0, 2.0 * share)
        else:
            share *= 0.5
        if np.max(np.abs(step)) < CLOSED * length:
            break
    return q


def _values(rows: list[Expression], q: np.ndarray) -> np.ndarray:
    values = q.tolist()
    return np.array([row.at(values) for row in rows], float)


# -- what can be wrong


def _explain_gap(positions: Positions, guess: np.ndarray, q: np.ndarray) -> None:
    """Raises the ModelError that says what cannot be met, and by how much."""
    system = positions.dynamics.system
    name = system.model.name
    joints_only = Positions(positions.dynamics, positions.time)
    needs = [need.quantity for need in system.model.start.needs if need.value is not None]
    if needs and is_closed(joints_only, close(joints_only, guess)[2]):
        missed = [
            f"{label} is off by {abs(x.at(q)):.3g} m" for label, x in zip(needs, positions.conditions, strict=False)
        ]
        raise ModelError(
            f"Mechanism '{name}': the loops close, but not with what the start needs ({'; '.join(missed)} at best). "
            "Change that value or give a guess nearer to it."
        )
    if system.motors:
        rows = joints_only.errors(q)[len(system.rows) :]
        motors = " and ".join(
            f"'{motor.owner}' (off by {abs(x):.3g} m)" for motor, x in zip(system.motors, rows, strict=True)
        )
        raise ModelError(
            f"Mechanism '{name}' cannot be assembled with its motors at t = {positions.time:g} s: {motors}. "
            "They contradict each other or ask for more than the loops can reach; change or take one away."
        )
    gaps = _gaps(system, q)
    loops = list(find_loops(system.model).closed.values())
    if not loops:
        worst = max(gaps, key=lambda joint: gaps[joint])
        raise ModelError(f"Mechanism '{name}' cannot be assembled: joint '{worst}' misses by {gaps[worst]:.3g} m.")
    loop = max(loops, key=lambda loop: sum(gaps[joint] for joint in loop.joints))
    raise ModelError(
        f"Mechanism '{name}': the loop {loop} cannot close at joint '{loop.joints[0]}': "
        f"{sum(gaps[joint] for joint in loop.joints):.3g} m are missing. "
        "Check the lengths in that loop, or give a guess nearer to the position meant."
    )


def _gaps(system: System, q: np.ndarray) -> dict[str, float]:
    """How far each joint is from being whole, with every body rigid, m."""
    still = np.zeros(len(q))
    fields = RigidFields(system, list(q), list(still), list(still))
    return {
        joint.name: float(np.sqrt(sum(row.value**2 for row in joint.equations(fields))))
        for joint in system.model.joints
    }


def _right_handed(system: System, q: np.ndarray) -> bool:
    """Whether no spatial body came out as its mirror image."""
    for frame in system.frames.values():
        if len(frame.directions) == 3:
            world = np.array([[float(form.at(q)) for form in d] for d in frame.directions])
            if np.linalg.det(world) * np.linalg.det(frame.directions_local) < 0.0:
                return False
    return True


def _check_mass(positions: Positions, q: np.ndarray) -> None:
    """Everything that can move must move some mass: no direction δ has J δ = 0 and M δ = 0.

    The smallest eigenvalue of M + Jᵀ J, M in units of a typical mass, by inverse iteration.
    """
    dynamics = positions.dynamics
    if not any(dynamics.kkt.augment):
        return
    system = dynamics.system
    gradients = positions.gradients(q)
    typical = float(np.mean([x for (i, j), x in system.mass.items() if i == j]))
    matrix = {(i, i): 1e-3 * MASSLESS for i in range(system.n)}
    for pair, x in system.mass.items():
        matrix[pair] = matrix.get(pair, 0.0) + x / typical
    for row in gradients:
        for i, x in row.items():
            for j, y in row.items():
                if j <= i:
                    matrix[i, j] = matrix.get((i, j), 0.0) + x * y
    resistance = make_kkt(system.n, matrix, (), system.groups)
    factors = resistance.factor([])
    direction = np.random.default_rng(1).normal(size=system.n)
    for _ in range(4):
        direction = np.array(resistance.solve(factors, direction.tolist()))
        direction /= np.linalg.norm(direction)
    rates = [sum(x * direction[i] for i, x in row.items()) for row in gradients]
    if 2.0 * dynamics.kinetic(direction.tolist()) / typical + np.dot(rates, rates) < MASSLESS:
        label = system.labels[int(np.argmax(np.abs(direction)))]
        raise ModelError(
            f"Mechanism '{system.model.name}': {label} can move although nothing that moves with it has mass; "
            "give the body mass (and inertia), or hold it with a joint."
        )


# -- the report


def _moved(system: System, q: np.ndarray) -> dict[str, tuple[float, float]]:
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


def _angles(system: System, time: float, q: np.ndarray) -> dict[str, float]:
    needed = {angle.name: value for angle, value in _fixed_angles(system, time)}
    angles = {}
    for name, measure in system.model.all_measures.items():
        if isinstance(measure, Angle):
            sine, cosine = (float(x.at(q)) for x in angle_parts(system, measure))
            value = float(np.arctan2(sine, cosine))
            angles[name] = value + 2.0 * np.pi * round((needed.get(name, value) - value) / (2.0 * np.pi))
    return angles


def _branch(system: System, q: np.ndarray) -> dict[str, float]:
    if system.dimension == 3:
        return {}
    bends = {}
    for joint in system.model.joints:
        a, b = joint.bodies
        if isinstance(joint, Revolute) and GROUND not in (a, b):
            sine, cosine = (float(x.at(q)) for x in angle_parts(system, Angle("", b, a)))
            bends[joint.name] = float(np.arctan2(sine, cosine))
    return bends
