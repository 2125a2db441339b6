"""Cosine of the angle between directions of two bodies."""

from __future__ import annotations

from collections.abc import Sequence

from grashof.model.fields import Fields, Scalars, Vector, dot
from grashof.model.measures.base import MeasureBase
from grashof.scalar.functions import Scalar


class Cosine(MeasureBase, frozen=True):
    """e_a · e_b. The nine of them form the rotation matrix of `body` relative to `reference`; forces act on them to
    apply torques of any direction.

    zero, direction   unit vectors in the axes of the reference and of the body
    """

    unit = ""

    body: str
    reference: str
    zero: Vector
    direction: Vector

    @property
    def smooth(self) -> bool:
        return True

    @property
    def bodies(self) -> tuple[str, ...]:
        return self.reference, self.body

    def parts(self, fields: Fields) -> Scalars:
        scale = 1.0 / (fields.length * fields.length)
        return [dot(fields.arrow(self.reference, self.zero), fields.arrow(self.body, self.direction)) * scale]

    def value(self, parts: Sequence[Scalar], near: Scalar | None = None) -> Scalar:
        return parts[0]
