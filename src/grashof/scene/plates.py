"""The outlines of bodies in the plane: as they are drawn, with a width of choice, or as they are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from grashof.common.errors import ModelError, did_you_mean
from grashof.geometry.convex import ConvexPart, convex_parts, counter_clockwise
from grashof.model.bodies import GROUND
from grashof.model.building.outlines import measure_outline
from grashof.model.given import Number, is_row, number, numbers
from grashof.model.model import Model
from grashof.scene.outlines import hull
from grashof.scene.types import Area, Scene, Spot

Array = np.ndarray

MANY = 12
"""A drawn outline with more convex parts than this, such as a wheel with teeth, counts as convex."""

OutlineGiven = Number | Sequence[Sequence[Number]]
"""The width of a body, m, with round ends about its points; or the corners of a polygon in the body's axes, m."""

Outlines = dict[str, list[ConvexPart]]
"""The convex parts of bodies, in their axes."""


@dataclass(frozen=True)
class FlatShape:
    """A plate: a polygon without crossings, counter-clockwise, (n, 2), m; or, with a radius, all within that distance
    of the convex hull of the corners."""

    corners: Array
    radius: float = 0.0

    @cached_property
    def parts(self) -> list[ConvexPart]:
        """The same as convex parts."""
        if self.radius:
            return [ConvexPart(self.corners, self.radius)]
        return [ConvexPart(part) for part in convex_parts(self.corners)]


def find_outlines(
    model: Model, scene: Scene, given: Mapping[str, OutlineGiven] | None, width: Number | None
) -> Outlines:
    """The outlines of bodies of a planar mechanism, by name, in their axes; for the arguments see `given_shapes`. If
    neither is given, the bodies are as wide as they are drawn."""
    found = {name: shape.parts for name, shape in given_shapes(model, scene, given, width).items()}
    if width is None and not given:
        found = {body.name: parts for k, body in enumerate(model.bodies, 1) if (parts := _drawn(scene, k))}
    if not found:
        raise ModelError(f"No body of mechanism '{model.name}' has a shape; give outlines.")
    return found


def given_shapes(
    model: Model, scene: Scene, given: Mapping[str, OutlineGiven] | None, width: Number | None
) -> dict[str, FlatShape]:
    """The shapes of bodies of a planar mechanism, by name, in their axes.

    given   by the names of bodies
    width   that of all other moving bodies, m
    """
    if model.dimension != 2:
        raise ModelError(f"Mechanism '{model.name}' is spatial; bodies have outlines in the plane only.")
    names = [GROUND, *(body.name for body in model.bodies)]
    found = {}
    if width is not None:
        radius = _half_width("width", width)
        found = {name: _bar(scene, k, radius) for k, name in enumerate(names) if k and scene.bodies[k].corners}
    for name, outline in (given or {}).items():
        if name not in names:
            raise ModelError(f"outlines: there is no body '{name}' in '{model.name}'; {did_you_mean(name, names)}")
        found[name] = _given(scene, names.index(name), f"outlines: '{name}'", outline)
    return found


def _given(scene: Scene, body: int, owner: str, outline: Any) -> FlatShape:
    if isinstance(outline, str) or not hasattr(outline, "__len__"):
        if not scene.bodies[body].corners:
            raise ModelError(f"{owner}: it has no points between which a bar could lie; give the corners of a polygon.")
        return _bar(scene, body, _half_width(owner, outline))
    if not (is_row(outline) or isinstance(outline, np.ndarray)) or len(outline) < 3:
        raise ModelError(f"{owner}: give its width, or at least three corners of a polygon, [(0, 0), (1, 0), (0, 1)].")
    corners = [numbers(f"{owner}: corner {k}", corner, 2, "m") for k, corner in enumerate(outline, 1)]
    measure_outline(owner, corners)  # refuses one without area, or with sides that cross
    return FlatShape(counter_clockwise(np.array(corners)))


def _half_width(owner: str, width: object) -> float:
    value = number(owner, width, "m")
    if value <= 0.0:
        raise ModelError(f"{owner} is {value:g} m; it must be above zero.")
    return 0.5 * value


def _bar(scene: Scene, body: int, radius: float) -> FlatShape:
    """All that is within a distance of the hull of a body's points."""
    return FlatShape(_convex(np.array(scene.bodies[body].corners)[:, :2]), radius)


def _drawn(scene: Scene, body: int) -> list[ConvexPart]:
    """The bar or plate of a body in its picture, and its wheels; a wheel that meshes twice is drawn twice."""
    parts: list[ConvexPart] = []
    for shape in (x for shapes in scene.pictures for x in shapes if isinstance(x, Area) and x.color == body):
        if shape.through and all(spot.body == body for spot in shape.through):
            parts.append(ConvexPart(_convex(np.array([spot.at for spot in shape.through])[:, :2]), shape.radius))
            continue
        frame = shape.frame
        if frame is None or frame.towards is not None or not frame.at.body == frame.body == body:
            continue
        if not shape.hole.shape[0]:
            corners = _at(frame.at) + shape.corners.array()[:, :2]
            pieces = [] if shape.radius else convex_parts(corners)
            whole = [_convex(corners)]
            parts += [ConvexPart(x, shape.radius) for x in (pieces if 0 < len(pieces) <= MANY else whole)]
    return [x for k, x in enumerate(parts) if not any(_are_equal(x, y) for y in parts[:k])]


def _are_equal(a: ConvexPart, b: ConvexPart) -> bool:
    return a.radius == b.radius and np.array_equal(a.corners, b.corners)


def _at(spot: Spot) -> Array:
    return np.array(spot.at[:2])


def _convex(points: Array) -> Array:
    """The convex hull of points, which may be one or lie on a line."""
    different = np.unique(points, axis=0)
    if len(different) < 3:
        return different
    return hull(different)
