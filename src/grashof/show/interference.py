"""Bodies that overlap: their outlines at one time, and distances over a motion."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Polygon

from grashof.geometry.convex import ConvexPart, overlap
from grashof.motion.trajectory import Trajectory
from grashof.scene.outlines import rounded_hull
from grashof.scene.palette import ACCENT, BODIES, FAINT, INK
from grashof.show.files import save_figure
from grashof.show.labels import plain

Array = np.ndarray


def draw_interference(
    run: Trajectory,
    time: float,
    outlines: Mapping[str, Sequence[ConvexPart]],
    closest: tuple[str, str],
    poses: Array,
    courses: Mapping[str, tuple[Array, Array]],
    path: str | os.PathLike[str] | None,
) -> Figure:
    """Draws outlines at one time, with the area that the closest bodies share, above their distances over time.

    poses     x, y and the angle of every body at that time, (bodies, 3), the ground first
    courses   times and distances by the names of pairs
    """
    names = ["ground", *(body.name for body in run.program.model.bodies)]
    figure = Figure(figsize=(8.0, 8.0), layout="constrained")
    above, below = figure.subplots(2, 1, height_ratios=(2.0, 1.0))
    placed: dict[str, list[Array]] = {}
    for k, (name, parts) in enumerate(outlines.items()):
        x, y, angle = poses[names.index(name)]
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        placed[name] = [(_outline(part) @ turn) + (x, y) for part in parts]
        color = BODIES[k % len(BODIES)]
        for number, corners in enumerate(placed[name]):
            label = "_" if number else plain(name)
            above.add_patch(Polygon(corners, facecolor=color, edgecolor=color, alpha=0.5, label=label))
    for ours in placed[closest[0]]:
        for theirs in placed[closest[1]]:
            common = overlap(ours, theirs)
            if len(common) > 2:
                above.add_patch(Polygon(common, facecolor=ACCENT, edgecolor=ACCENT, zorder=3.0))
    above.set_aspect("equal")
    above.autoscale_view()
    above.set(xlabel="x [m]", ylabel="y [m]", title=f"{plain(run.program.model.name)}, t = {time:.6g} s")
    above.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    for k, (name, (t, gap)) in enumerate(courses.items()):
        below.plot(t, gap, color=BODIES[k % len(BODIES)], linewidth=1.3, label=plain(name))
    below.axhline(0.0, color=INK, linewidth=0.8)
    below.axvline(time, color=INK, linewidth=0.8, linestyle="dotted")
    below.set(xlabel="time [s]", ylabel="distance [m]")
    below.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False)
    for axes in (above, below):
        axes.grid(True, color=FAINT, linewidth=0.6)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
    if path is not None:
        save_figure(figure, path)
    return figure


def _outline(part: ConvexPart) -> Array:
    return rounded_hull(part.corners, part.radius) if part.radius else part.corners
