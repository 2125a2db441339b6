"""A quantity along many runs as polynomials, one on each interval, and their extremes and integrals.

On an interval of length h that begins at t₀, with s = 2 (t − t₀)/h − 1,

    p(s) = Σ c_k T_k(s),    k = 0 … 9,    |s| ≤ 1,

where T_k are Chebyshev polynomials. The intervals are the steps of a run, or parts of them: inside a step a motion is
smooth, and at its ends velocities and forces may jump. For smooth quantities the coefficients fall geometrically, so
the magnitude of the last ones bounds what is missing (L. N. Trefethen, Approximation Theory and Approximation Practice,
ch. 8).

An extreme is where p′ is zero, or at an end of an interval. The integral of p is h Σ c_k/(1 − k²) over even k.

Sums are made in a fixed order, so that a run's results do not depend on the processor or on the other runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import pi

import numpy as np

from grashof.integrate.lanes.observing import NODES as TRACED
from grashof.scalar.algebra import exact_inverse
from grashof.scalar.functions import cos

Array = np.ndarray

COUNT = 10
"""Number of coefficients of a polynomial."""

LAST = 2
"""The magnitude of this many last coefficients is the estimated error of a polynomial."""

GRID = 24
"""Number of parts of an interval in which signs of p′ are compared."""

ITERATIONS = 60
"""Largest number of bisections for a zero of p′."""

DIVISIONS = 24
"""How often an interval may be halved."""

SHORTEST = 1e-13
"""Intervals that are shorter than this fraction of the run are left out: those before and after them have the same
values."""


def _chebyshev(s: float) -> tuple[list[float], list[float]]:
    """T_k(s), and their derivatives."""
    t, d = [1.0, s], [0.0, 1.0]
    for _ in range(COUNT - 2):
        t.append(2.0 * s * t[-1] - t[-2])
        d.append(2.0 * t[-2] + 2.0 * s * d[-1] - d[-2])
    return t, d


PLACES = tuple(-cos(pi * (2 * k + 1) / (2 * COUNT)) for k in range(COUNT))
"""Where values determine a polynomial, s."""

FROM_VALUES = exact_inverse([_chebyshev(s)[0] for s in PLACES])
_OFTEN = [_chebyshev(2.0 * theta - 1.0) for theta in (0.0, *TRACED)]
FROM_RATES = exact_inverse([t for t, _ in _OFTEN] + [d for _, d in _OFTEN])
"""The coefficients from values, and from values and rates (times h/2) at the start of an interval and at the nodes
of a trace."""


AVERAGE = [1.0 / (1.0 - k * k) if k % 2 == 0 else 0.0 for k in range(COUNT)]
"""The mean of T_k over an interval."""

MEAN = [sum(w * row[j] for w, row in zip(AVERAGE, FROM_RATES, strict=True)) for j in range(COUNT)]
"""The mean over an interval from the values, and from the rates times h/2, at the start of an interval and at the
nodes of a trace."""


def _weighted_sum(weights: Sequence[float], rows: Sequence[Array] | Array) -> Array:
    """Σ w_k x_k, in the order of k."""
    total = weights[0] * rows[0]
    for w, x in zip(weights[1:], rows[1:], strict=True):
        total = total + w * x
    return np.asarray(total)


@dataclass(frozen=True, eq=False)
class OutputCurves:
    """A quantity along B runs, on P intervals in the order of runs and times.

    runs           B
    row            the run to which an interval belongs, (P,)
    begin, length  its begin and length, s, (P,)
    coefficients   (COUNT, P)
    """

    runs: int
    row: Array
    begin: Array
    length: Array
    coefficients: Array

    @classmethod
    def through(cls, runs: int, row: Array, begin: Array, length: Array, values: Array) -> OutputCurves:
        """From values at PLACES, (P, COUNT)."""
        return cls(runs, row, begin, length, np.array([_weighted_sum(w, values.T) for w in FROM_VALUES]))

    @classmethod
    def along(cls, runs: int, row: Array, begin: Array, length: Array, values: Array, rates: Array) -> OutputCurves:
        """From values and rates at the begin of each interval and at the nodes of a trace, (P, 1 + nodes) each."""
        given = [*values.T, *(0.5 * length * rate for rate in rates.T)]
        return cls(runs, row, begin, length, np.array([_weighted_sum(w, given) for w in FROM_RATES]))

    @cached_property
    def errors(self) -> Array:
        """The estimated error of each polynomial, (P,)."""
        return np.asarray(np.sum(np.abs(self.coefficients[-LAST:]), axis=0))

    def at(self, s: Array | float, which: Array | slice = slice(None)) -> tuple[Array, Array]:
        """p and dp/ds on some intervals, by Clenshaw's recurrence and its derivative."""
        c = self.coefficients[:, which]
        b1 = b2 = d1 = d2 = np.zeros(np.broadcast_shapes(np.shape(s), c.shape[1:]))
        for k in range(COUNT - 1, 0, -1):
            d1, d2 = 2.0 * b1 + 2.0 * s * d1 - d2, d1
            b1, b2 = c[k] + 2.0 * s * b1 - b2, b1
        return c[0] + s * b1 - b2, b1 + s * d1 - d2

    @cached_property
    def _ends(self) -> tuple[tuple[Array, Array], tuple[Array, Array]]:
        """p and dp/ds at the begins and at the ends of intervals."""
        return self.at(-1.0), self.at(1.0)

    def __neg__(self) -> OutputCurves:
        return replace(self, coefficients=-self.coefficients)

    @cached_property
    def size(self) -> Array:
        """The largest magnitude of each run, about, (B,)."""
        found = np.zeros(self.runs)
        for value, _ in self._ends:
            np.maximum.at(found, self.row, np.abs(value))
        return found

    def mean(self) -> tuple[Array, Array]:
        """The mean of each run over its time, and its estimated error, (B,)."""
        time = np.bincount(self.row, self.length, self.runs)
        total = np.bincount(self.row, self.length * _weighted_sum(AVERAGE, self.coefficients), self.runs)
        error = np.bincount(self.row, self.length * self.errors, self.runs)
        with np.errstate(invalid="ignore", divide="ignore"):
            return total / time, error / time

    def maximum(self, tie: Array | float = 0.0) -> tuple[Array, Array, Array]:
        """The largest value of each run, its estimated error, and the first time at which it is reached within `tie`,
        (B,) each.

        Only local maxima count for the time: a value on the way up is not one. What varies by no more than `tie` is
        constant.
        """
        (first, _), (last, _) = self._ends
        value, least = np.full(self.runs, -np.inf), np.full(self.runs, np.inf)
        np.maximum.at(value, self.row, np.maximum(first, last))
        reach = self.coefficients[0] + np.sum(np.abs(self.coefficients[1:]), axis=0)
        tie = np.broadcast_to(np.asarray(tie, float), (self.runs,))
        near = np.flatnonzero(reach >= (value - tie)[self.row])
        place, height, interval = self._turns(near)
        np.maximum.at(value, self.row[interval], height)
        error = np.zeros(self.runs)
        near = near[reach[near] >= value[self.row[near]]]
        np.maximum.at(error, self.row[near], self.errors[near])
        when = self._first(value - tie, place, height, interval)
        lowest = self.coefficients[0] - np.sum(np.abs(self.coefficients[1:]), axis=0)
        np.minimum.at(least, self.row, lowest)
        begun = np.full(self.runs, np.inf)
        np.minimum.at(begun, self.row, self.begin)
        return value, error, np.where(value - least <= tie, begun, when)

    def _turns(self, near: Array) -> tuple[Array, Array, Array]:
        """The maxima inside some intervals: places s, values, and the intervals."""
        edges = np.linspace(-1.0, 1.0, GRID + 1)
        slopes = np.array([self.at(float(s), near)[1] for s in edges])
        part, which = np.nonzero((slopes[:-1] > 0.0) & (slopes[1:] <= 0.0))
        interval = near[which]
        low, high = edges[part], edges[part + 1]
        for _ in range(ITERATIONS):
            middle = 0.5 * (low + high)
            rising = self.at(middle, interval)[1] > 0.0
            low, high = np.where(rising, middle, low), np.where(rising, high, middle)
        return high, self.at(high, interval)[0], interval

    def _first(self, enough: Array, place: Array, height: Array, interval: Array) -> Array:
        """The first local maximum of each run that is high enough, s."""
        (first, rising), (last, still) = self._ends
        same = np.append(self.row[1:] == self.row[:-1], False)
        after, turning = np.append(first[1:], 0.0), np.append(rising[1:], 0.0)
        jump = np.abs(after - last) > self.errors + np.append(self.errors[1:], 0.0) + 1e-12 * np.abs(last)
        ends = (still >= 0.0) & (~same | (turning <= 0.0)) | (same & jump)
        high = np.where(same & jump, np.maximum(last, after), last)
        begins = (rising <= 0.0) & np.append(True, ~same[:-1])
        times = np.concatenate(
            [
                self.begin[interval] + 0.5 * (1.0 + place) * self.length[interval],
                self.begin[begins],
                (self.begin + self.length)[ends],
            ]
        )
        heights = np.concatenate([height, first[begins], high[ends]])
        rows = np.concatenate([self.row[interval], self.row[begins], self.row[ends]])
        chosen = heights >= enough[rows]
        found = np.full(self.runs, np.inf)
        np.minimum.at(found, rows[chosen], times[chosen])
        return found


