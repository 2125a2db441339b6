"""The objects that the builder returns: bodies, and their points, lines and curves, to be joined."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from grashof.common.errors import ModelError, did_you_mean
from grashof.model.fields import Vector, dot, unit
from grashof.model.formula import has_formulas, rotate_vector, span
from grashof.model.given import Number, numbers, text
from grashof.scalar.algebra import norm, product
from grashof.scalar.functions import Scalar, sqrt

if TYPE_CHECKING:
    from grashof.model.mechanism import Mechanism


@dataclass(frozen=True)
class Point:
    """A named point of a body; `str()` gives `body.point`. A point constructed directly belongs to no mechanism."""

    body: str
    name: str
    mechanism: Mechanism | None = field(default=None, repr=False, compare=False)

    def __str__(self) -> str:
        return f"{self.body}.{self.name}"


@dataclass(frozen=True)
class Line:
    """A line fixed in a body: through a point, along a direction given in world axes at the guessed position."""

    point: Point
    direction: Vector

    @property
    def length(self) -> Scalar:
        """How far apart the two points are by which it was given, m."""
        along = list(self.direction)
        return sqrt(dot(along, along)) if has_formulas(along) else norm(along)


@dataclass(frozen=True)
class Circle:
    """A circle fixed in a body, about a point, with a radius in m; in space with an axis, in the body's own axes."""

    center: Point
    radius: float
    axis: Vector = ()


@dataclass(frozen=True)
class Sphere:
    """A sphere fixed in a body, about a point, with a radius in m (space)."""

    center: Point
    radius: float


@dataclass(frozen=True)
class Plane:
    """A plane fixed in a body, through a point, with its normal in the body's own axes (space)."""

    point: Point
    normal: Vector


@dataclass(frozen=True)
class Profile:
    """A curve fixed in a body; see `OnCurve`."""

    origin: Point
    implicit: str | None
    y: str | None
    radius: str | None
    points: tuple[Vector, ...]
    closed: bool


