"""Derivatives carried by duals are those of higher precision, also where jets are inside."""

from __future__ import annotations

from collections.abc import Callable

import mpmath
import pytest

from grashof.scalar import atan2, cos, exp, log, maximum, minimum, sin, sqrt, tan, tanh, where
from grashof.scalar.dual import Dual
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet

FUNCTIONS: list[Callable[[Scalar, Scalar], Scalar]] = [
    lambda x, y: sin(x) * cos(y) - tan(x) / (y + 3.0),
    lambda x, y: exp(-x * y) + log(x + 2.0) * sqrt(y) - 1.0 / x,
    lambda x, y: tanh(x - y) ** 3 + 2.0 - x,
    lambda x, y: atan2(x * y, x - y) * 0.5,
    lambda x, y: where(x - y, x * x, y * x) + minimum(x, y * 2.0) * maximum(x, y) + abs(y - x),
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_a_dual_carries_the_partial_derivative(function: Callable[[Scalar, Scalar], Scalar]) -> None:
    x, y = 0.7, 0.4
    with mpmath.workdps(30):
        by_x = mpmath.diff(lambda x: function(x, mpmath.mpf(y)), x)
        by_y = mpmath.diff(lambda y: function(mpmath.mpf(x), y), y)
    assert function(Dual(x, 1.0), Dual(y, 0.0)).slope == pytest.approx(float(by_x), rel=1e-13)
    assert function(Dual(x, 0.0), Dual(y, 1.0)).slope == pytest.approx(float(by_y), rel=1e-13)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_duals_over_jets_carry_the_rate_of_the_derivative(function: Callable[[Scalar, Scalar], Scalar]) -> None:
    with mpmath.workdps(30):
        mixed = mpmath.diff(lambda x, y: function(x, y), (0.7, 0.4), (1, 1))
    slope = function(Dual(Jet(0.7, 0.0, 0.0), 1.0), Dual(Jet(0.4, 1.0, 0.0), 0.0)).slope
    assert slope.first == pytest.approx(float(mixed), rel=1e-12, abs=1e-13)


def test_what_does_not_depend_on_the_argument_has_no_slope_even_at_a_corner() -> None:
    """√u has an infinite slope at zero, which times nothing is nothing."""
    time = Dual(0.0, 0.0)
    assert (time * sqrt(time * time) + Dual(2.0, 1.0)).slope == 1.0
