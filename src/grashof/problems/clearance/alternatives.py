"""Known mistakes with the slider-crank with clearance: another law for corners that are hit at once, other data."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grashof.precise.rough import RoughMotion, columns_by_series
from grashof.precise.twofold import Data, rounded
from grashof.problems.base import Alternative, Case, Columns
from grashof.problems.clearance.case import data_of
from grashof.problems.clearance.derivations import LONGEST, by_angles

CHANGES = {
    "no friction": {"mu": "0"},
    "no gravity": {"g": "0"},
    "a clearance of 2 mm on each side": {"clearance": "0.002"},
}


def alternatives(case: Case) -> Iterator[Alternative]:
    usual = case.variant != "inclined"
    law = "corners that are hit at once " + ("one after the other" if usual else "together, by Moreau's law")
    for words, together, changes in ((law, not usual, {}), *((words, usual, x) for words, x in CHANGES.items())):

        def at(times: np.ndarray, together: bool = together, changes: dict[str, str] = changes) -> Columns:
            def motion(d: Data) -> RoughMotion:
                return by_angles(d, case.variant, together)

            moments = [f"{time:.15g}" for time in times]
            return rounded(columns_by_series(motion, data_of(case.variant) | changes, moments, LONGEST))

        yield Alternative(words, case.t_end, at)
