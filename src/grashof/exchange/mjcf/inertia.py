"""The mass matrix of a document in its reference position, from which MuJoCo takes the sizes of its soft limits and of
damping ratios."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from grashof.exchange.moves import Frame
from grashof.model.bodies import GROUND, RigidBody


@dataclass
class ReferenceInertia:
    """Bodies and the motions of their joints, in the reference position.

    parents     the parent of each body
    motions     for each coordinate: its body, whether it turns, its axis and a point on it in world axes
    armatures   the inertia that its drive adds to each coordinate
    numbers     the number of the coordinate of each hinge and slide, by name
    """

    parents: dict[str, str] = field(default_factory=dict)
    motions: list[tuple[str, bool, np.ndarray, np.ndarray]] = field(default_factory=list)
    armatures: list[float] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)

    def add(self, name: str, body: str, turns: bool, axis: np.ndarray, through: np.ndarray, armature: float) -> None:
        """Adds a hinge or a slide, or with an empty name one of the motions of another joint."""
        if name:
            self.numbers[name] = len(self.motions)
        self.motions.append((body, turns, axis / np.linalg.norm(axis), through))
        self.armatures.append(armature)

    def matrix(self, bodies: dict[str, RigidBody], places: dict[str, Frame]) -> np.ndarray:
        """M of all coordinates."""
        count = len(self.motions)
        total = np.diag(np.array(self.armatures, dtype=float).reshape(count))
        own: dict[str, list[int]] = {}
        for k, (moved, *_) in enumerate(self.motions):
            own.setdefault(moved, []).append(k)
        for name, frame in places.items():
            body = bodies.get(name)
            if body is None or not body.mass:
                continue
            place, axes = frame
            center = np.array(place) + axes @ np.array(body.center)
            moving, turning = np.zeros((3, count)), np.zeros((3, count))
            above = name
            while above != GROUND:
                for k in own.get(above, ()):
                    _, turns, axis, through = self.motions[k]
                    moving[:, k] = np.cross(axis, center - through) if turns else axis
                    turning[:, k] = axis if turns else 0.0
                above = self.parents[above]
            spin = axes @ _matrix(body.inertia) @ axes.T
            total += body.mass * moving.T @ moving + turning.T @ spin @ turning
        return total


def _matrix(inertia: float | tuple[float, ...]) -> np.ndarray:
    assert isinstance(inertia, tuple)
    xx, yy, zz, xy, xz, yz = (*inertia, 0.0, 0.0, 0.0)[:6]
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
