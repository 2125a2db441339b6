"""Penalties instead of multipliers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grashof.lab.card import Card
from grashof.lab.equations import LabEquations, Values
from grashof.lab.formulation import ExplicitFormulation


class PenaltyMethod(ExplicitFormulation):
    """Penalties on Φ̈ + 2 Ω ξ Φ̇ + Ω² Φ.

    penalty   α relative to the largest entry of M
    frequency, damping
              Ω, 1/s, and ξ, with which errors of the constraints decay
    """

    penalty: float
    frequency: float
    damping: float

    def penalised(self, eq: LabEquations, now: Values) -> tuple[np.ndarray, np.ndarray]:
        """M + α Jᵀ J, and Jᵀ α."""
        pull = self.penalty * eq.mass_size * now.jacobian.T
        return now.mass + pull @ now.jacobian, pull

    def wanted(self, now: Values, v: np.ndarray) -> np.ndarray:
        """J a where Φ̈ + 2 Ω ξ Φ̇ + Ω² Φ = 0."""
        rate = now.jacobian @ v + now.velocity_term
        feedback = 2.0 * self.frequency * self.damping * rate + self.frequency**2 * now.violation
        return np.asarray(now.bias - feedback)


@dataclass(frozen=True)
class Penalty(PenaltyMethod):
    """The penalty formulation: no multipliers, so that constraints may be redundant and may lose rank.

    Its accelerations differ from the exact ones by a fraction of 1/α, however small the step: the order holds down to
    that error.
    """

    name = "penalty"
    card = Card(
        title="Penalties (Bayo)",
        equations="(M + Jᵀ α J) a = Q + Jᵀ α (γ − 2 Ω ξ (J v + Φ_t) − Ω² Φ)",
        order=4,
        holds=(),
        reference="E. Bayo, J. García de Jalón and M. A. Serna, Computer Methods in Applied Mechanics and Engineering "
        "71 (1988) 183–195",
    )
    penalty: float = 1e7
    frequency: float = 10.0
    damping: float = 1.0
    integrator: str = "rk4"

    def acceleration(self, eq: LabEquations, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        now = eq.at(t, q, v)
        matrix, pull = self.penalised(eq, now)
        return eq.solve(matrix, now.forces + pull @ self.wanted(now, v), times=0)
