"""The numbers of bodies and joints as they were in an MJCF document."""

from __future__ import annotations

from dataclasses import dataclass

from grashof.exchange.mjcf_parts import UNTURNED
from grashof.exchange.source import Source, numbers
from grashof.exchange.xml import written
from grashof.model.fields import Vector

COORDINATES = {"hinge": (1, 1), "slide": (1, 1), "ball": (4, 3), "free": (7, 6)}
"""How many coordinates and speeds joints have."""


@dataclass(frozen=True)
class ToldJoint:
    """A joint.

    attributes   without its name and type
    spring       its `springref`
    position, speed   in the keyframe; None if it does not contain them
    """

    name: str
    kind: str
    attributes: dict[str, str]
    reference: Vector
    spring: float
    position: Vector | None
    speed: Vector | None


@dataclass(frozen=True)
class ToldBody:
    """A body: its pose in the reference position, and its joints."""

    pos: Vector
    quat: Vector
    joints: tuple[ToldJoint, ...]


def told_body(source: Source, body: str) -> ToldBody | None:
    """The numbers of a body in a document; None if they are not known."""
    key = f"body {body}"
    pos, quat = numbers(source, key, "pos", 3), numbers(source, key, "quat", 4)
    if pos is None or quat is None or not any(quat):
        return None
    joints: list[ToldJoint] = []
    while (part := f"{key} joint {len(joints) + 1}") in source:
        joint = _joint(source, part, (*pos, *quat))
        if joint is None:
            return None
        joints.append(joint)
    return ToldBody(pos, quat, tuple(joints))


def _joint(source: Source, part: str, pose: Vector) -> ToldJoint | None:
    name, kind = (source[part].get(word, "") for word in ("name", "type"))
    if kind not in COORDINATES or not name:
        return None
    coordinates, speeds = COORDINATES[kind]
    pos, axis = numbers(source, part, "pos", 3), numbers(source, part, "axis", 3)
    ref, spring = numbers(source, part, "ref", 1), numbers(source, part, "springref", 1)
    attributes = {}
    if kind in ("hinge", "ball"):
        if pos is None:
            return None
        attributes["pos"] = written(pos)
    if kind in ("hinge", "slide"):
        if axis is None or not any(axis) or ref is None:
            return None
        attributes["axis"] = written(axis)
        if ref[0]:
            attributes["ref"] = written(ref[0])
    reference = {"ball": UNTURNED, "free": pose}.get(kind, ref or (0.0,))
    return ToldJoint(
        name,
        kind,
        attributes,
        reference,
        (spring or (0.0,))[0],
        numbers(source, part, "qpos", coordinates),
        numbers(source, part, "qvel", speeds),
    )
