"""A situation's tree of joints in coordinates of its own, all zero at the start: from coordinates to the motion of the bodies.

Each body is carried from where it starts by the turns and slides of the links on the way to it,

    D_body = D_parent · exp(S₁ q₁) · exp(S₂ q₂) …   (product of exponentials; Brockett, 1984)

with the axes S of the start in world components. A ball is three turns about x, y, z in this order (body-fixed angles), a free body
three slides and three turns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grashof.engines.motion import Motion
from grashof.engines.rotations import turns
from grashof.engines.situation import Freedom, Link, Situation, parallel
from grashof.model.bodies import GROUND
from grashof.model.measures import Angle, Coordinate, Measure, Separation


@dataclass(frozen=True)
class TreeCoordinate:
    """A measure that is a coordinate q of the tree: measure − its start = sign · q."""

    link: int
    freedom: int
    sign: float


def elementary(link: Link) -> tuple[Freedom, ...]:
    """The link's turns and slides, one for each of its coordinates."""
    x = np.eye(3)
    found: list[Freedom] = []
    for freedom in link.freedoms:
        if freedom.kind == "free":
            found += [Freedom("slide", axis, freedom.through) for axis in x]
        if freedom.kind in ("ball", "free"):
            found += [Freedom("turn", axis, freedom.through) for axis in x]
        else:
            found.append(freedom)
    return tuple(found)


def coordinate_of(situation: Situation, measure: Measure) -> TreeCoordinate | None:
    """The coordinate that moves a measure and nothing else does, if there is one.

    An angle between a body and its parent, about the axis of the only turn between them; or the distance of two of their points, or a
    coordinate of one of them, along the axis of a slide that is the only freedom between them.
    """
    if not isinstance(measure, Angle | Separation | Coordinate):
        return None
    turning = isinstance(measure, Angle)
    first, second = measure.bodies
    for k, link in enumerate(situation.tree):
        if {link.body, link.parent} != {first, second} or any(f.kind in ("ball", "free") for f in link.freedoms):
            continue
        moving = [i for i, f in enumerate(link.freedoms) if f.kind == ("turn" if turning else "slide")]
        if len(moving) != 1 or not (turning or len(link.freedoms) == 1):
            return None
        if isinstance(measure, Angle):
            along = situation.heading(measure.reference, measure.axis)
        elif isinstance(measure, Coordinate):
            along = situation.heading(measure.bodies[0], measure.direction)
        else:
            along = situation.place(measure.b) - situation.place(measure.a)
            along = along / np.linalg.norm(along)
        axis = link.freedoms[moving[0]].axis
        if not parallel(along, axis):
            return None
        return TreeCoordinate(k, moving[0], float(np.sign(along @ axis)) * (1.0 if link.body == second else -1.0))
    return None


def start_rates(situation: Situation) -> list[np.ndarray]:
    """The coordinates' rates at the start, for each link those of `elementary`, from the velocities of the bodies."""
    s = situation
    found = []
    for link in s.tree:
        (base, _), (origin, _) = s.pose(link.parent), s.pose(link.body)
        k = s.index[link.body]
        spin, velocity = s.spins[k], s.velocities[k]
        if link.parent != GROUND:
            p = s.index[link.parent]
            spin = spin - s.spins[p]
            velocity = velocity - s.velocities[p] - np.cross(s.spins[p], origin - base)
        columns = [
            np.concatenate([f.axis, np.cross(f.axis, origin - f.through)])
            if f.kind == "turn"
            else np.concatenate([np.zeros(3), f.axis])
            for f in elementary(link)
        ]
        twist = np.concatenate([spin, velocity])
        found.append(np.linalg.lstsq(np.array(columns).T, twist, rcond=None)[0] if columns else np.zeros(0))
    return found


def joint_speeds(situation: Situation, jacobians: Sequence[np.ndarray]) -> np.ndarray:
    """An engine's own joint speeds at the start, from the velocities of the bodies, all together in least squares.

    jacobians  of each body, (6, n): of its origin's velocity and of its angular velocity, in world axes
    """
    right = np.concatenate([situation.velocities, situation.spins], axis=1).ravel()
    speeds: np.ndarray = np.linalg.lstsq(np.vstack(jacobians), right, rcond=None)[0]
    return speeds


def tree_motion(situation: Situation, times: np.ndarray, q: np.ndarray, rates: np.ndarray) -> Motion:
    """The bodies' motion from the coordinates and their rates, (T, n) each, in the order of the tree and of `elementary`."""
    s, count = situation, len(times)
    shape = (count, len(s.bodies), 3)
    motion = Motion(times, np.empty(shape), np.empty((*shape, 3)), np.empty(shape), np.empty(shape))
    still = np.zeros((count, 3))
    # displacement from the start x ↦ R x + d, and its twist: spin w and the velocity v of what is at the world's origin
    carried = {GROUND: (np.broadcast_to(np.eye(3), (count, 3, 3)), still, still, still)}
    column = 0
    for link in s.tree:
        r, d, w, v = carried[link.parent]
        for freedom in elementary(link):
            angle, rate = q[:, column], rates[:, column, None]
            axis = r @ freedom.axis
            if freedom.kind == "slide":
                v = v + axis * rate
                d = d + axis * angle[:, None]
            else:
                center = r @ freedom.through + d
                w = w + axis * rate
                v = v + np.cross(center, axis) * rate
                r = r @ turns(freedom.axis, angle)
                d = center - r @ freedom.through
            column += 1
        carried[link.body] = r, d, w, v
        k = s.index[link.body]
        origin = r @ s.positions[k] + d
        motion.positions[:, k], motion.rotations[:, k] = origin, r @ s.rotations[k]
        motion.velocities[:, k], motion.spins[:, k] = v + np.cross(w, origin), w
    return motion
