"""Planar joint."""

from __future__ import annotations

from grashof.model.fields import Fields, Scalars, Vector, cross, perpendicular
from grashof.model.joints.base import JointBase, offset_along, same, sliding, turning
from grashof.model.measures import Measure


class Plane(JointBase, tag="planar", frozen=True):
    """A face slides on a face (space only): n_a = n_b and n_a · (P_b − P_a) = 0.

    Leaves two translations and one rotation.
    """

    normal_a: Vector = ()
    normal_b: Vector = ()

    def directions(self) -> list[tuple[str, Vector]]:
        return [("normal_a", self.normal_a), ("normal_b", self.normal_b)]

    def equations(self, fields: Fields) -> Scalars:
        return offset_along(self, fields, self.normal_a) + same(self, fields, self.normal_a, self.normal_b)

    def bearing(self, dimension: int) -> int:
        return 1

    def freedoms(self, name: str) -> tuple[Measure, ...]:
        first = perpendicular(self.normal_a)
        return (
            sliding(self, name, first),
            sliding(self, f"{name}2", cross(self.normal_a, first)),
            turning(self, f"{name}3", self.normal_a, self.normal_b),
        )
