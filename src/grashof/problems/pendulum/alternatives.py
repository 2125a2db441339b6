"""Known mistakes with the pendulum: the start on the other side, another gravity, a bar with mass."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grashof.problems.base import Alternative, Case, Columns
from grashof.problems.four_bar.alternatives import GRAVITIES
from grashof.problems.pendulum.reference import GRAVITY, solution


def alternatives(case: Case) -> Iterator[Alternative]:
    def mirrored(times: np.ndarray) -> Columns:
        place = solution(times)
        return {"x": -place["x"], "y": place["y"]}

    yield Alternative("the start at (+1, 0), as a drawing of the source has it", case.t_end, mirrored)
    for gravity in GRAVITIES:
        words = f"gravity {gravity:g} m/s² instead of {GRAVITY:g}"
        yield Alternative(words, case.t_end, lambda times, gravity=gravity: solution(times, gravity))  # type: ignore[misc]
    yield Alternative("a uniform bar instead of a point mass", case.t_end, lambda times: solution(times, 1.5 * GRAVITY))
