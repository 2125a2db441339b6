"""Augmented Lagrangian with projections that are orthogonal with respect to the masses."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from grashof.lab.card import Card
from grashof.lab.equations import LabEquations
from grashof.lab.formulation import LabState, unconverged
from grashof.lab.formulations.penalty import PenaltyMethod
from grashof.lab.implicit import iterate

SETTLED = 1e-8
"""A relative change of accelerations or velocities at which their iteration ends. Each iteration reduces the error by
some 1/α, so what is left is rounding."""

SLOW = 0.5
"""A ratio of changes from one iteration to the next above which the iteration ends."""

MOST = 20
"""Iterations of accelerations or velocities; with α = 1e7 they need two to four."""


@dataclass(frozen=True)
class AugmentedLagrangian(PenaltyMethod):
    """The penalty formulation, iterated until its constraints hold exactly; projected after each step.

    penalty, frequency, damping
                 as in `Penalty`
    projections  whether positions and velocities are moved to the constraints after each step
    """

    name = "augmented-lagrangian"
    card = Card(
        title="Augmented Lagrangian, index 1, with mass-orthogonal projections (Bayo and Ledesma)",
        equations="(M + Jᵀ α J) aₖ₊₁ = M aₖ + Jᵀ α (γ − 2 Ω ξ (J v + Φ_t) − Ω² Φ), M a₀ = Q;  after each step "
        "(q − q*)ᵀ M (q − q*) is least among q with Φ = 0, and (v − v*)ᵀ M (v − v*) among v with J v + Φ_t = 0",
        order=4,
        holds=("positions", "velocities"),
        reference="E. Bayo, J. García de Jalón and M. A. Serna, Computer Methods in Applied Mechanics and Engineering "
        "71 (1988) 183–195; projections: E. Bayo and R. Ledesma, Nonlinear Dynamics 9 (1996) 113–130",
    )
    penalty: float = 1e7
    frequency: float = 10.0
    damping: float = 1.0
    projections: bool = True
    integrator: str = "rk4"

    def acceleration(self, eq: LabEquations, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        now = eq.at(t, q, v)
        matrix, pull = self.penalised(eq, now)
        aim = self.wanted(now, v)
        return _settle(eq, eq.solve(matrix, now.forces + pull @ aim, times=0), matrix, pull, now.jacobian, aim)

    def finish(self, eq: LabEquations, state: LabState) -> LabState:
        if not self.projections:
            return state
        t, q, v = state.t, state.q.copy(), state.v
        pushes = np.zeros(eq.m)

        def improve() -> np.ndarray:
            now = eq.at(t, q, v)
            matrix, pull = self.penalised(eq, now)
            force = now.mass @ (q - state.q) + now.jacobian.T @ pushes + pull @ now.violation
            change = -eq.solve(matrix, force, times=0)
            q[:] += change
            pushes[:] += self.penalty * eq.mass_size * (now.violation + now.jacobian @ change)
            return change

        iterate(eq, improve, "The projection of positions")
        now = eq.at(t, q, v)
        matrix, pull = self.penalised(eq, now)
        return replace(state, q=q, v=_settle(eq, v, matrix, pull, now.jacobian, -now.velocity_term))


def _settle(
    eq: LabEquations, first: np.ndarray, matrix: np.ndarray, pull: np.ndarray, jacobian: np.ndarray, aim: np.ndarray
) -> np.ndarray:
    """x with J x = b from (M + Jᵀ α J) xₖ₊₁ = M xₖ + Jᵀ α b, written for the changes, so that x keeps the digits
    that do not change.

    The iteration also ends when it becomes slow: off the constraints, redundant rows are nearly dependent and
    contradict each other a little, and what remains would only serve them.
    """
    found, before = first.copy(), np.inf
    for _ in range(MOST):
        step = eq.solve(matrix, pull @ (aim - jacobian @ found), times=0)
        found += step
        change = float(np.max(np.abs(step)))
        if not change > SETTLED * float(np.max(np.abs(found))) or change > SLOW * before:
            return found
        before = change
    raise unconverged("The iteration of multipliers", MOST, "Try a larger penalty.")
