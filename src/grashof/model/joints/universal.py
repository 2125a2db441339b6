"""Universal joint."""

from __future__ import annotations

from grashof.model.fields import Fields, Scalars, Vector, dot, perpendicular
from grashof.model.joints.base import JointBase, coincide
from grashof.model.measures import Angle, Measure
from grashof.model.motions import ElementaryMotion


class Universal(JointBase, tag="universal", frozen=True):
    """A Cardan joint (space only): P_a = P_b, and the arms of its cross stay at right angles, e_a · e_b = 0.

    Leaves two rotations.
    """

    symbol = "cross"
    points_meet = True
    slip_unit = "rad"
    lower_pair = False
    directions_coincide = False

    axis_a: Vector = ()
    axis_b: Vector = ()

    @property
    def motions(self) -> tuple[ElementaryMotion, ...]:
        return ElementaryMotion("turn", axis_a=self.axis_a), ElementaryMotion("turn", axis_b=self.axis_b)

    def equations(self, fields: Fields) -> Scalars:
        body_a, body_b = self.bodies
        arms = dot(fields.arrow(body_a, self.axis_a), fields.arrow(body_b, self.axis_b))
        return [*coincide(self, fields), arms * (1.0 / fields.length)]

    def freedoms(self, name: str) -> tuple[Measure, ...]:
        """The angles of the cross relative to a and relative to b."""
        a, b = self.bodies
        return (
            Angle(name, b, a, axis=self.axis_a, zero=perpendicular(self.axis_a), direction=self.axis_b),
            Angle(f"{name}2", a, b, axis=self.axis_b, zero=perpendicular(self.axis_b), direction=self.axis_a),
        )
