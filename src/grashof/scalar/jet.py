"""Quantities that carry their first and second time derivative."""

from collections.abc import Callable
from typing import Any

from grashof.scalar.functions import (
    Scalar,
    absolute,
    atan2,
    cos,
    entry,
    exp,
    floor,
    interval,
    log,
    sign,
    sin,
    sqrt,
    tan,
    tanh,
    where,
)
from grashof.scalar.numpy_functions import NumpyScalar


class Jet(NumpyScalar):
    """A quantity u with u̇ and ü, over any scalar.

    Arithmetic and the functions of :mod:`grashof.scalar` propagate the derivatives by the product and chain rules,

        (u w)¨ = ü w + 2 u̇ ẇ + u ẅ,        f(u)¨ = f″(u) u̇² + f′(u) ü.

    Time itself is ``Jet(t, 1.0, 0.0)``; a constant is any plain number. At a kink (``absolute``, ``sign``, ``floor``,
    ``minimum``, ``maximum``, ``where``, ``interval``) the derivatives are those of the branch that is taken.

    >>> t = Jet(2.0, 1.0, 0.0)
    >>> t * t * t
    Jet(8.0, 12.0, 12.0)
    """

    __slots__ = ("first", "second", "value")

    def __init__(self, value: Scalar, first: Scalar, second: Scalar) -> None:
        self.value = value
        self.first = first
        self.second = second

    def __repr__(self) -> str:
        return f"Jet({self.value!r}, {self.first!r}, {self.second!r})"

    def __neg__(self) -> "Jet":
        return Jet(-self.value, -self.first, -self.second)

    def __pos__(self) -> "Jet":
        return self

    def __abs__(self) -> "Jet":
        return self.apply_function("absolute", self)

    def __add__(self, other: Scalar) -> "Jet":
        if isinstance(other, Jet):
            return Jet(self.value + other.value, self.first + other.first, self.second + other.second)
        return Jet(self.value + other, self.first, self.second)

    __radd__ = __add__

    def __sub__(self, other: Scalar) -> "Jet":
        if isinstance(other, Jet):
            return Jet(self.value - other.value, self.first - other.first, self.second - other.second)
        return Jet(self.value - other, self.first, self.second)

    def __rsub__(self, other: Scalar) -> "Jet":
        return Jet(other - self.value, -self.first, -self.second)

    def __mul__(self, other: Scalar) -> "Jet":
        if isinstance(other, Jet):
            return Jet(
                self.value * other.value,
                self.first * other.value + self.value * other.first,
                self.second * other.value + 2.0 * (self.first * other.first) + self.value * other.second,
            )
        return Jet(self.value * other, self.first * other, self.second * other)

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> "Jet":
        if isinstance(other, Jet):
            # u = r w, differentiated twice and solved for r, ṙ, r̈.
            ratio = self.value / other.value
            first = (self.first - ratio * other.first) / other.value
            second = (self.second - 2.0 * (first * other.first) - ratio * other.second) / other.value
            return Jet(ratio, first, second)
        return Jet(self.value / other, self.first / other, self.second / other)

    def __rtruediv__(self, other: Scalar) -> "Jet":
        return Jet(other, 0.0, 0.0) / self

    def __pow__(self, exponent: Any) -> "Jet":
        power = super().__pow__(exponent)
        return power if isinstance(power, Jet) else Jet(power, 0.0, 0.0)

    def apply_function(self, name: str, *arguments: Scalar) -> "Jet":
        """The function ``name`` of :mod:`grashof.scalar`, with at least one jet among its arguments."""
        if name in RULES:
            f, slope, curvature = RULES[name](self.value)
            return Jet(f, slope * self.first, curvature * (self.first * self.first) + slope * self.second)
        return _SEVERAL[name](*(a if isinstance(a, Jet) else Jet(a, 0.0, 0.0) for a in arguments))


def _sin(u: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    s = sin(u)
    return s, cos(u), -s


def _cos(u: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    c = cos(u)
    return c, -sin(u), -c


def _tan(u: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    t = tan(u)
    slope = 1.0 + t * t
    return t, slope, 2.0 * t * slope


def _exp(u: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    e = exp(u)
    return e, e, e


def _log(u: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    slope = 1.0 / u
    return log(u), slope, -slope * slope


def _sqrt(u: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    root = sqrt(u)
    slope = 0.5 / root
    return root, slope, -0.5 * slope / u


def _tanh(u: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    t = tanh(u)
    slope = 1.0 - t * t
    return t, slope, -2.0 * t * slope


def _absolute(u: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    return absolute(u), sign(u), 0.0


def _sign(u: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    return sign(u), 0.0, 0.0


def _floor(u: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    return floor(u), 0.0, 0.0


# name → (f, f′, f″) at u
RULES: dict[str, Callable[[Scalar], tuple[Scalar, Scalar, Scalar]]] = {
    "sin": _sin,
    "cos": _cos,
    "tan": _tan,
    "exp": _exp,
    "log": _log,
    "sqrt": _sqrt,
    "tanh": _tanh,
    "absolute": _absolute,
    "sign": _sign,
    "floor": _floor,
}


def _atan2(y: Jet, x: Jet) -> Jet:
    # With ρ = x² + y²: θ̇ = (x ẏ − y ẋ)/ρ, and ρ̇ = 2(x ẋ + y ẏ) turns that into θ̈.
    square = x.value * x.value + y.value * y.value
    first = (x.value * y.first - y.value * x.first) / square
    growth = 2.0 * (x.value * x.first + y.value * y.first)
    second = (x.value * y.second - y.value * x.second - growth * first) / square
    return Jet(atan2(y.value, x.value), first, second)


def _where(condition: Jet, positive: Jet, otherwise: Jet) -> Jet:
    c = condition.value
    return Jet(
        where(c, positive.value, otherwise.value),
        where(c, positive.first, otherwise.first),
        where(c, positive.second, otherwise.second),
    )


_SEVERAL: dict[str, Callable[..., Jet]] = {
    "atan2": _atan2,
    "where": _where,
    "minimum": lambda x, y: _where(y - x, x, y),
    "maximum": lambda x, y: _where(x - y, x, y),
    "interval": lambda x, row: Jet(interval(x.value, row.value), 0.0, 0.0),
    "entry": lambda place, row: Jet(entry(place.value, row.value), 0.0, 0.0),
}
