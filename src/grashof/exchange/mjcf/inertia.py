"""The mass matrix of a document in its reference position, from which MuJoCo takes the sizes of its soft limits and of
damping ratios."""

from __future__ import annotations

from collections.abc import Iterator
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
    own         the numbers of the coordinates of each body
    """

    parents: dict[str, str] = field(default_factory=dict)
    motions: list[tuple[str, bool, np.ndarray, np.ndarray]] = field(default_factory=list)
    armatures: list[float] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    own: dict[str, list[int]] = field(default_factory=dict)

    def add(self, name: str, body: str, turns: bool, axis: np.ndarray, through: np.ndarray, armature: float) -> None:
        """Adds a hinge or a slide, or with an empty name one of the motions of another joint."""
        if name:
            self.numbers[name] = len(self.motions)
        self.own.setdefault(body, []).append(len(self.motions))
        self.motions.append((body, turns, axis / np.linalg.norm(axis), through))
        self.armatures.append(armature)

    def rates(self, body: str, place: np.ndarray) -> np.ndarray:
        """The velocity of a place on a body by the rates of all coordinates, (3, coordinates)."""
        moving = np.zeros((3, len(self.motions)))
        for k, turns, axis, through in self._moving(body):
            moving[:, k] = np.cross(axis, place - through) if turns else axis
        return moving

    def matrix(self, bodies: dict[str, RigidBody], places: dict[str, Frame]) -> np.ndarray:
        """M of all coordinates."""
        count = len(self.motions)
        total = np.diag(np.array(self.armatures, dtype=float).reshape(count))
        for name, frame in places.items():
            body = bodies.get(name)
            if body is None or not body.mass:
                continue
            place, axes = frame
            moving, turning = self.rates(name, np.array(place) + axes @ np.array(body.center)), np.zeros((3, count))
            for k, turns, axis, _ in self._moving(name):
                turning[:, k] = axis if turns else 0.0
            spin = axes @ _matrix(body.inertia) @ axes.T
            total += body.mass * moving.T @ moving + turning.T @ spin @ turning
        return total

    def _moving(self, body: str) -> Iterator[tuple[int, bool, np.ndarray, np.ndarray]]:
        """The coordinates that move a body: their numbers, kinds, axes and points."""
        while body != GROUND:
            for k in self.own.get(body, ()):
                _, turns, axis, through = self.motions[k]
                yield k, turns, axis, through
            body = self.parents[body]


def _matrix(inertia: float | tuple[float, ...]) -> np.ndarray:
    assert isinstance(inertia, tuple)
    xx, yy, zz, xy, xz, yz = (*inertia, 0.0, 0.0, 0.0)[:6]
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
