"""Angle between two bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import msgspec

from grashof.common.errors import ModelError, did_you_mean
from grashof.model.bodies import GROUND
from grashof.model.fields import Fields, Scalars, Vector, cross, dot
from grashof.model.measures.polar import PolarMeasure
from grashof.model.motions import NORMAL, ElementaryMotion
from grashof.model.validation import check_direction, check_right_angle

if TYPE_CHECKING:
    from grashof.model.model import Model


class Angle(PolarMeasure, tag="angle", frozen=True):
    """The angle of `body` relative to `reference`, positive about `axis`, including whole turns.

    In the plane, it is the angle between the two x axes. In space, it is measured from the direction `zero` (in the
    reference's axes, at right angles to `axis`) to `direction` (in the body's axes). Its sine and cosine are bilinear:

        sin θ = ((axis × zero) · direction),   cos θ = (zero · direction)
    """

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

    @property
    def motion(self) -> ElementaryMotion:
        return ElementaryMotion("turn", self.axis)

    def in_space(self) -> Self:
        x = (1.0, 0.0, 0.0)
        return msgspec.structs.replace(self, axis=NORMAL, zero=x, direction=x)

    def check(self, owner: str, model: Model) -> None:
        for body in (self.body, self.reference):
            if body not in model.body_names:
                raise ModelError(f"{owner}: there is no body '{body}'; {did_you_mean(body, model.body_names)}")
        if self.body == self.reference:
            raise ModelError(
                f"{owner}: it measures '{self.body}' relative to itself; choose another body or reference."
            )
        in_space = model.dimension == 3
        advice = "an angle in space needs axis, zero and direction."
        for field in self.directions:
            check_direction(f"{owner}: {field}", getattr(self, field), 3, needed=in_space, advice=advice)
        if in_space:
            check_right_angle(owner, ("axis", "zero"), self.axis, self.zero)

    def parts(self, fields: Fields) -> Scalars:
        """ℓ² sin θ and ℓ² cos θ"""
        zero: Vector = (1.0, 0.0)
        ahead: Vector = (0.0, 1.0)
        direction: Vector = (1.0, 0.0)
        if fields.dimension == 3:
            zero, ahead, direction = self.zero, cross(self.axis, self.zero), self.direction
        u = fields.arrow(self.body, direction)
        return [dot(fields.arrow(self.reference, ahead), u), dot(fields.arrow(self.reference, zero), u)]
