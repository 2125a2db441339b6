"""Drawings of a mechanism to scale: in the plane with textbook symbols, in space as solids."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Unpack

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import Collection
from matplotlib.figure import Figure

from grashof.common.errors import ModelError, did_you_mean
from grashof.common.pictures import DrawingOptions
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.motion.trajectory import Trajectory
from grashof.scene import describe, describe_model
from grashof.scene.palette import BODIES, FAINT, INK
from grashof.show import planar, spatial
from grashof.show.files import DPI, inches, save_figure
from grashof.show.labels import names_by_place, plain, write_labels
from grashof.show.paper import paint, paint_faces
from grashof.show.seen import Array, Seen

NAMED = 200
"""Mechanisms with more points than this are drawn without names, because there is no room for them."""

WIDEST, HIGHEST = 8.0, 6.0
"""Largest width and height of the drawing, inches."""


def draw(
    run: Trajectory, row: int = 0, path: str | os.PathLike[str] | None = None, **options: Unpack[DrawingOptions]
) -> Figure:
    """Draws the mechanism, with the names of its points, at one time of a run (by default at the start).

    The figure is returned, and written to a file if a path is given. For the options see `DrawingOptions`.
    """
    if not -len(run.t) <= row < len(run.t):
        raise ModelError(
            f"row is {row}; the run has {len(run.t)} times, 0 to {len(run.t) - 1}, and -1 is the last one."
        )
    time = run.t[row]
    scene = describe(run, np.array([time]), quantities=False)
    seen = Seen(scene)
    traces = trace_points(run, seen, options.get("traces", ()))
    return _draw_axes(seen, f"{plain(scene.name)}, t = {time:g} s", path, options, traces)


def draw_model(
    mechanism: Mechanism | Model, path: str | os.PathLike[str] | None = None, **options: Unpack[DrawingOptions]
) -> Figure:
    """Draws a mechanism at its start, with the names of its points.

    The figure is returned, and written to a file if a path is given. For the options see `DrawingOptions`.
    """
    if options.get("traces"):
        raise ModelError("Paths of points are drawn along a motion: `gr.simulate(m, t_end).draw(traces=…)`.")
    scene = describe_model(mechanism)
    return _draw_axes(Seen(scene), plain(scene.name), path, options)


def _draw_axes(
    seen: Seen,
    title: str,
    path: str | os.PathLike[str] | None,
    options: DrawingOptions,
    traces: Mapping[str, Array] = MappingProxyType({}),
) -> Figure:
    size = options.get("size")
    figure, axes = canvas(seen, size, traces)
    draw_traces(axes, traces)
    paint_frame(axes, seen, 0)
    axes.set_title(title)
    if not options.get("axes", True):
        axes.set_axis_off()
    if options.get("labels", True):
        name_points(axes, seen)
    if path is not None:
        save_figure(figure, path, options.get("dpi", DPI))
    return figure


def trace_points(run: Trajectory, seen: Seen, names: str | Sequence[str]) -> dict[str, Array]:
    """The paths of points over a whole run in the viewer's plane, by name; (times, 2)."""
    found = {}
    for name in [names] if isinstance(names, str) else names:
        if f"{name}.x" not in run.names:
            points = [known.removesuffix(".x") for known in run.names if known.endswith(".x")]
            raise ModelError(f"There is no point '{name}' to trace; {did_you_mean(name, points)}")
        world = np.zeros((len(run.t), 3))
        for k, axis in enumerate("xyz"[: run.program.model.dimension]):
            world[:, k] = run[f"{name}.{axis}"]
        found[name] = (world @ seen.axes.T)[:, :2]
    return found


def draw_traces(axes: Axes, traces: Mapping[str, Array]) -> None:
    """Draws the paths of points below the mechanism, with a legend."""
    for k, (name, path) in enumerate(traces.items()):
        color = BODIES[k % len(BODIES)]
        axes.plot(*path.T, color=color, linewidth=1.0, linestyle="dashed", zorder=1.2, label=plain(name))
    if traces:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)


def canvas(
    seen: Seen, size: tuple[float, float] | None = None, traces: Mapping[str, Array] = MappingProxyType({})
) -> tuple[Figure, Axes]:
    """An empty figure with axes that contain the whole scene and the paths of points, to scale."""
    sides = bounds(seen)
    for path in traces.values():
        sides[:, 0] = np.minimum(sides[:, 0], path.min(axis=0) - seen.scene.room)
        sides[:, 1] = np.maximum(sides[:, 1], path.max(axis=0) + seen.scene.room)
    width, height = (np.ptp(limits) for limits in sides)
    scale = min(WIDEST / width, HIGHEST / height)
    own = (max(width * scale, 4.5) + 1.0, max(height * scale, 1.6) + 0.9)
    figure = Figure(figsize=own if size is None else inches(size), layout="constrained")
    axes = figure.add_subplot()
    furnish(axes, seen, sides)
    return figure, axes


