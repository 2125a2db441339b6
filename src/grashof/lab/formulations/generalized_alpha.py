"""The generalised-α method on the index-3 equations."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from grashof.lab.card import Card
from grashof.lab.equations import LabEquations
from grashof.lab.formulation import Formulation, LabState
from grashof.lab.implicit import iterate, saddle


class AlphaMethod(Formulation):
    """A method of the α family: accelerations A of the integrator follow those of the mechanism, a, with a delay.

    Positions of the next step satisfy Φ = 0; accelerations and multipliers satisfy the equations of motion there.
    """

    @property
    @abstractmethod
    def weights(self) -> tuple[float, float, float, float]:
        """α_m, α_f, γ and β."""

    def step(self, eq: LabEquations, now: LabState, h: float) -> LabState:
        delay, lag, gamma, beta = self.weights
        old = now.a if now.kept is None else now.kept  # A
        share, t = (1.0 - delay) / (1.0 - lag), now.t + h
        slow = (lag * now.a + (1.0 - lag) * now.a - delay * old) / (1.0 - delay)  # as if a stayed as it is
        a, multipliers = now.a.copy(), now.multipliers.copy()
        q = now.q + h * now.v + h**2 * ((0.5 - beta) * old + beta * slow)
        v = now.v + h * ((1.0 - gamma) * old + gamma * slow)
        size, n = eq.mass_size, eq.n

        def improve() -> np.ndarray:
            here = eq.at(t, q, v)
            slopes = eq.slopes(t, q, v, a, multipliers)
            miss = here.mass @ a + here.jacobian.T @ multipliers - here.forces
            matrix = share * here.mass + h * gamma * slopes.damping + h**2 * beta * slopes.stiffness
            right = -np.concatenate([h**2 * beta / size * miss, here.violation])
            found = eq.solve(saddle(matrix / size, here.jacobian), right)
            change = found[:n] / (h**2 * beta)
            q[:] += found[:n]
            v[:] += h * gamma * change
            slow[:] += change
            a[:] += share * change
            multipliers[:] += size / (h**2 * beta) * found[n:]
            return found[:n]

        iterate(eq, improve)
        return LabState(t, q, v, a, multipliers, slow)


@dataclass(frozen=True)
class GeneralizedAlpha(AlphaMethod):
    """Generalised-α on the index-3 equations, with damping of high frequencies.

    rho   ρ∞, the factor by which a step multiplies motions of infinite frequency: 1 damps nothing, 0 removes them
    """

    name = "generalized-alpha"
    card = Card(
        title="Generalised-α, index 3 (Chung and Hulbert)",
        equations="M a₁ + Jᵀ λ₁ = Q₁,  Φ(q₁) = 0,  (1 − α_m) A₁ + α_m A₀ = (1 − α_f) a₁ + α_f a₀,  "
        "q₁ = q₀ + h v₀ + h² ((½ − β) A₀ + β A₁),  v₁ = v₀ + h ((1 − γ) A₀ + γ A₁)",
        order=2,
        holds=("positions",),
        reference="J. Chung and G. M. Hulbert, Journal of Applied Mechanics 60 (1993) 371–375; with "
        "constraints: M. Arnold and O. Brüls, Multibody System Dynamics 18 (2007) 185–202",
    )
    rho: float = 0.8

    @property
    def weights(self) -> tuple[float, float, float, float]:
        delay, lag = (2.0 * self.rho - 1.0) / (self.rho + 1.0), self.rho / (self.rho + 1.0)
        gamma = 0.5 + lag - delay
        return delay, lag, gamma, 0.25 * (0.5 + gamma) ** 2
