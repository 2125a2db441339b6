"""Impacts: velocities change at once, positions do not.

A row g(q, t) ≥ 0, such as the distance from a stop, is met with the speed u = ∇g·v + ∂g/∂t < 0. An impulse p ≥ 0 along ∇g turns it to −e u
(Newton's law of restitution, 0 ≤ e ≤ 1), while joints and motors hold all the time:

    M (v⁺ − v⁻) + Jᵀ Λ = p ∇g        J (v⁺ − v⁻) = 0        u⁺ = −e u⁻

It takes two solutions with the matrix of the accelerations (see `kkt`): v⁺ = v⁻ + p x, where x answers to a unit impulse, and
p = −(1 + e) u⁻/(∇g·x). The kinetic energy changes by the work of the stop, p ∇g·(v⁺ + v⁻)/2, and that of motors, Λ·Φ_t.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grashof.dynamics.equations import Dynamics
from grashof.system.couplings import Turns

Array = NDArray[np.float64]

IMMOVABLE = 1e-9
"""Nothing can yield to an impulse if the answer to it is below this part of what the masses alone would give: joints and motors hold the row."""


@dataclass(frozen=True, eq=False)
class Impact:
    """What an impact does.

    v            the velocities after it
    impulse      p, N s (N m s of an angle); zero if the row was not being approached
    work         of the stop, J: not positive for a stop at rest
    multipliers  Λ: the impulses of the rows of joints and motors, N s
    """

    v: Array
    impulse: float
    work: float
    multipliers: Array


def impact(
    dynamics: Dynamics,
    t: float,
    q: Array,
    v: Array,
    row_gradient: Sequence[float] | Array,
    restitution: float,
    rate: float = 0.0,
    turns: Turns = (),
) -> Impact | None:
    """The impact on a row with this gradient ∇g with respect to q; None if joints and motors hold the row so that nothing can yield.

    restitution   e: 0 stays, 1 bounces back without loss
    rate          ∂g/∂t, of a stop that moves, m/s
    turns         angles with their whole turns, where couplings need them (see `Dynamics.turns`)
    """
    gradient = np.asarray(row_gradient, float)
    approach = _dot(gradient, v) + rate
    if not approach < 0.0:
        return Impact(np.array(v), 0.0, 0.0, np.zeros(dynamics.kkt.m))
    jacobian = dynamics.jacobian(t, q.tolist(), turns)
    right = [*gradient.tolist(), *([0.0] * dynamics.kkt.m)]
    factors = dynamics.kkt.factor(jacobian)
    answer = np.array(dynamics.kkt.solve_refined(jacobian, factors, right, dynamics.refinements), float)
    x, reaction = answer[: dynamics.n], answer[dynamics.n :]
    yields = _dot(gradient, x)
    masses = np.array([dynamics.system.mass.get((i, i), 0.0) for i in range(dynamics.n)])
    free = _dot(gradient, gradient / np.where(masses > 0.0, masses, np.inf))
    if not yields > IMMOVABLE * free:
        return None
    impulse = -(1.0 + restitution) * approach / yields
    after = v + impulse * x
    work = 0.5 * impulse * _dot(gradient, after + v)
    return Impact(after, impulse, work, impulse * reaction)


def _dot(a: Array, b: Array) -> float:
    return float(np.sum(a * b))
