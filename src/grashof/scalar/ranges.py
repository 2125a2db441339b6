"""Ranges of values: the values an expression can take while its arguments vary within their ranges."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

Array = np.ndarray


class Interval:
    """All numbers from `low` to `high`, which may be arrays: one interval for each entry.

    Arithmetic and the functions of :mod:`grashof.scalar` give intervals that contain every value, up to rounding, and
    often more than that: x − x is not zero. Results that are not known, such as entries of tables, or are undefined
    somewhere, are NaN.

    >>> x = Interval(np.array([1.0]), np.array([3.0]))
    >>> (x * x - 4.0 * x).low.item()
    -11.0
    """

    __slots__ = ("high", "low")
    __array_ufunc__ = None  # an array on the left is one scalar here, not a container of intervals

    def __init__(self, low: Any, high: Any) -> None:
        self.low, self.high = np.asarray(low, float), np.asarray(high, float)

    def __repr__(self) -> str:
        return f"Interval({self.low!r}, {self.high!r})"

    def __neg__(self) -> Interval:
        return Interval(-self.high, -self.low)

    def __pos__(self) -> Interval:
        return self

    def __abs__(self) -> Interval:
        return self.apply_function("absolute", self)

    def __add__(self, other: Any) -> Interval:
        summand = _interval(other)
        return Interval(self.low + summand.low, self.high + summand.high)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Interval:
        return self + -_interval(other)

    def __rsub__(self, other: Any) -> Interval:
        return (-self).__add__(other)

    def __mul__(self, other: Any) -> Interval:
        if other is self:
            return _square(self)
        factor = _interval(other)
        return _hull([x * y for x in (self.low, self.high) for y in (factor.low, factor.high)])

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Interval:
        below = _interval(other)
        unbounded = (below.low <= 0.0) & (below.high >= 0.0)
        quotient = _hull([x / y for x in (self.low, self.high) for y in (below.low, below.high)])
        return Interval(np.where(unbounded, -np.inf, quotient.low), np.where(unbounded, np.inf, quotient.high))

    def __rtruediv__(self, other: Any) -> Interval:
        return _interval(other).__truediv__(self)

    def apply_function(self, name: str, *arguments: Any) -> Interval:
        """The function ``name`` of :mod:`grashof.scalar`, with at least one interval among its arguments."""
        if name in _RISING:
            x = _interval(arguments[0])
            return Interval(_RISING[name](x.low), _RISING[name](x.high))
        if name in _OTHERS:
            return _OTHERS[name](*map(_interval, arguments))
        return Interval(np.nan, np.nan)


def _interval(x: Any) -> Interval:
    return x if isinstance(x, Interval) else Interval(x, x)


def _hull(corners: list[Array]) -> Interval:
    return Interval(reduce(np.minimum, corners), reduce(np.maximum, corners))


def _square(x: Interval) -> Interval:
    size = _absolute(x)
    return Interval(size.low * size.low, size.high * size.high)


def _absolute(x: Interval) -> Interval:
    inside = (x.low <= 0.0) & (x.high >= 0.0)
    low, high = np.abs(x.low), np.abs(x.high)
    return Interval(np.where(inside, 0.0, np.minimum(low, high)), np.maximum(low, high))


def _cos(x: Interval) -> Interval:
    """Extremes are at the ends, or are ±1 if a multiple of π lies between them."""
    first = np.ceil(x.low / np.pi)
    count = np.floor(x.high / np.pi) - first + 1.0
    even = first % 2.0 == 0.0
    top, bottom = (count > 1.0) | ((count == 1.0) & even), (count > 1.0) | ((count == 1.0) & ~even)
    ends = _hull([np.cos(x.low), np.cos(x.high)])
    return Interval(np.where(bottom, -1.0, ends.low), np.where(top, 1.0, ends.high))


def _tan(x: Interval) -> Interval:
    broken = np.floor(x.low / np.pi + 0.5) != np.floor(x.high / np.pi + 0.5)
    return Interval(np.where(broken, -np.inf, np.tan(x.low)), np.where(broken, np.inf, np.tan(x.high)))


def _atan2(y: Interval, x: Interval) -> Interval:
    """The extremes over a box that does not meet the branch cut, the negative x axis, are at its corners."""
    cut = (x.low <= 0.0) & (y.low <= 0.0) & (y.high >= 0.0)
    corners = _hull([np.arctan2(a, b) for a in (y.low, y.high) for b in (x.low, x.high)])
    return Interval(np.where(cut, -np.pi, corners.low), np.where(cut, np.pi, corners.high))


def _where(condition: Interval, positive: Interval, otherwise: Interval) -> Interval:
    both = _hull([positive.low, positive.high, otherwise.low, otherwise.high])
    never, always = condition.high <= 0.0, condition.low > 0.0
    return Interval(
        np.where(always, positive.low, np.where(never, otherwise.low, both.low)),
        np.where(always, positive.high, np.where(never, otherwise.high, both.high)),
    )


_RISING: dict[str, Callable[[Array], Array]] = {
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "tanh": np.tanh,
    "sign": np.sign,
    "floor": np.floor,
}
_OTHERS: dict[str, Callable[..., Interval]] = {
    "absolute": _absolute,
    "cos": _cos,
    "sin": lambda x: _cos(x - 0.5 * np.pi),
    "tan": _tan,
    "atan2": _atan2,
    "where": _where,
    "minimum": lambda x, y: Interval(np.minimum(x.low, y.low), np.minimum(x.high, y.high)),
    "maximum": lambda x, y: Interval(np.maximum(x.low, y.low), np.maximum(x.high, y.high)),
}
