"""Distance between two points."""

from __future__ import annotations

from collections.abc import Sequence

from grashof.model.fields import Fields, Scalars, body_of, difference, dot
from grashof.model.measures.base import MeasureBase
from grashof.scalar.functions import Scalar, sqrt


class Separation(MeasureBase, tag="distance", frozen=True):
    """The distance |P_b − P_a| between the points `a` and `b`, in m."""

    a: str
    b: str

    @property
    def bodies(self) -> tuple[str, ...]:
        return body_of(self.a), body_of(self.b)

    def parts(self, fields: Fields) -> Scalars:
        """The vector from a to b."""
        return difference(fields.point(self.b), fields.point(self.a))

    def value(self, parts: Sequence[Scalar], near: Scalar | None = None) -> Scalar:
        return sqrt(dot(parts, parts))

    def miss(self, parts: Sequence[Scalar], value: Scalar, length: float) -> Scalar:
        """(|P_b − P_a|² − f²) / 2ℓ"""
        return (dot(parts, parts) - value * value) * (0.5 / length)
