"""Mathematical functions over any scalar.

One expression, written once with these functions and the operators ``+ - * / **``, runs over

- ``float`` and ``int``: by :mod:`grashof.scalar.elementary`, with the domain errors of :mod:`math`;
- ``numpy.ndarray``: an array of samples acts as one scalar;
- ``mpmath.mpf``: in the working precision of ``mpmath.mp``;
- any object with a method ``apply_function(name, *arguments)``, such as a traced expression
  (:class:`grashof.tape.Node`) or a :class:`grashof.scalar.Jet`.

NumPy and mpmath are imported when one of their numbers first occurs, not with this module.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from grashof.scalar.elementary import OF_ANGLES, OTHERS, of_angle, of_numbers
from grashof.scalar.rows import entry_of, interval_of, row_of

Scalar: TypeAlias = Any
"""A number of any of the kinds listed above.

No static type describes them together: they share operators, not a base class.
"""


def sin(x: Scalar) -> Scalar:
    """Sine of an angle in radians."""
    return _apply("sin", x)


def cos(x: Scalar) -> Scalar:
    """Cosine of an angle in radians."""
    return _apply("cos", x)


def tan(x: Scalar) -> Scalar:
    """Tangent of an angle in radians."""
    return _apply("tan", x)


def exp(x: Scalar) -> Scalar:
    """Exponential eˣ."""
    return _apply("exp", x)


def log(x: Scalar) -> Scalar:
    """Natural logarithm."""
    return _apply("log", x)


def sqrt(x: Scalar) -> Scalar:
    """Non-negative square root."""
    return _apply("sqrt", x)


def tanh(x: Scalar) -> Scalar:
    """Hyperbolic tangent: a smooth approximation of `sign` for friction laws."""
    return _apply("tanh", x)


def atan2(y: Scalar, x: Scalar) -> Scalar:
    """Angle of the vector (x, y) from the x axis, in (−π, π]."""
    return _apply("atan2", y, x)


def absolute(x: Scalar) -> Scalar:
    """Absolute value."""
    return _apply("absolute", x)


def sign(x: Scalar) -> Scalar:
    """−1, 0 or 1."""
    return _apply("sign", x)


def floor(x: Scalar) -> Scalar:
    """The largest integer not greater than x."""
    return _apply("floor", x)


def remainder(x: Scalar, y: Scalar) -> Scalar:
    """x − y ⌊x/y⌋, which has the sign of y."""
    return x - y * floor(x / y)


def minimum(x: Scalar, y: Scalar) -> Scalar:
    """The smaller of two values."""
    return _apply("minimum", x, y)


def maximum(x: Scalar, y: Scalar) -> Scalar:
    """The larger of two values."""
    return _apply("maximum", x, y)


def where(condition: Scalar, positive: Scalar, otherwise: Scalar) -> Scalar:
    """``positive`` where ``condition`` > 0, else ``otherwise``. Both are evaluated.

    >>> where(0.0, 1.0, 2.0)
    2.0
    """
    return _apply("where", condition, positive, otherwise)


def interval(x: Scalar, row: float) -> Scalar:
    """Index, from 0, of the interval between the numbers of a row (see `rows`) that contains x; the first interval
    before them, the last after them."""
    return _apply("interval", x, row)


def entry(place: Scalar, row: float) -> Scalar:
    """A number of a row by its index."""
    return _apply("entry", place, row)


def less(x: Scalar, y: Scalar) -> Scalar:
    """1 where x < y, else 0.

    >>> less(1.0, 2.0), not_less(1.0, 2.0)
    (1.0, 0.0)
    """
    return where(y - x, 1.0, 0.0)


def not_less(x: Scalar, y: Scalar) -> Scalar:
    """1 where x ≥ y, else 0."""
    return where(y - x, 0.0, 1.0)


def atan(x: Scalar) -> Scalar:
    """Angle in (−π/2, π/2) whose tangent is x."""
    return atan2(x, 1.0)


def asin(x: Scalar) -> Scalar:
    """Angle in [−π/2, π/2] whose sine is x."""
    return atan2(x, sqrt((1.0 - x) * (1.0 + x)))


def acos(x: Scalar) -> Scalar:
    """Angle in [0, π] whose cosine is x."""
    return atan2(sqrt((1.0 - x) * (1.0 + x)), x)


def cosh(x: Scalar) -> Scalar:
    """Hyperbolic cosine."""
    return 0.5 * (exp(x) + exp(-x))


def sinh(x: Scalar) -> Scalar:
    """Hyperbolic sine, as tanh x cosh x, which keeps its digits where x is small."""
    return tanh(x) * cosh(x)


def hypot(x: Scalar, y: Scalar) -> Scalar:
    """Length of the vector (x, y)."""
    return sqrt(x * x + y * y)


def power(base: Scalar, exponent: Scalar) -> Scalar:
    """baseˣ: by multiplications for integer x, by a square root for half-integers, otherwise exp(x log(base)), which
    requires a positive base.

    Exponents beyond a million are not computed by multiplications.

    >>> power(4.0, 1.5), power(2.0, -2)
    (8.0, 0.25)
    """
    if isinstance(exponent, float | int) and abs(exponent) <= 1e6:
        if float(exponent).is_integer():
            return integer_power(base, int(exponent))
        if float(2.0 * exponent).is_integer():
            return integer_power(sqrt(base), int(2.0 * exponent))
    return exp(exponent * log(base))


def integer_power(base: Scalar, exponent: int) -> Scalar:
    """baseⁿ by repeated squaring: about log₂ n multiplications, for scalars that have no power of their own."""
    if exponent < 0:
        return 1.0 / integer_power(base, -exponent)
    if exponent == 0:
        return 1.0
    half = integer_power(base, exponent // 2) if exponent > 1 else 1.0
    square = half * half
    return square * base if exponent % 2 else square


def _apply(name: str, *arguments: Scalar) -> Scalar:
    """Let the most demanding argument decide: self-handling objects, then arrays, then mpmath, then floats."""
    if all(isinstance(argument, float | int) for argument in arguments):
        return _FLOAT[name](*arguments)
    for argument in arguments:
        if hasattr(argument, "apply_function"):
            # As with operators: an object that does not know the other type defers to it.
            result = argument.apply_function(name, *arguments)
            if result is not NotImplemented:
                return result
    if any(hasattr(argument, "apply_function") for argument in arguments):
        kinds = ", ".join(type(argument).__name__ for argument in arguments)
        raise TypeError(f"{name} does not know what to do with ({kinds})")
    if any(hasattr(argument, "dtype") for argument in arguments):
        return _apply_numpy(name, arguments)
    return _apply_mpmath(name, arguments)


def _sign(x: float) -> float:
    return float(x > 0.0) - float(x < 0.0)


_FLOAT: dict[str, Callable[..., float]] = {
    **{name: partial(of_angle, name) for name in OF_ANGLES},
    **{name: partial(of_numbers, name) for name in OTHERS},
    "sqrt": math.sqrt,
    "absolute": abs,
    "sign": _sign,
    "floor": lambda x: float(math.floor(x)),
    "interval": interval_of,
    "entry": entry_of,
    "minimum": lambda x, y: x if x < y else y,
    "maximum": lambda x, y: x if x > y else y,
    "where": lambda condition, positive, otherwise: positive if condition > 0 else otherwise,
}


def _apply_numpy(name: str, arguments: tuple[Scalar, ...]) -> Scalar:
    import numpy as np

    if name == "where":
        condition, positive, otherwise = arguments
        return np.where(np.asarray(condition) > 0, positive, otherwise)
    if name in ("interval", "entry"):
        x, row = arguments[0], np.array(row_of(arguments[1]))
        if name == "entry":
            return row[np.asarray(x).astype(int)]
        return np.clip(np.searchsorted(row, x, side="right") - 1, 0, len(row) - 2).astype(float)
    return getattr(np, "arctan2" if name == "atan2" else name)(*arguments)


def _apply_mpmath(name: str, arguments: tuple[Scalar, ...]) -> Scalar:
    if name in ("absolute", "minimum", "maximum", "where", "interval", "entry"):
        return _FLOAT[name](*arguments)  # order and sign only: exact in any precision
    import mpmath

    return getattr(mpmath, name)(*arguments)
