"""What all joints share: a name and the two points they connect, `a` and `b`, each written `body.point`."""

from __future__ import annotations

from typing import ClassVar

import msgspec

from grashof.model.fields import Fields, Scalars, Vector, body_of, difference, dot, perpendicular, unit
from grashof.model.measures import Angle, Coordinate, Measure


class JointBase(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    tag_field="type",
    omit_defaults=True,
    kw_only=True,
):
    """A joint between point `a` of one body and point `b` of another.

    `equations` gives the residuals of the joint's constraint equations in metres; they are zero when the joint is
    closed. There may be more of them than are independent (equality of two directions is three equations, of which two
    are independent); the analysis counts ranks, not rows.
    """

    points_meet: ClassVar[bool] = False
    """Whether the points a and b coincide."""

    name: str
    a: str
    b: str

    def bearing(self, dimension: int) -> int:
        """How many of its first equations are displacements of b relative to a along orthogonal directions.

        Their multipliers are the components of the force that the joint transmits, N.
        """
        return dimension if self.points_meet else 0

    @property
    def bodies(self) -> tuple[str, str]:
        """The two bodies."""
        return body_of(self.a), body_of(self.b)

    def directions(self) -> list[tuple[str, Vector]]:
        """The directions given in the description, as pairs (field, vector)."""
        return []

    def equations(self, fields: Fields) -> Scalars:
        """The residuals of the joint's constraint equations, in metres."""
        raise NotImplementedError

    def freedoms(self, name: str) -> tuple[Measure, ...]:
        """The displacements of b relative to a in the joint's free directions, which friction resists.

        Their names begin with `name`. Joints without bearing surfaces have none.
        """
        return ()


def coincide(joint: JointBase, fields: Fields) -> Scalars:
    """P_b − P_a = 0"""
    return difference(fields.point(joint.b), fields.point(joint.a))


def same(joint: JointBase, fields: Fields, direction_a: Vector, direction_b: Vector) -> Scalars:
    """ℓ (e_b − e_a) = 0: a direction fixed in one body coincides with a direction fixed in the other."""
    body_a, body_b = joint.bodies
    return difference(fields.arrow(body_b, direction_b), fields.arrow(body_a, direction_a))


def offset_along(joint: JointBase, fields: Fields, direction_a: Vector) -> Scalars:
    """n_a · (P_b − P_a) = 0: b stays in the plane through a whose normal is fixed in a's body."""
    arrow = fields.arrow(joint.bodies[0], direction_a)
    return [dot(arrow, coincide(joint, fields)) * (1.0 / fields.length)]


def turning(joint: JointBase, name: str, axis_a: Vector, axis_b: Vector) -> Angle:
    """The angle of b relative to a about an axis that they share; in the plane the axes are empty."""
    a, b = joint.bodies
    if not axis_a:
        return Angle(name, b, a)
    return Angle(name, b, a, axis=axis_a, zero=_across(axis_a), direction=_across(axis_b))


def sliding(joint: JointBase, name: str, direction_a: Vector) -> Coordinate:
    """The coordinate of point b along a direction fixed in a's body, measured from point a, m."""
    return Coordinate(name, joint.b, direction_a, joint.a)


def _across(axis: Vector) -> Vector:
    """A direction at right angles to an axis, as close as possible to x, the line of a bar: a bar has no
    other direction."""
    rest = tuple((1.0 if i == 0 else 0.0) - axis[0] * x for i, x in enumerate(axis))
    return unit(rest) if dot(rest, rest) > 1e-6 else perpendicular(axis)
