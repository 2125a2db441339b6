"""Intervals contain every value that an expression takes within them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from grashof.scalar import absolute, atan2, cos, exp, log, maximum, minimum, sign, sin, sqrt, tan, tanh, where
from grashof.scalar.functions import Scalar, floor
from grashof.scalar.ranges import Interval

FUNCTIONS: dict[str, Callable[[Scalar, Scalar], Scalar]] = {
    "sums and products": lambda x, y: 3.0 - x * y + x * x * 2.0 - y / 4.0,
    "quotient": lambda x, y: 1.0 / (x * x + 0.5) - y / (y * y + 1.0),
    "waves": lambda x, y: sin(3.0 * x) * cos(5.0 * y) + tan(0.3 * x),
    "exponentials": lambda x, y: exp(-x * x) * tanh(y) + log(y * y + 1.0) - sqrt(x * x + 1.0),
    "angle": lambda x, y: atan2(y, x),
    "pieces": lambda x, y: where(x - y, x * 2.0, y) + minimum(x, y) * maximum(x, 0.3) - absolute(x) + sign(y),
    "stairs": lambda x, y: floor(3.0 * x) - floor(y),
}


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_an_interval_contains_the_values_at_random_points_of_it(function: Callable[[Scalar, Scalar], Scalar]) -> None:
    rng = np.random.default_rng(5)
    middle, width = rng.normal(size=(2, 400)) * 3.0, 10.0 ** rng.uniform(-3.0, 0.7, size=(2, 400))
    low, high = middle - width, middle + width
    with np.errstate(all="ignore"):
        found = function(*(Interval(a, b) for a, b in zip(low, high, strict=True)))
    for _ in range(200):
        value = function(*rng.uniform(low, high))
        assert np.all(value >= found.low - 1e-12)
        assert np.all(value <= found.high + 1e-12)


def test_narrow_intervals_are_nearly_as_narrow_as_the_values() -> None:
    low, high = np.array([0.3]), np.array([0.3001])
    for name in ("sums and products", "quotient", "waves", "exponentials", "angle"):
        found = FUNCTIONS[name](Interval(low, high), Interval(low + 1.0, high + 1.0))
        assert np.all(found.high - found.low < 0.01)


def test_what_is_not_known_is_not_a_number() -> None:
    found = Interval(0.0, 1.0).apply_function("entry", Interval(0.0, 1.0), 3.0)
    assert np.isnan(found.low)
    assert np.isinf((1.0 / Interval(-1.0, 1.0)).high)
