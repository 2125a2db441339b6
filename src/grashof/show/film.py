"""The frames of an animation, drawn one after the other in the same figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import Collection
from matplotlib.figure import Figure

from grashof.common.errors import ModelError
from grashof.motion.trajectory import Trajectory
from grashof.scene import describe
from grashof.show.drawing import canvas, draw_traces, paint_frame, trace_points
from grashof.show.files import check_positive
from grashof.show.labels import plain
from grashof.show.seen import Array, Seen

SHORTEST, LONGEST, OTHERWISE = 2.0, 15.0, 6.0
"""A run that is shorter than the first or longer than the second is shown within the third, s."""

MOST = 5000
"""Largest number of frames of an animation, which take about five minutes to draw."""


@dataclass
class Film:
    """A motion as a sequence of frames.

    seconds   duration of the film, s
    rate      frames per second
    """

    seen: Seen
    figure: Figure
    axes: Axes
    seconds: float
    rate: float
    _drawn: list[Collection] = field(default_factory=list)

    @property
    def count(self) -> int:
        """Number of frames."""
        return len(self.seen.times)

    @cached_property
    def pace(self) -> str:
        """A note on how much faster or slower than real time it is; empty for real time."""
        real = float(self.seen.times[-1] - self.seen.times[0])
        if real == 0.0 or abs(real - self.seconds) < 1e-3 * self.seconds:
            return ""
        ratio = self.seconds / real
        return f", {ratio:.3g} times slower" if ratio > 1.0 else f", {1.0 / ratio:.3g} times faster"

    def show(self, row: int) -> None:
        """Draws one frame in place of the previous one."""
        while self._drawn:
            self._drawn.pop().remove()
        self._drawn.append(paint_frame(self.axes, self.seen, row))
        self.axes.set_title(f"{plain(self.seen.scene.name)}{self.pace}\nt = {self.seen.times[row]:.4g} s")


def film(
    run: Trajectory,
    fps: float,
    most: int,
    seconds: float | None = None,
    size: tuple[float, float] | None = None,
    traces: str | Sequence[str] = (),
) -> Film:
    """The motion in real time if it lasts between 2 s and 15 s, otherwise within 6 s, or within the given seconds.

    fps    frames per second
    most   largest number of frames if seconds are not given; the frame rate is reduced if there would be more
    """
    check_positive("fps", fps, 240.0)
    begin, end = float(run.t[0]), float(run.t[-1])
    shown = end - begin if SHORTEST <= end - begin <= LONGEST else OTHERWISE
    if seconds is not None:
        check_positive("seconds", seconds, 3600.0)
        shown = float(seconds)
    count = max(2, round(fps * shown)) if end > begin else 1
    if seconds is None:
        count = min(count, most)
    if count > MOST:
        raise ModelError(
            f"{fps:g} frames per second for {shown:g} s are {count} frames; at most {MOST} are drawn. Give a "
            "smaller fps or fewer seconds."
        )
    seen = Seen(describe(run, _times(run, count), quantities=False))
    paths = trace_points(run, seen, traces)
    figure, axes = canvas(seen, size, paths)
    draw_traces(axes, paths)
    axes.set_axis_off()  # drawing the tick labels would take longer than drawing the mechanism
    made = Film(seen, figure, axes, shown, len(seen.times) / shown)
    made.show(0)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # computed once, so that the axes do not move from frame to frame
    return made


def _times(run: Trajectory, count: int) -> Array:
    """Evenly spaced times; for a run whose steps are not kept, the nearest of its own times."""
    wanted = np.linspace(run.t[0], run.t[-1], count)
    if run.steps.extract is None:
        return wanted
    rows = np.unique(np.searchsorted(run.t, wanted).clip(0, len(run.t) - 1))
    return np.asarray(run.t[rows])
