"""Revolute joint."""

from __future__ import annotations

from grashof.model.fields import Fields, Scalars, Vector
from grashof.model.joints.base import JointBase, coincide, same, turning
from grashof.model.measures import Measure


class Revolute(JointBase, tag="revolute", frozen=True):
    """A pin: P_a = P_b, and in space the axes coincide, e_a = e_b. Leaves one rotation.

    axis_a, axis_b: the axis in each body's own axes (space only).
    """

    points_meet = True

    axis_a: Vector = ()
    axis_b: Vector = ()

    def directions(self) -> list[tuple[str, Vector]]:
        return [("axis_a", self.axis_a), ("axis_b", self.axis_b)]

    def equations(self, fields: Fields) -> Scalars:
        pin = coincide(self, fields)
        return pin if fields.dimension == 2 else pin + same(self, fields, self.axis_a, self.axis_b)

    def freedoms(self, name: str) -> tuple[Measure, ...]:
        return (turning(self, name, self.axis_a, self.axis_b),)
