"""What the joints of a robot carry; some move nothing with mass, so that no force decides how they move.

Robots have those at sensors, tools and wheels whose links have no inertial. Programs of ROS drop such a link into its
parent (Gazebo) or hold the joint; here the joint is held at zero, and the link keeps its name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from grashof.exchange.moves import Frame
from grashof.model.bodies import RigidBody

TINY = 1e-14
"""The moment of inertia of a link about its axis counts as zero below this fraction of its mass times the square of its
distance from the axis, plus its largest moment."""


@dataclass(frozen=True)
class JointOutline:
    """A joint as it matters here: its kind, its child, the frame of the child on the parent at zero, and its axis in
    the child's axes."""

    name: str
    kind: str
    child: str
    at: Frame
    axis: tuple[float, ...]
    used: bool
    """Whether something else, such as a mimic joint, determines or needs it."""


@dataclass(frozen=True)
class _Matter:
    """Rigidly connected masses: mass, first moment, second moments ∫ x xᵀ dm about an origin, and whether anything
    among them can still move."""

    mass: float
    first: np.ndarray
    second: np.ndarray
    moving: bool

    def __add__(self, other: _Matter) -> _Matter:
        return _Matter(
            self.mass + other.mass, self.first + other.first, self.second + other.second, self.moving or other.moving
        )

    def seen_from(self, frame: Frame) -> _Matter:
        """The same masses about the origin and in the axes of a parent."""
        place, axes = np.array(frame[0]), frame[1]
        first = axes @ self.first
        mixed = np.outer(place, first)
        second = axes @ self.second @ axes.T + mixed + mixed.T + self.mass * np.outer(place, place)
        return _Matter(self.mass, first + self.mass * place, second, self.moving)

    def moment(self, axis: np.ndarray) -> float:
        """The moment of inertia about an axis through the origin."""
        return float(np.trace(self.second) - axis @ self.second @ axis)


def find_idle_joints(
    roots: Iterable[str], below: Mapping[str, list[JointOutline]], bodies: Mapping[str, RigidBody]
) -> tuple[set[str], dict[str, float]]:
    """The names of the joints whose links, with everything that is fixed to them, have no mass or inertia that the
    joint moves; none if that holds for the whole robot: then it has geometry only. And for each joint with one
    coordinate the inertia of all that it moves, at zero, in kg m² or kg."""
    idle: set[str] = set()
    inertias: dict[str, float] = {}
    alive = False
    for root in roots:
        order, waiting = [], [root]
        while waiting:
            here = waiting.pop()
            order.append(here)
            waiting += [joint.child for joint in below.get(here, ())]
        matter: dict[str, _Matter] = {}
        for here in reversed(order):
            whole = _own(bodies[here])
            for joint in below.get(here, ()):
                carried = matter.pop(joint.child)
                turns = joint.kind in ("revolute", "continuous")
                inertias[joint.name] = carried.moment(np.array(joint.axis)) if turns else carried.mass
                if joint.kind != "fixed" and not (joint.used or carried.moving) and _is_idle(joint, carried):
                    idle.add(joint.name)
                elif joint.kind != "fixed":
                    alive = True
                    carried = _Matter(carried.mass, carried.first, carried.second, moving=True)
                whole = whole + carried.seen_from(joint.at)
            matter[here] = whole
    return (idle if alive else set()), inertias


def _own(body: RigidBody) -> _Matter:
    inertia, center = body.inertia_matrix, np.array(body.center)
    second = 0.5 * np.trace(inertia) * np.eye(3) - inertia + body.mass * np.outer(center, center)
    return _Matter(body.mass, body.mass * center, second, moving=False)


def _is_idle(joint: JointOutline, carried: _Matter) -> bool:
    if joint.kind in ("revolute", "continuous"):
        axis = np.array(joint.axis)
        return abs(carried.moment(axis)) <= TINY * float(np.abs(carried.second).max())
    return carried.mass == 0.0
