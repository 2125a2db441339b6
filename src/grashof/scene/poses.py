"""Poses of bodies, as positions and quaternions, from the coordinates of the mechanism."""

from __future__ import annotations

import numpy as np

from grashof.formulation.natural.system import System
from grashof.model.rotations import quaternions
from grashof.situation.motion import known_directions, motion_of, shortest_turns

Array = np.ndarray


def poses(system: System, q: Array) -> Array:
    """x, y, z and the quaternion w, x, y, z of every body for rows of coordinates, (rows, bodies, 7).

    Quaternions are continuous along the rows. The rotation of a slender bar in space about its own axis is
    undetermined: from row to row the bar turns no more than the change of its direction requires.
    """
    found = motion_of(system, np.zeros(len(q)), q, np.zeros_like(q))
    rows = np.zeros((len(q), len(system.model.bodies), 7))
    for k, body in enumerate(system.model.bodies):
        rotations, known = found.rotations[:, k], known_directions(system, body.name)
        if len(known) == 1:
            rotations = _without_spin(rotations, known[0])
        rows[:, k] = np.hstack([found.positions[:, k], continuous(quaternions(rotations))])
    return rows


def _without_spin(rotations: Array, own: Array) -> Array:
    """Rotations (rows, 3, 3) after each other that carry an axis of a body where the given ones do, without turning
    about it."""
    there = rotations @ (own / np.linalg.norm(own))
    found = rotations.copy()
    for row in range(1, len(there)):
        found[row] = shortest_turns(there[row - 1], there[row : row + 1])[0] @ found[row - 1]
    return found


def continuous(quaternions: Array) -> Array:
    """The same rotations, (rows, …, 4), each quaternion with the sign that makes it closer to the one before."""
    turns = np.sum(quaternions[1:] * quaternions[:-1], axis=-1) < 0.0
    signs = np.where(
        np.cumsum(np.concatenate([np.zeros_like(quaternions[:1, ..., 0], bool), turns]), axis=0) % 2 == 1, -1.0, 1.0
    )
    return np.asarray(signs[..., None] * quaternions)
