"""The curves that points of a mechanism describe, with the mechanism itself where it starts."""

from __future__ import annotations

import os
from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure

from grashof.show.drawing import canvas, draw_scene
from grashof.show.files import save_figure
from grashof.show.labels import names_by_place, plain, write_labels
from grashof.show.plots import COLORS
from grashof.show.scene import scene_of
from grashof.trajectory import Trajectory


def draw_curves(
    run: Trajectory, curves: Mapping[str, np.ndarray], path: str | os.PathLike[str] | None = None
) -> Figure:
    """A planar mechanism at the first time of a run, and curves (positions, 2) by the names of their points."""
    scene = scene_of(run, np.arange(len(run.t)))
    figure, axes = canvas(scene)
    drawn: list[np.ndarray] = []
    for name, curve in curves.items():
        if np.ptp(curve, axis=0).max() > 0.0 and not any(np.allclose(curve, other) for other in drawn):
            axes.plot(
                *curve.T, color=COLORS[len(drawn) % len(COLORS)], linewidth=1.0, linestyle="dashed", label=plain(name)
            )
            drawn.append(curve)
    lines = list(axes.lines)
    draw_scene(axes, scene, 0)
    axes.set_title(plain(run.program.model.name))
    if lines:
        axes.legend(handles=lines, loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    places = names_by_place({name: at[0] for name, at in scene.points.items()}, 1e-6 * scene.size)
    write_labels(axes, places, drawn)
    if path is not None:
        save_figure(figure, path)
    return figure
