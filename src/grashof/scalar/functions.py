"""Mathematical functions over any scalar.

One expression, written once with these functions and the operators ``+ - * / **``, runs over

- ``float`` and ``int``: by :mod:`grashof.scalar.elementary`, with the domain errors of :mod:`math`;
- ``numpy.ndarray``: an array of samples acts as one scalar;
- ``mpmath.mpf``: in the working precision of ``mpmath.mp``;
- any object with a method ``apply_function(name, *arguments)``, such as a traced expression
  (:class:`grashof.tape.Node`) or a :class:`grashof.scalar.Jet`.

NumPy and mpmath are imported at the first number of theirs, not with this module.
"""

import math
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

from grashof.scalar.elementary import OF_ANGLES, OTHERS, of_angle, of_numbers

Scalar: TypeAlias = Any
"""A number of any of the kinds listed above.

No static type describes them together: they share operators, not an ancestor.
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
    """Square root, not negative."""
    return _apply("sqrt", x)


def tanh(x: Scalar) -> Scalar:
    """Hyperbolic tangent: the smooth stand-in for :func:`sign` in friction laws."""
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
            # As with operators: an object that does not know its companion leaves the work to it.
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
    "minimum": lambda x, y: x if x < y else y,
    "maximum": lambda x, y: x if x > y else y,
    "where": lambda condition, positive, otherwise: positive if condition > 0 else otherwise,
}


def _apply_numpy(name: str, arguments: tuple[Scalar, ...]) -> Scalar:
    import numpy as np

    if name == "where":
        condition, positive, otherwise = arguments
        return np.where(np.asarray(condition) > 0, positive, otherwise)
    return getattr(np, "arctan2" if name == "atan2" else name)(*arguments)


def _apply_mpmath(name: str, arguments: tuple[Scalar, ...]) -> Scalar:
    if name in ("absolute", "minimum", "maximum", "where"):
        return _FLOAT[name](*arguments)  # order and sign alone: exact in any precision
    import mpmath

    return getattr(mpmath, name)(*arguments)
