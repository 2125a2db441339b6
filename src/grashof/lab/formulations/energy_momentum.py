"""The energy-momentum method."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grashof.common.errors import ModelError
from grashof.lab.card import Card
from grashof.lab.equations import LabEquations
from grashof.lab.formulation import Formulation, LabState
from grashof.lab.implicit import iterate, saddle

SHORT = 1e-6
"""A displacement in a step, in lengths of the mechanism, below which the discrete gradients are those at the midpoint:
their difference, of third order, would be lost in rounding."""


@dataclass(frozen=True)
class EnergyMomentum(Formulation):
    """The midpoint rule with discrete gradients of the potential energy and of the constraints: steps of any length
    conserve the energy of a conservative mechanism up to rounding."""

    name = "energy-momentum"
    card = Card(
        title="Energy-momentum method with discrete gradients (Gonzalez; Betsch)",
        equations="q₁ − q₀ = h/2 (v₀ + v₁),  M (v₁ − v₀)/h + J̄ᵀ λ = Q_{½} + V_q(q_{½}) − V̄_q,  Φ(q₁) = 0;  "
        "f̄_q = f_q(q_{½}) + (f₁ − f₀ − f_q(q_{½}) Δq) Δqᵀ/|Δq|² for V and Φ",
        order=2,
        holds=("positions",),
        reference="O. Gonzalez, Journal of Nonlinear Science 6 (1996) 449–467, and Physica D 132 (1999) "
        "165–174; in coordinates like these: P. Betsch and P. Steinmann, "
        "Multibody System Dynamics 8 (2002) 367–391",
    )

    def start(self, eq: LabEquations) -> LabState:
        if not eq.constant_mass:
            raise ModelError(
                f"Mechanism '{eq.name}': its mass matrix depends on the position (an inerter); the energy-momentum "
                "method of the laboratory needs a constant one. Use another formulation."
            )
        return super().start(eq)

    def step(self, eq: LabEquations, now: LabState, h: float) -> LabState:
        n, t, size, middle = eq.n, now.t + h, eq.mass_size, now.t + 0.5 * h
        before = eq.at(middle, now.q, now.v)
        q, multipliers = now.q + h * now.v + 0.5 * h**2 * now.a, now.multipliers.copy()

        def improve() -> np.ndarray:
            move = q - now.q
            v = move / h
            mean = 0.5 * (now.q + q)
            a = 2.0 / h * (v - now.v)  # (v₁ − v₀)/h
            half, after, end = eq.at(middle, mean, v), eq.at(middle, q, v), eq.at(t, q, v)
            slope = eq.potential_slope(middle, mean)
            way = float(move @ move)
            along = move / way if way > (SHORT * eq.length) ** 2 else np.zeros(n)
            forces = half.forces - (after.potential - before.potential - slope @ move) * along
            rows = half.jacobian + np.outer(after.violation - before.violation - half.jacobian @ move, along)
            slopes = eq.slopes(middle, mean, v, a, multipliers)
            matrix = half.mass + 0.5 * h * slopes.damping + 0.25 * h**2 * slopes.stiffness
            miss = half.mass @ a + rows.T @ multipliers - forces
            full = saddle(matrix / size, rows)
            full[n:, :n] = end.jacobian
            found = -eq.solve(full, np.concatenate([0.5 * h**2 / size * miss, end.violation]))
            q[:] += found[:n]
            multipliers[:] += 2.0 * size / h**2 * found[n:]
            return found[:n]

        iterate(eq, improve)
        v = 2.0 / h * (q - now.q) - now.v
        return LabState(t, q, v, (v - now.v) / h, multipliers)
