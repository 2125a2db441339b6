"""A scene in the axes of its viewer: to the right, upwards, and towards the viewer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grashof.scene import types
from grashof.scene.types import Scene, Spot, Vec3

Array = np.ndarray


@dataclass(frozen=True)
class Seen:
    """A scene with its numbers unpacked."""

    scene: Scene

    @cached_property
    def times(self) -> Array:
        """Times of the frames, s."""
        return self.scene.times.array()

    @cached_property
    def poses(self) -> Array:
        """Poses of the bodies without the ground, (frames, bodies − 1, 7)."""
        return self.scene.placed()

    @cached_property
    def axes(self) -> Array:
        """The viewer's axes as rows: right, up, towards."""
        towards, up = (np.array(x) for x in (self.scene.view.towards, self.scene.view.up))
        right = np.cross(up, towards)
        right /= np.linalg.norm(right)
        return np.array([right, np.cross(towards, right), towards])

    @property
    def labels(self) -> tuple[str, str]:
        """Names of the axes to the right and upwards."""
        return _axis_name(self.axes[0], "right"), _axis_name(self.axes[1], "up")

    @cached_property
    def box(self) -> tuple[Array, Array]:
        """The lower and upper corners of the box that contains everything at all times, in the viewer's axes."""
        if self.scene.dimension == 2:
            return np.array(self.scene.lower), np.array(self.scene.upper)
        seen = np.concatenate([np.zeros((0, 3)), *self._reached()])
        if not len(seen):
            return np.zeros(3), np.zeros(3)
        return seen.min(axis=0), seen.max(axis=0)

    def _reached(self) -> Iterator[Array]:
        """All places that are visible at some time, in the viewer's axes."""
        frames = [self.frame(row) for row in range(len(self.times))]
        for number, body in enumerate(self.scene.bodies):
            corners = [point.spot.at for point in self.scene.points if point.spot.body == number]
            corners += [*body.corners, *([] if body.center is None else [body.center])]
            if corners:
                yield from (frame.places(number, np.array(corners)) for frame in frames)
        for symbol in self.scene.symbols:
            for frame in frames:
                if isinstance(symbol, types.Guide):
                    along = frame.direction(symbol.a.body, symbol.axis)
                    yield frame.place(symbol.a) + np.outer([symbol.lower, symbol.upper], along)
                elif isinstance(symbol, types.Gear):
                    yield frame.place(symbol.a) + np.outer([-symbol.radius, symbol.radius], [1.0, 1.0, 1.0])

    @cached_property
    def shaped(self) -> set[int]:
        """Bodies drawn as wheels, cams or blocks in guides, which need no other shape if they have only one point."""
        return {body for symbol in self.scene.symbols for body in symbol.shaped}

    @cached_property
    def pinned(self) -> list[Spot]:
        """Places at which a symbol of a joint, spring or rope is drawn."""
        return [spot for symbol in self.scene.symbols for spot in symbol.pinned]

    def frame(self, row: int) -> SeenFrame:
        """The scene at one of its frames."""
        return SeenFrame(self, self.poses[row])


@dataclass(frozen=True)
class SeenFrame:
    """The scene at one time, in the viewer's axes."""

    seen: Seen
    poses: Array

    @property
    def scene(self) -> Scene:
        """The whole scene."""
        return self.seen.scene

    def places(self, body: int, local: Array) -> Array:
        """Places (n, 3) given in the axes of a body."""
        if body == 0:
            return np.asarray(local @ self.seen.axes.T)
        pose = self.poses[body - 1]
        return np.asarray((pose[:3] + rotate_vectors(pose[3:], local)) @ self.seen.axes.T)

    def place(self, spot: Spot) -> Array:
        """A place on a body."""
        return np.asarray(self.places(spot.body, np.array([spot.at]))[0])

    def held(self) -> dict[Vec3, bool]:
        """Places of the ground that support something, and whether everything there hangs from them."""
        up = self.seen.axes @ np.array(self.scene.view.up)
        found: dict[Vec3, bool] = {}
        for symbol in self.scene.symbols:
            for own, other in (*symbol.links, *((b, a) for a, b in symbol.links)):
                if own.body == 0:
                    span = self.place(other) - self.place(own)
                    down = bool(span @ up < -max(self.scene.detail, 0.5 * float(np.linalg.norm(span))))
                    found[own.at] = found.get(own.at, True) and down
        return found

    def direction(self, body: int, local: Vec3) -> Array:
        """A direction of a body; its length is preserved."""
        ends = self.places(body, np.array([(0.0, 0.0, 0.0), local]))
        return np.asarray(ends[1] - ends[0])


def rotate_vectors(quaternion: Array, local: Array) -> Array:
    """Vectors (n, 3), rotated by a quaternion w, x, y, z."""
    w, u = quaternion[0], quaternion[1:]
    once = np.cross(u, local)
    return np.asarray(local + 2.0 * (w * once + np.cross(u, once)))


def _axis_name(direction: Array, otherwise: str) -> str:
    largest = int(np.argmax(np.abs(direction)))
    if abs(direction[largest]) < 1.0 - 1e-9:
        return otherwise
    return "xyz"[largest] if direction[largest] > 0 else f"−{'xyz'[largest]}"
