"""CVODE of SUNDIALS integrates the equations of rigid bodies in maximal coordinates: every joint and force moves as in Grashof."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import grashof as gr
from grashof.engines.base import EngineFailed
from grashof.engines.situation import situation
from grashof.engines.sundials import ENGINE

from . import linkages

pytest.importorskip("sksundae", reason="scikit-sundae is not installed: pip install 'grashof[engines]'")

RUNG = 10  # Adams with rtol 1e-10
MECHANISMS: dict[str, Callable[[], gr.Mechanism]] = {
    function.__name__: function
    for function in (
        linkages.rod,
        linkages.thrown,
        linkages.four_bar,
        linkages.trammel,
        linkages.wedge,
        linkages.sprung,
        linkages.user_force,
        linkages.follower,
        linkages.absolute_torsion,
        linkages.driven,
    )
}


@pytest.mark.parametrize("kind", linkages.SPATIAL)
def test_bricks_hung_on_a_joint_move_as_in_grashof(kind: str) -> None:
    assert linkages.departure(ENGINE, linkages.hung(kind), RUNG) < 1e-6


@pytest.mark.parametrize("kind", linkages.CLOSING)
def test_a_loop_closed_by_a_joint_moves_as_in_grashof(kind: str) -> None:
    assert linkages.departure(ENGINE, linkages.loop(kind), RUNG) < 1e-6


@pytest.mark.parametrize("name", MECHANISMS)
def test_a_mechanism_moves_as_in_grashof(name: str) -> None:
    assert linkages.departure(ENGINE, MECHANISMS[name](), RUNG) < 1e-6


def test_a_body_without_mass_is_refused() -> None:
    m = gr.Mechanism("light rod", gravity=(0.0, -9.81))
    rod = m.bar("rod", start=(0, 0), end=(1, 0), mass=0.0)
    bob = m.bar("bob", start=(1, 0), end=(1, -1), mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.revolute(rod.end, bob.start)
    assert "rod" in (ENGINE.refuses(situation(m.model)) or "")


def test_a_run_beyond_its_limit_is_given_up() -> None:
    s = situation(linkages.four_bar().model)
    with pytest.raises(EngineFailed, match="limit"):
        ENGINE.prepare(s).run(ENGINE.ladder(s, 1.0)[RUNG], np.linspace(0.0, 1.0, 101), limit_s=0.01)
