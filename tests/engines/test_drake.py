"""Drake does what Grashof does, with every joint and force it knows."""

from __future__ import annotations

import numpy as np
import pytest

from grashof.engines.base import EngineFailed
from grashof.engines.drake import ENGINE
from grashof.situation import situation

from . import linkages

pytest.importorskip("pydrake", reason="Drake is not installed: pip install 'grashof[engines]'")

FINE = -3
"""Accuracy 1e-8 a step: some hundred steps of half a second add up to 1e-6, and a motion may part from its
neighbours tenfold."""
CLOSE = 1e-5
FIRST_ORDER = (0, 2)
"""Two rungs of loops, five times apart in the step: SAP is of first order, so the distance falls nearly fivefold."""


@pytest.mark.parametrize("kind", linkages.SPATIAL)
def test_joints_of_the_tree_move_as_in_grashof(kind: str) -> None:
    assert linkages.departure(ENGINE, linkages.hung(kind), FINE) < CLOSE


@pytest.mark.parametrize("mechanism", linkages.TREES)
def test_trees_move_as_in_grashof(mechanism: linkages.Maker) -> None:
    assert linkages.departure(ENGINE, mechanism(), FINE) < CLOSE


@pytest.mark.parametrize("kind", linkages.CLOSING)
def test_joints_that_close_a_loop_approach_grashof_with_the_step(kind: str) -> None:
    mechanism = linkages.loop(kind)
    assert [joint.name for joint in situation(mechanism.model).closures] == ["closing"]
    coarse, fine = (linkages.departure(ENGINE, mechanism, rung) for rung in FIRST_ORDER)
    assert coarse < 0.01
    assert fine < 0.25 * coarse


@pytest.mark.parametrize("mechanism", [linkages.rod, linkages.four_bar, linkages.trammel, linkages.wedge])
def test_loops_approach_grashof_with_the_step(mechanism: linkages.Maker) -> None:
    coarse, fine = (linkages.departure(ENGINE, mechanism(), rung) for rung in FIRST_ORDER)
    assert coarse < 0.01
    assert fine < 0.25 * coarse


def test_it_takes_no_more_steps_than_there_are() -> None:
    s = situation(linkages.four_bar().model)
    # 0.1 k is beside the multiples of the step by round-off
    result = ENGINE.prepare(s).run(ENGINE.ladder(s, 0.7)[0], 0.1 * np.arange(8))
    assert result.steps == 1001  # 143 in each tenth of a second


def test_unequal_times_in_a_loop_are_refused() -> None:
    s = situation(linkages.four_bar().model)
    with pytest.raises(EngineFailed, match="equally spaced"):
        ENGINE.prepare(s).run(ENGINE.ladder(s, 1.0)[0], np.array([0.0, 0.3, 1.0]))
