"""Distance between two points."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from grashof.model.fields import Fields, Scalars, body_of, difference, dot
from grashof.model.measures.base import MeasureBase, Term
from grashof.model.validation import check_two_bodies
from grashof.scalar.functions import Scalar, sqrt

if TYPE_CHECKING:
    from grashof.model.model import Model


class Separation(MeasureBase, tag="distance", frozen=True):
    """The distance |P_b − P_a| between the points `a` and `b`, in m."""

    never_negative = True

    a: str
    b: str

    @property
    def bodies(self) -> tuple[str, ...]:
        return body_of(self.a), body_of(self.b)

    @property
    def ends(self) -> tuple[str, str]:
        return self.a, self.b

    def check(self, owner: str, model: Model) -> None:
        check_two_bodies(owner, model, self.a, self.b, "whose distance never changes")

    def parts(self, fields: Fields) -> Scalars:
        """The vector from a to b."""
        return difference(fields.point(self.b), fields.point(self.a))

    def value(self, parts: Sequence[Scalar], near: Scalar | None = None) -> Scalar:
        return sqrt(dot(parts, parts))

    def miss(self, parts: Sequence[Scalar], value: Scalar, length: float) -> Scalar:
        """(|P_b − P_a|² − f²) / 2ℓ"""
        return (dot(parts, parts) - value * value) * (0.5 / length)

    def miss_terms(self, parts: Sequence[Scalar], length: float) -> list[Term]:
        scale = 0.5 / length
        return [(lambda value: 1.0, dot(parts, parts) * scale), (lambda value: value * value, -scale)]
