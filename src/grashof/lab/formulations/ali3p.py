"""Augmented Lagrangian of index 3 with velocity and acceleration projections: ALI3-P."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grashof.lab.card import Card
from grashof.lab.equations import LabEquations
from grashof.lab.formulation import Formulation, LabState
from grashof.lab.implicit import iterate


@dataclass(frozen=True)
class Ali3p(Formulation):
    """The trapezoidal rule on the index-3 equations with an augmented Lagrangian, then projections.

    penalty   α h²/4 relative to the largest entry of M; the papers give α itself. An iteration reduces violations by
              this factor times the smallest eigenvalue of J Jᵀ, so small penalties fail near singular positions
    """

    name = "ali3-p"
    card = Card(
        title="ALI3-P: augmented Lagrangian, index 3, with projections (Cuadrado)",
        equations="M a₁ + Jᵀ (λ + α Φ) = Q₁,  λ := λ + α Φ until Φ(q₁) = 0,  "
        "q₁ = q₀ + h/2 (v₀ + v*),  v* = v₀ + h/2 (a₀ + a*);  W = M + h/2 C + h²/4 K:  "
        "(W + h²/4 Jᵀ α J) v₁ = W v* − h²/4 Jᵀ α Φ_t,  (W + h²/4 Jᵀ α J) a₁ = W a* + h²/4 Jᵀ α γ",
        order=2,
        holds=("positions",),
        reference="J. Cuadrado, J. Cardenal and E. Bayo, Multibody System Dynamics 1 (1997) 259–280; J. Cuadrado, "
        "R. Gutiérrez, M. A. Naya and P. Morer, International Journal for Numerical Methods in Engineering 51 (2001) "
        "1033–1053",
    )
    penalty: float = 1e7

    def step(self, eq: LabEquations, now: LabState, h: float) -> LabState:
        t, pull = now.t + h, self.penalty * eq.mass_size
        q, multipliers = now.q + h * now.v + 0.5 * h**2 * now.a, now.multipliers.copy()
        v, a = np.empty(eq.n), np.empty(eq.n)

        def follow() -> None:
            v[:] = 2.0 / h * (q - now.q) - now.v
            a[:] = 2.0 / h * (v - now.v) - now.a

        def improve() -> np.ndarray:
            here, slopes = eq.at(t, q, v), eq.slopes(t, q, v, a, multipliers)
            rows = here.jacobian
            tangent = here.mass + 0.5 * h * slopes.damping + 0.25 * h**2 * slopes.stiffness
            miss = here.mass @ a + rows.T @ multipliers - here.forces
            force = 0.25 * h**2 * miss + pull * rows.T @ here.violation
            change = -eq.solve(tangent + pull * rows.T @ rows, force, times=0)
            multipliers[:] += 4.0 / h**2 * pull * (here.violation + rows @ change)
            q[:] += change
            follow()
            return change

        follow()
        iterate(eq, improve)
        here, slopes = eq.at(t, q, v), eq.slopes(t, q, v, a, multipliers)
        rows = here.jacobian
        tangent = here.mass + 0.5 * h * slopes.damping + 0.25 * h**2 * slopes.stiffness
        full = tangent + pull * rows.T @ rows
        v1 = v + eq.solve(full, -pull * rows.T @ (here.velocity_term + rows @ v), times=0)
        bias = eq.at(t, q, v1).bias
        return LabState(t, q, v1, a + eq.solve(full, pull * rows.T @ (bias - rows @ a), times=0), multipliers)
