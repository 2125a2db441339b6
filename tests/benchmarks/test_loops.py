"""The benchmark of rows of four-bars: what is timed is right."""

from __future__ import annotations

import pytest

from benchmarks import loops


@pytest.mark.parametrize("count", [1, 3])
def test_accelerations_are_those_of_the_closed_form(count: int) -> None:
    for one in loops.measure(count, 1, None):
        assert one.error < 1e-12, one.name
        assert 0.0 < one.best_s < 1.0
