"""Elements of an MJCF document with the attributes of their default class and in their enclosing frames."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from grashof.common.errors import ModelError
from grashof.exchange.mjcf.shapes import ATTITUDES, CompilerSettings, attitude
from grashof.exchange.moves import Frame
from grashof.exchange.parsing import numbers
from grashof.exchange.xml import Element
from grashof.model.fields import Vector
from grashof.model.rotations import quaternion, rotation_matrix

ORIGIN: Vector = (0.0, 0.0, 0.0)
UNTURNED: Vector = (1.0, 0.0, 0.0, 0.0)
POSE = ("pos", *ATTITUDES)
"""Attributes that give a pose."""
INERTIAL = (*POSE, "mass", "diaginertia", "fullinertia")
GEOM = (*POSE, "type", "size", "fromto", "mass", "density")
End = tuple[str, Vector, Vector]
"""A body, a place on it, and an orientation as a quaternion of any length."""


def axes_of(q: Vector) -> np.ndarray:
    """The axes, as columns, of an attitude that is given by a quaternion."""
    return np.eye(3) if q[1:] == (0.0, 0.0, 0.0) else rotation_matrix(q)


@dataclass(frozen=True)
class ElementPart:
    """An element of a body.

    given       its attributes, with those of its class
    inherited   the default class of the elements inside it
    frame       the pose of the enclosing frames in the axes of the body; None if there are none
    frames      what the document says about these frames, from the outermost to the innermost
    """

    element: Element
    given: dict[str, str]
    inherited: str
    frame: Frame | None = None
    frames: tuple[dict[str, str], ...] = ()

    def form(self, *words: str) -> dict[str, str]:
        """Some of its attributes, as the document gives them."""
        return {word: self.given[word] for word in words if word in self.given}

    def place(self, at: Vector) -> Vector:
        """A place in the axes of the body."""
        return at if self.frame is None else tuple(map(float, np.array(self.frame[0]) + self.frame[1] @ np.array(at)))

    def axis(self, along: Vector) -> Vector:
        """A direction in the axes of the body."""
        return along if self.frame is None else tuple(map(float, self.frame[1] @ np.array(along)))

    def turned(self, axes: np.ndarray) -> np.ndarray:
        """Axes, as columns, in those of the body."""
        return axes if self.frame is None else self.frame[1] @ axes

    def pose(self, settings: CompilerSettings) -> Frame:
        """Its own `pos` and attitude, in the axes of the body."""
        at = numbers(self.element, "pos", self.given.get("pos", "0 0 0"), 3)
        return self.place(at), axes_of(self.quaternion(settings))

    def quaternion(self, settings: CompilerSettings) -> Vector:
        """Its attitude in the axes of the body: as it is given if that is a quaternion, so that it can be written
        again."""
        if self.frame is None and not any(word in self.given for word in ATTITUDES):
            return UNTURNED
        axes = attitude(self.element, self.given, settings)
        if self.frame is None and "quat" in self.given:
            return numbers(self.element, "quat", self.given["quat"], 4)
        return quaternion(self.turned(axes))


class Defaults:
    """The default classes of a document."""

    def __init__(self, root: Element) -> None:
        self._classes: dict[str, dict[str, dict[str, str]]] = {}
        for default in root.all("default"):
            self._add(default, {}, default.attributes.get("class", "main"))

    def _add(self, default: Element, above: dict[str, dict[str, str]], name: str) -> None:
        own = {tag: dict(values) for tag, values in above.items()}
        for part in default.children:
            if part.tag != "default":
                own[part.tag] = own.get(part.tag, {}) | part.attributes
        self._classes[name] = own
        for part in default.all("default"):
            self._add(part, own, part.attributes.get("class", ""))

    def given(self, part: Element, inherited: str = "", tag: str = "") -> dict[str, str]:
        """The attributes of an element, with those of its class, which may call it by another tag."""
        name = part.attributes.get("class", inherited) or "main"
        if name not in self._classes and name != "main":
            raise ModelError(f"{part.place}: there is no default class '{name}'.")
        return self._classes.get(name, {}).get(tag or part.tag, {}) | part.attributes

    def forms(self, part: Element, tags: tuple[str, ...]) -> list[tuple[str, dict[str, str]]]:
        """What the class of an element says about elements with these tags, which share their defaults."""
        self.given(part)
        known = self._classes.get(part.attributes.get("class", "") or "main", {})
        return [(tag, attributes) for tag, attributes in known.items() if tag in tags]


def members(defaults: Defaults, settings: CompilerSettings, body: Element, inherited: str) -> list[ElementPart]:
    """What is in a body, in the order of the document; `frame` elements are opened."""
    return list(_members(defaults, settings, ElementPart(body, {}, inherited)))


def _members(defaults: Defaults, settings: CompilerSettings, owner: ElementPart) -> Iterator[ElementPart]:
    for child in owner.element.children:
        part = ElementPart(child, defaults.given(child, owner.inherited), owner.inherited, owner.frame, owner.frames)
        if child.tag == "frame":
            inherited = child.attributes.get("childclass", owner.inherited)
            frames = (*owner.frames, part.form(*POSE))
            yield from _members(defaults, settings, ElementPart(child, {}, inherited, part.pose(settings), frames))
        else:
            yield part
