"""Precision levels: how near a result is to the reference at every sample, in absolute terms (LIM's second rule)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grashof.judge.expected import expected_at
from grashof.judge.rows import ResultRows
from grashof.problems.base import LEVELS, Case
from grashof.references import Reference


@dataclass(frozen=True)
class Levels:
    """reached     the finest level that is reached, "none" if none is; None: not judged, because columns or rows are
                missing
    difference  the largest difference from the reference beyond its error bar, in the columns' unit
    columns     the columns that count
    """

    reached: str | None
    difference: float | None
    columns: tuple[str, ...]

    @property
    def definition(self) -> str:
        bounds = ", ".join(f"{name} {bound:g}" for name, bound in LEVELS.items())
        return f"the largest difference of {', '.join(self.columns)} from the reference at any sample; bounds: {bounds}"


def judge_levels(case: Case, rows: ResultRows, reference: Reference) -> Levels | None:
    """The precision level of a result; None if the problem has none."""
    if not case.levels:
        return None
    whole = rows.whole and reference.until >= case.t_end * (1.0 - 1e-9)
    if not whole or any(name not in rows.columns for name in case.levels):
        return Levels(None, None, case.levels)
    expected = expected_at(reference, rows.t)
    apart = [
        np.max(np.maximum(np.abs(rows.columns[name] - expected.values[name]) - expected.bars[name], 0.0))
        for name in case.levels
    ]
    largest = float(max(apart))
    reached = next((name for name, bound in sorted(LEVELS.items(), key=lambda x: x[1]) if largest <= bound), "none")
    return Levels(reached, largest, case.levels)
