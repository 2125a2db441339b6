"""Mechanisms in space, drawn as solids whose faces are painted from back to front."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from grashof.scene.outlines import around, rounded_hull
from grashof.scene.palette import FAINT
from grashof.scene.types import AnyShape, Area, Solid, Stroke
from grashof.show.meshes import Mesh, basis, cylinder, loft, prism, revolve_profile, sweep_wire
from grashof.show.paper import Faces, PaperShape, color_of, tint
from grashof.show.seen import Seen, SeenFrame

Array = np.ndarray


@dataclass(frozen=True)
class Surface:
    """A surface and its colour.

    nearer   distance by which it is painted as if nearer to the viewer, m, so that it covers parts that penetrate it
    """

    mesh: Mesh
    color: str
    nearer: float = 0.0


LIGHT = np.array([-0.35, 0.65, 0.67]) / np.linalg.norm([-0.35, 0.65, 0.67])
"""Direction towards the light, in the viewer's axes."""

AMBIENT, DIFFUSE, GLOSS = 0.72, 0.42, 0.2
"""Intensities of ambient, diffuse and specular light."""


def faces(frame: SeenFrame, grey: str | None = None) -> Faces:
    """The mechanism at one time, in a single colour if one is given."""
    corners, colors, depths = [np.zeros((0, 4, 3))], [np.zeros((0, 3))], [np.zeros(0)]
    for solid in solids(frame):
        base = np.array(tint(grey or solid.color, 0.85 if grey is None else 0.5))
        edge = (0.35 if grey is None else 0.8) * base
        # the back of a slightly larger solid in a dark colour appears as an outline
        for surface, front in ((solid.mesh, True), (solid.mesh.swollen(0.13 * frame.scene.detail), False)):
            normals = surface.normals()
            shown = normals[:, 2] > 0.0 if front else normals[:, 2] < 0.0
            corners.append(surface.vertices[surface.faces[shown]])
            colors.append(_light_colours(base, normals[shown]) if front else np.tile(edge, (int(shown.sum()), 1)))
            depths.append(corners[-1][:, :, 2].mean(axis=1) + solid.nearer)
    order = np.argsort(np.concatenate(depths))
    return Faces(np.concatenate(corners)[order][:, :, :2], np.concatenate(colors)[order], 0.4)


def _light_colours(color: Array, normals: Array) -> Array:
    """The colours of faces in the light, (n, 3)."""
    shine = np.clip(normals @ LIGHT, 0.0, None)
    half = LIGHT + np.array([0.0, 0.0, 1.0])
    mirrored = np.clip(normals @ (half / np.linalg.norm(half)), 0.0, None) ** 16
    return np.asarray(np.clip(color * (AMBIENT + DIFFUSE * shine)[:, None] + GLOSS * mirrored[:, None], 0.0, 1.0))


def floor(seen: Seen) -> tuple[list[PaperShape], float]:
    """Lines on the floor below the mechanism, and their spacing, m."""
    up = seen.axes @ np.array(seen.scene.view.up)
    across, along = basis(up)
    sides = np.array([seen.scene.lower, seen.scene.upper])
    box = (
        np.array([[sides[i, 0], sides[j, 1], sides[k, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)])
        @ seen.axes.T
    )
    step = 10.0 ** np.floor(np.log10(0.4 * seen.scene.size))
    step *= max(k for k in (1.0, 2.0, 5.0) if k * step <= 0.4 * seen.scene.size)
    step /= 2.0
    bottom = float(np.min(box @ up)) - 3.2 * seen.scene.detail
    (x0, x1), (y0, y1) = (
        (np.floor(np.min(box @ e) / step) - 1.0, np.ceil(np.max(box @ e) / step) + 1.0) for e in (across, along)
    )
    lines = [((x, y0), (x, y1)) for x in np.arange(x0, x1 + 0.5)] + [
        ((x0, y), (x1, y)) for y in np.arange(y0, y1 + 0.5)
    ]
    shapes = []
    for ends in lines:
        corners = np.array([step * x * across + step * y * along + bottom * up for x, y in ends])
        shapes.append(PaperShape(corners[:, :2], 0.0, edge=FAINT, width=0.8))
    return shapes, float(step)


def solids(frame: SeenFrame) -> Iterator[Surface]:
    """The solids of bodies, symbols and the ground."""
    scene = frame.scene
    for shape in (shape for shapes in scene.pictures for shape in shapes):
        for mesh in meshes_of(frame, shape):
            yield Surface(mesh, color_of(scene, shape.color), shape.layer * scene.detail)


def meshes_of(frame: SeenFrame, shape: AnyShape) -> Iterator[Mesh]:
    """The surfaces of a wire, a plate or a solid of revolution, in the viewer's axes; none of a drawing on paper."""
    if isinstance(shape, Solid):
        base, end = frame.place_in_frame(shape.frame, np.array([shape.base, np.add(shape.base, shape.axis)]))
        yield revolve_profile(base, end - base, np.array(shape.profile), _sides(frame))
    elif shape.thick > 0.0:
        yield from _wires(frame, shape) if isinstance(shape, Stroke) else _plates(frame, shape)


def _sides(frame: SeenFrame) -> int:
    """The number of sides of round bars: fewer if there are many bodies to draw."""
    return 24 if len(frame.scene.bodies) <= 9 else 14


def _wires(frame: SeenFrame, line: Stroke) -> Iterator[Mesh]:
    path, step = frame.corners(line), 2.5 * frame.scene.detail
    if line.radii:
        plane = np.array(basis(frame.direction(line.through[0].body, line.axis)))
        belt = around((path - path[0]) @ plane.T, np.array(line.radii), line.closed)
        if belt is not None:
            yield sweep_wire(path[0] + belt @ plane, line.thick, 6, line.closed)
    elif line.frame is not None and len(path) > 2:
        yield sweep_wire(path, line.thick, 5 if len(path) > 100 else 8, line.closed)
    else:
        for a, b in pairwise(path):
            along = (b - a) / (float(np.linalg.norm(b - a)) or 1.0)
            yield cylinder(a + line.inset[0] * along, b - line.inset[1] * along, line.thick, step, _sides(frame))


def _plates(frame: SeenFrame, area: Area) -> Iterator[Mesh]:
    corners, step = frame.corners(area), 3.0 * frame.scene.detail
    normal = frame.direction(area.through[0].body if area.frame is None else area.frame.body, area.axis)
    if area.frame is not None and area.hole.shape[0]:
        hole, half = frame.place_in_frame(area.frame, area.hole.array()), 0.5 * area.thick * normal
        parts = [hole + part * (corners - hole) for part in np.linspace(0.0, 1.0, 5)]
        yield loft(np.array([ring - half for ring in parts] + [ring + half for ring in parts[::-1]] + [hole - half]))
        return
    middle = corners.mean(axis=0)
    plane = np.array(basis(normal))
    flat = (corners - middle) @ plane.T
    flat = rounded_hull(flat, area.radius) if area.radius else flat
    outline = _divide_polygon(flat, step) @ plane
    rings = int(np.clip(np.max(np.linalg.norm(outline, axis=1)) / step, 2, 12))
    yield prism(middle, normal, outline, area.thick, rings)


def _divide_polygon(outline: Array, step: float) -> Array:
    """A polygon with additional corners, so that neighbouring corners are no farther apart than `step`."""
    parts = []
    for a, b in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        count = max(1, int(np.ceil(np.linalg.norm(b - a) / step)))
        parts.append(a + np.arange(count)[:, None] / count * (b - a))
    return np.concatenate(parts)
