"""The position at the start: every loop closed, needs met, wants met as closely as any assembly mode allows.

Loops can often be closed in several ways. The guess selects one of them; if it leads to none, or misses the wants,
others are tried from fixed pseudo-random attitudes, so that the same mechanism always starts in the same position.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from grashof.assembly.guess import RANDOM, guess_rows, place_bodies, starting_coordinates
from grashof.assembly.refusals import explain_gap, mirrored_bodies
from grashof.assembly.upright import UprightPositions
from grashof.assembly.whole_turns import value_of, with_turns
from grashof.common.errors import ModelError
from grashof.common.wording import quote_first
from grashof.formulation.natural.closing import CLOSED, Positions, close, is_closed
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.natural.forms import Expression, as_expression
from grashof.formulation.natural.state import measure_parts
from grashof.formulation.natural.system import System
from grashof.model.fields import dot
from grashof.model.measures import Measure
from grashof.model.start import Condition
from grashof.scalar import atan2, cos, sin
from grashof.scalar.algebra import norm, product, solve_symmetric
from grashof.scalar.functions import Scalar

ATTEMPTS, TO_CLOSE = 18, 6
"""Largest numbers of starting positions that are tried (as guessed, with default attitudes, and with pseudo-random
ones): the first in order to meet wants, the second in order to close loops and meet needs at all."""

EFFORT = 4000
"""Coordinates times attempts: large mechanisms have fewer attempts, but at least two."""

SETTLING, ROUGHLY = 200, 25
"""Gauss–Newton steps towards the wants: for the final position, and for comparing attempts."""

CLOSING = 50
"""Newton steps, at most, that close the loops after each of these: near a closed position a few suffice, and at a
singular one the error is halved by each."""

MET = 1e-9
"""A want is met if it is missed by less than this fraction of the mechanism's length."""

HELD = 1e-9
"""If the part of the wants' gradients along free directions is a smaller fraction of them than this, the needs leave
nothing to move."""

BETTER = 1e-6
"""Another assembly mode is chosen if its deviation from the wants is smaller by more than this fraction of the
length."""


@dataclass(frozen=True)
class Position:
    """A closed position: coordinates, number of Newton steps, deviation from the wants (m), and the attempt that
    found it."""

    q: np.ndarray
    iterations: int
    missed: float
    attempt: int


def closed_position(dynamics: Dynamics) -> Position:
    """Closes every loop and meets the needs, whether the position is singular or not.

    Raises ModelError, naming the loop or the need, if no attempt leads to such a position.
    """
    system = dynamics.system
    wanted = _wants(system)
    best: Position | None = None
    refusal: Refusal | None = None
    for attempt in _attempts(system):
        if best is not None and (not wanted or best.missed <= MET * system.length):
            break
        if best is None and attempt >= TO_CLOSE:
            break
        found = _closed_from(dynamics, attempt, upright=best is None)
        if not isinstance(found, Position):
            refusal = refusal or found
        elif best is None or found.missed < best.missed - BETTER * system.length:
            best = found
    if best is None:
        assert refusal is not None
        raise refusal()
    return best if best.attempt == 0 or not wanted else _follow_wants(dynamics, best)


def _wants(system: System) -> list[Condition]:
    """The wanted values, except of quantities that are needed."""
    start = system.model.start
    needed = {need.quantity for need in start.needs if need.value is not None}
    return [want for want in start.wants if want.value is not None and want.quantity not in needed]


