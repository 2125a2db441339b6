"""A situation's tree of joints in coordinates of its own, all zero at the start: from coordinates to the motion of the
bodies.

Each body is carried from where it starts by the turns and slides of the links on the way to it,

    D_body = D_parent · exp(S₁ q₁) · exp(S₂ q₂) …   (product of exponentials; Brockett, 1984)

with the axes S of the start in world components.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grashof.model.bodies import GROUND
from grashof.model.measures import Measure
from grashof.situation import Freedom, Link, Situation, parallel
from grashof.situation.motion import Motion
from grashof.situation.rotations import turns


@dataclass(frozen=True)
class TreeCoordinate:
    """A measure that is a coordinate q of the tree: measure − its start = sign · q."""

    link: int
    freedom: int
    sign: float


def coordinate_of(situation: Situation, measure: Measure | None) -> TreeCoordinate | None:
    """The only coordinate on which a measure depends, if there is one.

    An angle between a body and its parent, about the axis of the only turn between them; or the distance of two of
    their points, or a coordinate of one of them, along the axis of a slide that is the only freedom between them.
    """
    if measure is None or (measure.motion is None and measure.ends is None):
        return None
    first, second = measure.bodies
    for k, link in enumerate(situation.tree):
        if {link.body, link.parent} != {first, second} or any(f.kind in ("ball", "free") for f in link.freedoms):
            continue
        moving = [i for i, f in enumerate(link.freedoms) if f.kind == ("turn" if measure.winds else "slide")]
        if len(moving) != 1 or not (measure.winds or len(link.freedoms) == 1):
            return None
        axis, along = link.freedoms[moving[0]].axis, _line_of(situation, measure)
        if not parallel(along, axis):
            return None
        return TreeCoordinate(k, moving[0], float(np.sign(along @ axis)) * (1.0 if link.body == second else -1.0))
    return None


def _line_of(situation: Situation, measure: Measure) -> np.ndarray:
    """The axis about which an angle turns, or the line along which a coordinate or the distance of two points grows."""
    if measure.motion is not None:
        return situation.axis_of(measure.motion, *measure.bodies)
    a, b = (situation.place(point) for point in measure.ends or ())
    return np.asarray((b - a) / np.linalg.norm(b - a))


def start_rates(situation: Situation, link: Link, freedoms: Sequence[Freedom]) -> np.ndarray:
    """The rates at the start of the turns and slides that a link is made of, from the velocities of its bodies."""
    s = situation
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
        for f in freedoms
    ]
    if not columns:
        return np.zeros(0)
    rates: np.ndarray = np.linalg.lstsq(np.array(columns).T, np.concatenate([spin, velocity]), rcond=None)[0]
    return rates


def joint_speeds(situation: Situation, jacobians: Sequence[np.ndarray]) -> np.ndarray:
    """An engine's own joint speeds at the start, from the velocities of the bodies, all together in least squares.

    jacobians  of each body, (6, n): of its origin's velocity and of its angular velocity, in world axes
    """
    right = np.concatenate([situation.velocities, situation.spins], axis=1).ravel()
    speeds: np.ndarray = np.linalg.lstsq(np.vstack(jacobians), right, rcond=None)[0]
    return speeds


def tree_motion(
    situation: Situation, times: np.ndarray, q: np.ndarray, rates: np.ndarray, freedoms: Sequence[tuple[Freedom, ...]]
) -> Motion:
    """The bodies' motion from the coordinates and their rates, (T, n) each, which are those of the turns and slides
    of each link in turn."""
    s, count = situation, len(times)
    shape = (count, len(s.bodies), 3)
    motion = Motion(times, np.empty(shape), np.empty((*shape, 3)), np.empty(shape), np.empty(shape))
    still = np.zeros((count, 3))
    # displacement from the start x ↦ R x + d, and its twist: spin w and the velocity v of what is at the world's origin
    carried = {GROUND: (np.broadcast_to(np.eye(3), (count, 3, 3)), still, still, still)}
    column = 0
    for link, own in zip(s.tree, freedoms, strict=True):
        r, d, w, v = carried[link.parent]
        for freedom in own:
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
