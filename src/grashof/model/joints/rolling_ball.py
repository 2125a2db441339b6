"""Ball that rolls on a plane."""

from __future__ import annotations

from grashof.model.fields import Fields, Scalars, Vector
from grashof.model.joints.base import offset_along
from grashof.model.joints.slipping import RollingBase, axes_of, split, velocity_at


class RollingBall(RollingBase, tag="rolling ball", frozen=True):
    """A ball with its centre at point b rolls without slipping on a plane of body a, on the side of its normal (space).

        n_a · (P_b − P_a) = r,        ω_b-velocity at P_b − r n_a equals that of body a there

    The plane passes through point a, `normal_a` is its normal, and `radius` is r, m.

    Removes one degree of freedom of the positions and three of the velocities.
    """

    normal_a: Vector = ()

    def equations(self, fields: Fields) -> Scalars:
        (height,) = offset_along(self, fields, self.normal_a)
        return [height - self.radius]

    def slip_parts(self, fields: Fields) -> Scalars:
        return [*self.plane_parts(fields), *axes_of(fields, self.bodies[1])]

    def slips(self, parts: Scalars) -> Scalars:
        normal, *plane, center, first, second, third = split(parts, 3)
        offset = [-self.radius * x for x in normal]
        return self.plane_slips([normal, *plane, center], offset, velocity_at(offset, center, [first, second, third]))
