"""Angle between two lines, such as a transmission or pressure angle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grashof.common.errors import ModelError
from grashof.model.fields import Fields, Scalars, body_of, difference
from grashof.model.measures.polar import PolarMeasure
from grashof.model.validation import check_point

if TYPE_CHECKING:
    from grashof.model.model import Model


class Between(PolarMeasure, tag="angle between lines", frozen=True):
    """The angle from the line a → b to the line c → d, positive counter-clockwise, including whole turns (plane).

    With u = P_b − P_a and v = P_d − P_c,

        |u| |v| sin θ = u × v,   |u| |v| cos θ = u · v
    """

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
