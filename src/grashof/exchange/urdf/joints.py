"""The joints of a robot as a document describes them."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from grashof.common.errors import ModelError
from grashof.exchange.frames import across, rotation
from grashof.exchange.moves import Frame, Move
from grashof.exchange.parsing import direction, number, numbers
from grashof.exchange.xml import Element
from grashof.model.fields import Vector, cross, unit

ORIGIN: Vector = (0.0, 0.0, 0.0)
SINGLE = {"revolute": "turn", "continuous": "turn", "prismatic": "slide"}
"""The kinds of joints with one coordinate."""
UNLIMITED = 1e9
"""Limits of this size, m or rad, are none: a prismatic joint has to have some."""
KINDS = (*SINGLE, "fixed", "floating", "planar")


@dataclass(frozen=True)
class Mimic:
    """q = factor · q_other + offset."""

    element: Element
    other: str
    factor: float
    offset: float


@dataclass(frozen=True)
class UrdfJoint:
    """A joint: its frame on the parent, its axis in the axes of that frame, damping, friction, and its limits, or
    None; `name` is its name in the mechanism, `key` that in the document."""

    element: Element
    key: str
    name: str
    kind: str
    parent: str
    child: str
    at: Frame
    axis: Vector
    damping: float
    friction: float
    limits: tuple[float, float] | None
    mimic: Mimic | None

    @property
    def start(self) -> float:
        """Its coordinate at the start: zero or, if that is outside its limits, the middle between them."""
        low, high = self.limits or (0.0, 0.0)
        return 0.0 if low <= 0.0 <= high else 0.5 * (low + high)

    def moves(self, start: float) -> list[Move]:
        """The motions from its frame on the parent to the child."""
        match self.kind:
            case "fixed":
                return []
            case "floating":
                return [
                    Move(x, tuple(float(i == k) for i in range(3)), 0.0, 0.0, f"{x}{k}")
                    for x in ("slide", "turn")
                    for k in range(3)
                ]
            case "planar":
                first = across(self.axis)
                return [
                    Move("slide", first, 0.0, 0.0, f"{self.name}_x"),
                    Move("slide", unit(cross(self.axis, first)), 0.0, 0.0, f"{self.name}_y"),
                    Move("turn", self.axis, 0.0, 0.0, f"{self.name}_turn"),
                ]
        return [Move("slide" if self.kind == "prismatic" else "turn", self.axis, start, 0.0, self.name)]


def read_joint(joint: Element, parent: str, child: str) -> UrdfJoint:
    """The joint of an element, between two bodies."""
    kind = joint.attributes.get("type", "")
    if kind not in KINDS:
        raise ModelError(
            f"{joint.place}: type is '{kind}'; it must be revolute, continuous, prismatic, fixed, floating or planar."
        )
    axis: Vector = (1.0, 0.0, 0.0)
    told = joint.first("axis")
    if told is not None and kind not in ("fixed", "floating"):
        axis = numbers(told, "xyz", told.attributes.get("xyz", "1 0 0"), 3)
        axis = axis if math.hypot(*axis) == 1.0 else unit(direction(told, "xyz", axis))
    damping, friction = (attribute(joint, "dynamics", x, 0.0) for x in ("damping", "friction"))
    limit, limits = joint.first("limit"), None
    if limit is not None and kind in ("revolute", "prismatic") and not {"lower", "upper"}.isdisjoint(limit.attributes):
        low, high = (number(limit, x, limit.attributes.get(x) or "0") for x in ("lower", "upper"))
        limits = None if low <= -UNLIMITED and high >= UNLIMITED else (low, high)
    mimic = joint.first("mimic")
    tie = None
    if mimic is not None and kind in SINGLE:
        factor, offset = (
            number(mimic, x, mimic.attributes.get(x) or y) for x, y in (("multiplier", "1"), ("offset", "0"))
        )
        tie = Mimic(mimic, mimic.attributes.get("joint", ""), factor, offset)
    name = joint.name or f"{parent}_{child}"
    return UrdfJoint(
        joint, joint.name, name, kind, parent, child, read_origin(joint), axis, damping, friction, limits, tie
    )


def read_origin(part: Element) -> Frame:
    """Position and orientation: roll, pitch and yaw about the fixed axes x, y, z."""
    origin = part.first("origin")
    if origin is None:
        return ORIGIN, np.eye(3)
    place = numbers(origin, "xyz", origin.attributes.get("xyz") or "0 0 0", 3)
    roll, pitch, yaw = numbers(origin, "rpy", origin.attributes.get("rpy") or "0 0 0", 3)
    if not (roll or pitch or yaw):
        return place, np.eye(3)
    return place, rotation((0.0, 0.0, yaw)) @ rotation((0.0, pitch, 0.0)) @ rotation((roll, 0.0, 0.0))


def attribute(part: Element, tag: str, name: str, default: float) -> float:
    """A number that is an attribute of a child."""
    found = part.first(tag)
    text = "" if found is None else found.attributes.get(name, "")
    return default if found is None or not text else number(found, name, text)
