"""Scalars that NumPy's functions and Python's comparisons accept like numbers.

`np.sin(t)`, `t < 1`, `(t > 1) & (t < 2)` and `np.where(t < 1, a, b)` mean the functions of :mod:`grashof.scalar`. A
condition is 1 where it holds and 0 elsewhere; whatever is positive counts as true.
"""

import operator
from collections.abc import Callable
from typing import Any, ClassVar, NoReturn

from grashof.scalar import functions
from grashof.scalar.functions import Scalar, exp, less, log, maximum, minimum, not_less, power, where

_DEGREE = 0.017453292519943295


def _operation(operation: Callable[[Scalar, Scalar], Scalar], reflected: str) -> Callable[[Scalar, Scalar], Scalar]:
    """An operator for which an array on the left defers to the right operand."""
    return lambda x, y: getattr(y, reflected)(x) if hasattr(x, "dtype") else operation(x, y)


_CALLS: dict[str, Callable[..., Scalar]] = {
    **{name: getattr(functions, name) for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "exp", "log", "sqrt")},
    **{name: getattr(functions, name) for name in ("absolute", "sign", "minimum", "maximum", "hypot")},
    "arcsin": functions.asin,
    "arccos": functions.acos,
    "arctan": functions.atan,
    "arctan2": functions.atan2,
    "fabs": functions.absolute,
    "fmin": minimum,
    "fmax": maximum,
    "square": lambda x: x * x,
    "reciprocal": lambda x: 1.0 / x,
    "log10": lambda x: log(x) / 2.302585092994046,
    "log2": lambda x: log(x) / 0.6931471805599453,
    "exp2": lambda x: exp(0.6931471805599453 * x),
    "deg2rad": lambda x: x * _DEGREE,
    "radians": lambda x: x * _DEGREE,
    "rad2deg": lambda x: x / _DEGREE,
    "degrees": lambda x: x / _DEGREE,
    "floor": functions.floor,
    "ceil": lambda x: -functions.floor(-x),
    "remainder": functions.remainder,
    "power": power,
    "float_power": power,
    "negative": operator.neg,
    "positive": operator.pos,
    "add": _operation(operator.add, "__radd__"),
    "subtract": _operation(operator.sub, "__rsub__"),
    "multiply": _operation(operator.mul, "__rmul__"),
    "divide": _operation(operator.truediv, "__rtruediv__"),
    "less": less,
    "greater_equal": not_less,
    "greater": lambda x, y: less(y, x),
    "less_equal": lambda x, y: not_less(y, x),
    "logical_and": minimum,
    "bitwise_and": minimum,
    "logical_or": maximum,
    "bitwise_or": maximum,
    "logical_not": lambda x: where(x, 0.0, 1.0),
    "invert": lambda x: where(x, 0.0, 1.0),
}
"""NumPy's functions by name."""

_METHODS = ("sin", "cos", "tan", "arcsin", "arccos", "arctan", "arctan2", "sinh", "cosh", "tanh", "exp", "log", "sqrt")
"""Methods that NumPy calls on the elements of an array of objects."""

TRUTH = (
    "a quantity that changes has no truth value, because the function is called once for all times: instead of if, "
    "and, or, not, min and max use np.where(condition, a, b), &, |, ~, np.minimum and np.maximum"
)
EQUAL = "quantities that change are equal for an instant at most, so == and != are of no use; compare by < or <="


class NumpyScalar:
    """Mixin for scalars that are not numbers."""

    __slots__ = ()
    _error: ClassVar[type[TypeError]] = TypeError

    def __array_ufunc__(self, function: Any, method: str, *inputs: Scalar, **options: Any) -> Scalar:
        known = _CALLS.get(function.__name__)
        if known is None or method != "__call__" or options:
            raise self._error(
                f"np.{function.__name__} is not known for quantities that change; known are {', '.join(_CALLS)}"
            )
        return self._called(known, *(_plain(x) for x in inputs))

    def __array_function__(self, function: Any, types: Any, inputs: Any, options: Any) -> Scalar:
        if function.__name__ == "where" and len(inputs) == 3 and not options:
            return self._called(where, *(_plain(x) for x in inputs))
        if function.__name__ == "clip" and len(inputs) == 3 and not options:
            return self._called(lambda x, a, b: minimum(maximum(x, a), b), *(_plain(x) for x in inputs))
        raise self._error(f"np.{function.__name__} is not known for quantities that change; use np.where and np.clip")

    def _called(self, function: Callable[..., Scalar], *inputs: Scalar) -> Scalar:
        """The function of inputs that may be arrays: an array is treated as a scalar like any other."""
        return function(*inputs)

    def __lt__(self, other: Scalar) -> Scalar:
        return self._called(less, self, _plain(other))

    def __ge__(self, other: Scalar) -> Scalar:
        return self._called(not_less, self, _plain(other))

    def __gt__(self, other: Scalar) -> Scalar:
        return self._called(less, _plain(other), self)

    def __le__(self, other: Scalar) -> Scalar:
        return self._called(not_less, _plain(other), self)

    def __and__(self, other: Scalar) -> Scalar:
        return self._called(minimum, self, _plain(other))

    def __or__(self, other: Scalar) -> Scalar:
        return self._called(maximum, self, _plain(other))

    __rand__, __ror__ = __and__, __or__

    def __invert__(self) -> Scalar:
        return where(self, 0.0, 1.0)

    def __mod__(self, other: Scalar) -> Scalar:
        return self._called(functions.remainder, self, _plain(other))

    def __rmod__(self, other: Scalar) -> Scalar:
        return self._called(functions.remainder, _plain(other), self)

    def __pow__(self, exponent: Scalar) -> Scalar:
        return self._called(power, self, _plain(exponent))

    def __rpow__(self, base: Scalar) -> Scalar:
        return self._called(power, _plain(base), self)

    def __bool__(self) -> NoReturn:
        raise self._error(TRUTH)

    def __eq__(self, other: object) -> NoReturn:
        raise self._error(EQUAL)

    __ne__ = __eq__
    __hash__ = object.__hash__


def _method(name: str) -> Callable[..., Scalar]:
    return lambda *arguments: _CALLS[name](*arguments)


for _name in _METHODS:
    setattr(NumpyScalar, _name, _method(_name))


def _plain(x: Scalar) -> Scalar:
    """NumPy's numbers as Python's, so that they defer operations to the other operand."""
    return x.item() if getattr(x, "shape", None) == () and hasattr(x, "item") else x
