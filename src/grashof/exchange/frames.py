"""Orientations of frames as other programs describe them: body-fixed angles about x, y, z (OpenSim), and matrices whose
columns are the axes.

R = R_x(α) R_y(β) R_z(γ)
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from grashof.model.fields import Vector, cross, unit

_SNAP = 4e-16
"""Components this close to zero or one are rounded to it, as in `unit`."""
GIVEN: dict[str, tuple[int, int]] = {
    "WeldJoint": (0, 1),
    "SliderJoint": (0, 1),
    "UniversalJoint": (0, 1),
    "PinJoint": (0, 2),
    "PlanarJoint": (0, 2),
    "CustomJoint": (0, 2),
}
"""The axes of the frames of OpenSim's joints that a description gives; the third one follows."""


def rotation(angles: Sequence[float]) -> np.ndarray:
    """The axes of a frame, as columns, that is turned by these angles.

    >>> rotation((0.0, 0.0, math.pi / 2)).tolist()
    [[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    (sa, sb, sc), (ca, cb, cc) = (tuple(map(function, angles)) for function in (math.sin, math.cos))
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


def angles(axes: np.ndarray, given: tuple[int, int], known: Vector | None = None) -> Vector:
    """The angles of a frame of which two axes are given; the third one follows.

    `known` angles, or angles with fewer digits, are preferred if they reproduce these axes to the last bit.
    """
    axes = frame(**{"xyz"[k]: column(axes, k) for k in given})
    found = turned_by(axes, 2 in given)
    fewer = (tuple(float(f"{x:.{digits}g}") for x in found) for digits in range(16, 2, -1))
    for choice in (known, found, *fewer):
        if choice is not None:
            turned = rotation(choice)
            if all(column(turned, k) == column(axes, k) for k in given):
                return choice
    return found


def turned_by(r: np.ndarray, by_last: bool = True) -> Vector:
    """The angles of a frame, up to round-off: the first two from the last column, if that is exact, else the others
    from the first row."""
    z = math.atan2(-r[0, 1], r[0, 0])
    y = math.atan2(r[0, 2], math.hypot(r[0, 0], r[0, 1]))
    if by_last and math.hypot(r[1, 2], r[2, 2]) > 1e-6:
        return math.atan2(-r[1, 2], r[2, 2]) + 0.0, math.atan2(r[0, 2], math.hypot(r[1, 2], r[2, 2])) + 0.0, z + 0.0
    # x from the remaining rotation, which is well defined even if y is a quarter turn
    x = math.atan2(r[2, 0] * math.sin(z) + r[2, 1] * math.cos(z), r[1, 0] * math.sin(z) + r[1, 1] * math.cos(z))
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


def definite(inertia: np.ndarray) -> bool:
    """Whether an inertia is positive about every axis, as OpenSim needs it."""
    return bool(np.linalg.eigvalsh(inertia)[0] > 0.0)


def column(axes: np.ndarray, k: int) -> Vector:
    """An axis of a frame as a direction; it is returned unchanged if its length is one up to round-off."""
    found = tuple(float(x) for x in axes[:, k])
    return found if abs(math.hypot(*found) - 1.0) <= 1e-15 else unit(found)


def across(axis: Vector) -> Vector:
    """A direction at right angles to an axis: near x, unless the axis is."""
    rest = tuple((1.0 if i == 0 else 0.0) - axis[0] * x for i, x in enumerate(axis))
    if math.hypot(*rest) > 1e-3:
        return unit(rest)
    return unit(tuple((1.0 if i == 1 else 0.0) - axis[1] * x for i, x in enumerate(axis)))
