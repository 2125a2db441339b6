"""Bodies and joints in the form that an MJCF document gives them, as far as a description keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grashof.common.errors import ModelError
from grashof.exchange.mjcf.bodies import matter_of
from grashof.exchange.mjcf.meshes import Meshes
from grashof.exchange.mjcf.parts import GEOM, INERTIAL, POSE, UNTURNED, ElementPart
from grashof.exchange.mjcf.shapes import CompilerSettings, Matter
from grashof.exchange.parsing import number
from grashof.exchange.parsing import numbers as numbers_in
from grashof.exchange.source import Source, numbers
from grashof.exchange.torques import NotOurs
from grashof.exchange.xml import Element
from grashof.model.fields import Vector

COORDINATES = {"hinge": (1, 1), "slide": (1, 1), "ball": (4, 3), "free": (7, 6)}
"""How many coordinates and speeds joints have."""


@dataclass(frozen=True)
class ToldJoint:
    """A joint.

    part         its attributes without its name and type, and the frames that it is in
    reference    its coordinates in the reference position
    spring       its `springref`, in m or rad
    position, speed   in the keyframe; None if it does not contain them
    """

    name: str
    kind: str
    part: ElementPart
    reference: Vector
    spring: float
    position: Vector | None
    speed: Vector | None


@dataclass(frozen=True)
class ToldBody:
    """A body: its pose in the reference position, and its joints."""

    part: ElementPart
    joints: tuple[ToldJoint, ...]


def settings_of(source: Source) -> CompilerSettings:
    """The angles and the sequence of Euler angles of a document; angles are in rad unless it says otherwise."""
    said = source.get("document", {})
    sequence = said.get("eulerseq", "xyz")
    known = len(sequence) == 3 and set(sequence.lower()) <= set("xyz")
    return CompilerSettings(degrees=said.get("angle") == "degree", sequence=sequence if known else "xyz")


def told_part(
    source: Source, key: str, tag: str, words: tuple[str, ...], settings: CompilerSettings
) -> ElementPart | None:
    """An element; None if there is none."""
    if key not in source:
        return None
    frames: list[dict[str, str]] = []
    frame = None
    while (name := f"{key} frame {len(frames) + 1}") in source:
        own = _some(source[name], POSE)
        frame = ElementPart(Element("frame", own), own, "", frame).pose(settings)
        frames.append(own)
    given = _some(source[key], words)
    return ElementPart(Element(tag, given), given, "", frame, tuple(frames))


def _some(table: Mapping[str, str], words: tuple[str, ...]) -> dict[str, str]:
    return {word: table[word] for word in words if table.get(word, "").isprintable() and word in table}


def told_body(source: Source, body: str) -> ToldBody | None:
    """A body as a document gives it; None if that is not known."""
    settings = settings_of(source)
    try:
        part = told_part(source, f"body {body}", "body", POSE, settings)
        if part is None or not ("document" in source or "pos" in part.given):
            return None
        place, _ = part.pose(settings)
        pose = (*place, *part.quaternion(settings))
        joints: list[ToldJoint] = []
        while (key := f"body {body} joint {len(joints) + 1}") in source:
            joints.append(_joint(source, key, pose, settings))
    except ModelError:
        return None
    return ToldBody(part, tuple(joints))


def told_matter(source: Source, body: str) -> tuple[list[ElementPart], Matter] | None:
    """The `inertial` or the geoms that give a body its mass, and that mass; None if that is not known."""
    settings = settings_of(source)
    try:
        for tag, words in (("inertial", INERTIAL), ("geom", GEOM)):
            found: list[ElementPart] = []
            while part := told_part(source, f"body {body} {tag} {len(found) + 1}", tag, words, settings):
                found.append(part)
            if found:
                return found, matter_of(found, settings, Meshes([], None, "", False))
    except (ModelError, NotOurs):
        pass
    return None


def _joint(source: Source, key: str, pose: Vector, settings: CompilerSettings) -> ToldJoint:
    name, kind = (source[key].get(word, "") for word in ("name", "type"))
    if kind not in COORDINATES or not name:
        raise ModelError(f"source '{key}' is not a joint.")
    words = {"hinge": ("pos", "axis", "ref"), "slide": ("axis", "ref"), "ball": ("pos",), "free": ()}[kind]
    part = told_part(source, key, "joint", words, settings)
    assert part is not None
    sizes = [number(part.element, word, source[key].get(word, "0")) for word in ("ref", "springref")]
    ref, spring = map(settings.angle, sizes) if kind == "hinge" else sizes
    for word in ("pos", "axis"):
        numbers_in(part.element, word, part.given.get(word, "0 0 0"), 3)
    coordinates, speeds = COORDINATES[kind]
    reference = {"ball": UNTURNED, "free": pose}.get(kind, (ref,))
    return ToldJoint(
        name,
        kind,
        part,
        reference,
        spring,
        numbers(source, key, "qpos", coordinates),
        numbers(source, key, "qvel", speeds),
    )
