"""Painting polygons and lines, from back to front."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.colors import to_rgb, to_rgba
from matplotlib.path import Path

from grashof.scene import Scene
from grashof.scene.palette import ACCENT, BODIES, GROUND, INK, PAPER, STEEL

Array = np.ndarray
Color = str | tuple[float, float, float]

NAMED = {"ink": INK, "paper": PAPER, "steel": STEEL, "ground": GROUND, "accent": ACCENT}
"""The colours that are not those of bodies."""


@dataclass(frozen=True)
class PaperShape:
    """A polygon or a line.

    corners   (n, 2), m
    hole      those of a hole, if it has one
    layer     shapes with a larger value are drawn later
    width     line width, points of the page
    """

    corners: Array
    layer: float
    edge: Color | None = None
    fill: Color | None = None
    width: float = 1.0
    closed: bool = False
    opacity: float = 1.0
    hole: Array | None = None


def paint(axes: Axes, shapes: Iterable[PaperShape], zorder: float = 2.0) -> PathCollection:
    """Adds shapes to the axes as one collection, which is returned."""
    ordered = sorted(shapes, key=lambda shape: shape.layer)
    collection = PathCollection(
        [_path(shape) for shape in ordered],
        facecolors=[_rgba(shape.fill, shape.opacity) for shape in ordered],
        edgecolors=[_rgba(shape.edge, 1.0) for shape in ordered],
        linewidths=[shape.width for shape in ordered],
        capstyle="round",
        joinstyle="round",
        zorder=zorder,
    )
    axes.add_collection(collection, autolim=False)
    return collection


@dataclass(frozen=True)
class Faces:
    """Quadrilaterals (n, 4, 2), from back to front, and their colours (n, 3).

    width   width of the edges that hide the gaps between them, points of the page
    """

    corners: Array
    colors: Array
    width: float


def paint_faces(axes: Axes, faces: Faces, zorder: float = 2.0) -> PolyCollection:
    """Adds faces to the axes as one collection, which is returned."""
    look = {"facecolors": faces.colors, "edgecolors": faces.colors, "linewidths": faces.width}
    # an array is processed several times faster than the sequence that the signature declares
    collection = PolyCollection(faces.corners, zorder=zorder, **look)  # type: ignore[arg-type]
    axes.add_collection(collection, autolim=False)
    return collection


def tint(color: Color, amount: float) -> tuple[float, float, float]:
    """The colour mixed with white: white for amount 0, the pure colour for 1."""
    r, g, b = (1.0 - amount * (1.0 - part) for part in to_rgb(color))
    return r, g, b


def dark(color: Color, amount: float) -> tuple[float, float, float]:
    """The colour, darkened by the given fraction."""
    r, g, b = ((1.0 - amount) * part for part in to_rgb(color))
    return r, g, b


def color_of(scene: Scene, color: int | str) -> str:
    """The colour of a body, by its number, or the one with a name."""
    if isinstance(color, str):
        return NAMED[color]
    return BODIES[scene.bodies[color].color % len(BODIES)] if color else GROUND


def _path(shape: PaperShape) -> Path:
    if not shape.closed:
        return Path(shape.corners)
    # a hole runs the other way round, so that it is not filled
    rings = [shape.corners] if shape.hole is None else [shape.corners, shape.hole[::-1]]
    return Path.make_compound_path(*(Path(np.vstack([ring, ring[:1]]), closed=True) for ring in rings))


def _rgba(color: Color | None, opacity: float) -> tuple[float, float, float, float]:
    return (0.0, 0.0, 0.0, 0.0) if color is None else to_rgba(color, opacity)
