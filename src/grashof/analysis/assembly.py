"""Assembly: positions and velocities that close every loop and meet every need, as near to the guess as they can be.

Positions: Gauss–Newton with least-norm steps on Φ(t₀, q) = 0 and the needs, damped (Levenberg–Marquardt) where it must be.
Velocities: the least kinetic energy with J v = −Φ_t and the needed rates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from grashof.analysis.guess import place_bodies, starting_coordinates
from grashof.analysis.loops import find_loops
from grashof.dynamics.equations import Dynamics
from grashof.dynamics.state import Motion, angle_parts
from grashof.errors import ModelError
from grashof.model.bodies import GROUND
from grashof.model.fields import dot
from grashof.model.joints import Revolute
from grashof.model.measures import Angle
from grashof.model.start import Condition
from grashof.system.forms import Expression
from grashof.system.system import System

CLOSED = 1e-12
"""Loops are closed when no equation misses by more than this fraction of the mechanism's length."""

RANK = 1e-8
"""Singular values of J below this fraction of the largest count as zero."""


@dataclass(frozen=True)
class Assembly:
    """A consistent start, and what was done to get there.

    q, v         coordinates and velocities
    residual     largest equation error, (position in m, velocity in m/s)
    moved        how far each body's origin is from its guess (m) and how much it turned (rad); guessed bodies only
    branch       the bend of each pin between two moving bodies, in rad within ±π (plane): its sign is the branch
    angles       every angle, with the whole turns that a need or a motor gives it
    redundant    how many of the presolved constraint rows the others imply
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
    iterations: int

    def __str__(self) -> str:
        lines = [
            f"Assembled in {self.iterations} iterations: equations hold to {self.residual[0]:.1e} m "
            f"and {self.residual[1]:.1e} m/s."
        ]
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
    rank = _check_regular(dynamics, time, q)
    v, rate_error = _velocities(dynamics, time, q)
    position_error = float(np.max(np.abs(dynamics.violation(time, list(q))), initial=0.0))
    return Assembly(
        time=time,
        q=q,
        v=v,
        residual=(position_error, rate_error),
        moved=_moved(system, q),
        branch=_branch(system, q),
        angles=_angles(system, time, q),
        redundant=system.m - rank,
        iterations=iterations,
    )


# -- positions

ConditionRow = tuple[Expression, str]


def closed_position(dynamics: Dynamics) -> tuple[np.ndarray, int]:
    """Coordinates that close every loop and meet the needs, singular or not, and the Newton steps it took.

    Raises ModelError, naming loop or need, when there are none near the guess.
    """
    system = dynamics.system
    start = system.model.start
    time = start.time
    needs = [_condition_row(system, need) for need in start.needs if need.value is not None]
    guess = starting_coordinates(system)
    q, iterations, error = close(dynamics, time, guess, needs, ahead=_meant_angles(system, time))
    if error > CLOSED * system.length * 100.0 or not _right_handed(system, q):
        _explain_gap(dynamics, time, guess, needs, q)
    wants = [_condition_row(system, want) for want in start.wants if want.value is not None]
    if wants:
        q = _nearest(dynamics, time, q, needs, wants)
    _check_branch_of_angles(dynamics, time, q)
    return q, iterations


def _condition_row(system: System, condition: Condition) -> ConditionRow:
    """The condition's value as an expression that is to be zero, in metres."""
    expression, _ = _quantity(system, condition)
    return expression, condition.quantity


def _quantity(system: System, condition: Condition) -> tuple[Expression, Callable[[Motion], float]]:
    """(value − wanted value as an expression in metres, the rate as a function of the motion)."""
    measure = system.model.all_measures.get(condition.quantity)
    value = condition.value or 0.0
    if measure is None:
        reference, _, axis = condition.quantity.rpartition(".")
        form = system.point(reference)["xyz".index(axis)]
        return form - value, lambda motion: motion.jet(form).first
    if isinstance(measure, Angle):
        sine, cosine = angle_parts(system, measure)
        scale = 1.0 / system.length
        expression = sine * (np.cos(value) * scale) - cosine * (np.sin(value) * scale)
    else:
        span = measure.span(system)
        expression = (dot(span, span) - value**2) * (0.5 / system.length)
    return expression, lambda motion: motion.measure(condition.quantity).first


def _meant_angles(system: System, time: float) -> list[Expression]:
    """ℓ cos(θ − f) for every angle that a need or a motor fixes: sin(θ − f) = 0 holds half a turn away, too."""
    cosines = []
    for angle, value in _fixed_angles(system, time):
        sine, cosine = angle_parts(system, angle)
        cosines.append((sine * np.sin(value) + cosine * np.cos(value)) * (1.0 / system.length))
    return cosines


