"""A flat plate with round holes: its outline of straight sides and arcs, its area, and its triangles."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from grashof.geometry.convex import gap, signed_area, triangles
from grashof.scene.plates import FlatShape

Array = np.ndarray

CHORDS = 48
"""Sides of the polygon that stands for a full circle."""


@dataclass(frozen=True)
class Plate:
    """A plate.

    corners   of its outline, counter-clockwise, (n, 2), m
    bulges    of the side that begins at each corner, tan(φ/4), where φ is the angle of its arc: 0 for a straight side,
              1 for a half circle
    holes     the centres of its holes, (n, 2), m
    bore      their diameter, m
    """

    name: str
    corners: Array
    bulges: Array
    holes: Array
    bore: float

    @property
    def area(self) -> float:
        """The area without the holes, m²: that of the polygon, and of the circular segments beyond its sides."""
        angle, bent = 4.0 * np.arctan(self.bulges), self.bulges != 0.0
        chord = np.linalg.norm(np.roll(self.corners, -1, axis=0) - self.corners, axis=1)
        radius = chord[bent] / (2.0 * np.sin(0.5 * angle[bent]))
        beyond = 0.5 * float(np.sum(radius**2 * (angle[bent] - np.sin(angle[bent]))))
        return signed_area(self.corners) + beyond - len(self.holes) * 0.25 * float(np.pi) * self.bore**2

    @property
    def polygon(self) -> Array:
        """The outline with chords in place of arcs, (n, 2), m."""
        found = []
        for start, end, bulge in zip(self.corners, np.roll(self.corners, -1, axis=0), self.bulges, strict=True):
            angle = 4.0 * float(np.arctan(bulge))
            count = max(1, int(np.ceil(CHORDS * abs(angle) / (2.0 * np.pi))))
            if count == 1:
                found.append(start[None])
                continue
            # the centre is to the left of the side, by half of it over the tangent of half the angle
            side = end - start
            center = 0.5 * (start + end) + 0.5 / np.tan(0.5 * angle) * np.array([-side[1], side[0]])
            turn = angle * np.arange(count) / count
            arm = start - center
            across = np.array([-arm[1], arm[0]])
            found.append(center + np.outer(np.cos(turn), arm) + np.outer(np.sin(turn), across))
        return np.concatenate(found)

    @property
    def circles(self) -> list[Array]:
        """The holes as polygons, clockwise, (n, 2), m."""
        turn = -2.0 * np.pi * np.arange(CHORDS) / CHORDS
        circle = 0.5 * self.bore * np.column_stack([np.cos(turn), np.sin(turn)])
        return [center + circle for center in self.holes]

    def triangles(self) -> Array:
        """The face as triangles, (n, 3, 2), m."""
        polygon = self.polygon
        for circle in sorted(self.circles, key=lambda x: -float(x[:, 0].max())):
            polygon = _with_hole(polygon, circle)
        return np.asarray(polygon[np.array(triangles(polygon))])

    def moved(self, x: float, y: float, angle: float) -> Plate:
        """The plate turned about its origin and then displaced, m and rad."""
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        return replace(self, corners=self.corners @ turn + (x, y), holes=self.holes @ turn + (x, y))


def _with_hole(polygon: Array, hole: Array) -> Array:
    """A polygon whose outline also runs round a hole, to which it is connected by its shortest cut in both
    directions. The shortest line between two outlines crosses neither."""
    apart = np.linalg.norm(polygon[:, None] - hole[None], axis=2)
    at, there = np.unravel_index(int(np.argmin(apart)), apart.shape)
    around = np.roll(hole, -int(there), axis=0)
    return np.concatenate([polygon[: at + 1], around, around[:1], polygon[at:]])


def plate_of(name: str, shape: FlatShape, holes: Array, bore: float) -> Plate:
    """The plate of a shape. Round corners are arcs about the corners of its hull."""
    corners, radius = shape.corners, shape.radius
    if not radius:
        return Plate(name, corners, np.zeros(len(corners)), holes, bore)
    if len(corners) == 1:
        ends = radius * np.array([[1.0, 0.0], [-1.0, 0.0]])
        return Plate(name, corners + ends, np.ones(2), holes, bore)
    sides = np.roll(corners, -1, axis=0) - corners
    along = sides / np.linalg.norm(sides, axis=1, keepdims=True)
    normals = radius * np.column_stack([along[:, 1], -along[:, 0]])
    before = np.roll(along, 1, axis=0)
    turn = np.arctan2(before[:, 0] * along[:, 1] - before[:, 1] * along[:, 0], np.sum(before * along, axis=1))
    turn = np.full(2, np.pi) if len(corners) == 2 else turn
    places = np.stack([corners + np.roll(normals, 1, axis=0), corners + normals], axis=1).reshape(-1, 2)
    bulges = np.column_stack([np.tan(0.25 * turn), np.zeros(len(turn))]).ravel()
    return Plate(name, places, bulges, holes, bore)


def distance_inside(shape: FlatShape, place: Array) -> float:
    """How far a place is inside a shape from its outline, m; negative outside."""
    corners, spot = shape.corners, place[None, None]
    if shape.radius:
        return shape.radius - float(gap(corners[None], spot)[0])
    side = np.roll(corners, -1, axis=0) - corners
    part = np.clip(np.sum((place - corners) * side, axis=1) / np.sum(side * side, axis=1), 0.0, 1.0)
    nearest = float(np.min(np.linalg.norm(place - corners - part[:, None] * side, axis=1)))
    inside = any(float(gap(part.corners[None], spot)[0]) <= 0.0 for part in shape.parts)
    return nearest if inside else -nearest
