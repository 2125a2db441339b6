"""Ranges of functions in cells of time, from their values and derivatives at both ends."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grashof.formulation.natural.winding import nearest_turn
from grashof.scalar.dual import Dual
from grashof.scalar.functions import Scalar
from grashof.scalar.ranges import Interval

Array = NDArray[np.float64]

MARGIN = 0.5
"""The error of the quintic is taken to be at most this fraction of its difference from the cubic through the same
ends."""


def control_points(a: Array, b: Array, w: Array) -> list[Array]:
    """The control points, in Bernstein's form, of the quintic through value, rate and second derivative at both ends
    of cells of lengths w."""
    begin = [a[0], a[0] + 0.2 * w * a[1], a[0] + 0.4 * w * a[1] + 0.05 * w * w * a[2]]
    return [*begin, b[0] - 0.4 * w * b[1] + 0.05 * w * w * b[2], b[0] - 0.2 * w * b[1], b[0]]


def enclose_quintic(a: Array, b: Array, w: Array) -> tuple[Interval, ...]:
    """The ranges of a function and its first three derivatives in cells of lengths w, from value, rate and second
    derivative at both ends.

    The control points of a polynomial bound it. The second derivatives by which the quintic differs from the cubic at
    the ends determine the margins for its error.
    """
    points = control_points(a, b, w)
    mean = 6.0 * (b[0] - a[0]) / w
    lack = np.abs(a[2] - (mean - 4.0 * a[1] - 2.0 * b[1]) / w) + np.abs(b[2] + (mean - 2.0 * a[1] - 4.0 * b[1]) / w)
    found = []
    margins = 0.018 * w * w, 0.07 * np.abs(w), np.full(w.shape, 0.5), 4.0 / np.abs(w)
    for order, largest in enumerate(margins):
        bounds = Interval(np.min(points, axis=0), np.max(points, axis=0))
        found.append(widen_bounds(bounds, MARGIN * largest * lack))
        points = [(5 - order) * (y - x) / w for x, y in pairwise(points)]
    return tuple(found)


def follow_quintic(a: Array, b: Array, w: Array, theta: Array) -> list[Array]:
    """Value, rate and second derivative on the quintic at a fraction of the cell."""
    found, points = [], control_points(a, b, w)
    for order in range(3):
        level = points
        while len(level) > 1:
            level = [x + theta * (y - x) for x, y in pairwise(level)]
        found.append(level[0])
        points = [(5 - order) * (y - x) / w for x, y in pairwise(points)]
    return found


def unwind(a: Array, b: Array, w: Array) -> Array:
    """The angle at the end of a cell with the whole turns that follow from the rates at both ends."""
    return np.array([a[0] + nearest_turn(b[0] - a[0], 0.5 * w * (a[1] + b[1])), b[1], b[2]])


def reach_between(a: Array, b: Array, low: Array, high: Array, w: Array) -> tuple[Array, Array]:
    """The least and largest values of a function with values a and b at the ends of cells of lengths w, whose slope
    is within bounds."""
    low, high = np.where(w > 0.0, low, -high), np.where(w > 0.0, high, -low)
    size, steep = np.abs(w), np.where(high - low > 0.0, high - low, 1.0)
    lowest = np.where((low < 0.0) & (high > 0.0), (high * a - low * b + low * high * size) / steep, np.minimum(a, b))
    highest = np.where((low < 0.0) & (high > 0.0), (high * b - low * a - low * high * size) / steep, np.maximum(a, b))
    bounded = np.isfinite(low) & np.isfinite(high)
    least = np.where(bounded, np.minimum(lowest, np.minimum(a, b)), -np.inf)
    return least, np.where(bounded, np.maximum(highest, np.maximum(a, b)), np.inf)


def may_change_sign(a: Array, b: Array, slope: tuple[Array, Array], w: Array, zero: Array) -> Any:
    """In which cells a function may have a sign, at some time, that its values at both ends do not show."""
    low, high = reach_between(a, b, *slope, w)
    one_way = (slope[0] >= 0.0) | (slope[1] <= 0.0)
    clear = (low > 0.0) | (high <= 0.0) | ((np.abs(low) <= zero) & (np.abs(high) <= zero))
    return ~(one_way | clear)


def find_excess(a: Array, b: Array, slope: tuple[Array, Array], w: Array) -> Array:
    """By how much a function may leave the range of its values at both ends."""
    low, high = reach_between(a, b, *slope, w)
    return np.maximum(np.minimum(a, b) - low, high - np.maximum(a, b))


def hull_of(a: Array, b: Array) -> Interval:
    return Interval(np.minimum(a, b), np.maximum(a, b))


def widen_bounds(x: Interval, by: Array) -> Interval:
    return Interval(x.low - by, x.high + by)


def unknown_range(w: Array) -> Interval:
    return Interval(np.full(w.shape, -np.inf), np.full(w.shape, np.inf))


def as_dual(x: Scalar) -> Dual:
    return x if isinstance(x, Dual) else Dual(x, 0.0)


def bounds_of(x: Scalar, like: Array) -> tuple[Array, Array]:
    """The bounds of an interval or number, infinite where they are not known."""
    low, high = (x.low, x.high) if isinstance(x, Interval) else (x, x)
    low, high = (np.broadcast_to(np.asarray(bound, float), like.shape) for bound in (low, high))
    return np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)
