"""Known mistakes with rows of four-bars: another number of windows, another gravity."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

import numpy as np

from grashof.problems.base import Alternative, Case, Columns
from grashof.problems.four_bar.reference import GRAVITY, solution

WINDOWS = (1, 2, 3, 4, 5, 6, 8, 10, 16, 20, 30, 40, 50, 60, 80, 100)
GRAVITIES = (9.8, 9.80665, 9.82, 10.0)


def alternatives(case: Case) -> Iterator[Alternative]:
    """Other numbers of windows, and other gravities g′: φ̈ = k² sin φ in the time s t, s = √(g′/g), from the speed
    v/s."""
    windows, speed = int(case.parameters["N"]), case.parameters["speed"]
    for other in WINDOWS:
        if other != windows:
            yield Alternative(f"N = {other}", case.t_end, partial(_columns, other, speed, 1.0))
    for gravity in GRAVITIES:
        words = f"gravity {gravity:g} m/s² instead of {GRAVITY:g}"
        yield Alternative(words, case.t_end, partial(_columns, windows, speed, math.sqrt(gravity / GRAVITY)))


def _columns(windows: int, speed: float, s: float, times: np.ndarray) -> Columns:
    """The columns of a row that moves s times as fast."""
    x, xdot = solution(s * times, windows, speed / s)
    return {"x_1": x, "xdot_1": s * xdot}
