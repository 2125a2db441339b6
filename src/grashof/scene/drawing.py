"""Adds the shapes of bodies and symbols to their descriptions, once the size of the picture is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import msgspec
import numpy as np

from grashof.scene.kinds import Kind
from grashof.scene.links import Supports, build_body, build_center, draw_body, draw_center
from grashof.scene.pens import PaperPen, SolidPen
from grashof.scene.start import SceneStart
from grashof.scene.types import AnyShape, Body, Spot, Symbol, Vec3

Array = np.ndarray

MARKED = 12
"""Centres of mass are marked in mechanisms of at most this many bodies: more marks would cover the links."""


def viewer_axes(towards: Array | Vec3, up: Array | Vec3) -> Array:
    """The viewer's axes as rows: right, up, towards."""
    right = np.cross(up, towards)
    right = right / np.linalg.norm(right)
    return np.array([right, np.cross(towards, right), towards])


@dataclass(frozen=True)
class Drawing:
    """A mechanism at its start. Mechanisms of the plane are drawn on paper, those of space are made of solids; those of
    space whose motion is parallel to a plane are both."""

    start: SceneStart
    bodies: tuple[Body, ...]
    symbols: Sequence[Kind]
    size: float
    whole: float
    viewer: Array
    up: Vec3
    flat: bool

    @cached_property
    def paper(self) -> PaperPen:
        """The pen for lines and areas."""
        return PaperPen(self.start, self.bodies, self.size, self.whole, self.viewer, self.up)

    @cached_property
    def solid(self) -> SolidPen | None:
        """The pen for solids; None in the plane."""
        if self.start.model.dimension == 2:
            return None
        return SolidPen(self.start, self.bodies, self.size, self.whole, self.viewer, self.up)

    def symbols_drawn(self) -> Iterator[Symbol]:
        """The symbols with their shapes, and with the ground on which they stand."""
        supports = Supports(self.paper, np.array(self.up), self.symbols)
        for symbol in self.symbols:
            shapes: list[AnyShape] = list(symbol.draw(self.paper)) if self.flat else []
            if self.solid is not None:
                shapes += symbol.build(self.solid)
            shapes += supports.below(symbol, self.paper if self.flat else None, self.solid)
            yield msgspec.structs.replace(symbol, shapes=tuple(shapes))

    def bodies_drawn(self) -> Iterator[Body]:
        """The bodies with their shapes and the marks of their centres of mass."""
        shaped = {body for symbol in self.symbols for body in symbol.shaped_bodies}
        pinned = [self.start.world(spot) for symbol in self.symbols for spot in symbol.pinned_places]
        pins = np.array(pinned).reshape(-1, 3) @ self.viewer[:2].T
        few = len(self.bodies) <= MARKED + 1
        for number, body in enumerate(self.bodies):
            shapes: list[AnyShape] = list(draw_body(self.paper, number, shaped)) if self.flat else []
            mark: list[AnyShape] = []
            marked = False
            if self.solid is not None:
                shapes += build_body(self.solid, number, shaped, self.symbols)
            if body.center is not None:
                mark += draw_center(self.paper, number, body.center) if self.flat else ()
                mark += build_center(self.solid, number, body.center) if self.solid is not None else ()
                at = self.viewer[:2] @ self.start.world(Spot(number, body.center))
                marked = few and bool(np.all(np.linalg.norm(pins - at, axis=1) >= 0.62 * self.size))
            yield msgspec.structs.replace(body, shapes=tuple(shapes), mark=tuple(mark), marked=marked)
