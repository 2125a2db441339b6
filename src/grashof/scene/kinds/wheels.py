"""The symbols of couplings: wheels, belts, ropes, cams and racks."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from grashof.scene.kinds.base import Disc, Kind
from grashof.scene.outlines import beside, circle, gear_outline
from grashof.scene.pens import GROUNDED, LINKS, OVER, PaperPen, SolidPen
from grashof.scene.types import AnyShape, Numbers, Spot, Vec3

Array = np.ndarray

FINE = 0.0055
"""Teeth that are closer than this part of the picture are not drawn on paper, but a circle in their place."""

ORIGIN = np.zeros(2)


class Wheel(Kind, frozen=True, kw_only=True):
    """A gear wheel centred at a place of body a; `internal` for a ring with teeth inside, `teeth` 0 for a smooth wheel.

    zero   the direction from the centre to the middle of a tooth, in the axes of the body, chosen so that teeth mesh
    """

    a: Spot
    axis: Vec3
    radius: float
    teeth: int
    internal: bool
    zero: Vec3 = (1.0, 0.0, 0.0)

    @property
    def shaped_bodies(self) -> tuple[int, ...]:
        return (self.a.body,)

    @property
    def reach(self) -> tuple[Disc, ...]:
        return ((self.a, self.axis, self.radius),)

    @property
    def wheels(self) -> tuple[Spot, ...]:
        return (self.a,)

    def outline(self, teeth: int, begin: float) -> Array:
        """The rim, with the middle of a tooth at a given angle."""
        return gear_outline(self.radius, teeth, begin, self.internal) if teeth else circle(ORIGIN, self.radius, 96)

    def rim(self, inner: Array, size: float) -> Array:
        """The outside of a ring, with one corner for each of its inside."""
        outer = self.radius + max(2.6 * size, 4.4 * self.radius / max(self.teeth, 4))
        return np.asarray(outer * inner / np.linalg.norm(inner, axis=1, keepdims=True))

    def draw(self, pen: PaperPen) -> Iterator[AnyShape]:
        """A wheel with teeth, or circles in their place if they would be too small to see."""
        frame, body = pen.frame(self.a), self.a.body
        layer, zero = pen.layer(2.0 * self.radius), pen.along(body, self.zero)
        fine = self.teeth > 0 and 2.0 * np.pi * self.radius / self.teeth < FINE * pen.whole
        rim = self.outline(0 if fine else self.teeth, float(np.arctan2(zero[1], zero[0])))
        if self.internal:
            outer = self.rim(rim, pen.size)
            yield pen.area(frame, outer, layer, body, tint=0.25, edge=body, hole=rim)
            return
        yield pen.area(frame, rim, layer, body, tint=0.25, edge=body)
        if fine:
            outer = circle(ORIGIN, self.radius * (1.0 + 2.0 / self.teeth), 97)
            yield pen.line(frame, outer, layer, 0.5, body)
        if pen.bodies[body].corners:
            yield pen.line(frame, np.outer([0.35, 0.8], self.radius * zero), layer, 1.5, body)

    def build(self, pen: SolidPen) -> Iterator[AnyShape]:
        """A disc or a ring, with teeth if it has any."""
        zero, frame, body = np.array(self.zero), pen.frame(self.a), self.a.body
        plane = np.array([zero, np.cross(self.axis, zero)])
        rim = self.outline(self.teeth, 0.0)
        if self.internal:
            outer, inner, nearer = self.rim(rim, pen.size), rim, 0.0
        else:
            outer, inner, nearer = rim, min(1.5 * pen.size / self.radius, 0.8) * rim, -1.5
        hole = Numbers.of(inner @ plane)
        yield pen.plate(frame, outer @ plane, self.axis, 1.6 * pen.size, body, hole=hole, layer=nearer)


class Sphere(Kind, frozen=True, kw_only=True):
    """A ball with which a body touches others, or with `hollow` the rim of a bowl."""

    a: Spot
    radius: float
    hollow: bool

    @property
    def shaped_bodies(self) -> tuple[int, ...]:
        return () if self.hollow else (self.a.body,)

    @property
    def reach(self) -> tuple[Disc, ...]:
        return tuple((self.a, axis, self.radius) for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)))

    def draw(self, pen: PaperPen) -> Iterator[AnyShape]:
        rim = circle(ORIGIN, self.radius, 96)
        if self.hollow:
            yield pen.line(pen.frame(self.a), np.vstack([rim, rim[:1]]), GROUNDED, 1.4)
        else:
            layer = pen.layer(2.0 * self.radius)
            yield pen.area(pen.frame(self.a), rim, layer, self.a.body, tint=0.25, edge=self.a.body)

    def build(self, pen: SolidPen) -> Iterator[AnyShape]:
        """A ball, or three great circles of a bowl."""
        if not self.hollow:
            yield pen.ball(self.a, self.radius / pen.size, self.a.body)
            return
        rim = circle(ORIGIN, self.radius, 96)
        for k in range(3):
            yield pen.wire(pen.frame(self.a), np.insert(rim, k, 0.0, axis=1), 0.3, self.a.body, closed=True)


class Band(Kind, frozen=True, kw_only=True):
    """A belt around two wheels; the axis of the first is given in the axes of its body."""

    a: Spot
    b: Spot
    radii: tuple[float, float]
    crossed: bool
    axis: Vec3

    @property
    def signed_radii(self) -> tuple[float, float]:
        """The radii, negative where the belt passes clockwise."""
        return self.radii[0], -self.radii[1] if self.crossed else self.radii[1]

    def draw(self, pen: PaperPen) -> Iterator[AnyShape]:
        yield pen.thread((self.a, self.b), 2.2, self.signed_radii, closed=True)

    def build(self, pen: SolidPen) -> Iterator[AnyShape]:
        yield pen.bar((self.a, self.b), 0.6, "ink", 0.6, radii=self.signed_radii, axis=self.axis, closed=True)


class Rope(Kind, frozen=True, kw_only=True):
    """A rope through places, or around pulleys centred at them.

    radii    radii of the pulleys: positive if the rope passes counter-clockwise, 0 for a place; empty if all are 0
    length   of a rope between two places, which hangs where they are closer, m; 0 for one that is always taut
    """

    through: tuple[Spot, ...]
    radii: tuple[float, ...] = ()
    length: float = 0.0

    @property
    def pinned_places(self) -> tuple[Spot, ...]:
        return self.through

    @property
    def links(self) -> tuple[tuple[Spot, Spot], ...]:
        return tuple(pairwise(self.through))

    @property
    def reach(self) -> tuple[Disc, ...]:
        return tuple((spot, (0.0, 0.0, 1.0), abs(r)) for spot, r in zip(self.through, self.radii, strict=False))

    @property
    def wheels(self) -> tuple[Spot, ...]:
        return self.through[1:-1] if self.radii else ()

    def draw(self, pen: PaperPen) -> Iterator[AnyShape]:
        """A line through places and around pulleys."""
        yield pen.thread(self.through, 1.6, self.radii, slack=self.length)
        for spot, radius in zip(self.through, self.radii, strict=False):
            if radius:
                yield pen.disc(spot, abs(radius), LINKS, "ground", tint=0.3)
        yield from (pen.pin(spot, 0.4) for spot in self.through)

    def build(self, pen: SolidPen) -> Iterator[AnyShape]:
        yield pen.bar(self.through, 0.35, "ink", slack=self.length)


class Outline(Kind, frozen=True, kw_only=True):
    """A cam, track or rack: a curve fixed in a body, as corners in its axes; parts touch an open one from its left."""

    body: int
    corners: tuple[Vec3, ...]
    closed: bool
    origin: Spot | None = None

    @property
    def origins(self) -> tuple[Spot, ...]:
        return () if self.origin is None else (self.origin,)

    def holds(self, body: int, middle: Vec3) -> Vec3 | None:
        """The nearest place of a line, or the middle of a closed outline, that a force defines."""
        if body != self.body or self.origin is None:
            return None
        if self.closed:
            return self.wheels[0].at
        first, last = np.array(self.corners[0]), np.array(self.corners[-1])
        part = (middle - first) @ (last - first) / max(float((last - first) @ (last - first)), 1e-300)
        x, y, z = first + float(np.clip(part, 0.0, 1.0)) * (last - first)
        return float(x), float(y), float(z)

    @property
    def shaped_bodies(self) -> tuple[int, ...]:
        return (self.body,) if self.closed else ()

    @property
    def reach(self) -> tuple[Disc, ...]:
        spots = (Spot(self.body, corner) for corner in self.corners[:: 8 if self.closed else 1])
        return tuple((spot, (0.0, 0.0, 1.0), 0.0) for spot in spots)

    @property
    def wheels(self) -> tuple[Spot, ...]:
        x, y, z = np.mean(self.corners, axis=0)
        return (Spot(self.body, (float(x), float(y), float(z))),) if self.closed else ()

    def draw(self, pen: PaperPen) -> Iterator[AnyShape]:
        """A cam, a track or a rack."""
        frame, body = pen.frame(Spot(self.body, (0.0, 0.0, 0.0))), self.body
        corners = pen.flat(body, np.array(self.corners))
        if self.closed:
            layer = pen.layer(float(np.max(np.ptp(corners, axis=0))))
            yield pen.area(frame, corners, layer, body, tint=0.3, edge=body, width=1.5)
        elif body == 0:
            yield from pen.hatch(frame, corners, GROUNDED, 1.4)
        else:
            below = beside(corners, -1.4 * pen.size)
            strip = np.vstack([corners, below[::-1]])
            yield pen.area(frame, strip, OVER, body, tint=0.42, edge=body, width=1.3)

    def build(self, pen: SolidPen) -> Iterator[AnyShape]:
        frame = pen.frame(Spot(self.body, (0.0, 0.0, 0.0)))
        yield pen.wire(frame, np.array(self.corners), 0.7, self.body, closed=self.closed)
