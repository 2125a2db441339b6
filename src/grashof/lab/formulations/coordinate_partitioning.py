"""Partitioning of the coordinates into independent and dependent ones."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from grashof.lab.card import Card
from grashof.lab.equations import FormulationFailed, LabEquations
from grashof.lab.formulation import ExplicitFormulation, LabState
from grashof.lab.implicit import iterate


class ReducedMethod(ExplicitFormulation):
    """As many independent coordinates W q as there are degrees of freedom are integrated; the constraints determine
    the others. W is chosen anew for each step."""

    @abstractmethod
    def independent(self, eq: LabEquations, jacobian: np.ndarray) -> np.ndarray:
        """W, (n − r, n), at a position where J has rank r."""

    def begin(self, eq: LabEquations, now: LabState) -> Any:
        return self.independent(eq, eq.at(now.t, now.q, now.v).jacobian)

    def correct(
        self, eq: LabEquations, t: float, q: np.ndarray, v: np.ndarray, chosen: Any
    ) -> tuple[np.ndarray, np.ndarray]:
        """Keeps W q and W v, and moves the rest so that Φ = 0 and J v + Φ_t = 0."""
        q, nothing = q.copy(), np.zeros(len(chosen))

        def improve() -> np.ndarray:
            here = eq.at(t, q, v)
            change = eq.fit(np.vstack([here.jacobian, chosen]), np.concatenate([-here.violation, nothing]))
            q[:] += change
            return change

        iterate(eq, improve, "The dependent coordinates")
        here = eq.at(t, q, v)
        return q, eq.fit(np.vstack([here.jacobian, chosen]), np.concatenate([-here.velocity_term, chosen @ v]))


@dataclass(frozen=True)
class CoordinatePartitioning(ReducedMethod):
    """Some of the coordinates themselves are integrated: those that Gaussian elimination of J with full pivoting
    leaves."""

    name = "coordinate-partitioning"
    card = Card(
        title="Coordinate partitioning (Wehage and Haug)",
        equations="q = (u, w) with det J_u ≠ 0:  ẅ from M a + Jᵀ λ = Q, J a = γ;  u from Φ(u, w) = 0;  "
        "u̇ from J_u u̇ + J_w ẇ + Φ_t = 0",
        order=4,
        holds=("positions", "velocities"),
        reference="R. A. Wehage and E. J. Haug, Journal of Mechanical Design 104 (1982) 247–255",
    )
    integrator: str = "rk4"

    def independent(self, eq: LabEquations, jacobian: np.ndarray) -> np.ndarray:
        left, rank = jacobian.copy(), eq.m - eq.redundant
        order = np.arange(eq.n)
        for k in range(rank):
            block = np.abs(left[k:, k:])
            row, column = divmod(int(block.argmax()), block.shape[1])
            if not block[row, column] > 0.0:
                raise FormulationFailed("The constraints lose rank here: no coordinates are independent.")
            left[[k, k + row]] = left[[k + row, k]]
            left[:, [k, k + column]] = left[:, [k + column, k]]
            order[[k, k + column]] = order[[k + column, k]]
            left[k + 1 :] -= np.outer(left[k + 1 :, k] / left[k, k], left[k])
        return np.eye(eq.n)[np.sort(order[rank:])]

    def acceleration(self, eq: LabEquations, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return eq.accelerations(eq.at(t, q, v))[0]
