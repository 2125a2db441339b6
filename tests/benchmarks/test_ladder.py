"""The tolerance at which a contestant is measured."""

from __future__ import annotations

import pytest
from benchmarks.ladder import LADDER, LadderRun, climb

BOUND = 0.1


def judged(tol: float, error: float | None) -> LadderRun:
    return LadderRun(tol, "", error, steps=1, rejected=0, evaluations=12, final={})


def test_the_ladder_has_three_rungs_a_decade_from_1e_1_to_1e_10() -> None:
    assert (LADDER[0], LADDER[-1], len(LADDER)) == (1e-1, 1e-10, 28)
    assert LADDER[3] == pytest.approx(1e-2)


def test_the_loosest_tolerance_has_only_passing_ones_below_it() -> None:
    errors = {1e-1: 0.05, 1e-2: 0.5, 1e-3: 0.01, 1e-4: 0.001}  # 1e-1 passes by luck: 1e-2 does not
    found = climb(lambda tol: judged(tol, errors[tol]), BOUND, list(errors))
    assert found.loosest is not None
    assert found.loosest.tol == 1e-3
    assert [run.tol for run in found.runs] == [1e-4, 1e-3, 1e-2]


def test_a_run_that_does_not_arrive_does_not_pass() -> None:
    found = climb(lambda tol: judged(tol, None if tol > 1e-3 else 0.0), BOUND, [1e-2, 1e-3])
    assert found.loosest is not None
    assert found.loosest.tol == 1e-3


def test_there_may_be_no_passing_tolerance() -> None:
    assert climb(lambda tol: judged(tol, 1.0), BOUND, [1e-2, 1e-3]).loosest is None
