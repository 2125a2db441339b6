"""The rows of a result that can be judged: in order, within the problem's duration, finite."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from grashof.common.errors import ModelError
from grashof.problems.base import Case

SPARSE = 10.0
"""How many official steps apart rows may be for the rule to be judged."""


@dataclass(frozen=True)
class ResultRows:
    """Rows in order of time.

    columns  values by official name, "t" among them
    whole    whether they cover the problem's duration closely enough and every number is finite
    """

    columns: Mapping[str, np.ndarray]
    whole: bool

    @property
    def t(self) -> np.ndarray:
        return self.columns["t"]


def select(case: Case, table: Mapping[str, np.ndarray], lines: np.ndarray | None) -> tuple[ResultRows, list[str]]:
    """The rows to judge, and remarks on what is unusual."""
    official = [column.name for column in case.columns if column.name in table]
    columns = {name: np.asarray(table[name], float) for name in official}
    t = columns["t"]
    if any(values.shape != (len(t),) for values in columns.values()):
        raise ModelError(f"Problem '{case.problem}': the columns of the table differ in length.")
    remarks: list[str] = []

    def row(index: int) -> str:
        return f"row {index + 1}" if lines is None else f"line {lines[index]}"

    finite = np.ones(len(t), bool)
    for name, values in columns.items():
        bad = ~np.isfinite(values)
        if bad.any():
            finite &= ~bad
            first = int(np.argmax(bad))
            when = "" if name == "t" else f", at t = {t[first]:g} s"
            remarks.append(
                f"{name} is not a finite number in {bad.sum()} rows, first in {row(first)}{when}: the result "
                "does not pass."
            )
    falling = np.flatnonzero(t[1:] < t[:-1])
    if falling.size:
        k = int(falling[0])
        remarks.append(
            f"The time decreases from {t[k]:g} s to {t[k + 1]:g} s at {row(k + 1)}"
            + (f" and {falling.size - 1} more times" if falling.size > 1 else "")
            + ": are there several runs in one file, or rows out of order? All rows are judged, sorted by time."
        )
    same = np.flatnonzero((t[1:] == t[:-1]) & finite[1:])
    if same.size:
        remarks.append(
            f"{same.size} times appear twice, first t = {t[same[0]]:g} s at {row(int(same[0]) + 1)}; all rows "
            "are judged."
        )
    within = finite & (t >= 0.0) & (t <= case.t_end * (1.0 + 1e-9))
    outside = finite & ~within
    if outside.any():
        remarks.append(
            f"{outside.sum()} rows lie outside 0 … {case.t_end:g} s, the first in "
            f"{row(int(np.argmax(outside)))}, and are not judged."
        )
    chosen = np.flatnonzero(within)
    if falling.size:
        chosen = chosen[np.argsort(t[chosen], kind="stable")]
    columns = {name: values[chosen] for name, values in columns.items()}
    t = columns["t"]
    end = t[-1] if t.size else 0.0
    whole = bool(end >= case.t_end * (1.0 - 1e-9))
    if not whole:
        remarks.append(
            f"Too short: the rows end at t = {end:g} s, but the problem lasts {case.t_end:g} s; the result "
            "does not pass."
        )
    gap = np.max(np.diff(t, prepend=0.0), initial=0.0)
    sparse = gap > SPARSE * case.step
    if gap > 1.5 * case.step:
        outcome = "too sparse for the result to pass" if sparse else "only the given rows are judged"
        remarks.append(f"Rows are up to {gap:g} s apart, the official times {case.step:g} s: {outcome}.")
    return ResultRows(columns, whole and not sparse and bool(finite.all())), remarks
