"""States are put back on the constraints without being thrown far away, at singular positions too."""

from __future__ import annotations

import numpy as np
import pytest

from grashof.model.mechanism import Mechanism
from grashof.program import build


@pytest.mark.parametrize("distance", [1e-2, 1e-4, 1e-6])
def test_near_a_singular_position_a_state_is_moved_by_no_more_than_it_is_off(distance: float) -> None:
    """A parallelogram that lies flat: its rows depend on each other there, and Newton's step would be as long as
    1/σ."""
    m = Mechanism("parallelogram")
    a, b, c = (m.bar(name, length=length, mass=1.0) for name, length in (("a", 1.0), ("b", 2.0), ("c", 1.0)))
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, c.end)
    m.revolute(c.start, m.ground.at(2, 0))
    m.need(a.angle, value=0.5)
    program = build(m, relations=False)
    assert program.system.labels == ("a.end.x", "a.end.y", "b.end.x", "b.end.y")
    flat, rng = np.array([1.0, 0.0, 3.0, 0.0]), np.random.default_rng(1)
    for _ in range(100):
        q = flat + distance * rng.normal(size=4)
        y, left = program.integrator.project(0.0, np.concatenate([q, np.zeros(4)]))
        assert np.abs(y[:4] - q).max() < 10.0 * distance
        assert left < distance
