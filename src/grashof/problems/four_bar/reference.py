"""A row of N four-bars as a pendulum: its motion in closed form, by Jacobi's elliptic functions.

N + 1 uprights of 1 m stand on ground pivots, N tops of 1 m join their pins; every bar is uniform, 1 kg. As long as the
windows stay parallelograms, one angle describes all: φ from upright, clockwise, so that pin 1 is at

    x₁ = sin φ,   y₁ = cos φ,   ẋ₁ = φ̇ cos φ

The uprights turn about their ends (inertia 1/3), the tops translate with the pins:

    T = ½ J φ̇²,   J = (N + 1)/3 + N        V = g S cos φ,   S = (N + 1)/2 + N        φ̈ = k² sin φ,   k² = g S/J

which is a pendulum of length J/S. With χ = (φ − π)/2, half its angle from hanging, the energy integral is

    χ̇² = ¼ w² − k² sin² χ,     w² = φ̇₀² + 4k² cos²(φ₀/2)        (w is the speed φ̇ at the bottom)

and the sign of the excess ε = φ̇₀² − 4k² sin²(φ₀/2), the square of φ̇ at the top, tells the three kinds of motion apart:

    ε > 0, full turns     χ = am(±½ w t + u₀ | m),  m = 4k²/w²,            φ̇ = ±w dn
    ε < 0, swinging       sin χ = κ sn(k t + u₀ | κ²),  κ = w/2k,           φ̇ = w cn
    ε = 0, the border     sin χ = tanh(±k t + u₀), or rest upright          φ̇ = ±w sech

u₀ puts χ at its start. From upright (φ₀ = 0, the benchmark) ε = φ̇₀², so whatever the speed it makes full turns, in the
direction of φ̇₀, and u₀ = ∓K(m). am(u) is the amplitude, with its whole turns, by the descending Landen transformation
(Abramowitz and Stegun, Handbook of Mathematical Functions, 16.4).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

GRAVITY = 9.81
"""m/s², downwards."""


class Pin(NamedTuple):
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


def _pendulum(k: Any, start: Any, rate: Any, context: Any) -> Callable[[Any], tuple[Any, Any]]:
    """The function t → (φ, φ̇) of φ̈ = k² sin φ from φ = start and φ̇ = rate at t = 0."""
    pi, sin, cos, sqrt = context.pi, context.sin, context.cos, context.sqrt
    excess = rate**2 - (2 * k * sin(start / 2)) ** 2
    bottom = sqrt(rate**2 + (2 * k * cos(start / 2)) ** 2)
    half, sign = (start - pi) / 2, (1 if rate >= 0 else -1)

    def turning(t: Any) -> tuple[Any, Any]:
        chi = am(sign * bottom * t / 2 + begin)
        dn = sqrt(cos(chi) ** 2 + (sin(chi) * complement) ** 2)
        return pi + 2 * chi, sign * bottom * dn

    def swinging(t: Any) -> tuple[Any, Any]:
        psi = am(k * t + begin)
        return pi + 2 * (context.asin(modulus * sin(psi)) + turns * pi), (-1) ** turns * bottom * cos(psi)

    def creeping(t: Any) -> tuple[Any, Any]:
        u = sign * k * t + begin
        return pi + 2 * (context.atan(context.sinh(u)) + turns * pi), sign * bottom / context.cosh(u)

    ...
