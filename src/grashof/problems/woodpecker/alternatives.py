"""Known mistakes with the woodpecker toy: another reading of the restitution, another friction or gravity."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grashof.precise.rough import columns_by_series
from grashof.precise.twofold import rounded
from grashof.problems.base import Alternative, Case, Columns
from grashof.problems.woodpecker.case import DATA
from grashof.problems.woodpecker.derivations import LONGEST, by_coordinates

MISTAKES = {
    "a restitution of 0.5 at all three contacts": {"e_sleeve": DATA["e_beak"]},
    "no restitution at the beak": {"e_beak": "0"},
    "g = 9.8 m/s²": {"g": "9.8"},
    "no gravity": {"g": "0"},
    "a coefficient of friction of 0.1": {"mu": "0.1"},
}


def alternatives(case: Case) -> Iterator[Alternative]:
    for words, changes in MISTAKES.items():

        def at(times: np.ndarray, changes: dict[str, str] = changes) -> Columns:
            return rounded(columns_by_series(by_coordinates, DATA | changes, [f"{t:.15g}" for t in times], LONGEST))

        yield Alternative(words, case.t_end, at)
