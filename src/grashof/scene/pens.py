"""What the shapes of bodies and symbols have in common: sizes, layers, and the axes in which they are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grashof.scene.outlines import arrow_head, hatch_strokes
from grashof.scene.start import SceneStart, perpendicular, space
from grashof.scene.types import NONE, Area, Body, Numbers, ShapeFrame, Solid, Spot, Stroke, Vec3

Array = np.ndarray
Color = int | str
Corners = Array | Sequence[Array] | Sequence[tuple[float, float]]

GROUNDED, LINKS, OVER, BLOCKS, LINES, CENTERS, PINS, ACTING = range(8)
"""Layers on paper from back to front; within LINKS, small links are drawn over large ones."""

NOWHERE = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Pen:
    """A mechanism at its start, and the sizes in which it is drawn.

    size     that of the small symbols, m
    whole    that of the whole picture, m
    viewer   the viewer's axes as rows: right, up, towards
    up       the vertical
    """

    start: SceneStart
    bodies: tuple[Body, ...]
    size: float
    whole: float
    viewer: Array
    up: Vec3

    def frame(self, at: Spot, body: int | None = None) -> ShapeFrame:
        """The axes of a body at a place; by default, of the body that it belongs to."""
        return ShapeFrame(at, at.body if body is None else body)

    def between(self, a: Spot, b: Spot) -> ShapeFrame:
        """Axes from one place to another, which are stretched with their distance."""
        span = float(np.linalg.norm(self.start.world(b) - self.start.world(a)))
        return ShapeFrame(a, 0, b, span if span > 0.01 * self.size else 10.0 * self.size)

    def corners(self, body: int) -> Array:
        """The places that a body connects, in its axes, (n, 3)."""
        known = self.bodies[body]
        local = known.corners or (() if known.center is None else (known.center,))
        return np.array(local, float).reshape(-1, 3)


class PaperPen(Pen):
    """Draws lines and areas in the viewer's plane. Lengths are in m, in the plane's axes to the right and upwards."""

    def plane(self, body: int) -> Array:
        """The axes of the drawing as rows, in the axes of a body: right, up, towards."""
        return np.eye(3) if self.start.model.dimension == 2 else np.asarray(self.viewer @ self.start.axes[body])

    def flat(self, body: int, local: Vec3 | Array) -> Array:
        """Vectors of a body in the axes of the drawing, (…, 2)."""
        return np.asarray(np.asarray(local, float) @ self.plane(body)[:2].T)

    def along(self, body: int, local: Vec3) -> Array:
        """A direction of a body in the axes of the drawing, of unit length."""
        seen = self.flat(body, local)
        length = float(np.linalg.norm(seen))
        return np.asarray(seen / length) if length > 0.0 else np.array([1.0, 0.0])

    def layer(self, extent: float) -> float:
        """The layer of a link of the given extent, m."""
        return round(LINKS + 0.9 * (1.0 - min(extent / self.whole, 1.0)), 6)

    def extent(self, body: int) -> float:
        """The larger side of a body, m."""
        corners = self.flat(body, self.corners(body))
        return float(np.max(np.ptp(corners, axis=0))) if len(corners) else 0.0

    def line(
        self, frame: ShapeFrame, corners: Corners, layer: float, width: float = 1.0, color: Color = "ink"
    ) -> Stroke:
        """A line through corners."""
        return Stroke(frame=frame, corners=self._lift(frame, corners), layer=layer, width=width, color=color)

    def thread(self, through: Sequence[Spot], width: float, radii: Sequence[float] = (), **look: Any) -> Stroke:
        """A line through places of several bodies, or around pulleys."""
        return Stroke(through=tuple(through), layer=LINES, width=width, color="ink", radii=tuple(radii), **look)

    def area(
        self, frame: ShapeFrame, corners: Corners, layer: float, color: Color, hole: Corners = (), **look: Any
    ) -> Area:
        """A polygon or, with a radius, all within that distance of its hull; with a thin outline, unless `look` says
        otherwise."""
        filled, empty = self._lift(frame, corners), self._lift(frame, hole)
        return Area(frame=frame, corners=filled, hole=empty, layer=layer, color=color, **{"edge": "ink", **look})

    def disc(self, at: Spot, radius: float, layer: float, color: Color, **look: Any) -> Area:
        """A disc about a place; its radius is in m."""
        return self.area(self.frame(at), np.zeros((1, 2)), layer, color, radius=radius, **look)

    def pin(self, at: Spot, radius: float = 0.55) -> Area:
        """A pin; its radius is in sizes of the small symbols."""
        return self.disc(at, radius * self.size, PINS, "paper", width=1.2)

    def hatch(self, frame: ShapeFrame, line: Array, layer: float = GROUNDED, width: float = 1.0) -> Iterator[Stroke]:
        """A line with hatching on its right: the ground."""
        yield self.line(frame, line, layer, width)
        for stroke in hatch_strokes(line, self.size):
            yield self.line(frame, stroke, layer)

    def arrow(self, frame: ShapeFrame, along: Array) -> Iterator[Stroke | Area]:
        """An arrow along a unit vector."""
        shaft = np.outer([0.8, 5.0], self.size * along)
        yield self.line(frame, shaft, ACTING, 2.0, "accent")
        head = arrow_head(6.0 * self.size * along, along, 1.7 * self.size)
        yield self.area(frame, head, ACTING, "accent", edge=None)

    def support(self, at: Spot, up: float, layer: float) -> Iterator[Stroke | Area]:
        """A small triangle on the hatched ground, or hanging from it if `up` is 1 and not −1."""
        frame, size = self.frame(at), np.array([self.size, self.size * up])
        triangle = size * [(0.0, -0.45), (1.5, 2.2), (-1.5, 2.2)]
        yield self.area(frame, triangle, layer, "ground", tint=0.45)
        base = size * [(-2.3, 2.2), (2.3, 2.2)]
        yield from self.hatch(frame, base if up < 0.0 else base[::-1], layer)

    def _lift(self, frame: ShapeFrame, corners: Corners) -> Numbers:
        """Corners in the axes of a frame."""
        flat = np.array(corners, float).reshape(-1, 2)
        axes = np.eye(3) if frame.towards is not None else self.plane(frame.body)
        return Numbers.of(flat @ axes[:2]) if len(flat) else NONE


class SolidPen(Pen):
    """Makes wires, plates and solids of revolution. Radii are in sizes of the small symbols, all else is in m."""

    def wire(
        self, frame: ShapeFrame, path: Array, radius: float, color: Color, *, closed: bool = False, nearer: float = 0.0
    ) -> Stroke:
        """A round wire along a path, or a round bar between two places."""
        corners = Numbers.of(np.asarray(path, float).reshape(-1, 3))
        thick = radius * self.size
        return Stroke(frame=frame, corners=corners, thick=thick, layer=nearer, color=color, closed=closed)

    def bar(self, through: Sequence[Spot], radius: float, color: Color, nearer: float = 0.0, **look: Any) -> Stroke:
        """Round bars between places of several bodies or, with radii, a belt around wheels with a common axis."""
        return Stroke(through=tuple(through), thick=radius * self.size, layer=nearer, color=color, **look)

    def plate(
        self, frame: ShapeFrame, corners: Array, axis: Vec3 | Array, thick: float, color: Color, **look: Any
    ) -> Area:
        """A plate with corners in its middle plane."""
        filled, normal = Numbers.of(corners), space(axis)
        return Area(frame=frame, corners=filled, thick=thick, axis=normal, color=color, **{"layer": 0.0, **look})

    def box(
        self,
        frame: ShapeFrame,
        middle: Array,
        along: Array,
        normal: Array,
        sides: Array,
        color: Color,
        nearer: float = 0.0,
    ) -> Area:
        """A box with given half-lengths along a unit vector, across it, and along a normal to it."""
        long, wide, high = sides
        across = wide * np.cross(normal, along)
        corners = [middle + x * long * along + y * across for x, y in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
        return self.plate(frame, np.array(corners), normal, 2.0 * float(high), color, layer=nearer)

    def revolve(
        self,
        frame: ShapeFrame,
        axis: Vec3 | Array,
        profile: Corners,
        color: Color,
        nearer: float = 0.0,
        base: Vec3 = NOWHERE,
    ) -> Solid:
        """A solid of revolution; heights and radii of its profile are in sizes of the small symbols."""
        scaled = self.size * np.array(profile, float)
        points = tuple((float(height), float(radius)) for height, radius in scaled)
        return Solid(frame=frame, base=base, axis=space(axis), profile=points, color=color, layer=nearer)

    def rod(
        self, frame: ShapeFrame, axis: Vec3 | Array, half: float, radius: float, color: Color, nearer: float = 0.0
    ) -> Solid:
        """A round bar about the origin of a frame; `half` is half its length, in sizes of the small symbols."""
        return self.revolve(frame, axis, [(-half, 0.0), (-half, radius), (half, radius), (half, 0.0)], color, nearer)

    def ball(self, at: Spot, radius: float, color: Color, nearer: float = 0.0) -> Solid:
        """A ball about a place."""
        turn = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 11)
        profile = radius * np.column_stack([np.sin(turn), np.clip(np.cos(turn), 0.0, None)])
        return self.revolve(self.frame(at), (0.0, 0.0, 1.0), profile, color, nearer)

    def arrow(self, frame: ShapeFrame, along: Array) -> Iterator[Stroke | Solid]:
        """An arrow along a unit vector."""
        yield self.wire(frame, np.outer([0.0, 6.0 * self.size], along), 0.45, "accent")
        yield self.cone(frame, 8.4 * self.size * along, along, 2.8, 1.2)

    def cone(self, frame: ShapeFrame, tip: Array, along: Array, length: float, radius: float) -> Solid:
        """The head of an arrow."""
        base = space(tip - length * self.size * along)
        return self.revolve(frame, along, [(0.0, 0.0), (0.0, radius), (length, 0.0)], "accent", base=base)

    def support(self, at: Spot, up: Vec3 | Array, base: Vec3 = NOWHERE) -> Solid:
        """A foot on which something on the ground stands, or from which it hangs."""
        foot = [(-3.2, 0.0), (-3.2, 2.6), (-2.6, 2.6), (-2.6, 1.3), (-1.0, 1.0), (-1.0, 0.0)]
        return self.revolve(self.frame(at), up, foot, "ground", base=base)

    def basis(self, axis: Vec3 | Array) -> Array:
        """Two unit vectors as rows, which form a right-handed system with an axis."""
        across = perpendicular(np.asarray(axis, float))
        return np.array([across, np.cross(axis, across)])
