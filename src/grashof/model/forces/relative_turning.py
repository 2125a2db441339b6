"""Relative rotation of two bodies in space: its velocity, and torques between them, without a joint."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from grashof.model.fields import Scalars, Vector, dot
from grashof.model.forces.base import Load
from grashof.model.measures.cosine import Cosine
from grashof.model.state import State
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet

AXES: tuple[Vector, ...] = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@dataclass(frozen=True)
class RelativeTurning:
    """The rotation of body b relative to body a. With C the direction cosines of b's axes in those of a, Ċ Cᵀ = ω×, and
    efforts ½ τ× C along the cosines do the work of a torque τ. All vectors are in the axes of a."""

    a: str
    b: str

    @cached_property
    def cosines(self) -> list[list[Cosine]]:
        """C: the axes of a (rows) and those of b (columns)."""
        return [[Cosine("", self.b, self.a, zero, direction) for direction in AXES] for zero in AXES]

    @property
    def measures(self) -> tuple[Cosine, ...]:
        """The nine cosines."""
        return tuple(cosine for row in self.cosines for cosine in row)

    def velocity(self, state: State) -> Scalars:
        """ω"""
        c = self._jets(state)

        def turn(i: int, k: int) -> Scalar:
            return dot([x.first for x in c[i]], [x.value for x in c[k]])

        return [0.5 * (turn(2, 1) - turn(1, 2)), 0.5 * (turn(0, 2) - turn(2, 0)), 0.5 * (turn(1, 0) - turn(0, 1))]

    def direction(self, state: State, own: Vector) -> Scalars:
        """A direction of b."""
        return [dot([x.value for x in row], own) for row in self._jets(state)]

    def loads(self, state: State, torque: Sequence[Scalar]) -> list[Load]:
        """A torque on b, and its reaction on a."""
        x, y, z = (0.5 * part for part in torque)
        c = self._jets(state)
        found: list[Load] = []
        for j in range(3):
            first, second, third = (row[j].value for row in c)
            efforts = (y * third - z * second, z * first - x * third, x * second - y * first)
            found += [(self.cosines[i][j], [effort]) for i, effort in enumerate(efforts)]
        return found

    def _jets(self, state: State) -> list[list[Jet]]:
        return [[state.jet_of(cosine) for cosine in row] for row in self.cosines]
