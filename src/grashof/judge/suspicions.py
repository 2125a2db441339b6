"""Hints: what a wrong result could be instead. Nothing is guessed: each has been checked by comparison, and says how
closely it matches."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from grashof.common.near import AGREES, RESEMBLES
from grashof.judge.alternatives import alternatives
from grashof.judge.comparison import Comparison, compare, scales
from grashof.judge.expected import expected_at
from grashof.judge.rows import ResultRows
from grashof.problems import PROBLEMS, Case, Columns, make_case
from grashof.references import HOLDS, Reference, reference_for

NEARER = 10.0
"""A result is taken for another one if it is this many times nearer to that, and resembles it."""
WORTH = HOLDS
"""Results nearer to the reference than this get no hints: it is the error bar that a reference may have."""
LONGER = 1.5
"""How many times longer than any other variant a result follows one that is named."""
SAMPLE = 24
"""Number of rows that are compared with each alternative."""

UNITS = {
    "s": ((1e3, "in milliseconds"), (1e6, "in microseconds"), (1.0 / 60.0, "in minutes")),
    "m": ((1e3, "in mm"), (1e2, "in cm")),
    "m/s": ((1e3, "in mm/s"), (1e2, "in cm/s")),
    "rad": ((180.0 / math.pi, "in degrees"), (0.5 / math.pi, "in turns")),
    "rad/s": ((180.0 / math.pi, "in degrees per second"), (30.0 / math.pi, "in revolutions per minute")),
    "J": ((1e3, "in mJ"), (1e-3, "in kJ")),
}
"""Other units of a column: how many times larger its numbers are then, and the unit in words."""
DATUM = {
    "J": "the energy has another datum",
    "rad": "the angle is measured from another zero",
    "m": "the origin is elsewhere",
}


def suspicions(
    case: Case, table: Columns, reference: Reference, rows: ResultRows, comparison: Comparison | None
) -> tuple[str, ...]:
    """Sentences on what matches better than the case itself."""
    close = comparison is not None and comparison.deviation <= WORTH
    if close and rows.whole and not _is_energy_shifted(case, reference, rows):
        return ()
    late = _other_times(case, table, reference)
    if late or comparison is None:
        return tuple(late)
    sample = _thin({name: values[: len(comparison.times)] for name, values in rows.columns.items()})
    found, unexplained = _columns(case, sample, reference)
    others = (_others(case, sample, reference) or _followed(case, rows)) if unexplained else []
    return tuple(others or found)


def _is_energy_shifted(case: Case, reference: Reference, rows: ResultRows) -> bool:
    """Whether a column of energy that should be zero at the start is not zero there."""
    size = scales(reference)
    energies = [column.name for column in case.columns if column.unit == "J" and column.name not in size]
    return any(abs(rows.columns[name][0]) > case.bound for name in energies if name in rows.columns)


def _thin(columns: Columns) -> dict[str, np.ndarray]:
    count = len(columns["t"])
    chosen = np.unique(np.linspace(0, count - 1, min(count, SAMPLE)).astype(int))
    return {name: values[chosen] for name, values in columns.items()}


def _deviation(sample: Columns, other: Columns, size: Mapping[str, float]) -> float:
    """The largest relative deviation of the common columns; infinite if there are none, or no rows."""
    shared = [name for name in size if name in sample and name in other and len(sample[name])]
    return max((float(np.max(np.abs(sample[name] - other[name]))) / size[name] for name in shared), default=math.inf)


def _other_times(case: Case, table: Columns, reference: Reference) -> list[str]:
    """Whether the rows match if their times are in another unit."""
    t = np.asarray(table["t"], float)
    for factor, words in UNITS["s"]:
        if not abs(np.max(t, initial=0.0) / factor - case.t_end) <= 1e-6 * case.t_end:  # also if it is NaN
            continue
        columns = {name: np.asarray(table[name], float) for name in reference.columns if name in table}
        sample = _thin({"t": t / factor, **columns})
        sample = {name: values[sample["t"] <= reference.until] for name, values in sample.items()}
        fit = _deviation(sample, expected_at(reference, sample["t"]).values, scales(reference))
        if fit <= RESEMBLES:
            return [f"Matches if t is {words} (within {fit:.0e} of the reference)."]
    return []


def _columns(case: Case, sample: Columns, reference: Reference) -> tuple[list[str], bool]:
    """Sentences on columns that match in other units, signs, zeros or places; and whether some match in none."""
    expected = expected_at(reference, sample["t"]).values
    size = scales(reference)
    found, unexplained = [], False
    for column in case.columns[1:]:
        name, unit = column.name, column.unit
        if name not in sample or not (name in size or unit == "J"):
            continue
        exact = expected[name] if name in expected else np.zeros(len(sample["t"]))  # an energy against its start
        tolerance = AGREES * size[name] if name in size else case.bound
        if np.max(np.abs(sample[name] - exact)) <= tolerance:
            continue
        others = ((f"column {name} is {other}", sample[name] - expected[other]) for other in size if other != name)
        for words, apart in (*_readings(name, unit, sample[name], exact), *others):
            fit = float(np.max(np.abs(apart)))
            if fit <= tolerance:
                found.append(f"Matches if {words} (within {fit:.0e} {unit} of the reference).")
                break
        else:
            unexplained = unexplained or name in size
    return found, unexplained


def _readings(name: str, unit: str, values: np.ndarray, expected: np.ndarray) -> Iterator[tuple[str, np.ndarray]]:
    """Other interpretations of a column, the simplest first, and how far it is from the expected values then."""
    if np.any(expected):  # else any number matches if it is made small enough
        for factor, words in UNITS.get(unit, ()):
            yield f"{name} is {words}", values / factor - expected
        yield f"{name} has the opposite sign", -values - expected
    if unit == "rad":
        turns = np.rint((values - expected) / (2.0 * math.pi))
        yield f"whole turns of {name} are ignored", values - 2.0 * math.pi * turns - expected
    if unit in DATUM and len(values) > 2:  # one row matches with any shift, two may by chance
        for sign, words in ((1.0, ""), (-1.0, "the opposite sign and ")):
            apart = sign * values - expected
            shift = float(np.median(apart))
            yield f"{name} has {words}an offset of {shift:.6g} {unit}: {DATUM[unit]}", apart - shift


def _followed(case: Case, rows: ResultRows) -> list[str]:
    """The other variant that the rows follow from the start for the longest time, if they leave all of them: a reading
    of the problem that is shared at first."""
    until: dict[str, float] = {}
    for variant in PROBLEMS[case.problem].variants:
        other = make_case(case.problem, variant, _given(case))
        stored = reference_for(other)
        comparison = None if stored is None else compare(stored, rows)[0]
        if comparison is not None:
            until[variant] = comparison.until or 0.0
    best = sorted(until, key=lambda name: until[name])
    if len(best) < 2 or until[best[-1]] < LONGER * until[best[-2]] or until[best[-1]] == 0.0:
        return []
    last = best[-1]
    if last == case.variant:
        return []  # how long the rows follow it is part of every assessment
    return [
        f"It follows variant '{last}' up to t = {until[last]:g} s, within {AGREES:g}, and the next nearest, "
        f"'{best[-2]}', only up to t = {until[best[-2]]:g} s; later it departs from all of them."
    ]


def _given(case: Case) -> dict[str, float]:
    known = PROBLEMS[case.problem].parameters
    return {name: value for name, value in case.parameters.items() if name in known}


def _others(case: Case, sample: Columns, reference: Reference) -> list[str]:
    """The alternative that matches best, if any does."""
    size = scales(reference)
    own = _deviation(sample, expected_at(reference, sample["t"]).values, size)
    best: tuple[float, str] = (min(RESEMBLES, own / NEARER), "")
    for other in alternatives(case):
        early = sample["t"] <= other.t_end * (1.0 + 1e-9)
        part = {name: values[early] for name, values in sample.items()}
        fit = _deviation(part, other.at(part["t"]), size) if early.any() else math.inf
        if fit < best[0]:
            until = f" up to t = {other.t_end:g} s" if not early.all() else ""
            best = (
                fit,
                f"It looks like {other.words}: within {fit:.0e} of that{until}, but {own:.0e} away from the "
                "requested case.",
            )
    return [best[1]] if best[1] else []
