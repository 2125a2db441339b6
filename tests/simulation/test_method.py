"""Every method moves a mechanism alike, and the run says which one it was and why."""

from __future__ import annotations

import numpy as np
import pytest

from grashof.common.errors import ModelError
from grashof.integrate import METHODS
from grashof.model.mechanism import Mechanism
from grashof.program import Program, build
from grashof.simulation.simulate import simulate


@pytest.fixture(scope="module")
def chain() -> Program:
    """Two bars, released at rest, the second one bent."""
    m = Mechanism("chain", gravity=(0.0, -9.81))
    upper, lower = m.bar("upper", length=1.0, mass=1.0), m.bar("lower", length=0.5, mass=1.0)
    m.revolute(m.ground.at(0, 0), upper.start)
    m.revolute(upper.end, lower.start)
    m.need(upper.angle, value=0.0)
    m.need(lower.angle, value=-1.0)
    return build(m)


@pytest.mark.parametrize("name", METHODS)
def test_all_methods_agree(chain: Program, name: str) -> None:
    best = simulate(chain, 2.0, tol=1e-11, method="verner9" if name == "dop853" else "dop853")
    run = simulate(chain, 2.0, tol=1e-7, method=name, step=5e-4 if name == "rk4" else None)
    assert run.status.ok
    assert run.method.name == name
    assert run.method.reason == "as requested"
    assert 0.0 < np.abs(run["lower.end.x"] - best["lower.end.x"]).max() < 1e-6


def test_auto_takes_a_low_order_where_little_is_asked_for_and_a_high_one_where_much_is(chain: Program) -> None:
    assert simulate(chain, 1.0, tol=1e-2).method.name == "bs5"
    assert simulate(chain, 1.0, tol=1e-4).method.name == "dop853"
    assert simulate(chain, 1.0, tol=1e-10).method.name == "verner9"
    pendulum = Mechanism("pendulum", gravity=(0.0, -9.81))
    rod = pendulum.bar("rod", length=1.0, mass=1.0)
    pendulum.revolute(pendulum.ground.at(0, 0), rod.start)
    assert simulate(pendulum, 1.0, tol=1e-2).method.name == "dop853"


def test_a_step_belongs_to_a_method_whose_step_is_fixed(chain: Program) -> None:
    with pytest.raises(ModelError, match="'bs5' chooses its own; leave it out, or take rk4"):
        simulate(chain, 1.0, method="bs5", step=0.1)
    with pytest.raises(ModelError, match=r"The step is 0\.0 s"):
        simulate(chain, 1.0, method="rk4", step=0.0)
    with pytest.raises(ModelError, match="no integration method 'heun'"):
        simulate(chain, 1.0, method="heun")