def _evaluate(
    dynamics: Dynamics,
    time: float,
    q: np.ndarray,
    conditions: list[ConditionRow],
    ahead: Sequence[Expression] = (),
) -> tuple[np.ndarray, np.ndarray]:
    """All equations and their Jacobian, dense; an expression of `ahead` is to be ℓ as long as it is negative."""
    values = list(q)
    behind = [x for x in ahead if x.at(values) < 0.0]
    errors = dynamics.violation(time, values) + [x.at(values) for x, _ in conditions]
    errors += [x.at(values) - dynamics.system.length for x in behind]
    matrix = np.zeros((len(errors), dynamics.n))
    gradients = dynamics.kkt.rows(dynamics.jacobian(time, values))
    gradients += [x.gradient(values) for x in [*(expression for expression, _ in conditions), *behind]]
    for k, row in enumerate(gradients):
        for a, x in row.items():
            matrix[k, a] = x
    return np.array(errors, float), matrix


def close(
    dynamics: Dynamics,
    time: float,
    q: np.ndarray,
    conditions: list[ConditionRow],
    most: int = 200,
    ahead: Sequence[Expression] = (),
) -> tuple[np.ndarray, int, float]:
    """Newton with least-norm steps from q: (q, iterations, largest error in m)."""
    goal = CLOSED * dynamics.system.length
    damping = 0.0
    polished = False
    errors, matrix = _evaluate(dynamics, time, q, conditions, ahead)
    best = float(np.linalg.norm(errors))
    iterations = 0
    while iterations < most and errors.size and not polished:
        iterations += 1
        polished = best < goal  # then one more step, which brings it to round-off
        u, s, vt = np.linalg.svd(matrix, full_matrices=False)
        keep = s > RANK * s[0] if s.size else s > 0
        weights = np.zeros_like(s)
        weights[keep] = s[keep] / (s[keep] ** 2 + damping)
        step = -vt.T @ (weights * (u.T @ errors))
        # no body turns by more than about a radian in one step: natural coordinates are linear, rotations are not
        step *= min(1.0, dynamics.system.length / max(float(np.max(np.abs(step))), 1e-300))
        trial = q + step
        new_errors, new_matrix = _evaluate(dynamics, time, trial, conditions, ahead)
        size = float(np.linalg.norm(new_errors))
        if size < best * (1.0 - 1e-6):
            q, errors, matrix, best = trial, new_errors, new_matrix, size
            damping = 0.0 if damping < 1e-10 else damping * 0.1
        elif damping < 1e8:
            damping = max(damping * 10.0, 1e-6)
        else:
            break
    return q, iterations, float(np.max(np.abs(errors), initial=0.0))


def _nearest(
    dynamics: Dynamics, time: float, q: np.ndarray, needs: list[ConditionRow], wants: list[ConditionRow]
) -> np.ndarray:
    """Moves along the free directions until the wants hold as nearly as possible."""
    for _ in range(50):
        _, hard = _evaluate(dynamics, time, q, needs)
        free = null_space(hard)
        values = list(q)
        errors = np.array([x.at(values) for x, _ in wants], float)
        soft = np.zeros((len(wants), dynamics.n))
        for k, (x, _) in enumerate(wants):
            for a, slope in x.gradient(values).items():
                soft[k, a] = slope
        along = np.linalg.lstsq(soft @ free, -errors, rcond=1e-8)[0]
        step = free @ along
        step *= min(1.0, 0.3 * dynamics.system.length / max(float(np.max(np.abs(step), initial=0.0)), 1e-300))
        q, _, _ = close(dynamics, time, q + step, needs)
        if np.max(np.abs(step), initial=0.0) < CLOSED * dynamics.system.length:
            break
    return q


def null_space(matrix: np.ndarray) -> np.ndarray:
    """An orthonormal basis of the directions the rows leave free, (n, free)."""
    if matrix.shape[0] == 0:
        return np.eye(matrix.shape[1])
    _, s, vt = np.linalg.svd(matrix)
    rank = int(np.sum(s > RANK * max(s[0], 1e-300)))
    free: np.ndarray = vt[rank:].T
    return free