def bounds(seen: Seen) -> Array:
    """The part of the viewer's plane that is shown: lower and upper limits, to the right and upwards, (2, 2)."""
    lower, upper = (np.array(corner[:2]) for corner in (seen.scene.view.lower, seen.scene.view.upper))
    margin = seen.scene.room
    return np.array([lower - margin, upper + margin]).T


def furnish(axes: Axes, seen: Seen, sides: Array) -> None:
    """Adds scales to the axes or, in space, a floor with lines at known distances.

    sides   the limits of the axes, (2, 2)
    """
    (left, right), (bottom, top) = sides
    axes.set_aspect("equal")
    axes.set(xlim=(left, right), ylim=(bottom, top))
    if not seen.scene.view.flat:
        axes.set_axis_off()
        lines, step = spatial.floor(seen)
        paint(axes, lines, zorder=1.0)
        words = f"lines on the floor every {step:g} m"
        axes.text(0.99, -0.005, words, transform=axes.transAxes, ha="right", va="top", fontsize=8, color="0.4")
        _triad(axes, seen)
        return
    axes.grid(True, color=FAINT, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color("0.6")
    axes.tick_params(color="0.6", labelcolor=INK)
    width = _points_per_metre(axes) * (right - left) / 72.0
    axes.locator_params(axis="x", nbins=int(np.clip(width / 0.6, 3, 9)))
    across, up = seen.labels
    axes.set(xlabel=f"{across} [m]", ylabel=f"{up} [m]")


def _triad(axes: Axes, seen: Seen) -> None:
    """Draws the directions x, y and z in a corner."""
    sides = bounds(seen)
    length = 0.07 * float(np.max(np.ptp(sides, axis=1)))
    # choose the corner that is farthest from all points
    corners = np.array([(x, y) for y in sides[1] + (length, -length) for x in sides[0] + (length, -length)]) * 1.0
    corners = corners + 0.3 * length * np.sign(sides.mean(axis=1) - corners)
    places = np.array([seen.frame(0).place(point.spot)[:2] for point in seen.scene.points]).reshape(-1, 2)
    far = [np.min(np.linalg.norm(places - corner, axis=1), initial=np.inf) for corner in corners]
    base = corners[int(np.argmax(far))]
    for name, axis in zip("xyz", seen.axes.T, strict=True):
        end = base + length * axis[:2]
        axes.annotate(
            "", end, base, arrowprops={"arrowstyle": "-|>", "color": "0.4", "lw": 0.9, "shrinkA": 0, "shrinkB": 0}
        )
        x, y = end + 0.22 * length * axis[:2]
        axes.text(float(x), float(y), name, ha="center", va="center", fontsize=9, color="0.4")


def paint_frame(axes: Axes, seen: Seen, row: int, grey: str | None = None) -> Collection:
    """Adds the mechanism at one frame of the scene to the axes as one collection, in a single colour if one is
    given."""
    frame, zorder = seen.frame(row), 2.0 if grey is None else 1.5
    if not seen.scene.view.flat:
        return paint_faces(axes, spatial.faces(frame, grey), zorder)
    # if bodies are small or many, lines are thinner, too
    line = float(np.clip(0.14 * seen.scene.detail * _points_per_metre(axes), 0.35, 1.1))
    return paint(axes, planar.shapes(frame, line, grey=grey), zorder)


def _points_per_metre(axes: Axes) -> float:
    """The scale of the drawing in points per metre, from the size of the figure: its layout is computed later."""
    figure, place = axes.get_figure(root=True), axes.get_subplotspec()
    assert figure is not None
    assert place is not None
    rows, columns = place.get_gridspec().get_geometry()
    width, height = figure.get_size_inches() / (columns, rows)
    return float(72.0 * min((width - 1.0) / np.ptp(axes.get_xlim()), (height - 0.9) / np.ptp(axes.get_ylim())))


def name_points(axes: Axes, seen: Seen) -> None:
    """Writes the names of the points at the first frame, if possible without covering the drawing."""
    frame = seen.frame(0)
    if len(seen.scene.points) > NAMED:
        return
    shown = {0} | {number for number, body in enumerate(seen.scene.bodies) if body.corners}
    named = [point for point in seen.scene.points if point.spot.body in shown and not point.helper]
    points = {point.name: frame.place(point.spot) for point in named}
    # a joint that was given a name lends it to points that were not
    joints = {x.name: frame.place(x.meets[0]) for x in seen.scene.symbols if x.meets and "~" not in x.name}
    places = [(place[:2], name) for place, name in names_by_place(points, 1e-6 * seen.scene.size, joints)]
    write_labels(axes, places)
