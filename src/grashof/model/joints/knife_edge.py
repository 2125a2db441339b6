"""Knife edge."""

from __future__ import annotations

from typing import Self

import msgspec

from grashof.model.fields import Fields, Scalars, Vector, dot
from grashof.model.joints.base import JointBase
from grashof.model.joints.slipping import axes_of, rate_of, relative_velocity, split, unit_arrow


class KnifeEdge(JointBase, tag="knife edge", frozen=True):
    """A knife edge, skate or wheel at point b that does not slip sideways: n_b · (Ṗ_b − v_a) = 0.

    n_b is `normal_b`, the direction across the blade, which is fixed in b's body, and v_a the velocity of body a at
    P_b. The point can get everywhere, but moves only along the blade. In space, another joint has to keep it on its
    track.

    Removes one degree of freedom of the velocities and none of the positions.
    """

    symbol = "blade"
    dimensions = (2, 3)
    lower_pair = False
    slip_count = 1

    normal_b: Vector = ()

    def independent_equations(self, dimension: int) -> int:
        return 0

    def needed_directions(self, dimension: int) -> list[str]:
        return ["normal_b"]

    def in_space(self) -> Self:
        return msgspec.structs.replace(self, normal_b=(*self.normal_b, 0.0))

    def equations(self, fields: Fields) -> Scalars:
        return []

    def slip_parts(self, fields: Fields) -> Scalars:
        a, b = self.bodies
        across = unit_arrow(fields, b, self.normal_b)
        return [*across, *fields.point(self.b), *fields.point(self.a), *axes_of(fields, a)]

    def slips(self, parts: Scalars) -> Scalars:
        across, place, point, *axes = split(parts, len(self.normal_b))
        return [dot(across, relative_velocity([rate_of(x) for x in place], place, point, axes))]