def _attempts(system: System) -> Iterator[int]:
    return iter(range(max(2, min(ATTEMPTS, EFFORT // max(1, system.n)))))


Refusal = Callable[[], ModelError]
"""The reason why no position was found; finding it takes time."""


def _closed_from(dynamics: Dynamics, attempt: int, *, upright: bool) -> Position | Refusal:
    """The position to which one attempt leads, or the reason why it leads to none; if `upright`, rotations are tried
    where natural coordinates fail."""
    found = _closed_by(dynamics, attempt, upright=False)
    frames = dynamics.system.frames.values()
    if upright and not isinstance(found, Position) and any(frame.mirrorable for frame in frames):
        again = _closed_by(dynamics, attempt, upright=True)
        return again if isinstance(again, Position) else found
    return found


def _closed_by(dynamics: Dynamics, attempt: int, *, upright: bool) -> Position | Refusal:
    """The same by natural coordinates alone or, if `upright`, by rotations as well."""
    system = dynamics.system
    start = system.model.start
    needs = [condition_row(system, need) for need in start.needs if need.value is not None]
    forward = [_forward(system, angle, value) for angle, value in fixed_angles(system, start.time)]

    def reach(positions: Positions, q: np.ndarray) -> tuple[np.ndarray, int, float]:
        if upright:
            return close(UprightPositions(positions), q)
        around = _close_around_guesses(positions, q) if attempt < RANDOM else None
        return around or close(positions, q)

    guess = starting_coordinates(system, attempt)
    if upright:
        guess = UprightPositions(Positions(dynamics, start.time)).extend(guess, place_bodies(system.model, attempt))
    if (
        system.model.couplings
    ):  # loops first: once these are closed, couplings that keep their initial value are satisfied
        alone = dynamics.uncoupled
        guess = reach(Positions(alone, start.time, needs + forward), guess)[0]
    turns = turns_near(system, start.time, guess[: system.n])
    positions = Positions(dynamics, start.time, needs + forward, turns)
    q, iterations, error = reach(positions, guess)
    if upright:
        q, more, error = close(positions, q[: system.n])
        iterations += more
    if forward and not is_closed(positions, error):
        # a direction that is inclined towards its angle's axis has a shorter projection: from here on the sines suffice
        positions = Positions(dynamics, start.time, needs, turns)
        q, more, error = close(positions, q)
        iterations += more
        for row, (angle, value) in zip(forward, fixed_angles(system, start.time), strict=True):
            if is_closed(positions, error) and row.at(q) < -system.length:
                return partial(
                    ModelError,
                    f"Mechanism '{system.model.name}': the angle '{angle.name}' came out half a turn away from "
                    f"{value:g} rad; give a guess closer to it.",
                )
    if not is_closed(positions, error):
        return partial(explain_gap, positions, guess[: system.n], q)
    if turned := mirrored_bodies(system, q):
        return partial(
            ModelError,
            f"Mechanism '{system.model.name}': no position was found in which the loops close; from this guess they "
            f"close only with the mirror image of {quote_first(turned)}. Check axes and lengths, or give the bodies "
            "guesses closer to their intended attitudes.",
        )
    return _near_wants(positions, Position(q, iterations, 0.0, attempt), SETTLING if attempt == 0 else ROUGHLY)


def _close_around_guesses(positions: Positions, q: np.ndarray) -> tuple[np.ndarray, int, float] | None:
    """Moves from q to a position where all equations hold and guessed bodies are where they were put (see `close`),
    if the other bodies can follow."""
    system = positions.dynamics.system
    held = guess_rows(system) if len(system.model.start.guesses) < len(system.model.bodies) else []
    if not held or np.max(np.abs(_values(held, q))) > CLOSED * system.length:
        return None
    positions = replace(positions, conditions=[*positions.conditions, *held])
    found, iterations, error = close(positions, q, most=CLOSING)
    if mirrored_bodies(system, found):
        rotations = UprightPositions(positions)
        found, more, _ = close(rotations, rotations.extend(q, place_bodies(system.model)), most=CLOSING)
        found, last, error = close(positions, rotations.reduce(found), most=CLOSING)
        iterations += more + last
    return None if mirrored_bodies(system, found) or not is_closed(positions, error) else (found, iterations, error)


def _follow_wants(dynamics: Dynamics, position: Position) -> Position:
    """The position of the best attempt, with the wants met as closely as possible from there."""
    system = dynamics.system
    needs = [condition_row(system, need) for need in system.model.start.needs if need.value is not None]
    time = system.model.start.time
    return _near_wants(Positions(dynamics, time, needs, turns_near(system, time, position.q)), position, SETTLING)


def _near_wants(positions: Positions, position: Position, most: int) -> Position:
    system = positions.dynamics.system
    wants = _wants(system)
    if not wants:
        return position
    rows = [row for want in wants for row in _want_rows(system, want)]
    q = _nearest(positions, position.q, rows, most)
    missed = norm([deviation(system, want, q) for want in wants])
    return replace(position, q=q, missed=missed)


def condition_row(system: System, condition: Condition) -> Expression:
    """A condition as an expression that is to be zero, in metres."""
    measure = system.model.quantities[condition.quantity]
    return as_expression(measure.miss(measure_parts(system, measure), condition.value or 0.0, system.length))


def fixed_angles(system: System, time: Scalar, without: Collection[str] = ()) -> list[tuple[Measure, Scalar]]:
    """The angles fixed by needs and motors, and their values including whole turns; `without` some motors, by name."""
    fixed = [(need.quantity, need.value) for need in system.model.start.needs if need.value is not None]
    fixed += [
        (motor.target, motor.value(time))
        for motor in system.model.motors
        if not motor.open and motor.name not in without
    ]
    known = [(system.model.quantities.get(name), x) for name, x in fixed]
    return [(measure, x) for measure, x in known if measure is not None and measure.winds]


def angles_near(system: System, time: float, q: np.ndarray) -> dict[str, float]:
    """All angles at a position, with the whole turns given by a need, a motor, a coupling or a want; and the
    quantities whose speed a motor prescribes."""
    needed = {angle.name: value for angle, value in fixed_angles(system, time)}
    asked = {want.quantity: want.value for want in system.model.start.wants if want.value is not None} | needed
    angles = {}
    for name, measure in system.model.all_measures.items():
        if measure.winds:
            value = quantity(system, name, q)
            angles[name] = value + 2.0 * np.pi * round((asked.get(name, value) - value) / (2.0 * np.pi))
    angles = with_turns(system, time, q, angles, needed)
    for motor in system.model.motors:
        for name in motor.integrates:
            angles[name] = quantity(system, name, q) if motor.offset is None else motor.offset
    return angles


def turns_near(system: System, time: float, q: np.ndarray) -> list[float]:
    """The tracked angles at a position, if rows depend on their whole turns."""
    if not system.winding:
        return []
    angles = angles_near(system, time, q)
    return [angles[name] for name in system.tracked]


def _forward(system: System, angle: Measure, value: float) -> Expression:
    """ℓ cos(θ − f) − ℓ for an angle that is to be f: sin(θ − f) = 0 alone would also hold half a turn away."""
    sine, cosine = measure_parts(system, angle)
    row: Expression = (sine * sin(value) + cosine * cos(value)) * (1.0 / system.length) - system.length
    return row


def _want_rows(system: System, want: Condition) -> list[Expression] | list[Chord]:
    """What is to be small, in metres. For an angle the squares add up to that of the chord, 2ℓ sin(½ (θ − f))."""
    measure = system.model.quantities[want.quantity]
    if not measure.winds:
        return [condition_row(system, want)]
    if system.dimension == 2:
        return [condition_row(system, want), _forward(system, measure, want.value or 0.0)]
    sine, cosine = (as_expression(x) for x in measure_parts(system, measure))
    return [Chord(sine, cosine, want.value or 0.0, system.length)]


@dataclass(frozen=True)
class Chord:
    """2ℓ sin(½ (θ − f)) for an angle θ in space, whose direction may be inclined towards its axis: sine and cosine
    are only proportional to those of θ."""

    sine: Expression
    cosine: Expression
    wanted: float
    length: float

    def at(self, q: Sequence[float]) -> float:
        """The value at q."""
        return 2.0 * self.length * float(sin(0.5 * self._off(q)))

    def gradient(self, q: Sequence[float]) -> dict[int, float]:
        """∂/∂qᵢ at q: ∇θ = (c ∇s − s ∇c)/(s² + c²)."""
        s, c = self.sine.at(q), self.cosine.at(q)
        factor = self.length * cos(0.5 * self._off(q)) / max(s * s + c * c, 1e-300)
        slopes = {i: c * factor * x for i, x in self.sine.gradient(q).items()}
        for i, x in self.cosine.gradient(q).items():
            slopes[i] = slopes.get(i, 0.0) - s * factor * x
        return slopes

    def _off(self, q: Sequence[float]) -> float:
        return math.remainder(atan2(self.sine.at(q), self.cosine.at(q)) - self.wanted, 2.0 * math.pi)


def deviation(system: System, want: Condition, q: np.ndarray) -> float:
    """The deviation from a want in metres: a length, or the chord of an angle on a circle of radius ℓ."""
    found, wanted = quantity(system, want.quantity, q), want.value or 0.0
    if system.model.quantities[want.quantity].winds:
        return 2.0 * system.length * abs(float(sin(0.5 * (found - wanted))))
    return abs(found - wanted)


def quantity(system: System, name: str, q: np.ndarray) -> float:
    """The value of a coordinate or distance (m), or of an angle within ±π (rad)."""
    return value_of(system, system.model.quantities[name], q)


def _nearest(positions: Positions, q: np.ndarray, wants: Sequence[Expression | Chord], most: int) -> np.ndarray:
    """Moves along the free directions until the wants are met as closely as possible: Gauss–Newton, with the loops
    closed after each step."""
    length = positions.length
    share = 1.0  # of the Gauss–Newton step, which is too long if the wants cannot be met
    errors = _values(wants, q)
    for _ in range(most):
        rows = gradient_rows(wants, q)
        moves = positions.free_part(q, rows.T)
        if np.max(np.abs(moves)) <= HELD * np.max(np.abs(rows)):
            break
        step = product(moves, solve_symmetric(product(rows, moves), -errors, 1e-8))
        step *= share * min(1.0, 0.3 * length / max(float(np.max(np.abs(step))), 1e-300))
        trial, _, error = close(positions, q + step, most=CLOSING)
        found = _values(wants, trial)
        better = is_closed(positions, error) and dot(found, found) <= dot(errors, errors)
        if better and not mirrored_bodies(positions.dynamics.system, trial):
            q, errors, share = trial, found, min(1.0, 2.0 * share)
        else:
            share *= 0.5
        if np.max(np.abs(step)) < CLOSED * length:
            break
    return q


def gradient_rows(expressions: Sequence[Expression | Chord], q: np.ndarray) -> np.ndarray:
    """The gradients of expressions at q, as rows."""
    values = q.tolist()
    rows = np.zeros((len(expressions), len(q)))
    for row, expression in zip(rows, expressions, strict=True):
        gradient = expression.gradient(values)
        row[list(gradient)] = list(gradient.values())
    return rows


def _values(rows: Sequence[Expression | Chord], q: np.ndarray) -> np.ndarray:
    values = q.tolist()
    return np.array([row.at(values) for row in rows], float)
