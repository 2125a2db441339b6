"""Attitudes of frames as other programs write them: body-fixed angles about x, y, z (OpenSim) and matrices whose columns are the axes.

R = R_x(α) R_y(β) R_z(γ)
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np

from grashof.model.fields import Vector, cross, unit

_SNAP = 4e-16
"""Components so near to zero or one are exactly so, as in `unit`."""


def rotation(angles: Sequence[float]) -> np.ndarray:
    """The axes of a frame, as columns, that is turned by these angles.

    >>> rotation((0.0, 0.0, math.pi / 2)).tolist()
    [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    (sa, sb, sc), (ca, cb, cc) = map(math.sin, angles), map(math.cos, angles)
    found = np.array(
        [
            [cb * cc, -cb * sc, sb],
            [ca * sc + sa * sb * cc, ca * cc - sa * sb * sc, -sa * cb],
            [sa * sc - ca * sb * cc, sa * cc + ca * sb * sc, ca * cb],
        ]
    )
    whole = np.round(found)
    snapped: np.ndarray = np.where(np.abs(found - whole) < _SNAP, whole, found) + 0.0
    return snapped


def angles(axes: np.ndarray) -> Vector:
    """The angles of a frame with these axes, such that `rotation` gives them back, to the last bit where such angles are found."""
    first = _angles(axes)
    for found in (first, *_near(first)):
        if np.array_equal(rotation(found), axes):
            return found
    return first


def _angles(r: np.ndarray) -> Vector:
    z = math.atan2(-r[0, 1], r[0, 0])
    y = math.atan2(r[0, 2], math.hypot(r[0, 0], r[0, 1]))
    # x from what is left: well defined where y is a quarter turn, too
    x = math.atan2(
        r[2, 0] * math.sin(z) + r[2, 1] * math.cos(z),
        r[1, 0] * math.sin(z) + r[1, 1] * math.cos(z),
    )
    return x + 0.0, y + 0.0, z + 0.0


def _near(given: Vector) -> Iterator[Vector]:
    """The same angles with fewer digits, then their neighbours among the floating-point numbers."""
    for digits in range(16, 2, -1):
        yield tuple(float(f"{x:.{digits}g}") for x in given)
    choices = [sorted({x + k * math.ulp(x) if x else 0.0 for k in range(-4, 5)}) for x in given]
    yield from product(*choices)


def frame(x: Vector = (), y: Vector = (), z: Vector = ()) -> np.ndarray:
    """Axes as columns from two of them at right angles; the third one follows."""
    match bool(x), bool(y), bool(z):
        case True, True, False:
            z = cross(x, y)
        case True, False, True:
            y = cross(z, x)
        case False, True, True:
            x = cross(y, z)
    return np.column_stack([x, y, z]) + 0.0


def column(axes: np.ndarray, k: int) -> Vector:
    """An axis of a frame as a direction; one whose length is one but for round-off stays as it is."""
    found = tuple(float(x) for x in axes[:, k])
    return found if abs(math.hypot(*found) - 1.0) <= 1e-15 else unit(found)


def across(axis: Vector) -> Vector:
    """A direction at right angles to an axis: near x, unless the axis is."""
    rest = tuple((1.0 if i == 0 else 0.0) - axis[0] * x for i, x in enumerate(axis))
    if math.hypot(*rest) > 1e-3:
        return unit(rest)
    return unit(tuple((1.0 if i == 1 else 0.0) - axis[1] * x for i, x in enumerate(axis)))
