"""What joints, forces and measures need to know of the bodies they act on.

Joints are written once, as functions of points and arrows; the same function then gives symbolic rows (with linear
forms as scalars), their values along a trajectory (with arrays) and their rates (with jets). `Fields` is the common
interface.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from grashof.common.errors import ModelError
from grashof.scalar.functions import Scalar, sqrt

Vector = tuple[float, ...]
"""Two numbers in the plane, three in space, in metres unless said otherwise."""

Scalars = list[Scalar]


class Fields(Protocol):
    """Bodies as fields of points and directions."""

    @property
    def dimension(self) -> int:
        """2 in the plane, 3 in space."""

    @property
    def length(self) -> float:
        """ℓ, the mechanism's length scale in metres: arrows have this length, so that every equation is in metres."""

    def point(self, reference: str) -> Scalars:
        """The position of the point `body.point`, in metres."""

    def arrow(self, body: str, direction: Vector) -> Scalars:
        """The body-fixed unit vector `direction` (body axes), multiplied by ℓ."""


def dot(a: Sequence[Scalar] | NDArray[np.float64], b: Sequence[Scalar] | NDArray[np.float64]) -> Scalar:
    """a·b"""
    total = a[0] * b[0]
    for x, y in zip(a[1:], b[1:], strict=True):
        total = total + x * y
    return total


def difference(a: Sequence[Scalar], b: Sequence[Scalar]) -> Scalars:
    """a − b"""
    return [x - y for x, y in zip(a, b, strict=True)]


def body_of(reference: str) -> str:
    """The body in `body.point`."""
    return reference.rpartition(".")[0]


def perpendicular(direction: Vector) -> Vector:
    """A perpendicular unit vector: 90° counter-clockwise in the plane, a fixed choice in space."""
    if len(direction) == 2:
        return (-direction[1], direction[0])
    smallest = min(range(3), key=lambda i: abs(direction[i]))
    seed = tuple(1.0 if i == smallest else 0.0 for i in range(3))
    return unit(cross(direction, seed))


def cross(a: Vector, b: Vector) -> Vector:
    """a × b in space"""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def unit(direction: Vector) -> Vector:
    """The unit vector along a direction; components that are zero or one up to round-off become exactly so."""
    largest = max(abs(x) for x in direction)
    if largest == 0.0 or not all(abs(x) < math.inf for x in direction):
        raise ModelError(f"The direction {direction} has no length to divide by; give finite numbers, not all zero.")
    scaled = [x / largest for x in direction]  # squares of very small or large components would under- or overflow
    numbers = all(isinstance(x, float | int) for x in scaled)
    norm = math.hypot(*scaled) if numbers else sqrt(dot(scaled, scaled))
    return tuple(float(round(x / norm)) if abs(x / norm - round(x / norm)) < 4e-16 else x / norm for x in scaled)
