"""Known mistakes with the heavy top: inertias about the tip taken for those about the centre of mass, no precession."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grashof.precise.twofold import roughly, rounded
from grashof.problems.base import Alternative, Case, Columns
from grashof.problems.heavy_top.case import DATA
from grashof.problems.heavy_top.derivations import STEP, by_coordinates

UNTIL = 0.5
"""Time up to which mistakes are calculated, s; it suffices to tell them apart."""


def alternatives(case: Case) -> Iterator[Alternative]:
    for words, changes in (
        ("inertias about the tip: 15.234375 kg m² taken for that about the centre", {"I_across": "15.234375"}),
        ("no precession at the start", {"precession": "0"}),
        ("the opposite spin", {"spin": "-150"}),
    ):

        def at(times: np.ndarray, changes: dict[str, str] = changes) -> Columns:
            moments = [f"{time:.15g}" for time in times]
            return rounded(roughly(by_coordinates, DATA | changes, moments, STEP))

        yield Alternative(words, UNTIL, at)
