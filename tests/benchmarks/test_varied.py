"""Runs whose numbers are varied are measured at a tolerance at which they keep the rule of their problem."""

import numpy as np
import pytest
from benchmarks.varied import SINGLE, Varied, contestants

from grashof.simulation.simulate import simulate


@pytest.mark.parametrize("name", ["andrews", "double-four-bar"])
def test_runs_in_lanes_keep_the_rule_as_single_runs_do(name: str) -> None:
    varied = Varied(name)
    tol, error = varied.tolerance()
    assert tol > 1e-5
    assert 0.0 < error <= varied.case.bound
    single = simulate(varied.model(3), varied.end, times=varied.case.times(varied.end))
    assert np.max(np.abs(varied.case.error(single))) < varied.case.bound
    settings, lanes = varied.settings(tol), varied.opened.lanes(4)
    _, evaluations = varied.one_by_one(settings)
    _, found = varied.in_lanes(lanes, settings, slice(0, SINGLE))
    assert found == pytest.approx(evaluations, rel=0.05)


def test_what_is_not_installed_is_told() -> None:
    found, remark = contestants(Varied("double-four-bar"), 1e-3)
    assert [x.name for x in found][-1] == "two threads"
    assert remark.startswith("MuJoCo is")
