"""A compiled mechanism: what is found on its branch is believed only as far as it fits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from grashof import program
from grashof.analysis.branch import Branch
from grashof.model.mechanism import Mechanism
from grashof.simulation import simulate
from grashof.system.forms import Form
from grashof.system.system import System, restrict


def test_relations_that_take_a_freedom_away_are_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pin that turns on a circle is said to stay at one x."""

    def wrong(system: System, q: np.ndarray, *others: Any) -> Branch:
        restricted, left, coordinates = restrict(system, [Form({0: 1.0}, -float(q[0]))])
        return Branch(system, restricted, tuple(left), tuple(coordinates))

    m = Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=0.3)
    monkeypatch.setattr(program, "find_branch", wrong)
    built = program.build(m)
    assert built.branch is None
    assert built.dynamics.n == built.joints.n == 2
    run = simulate(built, 1.0)
    assert run.status.ok
    assert np.ptp(run["rod.end.x"]) > 0.1
