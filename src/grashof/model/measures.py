"""Measures: named angles and distances. Torques, springs, motors, needs and outputs all refer to them."""

from __future__ import annotations

import msgspec

from grashof.model.bodies import GROUND
from grashof.model.fields import Fields, Scalars, Vector, cross, difference, dot
from grashof.scalar.functions import Scalar


class Angle(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="angle", omit_defaults=True):
    """The angle by which `body` is turned against `reference`, positive about `axis`, with its whole turns.

    In the plane it is the angle between the two x axes. In space it is measured from the direction `zero` (reference's axes,
    at right angles to `axis`) to the direction `direction` (body's axes). Its sine and cosine are bilinear:

        sin θ = ((axis × zero) · direction),   cos θ = (zero · direction)
    """

    name: str
    body: str
    reference: str = GROUND
    axis: Vector = ()
    zero: Vector = ()
    direction: Vector = ()

    def sine_cosine(self, fields: Fields) -> tuple[Scalar, Scalar]:
        """(ℓ² sin θ, ℓ² cos θ)"""
        zero: Vector = (1.0, 0.0)
        ahead: Vector = (0.0, 1.0)
        direction: Vector = (1.0, 0.0)
        if fields.dimension == 3:
            zero, ahead, direction = self.zero, cross(self.axis, self.zero), self.direction
        u = fields.arrow(self.body, direction)
        return dot(fields.arrow(self.reference, ahead), u), dot(fields.arrow(self.reference, zero), u)


class Separation(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="distance", omit_defaults=True
):
    """The distance between the points `a` and `b`, in m."""

    name: str
    a: str
    b: str

    def span(self, fields: Fields) -> Scalars:
        """The vector from a to b."""
        return difference(fields.point(self.b), fields.point(self.a))


Measure = Angle | Separation
