"""The symbols of stops: what limits an angle, a coordinate or a distance."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grashof.scene.kinds.base import Disc, Joining, Kind
from grashof.scene.outlines import across
from grashof.scene.pens import GROUNDED, LINES, OVER, PaperPen, SolidPen
from grashof.scene.start import space
from grashof.scene.types import AnyShape, ShapeFrame, Spot, Vec3

Array = np.ndarray


class Peg(Kind, frozen=True, kw_only=True):
    """A stop of an angle: a peg beside which a body comes to rest.

    a           the centre of rotation
    reference   the body that carries the peg
    axis        in the axes of the reference, as is
    along       the direction from the centre to the body's far end at the limit
    outward     1 if angles beyond the limit are larger, −1 if they are smaller
    length      how far the body reaches, m
    """

    a: Spot
    reference: int
    axis: Vec3
    along: Vec3
    outward: float
    length: float

    def _span(self, size: float) -> tuple[float, float]:
        """Where the peg begins and ends, from the centre."""
        begin = max(0.3 * self.length, 4.0 * size)
        return begin, begin + 5.0 * size

    def draw(self, pen: PaperPen) -> Iterator[AnyShape]:
        """A short wall on the far side of the body."""
        frame, along = pen.frame(self.a, self.reference), pen.along(self.reference, self.along)
        turning = self.outward if float(pen.plane(self.reference)[2] @ np.array(self.axis)) >= 0.0 else -self.outward
        aside = 1.15 * turning * pen.size * across(along)
        wall = np.outer(self._span(pen.size), along) + aside
        line = wall if turning < 0.0 else wall[::-1]  # hatched on the far side
        if self.reference == 0:
            yield from pen.hatch(frame, line, OVER, 1.8)
        else:
            yield pen.line(frame, line, OVER, 3.0, self.reference)

    def build(self, pen: SolidPen) -> Iterator[AnyShape]:
        """A block beside the body."""
        axis, along, size = np.array(self.axis), np.array(self.along), pen.size
        first, last = self._span(size)
        middle = 0.5 * (first + last) * along + 1.6 * size * self.outward * np.cross(axis, along)
        sides = np.array([0.5 * (last - first), 0.5 * size, 1.6 * size])
        yield pen.box(pen.frame(self.a, self.reference), middle, along, axis, sides, self.reference)


class Wall(Kind, frozen=True, kw_only=True):
    """A stop of a coordinate: a wall that a point does not pass, fixed in a body.

    at       a place of the wall, in the axes of the body
    normal   points to the free side
    ranges   directions across the normal, with the range in which the point meets the wall, m
    """

    body: int
    at: Vec3
    normal: Vec3
    ranges: tuple[tuple[Vec3, float, float], ...]

    def corners(self, more: float = 0.0) -> Array:
        """Its two ends, or in space its four corners, with a margin."""
        corners = [np.array(self.at)]
        for along, low, high in self.ranges:
            ends = (low - more) * np.array(along), (high + more) * np.array(along)
            corners = [corner + ends[0] for corner in corners] + [corner + ends[1] for corner in corners[::-1]]
        return np.array(corners)

    @property
    def reach(self) -> tuple[Disc, ...]:
        return tuple((Spot(self.body, space(corner)), self.normal, 0.0) for corner in self.corners())

    def draw(self, pen: PaperPen) -> Iterator[AnyShape]:
        """A line, hatched behind it."""
        seen, free = pen.flat(self.body, self.corners(3.0 * pen.size)), pen.flat(self.body, self.normal)
        if not np.any(free):
            return
        sideways = seen @ across(free)  # to the left of the normal
        line = seen[[int(np.argmax(sideways)), int(np.argmin(sideways))]]
        frame = pen.frame(Spot(self.body, (0.0, 0.0, 0.0)))
        if self.body == 0:
            yield from pen.hatch(frame, line, GROUNDED, 1.4)
        else:
            yield pen.line(frame, line, OVER, 3.0, self.body)

    def build(self, pen: SolidPen) -> Iterator[AnyShape]:
        """A plate."""
        normal, thick = np.array(self.normal), 0.5 * pen.size
        frame = pen.frame(Spot(self.body, (0.0, 0.0, 0.0)))
        yield pen.plate(frame, self.corners(3.0 * pen.size) - 0.5 * thick * normal, normal, thick, self.body)


class Bumper(Joining, frozen=True, kw_only=True):
    """A stop that keeps two places at least at a distance, m: a rod with a plate, which the second place meets."""

    length: float

    def draw(self, pen: PaperPen) -> Iterator[AnyShape]:
        frame, size = ShapeFrame(self.a, 0, self.b), pen.size
        yield pen.line(frame, [(0.0, 0.0), (self.length, 0.0)], LINES, 2.2)
        yield pen.line(frame, [(self.length, -1.5 * size), (self.length, 1.5 * size)], LINES, 2.2)
        yield from (pen.pin(self.a, 0.4), pen.pin(self.b, 0.4))

    def build(self, pen: SolidPen) -> Iterator[AnyShape]:
        frame, along = ShapeFrame(self.a, 0, self.b), np.array([1.0, 0.0, 0.0])
        yield pen.wire(frame, np.outer([0.0, self.length], along), 0.45, "ink")
        yield pen.revolve(
            frame, along, [(-0.25, 0.0), (-0.25, 1.6), (0.25, 1.6), (0.25, 0.0)], "ink", base=space(self.length * along)
        )
