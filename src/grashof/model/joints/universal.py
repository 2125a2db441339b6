"""Universal joint."""

from __future__ import annotations

from grashof.model.fields import Fields, Scalars, Vector, dot
from grashof.model.joints.base import JointBase, coincide


class Universal(JointBase, tag="universal", frozen=True):
    """A cross (space only): P_a = P_b and the two arms stay at right angles, e_a · e_b = 0. Leaves two rotations."""

    points_meet = True

    axis_a: Vector = ()
    axis_b: Vector = ()

    def directions(self) -> list[tuple[str, Vector]]:
        return [("axis_a", self.axis_a), ("axis_b", self.axis_b)]

    def equations(self, fields: Fields) -> Scalars:
        body_a, body_b = self.bodies
        arms = dot(fields.arrow(body_a, self.axis_a), fields.arrow(body_b, self.axis_b))
        return [*coincide(self, fields), arms * (1.0 / fields.length)]
