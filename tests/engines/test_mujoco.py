"""Loops in MuJoCo, whose constraints give way, approach those in Grashof with the step."""

from __future__ import annotations

import numpy as np
import pytest

from grashof.engines.base import EngineFailed
from grashof.engines.mujoco import ENGINE, FIRM
from grashof.situation import situation

from . import linkages

pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install 'grashof[engines]'")

COARSE, FINE = (k * len(FIRM) + len(FIRM) - 1 for k in (10, 18))
"""Two rungs four times apart in the step, with the same constraints."""


@pytest.mark.parametrize("kind", linkages.CLOSING)
def test_soft_loops_approach_grashof_with_the_step(kind: str) -> None:
    coarse, fine = (linkages.departure(ENGINE, linkages.loop(kind), rung) for rung in (COARSE, FINE))
    assert coarse < 1e-3
    assert fine < max(coarse / 8.0, 1e-12)  # the constraints give way by 1/ω², so by h²


@pytest.mark.parametrize("mechanism", [linkages.rod, linkages.four_bar, linkages.trammel, linkages.wedge])
def test_linkages_approach_grashof_with_the_step(mechanism: linkages.Maker) -> None:
    coarse, fine = (linkages.departure(ENGINE, mechanism(), rung) for rung in (COARSE, FINE))
    assert coarse < 1e-3
    assert fine < coarse / 8.0


@pytest.mark.parametrize("mechanism", [linkages.geared, linkages.racked])
def test_couplings_approach_grashof_with_the_step(mechanism: linkages.Maker) -> None:
    coarse, fine = (linkages.departure(ENGINE, mechanism(), rung) for rung in (COARSE, FINE))
    assert coarse < 1e-3
    assert fine < coarse / 8.0


def test_a_coupling_that_is_no_sum_of_joint_coordinates_is_refused_by_name() -> None:
    m = linkages.geared()
    m.coupling({"second.e.x": 1.0, "first.angle": 1.0}, name="odd")
    assert "Coupling 'odd'" in (ENGINE.refuses(situation(m.model)) or "")


def test_results_between_the_steps_are_as_good_as_at_them() -> None:
    s = situation(linkages.four_bar().model)
    setting = ENGINE.ladder(s, 0.5)[FINE]
    prepared = ENGINE.prepare(s)
    step = float(setting.values["timestep"])
    whole = prepared.run(setting, np.array([0.0, 20.0 * step, 40.0 * step])).motion
    broken = prepared.run(setting, np.array([0.0, 20.0 * step, 20.5 * step, 40.0 * step])).motion
    assert np.array_equal(whole.positions[-1], broken.positions[-1])  # looking does not disturb
    assert np.allclose(broken.velocities[2], (broken.positions[2] - broken.positions[1]) / (0.5 * step), atol=1e-2)


def test_an_unstable_run_fails_in_mujocos_own_words() -> None:
    s = situation(linkages.sprung().model)
    setting = ENGINE.ladder(s, 1000.0)[0]
    coarse = type(setting)("far too coarse", {**setting.values, "timestep": 20.0})
    with pytest.raises(EngineFailed, match="simulation is unstable"):
        ENGINE.prepare(s).run(coarse, np.array([0.0, 4000.0]))
