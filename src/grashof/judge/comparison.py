"""How far a result is from the reference, column by column."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from grashof.common.near import AGREES
from grashof.common.wording import count_of
from grashof.judge.expected import expected_at
from grashof.judge.rows import ResultRows
from grashof.references import Reference


@dataclass(frozen=True)
class Comparison:
    """A result and its reference.

    by_column  the largest deviation: |result − reference| less the reference's error bar, divided by the reference's
               largest magnitude in this column
    digits     −log₁₀ of |result − reference| or of the error bar, whichever is larger, divided by the same; at the
               official times if there are any; 0 at least
    times      the times compared, s
    apart      the largest deviation of all columns at these times
    official   how many of these times are official ones
    limit      the largest deviation with which the result agrees
    whole      whether the reference holds up to its end
    """

    by_column: Mapping[str, float]
    digits: Mapping[str, float]
    times: np.ndarray
    apart: np.ndarray
    official: int
    limit: float = AGREES
    whole: bool = True

    @property
    def agrees(self) -> bool:
        """Whether no compared value deviates by more than the limit."""
        return self.deviation <= self.limit

    @property
    def departed(self) -> float | None:
        """The first time at which a column deviates by more than the limit, s; None: none ever does."""
        far = ~(self.apart <= self.limit)  # also where it is no number
        return float(self.times[np.argmax(far)]) if far.any() else None

    @property
    def until(self) -> float | None:
        """The last compared time up to which no column deviates by more than the limit, s; None if the first one
        does."""
        far = ~(self.apart <= self.limit)
        count = int(np.argmax(far)) if far.any() else len(self.times)
        return float(self.times[count - 1]) if count else None

    @property
    def deviation(self) -> float:
        """The largest of all columns."""
        return max(self.by_column.values())

    @property
    def definition(self) -> str:
        return (
            "|result − reference| beyond the reference's error bar, divided by the column's largest magnitude "
            "in the reference, over "
            f"{count_of(len(self.times), 'row')} up to t = {self.times[-1]:g} s; the result agrees up to {self.limit:g}"
        )


def scales(reference: Reference) -> dict[str, float]:
    """The largest magnitude of each column that is not identically zero."""
    largest = {
        name: float(np.max(np.abs(values[reference.times <= reference.until])))
        for name, values in reference.columns.items()
    }
    return {name: x for name, x in largest.items() if x > 0.0}


def compare(
    reference: Reference, rows: ResultRows, limit: float = AGREES, sizes: Mapping[str, float] | None = None
) -> tuple[Comparison | None, list[str]]:
    """Compares all columns that have a reference, up to the time until which it holds; also returns remarks on how.

    limit  the largest deviation with which the result agrees
    sizes  what a column's differences are divided by; by default its largest magnitude in the reference
    """
    t = rows.t[rows.t <= reference.until * (1.0 + 1e-9)]
    scale = {name: x for name, x in (sizes or scales(reference)).items() if name in rows.columns}
    if not t.size or not scale:
        return None, [
            f"Nothing can be compared with the reference, which has {', '.join(scales(reference))} up to t = "
            f"{reference.until:g} s."
        ]
    expected = expected_at(reference, t)
    by_column, digits = {}, {}
    worst = np.zeros(len(t))
    widest = 0.0
    remarks = []
    certain = expected.official if expected.official.any() else np.ones(len(t), bool)
    for name, size in scale.items():
        difference = np.abs(rows.columns[name][: len(t)] - expected.values[name]) / size
        bar = expected.bars[name] / size
        apart = np.maximum(difference - bar, 0.0)
        by_column[name] = float(np.max(apart))
        off = float(np.max(np.maximum(difference, bar)[certain], initial=np.finfo(float).eps))
        digits[name] = max(-math.log10(off), 0.0)
        widest = max(widest, float(np.max(bar)))
        worst = np.maximum(worst, apart)
    others = int(np.sum(~expected.official))
    if others:
        remarks.append(
            f"{others} of {len(t)} times are not official ones: there the reference is interpolated, with an "
            f"error of {widest:.0e} at most."
        )
    whole = bool(reference.until >= reference.times[-1])
    if not whole:
        remarks.append(
            f"The reference holds until t = {reference.until:g} s; after that only the energy and the shape are judged."
        )
    return Comparison(by_column, digits, t, worst, len(t) - others, limit, whole), remarks
