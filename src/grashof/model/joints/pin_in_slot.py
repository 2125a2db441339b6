"""Pin in slot."""

from __future__ import annotations

from grashof.model.fields import Fields, Scalars, Vector, perpendicular
from grashof.model.joints.base import JointBase, offset_along, sliding, turning
from grashof.model.measures import Measure


class PinInSlot(JointBase, tag="pin in slot", frozen=True):
    """Point b stays on the line through `a` along `axis_a` (plane only): n_a · (P_b − P_a) = 0.

    Leaves two degrees of freedom.
    """

    axis_a: Vector = ()

    def directions(self) -> list[tuple[str, Vector]]:
        return [("axis_a", self.axis_a)]

    def equations(self, fields: Fields) -> Scalars:
        return offset_along(self, fields, perpendicular(self.axis_a))

    def bearing(self, dimension: int) -> int:
        return 1

    def freedoms(self, name: str) -> tuple[Measure, ...]:
        return sliding(self, name, self.axis_a), turning(self, f"{name}2", (), ())
