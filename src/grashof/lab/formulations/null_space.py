"""Motion in the null space of the Jacobian."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grashof.lab.card import Card
from grashof.lab.equations import LabEquations
from grashof.lab.formulations.coordinate_partitioning import ReducedMethod


@dataclass(frozen=True)
class NullSpace(ReducedMethod):
    """Displacements along an orthonormal basis Z of the null space of J are integrated: the constraint forces, which
    are orthogonal to it, never appear."""

    name = "null-space"
    card = Card(
        title="Null space of the Jacobian (Mani, Haug and Atkinson)",
        equations="J Z = 0, ZᵀZ = 1:  a = a* + Z y with J a* = γ and Zᵀ M Z y = Zᵀ (Q − M a*);  "
        "Z₀ᵀ q and Z₀ᵀ v are integrated, the constraints determine the rest",
        order=4,
        holds=("positions", "velocities"),
        reference="N. K. Mani, E. J. Haug and K. E. Atkinson, Journal of Mechanisms, Transmissions, and Automation in "
        "Design 107 (1985) 82–87; F. A. Potra and W. C. Rheinboldt, Mechanics of Structures and Machines 19 "
        "(1991) 1–18",
    )
    integrator: str = "rk4"

    def independent(self, eq: LabEquations, jacobian: np.ndarray) -> np.ndarray:
        return eq.null_space(jacobian)

    def acceleration(self, eq: LabEquations, t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        now = eq.at(t, q, v)
        free = eq.null_space(now.jacobian)
        held = eq.fit(np.vstack([now.jacobian, free]), np.concatenate([now.bias, np.zeros(len(free))]))
        along = eq.solve(free @ now.mass @ free.T, free @ (now.forces - now.mass @ held), times=0)
        return np.asarray(held + free.T @ along)
