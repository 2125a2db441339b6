"""NumPy's functions and Python's comparisons mean the same for numbers, traced values and jets."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grashof.scalar import Jet
from grashof.tape import TraceError, trace

Function = Callable[[Any, Any], Any]

SMOOTH: list[Function] = [
    lambda x, y: np.sin(x) * np.cos(y) + np.tan(0.3 * x),
    lambda x, y: np.exp(-x) + np.log(y) + np.sqrt(x),
    lambda x, y: np.arctan2(x, y) + np.arctan(x) + np.arcsin(0.3 * x) - np.arccos(0.3 * y),
    lambda x, y: np.sinh(x) + np.cosh(y) - np.tanh(x * y),
    lambda x, y: np.float64(2.0) * x + np.float64(3.0) / y - np.int64(1),
    lambda x, y: x**0.5 + y**-1.5 + 2.0**x + x**y + np.power(x, 3) + np.square(y),
    lambda x, y: np.hypot(x, y) + np.reciprocal(x) + np.log10(y) + np.log2(x) + np.exp2(y),
    lambda x, y: np.degrees(x) + np.radians(y) + np.deg2rad(x) - np.rad2deg(y),
    lambda x, y: abs(-x) + np.abs(y) + np.sign(x) + np.negative(y),
    lambda x, y: np.where(x < y, x, 2.0 * y) + np.where(x >= y, 1.0, 0.5),
    lambda x, y: np.minimum(x, y) + np.maximum(x, 1.0) + np.clip(y, 0.5, 1.5),
    lambda x, y: 2.0 * ((x > 1.0) & (y <= 1.5)) + 3.0 * ((x < 0.7) | ~(y < 0.9)) + np.logical_not(x > y) * 1.0,
    lambda x, y: np.where(np.logical_and(x > 0.8, np.logical_or(y > 1.0, x < 1.5)), x, y),
]

between = st.floats(0.5, 2.0)


@given(st.sampled_from(SMOOTH), between, between)
def test_traced_values_are_what_numpy_says(function: Function, x: float, y: float) -> None:
    expected = float(function(np.float64(x), np.float64(y)))
    assert trace(lambda z: [function(*z)], 2).evaluate([x, y])[0] == pytest.approx(expected, rel=1e-13, abs=1e-13)


@given(st.sampled_from(SMOOTH), st.floats(0.55, 1.95), st.floats(0.55, 1.95))
def test_jets_have_the_slope_of_the_function(function: Function, x: float, y: float) -> None:
    found = function(Jet(x, 1.0, 0.0), Jet(y, -0.5, 0.0))
    h = 1e-4
    values = [float(function(np.float64(x + k * h), np.float64(y - 0.5 * k * h))) for k in (-1, 0, 1)]
    assert found.value == pytest.approx(values[1], rel=1e-12, abs=1e-12)
    edges = [abs(x - y), *(abs(z - edge) for z in (x, y) for edge in (0.5, 0.7, 0.8, 0.9, 1.0, 1.5))]
    if min(edges) > 2.0 * h:
        assert found.first == pytest.approx((values[2] - values[0]) / (2.0 * h), rel=1e-5, abs=1e-5)


def test_arrays_of_traced_values() -> None:
    def force(x: list[Any]) -> list[Any]:
        r = np.array(x)
        return list(-3.0 * r / np.linalg.norm(r) + np.array([1.0, 0.0]) * np.sin(x[0]) + np.sqrt(r))

    x, y = 3.0, 4.0
    by_hand = [-3.0 * x / 5.0 + math.sin(x) + math.sqrt(x), -3.0 * y / 5.0 + 2.0]
    assert trace(force, 2).evaluate([x, y]) == pytest.approx(by_hand, rel=1e-14)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda x: 1.0 if x < 1.0 else 2.0, r"np\.where\(condition, a, b\)"),
        (lambda x: max(x, 1.0), "np.maximum"),
        (lambda x: 1.0 * (0.0 < x < 1.0), "&"),
        (lambda x: x == 1.0, "compare by <"),
        (lambda x: math.sin(x), "functions of NumPy"),
        (lambda x: np.spacing(x), "np.spacing is not known"),
        (lambda x: np.median(x), "np.median is not known"),
    ],
)
def test_what_cannot_be_traced_says_what_to_write_instead(function: Callable[[Any], Any], words: str) -> None:
    with pytest.raises(TraceError, match=words):
        trace(lambda x: [function(x[0])], 1)
