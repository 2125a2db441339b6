"""Velocities of bodies at places that are not fixed in them, for joints that prevent slip."""

from __future__ import annotations

from collections.abc import Sequence

from grashof.model.fields import Fields, Scalars, Vector, difference, dot
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
