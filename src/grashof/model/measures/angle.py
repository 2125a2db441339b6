"""Angle between two bodies."""

from __future__ import annotations

from collections.abc import Sequence

from grashof.model.bodies import GROUND
from grashof.model.fields import Fields, Scalars, Vector, cross, dot
from grashof.model.measures.base import MeasureBase
from grashof.scalar.functions import Scalar, atan2, cos, sin


class Angle(MeasureBase, tag="angle", frozen=True):
    """The angle of `body` relative to `reference`, positive about `axis`, including whole turns.

    In the plane, it is the angle between the two x axes. In space, it is measured from the direction `zero` (in the
    reference's axes, at right angles to `axis`) to `direction` (in the body's axes). Its sine and cosine are bilinear:

        sin θ = ((axis × zero) · direction),   cos θ = (zero · direction)
    """

    unit = "rad"
    winds = True
    directions = ("axis", "zero", "direction")

    body: str
    reference: str = GROUND
    axis: Vector = ()
    zero: Vector = ()
    direction: Vector = ()

    @property
    def smooth(self) -> bool:
        """In space, a direction may swing past the axis, and the angle then changes suddenly."""
        return not self.axis

    @property
    def bodies(self) -> tuple[str, ...]:
        return self.reference, self.body

    def parts(self, fields: Fields) -> Scalars:
        """ℓ² sin θ and ℓ² cos θ"""
        zero: Vector = (1.0, 0.0)
        ahead: Vector = (0.0, 1.0)
        direction: Vector = (1.0, 0.0)
        if fields.dimension == 3:
            zero, ahead, direction = self.zero, cross(self.axis, self.zero), self.direction
        u = fields.arrow(self.body, direction)
        return [dot(fields.arrow(self.reference, ahead), u), dot(fields.arrow(self.reference, zero), u)]

    def value(self, parts: Sequence[Scalar], near: Scalar | None = None) -> Scalar:
        sine, cosine = parts
        return atan2(sine, cosine) if near is None else near + self.ahead(parts, near)

    def ahead(self, parts: Sequence[Scalar], of: Scalar) -> Scalar:
        """The angle minus a value, within ±π."""
        sine, cosine = parts
        return atan2(sine * cos(of) - cosine * sin(of), cosine * cos(of) + sine * sin(of))

    def miss(self, parts: Sequence[Scalar], value: Scalar, length: float) -> Scalar:
        """ℓ sin(θ − f) = ℓ (cos f sin θ − sin f cos θ), which also vanishes half a turn away."""
        sine, cosine = parts
        scale = 1.0 / length
        return cos(value) * (sine * scale) - sin(value) * (cosine * scale)
