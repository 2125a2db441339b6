"""MuJoCo with RK4 and Pinocchio with DOP853: trees of every joint and under every force move as in Grashof, to
fourth order at least."""

from __future__ import annotations

import pytest

from grashof.engines.base import Engine

from . import linkages

COARSE, FINE = 10, 18
"""Two rungs four times apart in the step."""


@pytest.fixture(params=["mujoco", "pinocchio"])
def engine(request: pytest.FixtureRequest) -> Engine:
    return linkages.installed(request.param)


@pytest.mark.parametrize("kind", linkages.SPATIAL)
def test_joints_of_the_tree_move_as_in_grashof_to_fourth_order_at_least(engine: Engine, kind: str) -> None:
    coarse, fine = (linkages.departure(engine, linkages.hung(kind), rung) for rung in (COARSE, FINE))
    assert coarse < 1e-4
    assert fine < max(coarse / 100.0, 1e-10)


@pytest.mark.parametrize("mechanism", linkages.TREES)
def test_forces_act_as_in_grashof_to_fourth_order_at_least(engine: Engine, mechanism: linkages.Maker) -> None:
    coarse, fine = (linkages.departure(engine, mechanism(), rung) for rung in (COARSE, FINE))
    assert coarse < 1e-4
    assert fine < max(coarse / 100.0, 1e-10)
