"""States are put back on the constraints without being thrown far away, at singular positions too."""

from __future__ import annotations

import numpy as np
import pytest

from grashof.program import build
from tests import classics


@pytest.mark.parametrize("distance", [1e-2, 1e-4, 1e-6])
def test_near_a_singular_position_a_state_is_moved_by_no_more_than_it_is_off(distance: float) -> None:
    """A parallelogram that lies flat: its rows depend on each other there, and Newton's step would be as long as
    1/σ."""
    m, a, _, _ = classics.four_bar((1.0, 2.0, 1.0), (1.0, 1.0, 1.0), gravity=(0.0, 0.0))
    m.need(a.angle, value=0.5)
    program = build(m, relations=False)
    assert program.system.labels == ("a.end.x", "a.end.y", "b.end.x", "b.end.y")
    flat, rng = np.array([1.0, 0.0, 3.0, 0.0]), np.random.default_rng(1)
    for _ in range(100):
        q = flat + distance * rng.normal(size=4)
        y, left = program.integrator.project(0.0, np.concatenate([q, np.zeros(4)]))
        assert np.abs(y[:4] - q).max() < 10.0 * distance
        assert left < distance
