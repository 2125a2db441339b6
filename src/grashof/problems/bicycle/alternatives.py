"""Known mistakes with the bicycle: products of inertia of the opposite sign, as with z up, and other data."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grashof.problems.base import Alternative, Case, Columns
from grashof.problems.bicycle.case import columns_of, data_of, mechanism
from grashof.simulation.simulate import simulate

UNTIL = 1.0
"""Time up to which they are calculated, s; it suffices to tell them apart."""


def alternatives(case: Case) -> Iterator[Alternative]:
    data, columns = data_of(case.variant), columns_of(case.variant)
    opposite = {f"xz_{name}": str(-float(data[f"xz_{name}"])) for name in ("frame", "fork")}
    for words, changes in (
        ("products of inertia with the opposite sign, those of axes with z up", opposite),
        ("g = 9.8 m/s²", {"g": "9.8"}),
    ):

        def at(times: np.ndarray, changes: dict[str, str] = changes) -> Columns:
            end = max(float(times[-1]), 1e-3)
            run = simulate(mechanism(data | changes), end, times=times, tol=1e-9, check_error=False)
            return {column.name: np.asarray(column.value(run), float) for column in columns[1:]}

        yield Alternative(words, UNTIL, at)
