"""Cylindrical joint."""

from __future__ import annotations

from grashof.model.fields import Fields, Scalars, Vector, cross, perpendicular
from grashof.model.joints.base import JointBase, offset_along, same
from grashof.model.motions import ElementaryMotion


class Cylindrical(JointBase, tag="cylindrical", frozen=True):
    """Body b turns about and slides along an axis of body a (space only): e_a = e_b, and P_b stays on the axis.

    Leaves two degrees of freedom.
    """

    symbol = "sleeve"

    axis_a: Vector = ()
    axis_b: Vector = ()

    @property
    def motions(self) -> tuple[ElementaryMotion, ...]:
        axes = (self.axis_a, self.axis_b)
        return ElementaryMotion("slide", *axes), ElementaryMotion("turn", *axes)

    def equations(self, fields: Fields) -> Scalars:
        normal = perpendicular(self.axis_a)
        side = cross(self.axis_a, normal)
        on_axis = offset_along(self, fields, normal) + offset_along(self, fields, side)
        return on_axis + same(self, fields, self.axis_a, self.axis_b)

    def bearing(self, dimension: int) -> int:
        return 2
