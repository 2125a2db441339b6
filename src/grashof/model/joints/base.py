"""What every joint has: a name and the two points it ties, `a` and `b`, each written `body.point`."""

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

    `equations` gives the joint's equations in metres, zero when the joint is whole. They may be more than the joint's
    independent ones (equal directions are three numbers and two conditions); analysis counts ranks, not rows.
    """

    points_meet: ClassVar[bool] = False
    """Whether a and b are at the same place."""

    name: str
    a: str
    b: str

    def bearing(self, dimension: int) -> int:
        """How many of its equations, the first ones, are displacements of b against a along directions at right angles to each other.

        Their multipliers are the components of the force that the joint transmits, N.
        """
        return dimension if self.points_meet else 0

    @property
    def bodies(self) -> tuple[str, str]:
        """The two bodies."""
        return body_of(self.a), body_of(self.b)

    def directions(self) -> list[tuple[str, Vector]]:
        """The directions given in the description: (field, vector)."""
        return []

    def equations(self, fields: Fields) -> Scalars:
        """The joint's equations, in metres."""
        raise NotImplementedError

    def freedoms(self, name: str) -> tuple[Measure, ...]:
        """How far b is moved against a, in each way that the joint leaves open: what friction resists. Their names begin with `name`.

        None for joints without bearing surfaces.
        """
        return ()


def coincide(joint: JointBase, fields: Fields) -> Scalars:
    """P_b − P_a = 0"""
    return difference(fields.point(joint.b), fields.point(joint.a))


def same(joint: JointBase, fields: Fields, direction_a: Vector, direction_b: Vector) -> Scalars:
    """ℓ (e_b − e_a) = 0: a direction of one body is a direction of the other."""
    body_a, body_b = joint.bodies
    return difference(fields.arrow(body_b, direction_b), fields.arrow(body_a, direction_a))


def offset_along(joint: JointBase, fields: Fields, direction_a: Vector) -> Scalars:
    """n_a · (P_b − P_a) = 0: b stays in the plane through a whose normal is fixed in a's body."""
    arrow = fields.arrow(joint.bodies[0], direction_a)
    return [dot(arrow, coincide(joint, fields)) * (1.0 / fields.length)]


def turning(joint: JointBase, name: str, axis_a: Vector, axis_b: Vector) -> Angle:
    """The angle by which b is turned against a about an axis that they share; in the plane axes are empty."""
    a, b = joint.bodies
    if not axis_a:
        return Angle(name, b, a)
    return Angle(name, b, a, axis=axis_a, zero=_across(axis_a), direction=_across(axis_b))


def sliding(joint: JointBase, name: str, direction_a: Vector) -> Coordinate:
    """How far point b is along a direction of a's body from point a, m."""
    return Coordinate(name, joint.b, direction_a, joint.a)


def _across(axis: Vector) -> Vector:
    """A direction at right angles to an axis: near x, which is the line of a bar, so that no other direction of a bar is needed."""
    rest = tuple((1.0 if i == 0 else 0.0) - axis[0] * x for i, x in enumerate(axis))
    return unit(rest) if dot(rest, rest) > 1e-6 else perpendicular(axis)
