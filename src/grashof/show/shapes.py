"""Several displaced positions of a mechanism side by side, each drawn over the original position."""

from __future__ import annotations

import os
from collections.abc import Sequence

from matplotlib.figure import Figure

from grashof.motion.trajectory import Trajectory
from grashof.scene import describe
from grashof.show.drawing import bounds, furnish, paint_frame
from grashof.show.files import save_figure
from grashof.show.labels import plain
from grashof.show.seen import Seen

GREY = "#c4c8cd"


def draw_shapes(run: Trajectory, titles: Sequence[str], path: str | os.PathLike[str] | None = None) -> Figure:
    """Draws one panel for each position of a run except the first, which every panel shows in grey."""
    seen = Seen(describe(run, run.t, quantities=False))
    columns = max(1, min(3, len(titles)))
    lines = max(1, -(-len(titles) // columns))
    figure = Figure(figsize=(4.2 * columns, 3.6 * lines + 0.4), layout="constrained")
    figure.suptitle(plain(run.program.model.name))
    for k, title in enumerate(titles, 1):
        axes = figure.add_subplot(lines, columns, k)
        furnish(axes, seen, bounds(seen))
        paint_frame(axes, seen, 0, grey=GREY)
        paint_frame(axes, seen, k)
        axes.set_title(plain(title), fontsize=10)
    if path is not None:
        save_figure(figure, path)
    return figure
