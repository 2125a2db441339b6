"""Joints that prevent slip at places that are not fixed in their bodies, as rolling does."""

from __future__ import annotations

from collections.abc import Sequence

from grashof.model.fields import Fields, Scalars, Vector, cross, difference, dot, perpendicular
from grashof.model.joints.base import JointBase
from grashof.model.units import Length
from grashof.model.validation import check_positive
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet


def rate_of(part: Scalar) -> Scalar:
    """The rate of a jet, as a jet with its own rate; zero for what does not move."""
    return Jet(part.first, part.second, 0.0) if isinstance(part, Jet) else 0.0


def unit_arrow(fields: Fields, body: str, direction: Vector) -> Scalars:
    """A direction that is fixed in a body, as a unit vector."""
    return [x * (1.0 / fields.length) for x in fields.arrow(body, direction)]


def axes_of(fields: Fields, body: str) -> Scalars:
    """The components of all axes of a body, one axis after another."""
    size = fields.dimension
    axes = [tuple(1.0 if i == k else 0.0 for i in range(size)) for k in range(size)]
    return [x for axis in axes for x in unit_arrow(fields, body, axis)]


def split(parts: Scalars, dimension: int) -> list[Scalars]:
    """Flat components as vectors."""
    return [parts[k : k + dimension] for k in range(0, len(parts), dimension)]


def velocity_at(offset: Scalars, point: Scalars, axes: Sequence[Scalars]) -> Scalars:
    """The velocity of a body at `offset` from one of its points: Ṗ + ω × r = Ṗ + Σ (r·u_k) u̇_k.

    axes   the unit vectors u_k, fixed in the body, that span r
    """
    total = [rate_of(x) for x in point]
    for axis in axes:
        share = dot(offset, axis)
        total = [v + share * rate_of(u) for v, u in zip(total, axis, strict=True)]
    return total


def relative_velocity(velocity: Scalars, place: Scalars, point: Scalars, axes: Sequence[Scalars]) -> Scalars:
    """A velocity relative to that of a body at the same place, given a point and all axes of the body."""
    return difference(velocity, velocity_at(difference(place, point), point, axes))


class RollingBase(JointBase, frozen=True):
    """What wheels and balls that roll on planes share."""

    symbol = "wheel"
    lower_pair = False
    slip_count = 2

    radius: Length

    @property
    def rim(self) -> float:
        return self.radius

    def independent_equations(self, dimension: int) -> int:
        return 1

    def properties(self) -> list[tuple[str, str]]:
        return [("radius", f"{self.radius:.6g} m")]

    def check_numbers(self, owner: str) -> None:
        check_positive(f"{owner}: radius", self.radius, "m")

    def plane_parts(self, fields: Fields) -> Scalars:
        """The normal of the plane, two directions in it, a point and the axes of its body, and the centre."""
        body, normal = self.bodies[0], dict(self.directions())["normal_a"]
        along = perpendicular(normal)
        tangents = [x for t in (along, cross(normal, along)) for x in unit_arrow(fields, body, t)]
        place = [*fields.point(self.a), *axes_of(fields, body), *fields.point(self.b)]
        return [*unit_arrow(fields, body, normal), *tangents, *place]

    def plane_slips(self, plane: Sequence[Scalars], offset: Scalars, velocity: Scalars) -> Scalars:
        """The velocity along the plane, relative to it, at `offset` from the centre, where the wheel has `velocity`."""
        _, first, second, point, *axes, center = plane
        place = [c + x for c, x in zip(center, offset, strict=True)]
        slip = relative_velocity(velocity, place, point, axes)
        return [dot(first, slip), dot(second, slip)]
