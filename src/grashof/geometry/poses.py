"""The positions and orientations of the bodies of a mechanism."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from grashof.formulation.natural.system import System
from grashof.model.fields import cross, dot, perpendicular
from grashof.model.rotations import quaternion
from grashof.model.start import Pose
from grashof.scalar.algebra import norm, product

Matrix = NDArray[np.float64]


def poses_at(system: System, q: Matrix) -> dict[str, Pose]:
    """The positions and orientations of the bodies at coordinates q, by name. The spin of a slender bar about its
    axis is arbitrary."""
    places, size = q.tolist(), system.dimension
    poses = {}
    for body in system.model.bodies:
        frame = system.frames[body.name]
        directions = [np.array([form.at(places) for form in forms], float) for forms in frame.directions]
        here, local = _triad(directions, size), _triad(list(np.asarray(frame.directions_local, float)), size)
        axes = product(here.T, local)
        origin = np.array([form.at(places) for form in frame.origin], float) - product(axes, frame.origin_local)
        angle = math.atan2(axes[1, 0], axes[0, 0]) if size == 2 else 0.0
        rotation = quaternion(axes) if size == 3 else (1.0, 0.0, 0.0, 0.0)
        poses[body.name] = Pose(tuple(origin.tolist()), angle, rotation)
    return poses


def _triad(directions: Sequence[Matrix], size: int) -> Matrix:
    """Orthonormal axes, as rows: the first along the first direction, and so on; missing ones are perpendicular to
    the others."""
    axes: list[Matrix] = []
    for direction in directions:
        rest = direction - sum((dot(direction, axis) * axis for axis in axes), np.zeros(size))
        axes.append(rest / norm(rest))
    if not axes:
        return np.eye(size)
    if len(axes) == 1:
        axes.append(np.array(perpendicular(tuple(axes[0].tolist()))))
    if size == 3 and len(axes) == 2:
        axes.append(np.array(cross(tuple(axes[0]), tuple(axes[1]))))
    return np.array(axes)
