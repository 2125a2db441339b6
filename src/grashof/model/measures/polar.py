"""Angles that are determined by multiples of their sine and cosine."""

from __future__ import annotations

from collections.abc import Sequence

from grashof.model.measures.base import MeasureBase, Term
from grashof.scalar.functions import Scalar, atan2, cos, sin


class PolarMeasure(MeasureBase, frozen=True):
    """An angle θ whose parts are r sin θ and r cos θ, with the same r > 0."""

    unit = "rad"
    winds = True

    def value(self, parts: Sequence[Scalar], near: Scalar | None = None) -> Scalar:
        sine, cosine = parts
        return atan2(sine, cosine) if near is None else near + self.ahead(parts, near)

    def ahead(self, parts: Sequence[Scalar], of: Scalar) -> Scalar:
        sine, cosine = parts
        return atan2(sine * cos(of) - cosine * sin(of), cosine * cos(of) + sine * sin(of))

    def miss(self, parts: Sequence[Scalar], value: Scalar, length: float) -> Scalar:
        """r sin(θ − f)/ℓ = r (cos f sin θ − sin f cos θ)/ℓ, which also vanishes half a turn away."""
        sine, cosine = parts
        scale = 1.0 / length
        return cos(value) * (sine * scale) - sin(value) * (cosine * scale)

    def miss_terms(self, parts: Sequence[Scalar], length: float) -> list[Term]:
        sine, cosine = (part * (1.0 / length) for part in parts)
        return [(cos, sine), (lambda value: -sin(value), cosine)]