def _explain_gap(
    dynamics: Dynamics, time: float, guess: np.ndarray, needs: list[ConditionRow], q: np.ndarray
) -> None:
    """Raises the ModelError that says what cannot be met, and by how much."""
    system = dynamics.system
    name = system.model.name
    if needs:
        error = close(dynamics, time, guess, [])[2]
        if error <= CLOSED * system.length * 100.0:
            missed = [f"{label} is off by {abs(x.at(list(q))):.3g} m" for x, label in needs]
            raise ModelError(
                f"Mechanism '{name}': the loops close, but not with what the start needs ({'; '.join(missed)} at best). "
                "Change that value or give a guess nearer to it."
            )
    errors = np.abs(np.array(dynamics.violation(time, list(q)), float))
    owners = [row.owner for row in system.rows] + [motor.owner for motor in system.motors]
    by_owner: dict[str, float] = {}
    for owner, error in zip(owners, errors, strict=True):
        by_owner[owner] = by_owner.get(owner, 0.0) + float(error)
    gaps = []
    for loop in find_loops(system.model).closed.values():
        members = {*loop.joints, *(f"body '{body}'" for body in loop.bodies)}
        gaps.append((sum(x for owner, x in by_owner.items() if owner in members), str(loop), loop.joints[0]))
    if not gaps:
        worst = max(by_owner, key=lambda owner: by_owner[owner], default=name)
        raise ModelError(f"Mechanism '{name}' cannot be assembled: {worst} misses by {by_owner.get(worst, 0.0):.3g} m.")
    gap, loop_text, joint = max(gaps)
    if gap <= CLOSED * system.length * 100.0:
        raise ModelError(
            f"Mechanism '{name}' assembles only as its mirror image from this guess; turn the guessed bodies nearer to where they belong."
        )
    raise ModelError(
        f"Mechanism '{name}': the loop {loop_text} cannot close at joint '{joint}': {gap:.3g} m are missing. "
        "Check the lengths in that loop, or give a guess nearer to the position meant."
    )


def _right_handed(system: System, q: np.ndarray) -> bool:
    """Whether no spatial body came out as its mirror image."""
    for frame in system.frames.values():
        if len(frame.directions) == 3:
            world = np.array([[form.at(q) for form in d] for d in frame.directions], float)
            if np.linalg.det(world) * np.linalg.det(frame.directions_local) < 0.0:
                return False
    return True


def _check_branch_of_angles(dynamics: Dynamics, time: float, q: np.ndarray) -> None:
    """sin(θ − f) = 0 has two solutions; only cos(θ − f) > 0 is the one meant."""
    system = dynamics.system
    for angle, value in _fixed_angles(system, time):
        sine, cosine = (float(x.at(q)) for x in angle_parts(system, angle))
        if cosine * np.cos(value) + sine * np.sin(value) < 0.0:
            raise ModelError(
                f"Angle '{angle.name}' came out half a turn away from {value:g} rad; give a guess nearer to it."
            )


def _fixed_angles(system: System, time: float) -> list[tuple[Angle, float]]:
    """The angles that needs and motors fix, and at what, whole turns included."""
    fixed = [(need.quantity, need.value) for need in system.model.start.needs if need.value is not None]
    fixed += [(motor.target, motor.value(time)) for motor in system.model.motors]
    measures = system.model.all_measures
    return [(angle, x) for name, x in fixed if isinstance(angle := measures.get(name), Angle)]


def _check_regular(dynamics: Dynamics, time: float, q: np.ndarray) -> int:
    """The rank of the constraints; refuses a start where they lose rank, and directions that nothing determines."""
    system = dynamics.system
    _, here = _evaluate(dynamics, time, q, [])
    free = null_space(here)
    rank = int(dynamics.n - free.shape[1])
    if free.shape[1] == 0:
        return rank
    moving = free.T @ system.mass_matrix() @ free
    weakest = np.linalg.eigvalsh(moving)[0]
    if weakest < 1e-12 * max(np.max(np.abs(system.mass_matrix())), 1e-300):
        direction = free @ np.linalg.eigh(moving)[1][:, 0]
        label = system.labels[int(np.argmax(np.abs(direction)))]
        raise ModelError(
            f"Mechanism '{system.model.name}': {label} can move although nothing that moves with it has mass; "
            "give the body mass (and inertia), or hold it with a joint."
        )
    nearby = freedom_nearby(dynamics, time, q)
    if free.shape[1] > nearby:
        raise ModelError(
            f"Mechanism '{system.model.name}' starts exactly at a singular position: it has {free.shape[1]} degrees of freedom "
            f"there and {nearby} nearby, so its motion is not determined. Start a little away from it."
        )
    return rank


def freedom_nearby(dynamics: Dynamics, time: float, q: np.ndarray) -> int:
    """Degrees of freedom at admissible positions near q: the fewest of those looked at."""
    _, here = _evaluate(dynamics, time, q, [])
    least = int(null_space(here).shape[1])
    for near in positions_nearby(dynamics, time, q):
        _, there = _evaluate(dynamics, time, near, [])
        least = min(least, int(null_space(there).shape[1]))
    return least


