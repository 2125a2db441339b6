"""Pin in slot."""

from __future__ import annotations

from grashof.model.fields import Fields, Scalars, Vector, perpendicular
from grashof.model.joints.base import JointBase, offset_along
from grashof.model.motions import NORMAL, ElementaryMotion


class PinInSlot(JointBase, tag="pin in slot", frozen=True):
    """Point b stays on the line through `a` along `axis_a` (plane only): n_a · (P_b − P_a) = 0.

    Leaves two degrees of freedom.
    """

    symbol = "slot"
    dimensions = (2,)
    lower_pair = False

    axis_a: Vector = ()

    @property
    def motions(self) -> tuple[ElementaryMotion, ...]:
        pin = NORMAL if len(self.axis_a) == 3 else ()
        return ElementaryMotion("slide", self.axis_a), ElementaryMotion("turn", pin, pin)

    def equations(self, fields: Fields) -> Scalars:
        return offset_along(self, fields, perpendicular(self.axis_a))

    def bearing(self, dimension: int) -> int:
        return 1
