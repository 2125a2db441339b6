"""Mass properties as CAD programs give them, and poses of bodies through given places.

About a point P at the distance d from the centre of mass, I_P = I_c + m (d·d 1 − d dᵀ) (Huygens, Steiner), and in axes
with the matrix R, whose columns are the axes, I = R I' Rᵀ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from grashof.common.errors import ModelError
from grashof.common.wording import join_words
from grashof.model.fields import Vector
from grashof.model.formula import value_of
from grashof.model.rotations import quaternion
from grashof.model.start import Pose

Array = np.ndarray

RIGHT = 1e-6
"""Axes are perpendicular unit vectors up to this."""

NEAR = 0.2
"""Places are a guess of a pose if their distances are those of the points, up to this fraction."""


def central_inertia(owner: str, inertia: Any, mass: float, arm: Sequence[float]) -> Any:
    """The inertia about the centre of mass, given that about a point at this distance from it."""
    d = np.array(arm)
    if len(d) == 2:
        found = value_of(inertia) - mass * float(d @ d)
        smallest = found
    else:
        matrix = _matrix(inertia) - mass * (d @ d * np.eye(3) - np.outer(d, d))
        found, smallest = _entries_of(matrix), float(np.linalg.eigvalsh(matrix)[0])
    scale = mass * float(d @ d)
    if smallest < -1e-9 * scale:
        raise ModelError(
            f"{owner}: about its centre of mass the smallest moment of inertia would be {smallest:.3g} kg m², which is "
            "negative. Check the mass, the centre, and the point 'about' which the inertia is given."
        )
    return found


def turned_inertia(owner: str, inertia: Any, axes: Any) -> Any:
    """The inertia in the body's own axes, given that in other axes."""
    rows = np.array(axes, float)
    if rows.shape != (3, 3):
        raise ModelError(
            f"{owner}: axes of the inertia are three vectors of three numbers, in space; in the plane the inertia is "
            "one number in all axes."
        )
    if np.max(np.abs(rows @ rows.T - np.eye(3))) > RIGHT:
        raise ModelError(f"{owner}: the axes of the inertia must be unit vectors at right angles to each other.")
    return _entries_of(rows.T @ _matrix(inertia) @ rows)


def pose_through(owner: str, points: Mapping[str, Vector], where: Mapping[str, Vector]) -> Pose:
    """The pose with which points of a body lie at given places; in space, two points leave the rotation about their
    line, of which the smallest is taken."""
    unknown = [name for name in where if name not in points]
    if unknown or not where:
        known = join_words([f"'{name}'" for name in points]) or "none"
        raise ModelError(f"{owner}: at names {unknown[:1] or 'no points'}; its points are {known}.")
    own = np.array([[value_of(x) for x in points[name]] for name in where])
    world = np.array([[value_of(x) for x in place] for place in where.values()])
    for k in range(1, len(own)):
        for i in range(k):
            given, needed = np.linalg.norm(world[k] - world[i]), np.linalg.norm(own[k] - own[i])
            if abs(given - needed) > NEAR * needed:
                names = list(where)
                raise ModelError(
                    f"{owner}: '{names[i]}' and '{names[k]}' are {needed:.6g} m apart, but the given places are "
                    f"{given:.6g} m apart. Check them: a guess need not be exact, but should be near."
                )
    from_own, from_world = own - own.mean(axis=0), world - world.mean(axis=0)
    turn = _rotation(from_own, from_world)
    origin = world.mean(axis=0) - turn @ own.mean(axis=0)
    place = tuple(float(x) for x in origin)
    if len(place) == 2:
        return Pose(place, float(np.arctan2(turn[1, 0], turn[0, 0])))
    return Pose(place, 0.0, quaternion(turn))


def _rotation(a: Array, b: Array) -> Array:
    """The rotation R that takes a to b, with the least Σ |R a − b|² (Kabsch, 1976)."""
    size = a.shape[1]
    if size == 3 and np.linalg.matrix_rank(a, tol=1e-9 * max(1.0, float(np.max(np.abs(a))))) == 1:
        farthest = int(np.argmax(np.linalg.norm(a, axis=1)))
        along, goal = a[farthest], b[farthest]
        return _smallest_turn(along / np.linalg.norm(along), goal / np.linalg.norm(goal))
    u, _, vt = np.linalg.svd(a.T @ b)
    flip = np.eye(size)
    flip[-1, -1] = np.sign(np.linalg.det(u) * np.linalg.det(vt)) or 1.0
    return np.asarray(vt.T @ flip @ u.T)


def _smallest_turn(a: Array, b: Array) -> Array:
    """The smallest rotation from one unit vector to another (Rodrigues)."""
    axis, c = np.cross(a, b), float(a @ b)
    if c < -1.0 + 1e-12:
        side = np.cross(a, np.eye(3)[int(np.argmin(np.abs(a)))])
        side /= np.linalg.norm(side)
        return np.asarray(2.0 * np.outer(side, side) - np.eye(3))
    k = np.array([[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]])
    return np.asarray(np.eye(3) + k + k @ k / (1.0 + c))


def _matrix(inertia: Any) -> Array:
    values = [value_of(x) for x in inertia]
    xx, yy, zz, xy, xz, yz = (*values, 0.0, 0.0, 0.0)[:6]
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _entries_of(matrix: Array) -> tuple[float, ...]:
    return tuple(float(matrix[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
