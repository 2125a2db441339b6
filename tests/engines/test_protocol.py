"""What holds for every engine."""

from __future__ import annotations

import numpy as np
import pytest

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


@pytest.mark.parametrize("name", ["mujoco", "pinocchio", "drake"])
def test_engines_that_move_joints_by_forces_refuse_motors_by_name(name: str) -> None:
    assert "'motor crank.angle'" in (ENGINES[name].refuses(situation(linkages.driven().model)) or "")
