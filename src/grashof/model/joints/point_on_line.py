"""Point on a line."""

from __future__ import annotations

from grashof.model.fields import Fields, Scalars, Vector, cross, perpendicular
from grashof.model.joints.base import JointBase, offset_along
from grashof.model.measures import Measure
from grashof.model.motions import ElementaryMotion


class PointOnLine(JointBase, tag="point on line", frozen=True):
    """Point b stays on the line through `a` along `axis_a` (space only): n_a · (P_b − P_a) = 0 for two normals.

    Leaves four degrees of freedom.
    """

    symbol = "slot"
    lower_pair = False

    axis_a: Vector = ()

    @property
    def motions(self) -> tuple[ElementaryMotion, ...]:
        return ElementaryMotion("slide", self.axis_a), ElementaryMotion("ball")

    def equations(self, fields: Fields) -> Scalars:
        normal = perpendicular(self.axis_a)
        return offset_along(self, fields, normal) + offset_along(self, fields, cross(self.axis_a, normal))

    def bearing(self, dimension: int) -> int:
        return 2

    def freedoms(self, name: str) -> tuple[Measure, ...]:
        return ()
