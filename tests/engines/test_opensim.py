"""OpenSim does what Grashof does, with every joint and force it knows."""

from __future__ import annotations

import pytest

from grashof.engines.opensim import ENGINE
from grashof.situation import situation

from . import linkages

pytest.importorskip("opensim", reason="OpenSim is not installed: pip install 'grashof[engines]'")

FINE = -2
"""Accuracy 1e-8 a step: some hundred steps of half a second add up to 1e-6, and a motion may part from its
neighbours tenfold."""
CLOSE = 1e-5


@pytest.mark.parametrize("kind", linkages.SPATIAL)
def test_joints_of_the_tree_move_as_in_grashof(kind: str) -> None:
    assert linkages.departure(ENGINE, linkages.hung(kind), FINE) < CLOSE


@pytest.mark.parametrize("kind", [kind for kind in linkages.CLOSING if kind != "planar"])
def test_joints_that_close_a_loop_move_as_in_grashof(kind: str) -> None:
    mechanism = linkages.loop(kind)
    assert [joint.name for joint in situation(mechanism.model).closures] == ["closing"]
    assert linkages.departure(ENGINE, mechanism, FINE) < CLOSE


@pytest.mark.parametrize(
    "name", [name for name in linkages.MECHANISMS if name not in ("user_force", "absolute_torsion", "aslant")]
)
def test_mechanisms_move_as_in_grashof(name: str) -> None:
    assert linkages.departure(ENGINE, linkages.MECHANISMS[name](), FINE) < CLOSE


def test_a_finer_accuracy_is_nearer() -> None:
    coarse, fine = (linkages.departure(ENGINE, linkages.four_bar(), rung) for rung in (2, 6))
    assert fine < 0.1 * coarse


def test_what_it_cannot_do_is_refused_by_name() -> None:
    refused = {
        "closing": linkages.loop("planar"),
        "pushed": linkages.user_force(),
        "turn of the bar": linkages.absolute_torsion(),
        "aslant": linkages.aslant(),
        "motor crank.angle": linkages.driven("exp(t)"),
    }
    for name, mechanism in refused.items():
        reason = ENGINE.refuses(situation(mechanism.model))
        assert reason is not None
        assert f"'{name}'" in reason
