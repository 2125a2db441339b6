"""Small motions of planar bars about a position at rest, in any precision: every bar by itself, held by multipliers.

A bar has the coordinates (x, y) of its middle and its angle θ. With Φ(q) = 0 for the pins, J = Φ_q and
L(q, λ) = V(q) + λᵀ Φ(q), rest is where L_q = 0 and Φ = 0, and near it, with J Z = 0,

    ZᵀMZ ξ̈ + ZᵀCZ ξ̇ + Zᵀ L_qq Z ξ = 0

All derivatives are written out; the eigenvalues s are those of the companion matrix.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import mpmath
from mpmath import matrix, mpf

STEPS = 50
"""Newton steps from the guess to rest; a few suffice."""


@dataclass(frozen=True)
class End:
    """A point of bar `bar` at the distance `along` from its middle; without a bar, a place on the ground."""

    bar: int | None
    along: Any = 0
    place: tuple[Any, Any] = (0, 0)


@dataclass(frozen=True)
class Spring:
    """A spring with a damper between two points: stiffness k, length at rest, and c."""

    a: End
    b: End
    stiffness: Any
    length: Any
    damping: Any = 0


@dataclass(frozen=True)
class Bars:
    """Uniform bars with pins, springs, gravity g along −y, and constant forces.

    bars     mass and length of each
    guess    x, y and θ of each, near rest
    """

    bars: Sequence[tuple[Any, Any]]
    guess: Sequence[Any]
    pins: Sequence[tuple[End, End]]
    springs: Sequence[Spring]
    gravity: Any
    forces: Sequence[tuple[End, tuple[Any, Any]]] = ()


def small_motion(bars: Bars) -> tuple[list[Any], Any]:
    """The eigenvalues, and the coordinates at rest."""
    q, multipliers = _rest(bars)
    _, _, rows, stiffness = _slopes(bars, q, multipliers)
    count, held = len(q), rows.rows
    free = mpmath.qr(rows.T, mode="full")[0][:, held:count]
    mass = mpmath.diag([x for m, length in bars.bars for x in (m, m, m * length**2 / 12)])
    damping = mpmath.zeros(count)
    for spring in bars.springs:
        _, along = _stretch(q, spring)
        damping += spring.damping * along.T * along
    inverse = mpmath.inverse(free.T * mass * free)
    k = count - held
    companion = mpmath.zeros(2 * k)
    for i in range(k):
        companion[i, k + i] = 1
    companion[k:, :k] = -inverse * free.T * stiffness * free
    companion[k:, k:] = -inverse * free.T * damping * free
    return list(mpmath.eig(companion, left=False, right=False)), q


def _rest(bars: Bars) -> tuple[Any, Any]:
    """q and λ where all forces balance, by Newton's method."""
    q = matrix([mpf(x) for x in bars.guess])
    held, count = 2 * len(bars.pins), len(bars.guess)
    multipliers = mpmath.zeros(held, 1)
    for _ in range(STEPS):
        slope, gaps, rows, bent = _slopes(bars, q, multipliers)
        whole = mpmath.zeros(count + held)
        whole[:count, :count], whole[:count, count:], whole[count:, :count] = bent, rows.T, rows
        step = mpmath.lu_solve(whole, -matrix([*slope, *gaps]))
        q, multipliers = q + step[:count], multipliers + step[count:]
        if mpmath.norm(step[:count], mpmath.inf) < mpf(10) ** (-mpmath.mp.dps // 2):
            break  # the error is the square of the last step
    return q, multipliers


def _slopes(bars: Bars, q: Any, multipliers: Any) -> tuple[Any, Any, Any, Any]:
    """L_q, Φ, J and L_qq."""
    count = len(q)
    slope, bent = mpmath.zeros(count, 1), mpmath.zeros(count)
    rows, gaps = mpmath.zeros(2 * len(bars.pins), count), mpmath.zeros(2 * len(bars.pins), 1)

    def pull(end: End, x: Any, y: Any) -> None:
        """Adds the potential x p_x + y p_y of a point."""
        nonlocal slope
        slope += _jacobian(q, end).T * matrix([x, y])
        if end.bar is not None:
            c, s = mpmath.cos_sin(q[3 * end.bar + 2])
            bent[3 * end.bar + 2, 3 * end.bar + 2] -= end.along * (x * c + y * s)

    for i, (mass, _) in enumerate(bars.bars):
        slope[3 * i + 1] += mass * bars.gravity
    for end, (x, y) in bars.forces:
        pull(end, -x, -y)
    for spring in bars.springs:
        distance, along = _stretch(q, spring)
        force = spring.stiffness * (distance - spring.length)
        across = _jacobian(q, spring.b) - _jacobian(q, spring.a)
        bent += spring.stiffness * along.T * along + force / distance * (across.T * across - along.T * along)
        x, y = (force * u for u in _direction(q, spring))
        pull(spring.b, x, y)
        pull(spring.a, -x, -y)
    for i, (a, b) in enumerate(bars.pins):
        gaps[2 * i : 2 * i + 2, 0] = _place(q, b) - _place(q, a)
        rows[2 * i : 2 * i + 2, :] = _jacobian(q, b) - _jacobian(q, a)
        x, y = multipliers[2 * i], multipliers[2 * i + 1]
        pull(b, x, y)
        pull(a, -x, -y)
    return slope, gaps, rows, bent


def _place(q: Any, end: End) -> Any:
    if end.bar is None:
        return matrix(end.place)
    c, s = mpmath.cos_sin(q[3 * end.bar + 2])
    return matrix([q[3 * end.bar] + end.along * c, q[3 * end.bar + 1] + end.along * s])


def _jacobian(q: Any, end: End) -> Any:
    found = mpmath.zeros(2, len(q))
    if end.bar is not None:
        c, s = mpmath.cos_sin(q[3 * end.bar + 2])
        found[0, 3 * end.bar] = found[1, 3 * end.bar + 1] = 1
        found[0, 3 * end.bar + 2], found[1, 3 * end.bar + 2] = -end.along * s, end.along * c
    return found


def _direction(q: Any, spring: Spring) -> tuple[Any, Any]:
    apart = _place(q, spring.b) - _place(q, spring.a)
    distance = mpmath.hypot(apart[0], apart[1])
    return apart[0] / distance, apart[1] / distance


def _stretch(q: Any, spring: Spring) -> tuple[Any, Any]:
    """The distance of the ends of a spring, and its gradient as a row."""
    apart = _place(q, spring.b) - _place(q, spring.a)
    unit = matrix([_direction(q, spring)])
    return mpmath.hypot(apart[0], apart[1]), unit * (_jacobian(q, spring.b) - _jacobian(q, spring.a))
