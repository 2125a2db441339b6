"""Velocities that the rows allow at a position, and those that forces or required rates cause there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grashof.formulation.natural.closing import DEPENDENT
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.natural.state import SystemState
from grashof.formulation.natural.turning import turning_rows
from grashof.model.start import Condition

REFINEMENTS = 3


def velocity_dependencies(dynamics: Dynamics, time: float, q: np.ndarray, turns: Sequence[float] = ()) -> np.ndarray:
    """All w with wᵀ J = 0 at q, within DEPENDENT, where J includes the rows for velocities only; as rows."""
    rows = dynamics.velocity_rows
    dense = rows.dense(rows.jacobian(time, q.tolist(), turns, ()))
    sizes = np.linalg.norm(dense, axis=1)
    sizes = np.where(sizes > 0.0, sizes, 1.0)
    u, s, _ = np.linalg.svd(dense / sizes[:, None])
    return np.asarray(u[:, int(np.sum(s > DEPENDENT)) :].T / sizes)


def rows_of_parts(
    dynamics: Dynamics, time: float, q: np.ndarray, turns: Sequence[float] = ()
) -> tuple[np.ndarray, list[str | None]]:
    """J at q, including the rows for velocities only, as a dense matrix, and for each of its rows the coupling or motor
    to which it belongs; None for joints."""
    system, rows = dynamics.system, dynamics.velocity_rows
    couplings = {coupling.name for coupling in system.model.own_couplings}
    owners = [*(row.owner for row in system.couplings), *(row.owner for row in system.slips)]
    tied = [name if name in couplings else None for name in owners]
    return rows.dense(rows.jacobian(time, q.tolist(), turns, ())), [*([None] * len(system.rows)), *tied]


class Velocities:
    """Solves [M Jᵀ; J 0] at one position for any right-hand side: velocities, or M⁻¹ f as far as the joints allow."""

    def __init__(self, dynamics: Dynamics, time: float, q: np.ndarray, turns: Sequence[float] = ()) -> None:
        dynamics = dynamics.for_redundant_rows
        self.dynamics, self.time, self.q, self.turns = dynamics, time, q.tolist(), turns
        self.jacobian = [float(x) for x in dynamics.velocity_rows.jacobian(time, self.q, turns, ())]
        self.factors = dynamics.moving.factor(self.jacobian)
        self.slip = np.array(dynamics.velocity_rows.slip(time, self.q, turns), float)

    def solve(self, force: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """x with M x + Jᵀ λ = force and J x = rates; several right-hand sides are given as columns."""
        kkt = self.dynamics.moving
        return np.array(kkt.solve_refined(self.jacobian, self.factors, [*force, *rates], REFINEMENTS)[: kkt.n])

    def row_rates(self, v: np.ndarray) -> np.ndarray:
        """J v."""
        return np.array([sum(x * v[a] for a, x in row.items()) for row in self.dynamics.moving.rows(self.jacobian)])

    def rate_rows(self, condition: Condition) -> list[tuple[np.ndarray, float]]:
        """The required rate of a quantity, or angular velocity of a body, as rows and their values: it is linear in
        v."""
        system = self.dynamics.system
        if condition.angular_velocity:
            found = [(row.gradient(), row.rate) for row in turning_rows(system, condition, self.q)]
        elif condition.rate is not None:
            state = SystemState(system, self.time, self.q, [0.0] * system.n)
            found = [(state.gradient(condition.quantity, [1.0]), condition.rate)]
        else:
            found = []
        rows = []
        for gradient, rate in found:
            row = np.zeros(system.n)
            row[list(gradient)] = list(gradient.values())
            rows.append((row, float(rate)))
        return rows
