"""Mechanisms in the plane, drawn with textbook symbols."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from matplotlib.path import Path

from grashof.scene import types
from grashof.scene.palette import ACCENT, BODIES, GROUND, INK, PAPER, STEEL
from grashof.show.outlines import (
    across,
    arc,
    around,
    arrow_head,
    beside,
    circle,
    damper,
    gear_outline,
    hatch_strokes,
    rectangle,
    rounded_hull,
    spiral,
    zigzag,
)
from grashof.show.paper import Color, PaperShape, dark, tint
from grashof.show.seen import SeenFrame

Array = np.ndarray

GROUNDED, LINKS, OVER, BLOCKS, LINES, CENTERS, PINS, ACTING = range(8)
"""Layers from back to front; within LINKS, small links are drawn over large ones."""

MARKED = 12
"""Centres of mass are marked in mechanisms of at most this many bodies: more marks would cover the links."""


def shapes(frame: SeenFrame, line: float, *, teeth: float = 0.0, grey: str | None = None) -> Iterator[PaperShape]:
    """The mechanism at one time.

    line    width of the thinnest lines, points of the page
    teeth   smallest distance of teeth that are drawn, m; wheels with finer teeth are drawn as pitch circles
    grey    a single colour for everything, if given
    """
    sheet = PlanarSheet(frame, frame.scene.detail, line, teeth, grey)
    yield from sheet.bodies()
    for symbol in frame.scene.symbols:
        yield from sheet.symbol(symbol)
    yield from sheet.supports()


@dataclass(frozen=True)
class PlanarSheet:
    """Draws a frame; `size` is the size of the small symbols, m."""

    frame: SeenFrame
    size: float
    line: float
    teeth: float
    grey: str | None

    # -- bodies

    def color(self, body: int) -> str:
        """A body's colour."""
        if self.grey is not None:
            return self.grey
        return BODIES[self.frame.scene.bodies[body].color % len(BODIES)] if body else GROUND

    @property
    def ink(self) -> str:
        """The colour of lines."""
        return self.grey or INK

    def at(self, spot: types.Spot) -> Array:
        """The position of a place in the drawing."""
        return self.frame.place(spot)[:2]

    def along(self, body: int, local: types.Vec3) -> Array:
        """A direction in the drawing, of unit length."""
        seen = self.frame.direction(body, local)[:2]
        length = float(np.linalg.norm(seen))
        return np.asarray(seen / length) if length > 0.0 else np.array([1.0, 0.0])

    def layer(self, extent: float) -> float:
        """The layer of a link of the given extent, m."""
        return LINKS + 0.9 * (1.0 - min(extent / self.frame.scene.size, 1.0))

    def corners(self, number: int) -> Array:
        """The places that a body connects, in the drawing."""
        body = self.frame.scene.bodies[number]
        local = body.corners or (() if body.center is None else (body.center,))
        return self.frame.places(number, np.array(local).reshape(-1, 3))[:, :2]

    def extent(self, number: int) -> float:
        """The larger side of a body."""
        corners = self.corners(number)
        return float(np.max(np.ptp(corners, axis=0))) if len(corners) else 0.0

    def bodies(self) -> Iterator[PaperShape]:
        """Links as bars and plates with round corners, and centres of mass."""
        scene = self.frame.scene
        for number in range(1, len(scene.bodies)):
            corners = self.corners(number)
            if len(corners) == 0 or (len(corners) == 1 and number in self.frame.seen.shaped):
                continue
            color = self.color(number)
            yield PaperShape(
                rounded_hull(corners, (2.2 if len(corners) == 1 else 1.0) * self.size),
                self.layer(self.extent(number)),
                edge=self.edge(number),
                fill=None if self.grey else tint(color, 0.42),
                width=1.3 * self.line,
                closed=True,
                opacity=0.92 if len(corners) < 3 else 0.6,
            )
        if len(scene.bodies) <= MARKED + 1 and self.grey is None:
            yield from self._centers()

    def edge(self, body: int) -> Color:
        """The colour of a body's outline."""
        return self.grey or dark(self.color(body), 0.15)

    def _centers(self) -> Iterator[PaperShape]:
        """Centres of mass as circles with black and white quarters, except at pins."""
        pins = [self.at(spot) for spot in self.frame.seen.pinned]
        radius = 0.62 * self.size
        for number, body in enumerate(self.frame.scene.bodies):
            if body.center is None:
                continue
            at = self.at(types.Spot(number, body.center))
            if any(np.linalg.norm(at - pin) < radius for pin in pins):
                continue
            corners = self.corners(number)
            if len(corners) > 1 and not Path(rounded_hull(corners, self.size)).contains_point(tuple(at)):
                line = np.array([at, corners.mean(axis=0)])
                yield PaperShape(line, GROUNDED, edge=self.edge(number), width=0.8 * self.line, dashed=True)
            yield PaperShape(circle(at, radius), CENTERS, edge=INK, fill=PAPER, width=0.7 * self.line, closed=True)
            for begin in (0.0, np.pi):
                quarter = np.vstack([at, arc(at, radius, begin, begin + 0.5 * np.pi)])
                yield PaperShape(quarter, CENTERS, fill=INK, closed=True, width=0.0)

    def supports(self) -> Iterator[PaperShape]:
        """The ground below every place of it that supports something, or above if it hangs from there."""
        wheels = []
        for symbol in self.frame.scene.symbols:
            match symbol:
                case types.Outline(closed=True):
                    wheels.append(self.frame.places(symbol.body, np.array(symbol.corners))[:, :2].mean(axis=0))
                case types.Gear():
                    wheels.append(self.at(symbol.a))
                case types.Rope():
                    wheels += [self.at(spot) for spot in symbol.through[1:-1]] if symbol.radii else []
        for place, hangs in self.frame.held().items():
            at = self.at(types.Spot(0, place))
            covered = any(np.linalg.norm(at - wheel) < 2.0 * self.size for wheel in wheels)
            yield from self._support(at, 1.0 if hangs else -1.0, OVER if covered else GROUNDED)

    def _support(self, at: Array, up: float, layer: float) -> Iterator[PaperShape]:
        """A small triangle on the hatched ground, or hanging from it."""

        def place(x: float, y: float) -> Array:
            return at + self.size * np.array([x, up * y])

        corners = np.array([place(0.0, -0.45), place(1.5, 2.2), place(-1.5, 2.2)])
        fill = None if self.grey else tint(GROUND, 0.45)
        yield PaperShape(corners, layer, edge=self.ink, fill=fill, width=self.line, closed=True)
        base = np.array([place(-2.3, 2.2), place(2.3, 2.2)])
        line = base if up < 0.0 else base[::-1]
        yield from self._lines([line, *hatch_strokes(line, self.size)], layer)

    def _lines(
        self, lines: Iterable[Array], layer: float, width: float = 1.0, color: Color | None = None
    ) -> Iterator[PaperShape]:
        for corners in lines:
            yield PaperShape(corners, layer, edge=self.grey or color or INK, width=width * self.line)

    def _pin(self, at: Array, radius: float = 0.55) -> Iterator[PaperShape]:
        yield PaperShape(
            circle(at, radius * self.size, 28), PINS, edge=self.ink, fill=PAPER, width=1.2 * self.line, closed=True
        )

    # -- symbols

    def symbol(self, symbol: types.AnySymbol) -> Iterator[PaperShape]:
        """The shapes of a symbol."""
        match symbol:
            case types.Pin() | types.Ball() | types.Cross():
                yield from self._pin(self.at(symbol.a))
            case types.Guide():
                yield from self._guide(symbol)
            case types.Face():
                at = self.at(symbol.a)
                yield PaperShape(
                    circle(at, 2.0 * self.size), BLOCKS, edge=self.ink, fill=STEEL, width=self.line, closed=True
                )
            case types.Rod():
                a, b = self.at(symbol.a), self.at(symbol.b)
                yield PaperShape(np.array([a, b]), LINES, edge=self.ink, width=1.6 * self.line)
                yield from (*self._pin(a, 0.4), *self._pin(b, 0.4))
            case types.Weld():
                square = rectangle(self.at(symbol.a), np.array([1.0, 0.0]), 0.6 * self.size, 0.6 * self.size)
                yield PaperShape(square, PINS, edge=self.ink, fill=self.ink, width=self.line, closed=True)
            case types.Spring():
                yield from self._spring(symbol)
            case types.Bushing():
                at = self.at(symbol.a)
                for radius, fill in ((1.5, tint(self.ink, 0.35)), (0.7, PAPER)):
                    yield PaperShape(
                        circle(at, radius * self.size), PINS, edge=self.ink, fill=fill, width=self.line, closed=True
                    )
                yield from self._lines([np.array([at, self.at(symbol.b)])], PINS)
            case types.Coil():
                yield from self._coil(symbol)
            case types.Drive():
                yield from self._drive(symbol)
            case types.Load():
                yield from self._load(symbol)
            case types.Gear():
                yield from self._gear(symbol)
            case types.Belt():
                yield from self._belt(symbol)
            case types.Rope():
                yield from self._rope(symbol)
            case types.Outline():
                yield from self._outline(symbol)

    def _guide(self, guide: types.Guide) -> Iterator[PaperShape]:
        """Two walls on the ground, or a slot in a body; a block or a pin in it."""
        base, at = self.at(guide.a), self.at(guide.b)
        along = self.along(guide.a.body, guide.axis)
        start, end = base + guide.lower * along, base + guide.upper * along
        side, fill = across(along), PAPER if self.grey else tint(self.color(guide.b.body), 0.42)
        if guide.block == "none":
            yield PaperShape(np.array([start, end]), OVER, edge=self.edge(guide.a.body), width=3.0 * self.line)
            return
        if guide.a.body == 0:
            walls = [np.array([start, end]) + 1.7 * self.size * side, np.array([end, start]) - 1.7 * self.size * side]
            for wall in (walls[0][::-1], walls[1][::-1]):
                yield from self._lines([wall, *hatch_strokes(wall, self.size)], GROUNDED)
        else:
            edge, layer = self.edge(guide.a.body), self.layer(self.extent(guide.a.body))
            plate, hole = (rounded_hull(np.array([start, end]), wide * self.size) for wide in (1.9, 1.1))
            solid = None if self.grey else tint(self.color(guide.a.body), 0.42)
            yield PaperShape(plate, layer, edge=edge, fill=solid, width=1.3 * self.line, closed=True)
            yield PaperShape(hole, layer, edge=edge, fill=PAPER, width=self.line, closed=True)
        if guide.a.body == 0 or guide.block == "block":
            wide = 1.6 if guide.a.body == 0 else 1.05
            block = rectangle(at, along, 2.2 * self.size, wide * self.size)
            yield PaperShape(block, BLOCKS, edge=self.ink, fill=fill, width=1.2 * self.line, closed=True)
        if guide.block == "pin":
            yield from self._pin(at, 0.55 if guide.a.body == 0 else 1.0)

    def _spring(self, spring: types.Spring) -> Iterator[PaperShape]:
        """A zigzag, a dashpot, or both in parallel."""
        a, b = self.at(spring.a), self.at(spring.b)
        span = float(np.linalg.norm(b - a))
        if span > 0.0:
            along = (b - a) / span
            apart = 1.5 * self.size * across(along) if spring.elastic and spring.damped else np.zeros(2)
            inset = min(0.12 * span, 2.0 * self.size) * along if apart.any() else np.zeros(2)
            if spring.elastic:
                yield from self._lines([zigzag(a + apart + inset, b + apart - inset, self.size)], LINES, 1.3)
            if spring.damped:
                yield from self._lines(damper(a - apart + inset, b - apart - inset, self.size), LINES, 1.3)
            if apart.any():
                for end, inner in ((a, a + inset), (b, b - inset)):
                    yield from self._lines(
                        [np.array([end, inner]), np.array([inner + apart, inner - apart])], LINES, 1.3
                    )
        yield from (*self._pin(a, 0.4), *self._pin(b, 0.4))

    def _coil(self, coil: types.Coil) -> Iterator[PaperShape]:
        """A spiral about the pin for a spring, which turns with the body; a pair of arcs for a damper."""
        at = self.at(coil.a)
        turn = self.along(coil.a.body, (1.0, 0.0, 0.0))
        begin = float(np.arctan2(turn[1], turn[0]))
        if coil.elastic:
            yield from self._lines([spiral(at, 0.9 * self.size, 2.7 * self.size, begin)], ACTING, 1.2)
        if coil.damped:
            for half in (0.0, np.pi):
                yield from self._lines(
                    [arc(at, 3.2 * self.size, begin + half + 0.35, begin + half + np.pi - 0.35)], ACTING, 1.6
                )

    def _drive(self, drive: types.Drive) -> Iterator[PaperShape]:
        """A curved arrow about a pin, with a disc behind it for a prescribed motion, or a straight arrow."""
        at = self.at(drive.a)
        color = self.grey or ACCENT
        if drive.b is None:
            sign = 1.0 if self.frame.direction(drive.a.body, drive.axis)[2] >= 0.0 else -1.0
            radius = 2.9 * self.size
            begin, end = np.pi / 2 + sign * 0.35, np.pi / 2 + sign * (0.35 + 1.5 * np.pi)
            line = arc(at, radius, begin, end)
            beyond = end + sign * 1.4 * self.size / radius
            tip = at + radius * np.array([np.cos(beyond), np.sin(beyond)])
            along = (tip - line[-1]) / np.linalg.norm(tip - line[-1])
            if drive.prescribed:
                yield PaperShape(circle(at, radius), GROUNDED, fill=tint(color, 0.16), closed=True, width=0.0)
            yield PaperShape(line, ACTING, edge=color, width=1.7 * self.line)
            yield PaperShape(arrow_head(tip, along, 1.6 * self.size), ACTING, fill=color, closed=True, width=0.0)
            return
        span = self.frame.direction(drive.a.body, drive.axis)[:2]
        span = span if np.any(span) else self.at(drive.b) - at
        if np.any(span):
            yield from self._arrow(self.at(drive.b), span / np.linalg.norm(span), color)

    def _load(self, load: types.Load) -> Iterator[PaperShape]:
        """An arrow from the point of application; a ring if the direction is not known beforehand."""
        at = self.at(load.a)
        direction = self.frame.direction(load.a.body if load.follows else 0, load.direction)[:2]
        if np.any(direction):
            yield from self._arrow(at, direction / np.linalg.norm(direction), self.grey or ACCENT)
        else:
            yield PaperShape(
                circle(at, 1.2 * self.size), ACTING, edge=self.grey or ACCENT, width=1.7 * self.line, closed=True
            )

    def _arrow(self, at: Array, along: Array, color: Color) -> Iterator[PaperShape]:
        start, tip = at + 0.8 * self.size * along, at + 6.0 * self.size * along
        yield PaperShape(np.array([start, tip - self.size * along]), ACTING, edge=color, width=2.0 * self.line)
        yield PaperShape(arrow_head(tip, along, 1.7 * self.size), ACTING, fill=color, closed=True, width=0.0)

    def _gear(self, gear: types.Gear) -> Iterator[PaperShape]:
        """A wheel with teeth, or circles in their place if they would be too small to see."""
        at, edge, width = self.at(gear.a), self.edge(gear.a.body), self.line
        fill = None if self.grey else tint(self.color(gear.a.body), 0.25)
        layer = self.layer(2.0 * gear.radius)
        zero = self.along(gear.a.body, gear.zero)
        begin = float(np.arctan2(zero[1], zero[0]))
        fine = gear.teeth == 0 or 2.0 * np.pi * gear.radius / gear.teeth < self.teeth
        if gear.internal:
            rim = (2.6 if fine else 4.4 * gear.radius / max(gear.teeth, 1) / self.size) * self.size
            inner = circle(at, gear.radius, 96) if fine else at + gear_outline(gear.radius, gear.teeth, begin, True)
            ring = np.vstack([inner, inner[:1], circle(at, gear.radius + rim, 96)[::-1]])
            yield PaperShape(
                np.vstack([ring, ring[len(inner) + 1 : len(inner) + 2]]), layer, fill=fill, width=0.0, closed=True
            )
            yield PaperShape(inner, layer, edge=edge, width=width, closed=True)
            yield PaperShape(circle(at, gear.radius + rim, 96), layer, edge=edge, width=width, closed=True)
        elif fine:
            yield PaperShape(circle(at, gear.radius, 96), layer, fill=fill, edge=edge, width=width, closed=True)
            if gear.teeth:
                module = 2.0 * gear.radius / gear.teeth
                yield PaperShape(circle(at, gear.radius + module, 96), layer, edge=edge, width=0.5 * width, closed=True)
        else:
            yield PaperShape(
                at + gear_outline(gear.radius, gear.teeth, begin, False),
                layer,
                fill=fill,
                edge=edge,
                width=width,
                closed=True,
            )
        mark = at + np.outer([0.35, 0.8], gear.radius * zero)
        if not gear.internal and self.frame.scene.bodies[gear.a.body].corners:
            yield PaperShape(mark, layer, edge=edge, width=1.5 * width)

    def _belt(self, belt: types.Belt) -> Iterator[PaperShape]:
        centers, radii = np.array([self.at(belt.a), self.at(belt.b)]), np.array(belt.radii)
        line = around(centers, radii * ([1.0, -1.0] if belt.crossed else [1.0, 1.0]), closed=True)
        if line is not None:
            yield PaperShape(line, LINES, edge=self.ink, width=2.2 * self.line, closed=True)

    def _rope(self, rope: types.Rope) -> Iterator[PaperShape]:
        """A line through places and around pulleys."""
        places = np.array([self.at(spot) for spot in rope.through])
        radii = np.array(rope.radii) if rope.radii else np.zeros(len(places))
        line = around(places, radii, closed=False)
        yield PaperShape(places if line is None else line, LINES, edge=self.ink, width=1.6 * self.line)
        for place, radius in zip(places, np.abs(radii), strict=True):
            if radius > 0.0:
                yield PaperShape(
                    circle(place, radius), LINKS, edge=self.ink, fill=tint(GROUND, 0.3), width=self.line, closed=True
                )
            yield from self._pin(place, 0.4)

    def _outline(self, outline: types.Outline) -> Iterator[PaperShape]:
        """A cam, a track or a rack."""
        corners = self.frame.places(outline.body, np.array(outline.corners))[:, :2]
        edge = self.edge(outline.body)
        if outline.closed:
            fill = None if self.grey else tint(self.color(outline.body), 0.3)
            layer = self.layer(float(np.max(np.ptp(corners, axis=0))))
            yield PaperShape(corners, layer, edge=edge, fill=fill, width=1.5 * self.line, closed=True)
        elif outline.body == 0:
            yield PaperShape(corners, GROUNDED, edge=self.ink, width=1.4 * self.line)
            yield from self._lines(hatch_strokes(corners, self.size), GROUNDED)
        else:
            below = beside(corners, -1.4 * self.size)
            fill = None if self.grey else tint(self.color(outline.body), 0.42)
            yield PaperShape(
                np.vstack([corners, below[::-1]]), OVER, edge=edge, fill=fill, width=1.3 * self.line, closed=True
            )
