"""Angle between two lines, such as a transmission or pressure angle."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from grashof.common.errors import ModelError
from grashof.model.fields import Fields, Scalars, body_of, difference
from grashof.model.measures.base import MeasureBase, Term
from grashof.model.validation import check_point
from grashof.scalar.functions import Scalar, atan2, cos, sin

if TYPE_CHECKING:
    from grashof.model.model import Model


class Between(MeasureBase, tag="angle between lines", frozen=True):
    """The angle from the line a → b to the line c → d, positive counter-clockwise, including whole turns (plane).

    With u = P_b − P_a and v = P_d − P_c,

        |u| |v| sin θ = u × v,   |u| |v| cos θ = u · v
    """

    unit = "rad"
    winds = True

    first: tuple[str, str]
    second: tuple[str, str]

    @property
    def bodies(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(body_of(point) for point in (*self.first, *self.second)))

    def check(self, owner: str, model: Model) -> None:
        if model.dimension != 2:
            raise ModelError(f"{owner}: angles between lines are measured in the plane; in space, use an angle.")
        for field, line in (("first", self.first), ("second", self.second)):
            for point in line:
                check_point(f"{owner}: {field}", point, model)
            if line[0] == line[1]:
                raise ModelError(f"{owner}: {field} goes from '{line[0]}' to itself; a line needs two points.")
        if len(self.bodies) == 1:
            raise ModelError(f"{owner}: all points are of one body, so that the angle never changes; take others.")

    def parts(self, fields: Fields) -> Scalars:
        """u × v and u · v"""
        (ux, uy), (vx, vy) = (difference(fields.point(b), fields.point(a)) for a, b in (self.first, self.second))
        return [ux * vy - uy * vx, ux * vx + uy * vy]

    def value(self, parts: Sequence[Scalar], near: Scalar | None = None) -> Scalar:
        sine, cosine = parts
        return atan2(sine, cosine) if near is None else near + self.ahead(parts, near)

    def ahead(self, parts: Sequence[Scalar], of: Scalar) -> Scalar:
        sine, cosine = parts
        return atan2(sine * cos(of) - cosine * sin(of), cosine * cos(of) + sine * sin(of))

    def miss(self, parts: Sequence[Scalar], value: Scalar, length: float) -> Scalar:
        """|u| |v| sin(θ − f)/ℓ, which also vanishes half a turn away."""
        sine, cosine = parts
        scale = 1.0 / length
        return cos(value) * (sine * scale) - sin(value) * (cosine * scale)

    def miss_terms(self, parts: Sequence[Scalar], length: float) -> list[Term]:
        sine, cosine = (part * (1.0 / length) for part in parts)
        return [(cos, sine), (lambda value: -sin(value), cosine)]
