"""The gap between a circle and a line or a circle, and how far they have slid along each other (plane)."""

from __future__ import annotations

from collections.abc import Sequence

from grashof.model.fields import Fields, Scalars, Vector, body_of, difference, dot, perpendicular
from grashof.model.measures.base import MeasureBase
from grashof.scalar.functions import Scalar, atan2, maximum, sqrt, where

TINY = 1e-100
"""m²: squared distances below this have no direction."""

X, Y = (1.0, 0.0), (0.0, 1.0)


class Meeting(MeasureBase, frozen=True):
    """What the gap and the slide of two outlines share.

    b is a circle about point `b`, or that point alone. a is a line through point `a`, whose free side is on the left of
    its `axis`; or the part of it that is `length` long, with both its sides; or, without an axis, a circle about
    point `a`, on whose outside or `inside` b is.

    radius_a   of the circle, or half the thickness of a line, m
    radius_b   m
    """

    a: str
    b: str
    axis: Vector = ()
    length: float = 0.0
    radius_a: float = 0.0
    radius_b: float = 0.0
    inside: bool = False

    @property
    def bodies(self) -> tuple[str, ...]:
        return body_of(self.a), body_of(self.b)

    def place(self, fields: Fields) -> Scalars:
        """b relative to a: along the line and to the left of it, or in world axes for a circle."""
        apart = difference(fields.point(self.b), fields.point(self.a))
        if not self.axis:
            return apart
        scale = 1.0 / fields.length
        body = body_of(self.a)
        return [dot(fields.arrow(body, e), apart) * scale for e in (self.axis, perpendicular(self.axis))]

    def beyond(self, x: Scalar) -> Scalar:
        """How far b is beyond the nearer end of a line with ends; zero beside the line."""
        return where(-x, x, where(x - self.length, x - self.length, 0.0))


class Gap(Meeting, frozen=True):
    """The distance between two outlines, m; negative where they overlap."""

    def parts(self, fields: Fields) -> Scalars:
        return self.place(fields)

    def value(self, parts: Sequence[Scalar], near: Scalar | None = None) -> Scalar:
        x, y = parts
        sizes = self.radius_a + self.radius_b
        if not self.axis:
            apart = _length(x, y)
            return (self.radius_a - self.radius_b) - apart if self.inside else apart - sizes
        return _length(self.beyond(x), y) - sizes if self.length else y - sizes

    def miss(self, parts: Sequence[Scalar], value: Scalar, length: float) -> Scalar:
        return self.value(parts) - value


class Slide(Meeting, frozen=True):
    """How far b has slid along a, m; only its rate is determined, the velocity at which the outlines slip.

    It is that of b relative to a where they touch, to the right of the direction in which a pushes b. With the
    direction ψ from a to b, the angles θ of the bodies and the distance D of the centres where they touch,

        s = x + r_b (θ_b − θ_a)               on a line
        s = r_a θ_a + r_b θ_b − D ψ            on the outside of a circle, D = r_a + r_b
        s = r_b θ_b − r_a θ_a + D ψ            inside a circle, D = r_a − r_b
    """

    def parts(self, fields: Fields) -> Scalars:
        turned = [x for body in self.bodies for x in fields.arrow(body, X)]
        return [*self.place(fields), *turned]

    def value(self, parts: Sequence[Scalar], near: Scalar | None = None) -> Scalar:
        x, y, *arrows = parts
        angle_a, angle_b = (atan2(arrows[k + 1], arrows[k]) for k in (0, 2))
        if not self.axis:
            way = -1.0 if self.inside else 1.0
            far = self.radius_b + way * self.radius_a
            turned = self.radius_b * angle_b + way * self.radius_a * angle_a
            return turned - far * _direction(x, y)
        rolled = self.radius_b * (angle_b - angle_a)
        if not self.length:
            return x + rolled
        ahead = self.beyond(x)
        around = -(self.radius_a + self.radius_b) * _direction(ahead, y)
        return where(ahead * ahead, around, where(y, x, -x)) + rolled

    def miss(self, parts: Sequence[Scalar], value: Scalar, length: float) -> Scalar:
        return self.value(parts) - value


def _length(x: Scalar, y: Scalar) -> Scalar:
    return sqrt(maximum(x * x + y * y, TINY))


def _direction(x: Scalar, y: Scalar) -> Scalar:
    """The angle of (x, y); a constant where that has no direction."""
    return atan2(y, where(x * x + y * y - TINY, x, 1.0))
