"""The motion of rigid bodies as plain arrays, which every engine returns."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from grashof.formulation.natural.forms import Form
from grashof.formulation.natural.system import System
from grashof.model.fields import perpendicular

Z = (0.0, 0.0, 1.0)

Moment = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Positions, rotations, velocities and spins of all bodies at one time, each (B, …)."""


@dataclass(frozen=True)
class Motion:
    """Bodies at T times, in world axes, as returned by an engine.

    positions   of the body origins, (T, B, 3), m;  rotations: their axes as columns, (T, B, 3, 3)
    velocities  of the body origins, (T, B, 3), m/s;  spins: angular velocities, (T, B, 3), rad/s
    """

    times: np.ndarray
    positions: np.ndarray
    rotations: np.ndarray
    velocities: np.ndarray
    spins: np.ndarray

    @staticmethod
    def gather(times: np.ndarray, moments: Iterable[Moment]) -> Motion:
        """From the bodies at each time."""
        return Motion(times, *(np.array(part) for part in zip(*moments, strict=True)))

    def at(self, chosen: slice) -> Motion:
        """At some of the times."""
        parts = (self.times, self.positions, self.rotations, self.velocities, self.spins)
        return Motion(*(part[chosen] for part in parts))


def motion_of(system: System, times: np.ndarray, q: np.ndarray, v: np.ndarray) -> Motion:
    """The bodies' motion from natural coordinates and velocities, (T, n) each.

    A body described by fewer than two directions (a slender bar between balls, a point mass) gets the smallest rotation
    and no spin about its own axis, because its coordinates do not determine it.
    """
    count, size = len(q), system.dimension
    shape = (count, len(system.model.bodies), 3)
    found = Motion(times, np.zeros(shape), np.zeros((*shape, 3)), np.zeros(shape), np.zeros(shape))

    def values(forms: list[Form], rates: bool) -> np.ndarray:
        columns = [f.rate(list(v.T)) if rates else f.at(list(q.T)) for f in forms]
        full = np.zeros((count, 3))
        for i, column in enumerate(columns):
            full[:, i] = column
        return full

    for k, body in enumerate(system.model.bodies):
        frame = system.frames[body.name]
        local = known_directions(system, body.name)
        world = np.array([values(d, rates=False) for d in frame.directions]).reshape(len(frame.directions), count, 3)
        moving = np.array([values(d, rates=True) for d in frame.directions]).reshape(len(frame.directions), count, 3)
        if size == 2:
            world = np.concatenate([world, np.broadcast_to(Z, (1, count, 3))])
            moving = np.concatenate([moving, np.zeros((1, count, 3))])
        rotation, spin = _attitude(local, world, moving, count)
        offset = np.zeros(3)
        offset[:size] = frame.origin_local
        arm = rotation @ -offset
        found.positions[:, k] = values(frame.origin, rates=False) + arm
        found.velocities[:, k] = values(frame.origin, rates=True) + np.cross(spin, arm)
        found.rotations[:, k], found.spins[:, k] = rotation, spin
    return found


def known_directions(system: System, body: str) -> np.ndarray:
    """The directions of a body, in its own axes, that its coordinates or its plane give it, (k, 3); two of them fix
    its orientation."""
    frame = system.frames[body]
    local = np.zeros((len(frame.directions), 3))
    local[:, : system.dimension] = frame.directions_local
    return np.vstack([local, Z]) if system.dimension == 2 else local


def _attitude(local: np.ndarray, world: np.ndarray, moving: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Rotations (T, 3, 3) that turn local directions (k, 3) into world ones (k, T, 3), and spins (T, 3) from their
    rates."""
    if len(local) == 0:
        return np.broadcast_to(np.eye(3), (count, 3, 3)), np.zeros((count, 3))
    if len(local) == 1:
        own = local[0] / np.linalg.norm(local[0])
        size = np.linalg.norm(world[0], axis=1, keepdims=True)
        there = world[0] / size
        return shortest_turns(own, there), np.cross(there, moving[0] / size)
    if len(local) == 2:
        local = np.vstack([local, np.cross(local[0], local[1])])
        rate = np.cross(moving[0], world[1]) + np.cross(world[0], moving[1])
        world = np.concatenate([world, np.cross(world[0], world[1])[None]])
        moving = np.concatenate([moving, rate[None]])
    inverse = np.linalg.inv(local)
    rough = np.einsum("kti,jk->tij", world, inverse)
    left, _, right = np.linalg.svd(rough)
    rotation = left @ right
    turning = np.einsum("kti,jk->tij", moving, inverse) @ rotation.transpose(0, 2, 1)
    skew = 0.5 * (turning - turning.transpose(0, 2, 1))
    return rotation, np.stack([skew[:, 2, 1], skew[:, 0, 2], skew[:, 1, 0]], axis=1)


def shortest_turns(own: np.ndarray, there: np.ndarray) -> np.ndarray:
    """Rotations (T, 3, 3) that carry a unit vector into unit vectors (T, 3), by two reflections (Householder)."""
    side = np.array(perpendicular(tuple(own)))
    middle = own + there
    opposite = np.linalg.norm(middle, axis=1) < 1e-8
    middle[opposite] = side
    middle /= np.linalg.norm(middle, axis=1, keepdims=True)
    half_turn = 2.0 * np.einsum("ti,tj->tij", middle, middle) - np.eye(3)
    about_own = 2.0 * np.outer(own, own) - np.eye(3)
    # half a turn about the middle exchanges the two; half a turn about `own` before it undoes the flip
    turn: np.ndarray = half_turn @ about_own
    return turn
