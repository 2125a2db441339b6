"""The independent solution of problems whose solution is expensive: the certified reference, or its first
derivation."""

from __future__ import annotations

import csv
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import resources

import numpy as np

from grashof.model.model import Model
from grashof.precise.derivation import HALF_UNIT, Derivations
from grashof.problems.base import Column
from grashof.simulation.simulate import simulate


def certified_solution(
    package: str, file: str, derivations: Callable[[], Derivations]
) -> Callable[[np.ndarray], dict[str, np.ndarray]]:
    """The columns that are not zero at given times: as stored at the official ones, derived (in minutes) at others."""

    def solution(times: np.ndarray) -> dict[str, np.ndarray]:
        known = _stored(package, file)
        place = np.searchsorted(known["t"], times) if known else np.zeros(0, int)
        if known and np.all(place < len(known["t"])) and np.array_equal(known["t"][place], times):
            return {name: values[place] for name, values in known.items() if name != "t" and values.any()}
        found = derivations().first([f"{time:.15g}" for time in times])
        return {name: np.array([float(x) for x in values]) for name, values in found.items()}

    return solution


@cache
def _stored(package: str, file: str) -> dict[str, np.ndarray]:
    path = resources.files(package) / "data" / file
    if not path.is_file():
        return {}
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    names = [label.rpartition(" [")[0] for label in next(csv.reader(lines[:1]))]
    table = np.loadtxt(lines[1:], delimiter=",", unpack=True)
    return {name: values for name, values in zip(names, table, strict=True) if not name.endswith(" ±")}


CHANGE = 1e-5
"""Relative change of a datum by which sensitivities are found; they need two digits."""
FINE = 1e-11
"""Tolerance of these runs."""


def effect_by_simulation(
    mechanism: Callable[[Mapping[str, str]], Model],
    data: Mapping[str, str],
    vary: Sequence[str],
    columns: Sequence[Column],
    times: Sequence[str],
) -> dict[str, np.ndarray]:
    """Σ |change of a column| when each datum, and the time, changes by a relative `HALF_UNIT`: from runs with changed
    data, the largest so far."""
    moments = np.array([float(time) for time in times])

    def table(changed: Mapping[str, str]) -> dict[str, np.ndarray]:
        run = simulate(mechanism(changed), float(moments[-1]), times=moments, tol=FINE, check_error=False)
        return {column.name: np.asarray(column.value(run), float) for column in columns}

    base = table(data)
    late = {name: np.gradient(x, moments) if len(x) > 1 else np.zeros(1) for name, x in base.items()}
    found = {name: HALF_UNIT * np.abs(moments * slope) for name, slope in late.items()}
    for name in vary:
        other = table({**data, name: repr(float(data[name]) * (1.0 + CHANGE))})
        for column, total in found.items():
            total += HALF_UNIT / CHANGE * np.maximum.accumulate(np.abs(other[column] - base[column]))
    return found