def positions_nearby(dynamics: Dynamics, time: float, q: np.ndarray) -> Iterator[np.ndarray]:
    """Admissible positions near q: steps along its free directions, closed again.

    The first direction is a push on everything alike, as gravity would give, the others are random: where many loops are
    singular at once, a random direction sends each its own way, and together they find no way out.
    """
    _, here = _evaluate(dynamics, time, q, [])
    free = null_space(here)
    rng = np.random.default_rng(1)
    axes = dict(zip("xyz", rng.normal(size=3), strict=True))
    push = np.array([axes[label[-1]] for label in dynamics.system.labels])
    for size, wish in ((0.01, push), (0.01, rng.normal(size=dynamics.n)), (0.05, rng.normal(size=dynamics.n))):
        direction = free @ (free.T @ wish)
        largest = float(np.max(np.abs(direction), initial=0.0))
        if largest < RANK:
            continue
        step = direction * (size * dynamics.system.length / largest)
        near, _, error = close(dynamics, time, q + step, [], most=50)
        if error < CLOSED * dynamics.system.length * 100.0:
            yield near


# -- velocities


def _velocities(dynamics: Dynamics, time: float, q: np.ndarray) -> tuple[np.ndarray, float]:
    system = dynamics.system
    values = list(q)
    _, matrix = _evaluate(dynamics, time, q, [])
    right = -np.array(dynamics.slip(time, values), float)
    owners = [row.owner for row in system.rows] + [motor.owner for motor in system.motors]
    hard: list[np.ndarray] = [matrix]
    soft: list[np.ndarray] = []
    hard_right: list[float] = list(right)
    soft_right: list[float] = []
    for conditions, rows, wanted in (
        (system.model.start.needs, hard, hard_right),
        (system.model.start.wants, soft, soft_right),
    ):
        for condition in conditions:
            if condition.rate is None:
                continue
            rows.append(_rate_row(system, time, q, condition)[None, :])
            wanted.append(condition.rate)
            if rows is hard:
                owners.append(f"the needed rate of {condition.quantity}")
    a, b = np.vstack(hard), np.array(hard_right, float)
    v = np.linalg.lstsq(a, b, rcond=RANK)[0] if a.size else np.zeros(dynamics.n)
    rest = a @ v - b
    speed = max(float(np.max(np.abs(b), initial=0.0)), float(np.max(np.abs(v), initial=0.0)))
    if np.max(np.abs(rest), initial=0.0) > 1e-8 * max(speed, 1e-300):
        worst = int(np.argmax(np.abs(rest)))
        raise ModelError(
            f"Mechanism '{system.model.name}': the velocities contradict each other at {owners[worst]} "
            f"(off by {abs(rest[worst]):.3g} at best). Take one of the motors or needed rates away."
        )
    free = null_space(a)
    if free.shape[1]:
        mass = system.mass_matrix()
        if soft:
            along = np.linalg.lstsq(np.vstack(soft) @ free, np.array(soft_right) - np.vstack(soft) @ v, rcond=1e-8)[0]
            v = v + free @ along
            free = free @ null_space(np.vstack(soft) @ free)
        if free.shape[1]:
            v = v - free @ np.linalg.lstsq(free.T @ mass @ free, free.T @ mass @ v, rcond=None)[0]
    _check_accelerations(dynamics, time, q, v, matrix)
    return v, float(np.max(np.abs(matrix @ v - right), initial=0.0))


def _rate_row(system: System, time: float, q: np.ndarray, condition: Condition) -> np.ndarray:
    """The rate of a quantity as a row: it is linear in v."""
    rate = _quantity(system, condition)[1]
    return np.array([rate(Motion(system, time, list(q), list(e))) for e in np.eye(system.n)], float)


def _check_accelerations(dynamics: Dynamics, time: float, q: np.ndarray, v: np.ndarray, matrix: np.ndarray) -> None:
    """Redundant rows must agree at the acceleration level too: two motors may start alike and part at once."""
    gamma = np.array(dynamics.bias(time, list(q), list(v)), float)
    if not dynamics.system.motors:
        return
    a = np.linalg.lstsq(matrix, gamma, rcond=RANK)[0]
    rest = np.abs(matrix @ a - gamma)
    if np.max(rest, initial=0.0) > 1e-6 * max(float(np.max(np.abs(gamma))), 1e-300):
        motors = " and ".join(f"'{motor.owner}'" for motor in dynamics.system.motors)
        raise ModelError(f"The motors {motors} ask for accelerations that contradict each other; take one away.")


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
