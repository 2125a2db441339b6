"""Known mistakes with Bricard's mechanism: gravity along another axis, inertias of a bar about its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from grashof.precise.twofold import roughly, rounded
from grashof.problems.base import Alternative, Case, Columns
from grashof.problems.bricard.case import data_of
from grashof.problems.bricard.derivations import by_coordinates

UNTIL = 0.5
"""Time up to which mistakes are calculated, s; it suffices to tell them apart."""
STEP = "0.05"


def alternatives(case: Case) -> Iterator[Alternative]:
    data = data_of(case.variant)
    yield _alternative("gravity along −z, with z up", data, (0, 0, -1))
    yield _alternative("gravity along +y", data, (0, 1, 0))
    about_end = str(float(data["across12"]) + 3)  # m L²/4 more
    yield _alternative(
        "inertias of a bar about its end taken for those about its centre", data | {"across12": about_end}
    )


def _alternative(words: str, data: Mapping[str, str], down: Sequence[int] = (0, -1, 0)) -> Alternative:
    def at(times: np.ndarray) -> Columns:
        found = roughly(partial(by_coordinates, down=down), data, [f"{time:.15g}" for time in times], STEP)
        return rounded(found)

    return Alternative(words, UNTIL, at)
