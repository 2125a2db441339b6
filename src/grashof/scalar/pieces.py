"""Ranges of functions that are polynomials between knots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from grashof.scalar.dual import Dual
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet
from grashof.scalar.ranges import Interval

Array = NDArray[np.float64]
Whole = NDArray[np.intp]


def is_range(x: Scalar) -> bool:
    """Whether a scalar, or the value of a jet or dual number, is an interval."""
    while isinstance(x, Jet | Dual):
        x = x.value
    return isinstance(x, Interval)


@dataclass(frozen=True, eq=False)
class Pieces:
    """f(x) = a₀ + a₁ h + a₂ h² + … with h = x − xᵢ, between the knots xᵢ and xᵢ₊₁.

    coefficients   the a₀ of all pieces, their a₁, and so on, at most up to a₃
    periodic       f has the period x_n − x_0; otherwise its first and last values are continued outside

    >>> tent = Pieces([0.0, 1.0, 2.0], [[0.0, 1.0], [1.0, -1.0]], periodic=False)
    >>> found = tent.enclose(Interval(np.array([0.5]), np.array([1.25])))
    >>> found.low.item(), found.high.item()
    (0.5, 1.0)
    """

    knots: Sequence[float]
    coefficients: Sequence[Sequence[float]]
    periodic: bool

    def enclose(self, x: Scalar, order: int = 0) -> Scalar:
        """The derivative of an order at an interval, or at a jet or dual number of intervals. Where a derivative
        jumps, the next one is that beside the jump."""
        if isinstance(x, Jet):
            f, slope, bend = (self.enclose(x.value, order + k) for k in range(3))
            return Jet(f, slope * x.first, bend * (x.first * x.first) + slope * x.second)
        if isinstance(x, Dual):
            return Dual(self.enclose(x.value, order), self.enclose(x.value, order + 1) * x.slope)
        low, high = np.broadcast_arrays(np.asarray(x.low, float), np.asarray(x.high, float))
        if order not in self._enclosures:
            self._enclosures[order] = _Enclosure(self, order)
        found = self._enclosures[order].over(low.ravel(), high.ravel())
        return Interval(*(bound.reshape(low.shape) for bound in found))

    @cached_property
    def _enclosures(self) -> dict[int, _Enclosure]:
        return {}

    @cached_property
    def spread(self) -> tuple[Array, Array]:
        """The knots and the coefficients (4, pieces); of two periods, if it is periodic."""
        knots = np.array(self.knots, float)
        table = np.zeros((4, len(knots) - 1))
        for row, given in zip(table, self.coefficients, strict=False):
            row[:] = given
        if self.periodic:
            knots = np.concatenate([knots, knots[1:] + (knots[-1] - knots[0])])
            table = np.hstack([table, table])
        return knots, table


class _Enclosure:
    """The range of a derivative of some pieces."""

    def __init__(self, pieces: Pieces, order: int) -> None:
        self.knots, table = pieces.spread
        self.periodic, self.order = pieces.periodic, order
        for _ in range(order):
            table = np.vstack([table[1:] * np.arange(1.0, 4.0)[:, None], np.zeros(table.shape[1])])
        self.table = table
        every = np.arange(table.shape[1])
        low, high = self._of_parts(every, self.knots[:-1], self.knots[1:])
        self._least, self._most = [low], [high]  # of 1, 2, 4, … consecutive pieces
        while len(self._least[-1]) > 1 << len(self._least) - 1:
            reach = 1 << len(self._least) - 1
            self._least.append(np.minimum(self._least[-1][:-reach], self._least[-1][reach:]))
            self._most.append(np.maximum(self._most[-1][:-reach], self._most[-1][reach:]))

    def over(self, low: Array, high: Array) -> tuple[Array, Array]:
        """The least and largest values between `low` and `high`."""
        begin, end = self.knots[0], self.knots[-1]
        whole = ~(np.isfinite(low) & np.isfinite(high))
        low, high = np.where(whole, begin, low), np.where(whole, end, high)
        if self.periodic:
            period = 0.5 * (end - begin)
            whole |= high - low >= period
            turns = period * np.floor((low - begin) / period)
            low, high = low - turns, np.minimum(high - turns, end)
        a = np.where(whole, begin, np.clip(low, begin, end))
        b = np.where(whole, end, np.clip(high, begin, end))
        last = self.table.shape[1] - 1
        first = np.clip(np.searchsorted(self.knots, a, side="right") - 1, 0, last)
        final = np.maximum(np.clip(np.searchsorted(self.knots, b, side="left") - 1, 0, last), first)
        one = self._of_parts(first, a, np.minimum(b, self.knots[first + 1]))
        other = self._of_parts(final, np.maximum(a, self.knots[final]), b)
        least, most = np.minimum(one[0], other[0]), np.maximum(one[1], other[1])
        between = np.flatnonzero(final - first > 1)
        if between.size:
            least[between] = np.minimum(least[between], self._extreme(self._least, first, final, between, np.minimum))
            most[between] = np.maximum(most[between], self._extreme(self._most, first, final, between, np.maximum))
        if not self.periodic and self.order:  # constant outside
            inside = ~whole & (low >= begin) & (high <= end)
            beyond = ~whole & ((high < begin) | (low > end))
            least = np.where(inside, least, np.where(beyond, 0.0, np.minimum(least, 0.0)))
            most = np.where(inside, most, np.where(beyond, 0.0, np.maximum(most, 0.0)))
        return least, most

    def _of_parts(self, piece: Whole, a: Array, b: Array) -> tuple[Array, Array]:
        """The ranges of single pieces from a to b: the control points of a polynomial bound it."""
        c0, c1, c2, c3 = self.table[:, piece]
        h, w = a - self.knots[piece], b - a
        value = c0 + h * (c1 + h * (c2 + h * c3))
        first, second, third = w * (c1 + h * (2.0 * c2 + 3.0 * h * c3)), w * w * (c2 + 3.0 * h * c3), w * w * w * c3
        points = [value, value + first / 3.0, value + (2.0 * first + second) / 3.0, value + first + second + third]
        return np.min(points, axis=0), np.max(points, axis=0)

    @staticmethod
    def _extreme(levels: list[Array], first: Whole, final: Whole, rows: Whole, extreme: np.ufunc) -> Array:
        """The extremes of the whole pieces between two others, of which two overlapping halves are known."""
        begin, count = first[rows] + 1, final[rows] - first[rows] - 1
        found = np.empty(len(rows))
        for level, known in enumerate(levels):
            here = (count >= 1 << level) & (count < 2 << level)
            found[here] = extreme(known[begin[here]], known[begin[here] + count[here] - (1 << level)])
        return found
