"""What the builder hands out: bodies, points and lines to join."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from grashof.algebra import product
from grashof.errors import ModelError
from grashof.model.fields import Vector
from grashof.model.formula import has_formulas, span, turned
from grashof.model.given import Number, numbers, text

if TYPE_CHECKING:
    from grashof.model.mechanism import Mechanism


@dataclass(frozen=True)
class Point:
    """A named point of a body; `str()` gives `body.point`. One made by hand belongs to no mechanism in particular."""

    body: str
    name: str
    mechanism: Mechanism | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        return f"{self.body}.{self.name}"


@dataclass(frozen=True)
class Line:
    """A line of a body: through a point, along a direction in world axes at the guessed position."""

    point: Point
    direction: Vector


@dataclass(frozen=True)
class Circle:
    """A circle of a body: about a point, with a radius in m."""

    center: Point
    radius: float


@dataclass(frozen=True)
class Profile:
    """A curve of a body: see `OnCurve`."""

    origin: Point
    implicit: str | None
    y: str | None
    radius: str | None
    points: tuple[Vector, ...]
    closed: bool


class Handle:
    """A body in the making: gives its points and its angle."""

    def __init__(self, mechanism: Mechanism, name: str) -> None:
        self._mechanism = mechanism
        self.name = name

    def __str__(self) -> str:
        return self.name

    @property
    def angle(self) -> str:
        """The body's angle against the ground; in space about the axis of its revolute joint there."""
        return f"{self.name}.angle"

    def point(self, name: str) -> Point:
        """A point by its name."""
        if text(f"The name of a point of body '{self.name}'", name) not in self._mechanism.points_of(self.name):
            known = ", ".join(self._mechanism.points_of(self.name))
            raise ModelError(f"Body '{self.name}' has no point '{name}'; it has {known or 'none'}.")
        return Point(self.name, name, self._mechanism)

    def at(self, *place: Number, name: str | None = None) -> Point:
        """The point at these coordinates of the body's own axes (m); named p1, p2 … unless you name it."""
        points = self._mechanism.points_of(self.name)
        coordinates = self._mechanism._numbers(f"A point of body '{self.name}'", place, self._mechanism.dimension, "m")
        if name is not None:
            text(f"The name of a point of body '{self.name}'", name)
        else:
            for known, where in points.items():
                if where == coordinates:
                    return Point(self.name, known, self._mechanism)
            name = next(f"p{i}" for i in range(1, len(points) + 2) if f"p{i}" not in points)
        self._mechanism.add_point(self.name, name, coordinates)
        return Point(self.name, name, self._mechanism)

    def line(self, start: Sequence[Number], end: Sequence[Number]) -> Line:
        """The line from `start` to `end`, in the body's own axes (m)."""
        size = self._mechanism.dimension
        words = f"A point of a line of body '{self.name}'"
        first, last = (self._mechanism._numbers(words, place, size, "m") for place in (start, end))
        along = span(first, last)
        axes = self._mechanism.rotation_of(self.name)
        return Line(self.at(*first), tuple(turned(axes, along) if has_formulas(along) else product(axes, along)))

    def circle(self, center: Sequence[Number], radius: Number) -> Circle:
        """The circle about `center`, in the body's own axes (m)."""
        m = self._mechanism
        place = m._numbers(f"The centre of a circle of body '{self.name}'", center, m.dimension, "m")
        return Circle(self.at(*place), m._number(f"The radius of a circle of body '{self.name}'", radius, "m"))

    def curve(
        self,
        *,
        implicit: str | None = None,
        y: str | None = None,
        radius: str | None = None,
        points: Sequence[Sequence[float]] = (),
        closed: bool = True,
        origin: Sequence[float] = (0.0, 0.0),
    ) -> Profile:
        """A curve in the body's own axes, about an origin in them (m, plane).

        Given by an expression g(x, y) that is zero on it and positive outside, by y(x), by a radius r(phi), or by points of a spline.
        """
        what = f"A curve of body '{self.name}'"
        for law in (implicit, y, radius):
            if law is not None:
                text(what, law)
        places = tuple(numbers(f"{what}: points[{k}]", place, 2) for k, place in enumerate(points))
        center = self.at(*numbers(f"{what}: origin", origin, 2))
        return Profile(center, implicit, y, radius, places, bool(closed))

    def __getattr__(self, name: str) -> Point:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.point(name)


def own_point(mechanism: Mechanism, point: Point) -> Point:
    """The point, if it is one of this mechanism."""
    if not isinstance(point, Point):
        raise ModelError(
            f"{reprlib.repr(point)} is not a point; take one from a body, such as rod.end or m.ground.at(…)."
        )
    _check_owner(mechanism, point.mechanism, str(point))
    return point


def own_line(mechanism: Mechanism, line: Line) -> Line:
    """The line, if it is one of this mechanism."""
    if not isinstance(line, Line):
        raise ModelError(f"{reprlib.repr(line)} is not a line; take one from a body, such as m.ground.line((…), (…)).")
    own_point(mechanism, line.point)
    return line


def own_body(mechanism: Mechanism, body: Handle) -> str:
    """The name of the body, if it is one of this mechanism."""
    if not isinstance(body, Handle):
        raise ModelError(f"{reprlib.repr(body)} is not a body; take what m.body or m.bar gave.")
    _check_owner(mechanism, body._mechanism, body.name)
    return body.name


def _check_owner(mechanism: Mechanism, owner: Mechanism | None, name: str) -> None:
    if owner is not None and owner is not mechanism:
        raise ModelError(
            f"'{name}' belongs to the mechanism '{owner.name}', not to '{mechanism.name}'; take one of its own."
        )
