"""Baumgarte's stabilisation of the constraints."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grashof.lab.card import Card
from grashof.lab.equations import LabEquations
from grashof.lab.formulation import ExplicitFormulation


@dataclass(frozen=True)
class Baumgarte(ExplicitFormulation):
    """Index 1 with feedback of the constraints' errors.

    alpha, beta   α and β, 1/s: errors decay as e^{−αt} if β = α; 0 and 0 is the plain index-1 equation, which drifts
    integrator    an explicit Runge–Kutta method
    """

    name = "baumgarte"
    card = Card(
        title="Baumgarte stabilisation",
        equations="M a + Jᵀ λ = Q,  J a = γ − 2α (J v + Φ_t) − β² Φ",
        order=4,
        holds=(),
        reference="J. Baumgarte, Computer Methods in Applied Mechanics and Engineering 1 (1972) 1–16, eq. (11); "
        "α = β = 5 1/s: P. E. Nikravesh, Computer-Aided Analysis of Mechanical Systems, 1988, section 13.3",
    )
    alpha: float = 5.0
    beta: float = 5.0
    integrator: str = "rk4"

    def acceleration(self, eq: LabEquations, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        now = eq.at(t, q, v)
        rate = now.jacobian @ v + now.velocity_term
        return eq.accelerations(now, now.bias - 2.0 * self.alpha * rate - self.beta**2 * now.violation)[0]
