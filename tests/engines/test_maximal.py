"""SciPy and SUNDIALS integrate the equations of rigid bodies in maximal coordinates: every joint and force moves as
in Grashof."""

from __future__ import annotations

import numpy as np
import pytest

import grashof as gr
from grashof.engines.base import Engine
from grashof.engines.maximal import MaximalEquations
from grashof.engines.observed import ObservedMotion
from grashof.problems import make_case
from grashof.situation import situation

from . import linkages

CLOSE = 1e-6
RTOL = 1e-9
"""Some ten to a hundred steps of half a second add up to a hundred times that, and motions part tenfold."""


@pytest.fixture(params=["scipy", "sundials"])
def engine(request: pytest.FixtureRequest) -> Engine:
    return linkages.installed(request.param)


def rung(engine: Engine) -> int:
    """The place of the setting with RTOL."""
    ladder = engine.ladder(situation(linkages.four_bar().model), 1.0)
    return [setting.values["rtol"] for setting in ladder].index(RTOL)


@pytest.mark.parametrize("kind", linkages.SPATIAL)
def test_bricks_hung_on_a_joint_move_as_in_grashof(engine: Engine, kind: str) -> None:
    assert linkages.departure(engine, linkages.hung(kind), rung(engine)) < CLOSE


@pytest.mark.parametrize("kind", linkages.CLOSING)
def test_a_loop_closed_by_a_joint_moves_as_in_grashof(engine: Engine, kind: str) -> None:
    assert linkages.departure(engine, linkages.loop(kind), rung(engine)) < CLOSE


@pytest.mark.parametrize("name", linkages.MECHANISMS)
def test_a_mechanism_moves_as_in_grashof(engine: Engine, name: str) -> None:
    assert linkages.departure(engine, linkages.MECHANISMS[name](), rung(engine)) < CLOSE


@pytest.mark.parametrize("windows", [2, 3])
def test_flat_positions_are_passed(engine: Engine, windows: int) -> None:
    """A row of four-bars lies flat, where its joints lose rank, at about 0.7 s and 1.2 s."""
    model = make_case("n-four-bar", None, {"N": windows}).model
    s, times = situation(model), np.linspace(0.0, 2.0, 41)
    setting = engine.ladder(s, 2.0)[rung(engine)]
    seen = ObservedMotion(s, engine.prepare(s).run(setting, times).motion)
    right = gr.simulate(model, 2.0, tol=1e-10, times=times)
    height = right["upright0.end.y"]
    assert np.count_nonzero(np.diff(np.sign(height))) == 2, "it passes two flat positions"
    assert np.max(np.abs(seen["upright0.end.y"] - height)) < 1e-4
    assert np.max(seen["violation.position"]) < 1e-5


def test_a_state_off_its_joints_is_put_back_on_them() -> None:
    equations = MaximalEquations(situation(linkages.four_bar().model))
    y, n = equations.start(), equations.count
    off = y.copy()
    off[: 3 * n].reshape(n, 3)[:, 0] += [0.002, -0.003, 0.001]
    for _ in range(4):
        off = equations.project(0.0, off)
    motion = equations.motion(np.zeros(1), off[None])
    assert ObservedMotion(equations.situation, motion)["violation.position"] < 1e-12
    assert 1e-4 < np.max(np.abs(off - y)) < 1e-2


def test_a_body_without_mass_is_refused(engine: Engine) -> None:
    m = gr.Mechanism("light rod", gravity=(0.0, -9.81))
    rod = m.bar("rod", start=(0, 0), end=(1, 0), mass=0.0)
    bob = m.bar("bob", start=(1, 0), end=(1, -1), mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.revolute(rod.end, bob.start)
    assert "'rod'" in (engine.refuses(situation(m.model)) or "")
