"""The shapes of bodies, of their centres of mass, and of the ground below what stands on it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from grashof.scene.kinds import Cross, Kind
from grashof.scene.kinds.joints import FORK
from grashof.scene.outlines import arc, distance_beside
from grashof.scene.pens import CENTERS, GROUNDED, OVER, PaperPen, SolidPen
from grashof.scene.start import space
from grashof.scene.types import AnyShape, Area, ShapeFrame, Spot, Vec3

Array = np.ndarray

FLAT = 1e-4
"""Points are on a line or in a plane if their distances from it are less than this part of their extent."""


def draw_body(pen: PaperPen, number: int, shaped: set[int]) -> Iterator[AnyShape]:
    """A bar or a plate with round corners; nothing if a symbol is the shape of a body with one point."""
    corners = pen.corners(number)
    if len(corners) == 0 or (len(corners) == 1 and number in shaped):
        return
    yield Area(
        through=tuple(Spot(number, space(corner)) for corner in corners),
        layer=pen.layer(pen.extent(number)),
        color=number,
        tint=0.42,
        edge=number,
        width=1.3,
        radius=(2.2 if len(corners) == 1 else 1.0) * pen.size,
        opacity=0.92 if len(corners) < 3 else 0.6,
    )


def build_body(pen: SolidPen, number: int, shaped: set[int], symbols: Sequence[Kind]) -> Iterator[AnyShape]:
    """A bar, a plate, or arms from the middle if the points are not in a plane."""
    corners = pen.corners(number)
    if len(corners) < 2:
        if len(corners) and number not in shaped:
            yield pen.ball(Spot(number, space(corners[0])), 2.4, number)
        return
    spots = [Spot(number, space(corner)) for corner in corners]
    middle = corners.mean(axis=0)
    _, spread, axes = np.linalg.svd(corners - middle)
    flatness = np.append(spread, np.zeros(3))[:3] / spread[0]
    if flatness[1] < FLAT:
        along = (corners - middle) @ axes[0]
        ends = [spots[int(np.argmin(along))], spots[int(np.argmax(along))]]
        # the bar ends at the forks of universal joints
        forked = {spot for symbol in symbols if isinstance(symbol, Cross) for spot in (symbol.a, symbol.b)}
        first, last = (FORK * pen.size if end in forked else 0.0 for end in ends)
        yield pen.bar(ends, 0.9, number, inset=(first, last))
    elif flatness[2] < FLAT:
        yield Area(
            through=tuple(spots),
            thick=1.2 * pen.size,
            axis=space(np.cross(axes[0], axes[1])),
            layer=0.0,
            color=number,
            radius=1.6 * pen.size,
        )
    else:
        hub = Spot(number, space(middle))
        for spot in spots:
            yield pen.bar((hub, spot), 0.9, number)
        yield pen.ball(hub, 1.5, number)


def draw_center(pen: PaperPen, number: int, center: Vec3) -> Iterator[AnyShape]:
    """A circle with black and white quarters; dashes lead to it if it is beside its body."""
    at, radius, origin = Spot(number, center), 0.62 * pen.size, np.zeros(2)
    corners, here = pen.flat(number, pen.corners(number)), pen.flat(number, center)
    if len(corners) > 1 and distance_beside(corners, here) > pen.size:
        way = corners.mean(axis=0) - here
        count = max(2, int(np.linalg.norm(way) / (1.2 * pen.size)))
        for k in range(count):
            dash = np.outer([k / count, (k + 0.6) / count], way)
            yield pen.line(pen.frame(at), dash, GROUNDED, 0.8, number)
    frame = ShapeFrame(at, 0)
    yield pen.disc(at, radius, CENTERS, "paper", width=0.7)
    for begin in (0.0, np.pi):
        quarter = np.vstack([origin, arc(origin, radius, begin, begin + 0.5 * np.pi)])
        yield pen.area(frame, quarter, CENTERS, "ink", edge=None)


def build_center(pen: SolidPen, number: int, center: Vec3) -> Iterator[AnyShape]:
    """A small ball in two rings."""
    at = Spot(number, center)
    yield pen.ball(at, 0.45, "steel")
    ring = arc(np.zeros(2), 0.62 * pen.size, 0.0, 2.0 * np.pi)[:-1]
    for x, y in ((0, 1), (0, 2)):
        yield pen.wire(pen.frame(at), ring @ np.eye(3)[[x, y]], 0.1, "ink", closed=True)


class Supports:
    """Places of the ground that support something; each is drawn once, with the first symbol there."""

    def __init__(self, pen: PaperPen, up: Array, symbols: Sequence[Kind]) -> None:
        self.up = up
        self.hangs: dict[Vec3, bool] = {}
        for symbol in symbols:
            for own, other in (*symbol.links, *((b, a) for a, b in symbol.links)):
                if own.body == 0:
                    span = pen.start.world(other) - pen.start.world(own)
                    down = bool(span @ up < -max(pen.size, 0.5 * float(np.linalg.norm(span))))
                    self.hangs[own.at] = self.hangs.get(own.at, True) and down
        self.wheels = [pen.start.world(spot) for symbol in symbols for spot in symbol.wheels]

    def below(self, symbol: Kind, paper: PaperPen | None, solid: SolidPen | None) -> Iterator[AnyShape]:
        """The ground below the places of a symbol, or above if everything there hangs."""
        for spot in (spot for link in symbol.links for spot in link):
            hangs = self.hangs.pop(spot.at, None) if spot.body == 0 else None
            if hangs is None:
                continue
            if paper is not None:
                at = paper.start.world(spot)
                covered = any(np.linalg.norm(paper.viewer[:2] @ (at - x)) < 2.0 * paper.size for x in self.wheels)
                yield from paper.support(spot, 1.0 if hangs else -1.0, OVER if covered else GROUNDED)
            if solid is not None:
                yield solid.support(spot, -self.up if hangs else self.up)
