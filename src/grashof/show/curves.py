"""The paths of points of a mechanism, with the mechanism at its start."""

from __future__ import annotations

import os
from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure

from grashof.motion.trajectory import Trajectory
from grashof.scene import describe
from grashof.show.drawing import canvas, draw_traces, name_points, paint_frame
from grashof.show.files import save_figure
from grashof.show.labels import plain
from grashof.show.seen import Seen


def draw_curves(
    run: Trajectory, curves: Mapping[str, np.ndarray], path: str | os.PathLike[str] | None = None
) -> Figure:
    """Draws a planar mechanism at the first time of a run, and curves (positions, 2) by the names of their points."""
    seen = Seen(describe(run, run.t, quantities=False))
    figure, axes = canvas(seen)
    different: dict[str, np.ndarray] = {}
    for name, curve in curves.items():
        if np.ptp(curve, axis=0).max() > 0.0 and not any(np.allclose(curve, other) for other in different.values()):
            different[name] = curve
    draw_traces(axes, different)
    paint_frame(axes, seen, 0)
    axes.set_title(plain(run.program.model.name))
    name_points(axes, seen)
    if path is not None:
        save_figure(figure, path)
    return figure
