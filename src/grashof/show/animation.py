"""Animations of a run: one HTML file that needs nothing else, or a GIF."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import numpy as np
from matplotlib.animation import FuncAnimation, PillowWriter

from grashof.errors import ModelError
from grashof.show.drawing import canvas, draw_scene
from grashof.show.labels import plain
from grashof.show.scene import scene_of
from grashof.trajectory import Trajectory
from grashof.view import motion_page
from grashof.writing import write_atomically

FRAMES = 100
"""The most pictures an animation has."""

_SHORTEST, _LONGEST = 2.0, 15.0  # s; a run that takes less or more is slowed down or sped up
_FAST_OR_SLOW = 6.0  # s


def animate(run: Trajectory, path: str | os.PathLike[str]) -> None:
    """Writes the motion as a page with the viewer, which needs nothing else, or as a GIF, by the path's suffix.

    A GIF is shown in real time where that is between 2 s and 15 s, else in 6 s; the title says how much faster or slower.
    """
    suffix = Path(path).suffix.lower()
    if suffix not in (".html", ".gif"):
        raise ModelError(f"{os.fspath(path)}: an animation's name must end in .html or .gif, which chooses its form.")
    if suffix == ".html":
        write_atomically(path, motion_page(run))
        return
    rows = np.unique(np.linspace(0, len(run.t) - 1, min(FRAMES, len(run.t))).astype(int))
    scene = scene_of(run, rows)
    duration = float(scene.t[-1] - scene.t[0])
    shown = duration if _SHORTEST <= duration <= _LONGEST else _FAST_OR_SLOW
    figure, axes = canvas(scene)
    if scene.dimension == 2:
        axes.set_axis_off()  # numbers at the axes would take longer to draw than the mechanism
    limits = {"xlim": axes.get_xlim(), "ylim": axes.get_ylim()}

    def show(row: int) -> tuple[()]:
        for artist in (*axes.collections, *axes.lines):
            artist.remove()
        draw_scene(axes, scene, row)
        axes.set(**limits, title=f"{plain(run.program.model.name)}{_pace(duration, shown)}\nt = {scene.t[row]:.4g} s")
        return ()

    show(0)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # settled once: the axes must not wander from picture to picture
    movie = FuncAnimation(figure, show, frames=len(rows), init_func=lambda: (), blit=False)
    rate = max(round(len(rows) / shown), 1)
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "movie.gif"
        movie.save(picture, writer=PillowWriter(fps=rate), dpi=80)
        write_atomically(path, picture.read_bytes())


def _pace(duration: float, shown: float) -> str:
    if duration == shown or duration == 0.0:
        return ""
    return f", {shown / duration:.3g} times slower" if duration < shown else f", {duration / shown:.3g} times faster"
