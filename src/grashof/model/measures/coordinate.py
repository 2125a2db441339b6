"""Coordinate of a point along a direction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Self

import msgspec

from grashof.common.errors import ModelError
from grashof.model.bodies import GROUND
from grashof.model.fields import Fields, Scalars, Vector, body_of, difference, dot
from grashof.model.measures.base import MeasureBase
from grashof.model.motions import ElementaryMotion
from grashof.model.validation import check_direction, check_point
from grashof.scalar.functions import Scalar

if TYPE_CHECKING:
    from grashof.model.model import Model


class Coordinate(MeasureBase, tag="coordinate", frozen=True):
    """e · (P − O), in m: the coordinate of `point` along `direction` from `origin`, which are both fixed in one body.

    origin      a point `body.point`; by default the origin of the ground
    direction   unit vector in the axes of the origin's body
    """

    directions = ("direction",)

    point: str
    direction: Vector
    origin: str = ""

    @property
    def smooth(self) -> bool:
        return True

    @property
    def bodies(self) -> tuple[str, ...]:
        return body_of(self.origin) if self.origin else GROUND, body_of(self.point)

    @property
    def motion(self) -> ElementaryMotion:
        return ElementaryMotion("slide", self.direction)

    @property
    def ends(self) -> tuple[str, str]:
        return self.origin, self.point

    def in_space(self) -> Self:
        return msgspec.structs.replace(self, direction=(*self.direction, 0.0))

    def check(self, owner: str, model: Model) -> None:
        for reference in (self.point, self.origin) if self.origin else (self.point,):
            check_point(owner, reference, model)
        advice = f"give the direction as {model.dimension} numbers."
        check_direction(f"{owner}: direction", self.direction, model.dimension, needed=True, advice=advice)
        if len(set(self.bodies)) == 1:
            raise ModelError(
                f"{owner}: '{self.point}' never moves relative to its origin; choose a point of another body."
            )

    def parts(self, fields: Fields) -> Scalars:
        place = fields.point(self.point)
        if not self.origin:
            return [dot(self.direction, place)]
        arrow = fields.arrow(body_of(self.origin), self.direction)
        return [dot(arrow, difference(place, fields.point(self.origin))) * (1.0 / fields.length)]

    def value(self, parts: Sequence[Scalar], near: Scalar | None = None) -> Scalar:
        return parts[0]

    def miss(self, parts: Sequence[Scalar], value: Scalar, length: float) -> Scalar:
        return parts[0] - value
