"""Elementary functions computed by additions, multiplications and divisions, which IEEE 754 rounds alike everywhere.

The functions of C libraries differ in the last digit from one processor and one version to the next. These are the same
for Python's floats and, when traced, for machine code. The errors of sine, cosine, exponential and logarithm are below
one unit in the last place (for sine and cosine beyond LIMIT: of the number one), those of arc tangent and hyperbolic
tangent below two, that of tangent below three.

An angle is reduced by a multiple of π/2, which is known to 157 bits, in pieces of 26 whose products with the multiple
are exact (Cody and Waite, 1980, "Software Manual for the Elementary Functions"). The remainder, at most π/4, is the
argument of Taylor's series.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

Scalar: TypeAlias = Any
Reduced: TypeAlias = tuple[Scalar, Scalar, Scalar]
"""The number of quarter turns, and the remaining angle high + low."""

LIMIT = 2.0**27
"""Angles up to this are reduced directly; larger ones are first reduced below it by multiples of 2²⁶π."""

FARTHEST = 2.0**53
"""Beyond this, neighbouring doubles are more than a radian apart: functions of such angles are NaN."""

_ROUND = 1.5 * 2.0**52  # added and subtracted again, it rounds a number smaller than 2⁵¹ to an integer
_PI = Fraction(
    "3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798"
)
_ARC_HALF = Fraction("0.4636476090008061162142562314612144020285370542861203")  # arctan ½
_LN2 = Fraction("0.6931471805599453094172321214581765680755001343602553")


def _pieces(number: Fraction, count: int, bits: int = 26) -> list[float]:
    """The number as a sum of `count` pieces of `bits` bits each, and a double."""
    pieces = []
    for _ in range(count):
        unit = Fraction(2) ** (math.frexp(float(number))[1] - bits)
        pieces.append(float(number // unit * unit))
        number -= Fraction(pieces[-1])
    return [*pieces, float(number)]


_QUARTER, _MANY = _pieces(_PI / 2, 4), _pieces(2**26 * _PI, 4)
_PER_QUARTER, _PER_MANY = float(2 / _PI), float(1 / (2**26 * _PI))
_HALF_PI, _WHOLE_PI, _AT_HALF, _AT_ONE = (_pieces(x, 1, 53) for x in (_PI / 2, _PI, _ARC_HALF, _PI / 4))
_SINE = [(-1.0) ** k / math.factorial(2 * k + 1) for k in range(1, 9)]
_COSINE = [(-1.0) ** k / math.factorial(2 * k) for k in range(2, 10)]
_ARC = [(-1.0) ** k / (2 * k + 1) for k in range(1, 14)]
_LOG_TWO, _PER_LOG_TWO = _pieces(_LN2, 2, 32), float(1 / _LN2)
_EXPONENTIAL = [1.0 / math.factorial(k) for k in range(2, 15)]
_LOGARITHM = [2.0 / (2 * k + 1) for k in range(1, 12)]
_HYPERBOLIC_SINE = [1.0 / math.factorial(2 * k + 1) for k in range(1, 9)]
_HYPERBOLIC_COSINE = [1.0 / math.factorial(2 * k) for k in range(1, 9)]
_OVERFLOW, _UNDERFLOW = 709.782712893384, -745.1332191019412
_POWERS = tuple(2.0**k for k in range(9, -1, -1))  # 512, 256, …, 1


def near(x: Scalar) -> Reduced:
    """Reduces an angle up to LIMIT."""
    quarters = _nearest(x * _PER_QUARTER)
    return (quarters, *_less(x, 0.0, quarters, _QUARTER))


def far(x: Scalar) -> Reduced:
    """Reduces an angle up to FARTHEST."""
    high, low = _less(x, 0.0, _nearest(x * _PER_MANY), _MANY)
    quarters = _nearest(high * _PER_QUARTER)
    high, low = _less(high, low, quarters, _QUARTER)
    return quarters, _select(FARTHEST - abs(x), high, math.nan), low


def sine(angle: Reduced) -> Scalar:
    quarters, high, low = angle
    return _quarter_turned_sine(quarters, _sine(high, low), _cosine(high, low))


def cosine(angle: Reduced) -> Scalar:
    quarters, high, low = angle
    return _quarter_turned_sine(quarters + 1.0, _sine(high, low), _cosine(high, low))


def tangent(angle: Reduced) -> Scalar:
    quarters, high, low = angle
    s, c = _sine(high, low), _cosine(high, low)
    odd = abs(quarters - 2.0 * _nearest(0.5 * quarters)) - 0.5
    return _select(odd, -c, s) / _select(odd, s, c)


OF_ANGLES: dict[str, Callable[[Reduced], Scalar]] = {"sin": sine, "cos": cosine, "tan": tangent}
"""The functions of an angle, by their names in `grashof.scalar`."""


def of_angle(name: str, x: float) -> float:
    """One of these functions, in radians."""
    if math.isinf(x):
        raise ValueError("math domain error")
    return float(OF_ANGLES[name](near(float(x)) if abs(x) < LIMIT else far(float(x))))


def arc_tangent(y: Scalar, x: Scalar) -> Scalar:
    """The angle of the vector (x, y), in (−π, π]; 0 for the zero vector.

    With t = min/max of |x| and |y|, arctan t = arctan c + arctan u, u = (t − c)/(1 + t c), for the nearest c of 0, ½
    and 1.
    """
    width, height = abs(x), abs(y)
    steep = height - width
    large, small = _select(steep, height, width), _select(steep, width, height)
    large = _select(large, large, 1.0)
    c = 0.5 * _nearest(2.0 * (small / large))
    u = (small - c * large) / (large + c * small)
    tail = u * ((u * u) * _series(_ARC, u * u))
    beyond, one = c - 0.25, c - 0.75
    known, trace = (
        _select(one, at_one, _select(beyond, at_half, 0.0)) for at_one, at_half in zip(_AT_ONE, _AT_HALF, strict=True)
    )
    rest = u + (tail + trace)
    # from the nearest axis, towards the first quadrant or away from it
    base, base_trace = (
        _select(steep, half, _select(-x, whole, 0.0)) for half, whole in zip(_HALF_PI, _WHOLE_PI, strict=True)
    )
    sign = _select(steep, _select(-x, 1.0, -1.0), _select(-x, -1.0, 1.0))
    high, low = _exact_sum(base, sign * known)
    angle = high + (sign * rest + (low + base_trace))
    return _select(-y, -angle, angle)


def exponential(x: Scalar) -> Scalar:
    """eˣ = 2ⁿ eʳ, |r| ≤ ½ ln 2."""
    n = _nearest(x * _PER_LOG_TWO)
    a, b, c = _LOG_TWO
    high, low = _exact_sum((x - n * a), -(n * b))
    low = low - n * c
    value = 1.0 + (high + (high * high * _series(_EXPONENTIAL, high) + low))
    half = _nearest(0.5 * n)
    first = _power_of_two(half)
    second = first * _select(n - 2.0 * half - 0.5, 2.0, _select(2.0 * half - n - 0.5, 0.5, 1.0))
    value = (value * first) * second
    return _select(x - _OVERFLOW, math.inf, _select(_UNDERFLOW - x, 0.0, value))


def logarithm(x: Scalar) -> Scalar:
    """ln x = n ln 2 + ln m, √½ < m ≤ √2, and ln (1 + f) = f − ½f² + s (½f² + s² (2/3 + 2/5 s² + …)), s = f/(2 + f)."""
    tiny = 2.0**-1000 - x
    m, n = _select(tiny, x * 2.0**54, x), _select(tiny, -54.0, 0.0)
    for step in _POWERS:
        small = 2.0 ** (1.0 - step) - m
        m, n = _select(small, m * 2.0**step, m), _select(small, n - step, n)
    for step in _POWERS:
        large = m - 2.0**step * (1.0 - 2.0**-53)
        m, n = _select(large, m * 2.0**-step, m), _select(large, n + step, n)
    above = m - math.sqrt(2.0)
    m, n = _select(above, 0.5 * m, m), _select(above, n + 1.0, n)
    f = m - 1.0
    s = f / (2.0 + f)
    z, half = s * s, 0.5 * (f * f)
    a, b, c = _LOG_TWO
    tail = s * (half + z * _series(_LOGARITHM, z)) + n * (b + c)
    value = n * a - ((half - tail) - f)
    value = _select(x - sys.float_info.max, x, value)
    return _select(x, value, _select(-abs(x) + 5e-324, -math.inf, math.nan))


def hyperbolic_tangent(x: Scalar) -> Scalar:
    """tanh x: sinh x/cosh x where x is small, else 1 − 2/(e^(2|x|) + 1)."""
    size = abs(x)
    z = x * x
    near_zero = x + x * (z * _series(_HYPERBOLIC_SINE, z))
    near_zero = near_zero / (1.0 + z * _series(_HYPERBOLIC_COSINE, z))
    limited = _select(size - 22.0, 22.0, size)
    farther = 1.0 - 2.0 / (exponential(2.0 * limited) + 1.0)
    return _select(0.55 - size, near_zero, _select(x, farther, -farther))


OTHERS: dict[str, Callable[..., Scalar]] = {
    "atan2": arc_tangent,
    "exp": exponential,
    "log": logarithm,
    "tanh": hyperbolic_tangent,
}
"""The other functions."""


def of_numbers(name: str, *arguments: float) -> float:
    """One of the other functions, with the exceptions of :mod:`math`."""
    x = arguments[0]
    if name == "log" and x <= 0.0:
        raise ValueError("math domain error")
    if name == "exp" and _OVERFLOW < x < math.inf:
        raise OverflowError("math range error")
    return float(OTHERS[name](*map(float, arguments)))


def _nearest(x: Scalar) -> Scalar:
    return (x + _ROUND) - _ROUND


def _select(condition: Scalar, positive: Scalar, otherwise: Scalar) -> Scalar:
    if isinstance(condition, float):
        return positive if condition > 0.0 else otherwise
    return condition.apply_function("where", condition, positive, otherwise)


def _exact_sum(a: Scalar, b: Scalar) -> tuple[Scalar, Scalar]:
    """a + b rounded, and the rounding error (Knuth)."""
    total = a + b
    other = total - a
    return total, (a - (total - other)) + (b - other)


def _less(high: Scalar, low: Scalar, count: Scalar, pieces: Sequence[float]) -> tuple[Scalar, Scalar]:
    """high + low − count · Σ pieces: the first two differences are exact."""
    a, b, c, d, e = pieces
    high = (high - count * a) - count * b
    high, first = _exact_sum(high, -(count * c))
    high, second = _exact_sum(high, -(count * d))
    return _exact_sum(high, (first + second) + (low - count * e))


def _series(coefficients: Sequence[float], z: Scalar) -> Scalar:
    """Σ c_k z^k, by Horner's rule."""
    total: Scalar = coefficients[-1]
    for coefficient in reversed(coefficients[:-1]):
        total = total * z + coefficient
    return total


def _sine(high: Scalar, low: Scalar) -> Scalar:
    z = high * high
    return high + (high * (z * _series(_SINE, z)) + low * (1.0 - 0.5 * z))


def _cosine(high: Scalar, low: Scalar) -> Scalar:
    z = high * high
    half = 0.5 * z
    most = 1.0 - half
    return most + (((1.0 - most) - half) + ((z * z) * _series(_COSINE, z) - high * low))


def _quarter_turned_sine(quarters: Scalar, s: Scalar, c: Scalar) -> Scalar:
    """The sine, advanced by this many quarter turns."""
    m = quarters - 4.0 * _nearest(0.25 * quarters)  # −2 … 2
    value = _select(0.5 - abs(abs(m) - 1.0), c, s)
    return _select((m - 0.5) * (m - 0.5) - 1.0, -value, value)


def _power_of_two(n: Scalar) -> Scalar:
    """2ⁿ for an integer n, |n| < 1024."""
    left, power = abs(n), 1.0
    for step in _POWERS:
        some = left - (step - 0.5)
        left, power = _select(some, left - step, left), power * _select(some, 2.0**step, 1.0)
    return _select(-n, 1.0 / power, power)
