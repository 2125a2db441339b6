"""Positions beside each other: the same mechanism displaced in several ways, each over where it was."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from grashof.show.drawing import INK, outlines, springs
from grashof.show.files import save_figure
from grashof.show.labels import plain
from grashof.show.scene import scene_of
from grashof.trajectory import Trajectory

GREY = "0.75"


def draw_shapes(run: Trajectory, titles: Sequence[str], path: str | os.PathLike[str] | None = None) -> Figure:
    """One panel for each position of a run but the first, which every panel shows in grey. At most three panels are in a row."""
    scene = scene_of(run, np.arange(len(run.t)))
    columns = max(1, min(3, len(titles)))
    lines = max(1, -(-len(titles) // columns))
    figure = Figure(figsize=(4.2 * columns, 3.6 * lines + 0.4), layout="constrained")
    figure.suptitle(plain(run.program.model.name))
    lower, upper = scene.extent
    margin = 0.1 * scene.size
    for k, title in enumerate(titles, 1):
        projection: dict[str, Any] = {} if scene.dimension == 2 else {"projection": "3d"}
        axes: Any = figure.add_subplot(lines, columns, k, **projection)
        for row, width in ((0, 1.5), (k, 2.5)):
            for color, corners in outlines(scene, row):
                closed = np.vstack([corners, corners[:1]])
                axes.plot(
                    *closed.T,
                    color=GREY if row == 0 else color,
                    linewidth=width,
                    solid_capstyle="round",
                    marker="o",
                    markersize=3.0,
                )
            for zigzag in springs(scene, row):
                axes.plot(*zigzag.T, color=GREY if row == 0 else INK, linewidth=0.9)
        axes.set_aspect("equal")
        for name, label, low, high in zip("xyz", scene.labels, lower - margin, upper + margin, strict=False):
            axes.set(**{f"{name}lim": (low, high), f"{name}label": f"{label} [m]"})
        axes.set_title(plain(title), fontsize=10)
    if path is not None:
        save_figure(figure, path)
    return figure
