"""Mechanisms in the plane: the lines and areas of a scene on paper."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from grashof.scene.outlines import around, rounded_hull
from grashof.scene.types import AnyShape, Area, Solid, Stroke
from grashof.show.paper import Color, PaperShape, color_of, dark, tint
from grashof.show.seen import SeenFrame

Array = np.ndarray


def shapes(frame: SeenFrame, line: float, *, grey: str | None = None) -> Iterator[PaperShape]:
    """The mechanism at one time.

    line    width of the thinnest lines, points of the page
    grey    a single colour for everything, if given
    """
    sheet = PlanarSheet(frame, line, grey)
    for body in frame.scene.bodies:
        for shape in (*body.shapes, *(body.mark if body.marked and grey is None else ())):
            yield from sheet.draw(shape)
    for symbol in frame.scene.symbols:
        for shape in symbol.shapes:
            yield from sheet.draw(shape)


@dataclass(frozen=True)
class PlanarSheet:
    """Draws shapes at one time."""

    frame: SeenFrame
    line: float
    grey: str | None

    def draw(self, shape: AnyShape) -> Iterator[PaperShape]:
        """A line or an area; nothing of what is made of solids."""
        if isinstance(shape, Solid) or shape.thick > 0.0:
            return
        corners = self.frame.corners(shape)[:, :2]
        if len(corners) == 0:
            return
        if isinstance(shape, Stroke):
            yield self._line(shape, corners)
        else:
            yield self._area(shape, corners)

    def _line(self, line: Stroke, corners: Array) -> PaperShape:
        tight = around(corners, np.array(line.radii), line.closed) if line.radii else None
        return PaperShape(
            corners if tight is None else tight,
            line.layer,
            edge=self._edge(line.color),
            width=line.width * self.line,
            closed=line.closed,
        )

    def _area(self, area: Area, corners: Array) -> PaperShape:
        hole = None
        if area.frame is not None and area.hole.shape[0]:
            hole = self.frame.place_in_frame(area.frame, area.hole.array())[:, :2]
        return PaperShape(
            rounded_hull(corners, area.radius) if area.radius else corners,
            area.layer,
            edge=None if area.edge is None else self._edge(area.edge),
            fill=self._fill(area),
            width=0.0 if area.edge is None else area.width * self.line,
            closed=True,
            opacity=area.opacity,
            hole=hole,
        )

    def _edge(self, color: int | str) -> Color:
        """The colour of a line; lines of bodies are darker than their areas."""
        found = self.grey or color_of(self.frame.scene, color)
        return found if self.grey or isinstance(color, str) else dark(found, 0.15)

    def _fill(self, area: Area) -> Color | None:
        """The colour of an area; in a single colour, tinted areas are left empty."""
        if self.grey is not None and area.color != "paper":
            return self.grey if area.tint == 1.0 else None
        return tint(color_of(self.frame.scene, area.color), area.tint)
