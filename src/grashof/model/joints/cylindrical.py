"""Cylindrical joint."""

from __future__ import annotations

from grashof.model.fields import Fields, Scalars, Vector, cross, perpendicular
from grashof.model.joints.base import JointBase, offset_along, same, sliding, turning
from grashof.model.measures import Measure


class Cylindrical(JointBase, tag="cylindrical", frozen=True):
    """Body b turns about and slides along an axis of body a (space only): e_a = e_b, and P_b stays on the axis.

    Leaves two degrees of freedom.
    """

    axis_a: Vector = ()
    axis_b: Vector = ()

    def directions(self) -> list[tuple[str, Vector]]:
        return [("axis_a", self.axis_a), ("axis_b", self.axis_b)]

    def equations(self, fields: Fields) -> Scalars:
        normal = perpendicular(self.axis_a)
        side = cross(self.axis_a, normal)
        on_axis = offset_along(self, fields, normal) + offset_along(self, fields, side)
        return on_axis + same(self, fields, self.axis_a, self.axis_b)

    def bearing(self, dimension: int) -> int:
        return 2

    def freedoms(self, name: str) -> tuple[Measure, ...]:
        return sliding(self, name, self.axis_a), turning(self, f"{name}2", self.axis_a, self.axis_b)
