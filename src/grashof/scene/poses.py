"""Poses of bodies, as positions and quaternions, from the coordinates of the mechanism."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grashof.formulation.natural.coordinates import Frame
from grashof.formulation.natural.forms import Form
from grashof.formulation.natural.system import System
from grashof.model.rotations import quaternions

Array = np.ndarray


def poses(system: System, q: Array) -> Array:
    """x, y, z and the quaternion w, x, y, z of every body for rows of coordinates, (rows, bodies, 7).

    Quaternions are continuous along the rows. The rotation of a slender bar in space about its own axis is
    undetermined: from row to row the bar turns no more than the change of its direction requires.
    """
    bodies = [_pose(system.frames[body.name], q, system.dimension) for body in system.model.bodies]
    return np.stack(bodies, axis=1) if bodies else np.zeros((len(q), 0, 7))


def _pose(frame: Frame, q: Array, dimension: int) -> Array:
    if not frame.directions:  # a point mass in space
        origin = _values(frame.origin, q) - np.asarray(frame.origin_local, float)
        return np.hstack([origin, np.tile([1.0, 0.0, 0.0, 0.0], (len(q), 1))])
    along = np.stack([_values(direction, q) for direction in frame.directions], axis=1)  # (rows, k, dimension)
    if dimension == 2:
        local = frame.directions_local[0]
        half = 0.5 * np.unwrap(np.arctan2(along[:, 0, 1], along[:, 0, 0]) - np.arctan2(local[1], local[0]))
        turned = np.stack([np.cos(half), 0 * half, 0 * half, np.sin(half)], axis=1)
        rotated = np.cos(2 * half), np.sin(2 * half)
        x, y = frame.origin_local
        base = _values(frame.origin, q)
        origin = np.stack(
            [base[:, 0] - rotated[0] * x + rotated[1] * y, base[:, 1] - rotated[1] * x - rotated[0] * y, 0 * half],
            axis=1,
        )
        return np.hstack([origin, turned])
    rotations = _rotations(along, frame.directions_local)
    origin = _values(frame.origin, q) - rotations @ np.asarray(frame.origin_local, float)
    return np.hstack([origin, continuous(quaternions(rotations))])


def _values(forms: Sequence[Form], q: Array) -> Array:
    columns = list(q.T)
    return np.stack([np.broadcast_to(np.asarray(form.at(columns), float), len(q)) for form in forms], axis=1)


def _rotations(along: Array, local: Array) -> Array:
    """The rotation matrices (rows, 3, 3) that map a body's directions (k, 3) to their current ones (rows, k, 3)."""
    here = _frame_of(local)
    if len(local) > 1:
        there = _frames_of(along)
    else:
        there, normal = np.empty((len(along), 3, 3)), here[:, 1]
        for row, directions in enumerate(along):
            there[row] = _frame_of(directions, near=normal)
            normal = there[row, :, 1]
    return np.asarray(there @ here.T)


def _frames_of(along: Array) -> Array:
    """Orthogonal axes for each row, as columns: the first along the first direction, the second in the plane of
    both."""
    first, second = along[:, 0], along[:, 1]
    first = first / np.linalg.norm(first, axis=1, keepdims=True)
    second = second - first * np.sum(first * second, axis=1, keepdims=True)
    second = second / np.linalg.norm(second, axis=1, keepdims=True)
    return np.stack([first, second, np.cross(first, second)], axis=2)


def _frame_of(directions: Array, near: Array | None = None) -> Array:
    """Orthogonal axes, as columns: the first along the first direction, the second in the plane of the first two.

    For a single direction, the second axis is as close to `near` as possible.
    """
    first = directions[0] / np.linalg.norm(directions[0])
    if len(directions) > 1:
        second = directions[1]
    elif near is not None and np.linalg.norm(np.cross(first, near)) > 1e-6:
        second = near
    else:
        second = np.eye(3)[int(np.argmin(np.abs(first)))]
    second = second - first * (first @ second)
    second = second / np.linalg.norm(second)
    return np.column_stack([first, second, np.cross(first, second)])


def continuous(quaternions: Array) -> Array:
    """The same rotations, (rows, …, 4), each quaternion with the sign that makes it closer to the one before."""
    turns = np.sum(quaternions[1:] * quaternions[:-1], axis=-1) < 0.0
    signs = np.where(
        np.cumsum(np.concatenate([np.zeros_like(quaternions[:1, ..., 0], bool), turns]), axis=0) % 2 == 1, -1.0, 1.0
    )
    return np.asarray(signs[..., None] * quaternions)