class Handle:
    """A body of a mechanism under construction, from which points, lines and curves are taken.

    `rod.end` is the point with that name, `rod.at(0.1, 0)` the point with these coordinates, and `rod.angle` the name
    of the body's angle.
    """

    def __init__(self, mechanism: Mechanism, name: str) -> None:
        self._mechanism = mechanism
        self.name = name

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        points = ", ".join(self._mechanism.points_of(self.name))
        return f"Body '{self.name}' with {f'the points {points}' if points else 'no points yet'}"

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *filter(str.isidentifier, self._mechanism.points_of(self.name))]

    @property
    def angle(self) -> str:
        """The name of the body's angle relative to the ground; in space, about its revolute joint with the ground."""
        return f"{self.name}.angle"

    def point(self, name: str) -> Point:
        """The point with this name."""
        if text(f"The name of a point of body '{self.name}'", name) not in self._mechanism.points_of(self.name):
            known = self._mechanism.points_of(self.name)
            hint = did_you_mean(name, known) if known else f"make one: {self.name}.at(…)."
            raise ModelError(f"Body '{self.name}' has no point '{name}'; {hint}")
        return Point(self.name, name, self._mechanism)

    def at(self, *place: Number, name: str | None = None) -> Point:
        """The point at these coordinates in the body's own axes (m): `rod.at(0.1, 0)`; its default name is p1, p2 …"""
        points = self._mechanism.points_of(self.name)
        coordinates = self._mechanism._place(f"A point of body '{self.name}'", _spread(place))
        if name is not None:
            text(f"The name of a point of body '{self.name}'", name)
        else:
            for known, where in points.items():
                if where == coordinates:
                    return Point(self.name, known, self._mechanism)
            name = next(f"p{i}" for i in range(1, len(points) + 2) if f"p{i}" not in points)
        self._mechanism.add_point(self.name, name, coordinates)
        return Point(self.name, name, self._mechanism)

    def at_world(self, *place: Number, name: str | None = None) -> Point:
        """The point of the body at these coordinates in world axes (m), with the body at its guessed position."""
        m = self._mechanism
        given = m._place(f"A point of body '{self.name}'", _spread(place))
        return self.at(*m.local_place(self.name, given), name=name)

    def line(self, start: Sequence[Number] | Point, end: Sequence[Number] | Point) -> Line:
        """The line from `start` to `end`: coordinates in the body's own axes (m), or points of the body.

        Both are places; neither is a direction. The line at the height 0.1 m along x is

        >>> from grashof import Mechanism
        >>> m = Mechanism("guide", gravity=(0, -9.81))
        >>> guide = m.ground.line((0, 0.1), (1, 0.1))
        """
        first, last = self._coordinates(start), self._coordinates(end)
        along = span(first, last)
        axes = self._mechanism.rotation_of(self.name)
        return Line(self.at(*first), tuple(rotate_vector(axes, along) if has_formulas(along) else product(axes, along)))

    def _coordinates(self, place: Sequence[Number] | Point) -> Vector:
        m = self._mechanism
        if not isinstance(place, Point):
            return m._place(f"A point of a line of body '{self.name}'", place)
        if own_point(m, place).body != self.name:
            raise ModelError(f"'{place}' is not a point of body '{self.name}'; take two of its own for a line of it.")
        return m.points_of(self.name)[place.name]

    def circle(self, center: Sequence[Number], radius: Number, *, axis: Sequence[float] | None = None) -> Circle:
        """The circle with this centre, in the body's own axes (m); in space it has an axis, in the same axes."""
        m, of = self._mechanism, f"of a circle of body '{self.name}'"
        place = m._place(f"The centre {of}", center)
        if (m.dimension == 3) != (axis is not None):
            words = "has no axis; in space, give one: axis=(0, 1, 0)" if axis is None else "has an axis; leave it out"
            raise ModelError(f"A circle of body '{self.name}' {words}.")
        along = () if axis is None else unit(m._vector(f"The axis {of}", axis))
        return Circle(self.at(*place), m._number(f"The radius {of}", radius, "m"), along)

    def sphere(self, center: Sequence[Number], radius: Number) -> Sphere:
        """The sphere with this centre, in the body's own axes (m, space)."""
        m = self._mechanism
        place = m._place(f"The centre of a sphere of body '{self.name}'", center)
        return Sphere(self.at(*place), m._number(f"The radius of a sphere of body '{self.name}'", radius, "m"))

    def plane(self, point: Sequence[Number], normal: Sequence[float]) -> Plane:
        """The plane through a point (m) with this normal, both in the body's own axes; the normal points to its free
        side (space).

        >>> from grashof import Mechanism
        >>> m = Mechanism("room", dimension=3, gravity=(0, 0, -9.81))
        >>> floor = m.ground.plane((0, 0, 0), (0, 0, 1))
        """
        m = self._mechanism
        place = m._place(f"The point of a plane of body '{self.name}'", point)
        return Plane(self.at(*place), unit(m._vector(f"The normal of a plane of body '{self.name}'", normal)))

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
        """A curve in the body's own axes, relative to an origin given in them (m, plane).

        It is given by an expression g(x, y) that is zero on the curve and positive outside, by y(x), by a radius
        r(phi), or by the points of a spline.
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
    """The point; refused if it does not belong to this mechanism."""
    if not isinstance(point, Point):
        raise ModelError(
            f"{_object_name(point)} is not a point; take one from a body, such as rod.end or m.ground.at(…)."
        )
    _check_owner(mechanism, point.mechanism, str(point))
    return point


def own_line(mechanism: Mechanism, line: Line) -> Line:
    """The line; refused if it does not belong to this mechanism."""
    if not isinstance(line, Line):
        raise ModelError(f"{_object_name(line)} is not a line; take one from a body, such as m.ground.line((…), (…)).")
    own_point(mechanism, line.point)
    return line


def own_body(mechanism: Mechanism, body: Handle) -> str:
    """The name of the body; refused if it does not belong to this mechanism."""
    if not isinstance(body, Handle):
        raise ModelError(f"{_object_name(body)} is not a body; give what m.body or m.bar returned.")
    _check_owner(mechanism, body._mechanism, body.name)
    return body.name


def _object_name(thing: object) -> str:
    """The name of an object in error messages."""
    if isinstance(thing, Handle):
        return f"Body '{thing}'"
    return f"Point '{thing}'" if isinstance(thing, Point) else reprlib.repr(thing)


def _spread(place: tuple[Any, ...]) -> Any:
    """The coordinates, which may also be given as one vector: at((0.1, 0))."""
    return place[0] if len(place) == 1 and isinstance(place[0], Sequence) and not isinstance(place[0], str) else place


def _check_owner(mechanism: Mechanism, owner: Mechanism | None, name: str) -> None:
    if owner is not None and owner is not mechanism:
        raise ModelError(
            f"'{name}' belongs to {_whose(owner, mechanism)}, not to '{mechanism.name}'; take one of its own."
        )


def _whose(owner: Mechanism, other: Mechanism) -> str:
    return f"another mechanism called '{owner.name}'" if owner.name == other.name else f"mechanism '{owner.name}'"
