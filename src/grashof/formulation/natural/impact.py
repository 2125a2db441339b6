"""Impacts: velocities change instantaneously, positions do not.

A limit g(q, t) ≥ 0, such as the distance from a stop, is reached with the speed u = ∇g·v + ∂g/∂t < 0. An impulse p ≥ 0
along ∇g changes it to −e u (Newton's law of restitution, 0 ≤ e ≤ 1), while the constraints of joints and motors, and of
limits against which something rests, stay in force:

    M (v⁺ − v⁻) + Jᵀ Λ = p ∇g        J (v⁺ − v⁻) = 0        u⁺ = −e u⁻

This takes one solution with the matrix of the accelerations (see `kkt`): v⁺ = v⁻ + p x, where x is the response to a
unit impulse, and p = −(1 + e) u⁻/(∇g·x). The kinetic energy changes by the work of the stop, p ∇g·(v⁺ + v⁻)/2, and that
of motors, Λ·Φ_t.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from grashof.formulation.natural.forms import Gradient
from grashof.formulation.natural.resting import pressing
from grashof.formulation.natural.state import SystemState
from grashof.scalar.functions import Scalar

if TYPE_CHECKING:
    from grashof.formulation.natural.equations import Dynamics

Array = NDArray[np.float64]

IMMOVABLE = 1e-9
"""The row cannot move if its response to an impulse is below this fraction of the response of the free masses:
joints and motors then hold it."""


@dataclass(frozen=True, eq=False)
class Impact:
    """The effect of an impact.

    v            the velocities after it
    impulse      p, N s (N m s for an angle); zero if the limit was not being approached
    work         of the stop, J: not positive for a stop at rest
    multipliers  Λ: the impulses of the rows of joints, motors and limits, N s
    """

    v: Array
    impulse: float
    work: float
    multipliers: Array


@dataclass(frozen=True, eq=False)
class Response:
    """The response of a mechanism to a unit impulse along a row.

    gradient     ∇g
    x            the change of the velocities
    multipliers  Λ
    yields       ∇g·x: how fast the row moves, 1/kg
    movable      whether joints, motors and limits allow it to move
    """

    gradient: Array
    x: Array
    multipliers: Array
    yields: float
    movable: bool

    def impact(self, v: Array, restitution: float, rate: float = 0.0) -> Impact | None:
        """The impact at velocities v; None if the row cannot move.

        restitution   e: 0 stays in contact, 1 bounces back without loss
        rate          ∂g/∂t of a moving stop, m/s
        """
        approach = _dot(self.gradient, v) + rate
        if not approach < 0.0:
            return Impact(np.array(v), 0.0, 0.0, np.zeros(len(self.multipliers)))
        if not self.movable:
            return None
        impulse = -(1.0 + restitution) * approach / self.yields
        after = v + impulse * self.x
        work = 0.5 * impulse * _dot(self.gradient, after + v)
        return Impact(after, impulse, work, impulse * self.multipliers)


def answer(dynamics: Dynamics, motion: SystemState, gradient: Sequence[Scalar]) -> list[Scalar]:
    """∇g, x, the response of the free masses, and Λ, for a row with this gradient with respect to q, over any
    scalars."""
    jacobian, _ = dynamics.limited_rows(motion)
    kkt = dynamics.whole
    right = [*gradient, *([0.0] * kkt.m)]
    found = kkt.solve_refined(jacobian, kkt.factor(jacobian), right, dynamics.refinements)
    free = free_yield(dynamics, dict(enumerate(gradient)))
    return [*gradient, *found[: dynamics.n], free, *found[dynamics.n :]]


def free_yield(dynamics: Dynamics, gradient: Gradient) -> Scalar:
    """How fast a row with this gradient would move if all masses were free, 1/kg."""
    total: Scalar = 0.0
    for i, x in gradient.items():
        mass = dynamics.energies.masses[i]
        if mass > 0.0:
            total = total + x * x * (1.0 / mass)
    return total


def response(found: Sequence[float] | Array, velocities: int) -> Response:
    """The result of `answer` as an object, given the number of velocities."""
    numbers = np.asarray(found, float)
    gradient, x, (free, *_) = np.split(numbers, [velocities, 2 * velocities])
    yields = _dot(gradient, x)
    return Response(gradient, x, numbers[2 * velocities + 1 :], yields, yields > IMMOVABLE * free)


@dataclass(frozen=True, eq=False)
class NaturalImpacts:
    """Impacts of a mechanism, and the limits against which its measures rest, in natural coordinates; states are
    x = [t, y]."""

    dynamics: Dynamics

    @property
    def rows(self) -> int:
        """Number of multipliers Λ; the last are those of limits."""
        return self.dynamics.whole.m

    def answer(self, x: Sequence[Scalar], pulls: Sequence[tuple[str, Scalar]]) -> list[Scalar]:
        """∇g, x, the response of the free masses, and Λ, for the sum of measures with weights."""
        motion = self.dynamics.state(x)
        gradient: list[Scalar] = [0.0] * self.dynamics.n
        for name, weight in pulls:
            for i, slope in motion.gradient(name, [weight]).items():
                gradient[i] = gradient[i] + slope
        return answer(self.dynamics, motion, gradient)

    def pressing(self, x: Sequence[Scalar]) -> list[Scalar]:
        """The forces that press against limits, N along their rows, then the same with a margin (see
        `resting.pressing`)."""
        return pressing(self.dynamics, self.dynamics.state(x))

    def gaps(self, x: Sequence[float]) -> list[float]:
        """How far the measures are from their limits, m."""
        t, q, _, e = self.dynamics.layout.split(x)
        return [float(row.at(t, q, self.dynamics.rows.turns(e))) for row in self.dynamics.limits]

    def driving_slips(self, x: Sequence[float]) -> list[tuple[str, int, float]]:
        """The couplings that depend on time: name, number of the row, and Φ_t, m/s."""
        system, rows = self.dynamics.system, self.dynamics.rows
        if not system.driving:
            return []
        t, q, _, e = self.dynamics.layout.split(x)
        slips = rows.slip(t, q, rows.turns(e))
        couplings = enumerate(system.couplings, start=len(system.rows))
        return [(row.owner, k, float(slips[k])) for k, row in couplings if row.timed]


def _dot(a: Array, b: Array) -> float:
    return float(np.sum(a * b))
