"""A chain of bodies joined by universal joints, in its joint angles: a differential equation in the fewest coordinates.

Body i hangs on body i − 1 by a cross whose first arm is a_i (fixed in the body before) and whose second is b_i (fixed
in the body):

    R_i = R_{i−1} Rot(a_i, α_i) Rot(b_i, β_i),     x_p = o_i + R_i r_p,     J = ∂x/∂q by axis × arm,
    (Σ m JᵀJ) q̈ = Σ m Jᵀ (g − J̇q̇)

J̇q̇ is the imaginary part of J(q + ihq̇) q̇/h. SciPy's DOP853 solves it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

from campaign.linkage import STEP
from campaign.structure import Array, Solid

TOLERANCE = 1e-12


@dataclass(frozen=True)
class Chain:
    """Bodies in the order in which they hang, all aligned with the world's axes where q = 0.

    solids   with the pins `start`, at the origin of the body, and `end`, from which the next one hangs
    arms     a_i and b_i, in the world's axes where q = 0
    """

    solids: Sequence[Solid]
    arms: Sequence[tuple[Array, Array]]
    gravity: Array

    def poses(self, q: Array) -> tuple[list[Array], list[Array], list[Array], list[Array]]:
        """Origins and attitudes of the bodies; axes and centres of all angles."""
        origin, turn = np.zeros(3), np.eye(3)
        origins, turns, axes, centres = [], [], [], []
        for solid, (a, b), alpha, beta in zip(self.solids, self.arms, q[::2], q[1::2], strict=True):
            axes.append(turn @ a)
            turn = turn @ _about(a, alpha)
            axes.append(turn @ b)
            turn = turn @ _about(b, beta)
            centres += [origin, origin]
            origins.append(origin)
            turns.append(turn)
            origin = origin + turn @ solid.pins["end"]
        return origins, turns, axes, centres

    def jacobian(self, q: Array) -> Array:
        """∂x/∂q of all particles, (p, 3, n)."""
        origins, turns, axes, centres = self.poses(q)
        parts = []
        for k, solid in enumerate(self.solids):
            places = origins[k] + solid.places @ turns[k].T
            columns = [np.cross(axes[j], places - centres[j]) for j in range(2 * k + 2)]
            columns += [np.zeros_like(places)] * (len(axes) - len(columns))
            parts.append(np.stack(columns, axis=-1))
        return np.concatenate(parts)

    def slope(self, _: float, y: Array) -> Array:
        """The derivative of (q, q̇)."""
        q, rate = np.split(y, 2)
        complex_jacobian = self.jacobian(q + 1j * STEP * rate)
        jacobian, drift = complex_jacobian.real, complex_jacobian.imag @ rate / STEP
        weighted = self._masses[:, None, None] * jacobian
        mass = np.einsum("pin,pim->nm", weighted, jacobian)
        force = np.einsum("pin,pi->n", weighted, self.gravity - drift)
        return np.concatenate([rate, np.linalg.solve(mass, force)])

    @property
    def _masses(self) -> Array:
        return np.concatenate([solid.masses for solid in self.solids])

    def energy(self, y: Array) -> float:
        """T + V, J."""
        q, rate = np.split(y, 2)
        origins, turns, _, _ = self.poses(q)
        places = np.concatenate(
            [o + solid.places @ r.T for o, r, solid in zip(origins, turns, self.solids, strict=True)]
        )
        speeds = self.jacobian(q) @ rate
        return float(self._masses @ (0.5 * np.sum(speeds**2, axis=1) - places @ self.gravity))

    def moving(self, rates: Array, times: Array) -> Array:
        """q from q = 0 with these rates at the times, (k, n)."""
        start = np.concatenate([np.zeros(len(rates)), rates])
        solved = solve_ivp(
            self.slope,
            (0.0, times[-1]),
            start,
            "DOP853",
            times,
            rtol=TOLERANCE,
            atol=TOLERANCE * (1.0 + np.abs(rates).max()),
        )
        result: Array = solved.y[: len(rates)].T
        return result

    def attitudes(self, q: Array) -> Array:
        """R of the bodies at many q, (k, bodies, 3, 3)."""
        return np.array([self.poses(x)[1] for x in q])


def _about(axis: Array, angle: float) -> Array:
    """Rodrigues' formula."""
    cross = np.array([[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]])
    result: Array = np.eye(3) + np.sin(angle) * cross + (1.0 - np.cos(angle)) * (cross @ cross)
    return result
