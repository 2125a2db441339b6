"""Weld."""

from __future__ import annotations

from grashof.model.fields import Fields, Scalars, Vector, cross
from grashof.model.joints.base import JointBase, coincide, same
from grashof.model.motions import ElementaryMotion


class Weld(JointBase, tag="weld", frozen=True):
    """Two bodies joined rigidly: P_a = P_b, and the directions coincide. Leaves no degree of freedom.

    axis_a and axis_b, and in space also normal_a and normal_b, give the relative orientation. In a file, their default
    is that the x axes coincide, and the y axes.
    """

    symbol = "weld"
    dimensions = (2, 3)
    points_meet = True

    axis_a: Vector = ()
    axis_b: Vector = ()
    normal_a: Vector = ()
    normal_b: Vector = ()

    @property
    def motions(self) -> tuple[ElementaryMotion, ...]:
        return ()

    def usual_direction(self, field: str, dimension: int) -> Vector:
        first = 0 if field.startswith("axis") else 1
        return tuple(float(i == first) for i in range(dimension))

    def equations(self, fields: Fields) -> Scalars:
        rows = coincide(self, fields) + same(self, fields, self.axis_a, self.axis_b)
        if fields.dimension == 2:
            return rows
        side_a, side_b = cross(self.axis_a, self.normal_a), cross(self.axis_b, self.normal_b)
        return rows + same(self, fields, self.normal_a, self.normal_b) + same(self, fields, side_a, side_b)
