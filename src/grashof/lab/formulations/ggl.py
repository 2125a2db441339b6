"""The stabilised index-2 equations of Gear, Gupta and Leimkuhler."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from grashof.lab.card import Card
from grashof.lab.equations import LabEquations
from grashof.lab.formulation import Formulation, LabState
from grashof.lab.implicit import iterate


@dataclass(frozen=True)
class Ggl(Formulation):
    """Positions and velocities both satisfy the constraints, with multipliers of their own; integrated by BDF2, after
    a first step by BDF1."""

    name = "ggl"
    card = Card(
        title="Stabilised index 2 (Gear, Gupta and Leimkuhler), BDF2",
        equations="q̇ = v − Jᵀ μ,  M v̇ + Jᵀ λ = Q,  Φ = 0,  J v + Φ_t = 0;  "
        "q̇₂ = (3 q₂ − 4 q₁ + q₀)/(2h), and v̇₂ likewise",
        order=2,
        holds=("positions", "velocities"),
        reference="C. W. Gear, B. Leimkuhler and G. K. Gupta, Journal of Computational and Applied Mathematics 12–13 "
        "(1985) 77–90",
    )

    def step(self, eq: LabEquations, now: LabState, h: float) -> LabState:
        n, m, size, t = eq.n, eq.m, eq.mass_size, now.t + h
        lead, past = 1.0, np.array([now.q, now.v])
        if now.kept is not None:
            lead, past = 1.5, 2.0 * past - 0.5 * now.kept
        q, v = now.q + h * now.v, now.v + h * now.a
        pushes, corrections = now.multipliers.copy(), np.zeros(m)  # λ and h μ

        def improve() -> np.ndarray:
            a = (lead * v - past[1]) / h
            here, slopes = eq.at(t, q, v), eq.slopes(t, q, v, a, pushes)
            rows, none = here.jacobian, np.zeros((m, m))
            wide = np.zeros((m, n))
            matrix = np.block(
                [
                    [lead * np.eye(n), -np.eye(n), rows.T, wide.T],
                    [h**2 * slopes.stiffness / size, (lead * here.mass + h * slopes.damping) / size, wide.T, rows.T],
                    [rows, wide, none, none],
                    [h * slopes.rate, rows, none, none],
                ]
            )
            miss = np.concatenate(
                [
                    lead * q - past[0] - h * v + rows.T @ corrections,
                    h**2 / size * (here.mass @ a + rows.T @ pushes - here.forces),
                    here.violation,
                    h * (rows @ v + here.velocity_term),
                ]
            )
            found = -eq.solve(matrix, miss, times=2)
            q[:] += found[:n]
            v[:] += found[n : 2 * n] / h
            corrections[:] += found[2 * n : 2 * n + m]
            pushes[:] += size / h**2 * found[2 * n + m :]
            return found[: 2 * n]

        iterate(eq, improve)
        a = (lead * v - past[1]) / h
        return replace(now, t=t, q=q, v=v, a=a, multipliers=pushes, kept=np.array([now.q, now.v]))
