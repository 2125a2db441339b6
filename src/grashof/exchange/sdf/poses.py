"""Where the links, frames and joints of an SDF model are.

A pose is given relative to another frame: a link's to the model's frame, a joint's to its child, a frame's to what it
is attached to, unless the document names another one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from grashof.common.errors import ModelError, did_you_mean
from grashof.exchange.frames import rotation
from grashof.exchange.moves import Frame, compose
from grashof.exchange.parsing import direction, numbers
from grashof.exchange.xml import Element
from grashof.model.rotations import rotation_matrix

IDENTITY: Frame = ((0.0, 0.0, 0.0), np.eye(3))
MODEL, WORLD = "__model__", "world"
DEEPEST = 50
"""Frames that are given relative to each other."""


@dataclass(frozen=True)
class Placed:
    """Something with a pose: the element, and the frame that its pose is relative to if the document names none."""

    element: Element
    usual: str


class Poses:
    """The poses of a model's parts, in the axes of the model.

    parts    by name
    fixed    for each frame what it is attached to: a link in the end
    """

    def __init__(self, parts: Mapping[str, Placed], fixed: Mapping[str, str]) -> None:
        self.parts, self.fixed = parts, fixed
        self._known: dict[str, Frame] = {MODEL: IDENTITY}

    def of(self, name: str, user: Element, depth: int = 0) -> Frame:
        """The pose of a part that `user` refers to."""
        if name in self._known:
            return self._known[name]
        if depth > DEEPEST:
            raise ModelError(
                f"{user.place}: the frame '{name}' is given relative to itself, or by a chain of more than {DEEPEST}."
            )
        if name not in self.parts:
            raise ModelError(f"{user.place}: there is no frame '{name}'; {did_you_mean(name, self.parts)}")
        placed = self.parts[name]
        pose = placed.element.first("pose")
        base = "" if pose is None else pose.attributes.get("relative_to", pose.attributes.get("frame", ""))
        base = scoped(name, base) or placed.usual
        found = compose(self.of(base, placed.element, depth + 1), read_pose(placed.element))
        self._known[name] = found
        return found

    def link_of(self, name: str, user: Element) -> str:
        """The link that a frame is attached to; the world or the model's own frame are returned as they are."""
        for _ in range(DEEPEST):
            if name not in self.fixed:
                return name
            name = self.fixed[name]
        raise ModelError(f"{user.place}: the frame '{name}' is attached to itself, or by a chain of over {DEEPEST}.")


def read_pose(owner: Element) -> Frame:
    """The pose in an element, relative to whatever it is given in."""
    pose = owner.first("pose")
    if pose is None or not pose.text.strip():
        return IDENTITY
    if pose.attributes.get("rotation_format") == "quat_xyzw":
        x, y, z, *turned = numbers(pose, "pose", pose.text, 7)
        b, c, d, a = direction(pose, "its quaternion", tuple(turned))
        return (x, y, z), rotation_matrix((a, b, c, d))
    x, y, z, *turned = numbers(pose, "pose", pose.text, 6)
    if pose.attributes.get("degrees", "").strip().lower() in ("true", "1"):
        turned = [math.radians(angle) for angle in turned]
    roll, pitch, yaw = turned
    if not (roll or pitch or yaw):
        return (x, y, z), np.eye(3)
    return (x, y, z), rotation((0.0, 0.0, yaw)) @ rotation((0.0, pitch, 0.0)) @ rotation((roll, 0.0, 0.0))


def relative(base: Frame, frame: Frame) -> Frame:
    """A frame as it is seen from another one."""
    (place, axes), (there, turned) = base, frame
    return tuple(map(float, axes.T @ (np.array(there) - np.array(place)))), axes.T @ turned


def scoped(user: str, name: str) -> str:
    """A name in the document as a part refers to it: it is relative to the model that the part is in."""
    scope = user.rpartition("::")[0]
    if not scope or name in ("", WORLD):
        return name
    return scope if name == MODEL else f"{scope}::{name}"
