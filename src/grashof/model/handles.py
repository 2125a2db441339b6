"""What the builder hands out: bodies, points and lines to join."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grashof.errors import ModelError
from grashof.model.fields import Vector

if TYPE_CHECKING:
    from grashof.model.mechanism import Mechanism


@dataclass(frozen=True)
class Point:
    """A named point of a body; `str()` gives `body.point`."""

    body: str
    name: str

    def __str__(self) -> str:
        return f"{self.body}.{self.name}"


@dataclass(frozen=True)
class Line:
    """A line of a body: through a point, along a direction in world axes at the guessed position."""

    point: Point
    direction: Vector


class Handle:
    """A body in the making: gives its points and its angle."""

    def __init__(self, mechanism: Mechanism, name: str) -> None:
        self._mechanism = mechanism
        self.name = name

    def __str__(self) -> str:
        return self.name

    @property
    def angle(self) -> str:
        """The body's angle against the ground (plane)."""
        return f"{self.name}.angle"

    def point(self, name: str) -> Point:
        """A point by its name."""
        if name not in self._mechanism.points_of(self.name):
            known = ", ".join(self._mechanism.points_of(self.name))
            raise ModelError(f"Body '{self.name}' has no point '{name}'; it has {known or 'none'}.")
        return Point(self.name, name)

    def at(self, *place: float, name: str | None = None) -> Point:
        """The point at these coordinates of the body's own axes (m); named p1, p2 … unless you name it."""
        points = self._mechanism.points_of(self.name)
        coordinates = tuple(float(x) for x in place)
        if name is None:
            for known, where in points.items():
                if where == coordinates:
                    return Point(self.name, known)
            name = next(f"p{i}" for i in range(1, len(points) + 2) if f"p{i}" not in points)
        self._mechanism.add_point(self.name, name, coordinates)
        return Point(self.name, name)

    def line(self, start: Sequence[float], end: Sequence[float]) -> Line:
        """The line from `start` to `end`, in the body's own axes (m)."""
        direction = tuple(float(b) - float(a) for a, b in zip(start, end, strict=True))
        return Line(self.at(*start), tuple(self._mechanism.rotation_of(self.name) @ direction))

    def __getattr__(self, name: str) -> Point:
        if name.startswith("_"):
            raise AttributeError(name)
        return self.point(name)
