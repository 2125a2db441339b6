"""Loops in Pinocchio, of every joint but rods, move as in Grashof once its steps are small."""

from __future__ import annotations

import pytest

from grashof.engines.pinocchio import ENGINE, PULL
from grashof.situation import situation

from . import linkages

pytest.importorskip("pinocchio", reason="Pinocchio is not installed: pip install 'grashof[engines]'")

COARSE, FINE = (k * len(PULL) for k in (10, 18))
"""Two rungs four times apart in the step, with the same gains."""


@pytest.mark.parametrize("kind", linkages.CLOSING)
def test_loops_move_as_in_grashof(kind: str) -> None:
    assert linkages.departure(ENGINE, linkages.loop(kind), FINE) < 1e-6


@pytest.mark.parametrize("mechanism", [linkages.four_bar, linkages.trammel, linkages.wedge])
def test_linkages_approach_grashof_with_the_step(mechanism: linkages.Maker) -> None:
    coarse, fine = (linkages.departure(ENGINE, mechanism(), rung) for rung in (COARSE, FINE))
    assert coarse < 1e-4
    assert fine < coarse / 8.0


def test_rods_are_refused_by_name() -> None:
    assert "'first.end~second.end'" in (ENGINE.refuses(situation(linkages.rod().model)) or "")
