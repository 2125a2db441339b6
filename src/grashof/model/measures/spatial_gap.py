"""The gap between a ball or the rim of a disc and a plane or a ball (space)."""

from __future__ import annotations

from collections.abc import Sequence

from grashof.model.fields import Fields, Scalars, Vector, body_of, difference, dot
from grashof.model.measures.base import MeasureBase
from grashof.scalar.functions import Scalar, maximum, sqrt

TINY = 1e-100
"""m²: squared distances below this have no direction."""

FLAT = 1e-12
"""The squared sine of the angle between a disc and a plane below which no place of its rim is the lowest."""


class SpatialGap(MeasureBase, frozen=True):
    """The distance between two surfaces, m; negative where they overlap.

    b is a ball about point `b`, or that point alone, or the rim of a disc about it, with the axis `axis_b`. a is a
    plane through point `a` whose `normal` points to its free side, or, without a normal, a ball about point `a`, on
    whose outside or `inside` b is.

        n · (P_b − P_a) − r_b                     ball and plane
        n · (P_b − P_a) − r_b √(1 − (n · e)²)     rim with the axis e and plane
        |P_b − P_a| − r_a − r_b,   r_a − r_b − |P_b − P_a|     outside and inside a ball
    """

    a: str
    b: str
    normal: Vector = ()
    radius_a: float = 0.0
    radius_b: float = 0.0
    inside: bool = False
    axis_b: Vector = ()

    @property
    def bodies(self) -> tuple[str, ...]:
        return body_of(self.a), body_of(self.b)

    def parts(self, fields: Fields) -> Scalars:
        apart = difference(fields.point(self.b), fields.point(self.a))
        if not self.normal:
            return apart
        arrow, scale = fields.arrow(body_of(self.a), self.normal), 1.0 / fields.length
        height = dot(arrow, apart) * scale
        if not self.axis_b:
            return [height]
        return [height, dot(arrow, fields.arrow(body_of(self.b), self.axis_b)) * (scale * scale)]

    def value(self, parts: Sequence[Scalar], near: Scalar | None = None) -> Scalar:
        if not self.normal:
            apart = sqrt(maximum(dot(parts, parts), TINY))
            return (self.radius_a - self.radius_b) - apart if self.inside else apart - (self.radius_a + self.radius_b)
        if not self.axis_b:
            return parts[0] - self.radius_b
        return parts[0] - self.radius_b * sine(parts[1])

    def miss(self, parts: Sequence[Scalar], value: Scalar, length: float) -> Scalar:
        return self.value(parts) - value


def sine(cosine: Scalar) -> Scalar:
    """√(1 − c²), of the angle between a disc and a plane."""
    return sqrt(maximum(1.0 - cosine * cosine, FLAT))
