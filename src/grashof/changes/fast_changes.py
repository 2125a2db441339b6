"""Changes of functions of time between the times at which they are sampled."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from grashof.changes.kinks import APART, Stop
from grashof.scalar.ranges import Interval
from grashof.tape import Tape

Array = NDArray[np.float64]

SUDDEN = 0.05
"""A change within one cell of a grid is sudden if it exceeds this fraction of the function's range."""

PARTS, CELLS = 8, 2**15
"""Cells of the grid in which a function may change unnoticed are divided into PARTS, repeatedly, as long as there
are at most CELLS in all. Functions that change quickly everywhere are left to the error control."""

SEEN = 0.2
"""Weight of the change that the values at the ends of a cell already show: a function that the grid resolves is not
divided further."""

FLAT = 1e-3
"""Steps end where a change within divided cells begins and ends, that is, where it is below this fraction of the
range from one time to the next."""

SHARE = 0.25
"""Between two stops within such a change, a function changes by about this fraction of its range."""

TINY = 1e-300
"""Avoids a division by zero where nothing changes."""

NEAR = 1e-3
"""Cells with kinks are not divided once they are smaller than this fraction of a cell of the grid."""


def unseen_changes(efforts: Tape, grid: Array, y: Array, kinks: Sequence[Stop]) -> list[float]:
    """Times on both sides of changes within cells of the grid, and some in between, so that no single step passes over
    one.

    The range of each effort within each cell is bounded by interval arithmetic. If it may exceed the values at the ends
    of the cell by a significant part of the whole range, or if these differ by as much, the cell is divided. Cells near
    kinks are divided only a few times, because steps end there.
    """
    begin, end = grid[:-1], grid[1:]
    before, behind = (np.array([kink[k] for kink in kinks]) for k in range(2))
    looked = _Looked(efforts, y)
    times = [grid]
    spent = len(begin)
    while len(begin) and spent <= CELLS:
        share = looked.changes(begin, end)
        open_ = share > SUDDEN
        open_[1:] |= (share[1:] > FLAT) & (share[:-1] > SUDDEN)  # also where such a change begins and ends
        open_[:-1] |= (share[:-1] > FLAT) & (share[1:] > SUDDEN)
        broken = _between(before, behind, begin, end)
        open_ &= ~broken | (end - begin > NEAR * (grid[1] - grid[0]))
        open_ &= end - begin > APART * PARTS * np.spacing(np.maximum(np.abs(begin), np.abs(end)))
        inside = np.linspace(begin[open_], end[open_], PARTS + 1)
        begin, end = inside[:-1].T.ravel(), inside[1:].T.ravel()
        times.append(inside.ravel())
        spent += len(begin)
    if len(begin):
        return []
    fine = np.unique(np.concatenate(times))
    divided = (np.diff(fine) < 0.5 * (grid[1] - grid[0])) & ~_between(before, behind, fine[:-1], fine[1:])
    found: set[float] = set()
    for values in values_at(efforts, fine, y):
        change = np.where(divided, np.abs(np.diff(values)), 0.0) / max(float(np.ptp(values)), TINY)
        found |= {float(fine[k]) for k in edges(change > FLAT)}
        passed = np.diff(np.floor(np.cumsum(change) / SHARE), prepend=0.0)
        found |= {float(fine[k]) for k in np.flatnonzero(passed)}
    return sorted(found)


def _between(before: Array, behind: Array, begin: Array, end: Array) -> NDArray[np.bool_]:
    """Whether there are kinks in cells."""
    return np.searchsorted(before, end, side="right") > np.searchsorted(behind, begin)


class _Looked:
    """Efforts as functions of time, and their smallest and largest values so far."""

    def __init__(self, efforts: Tape, y: Array) -> None:
        self.efforts, self.y = efforts, y
        self.least, self.largest = (np.full(len(efforts.outputs), x) for x in (np.inf, -np.inf))

    def changes(self, begin: Array, end: Array) -> Array:
        """The largest change of any effort that is or may be hidden within these cells, as a fraction of its range."""
        sides = values_at(self.efforts, np.concatenate([begin, end]), self.y, finite=False)
        with np.errstate(all="ignore"):
            bounds = self.efforts.evaluate([Interval(begin, end), *self.y[:, None]])
            share = np.zeros(len(begin))
            for k, (bound, values) in enumerate(zip(bounds, sides, strict=True)):
                if not isinstance(bound, Interval) or np.shape(bound.low) != begin.shape:
                    continue
                self.least[k] = np.min(values, where=np.isfinite(values), initial=self.least[k])
                self.largest[k] = np.max(values, where=np.isfinite(values), initial=self.largest[k])
                first, last = values[: len(begin)], values[len(begin) :]
                low, high = np.fmin(bound.low, np.fmin(first, last)), np.fmax(bound.high, np.fmax(first, last))
                finite = np.isfinite(bound.low) & np.isfinite(bound.high)
                whole = np.max(high, where=finite, initial=self.largest[k]) - np.min(
                    low, where=finite, initial=self.least[k]
                )
                beyond = np.maximum(np.fmin(first, last) - bound.low, bound.high - np.fmax(first, last))
                share = np.fmax(share, np.fmax(beyond, SEEN * np.abs(last - first)) / max(whole, TINY))
        return share


def values_at(efforts: Tape, t: Array, y: Array, *, finite: bool = True) -> list[Array]:
    """The efforts at some times, one array each: those that depend on time and are finite, or all."""
    with np.errstate(all="ignore"):
        outputs = efforts.evaluate([t, *y[:, None]])
    arrays = [np.asarray(output, float) for output in outputs]
    if not finite:
        return [np.broadcast_to(x, t.shape) for x in arrays]
    return [x for x in arrays if x.shape == t.shape and np.all(np.isfinite(x))]


def edges(marked: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Where runs of marked cells begin and end, as indices in the grid."""
    return np.flatnonzero(np.diff(np.concatenate([[False], marked, [False]]).astype(int)))
