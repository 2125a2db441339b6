"""Attitudes of frames as other programs write them: body-fixed angles about x, y, z (OpenSim) and matrices whose columns are the axes.

R = R_x(α) R_y(β) R_z(γ)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import islice, product

import numpy as np

from grashof.model.fields import Vector, cross, unit

_SNAP = 4e-16
"""Components so near to zero or one are exactly so, as in `unit`."""
_NEAR = 8
"""Neighbours of an angle, on each side, among which the one is looked for that gives the same axes."""


def rotation(angles: Sequence[float]) -> np.ndarray:
    """The axes of a frame, as columns, that is turned by these angles.

    >>> rotation((0.0, 0.0, math.pi / 2)).tolist()
    [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    found: np.ndarray = _rotations(*([x] for x in angles))[0]
    return found


def angles(axes: np.ndarray, given: Sequence[int] = (0, 1, 2)) -> Vector:
    """The angles of a frame with these axes, such that `rotation` gives back those that are given, to the last bit where such angles are found."""
    first = _angles(axes, 2 in given)
    plain = [first, *(tuple(float(f"{x:.{digits}g}") for x in first) for digits in range(16, 2, -1))]
    near = [_neighbours(x) for x in first]
    for columns in ([0, 1, 2], list(given)):
        for choice in plain:
            if np.array_equal(rotation(choice)[:, columns], axes[:, columns]):
                return choice
        same = np.flatnonzero((_rotations(*near)[:, :, columns] == axes[:, columns]).all(axis=(1, 2)))
        if len(same):
            return tuple(float(x) for x in next(islice(product(*near), int(same[0]), None)))
    return first


def _neighbours(x: float) -> list[float]:
    """Numbers next to an angle."""
    steps = range(-_NEAR, _NEAR + 1)
    return sorted({x + k * math.ulp(x) for k in steps}) if x else [0.0]


def _rotations(first: Sequence[float], second: Sequence[float], third: Sequence[float]) -> np.ndarray:
    """The axes for all combinations of these angles, (n, 3, 3), each rounded as if it were alone."""
    shape = len(first), len(second), len(third)

    def table(function: Callable[[float], float], values: Sequence[float], axis: int) -> np.ndarray:
        return np.broadcast_to(
            np.array([function(x) for x in values]).reshape([-1 if k == axis else 1 for k in range(3)]), shape
        )

    (sa, ca), (sb, cb), (sc, cc) = (
        (table(math.sin, values, axis), table(math.cos, values, axis))
        for axis, values in enumerate((first, second, third))
    )
    found = np.array(
        [
            [cb * cc, -cb * sc, sb],
            [ca * sc + sa * sb * cc, ca * cc - sa * sb * sc, -sa * cb],
            [sa * sc - ca * sb * cc, sa * cc + ca * sb * sc, ca * cb],
        ]
    )
    whole = np.round(found)
    snapped: np.ndarray = np.where(np.abs(found - whole) < _SNAP, whole, found) + 0.0
    return snapped.reshape(3, 3, -1).transpose(2, 0, 1)


def _angles(r: np.ndarray, by_last: bool) -> Vector:
    """The first two angles from the last column, if that is exact, else the others from the first row."""
    z = math.atan2(-r[0, 1], r[0, 0])
    y = math.atan2(r[0, 2], math.hypot(r[0, 0], r[0, 1]))
    if by_last and math.hypot(r[1, 2], r[2, 2]) > 1e-6:
        return math.atan2(-r[1, 2], r[2, 2]) + 0.0, math.atan2(r[0, 2], math.hypot(r[1, 2], r[2, 2])) + 0.0, z + 0.0
    # x from what is left: well defined where y is a quarter turn, too
    x = math.atan2(
        r[2, 0] * math.sin(z) + r[2, 1] * math.cos(z),
        r[1, 0] * math.sin(z) + r[1, 1] * math.cos(z),
    )
    return x + 0.0, y + 0.0, z + 0.0


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
