"""The symbols of joints."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grashof.scene.kinds.base import Disc, Joining
from grashof.scene.outlines import across, rectangle
from grashof.scene.pens import BLOCKS, GROUNDED, OVER, PINS, PaperPen, SolidPen
from grashof.scene.start import space
from grashof.scene.types import AnyShape, ShapeFrame, Spot, Vec3

FORK = 3.4
"""Length of the forks of a universal joint, relative to the size of the small symbols."""


class Pin(Joining, frozen=True, kw_only=True):
    """A revolute joint; its axis is given in the axes of the first body."""

    axis: Vec3

    def draw(self, pen: PaperPen) -> Iterator[AnyShape]:
        yield pen.pin(self.a)

    def build(self, pen: SolidPen) -> Iterator[AnyShape]:
        frame = pen.frame(self.a)
        yield pen.rod(frame, self.axis, 1.7, 1.6, self.a.body, 1.0)
        yield pen.rod(frame, self.axis, 2.3, 0.75, "steel", 1.0)


class Ball(Joining, frozen=True, kw_only=True):
    """A spherical joint."""

    def draw(self, pen: PaperPen) -> Iterator[AnyShape]:
        yield pen.pin(self.a)

    def build(self, pen: SolidPen) -> Iterator[AnyShape]:
        yield pen.ball(self.a, 1.7, "steel", 1.4)


class Cross(Joining, frozen=True, kw_only=True):
    """A universal joint; each arm is given in the axes of its own body."""

    arm_a: Vec3
    arm_b: Vec3

    def draw(self, pen: PaperPen) -> Iterator[AnyShape]:
        yield pen.pin(self.a)

    def build(self, pen: SolidPen) -> Iterator[AnyShape]:
        """A cross between two forks, each of which holds its arm."""
        for spot, arm in ((self.a, self.arm_a), (self.b, self.arm_b)):
            frame, along = pen.frame(spot), np.array(arm)
            yield pen.rod(frame, along, 2.5, 0.65, "steel")
            corners = np.array(pen.bodies[spot.body].corners).reshape(-1, 3)
            back = corners.mean(axis=0) - spot.at if len(corners) else np.zeros(3)
            back = back - along * (along @ back)
            length = float(np.linalg.norm(back))
            if length > 0.0:
                turn = np.linspace(0.0, np.pi, 15)[:, None]
                fork = pen.size * (2.5 * np.cos(turn) * along + FORK * np.sin(turn) * back / length)
                yield pen.wire(frame, fork, 0.6, spot.body)


class Guide(Joining, frozen=True, kw_only=True):
    """A line fixed in the first body, along which a place of the second moves from `lower` to `upper`, measured from a.

    block   "block" slides without turning, "pin" turns in a slot, "sleeve" turns about the line; "none": a face on a
            cam
    """

    axis: Vec3
    normal: Vec3
    lower: float
    upper: float
    block: str

    @property
    def pinned_places(self) -> tuple[Spot, ...]:
        return (self.b,)

    @property
    def links(self) -> tuple[tuple[Spot, Spot], ...]:
        return ()

    @property
    def origins(self) -> tuple[Spot, ...]:
        return (self.a,)

    def holds(self, body: int, middle: Vec3) -> Vec3 | None:
        """The place of the line that is nearest."""
        if body != self.a.body:
            return None
        base, along = np.array(self.a.at), np.array(self.axis)
        return space(base + float(np.clip((middle - base) @ along, self.lower, self.upper)) * along)

    @property
    def shaped_bodies(self) -> tuple[int, ...]:
        return (self.b.body,)

    @property
    def reach(self) -> tuple[Disc, ...]:
        places = (np.array(self.a.at) + reach * np.array(self.axis) for reach in (self.lower, self.upper))
        return tuple((Spot(self.a.body, space(place)), self.axis, 0.0) for place in places)

    def draw(self, pen: PaperPen) -> Iterator[AnyShape]:
        """Two walls on the ground, or a slot in a body; a block or a pin in it."""
        rail, body, size = pen.frame(self.a), self.a.body, pen.size
        along = pen.along(body, self.axis)
        ends = np.outer([self.lower, self.upper], along)
        if self.block == "none":
            yield pen.line(rail, ends, OVER, 3.0, body)
            return
        if body == 0:
            aside = 1.7 * size * across(along)
            for wall in (ends[::-1] + aside, ends - aside):
                yield from pen.hatch(rail, wall, GROUNDED)
        else:
            layer = pen.layer(pen.extent(body))
            yield pen.area(rail, ends, layer, body, tint=0.42, edge=body, width=1.3, radius=1.9 * size)
            yield pen.area(rail, ends, layer, "paper", edge=body, radius=1.1 * size)
        if body == 0 or self.block == "block":
            block = rectangle(np.zeros(2), along, 2.2 * size, (1.6 if body == 0 else 1.05) * size)
            yield pen.area(pen.frame(self.b, body), block, BLOCKS, self.b.body, tint=0.42, width=1.2)
        if self.block == "pin":
            yield pen.pin(self.b, 0.55 if body == 0 else 1.0)

    def build(self, pen: SolidPen) -> Iterator[AnyShape]:
        """A rail and a block around it, a sleeve, or a ball in a slot."""
        size, axis, rail, color = pen.size, np.array(self.axis), pen.frame(self.a), self.b.body
        ends = np.outer([self.lower, self.upper], axis)
        yield pen.wire(rail, ends, 0.6, "steel" if self.a.body == 0 else self.a.body)
        at = ShapeFrame(self.b, self.a.body)
        if self.block == "sleeve":
            yield pen.rod(at, axis, 2.6, 1.4, color, 1.0)
        elif self.block == "pin":
            yield pen.ball(self.b, 1.5, color, 1.0)
        else:
            sides = size * np.array([2.4, 1.6, 1.6])
            yield pen.box(at, np.zeros(3), axis, np.array(self.normal), sides, color, 1.0)
        if self.a.body == 0:
            for end in ends:
                yield pen.support(self.a, pen.up, space(end))


class Face(Joining, frozen=True, kw_only=True):
    """A planar joint: a face that slides on another face."""

    normal: Vec3

    @property
    def pinned_places(self) -> tuple[Spot, ...]:
        return ()

    @property
    def shaped_bodies(self) -> tuple[int, ...]:
        return (self.b.body,)

    def draw(self, pen: PaperPen) -> Iterator[AnyShape]:
        yield pen.disc(self.a, 2.0 * pen.size, BLOCKS, "steel")

    def build(self, pen: SolidPen) -> Iterator[AnyShape]:
        normal = np.array(self.normal)
        along = pen.basis(normal)[0]
        for spot, side in ((self.a, -0.5), (self.b, 0.5)):
            sides = pen.size * np.array([3.2 - side, 3.2 - side, 0.4])
            yield pen.box(
                ShapeFrame(spot, self.a.body), side * pen.size * normal, along, normal, sides, spot.body, max(side, 0.0)
            )


class Rod(Joining, frozen=True, kw_only=True):
    """A massless rod."""

    def draw(self, pen: PaperPen) -> Iterator[AnyShape]:
        yield pen.thread(self.pinned_places, 1.6)
        yield from (pen.pin(self.a, 0.4), pen.pin(self.b, 0.4))

    def build(self, pen: SolidPen) -> Iterator[AnyShape]:
        yield pen.bar(self.pinned_places, 0.45, "ink")


class Seam(Joining, frozen=True, kw_only=True):
    """A rigid connection of two bodies."""

    def draw(self, pen: PaperPen) -> Iterator[AnyShape]:
        square = rectangle(np.zeros(2), np.array([1.0, 0.0]), 0.6 * pen.size, 0.6 * pen.size)
        yield pen.area(pen.frame(self.a), square, PINS, "ink")

    def build(self, pen: SolidPen) -> Iterator[AnyShape]:
        x, _, z = np.eye(3)
        yield pen.box(pen.frame(self.a), np.zeros(3), x, z, np.full(3, 1.2 * pen.size), "steel")
