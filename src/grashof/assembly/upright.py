"""Closing loops in space such that no body can become its mirror image.

The rows of natural coordinates, dᵢ·dⱼ = const, also hold for the mirror image of a body. Here each body that is
described by three directions has a quaternion p of any length in addition, and its directions must be those to which
the quaternion turns them:

    dᵢ = R(p) dᵢ'        δ(R d') = ω × R d',  ω = (2/|p|²) (−u δs + s δu + u × δu),  p = (s, u)

Where these rows hold together with those of the mechanism, every body is right-handed. Quaternions have the length 2ℓ:
if one of them moves by ℓ, its body turns by about a radian, as it does if a direction moves by ℓ.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from grashof.assembly.guess import Placement
from grashof.formulation.natural.closing import Positions
from grashof.formulation.natural.coordinates import Frame
from grashof.formulation.natural.kkt import Kkt, make_kkt
from grashof.geometry.shape import turning
from grashof.model.rotations import quaternion, rotation_matrix
from grashof.scalar.algebra import norm, product

SIZE = 4
"""Numbers of a quaternion."""

DAMPING = 1e-10
"""Smallest damping, relative to the square of the largest gradient: what the equations leave free stays where it is,
to a few digits."""


@dataclass(frozen=True, eq=False)
class UprightPositions:
    """Positions in space as coordinates, followed by the quaternions of all bodies that could be mirrored."""

    positions: Positions

    @cached_property
    def _bodies(self) -> dict[str, Frame]:
        return {name: frame for name, frame in self.positions.dynamics.system.frames.items() if frame.mirrorable}

    @property
    def length(self) -> float:
        """The mechanism's length, m."""
        return self.positions.length

    @property
    def _n(self) -> int:
        return self.positions.dynamics.n

    def extend(self, q: np.ndarray, placements: dict[str, Placement]) -> np.ndarray:
        """A position with these coordinates, and bodies turned as they are placed."""
        turns = [2.0 * self.length * np.array(quaternion(placements[name][1])) for name in self._bodies]
        return np.concatenate([q, *turns])

    def reduce(self, x: np.ndarray) -> np.ndarray:
        """The coordinates of a position."""
        return x[: self._n]

    def errors(self, x: np.ndarray) -> np.ndarray:
        """All equations, m."""
        values = x[: self._n].tolist()
        missing = [
            form.at(values) - component
            for frame, directions, _ in self._turned(x)
            for forms, direction in zip(frame.directions, directions, strict=True)
            for form, component in zip(forms, direction.tolist(), strict=True)
        ]
        return np.concatenate([self.positions.errors(x[: self._n]), missing])

    def correction(self, x: np.ndarray, errors: np.ndarray, damping: float) -> np.ndarray:
        """The step towards smaller errors, δ = −(JᵀJ + μ)⁻¹ Jᵀ Φ: there are fewer unknowns than equations."""
        matrix = dict.fromkeys(self._normal.mass, 0.0)
        right = [0.0] * len(x)
        for row, error in zip(self._gradients(x), errors.tolist(), strict=True):
            for a, slope in row.items():
                right[a] -= slope * error
                for b, other in row.items():
                    if b <= a:
                        matrix[a, b] += slope * other
        largest = max(1.0, *(matrix[a, a] for a in range(len(x))))
        for a in range(len(x)):
            matrix[a, a] += max(damping, DAMPING) * largest
        normal = replace(self._normal, mass=matrix)
        return np.array(normal.solve(normal.factor([]), right))

    @cached_property
    def _normal(self) -> Kkt:
        """The structure of JᵀJ: unknowns that share a row."""
        count = self._n + SIZE * len(self._bodies)
        rows = self._gradients(np.ones(count))
        pairs = {(a, a): 1.0 for a in range(count)} | {(a, b): 1.0 for row in rows for a in row for b in row if b <= a}
        return make_kkt(count, pairs, (), range(count))

    def _gradients(self, x: np.ndarray) -> list[dict[int, float]]:
        rows, first = self.positions.gradients(x[: self._n]), self._n
        for frame, directions, spin in self._turned(x):
            for forms, direction in zip(frame.directions, directions, strict=True):
                slopes = product(turning(direction), spin)
                for form, slope in zip(forms, slopes.tolist(), strict=True):
                    rows.append(form.terms | {first + k: -y for k, y in enumerate(slope)})
            first += SIZE
        return rows

    def _turned(self, x: np.ndarray) -> Iterator[tuple[Frame, np.ndarray, np.ndarray]]:
        """For each body its directions as rotated by its quaternion, as rows, and the matrix that takes changes of
        the quaternion to rotations."""
        for frame, p in zip(self._bodies.values(), x[self._n :].reshape(-1, SIZE), strict=True):
            spin = np.column_stack([-p[1:], p[0] * np.eye(3) - turning(p[1:])]) * (2.0 / norm(p) ** 2)
            yield frame, product(frame.directions_local, rotation_matrix(p.tolist()).T), spin
