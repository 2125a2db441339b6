"""What holds for every engine."""

from __future__ import annotations

import numpy as np
import pytest

import grashof as gr
from grashof.engines import ENGINES
from grashof.engines.base import EngineFailed, NotInstalled
from grashof.engines.situation import situation

from . import linkages


@pytest.mark.parametrize("name", ENGINES)
def test_a_run_over_its_limit_is_given_up(name: str) -> None:
    engine, s = linkages.installed(name), situation(linkages.four_bar().model)
    with pytest.raises(EngineFailed, match="limit"):
        engine.prepare(s).run(engine.ladder(s, 10.0)[-1], np.linspace(0.0, 10.0, 101), limit_s=1e-4)


@pytest.mark.parametrize("name", [name for name in ENGINES if name != "grashof"])
def test_an_engine_says_its_version(name: str) -> None:
    engine = linkages.installed(name)
    try:
        version = engine.version()
    except NotInstalled as problem:  # importable, but not from its distribution
        pytest.skip(str(problem))
    assert version[0].isdigit()


def test_an_engine_that_is_not_there_says_how_to_get_it() -> None:
    class Absent(type(ENGINES["mujoco"])):
        package = "grashof-none-such"

    with pytest.raises(NotInstalled, match="'grashof-none-such' is not installed; pip install"):
        Absent().version()


@pytest.mark.parametrize("name", ["mujoco", "pinocchio", "exudyn", "drake", "scipy", "sundials"])
def test_whole_turns_that_nobody_can_tell_are_a_failure(name: str) -> None:
    """A bar that falls exactly through the axis of a torsion spring's angle: half a turn at once, and none can say which way."""
    m = gr.Mechanism("through the pole", gravity=(0.0, 0.0, -9.81))
    bar = m.body("bar", mass=1.0, inertia=(0.1, 0.1, 0.1), center=(0.5, 0.0, 0.0), points={"top": (0, 0, 0)})
    m.spherical(m.ground.at(0, 0, 0), bar.top)
    heading = m.angle("heading", bar, axis=(0.0, 0.0, 1.0), direction=(1.0, 0.0, 0.0))
    m.torsion_spring(heading, stiffness=1e-6, rest=0.0)
    engine, s = linkages.installed(name), situation(m.model)
    with pytest.raises(EngineFailed, match="The angle 'heading' jumps"):
        engine.prepare(s).run(engine.ladder(s, 1.0)[4], np.linspace(0.0, 1.0, 11))


@pytest.mark.parametrize("name", ["mujoco", "pinocchio", "drake"])
def test_engines_that_move_joints_by_forces_refuse_motors_by_name(name: str) -> None:
    assert "'motor crank.angle'" in (ENGINES[name].refuses(situation(linkages.driven().model)) or "")
