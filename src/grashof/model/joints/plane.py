"""Planar joint."""

from __future__ import annotations

from grashof.model.fields import Fields, Scalars, Vector, cross, perpendicular
from grashof.model.joints.base import JointBase, offset_along, same
from grashof.model.motions import ElementaryMotion


class Plane(JointBase, tag="planar", frozen=True):
    """A face slides on a face (space only): n_a = n_b and n_a · (P_b − P_a) = 0.

    Leaves two translations and one rotation.
    """

    symbol = "face"

    normal_a: Vector = ()
    normal_b: Vector = ()

    @property
    def motions(self) -> tuple[ElementaryMotion, ...]:
        first = perpendicular(self.normal_a)
        slides = (ElementaryMotion("slide", axis) for axis in (first, cross(self.normal_a, first)))
        return *slides, ElementaryMotion("turn", self.normal_a, self.normal_b)

    def equations(self, fields: Fields) -> Scalars:
        return offset_along(self, fields, self.normal_a) + same(self, fields, self.normal_a, self.normal_b)

    def bearing(self, dimension: int) -> int:
        return 1
