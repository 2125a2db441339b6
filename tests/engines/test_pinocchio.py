"""Pinocchio does what Grashof does, with every joint but rods and every force, once its steps are small."""

from __future__ import annotations

import numpy as np
import pytest

from grashof.engines.base import EngineFailed
from grashof.engines.pinocchio import ENGINE, PULL
from grashof.engines.situation import situation

from . import linkages

pytest.importorskip("pinocchio", reason="Pinocchio is not installed: pip install 'grashof[engines]'")

TREE = 10, 18
"""Two rungs four times apart in the step, where there are no loops."""
COARSE, FINE = (k * len(PULL) for k in TREE)
"""The same where there are: with the same gains."""


@pytest.mark.parametrize("kind", linkages.SPATIAL)
def test_joints_of_the_tree_move_as_in_grashof_to_fourth_order(kind: str) -> None:
    coarse, fine = (linkages.departure(ENGINE, linkages.hung(kind), rung) for rung in TREE)
    assert coarse < 1e-4
    assert fine < max(coarse / 100.0, 1e-10)


@pytest.mark.parametrize(
    "mechanism", [linkages.thrown, linkages.sprung, linkages.follower, linkages.user_force, linkages.absolute_torsion]
)
def test_forces_act_as_in_grashof_to_fourth_order(mechanism: linkages.Maker) -> None:
    coarse, fine = (linkages.departure(ENGINE, mechanism(), rung) for rung in TREE)
    assert coarse < 1e-4
    assert fine < max(coarse / 100.0, 1e-10)


@pytest.mark.parametrize("kind", linkages.CLOSING)
def test_loops_move_as_in_grashof(kind: str) -> None:
    assert linkages.departure(ENGINE, linkages.loop(kind), FINE) < 1e-6


@pytest.mark.parametrize("mechanism", [linkages.four_bar, linkages.trammel, linkages.wedge])
def test_linkages_approach_grashof_with_the_step(mechanism: linkages.Maker) -> None:
    coarse, fine = (linkages.departure(ENGINE, mechanism(), rung) for rung in (COARSE, FINE))
    assert coarse < 1e-4
    assert fine < coarse / 8.0


def test_rods_and_motors_are_refused_by_name() -> None:
    rod = ENGINE.refuses(situation(linkages.rod().model))
    motor = ENGINE.refuses(situation(linkages.driven().model))
    assert rod is not None
    assert motor is not None
    assert "'first.end~second.end'" in rod
    assert "'motor crank.angle'" in motor


def test_a_run_over_its_limit_is_given_up() -> None:
    s = situation(linkages.four_bar().model)
    with pytest.raises(EngineFailed, match="limit"):
        ENGINE.prepare(s).run(ENGINE.ladder(s, 10.0)[-1], np.linspace(0.0, 10.0, 101), limit_s=1e-3)
