"""Sliding joint: slider in the plane, prismatic joint in space."""

from __future__ import annotations

from grashof.model.fields import Fields, Scalars, Vector, cross, perpendicular
from grashof.model.joints.base import JointBase, offset_along, same
from grashof.model.motions import ElementaryMotion


class Slider(JointBase, tag="slider", frozen=True):
    """Body b slides along a line of body a without turning. Leaves one translation.

    The line passes through `a` along `axis_a`; `b` stays on it, and `axis_b` of the other body points along it. In
    space, `normal_a` and `normal_b`, which are at right angles to the axes, also coincide.
    """

    symbol = "block"
    dimensions = (2, 3)

    axis_a: Vector = ()
    axis_b: Vector = ()
    normal_a: Vector = ()
    normal_b: Vector = ()

    @property
    def motions(self) -> tuple[ElementaryMotion, ...]:
        return (ElementaryMotion("slide", self.axis_a, self.axis_b),)

    def equations(self, fields: Fields) -> Scalars:
        aligned = same(self, fields, self.axis_a, self.axis_b)
        if fields.dimension == 2:
            return offset_along(self, fields, perpendicular(self.axis_a)) + aligned
        side_a, side_b = cross(self.axis_a, self.normal_a), cross(self.axis_b, self.normal_b)
        turned = same(self, fields, self.normal_a, self.normal_b) + same(self, fields, side_a, side_b)
        return offset_along(self, fields, self.normal_a) + offset_along(self, fields, side_a) + aligned + turned

    def bearing(self, dimension: int) -> int:
        return dimension - 1