def refine_curves(
    begin: Array, length: Array, observe: Callable[[Array], Array], allowed: Callable[[Array], Array | float]
) -> OutputCurves:
    """One run, whose intervals are halved until the error of each polynomial is allowed, or cannot be made smaller.

    observe   values at ascending times
    allowed   the largest error, given all values that have been found
    """
    span = float(np.sum(length))
    done: list[tuple[Array, Array, Array]] = []
    size = np.empty(0)
    kept = length > SHORTEST * span
    begin, length = begin[kept], length[kept]
    for division in range(DIVISIONS + 1):
        times = begin[:, None] + 0.5 * (1.0 + np.array(PLACES)) * length[:, None]
        values = observe(times.ravel()).reshape(times.shape)
        found = OutputCurves.through(1, np.zeros(len(begin), int), begin, length, values)
        size = np.append(size, values.ravel())
        rough = (found.errors > allowed(size)) & (length > SHORTEST * span)
        if division == DIVISIONS:
            rough[:] = False
        done.append((begin[~rough], length[~rough], found.coefficients[:, ~rough]))
        if not rough.any():
            break
        half = 0.5 * length[rough]
        begin = np.column_stack([begin[rough], begin[rough] + half]).ravel()
        length = np.repeat(half, 2)
    starts, lengths, coefficients = (np.concatenate(parts, axis=-1) for parts in zip(*done, strict=True))
    order = np.argsort(starts, kind="stable")
    zero = np.zeros(len(order), int)
    return OutputCurves(1, zero, starts[order], lengths[order], coefficients[:, order])
