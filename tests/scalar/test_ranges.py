"""Intervals contain every value that an expression takes within them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from grashof.model.tables import Kind, table
from grashof.scalar import absolute, atan2, cos, exp, log, maximum, minimum, sign, sin, sqrt, tan, tanh, where
from grashof.scalar.functions import Scalar, floor
from grashof.scalar.jet import Jet
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


@pytest.mark.parametrize("periodic", [False, True])
@pytest.mark.parametrize("kind", ["linear", "cubic"])
@pytest.mark.parametrize("seed", range(4))
def test_the_range_of_a_table_contains_its_values_and_those_of_its_derivatives(
    seed: int, kind: Kind, periodic: bool
) -> None:
    """Over parts of a piece, over many pieces, beyond the ends and around several periods."""
    rng = np.random.default_rng(seed)
    x, y = np.cumsum(10.0 ** rng.uniform(-3.0, 0.0, 25)), rng.normal(size=25)
    y[-1] = y[0] if periodic else y[-1]
    function, span = table(x, y, kind=kind, periodic=periodic), x[-1] - x[0]
    low = x[0] + span * rng.uniform(-2.0, 2.0, 60)
    high = low + span * 10.0 ** rng.uniform(-6.0, 0.5, 60)
    found = function(Jet(Interval(low, high), 1.0, 0.0))
    inside = function(Jet(low + (high - low) * rng.uniform(1e-6, 1.0 - 1e-6, (300, 1)), 1.0, 0.0))
    for order in ("value", "first", "second"):
        values, bounds = np.broadcast_to(getattr(inside, order), (300, 60)), getattr(found, order)
        slack = 1e-9 * np.max(np.abs(values))
        assert np.all(values >= bounds.low - slack)
        assert np.all(values <= bounds.high + slack)
    narrow = function(Interval(low, low + 1e-9 * span))
    steepest = np.max(np.abs(function(Jet(Interval(x[0], x[-1]), 1.0, 0.0)).first.high))
    assert np.all(narrow.high - narrow.low <= 1e-8 * span * max(steepest, 1e3))


def test_nothing_known_about_the_argument_gives_the_whole_range_of_a_table() -> None:
    function = table([0, 1, 2, 3], [0, 2, -1, 0])
    for unknown in (Interval(-np.inf, np.inf), Interval(np.nan, np.nan)):
        assert (function(unknown).low.item(), function(unknown).high.item()) == (-1.0, 2.0)
