"""Plots of columns as plain data, which pages hold and `web/src/app/plotted.ts` draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from grashof.common.near import AGREES
from grashof.judge.expected import expected_at
from grashof.problems import Case
from grashof.references import Reference

PLOTTED = 400
"""Times at which columns are plotted."""

LEAST = 1e-17
"""Deviations below this are drawn here: a logarithmic axis has no zero."""

RESULT, REFERENCE = "this result", "reference"


def column_plots(columns: Mapping[str, np.ndarray], reference: Reference, case: Case) -> list[dict[str, Any]]:
    """The deviation of a result from its reference, then each official column beside its reference, thinned."""
    t = np.asarray(columns["t"], float)
    order = np.argsort(t, kind="stable")
    rows = order[thin_rows(len(t))]
    rows = rows[np.isfinite(t[rows])]
    found = []
    for column in case.columns:
        if column.name == "t" or column.name not in columns:
            continue
        values = np.asarray(columns[column.name], float)[rows]
        curves = [_curve(f"{column.name}, {RESULT}", column.unit, t[rows], values)]
        if column.name in reference.columns:
            some = thin_rows(len(reference.times))
            there = np.asarray(reference.columns[column.name])[some]
            curves.append(_curve(f"{column.name}, {REFERENCE}", column.unit, np.asarray(reference.times)[some], there))
        found.append({"title": column.name, "curves": curves})
    deviation = _deviation(columns, rows, reference, case)
    return [deviation, *found] if deviation["curves"] else found


def _deviation(columns: Mapping[str, np.ndarray], rows: np.ndarray, reference: Reference, case: Case) -> dict[str, Any]:
    """How far each column is from the reference, relative to the largest magnitude of the column there."""
    times = np.asarray(columns["t"], float)[rows]
    rows, times = (x[(times >= reference.times[0]) & (times <= reference.until)] for x in (rows, times))
    expected = expected_at(reference, times).values if len(times) else {}
    curves = []
    for column in case.columns:
        if column.name in expected and column.name in columns and not column.violation and column.name != "t":
            largest = float(np.max(np.abs(reference.columns[column.name])))
            apart = np.abs(np.asarray(columns[column.name], float)[rows] - expected[column.name])
            if largest > 0.0:
                curves.append(_curve(column.name, "", times, np.maximum(apart / largest, LEAST)))
    bound = {"at": AGREES, "name": f"agreement: {AGREES:g}"}
    return {"title": "Relative deviation from the reference", "logarithmic": True, "bound": bound, "curves": curves}


def columns_of(plots: Sequence[Mapping[str, Any]]) -> dict[str, np.ndarray]:
    """The columns of a result again, from its plots."""
    found: dict[str, np.ndarray] = {}
    for plot in plots:
        for curve in plot["curves"]:
            if curve["name"] == f"{plot['title']}, {RESULT}":
                found["t"] = np.array(curve["times"], float)
                found[plot["title"]] = np.array(curve["values"], float)
    return found


def reference_plots(reference: Reference, case: Case) -> list[dict[str, Any]]:
    """The reference over time, with its error bars in the names; in a reference no joint is violated, which needs no
    plot."""
    rows = thin_rows(len(reference.times))
    units = {column.name: column.unit for column in case.columns}
    exact = {column.name for column in case.columns if column.violation}
    found = []
    for name, values in reference.columns.items():
        if name != "t" and name not in exact:
            bar = float(np.max(reference.bars[name])) if name in reference.bars else 0.0
            curve = _curve(f"{name} ± {bar:.1g}", units.get(name, ""), reference.times[rows], values[rows])
            found.append({"title": name, "curves": [curve]})
    return found


def thin_rows(count: int) -> np.ndarray:
    """Numbers of at most `PLOTTED` rows of so many, evenly spaced."""
    return np.unique(np.linspace(0, count - 1, min(PLOTTED, count)).astype(int)) if count else np.zeros(0, int)


def _curve(name: str, unit: str, times: np.ndarray, values: np.ndarray) -> dict[str, Any]:
    numbers = [x if np.isfinite(x) else None for x in np.asarray(values, float).tolist()]
    return {"name": name, "unit": unit, "times": times.tolist(), "values": numbers}
