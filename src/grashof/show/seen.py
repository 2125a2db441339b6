"""A scene in the axes of its viewer: to the right, upwards, and towards the viewer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grashof.scene.drawing import viewer_axes
from grashof.scene.outlines import hang
from grashof.scene.types import Flexible, Scene, ShapeFrame, Spot, Stroke, Vec3

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
        return self.scene.poses_in_world()

    @cached_property
    def axes(self) -> Array:
        """The viewer's axes as rows: right, up, towards."""
        return viewer_axes(self.scene.view.towards, self.scene.view.up)

    @property
    def labels(self) -> tuple[str, str]:
        """Names of the axes to the right and upwards."""
        return _axis_name(self.axes[0], "right"), _axis_name(self.axes[1], "up")

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

    @cached_property
    def axes(self) -> Array:
        """The axes of all bodies as rows, (bodies, 3, 3); those of the ground first."""
        turns = np.concatenate([[(1.0, 0.0, 0.0, 0.0)], self.poses[:, 3:]])
        columns = [rotate_vectors(turns, axis) @ self.seen.axes.T for axis in np.eye(3)]
        return np.stack(columns, axis=1)

    @cached_property
    def origins(self) -> Array:
        """The origins of all bodies, (bodies, 3)."""
        return np.asarray(np.concatenate([np.zeros((1, 3)), self.poses[:, :3]]) @ self.seen.axes.T)

    def places(self, body: int, local: Array) -> Array:
        """Places (n, 3) given in the axes of a body."""
        return np.asarray(self.origins[body] + local @ self.axes[body])

    def place(self, spot: Spot) -> Array:
        """A place on a body."""
        return self.places(spot.body, np.array(spot.at))

    def corners(self, shape: Flexible) -> Array:
        """The corners of a shape, or the places that it goes through, (n, 3); none if it has no length now."""
        if shape.frame is None:
            places = np.array([self.place(spot) for spot in shape.through])
            if isinstance(shape, Stroke) and shape.slack > 0.0:
                return hang(places[0], places[1], shape.slack, self.seen.axes @ np.array(self.scene.view.up))
            return places
        return self.place_in_frame(shape.frame, shape.corners.array())

    def place_in_frame(self, frame: ShapeFrame, local: Array) -> Array:
        """Places (n, 3) given in a frame; none if the frame is between places that coincide."""
        base = self.place(frame.at)
        if frame.towards is None:
            return np.asarray(base + local @ self.axes[frame.body])
        span = self.place(frame.towards) - base
        length = float(np.linalg.norm(span))
        if length == 0.0:
            return np.zeros((0, 3))
        along = span / length
        left = np.array([-along[1], along[0], 0.0])
        left = left / np.linalg.norm(left) if np.linalg.norm(left) > 1e-6 else np.array([1.0, 0.0, 0.0])
        scale = length / frame.span if frame.span else 1.0
        return np.asarray(base + (local * [scale, 1.0, 1.0]) @ np.array([along, left, np.cross(along, left)]))

    def direction(self, body: int, local: Vec3) -> Array:
        """A direction of a body; its length is preserved."""
        return np.asarray(np.array(local) @ self.axes[body])


def rotate_vectors(quaternions: Array, local: Array) -> Array:
    """A vector rotated by quaternions w, x, y, z: (n, 4) give (n, 3)."""
    w, u = quaternions[:, :1], quaternions[:, 1:]
    once = np.cross(u, local)
    return np.asarray(local + 2.0 * (w * once + np.cross(u, once)))


def _axis_name(direction: Array, otherwise: str) -> str:
    largest = int(np.argmax(np.abs(direction)))
    if abs(direction[largest]) < 1.0 - 1e-9:
        return otherwise
    return "xyz"[largest] if direction[largest] > 0 else f"−{'xyz'[largest]}"
