"""Changes of functions of time between the times at which they are looked at."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from grashof.analysis.kinks import APART, Stop
from grashof.scalar.interval import Interval
from grashof.tape import Tape

Array = NDArray[np.float64]

SUDDEN = 0.05
"""A change within one cell of a grid by more than this part of the function's range is sudden."""

PARTS, CELLS = 8, 2**15
"""Cells of the grid in which a function may change unseen are divided into so many, and these again, as long as there are not more of them in all:
functions that change quickly everywhere are left to the error control."""

NEAR = 1e-3
"""Cells with kinks are not divided once they are smaller than this part of a cell of the grid."""


def unseen_changes(efforts: Tape, grid: Array, y: Array, kinks: Sequence[Stop]) -> list[float]:
    """Times on both sides of changes between those of the grid that the values there do not show.

    The range of each effort within each cell is bounded by interval arithmetic; where it may exceed the values at the ends of the cell by a
    part of its whole range, the cell is divided. Near to kinks cells are divided a few times only, since steps end there.
    """
    begin, end = grid[:-1], grid[1:]
    before, behind = (np.array([kink[k] for kink in kinks]) for k in range(2))
    done: list[tuple[Array, Array]] = []
    spent = len(begin)
    while len(begin) and spent <= CELLS:
        open_ = _unseen(efforts, begin, end, y)
        broken = np.searchsorted(before, end, side="right") > np.searchsorted(behind, begin)
        open_ &= ~broken | (end - begin > NEAR * (grid[1] - grid[0]))
        open_ &= end - begin > APART * PARTS * np.spacing(np.maximum(np.abs(begin), np.abs(end)))
        if len(begin) < len(grid) - 1:
            done.append((begin, end))
        begin, end = begin[open_], end[open_]
        times = np.linspace(begin, end, PARTS + 1)
        begin, end = times[:-1].T.ravel(), times[1:].T.ravel()
        spent += len(begin)
    if len(begin) or not done:
        return []
    times = np.unique(np.concatenate([x for pair in done for x in pair]))
    found: set[float] = set()
    outputs = values_at(efforts, np.concatenate([grid, times]), y)
    for values in outputs:
        change = np.abs(np.diff(values[len(grid) :])) > SUDDEN * float(np.ptp(values))
        found |= {float(times[k]) for k in edges(change)}
    return sorted(found)


def _unseen(efforts: Tape, begin: Array, end: Array, y: Array) -> NDArray[np.bool_]:
    """Whether any effort may exceed its values at the ends of cells by a part of its range."""
    with np.errstate(all="ignore"):
        outputs = efforts.evaluate([Interval(begin, end), *y[:, None]])
    unseen = np.zeros(len(begin), bool)
    sides = values_at(efforts, np.concatenate([begin, end]), y, finite=False)
    for output, values in zip(outputs, sides, strict=True):
        if isinstance(output, Interval) and np.shape(output.low) == begin.shape:
            first, last = values[: len(begin)], values[len(begin) :]
            low, high = np.minimum(first, last), np.maximum(first, last)
            with np.errstate(all="ignore"):
                beyond = np.maximum(low - output.low, output.high - high)
                finite = np.isfinite(output.low) & np.isfinite(output.high)
                least = np.min(output.low, where=finite, initial=np.inf)
                whole = np.max(output.high, where=finite, initial=-np.inf) - least
                unseen |= beyond > SUDDEN * whole
    return unseen


def values_at(efforts: Tape, t: Array, y: Array, *, finite: bool = True) -> list[Array]:
    """The efforts at some times, as many arrays: those that depend on time and are numbers, or all."""
    with np.errstate(all="ignore"):
        outputs = efforts.evaluate([t, *y[:, None]])
    arrays = [np.asarray(output, float) for output in outputs]
    if not finite:
        return [np.broadcast_to(x, t.shape) for x in arrays]
    return [x for x in arrays if x.shape == t.shape and np.all(np.isfinite(x))]


def edges(marked: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Where marked cells begin and end, as places in the grid."""
    return np.flatnonzero(np.diff(np.concatenate([[False], marked, [False]]).astype(int)))
