"""Quantities that carry their derivative with respect to one argument."""

from collections.abc import Callable, Sequence
from typing import Any

from grashof.scalar import functions
from grashof.scalar.functions import Scalar, atan2, entry, interval, where
from grashof.scalar.jet import RULES
from grashof.scalar.numpy_functions import NumpyScalar


class Dual(NumpyScalar):
    """A quantity u with ∂u/∂x, over any scalar, including jets: all arguments of a function are made dual, so that
    duals and jets are never combined.

    >>> x = Dual(3.0, 1.0)
    >>> (x * x + 1.0).slope
    6.0
    """

    __slots__ = ("slope", "value")

    def __init__(self, value: Scalar, slope: Scalar) -> None:
        self.value = value
        self.slope = slope

    def __repr__(self) -> str:
        return f"Dual({self.value!r}, {self.slope!r})"

    def __neg__(self) -> "Dual":
        return Dual(-self.value, -self.slope)

    def __pos__(self) -> "Dual":
        return self

    def __abs__(self) -> "Dual":
        return self.apply_function("absolute", self)

    def __add__(self, other: Scalar) -> "Dual":
        if isinstance(other, Dual):
            return Dual(self.value + other.value, self.slope + other.slope)
        return Dual(self.value + other, self.slope)

    __radd__ = __add__

    def __sub__(self, other: Scalar) -> "Dual":
        if isinstance(other, Dual):
            return Dual(self.value - other.value, self.slope - other.slope)
        return Dual(self.value - other, self.slope)

    def __rsub__(self, other: Scalar) -> "Dual":
        return Dual(other - self.value, -self.slope)

    def __mul__(self, other: Scalar) -> "Dual":
        if isinstance(other, Dual):
            slope = _times(self.slope, other.value) + _times(other.slope, self.value)
            return Dual(self.value * other.value, slope)
        return Dual(self.value * other, _times(self.slope, other))

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> "Dual":
        if isinstance(other, Dual):
            ratio = self.value / other.value
            slope = self.slope - _times(other.slope, ratio)
            return Dual(ratio, 0.0 if _is_zero(slope) else slope / other.value)
        return Dual(self.value / other, 0.0 if _is_zero(self.slope) else self.slope / other)

    def __rtruediv__(self, other: Scalar) -> "Dual":
        return Dual(other, 0.0) / self

    def __pow__(self, exponent: Any) -> "Dual":
        power = super().__pow__(exponent)
        return power if isinstance(power, Dual) else Dual(power, 0.0)

    def apply_function(self, name: str, *arguments: Scalar) -> "Dual":
        """The function ``name`` of :mod:`grashof.scalar`, with at least one dual among its arguments."""
        if name in RULES:
            if _is_zero(
                self.slope
            ):  # a value independent of the argument stays so, even where the function has no slope
                return Dual(getattr(functions, name)(self.value), 0.0)
            f, slope, _ = RULES[name](self.value)
            return Dual(f, slope * self.slope)
        x, *others = (a if isinstance(a, Dual) else Dual(a, 0.0) for a in arguments)
        if name == "atan2":
            (over,) = others
            inverse = 1.0 / (over.value * over.value + x.value * x.value)  # the same for all arguments
            slope = (over.value * x.slope - x.value * over.slope) * inverse
            return Dual(atan2(x.value, over.value), slope)
        if name == "where":
            return _where(x, *others)
        (y,) = others
        if name in ("interval", "entry"):
            return Dual((interval if name == "interval" else entry)(x.value, y.value), 0.0)
        return _where(y - x, x, y) if name == "minimum" else _where(x - y, x, y)


def slopes(function: Callable[[list["Dual"]], Scalar], values: Sequence[Scalar]) -> list[Scalar]:
    """∂f/∂xᵢ of a function of several arguments.

    >>> slopes(lambda x: x[0] * x[1], [2.0, 3.0])
    [3.0, 2.0]
    """
    found = []
    for i in range(len(values)):
        result = function([Dual(x, 1.0 if i == k else 0.0) for k, x in enumerate(values)])
        found.append(result.slope if isinstance(result, Dual) else 0.0 * result)
    return found


def _is_zero(slope: Scalar) -> bool:
    return isinstance(slope, float) and slope == 0.0


def _times(slope: Scalar, factor: Scalar) -> Scalar:
    return 0.0 if _is_zero(slope) else slope * factor


def _where(condition: Dual, positive: Dual, otherwise: Dual) -> Dual:
    c = condition.value
    return Dual(where(c, positive.value, otherwise.value), where(c, positive.slope, otherwise.slope))
