"""Joints, constraints, markers and springs in the form that an OpenSim document gives them, as tables of text that a
description can keep.

A table has a line for each element that contains text; its key is the path to the element, with tags and names:

    "frames/PhysicalOffsetFrame thigh_knee/translation" = "0 -0.4 0"
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from grashof.common.errors import ModelError
from grashof.exchange.moves import Frame
from grashof.exchange.opensim.functions import FUNCTIONS
from grashof.exchange.xml import Element, xml_text
from grashof.model.bodies import GROUND
from grashof.model.fields import Vector

JOINTS = (
    *("WeldJoint", "PinJoint", "SliderJoint", "UniversalJoint", "BallJoint", "GimbalJoint", "PlanarJoint"),
    *("FreeJoint", "CustomJoint"),
)
CONSTRAINTS = ("PointConstraint", "PointOnLineConstraint", "ConstantDistanceConstraint", "WeldConstraint")
OTHERS = ("Marker", "PointToPointSpring")
GROUPS = {
    **dict.fromkeys(JOINTS, "JointSet"),
    **dict.fromkeys(CONSTRAINTS, "ConstraintSet"),
    "Marker": "MarkerSet",
    "PointToPointSpring": "ForceSet",
}
"""The sets that elements belong to."""
_NUMBERS = (
    *("default_value", "default_speed_value", "translation", "orientation", "axis", "coefficients", "value", "scale"),
    *("location_body_1", "location_body_2", "line_direction_vec", "point_on_line", "point_on_follower"),
    *("constant_distance", "location", "point1", "point2", "stiffness", "rest_length"),
)
_TAGS = frozenset(
    (
        *_NUMBERS,
        *FUNCTIONS,
        *("coordinates", "Coordinate", "frames", "components", "PhysicalOffsetFrame", "socket_parent"),
        *("SpatialTransform", "TransformAxis", "function", "socket_parent_frame", "socket_child_frame"),
        *("socket_frame1", "socket_frame2", "socket_body_1", "socket_body_2", "socket_line_body"),
        *("socket_follower_body", "socket_body1", "socket_body2"),
    )
)
"""The elements that tables may contain."""


class Offset(NamedTuple):
    """A frame as a document gives it, relative to another frame or to a body: its name, place and orientation
    angles."""

    name: str
    translation: Vector
    orientation: Vector


class End(NamedTuple):
    """A frame on a body: the body's name, the frame, the frame's name, its orientation angles, and the frames that
    lead to it."""

    body: str
    frame: Frame
    name: str
    angles: Vector = (0.0, 0.0, 0.0)
    chain: tuple[Offset, ...] = ()


Chain = tuple[str, Sequence[Offset]]
"""A body, and frames that lead from it to another frame."""


def joint_form(joint: Element, ends: tuple[Chain, Chain], coordinates: Sequence[Element]) -> Element:
    """A joint with its own frames, between its parent and its child."""
    made = Element(joint.tag, {"name": joint.name})
    frames = Element("frames")
    for tag, chain in zip(("socket_parent_frame", "socket_child_frame"), _name_frames(ends), strict=True):
        _add(made, tag, _with_frames(frames, chain, f"/jointset/{joint.name}"))
    listed = Element("coordinates")
    for one in coordinates:
        own = Element("Coordinate", {"name": one.name})
        for tag in ("default_value", "default_speed_value"):
            _add(own, tag, one.value(tag) or "0")
        listed.children.append(own)
    made.children += [part for part in (listed, frames) if part.children]
    for transform in joint.all("SpatialTransform"):
        made.children.append(_copy(transform))
    return made


def part_form(part: Element, ends: Mapping[str, Chain]) -> Element:
    """A constraint, marker or spring with its own frames, by their sockets."""
    made = Element(part.tag, {"name": part.name})
    frames = Element("components")
    for socket, chain in zip(ends, _name_frames([*ends.values()]), strict=True):
        _add(made, f"socket_{socket}", _with_frames(frames, chain, f"/{GROUPS[part.tag].lower()}/{part.name}"))
    made.children += [_copy(child) for child in part.children if child.tag in _NUMBERS]
    made.children += [frames] if frames.children else []
    return made


def _name_frames(ends: Sequence[Chain]) -> list[Chain]:
    """Chains whose frames all have different names; the last one of a chain keeps its own if it can."""
    names: set[str] = set()

    def new(offset: Offset) -> Offset:
        name = offset.name
        while name in names:
            name += "_child"
        names.add(name)
        return offset._replace(name=name)

    last = [[new(chain[-1])] if chain else [] for _, chain in ends]
    return [(body, [*map(new, chain[:-1]), *end]) for (body, chain), end in zip(ends, last, strict=True)]


def _with_frames(frames: Element, chain: Chain, owner: str) -> str:
    """Adds the frames of a chain; the path of the last one, as its owner sees it."""
    body, offsets = chain
    path = f"/{GROUND}" if body == GROUND else f"/bodyset/{body}"
    for one in offsets:
        frame = Element("PhysicalOffsetFrame", {"name": one.name})
        _add(frame, "socket_parent", path)
        _add(frame, "translation", xml_text(one.translation))
        _add(frame, "orientation", xml_text(one.orientation))
        frames.children.append(frame)
        path = f"{owner}/{one.name}"
    return path.rpartition("/")[2] if offsets else path


def _add(element: Element, tag: str, text: str) -> None:
    element.children.append(Element(tag, pieces=[text]))


def _copy(element: Element) -> Element:
    """The parts of an element that a table may contain."""
    return Element(
        element.tag,
        {"name": element.name} if element.name else {},
        children=[_copy(child) for child in element.children if child.tag in _TAGS],
        pieces=[] if element.children else [element.text.strip()],
    )


def table(element: Element) -> dict[str, str]:
    """An element as a table."""
    found: dict[str, str] = {}
    waiting = [("", element)]
    while waiting:
        path, part = waiting.pop()
        if part.children:
            waiting += [
                (f"{path}/{child.tag} {child.name}".rstrip(" ").removeprefix("/"), child)
                for child in reversed(part.children)
            ]
        elif part.text:
            found[path] = part.text
    return found


def element(tag: str, name: str, lines: Mapping[str, str]) -> Element:
    """The element of a table; one that a document could not contain is refused."""
    made = Element(tag, {"name": name})
    for path, text in lines.items():
        here = made
        for word in path.split("/"):
            kind, _, called = word.partition(" ")
            if kind not in _TAGS or not (called + text).isprintable():
                raise ModelError(f"source '{tag} {name}' contains '{path}', which is not a part of it.")
            inside = next((child for child in here.children if (child.tag, child.name) == (kind, called)), None)
            if inside is None:
                inside = Element(kind, {"name": called} if called else {})
                here.children.append(inside)
            here = inside
        here.pieces = [text]
    return made
