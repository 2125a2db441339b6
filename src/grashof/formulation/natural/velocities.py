"""Velocities that the rows allow at a position, and those that forces or required rates cause there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.natural.state import SystemState
from grashof.formulation.natural.turning import turning_rows
from grashof.model.start import Condition

REFINEMENTS = 3


class Velocities:
    """Solves [M Jᵀ; J 0] at one position for any right-hand side: velocities, or M⁻¹ f as far as the joints allow."""

    def __init__(self, dynamics: Dynamics, time: float, q: np.ndarray, turns: Sequence[float] = ()) -> None:
        dynamics = dynamics.for_redundant_rows
        self.dynamics, self.time, self.q = dynamics, time, q.tolist()
        self.jacobian = [float(x) for x in dynamics.rows.jacobian(time, self.q, turns)]
        self.factors = dynamics.kkt.factor(self.jacobian)
        self.slip = np.array(dynamics.rows.slip(time, self.q, turns), float)

    def solve(self, force: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """x with M x + Jᵀ λ = force and J x = rates; several right-hand sides are given as columns."""
        kkt = self.dynamics.kkt
        return np.array(kkt.solve_refined(self.jacobian, self.factors, [*force, *rates], REFINEMENTS)[: kkt.n])

    def row_rates(self, v: np.ndarray) -> np.ndarray:
        """J v."""
        return np.array([sum(x * v[a] for a, x in row.items()) for row in self.dynamics.rows.by_row(self.jacobian)])

    @property
    def can_move_undriven(self) -> bool:
        """Whether the joints, without motors, leave a freedom at this position."""
        system = self.dynamics.system
        motors = [len(system.rows) + k for k, row in enumerate(system.couplings) if row.timed]
        dense = np.delete(self.dynamics.rows.dense(self.jacobian), motors, axis=0)
        return int(np.linalg.matrix_rank(dense, tol=1e-8 * max(1.0, np.max(np.abs(dense), initial=0.0)))) < system.n

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
