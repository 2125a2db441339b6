"""A row of N four-bars as a pendulum: its motion in closed form, by Jacobi's elliptic functions.

N + 1 uprights of 1 m stand on ground pivots, N tops of 1 m join their pins; every bar is uniform, 1 kg. As long
as the windows stay parallelograms, one angle describes all: φ from upright, clockwise, so that pin 1 is at

    x₁ = sin φ,   y₁ = cos φ,   ẋ₁ = φ̇ cos φ

The uprights turn about their ends (inertia 1/3), the tops translate with the pins:

    T = ½ J φ̇²,      J = (N + 1)/3 + N
    V = g S cos φ,   S = (N + 1)/2 + N
    φ̈ = k² sin φ,    k² = g S/J

which is a pendulum of length J/S. With χ = (φ − π)/2, half its angle from hanging, the energy integral is

    χ̇² = ¼ w² − k² sin² χ,     w² = φ̇₀² + 4k² cos²(φ₀/2)        (w is the speed φ̇ at the bottom)

and the sign of the excess ε = φ̇₀² − 4k² sin²(φ₀/2), the square of φ̇ at the top, distinguishes three kinds of motion:

    ε > 0, full turns     χ = am(±½ w t + u₀ | m),  m = 4k²/w²,            φ̇ = ±w dn
    ε < 0, swinging       sin χ = κ sn(k t + u₀ | κ²),  κ = w/2k,           φ̇ = w cn
    ε = 0, the border     sin χ = tanh(±k t + u₀), or rest upright          φ̇ = ±w sech

u₀ puts χ at its start. From upright (φ₀ = 0, the benchmark) ε = φ̇₀², so at any nonzero speed it makes full turns,
in the direction of φ̇₀, and u₀ = −K(m). am(u) is the amplitude, with its whole turns, by the descending Landen
transformation (Abramowitz and Stegun, Handbook of Mathematical Functions, 16.4).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

GRAVITY = 9.81
"""m/s², downwards."""


class ReferencePin(NamedTuple):
    """The motion of pin 1 at the given times: doubles from `solution`, mpmath numbers from `precise_solution`."""

    x: NDArray[Any]  # m
    xdot: NDArray[Any]  # m/s
    angle: NDArray[Any]  # rad, φ from upright, clockwise, whole turns kept
    rate: NDArray[Any]  # rad/s


def amplitude(complement: Any, context: Any) -> Callable[[Any], Any]:
    """The function u → am(u | m), for the complementary modulus √(1 − m) > 0.

    The means a, b, c = (a + b)/2, √(ab), (a − b)/2 from a = 1, b = √(1 − m) until c vanishes give
    am = φ₀ with φ_n = 2ⁿ a_n u and sin(2φ_{n−1} − φ_n) = (c_n/a_n) sin φ_n.
    """
    a, b, ratios = context.mpf(1), complement, []
    while abs(a - b) > context.eps * a:
        a, b, c = (a + b) / 2, context.sqrt(a * b), (a - b) / 2
        ratios.append(c / a)
    scale = 2 ** len(ratios) * a

    def am(u: Any) -> Any:
        phi = scale * u
        for ratio in reversed(ratios):
            phi = (phi + context.asin(ratio * context.sin(phi))) / 2
        return phi

    return am


def pendulum(k: Any, start: Any, rate: Any, context: Any) -> Callable[[Any], tuple[Any, Any]]:
    """The function t → (φ, φ̇) of φ̈ = k² sin φ from φ = start and φ̇ = rate; all are mpmath numbers of `context`."""
    pi, sin, cos, sqrt = +context.pi, context.sin, context.cos, context.sqrt
    middle = pi * (2 * context.floor(start / (2 * pi)) + 1)  # the hanging position of this turn
    half, sign = (start - middle) / 2, (1 if rate >= 0 else -1)
    bottom = sqrt(rate**2 + (2 * k * cos(start / 2)) ** 2)
    excess = rate**2 - (2 * k * sin(start / 2)) ** 2

    if excess > 0:
        complement = sqrt(excess) / bottom
        turn, begin = amplitude(complement, context), context.ellipf(half, 1 - complement**2)

        def turning(t: Any) -> tuple[Any, Any]:
            chi = turn(sign * bottom * t / 2 + begin)
            dn = sqrt(cos(chi) ** 2 + (complement * sin(chi)) ** 2)
            return middle + 2 * chi, sign * bottom * dn

        return turning

    if excess < 0:
        modulus, complement = bottom / (2 * k), sqrt(-excess) / (2 * k)
        swing = amplitude(complement, context)
        begin = context.ellipf(context.atan2(2 * k * sin(half), rate), modulus**2)

        def swinging(t: Any) -> tuple[Any, Any]:
            psi = swing(k * t + begin)
            return middle + 2 * context.asin(modulus * sin(psi)), bottom * cos(psi)

        return swinging

    if rate == 0:
        return lambda t: (start, rate)
    begin = context.asinh(context.tan(half))

    def creeping(t: Any) -> tuple[Any, Any]:
        u = sign * k * t + begin
        return middle + 2 * context.atan(context.sinh(u)), sign * bottom / context.cosh(u)

    return creeping


def stiffness(windows: int, context: Any, gravity: float | str = GRAVITY) -> Any:
    """k [1/s] of φ̈ = k² sin φ: k² = g ((N + 1)/2 + N)/((N + 1)/3 + N)."""
    n = context.mpf(windows)
    return context.sqrt(context.mpf(str(gravity)) * ((n + 1) / 2 + n) / ((n + 1) / 3 + n))


def _context(digits: int) -> Any:
    import mpmath

    context = mpmath.MPContext()
    context.dps = digits + 15  # guard digits for the whole turns and for slow starts
    return context


def precise_motion(
    times: ArrayLike,
    windows: int,
    speed: float | str = 1.0,
    angle: float | str = 0.0,
    digits: int = 30,
    gravity: float | str = GRAVITY,
) -> ReferencePin:
    """`motion` to `digits` digits, as arrays of mpf; every datum is the decimal number that was written."""
    context = _context(digits)
    phi, rate = context.mpf(str(angle)), context.mpf(str(speed))
    there = pendulum(stiffness(windows, context, gravity), phi, rate, context)
    moments = np.asarray(times)
    found = np.empty((4, *moments.shape), dtype=object)
    for index, time in np.ndenumerate(moments):
        phi, rate = there(context.mpf(str(time)))
        found[(slice(None), *index)] = context.sin(phi), context.cos(phi) * rate, phi, rate
    return ReferencePin(*found)


def motion(
    times: ArrayLike, windows: int, speed: float | str = 1.0, angle: float | str = 0.0, digits: int = 30
) -> ReferencePin:
    """The motion of the row of N = `windows` four-bars at the times t [s], as doubles of t's shape.

    The uprights start at `angle` [rad] from upright, clockwise, and turn clockwise with the pins' `speed` [m/s],
    which is to the right when upright. Calculated with `digits` digits.
    """
    return ReferencePin(
        *(np.asarray(column, dtype=float) for column in precise_motion(times, windows, speed, angle, digits))
    )


def solution(
    times: ArrayLike, windows: int, speed: float | str = 1.0, digits: int = 30
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """x₁ [m] and ẋ₁ [m/s] of the benchmark, which starts upright, at the times t [s].

    >>> x, xdot = solution(10.0, windows=2)
    >>> round(float(x), 12), round(float(xdot), 12)
    (0.328458111541, 1.423051470207)
    """
    pin = motion(times, windows, speed, digits=digits)
    return pin.x, pin.xdot


def turn_time(windows: int, speed: float | str = 1.0, digits: int = 30) -> float:
    """Time of a full turn [s] from upright: 4 K(m)/w = 2π/(w·agm(1, v/w)), with w² = v² + 4k².

    >>> round(turn_time(2), 6)
    1.942515
    """
    context = _context(digits)
    v = context.mpf(str(speed))
    w = context.sqrt(v**2 + 4 * stiffness(windows, context) ** 2)
    return float(2 * context.pi / (w * context.agm(1, abs(v) / w)))
