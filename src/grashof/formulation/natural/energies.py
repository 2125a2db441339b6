"""Kinetic and potential energies, and the mass matrix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grashof.formulation.natural.kkt import make_kkt
from grashof.formulation.natural.state import SystemState
from grashof.formulation.natural.system import System
from grashof.model.model import Model
from grashof.model.state import State
from grashof.scalar.functions import Scalar, maximum
from grashof.scalar.jet import Jet

FIRM = 1e3
"""w of bodies whose moments of inertia violate the triangle inequality; see `least_resistance`."""

AT_ONCE = 1_000_000
"""Largest number of terms of kinetic energies that are computed at once, which bounds the memory."""


@dataclass(frozen=True, eq=False)
class Energies:
    """The energies of a system: T = ½ vᵀ M v + Σ ½ J ṁ², with the constant M and the inerters, and V."""

    system: System

    def with_inerters(self, kinetic: Scalar, state: SystemState) -> Scalar:
        """T, given that of the bodies, in J."""
        for name, inertance in self.system.model.inertances:
            rate = state.measure(name).first
            kinetic = kinetic + 0.5 * inertance * (rate * rate)
        return kinetic

    def kinetic(self, v: Sequence[Scalar]) -> Scalar:
        """T of the bodies, in J."""
        total: Scalar = 0.0
        for (i, j), x in self.system.mass.items():
            total = total + (0.5 * x if i == j else x) * (v[i] * v[j])
        return total

    def kinetic_energies(self, v: np.ndarray) -> np.ndarray:
        """T of the bodies at many velocities, (times, n). The terms are added one after another, so that the sums are
        the same on every machine."""
        energies = np.zeros(len(v))
        if self.system.mass:
            first, second, weights = self._terms
            stride = max(1, AT_ONCE // len(weights))
            for k in range(0, len(v), stride):
                columns = v[k : k + stride].T
                terms = weights * (columns[first] * columns[second])
                energies[k : k + stride] = np.add.accumulate(terms, axis=0)[-1]
        return energies

    @cached_property
    def _terms(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The rows and columns of the entries of M, and their factors in T."""
        first, second = np.array([*self.system.mass]).T
        return first, second, (np.where(first == second, 0.5, 1.0) * [*self.system.mass.values()])[:, None]

    def potential(self, motion: SystemState) -> Scalar:
        """V of gravity and springs, in J."""
        total = self.system.gravity.at(motion.q)
        for stored in stored_energies(self.system.model, motion):
            total = total + stored
        return total

    @property
    def massless(self) -> bool:
        """Whether nothing has mass."""
        return not self.system.mass

    @property
    def masses(self) -> list[Scalar]:
        """The diagonal of M, kg."""
        return [self.system.mass.get((i, i), 0.0) for i in range(self.system.n)]

    @cached_property
    def matrix(self) -> np.ndarray:
        """M, (n, n), kg."""
        full = np.zeros((self.system.n, self.system.n))
        for (i, j), x in self.system.mass.items():
            full[i, j] = full[j, i] = x
        return full

    @property
    def typical_mass(self) -> Scalar:
        """A mass for which mass·speed² is a kinetic energy of the mechanism, kg."""
        most: Scalar = 0.0
        for (i, j), x in self.system.mass.items():
            most = maximum(most, 0.5 * x) if i == j else most
        return most

    def least_resistance(
        self, gradients: Sequence[dict[int, float]], inertias: Sequence[tuple[float, dict[int, float]]], held: float
    ) -> tuple[float, np.ndarray]:
        """The smallest eigenvalue of M + w Jᵀ J, M in units of a typical mass, by inverse iteration, and its direction:
        what moves most easily.

        w is 1, unless the result is negative. Then a body has moments of inertia that violate the triangle inequality,
        so that M is negative for some of its deformations, and bodies are held together more firmly.

        inertias   of inerters, with the gradients of their measures
        held       is added to the diagonal, so that the matrix can be factored
        """
        found, direction = self._least_resistance(gradients, inertias, held, 1.0)
        return (found, direction) if found > -held else self._least_resistance(gradients, inertias, held, FIRM)

    def _least_resistance(
        self,
        gradients: Sequence[dict[int, float]],
        inertias: Sequence[tuple[float, dict[int, float]]],
        held: float,
        firmness: float,
    ) -> tuple[float, np.ndarray]:
        system = self.system
        typical = float(np.mean([x for (i, j), x in system.mass.items() if i == j]))
        matrix = {(i, i): held for i in range(system.n)}
        for pair, x in system.mass.items():
            matrix[pair] = matrix.get(pair, 0.0) + x / typical
        weighted = [(firmness, row) for row in gradients] + [(x / typical, row) for x, row in inertias]
        for weight, row in weighted:
            for i, x in row.items():
                for j, y in row.items():
                    if j <= i:
                        matrix[i, j] = matrix.get((i, j), 0.0) + weight * (x * y)
        resistance = make_kkt(system.n, matrix, (), system.groups)
        factors = resistance.factor([])
        direction = np.random.default_rng(1).normal(size=system.n)
        for _ in range(4):
            direction = np.array(resistance.solve(factors, direction.tolist()))
            direction /= np.linalg.norm(direction)
        found = 2.0 * self.kinetic(direction.tolist()) / typical
        for weight, row in weighted:
            found += weight * sum(x * direction[i] for i, x in row.items()) ** 2
        return float(found), direction


def stored_energies(model: Model, state: State) -> list[Scalar]:
    """The potential energies of forces, J."""
    found = [force.potential(state) for force in model.acting]
    return [x.value if isinstance(x, Jet) else x for x in found]
