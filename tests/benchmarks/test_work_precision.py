"""Work at equal error, read off curves."""

from __future__ import annotations

import pytest
from benchmarks.work_precision import MethodPoint, at

CURVE = [
    MethodPoint(tol, 0.0, deviation=0.3 * tol, evaluations=round(1e3 * tol ** (-1 / 8)), cpu_s=1e-4 * tol ** (-1 / 8))
    for tol in (10.0 ** (-k / 3) for k in range(9, 31))
]
"""Of a method of order 8: the error is proportional to the tolerance, the work to its eighth root."""


@pytest.mark.parametrize("deviation", [1e-5, 1e-7, 2e-9])
def test_between_settings_work_follows_the_order_of_the_method(deviation: float) -> None:
    work = (deviation / 0.3) ** (-1 / 8)
    assert at(CURVE, deviation) == pytest.approx((1e3 * work, 1e-4 * work), rel=1e-4)


@pytest.mark.parametrize("deviation", [1e-2, 1e-12])
def test_beyond_the_settings_nothing_is_said(deviation: float) -> None:
    assert at(CURVE, deviation) is None
