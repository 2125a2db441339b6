"""The symbols of springs, dampers, motors and loads."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grashof.scene.kinds.base import Joining, Kind
from grashof.scene.outlines import arc, arrow_head, damper, spiral, zigzag
from grashof.scene.pens import ACTING, GROUNDED, LINES, PINS, PaperPen, SolidPen
from grashof.scene.types import AnyShape, ShapeFrame, Spot, Vec3

Array = np.ndarray


class Spring(Joining, frozen=True, kw_only=True):
    """A spring, a damper, or both in parallel; `length` is that of the relaxed spring."""

    elastic: bool
    damped: bool
    length: float

    def draw(self, pen: PaperPen) -> Iterator[AnyShape]:
        """A zigzag, a dashpot, or both in parallel."""
        frame, size = pen.between(self.a, self.b), pen.size
        both = self.elastic and self.damped
        side = np.array([0.0, 1.5 * size if both else 0.0])
        inset = 0.12 if both else 0.0
        first, last = (np.array([part * frame.span, 0.0]) for part in (inset, 1.0 - inset))
        lines = [zigzag(first + side, last + side, size)] if self.elastic else []
        lines += damper(first - side, last - side, size) if self.damped else []
        if both:
            for end, inner in ((np.zeros(2), first), (np.array([frame.span, 0.0]), last)):
                lines += [np.array([end, inner]), np.array([inner + side, inner - side])]
        for line in lines:
            yield pen.line(frame, line, LINES, 1.3)
        yield from (pen.pin(self.a, 0.4), pen.pin(self.b, 0.4))

    def build(self, pen: SolidPen) -> Iterator[AnyShape]:
        """A coil, a cylinder with its rod, or both."""
        frame, size = pen.between(self.a, self.b), pen.size
        if self.elastic:
            part = np.linspace(0.0, 1.0, 121)
            turn = 2.0 * np.pi * 9.0 * np.clip((part - 0.12) / 0.76, 0.0, 1.0)
            reach = 1.5 * size * np.clip(np.minimum(part - 0.06, 0.94 - part) / 0.06, 0.0, 1.0)
            helix = np.column_stack([frame.span * part, reach * np.cos(turn), reach * np.sin(turn)])
            yield pen.wire(frame, helix, 0.32, "steel")
        if self.damped:
            along = np.array([frame.span, 0.0, 0.0])
            yield pen.wire(frame, np.outer([0.2, 0.55], along), 0.85, "ground", nearer=-1.0)
            yield pen.wire(frame, np.outer([0.0, 1.0], along), 0.4, "steel", nearer=-1.0)


class Mount(Joining, frozen=True, kw_only=True):
    """An elastic mount."""

    @property
    def pinned_places(self) -> tuple[Spot, ...]:
        return (self.b,)

    def draw(self, pen: PaperPen) -> Iterator[AnyShape]:
        yield pen.disc(self.a, 1.5 * pen.size, PINS, "ink", tint=0.35)
        yield pen.disc(self.a, 0.7 * pen.size, PINS, "paper")
        frame = pen.between(self.a, self.b)
        yield pen.line(frame, [(0.0, 0.0), (frame.span, 0.0)], PINS)

    def build(self, pen: SolidPen) -> Iterator[AnyShape]:
        yield pen.ball(self.a, 1.9, "ink")
        yield pen.bar((self.a, self.b), 0.8, "steel")


class Coil(Kind, frozen=True, kw_only=True):
    """A torsional spring or damper about an axis of body a."""

    a: Spot
    axis: Vec3
    elastic: bool
    damped: bool

    def draw(self, pen: PaperPen) -> Iterator[AnyShape]:
        """A spiral about the pin for a spring, which turns with the body; a pair of arcs for a damper."""
        frame, origin, size = pen.frame(self.a), np.zeros(2), pen.size
        if self.elastic:
            yield pen.line(frame, spiral(origin, 0.9 * size, 2.7 * size, 0.0), ACTING, 1.2)
        for half in (0.0, np.pi) if self.damped else ():
            yield pen.line(frame, arc(origin, 3.2 * size, half + 0.35, half + np.pi - 0.35), ACTING, 1.6)

    def build(self, pen: SolidPen) -> Iterator[AnyShape]:
        frame, offset, size = pen.frame(self.a), 2.0 * pen.size * np.array(self.axis), pen.size
        if self.elastic:
            path = offset + spiral(np.zeros(2), 1.2 * size, 3.2 * size, 0.0) @ pen.basis(self.axis)
            yield pen.wire(frame, path, 0.3, "ink")
        if self.damped:
            yield pen.wire(frame, np.outer([1.0, 1.6], offset), 2.4, "ink")


class Drive(Kind, frozen=True, kw_only=True):
    """A motor or a torque about an axis of body a through a, or a motor or a force that moves b.

    b           None for a rotation; otherwise it is moved along the axis or, if the axis is zero, along the line from a
    reference   for a rotation, the body relative to which body a turns
    """

    a: Spot
    b: Spot | None
    axis: Vec3
    prescribed: bool
    reference: int = 0

    @property
    def points_away(self) -> bool:
        return self.b is not None

    def draw(self, pen: PaperPen) -> Iterator[AnyShape]:
        """A curved arrow about a pin, with a disc behind it for a prescribed motion, or a straight arrow."""
        if self.b is not None:
            along = pen.flat(self.a.body, self.axis)
            yield from pen.arrow(*self._pushing(pen, self.b, along, np.array([-1.0, 0.0])))
            return
        frame, radius = pen.frame(self.a, self.reference), 2.9 * pen.size
        sign = 1.0 if pen.start.direction(self.a.body, self.axis) @ pen.viewer[2] >= 0.0 else -1.0
        line = arc(np.zeros(2), radius, np.pi / 2 + sign * 0.35, np.pi / 2 + sign * (0.35 + 1.5 * np.pi))
        beyond = np.pi / 2 + sign * (0.35 + 1.5 * np.pi + 1.4 * pen.size / radius)
        tip = radius * np.array([np.cos(beyond), np.sin(beyond)])
        if self.prescribed:
            yield pen.disc(self.a, radius, GROUNDED - 0.5, "accent", tint=0.16, edge=None)
        yield pen.line(frame, line, ACTING, 1.7, "accent")
        head = arrow_head(tip, (tip - line[-1]) / np.linalg.norm(tip - line[-1]), 1.6 * pen.size)
        yield pen.area(frame, head, ACTING, "accent", edge=None)

    def build(self, pen: SolidPen) -> Iterator[AnyShape]:
        """An arrow that is curved about an axis, or straight."""
        if self.b is not None:
            yield from pen.arrow(*self._pushing(pen, self.b, np.array(self.axis), np.array([-1.0, 0.0, 0.0])))
            return
        axis = pen.start.local(self.reference, pen.start.direction(self.a.body, self.axis))
        frame, size = pen.frame(self.a, self.reference), pen.size
        line = arc(np.zeros(2), 3.8 * size, 0.3, 4.8) @ pen.basis(axis)
        yield pen.wire(frame, line, 0.4, "accent")
        along = (line[-1] - line[-2]) / np.linalg.norm(line[-1] - line[-2])
        yield pen.cone(frame, line[-1] + 2.0 * size * along, along, 2.4, 1.1)

    def _pushing(self, pen: PaperPen | SolidPen, b: Spot, along: Array, otherwise: Array) -> tuple[ShapeFrame, Array]:
        """The axes and the direction of a straight arrow; without an axis of its own, it points away from a."""
        length = float(np.linalg.norm(along))
        if length > 0.0:
            return pen.frame(b, self.a.body), along / length
        return ShapeFrame(b, 0, self.a), otherwise


class Cylinder(Joining, frozen=True, kw_only=True):
    """A cylinder with its rod, which drives or pushes along the line between two places.

    closed, extended   the smallest and the largest distance of the places during the motion, m
    """

    closed: float
    extended: float

    @property
    def _parts(self) -> tuple[float, float]:
        """The lengths of barrel and rod: the rod stays within the barrel where the stroke allows that."""
        barrel = max(0.82 * self.closed, 0.1 * self.extended)
        return barrel, min(max(self.extended - 0.75 * barrel, 0.25 * barrel), max(self.closed, 0.1 * self.extended))

    def _frames(self) -> tuple[ShapeFrame, ShapeFrame]:
        """Axes along the line, from either end; they are not stretched."""
        return ShapeFrame(self.a, 0, self.b), ShapeFrame(self.b, 0, self.a)

    def draw(self, pen: PaperPen) -> Iterator[AnyShape]:
        """A barrel on the first place, and a rod on the second."""
        (barrel, rod), (first, second), side = self._parts, self._frames(), 1.15 * pen.size
        yield pen.area(
            second, [(0.0, -0.4 * side), (rod, -0.4 * side), (rod, 0.4 * side), (0.0, 0.4 * side)], LINES, "steel"
        )
        front = 0.12 * barrel
        yield pen.area(
            first, [(front, -side), (barrel, -side), (barrel, side), (front, side)], LINES + 0.1, "accent", tint=0.3
        )
        yield pen.line(first, [(0.0, 0.0), (front, 0.0)], LINES, 2.2)
        yield from (pen.pin(self.a, 0.4), pen.pin(self.b, 0.4))

    def build(self, pen: SolidPen) -> Iterator[AnyShape]:
        (barrel, rod), (first, second) = self._parts, self._frames()
        yield pen.wire(first, np.outer([0.0, barrel], [1.0, 0.0, 0.0]), 1.2, "accent")
        yield pen.wire(second, np.outer([0.0, rod], [1.0, 0.0, 0.0]), 0.5, "steel")


class Load(Kind, frozen=True, kw_only=True):
    """A force at a place.

    direction   in world axes, or in the axes of the body if the force follows it; zero if it is not constant
    """

    a: Spot
    direction: Vec3
    follows: bool = False

    @property
    def points_away(self) -> bool:
        return True

    def draw(self, pen: PaperPen) -> Iterator[AnyShape]:
        """An arrow from the point of application; a ring if the direction is not known beforehand."""
        body = self.a.body if self.follows else 0
        along = pen.flat(body, self.direction)
        if np.any(along):
            yield from pen.arrow(pen.frame(self.a, body), along / np.linalg.norm(along))
        else:
            ring = arc(np.zeros(2), 1.2 * pen.size, 0.0, 2.0 * np.pi)
            yield pen.line(pen.frame(self.a), ring, ACTING, 1.7, "accent")

    def build(self, pen: SolidPen) -> Iterator[AnyShape]:
        along, body = np.array(self.direction), self.a.body if self.follows else 0
        if np.any(along):
            yield from pen.arrow(pen.frame(self.a, body), along / np.linalg.norm(along))
