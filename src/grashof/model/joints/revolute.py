"""Revolute joint."""

from __future__ import annotations

from grashof.model.fields import Fields, Scalars, Vector
from grashof.model.joints.base import JointBase, coincide, same
from grashof.model.motions import ElementaryMotion


class Revolute(JointBase, tag="revolute", frozen=True):
    """A pin: P_a = P_b, and in space the axes coincide, e_a = e_b. Leaves one rotation.

    axis_a, axis_b: the axis in each body's own axes (space only).
    """

    symbol = "pin"
    dimensions = (2, 3)
    points_meet = True
    slip_unit = "rad"

    axis_a: Vector = ()
    axis_b: Vector = ()

    @property
    def motions(self) -> tuple[ElementaryMotion, ...]:
        return (ElementaryMotion("turn", self.axis_a, self.axis_b),)

    def needed_directions(self, dimension: int) -> list[str]:
        return [] if dimension == 2 else super().needed_directions(dimension)

    def equations(self, fields: Fields) -> Scalars:
        pin = coincide(self, fields)
        return pin if fields.dimension == 2 else pin + same(self, fields, self.axis_a, self.axis_b)
