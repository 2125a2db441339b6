"""Wheel that rolls on a plane."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grashof.model.couplings.base import CouplingBase
from grashof.model.fields import Fields, Scalars, Vector, body_of, cross, difference, dot, perpendicular
from grashof.model.joints.slipping import RollingBase, split, unit_arrow, velocity_at
from grashof.model.measures import Measure, MeasureBase
from grashof.scalar.functions import Scalar, sqrt


class RollingWheel(RollingBase, tag="rolling wheel", frozen=True):
    """A thin wheel with its centre at point b rolls without slipping on a plane of body a, on the side of its normal,
    upright or inclined (space).

        n_a · (P_b − P_a) = r |n_a × e_b|,        u = −(n_a − (n_a·e_b) e_b)/|n_a × e_b|

    and at the lowest point of its rim, P_b + r u, it has the velocity of body a. The plane passes through point a and
    has the normal `normal_a`; `axis_b` is the axis e_b of the wheel, fixed in b's body, and `radius` is r, m. A wheel
    that lies flat on the plane has no lowest point: that position is singular.

    Removes one degree of freedom of the positions and three of the velocities.
    """

    normal_a: Vector = ()
    axis_b: Vector = ()

    def equations(self, fields: Fields) -> Scalars:
        return []

    def couplings(self) -> tuple[CouplingBase, ...]:
        gap = RimGap(f"{self.name} gap", self.a, self.b, self.normal_a, self.axis_b, self.radius)
        return (Touching(f"{self.name} contact", gap),)

    def slip_parts(self, fields: Fields) -> Scalars:
        body = self.bodies[1]
        spoke = perpendicular(self.axis_b)
        spokes = (spoke, cross(self.axis_b, spoke))
        return [
            *self.plane_parts(fields),
            *unit_arrow(fields, body, self.axis_b),
            *(x for direction in spokes for x in unit_arrow(fields, body, direction)),
        ]

    def slips(self, parts: Scalars) -> Scalars:
        normal, *plane, center, axis, first, second = split(parts, 3)
        share = dot(normal, axis)
        up = [n - share * e for n, e in zip(normal, axis, strict=True)]
        down = -self.radius / sqrt(dot(up, up))
        offset = [down * x for x in up]
        return self.plane_slips([normal, *plane, center], offset, velocity_at(offset, center, [first, second]))


class RimGap(MeasureBase, frozen=True):
    """The distance between a plane and the lowest point of a circle, m: n · (P_b − P_a) − r |n × e|."""

    a: str
    b: str
    normal: Vector
    axis: Vector
    radius: float

    @property
    def bodies(self) -> tuple[str, ...]:
        return body_of(self.a), body_of(self.b)

    def parts(self, fields: Fields) -> Scalars:
        normal = unit_arrow(fields, body_of(self.a), self.normal)
        height = dot(normal, difference(fields.point(self.b), fields.point(self.a)))
        return [height, *normal, *unit_arrow(fields, body_of(self.b), self.axis)]

    def value(self, parts: Sequence[Scalar], near: Scalar | None = None) -> Scalar:
        height, *directions = parts
        across = cross(tuple(directions[:3]), tuple(directions[3:]))
        return height - self.radius * sqrt(dot(across, across))


class Touching(CouplingBase, frozen=True):
    """A gap that stays closed; its effort is the normal force, N."""

    gap: RimGap

    @property
    def names(self) -> tuple[str, ...]:
        return ()

    def measures(self, known: Mapping[str, Measure]) -> tuple[Measure, ...]:
        return (self.gap,)  # type: ignore[return-value]

    def equation(self, values: Sequence[Scalar], time: Scalar) -> Scalar:
        return values[0]
