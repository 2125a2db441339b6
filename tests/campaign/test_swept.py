"""A slice of the suites of sweeps: the first mechanism of every family, with the tolerances in turn."""

from __future__ import annotations

import numpy as np
import pytest
from campaign.judge import Fate
from campaign.suites import SUITES
from campaign.swept import TOLERANCES, SweptCases, reduce_course

FAMILIES = [(name, k) for name in ("reductions-of-sweeps", "rows-of-lanes") for k in range(len(SUITES[name].families))]


@pytest.mark.parametrize(("name", "k"), FAMILIES)
def test_rows_are_right(name: str, k: int) -> None:
    suite = SUITES[name]
    assert isinstance(suite, SweptCases)
    number = k + len(suite.families) * (k % len(TOLERANCES))
    verdicts = suite.run(number, range(number * suite.runs, number * suite.runs + 3))
    assert [verdict for verdict in verdicts if verdict.outcome is not Fate.RIGHT] == []
    assert max(verdict.error for verdict in verdicts) <= suite.factor * suite.tolerance(number * suite.runs)


def test_the_judge_reduces_a_sine_in_two_pieces() -> None:
    """sin t over (0, 2) and 3 − t over (2, 3): its maximum is 1 in both, its minimum 0, its mean (1 − cos 2 + ½)/3."""
    course = [(0.0, 2.0, np.sin), (2.0, 3.0, lambda t: 3.0 - t)]
    assert reduce_course(course, "max") == pytest.approx(1.0, abs=1e-12)
    assert reduce_course(course, "min") == pytest.approx(0.0, abs=1e-12)
    assert reduce_course([(0.0, 3.0, lambda t: -np.sin(t))], "peak") == pytest.approx(1.0, abs=1e-12)
    assert reduce_course(course, "mean") == pytest.approx((1.5 - np.cos(2.0)) / 3.0, abs=1e-12)


def test_the_judge_notices_what_201_samples_miss(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same rows, with extremes taken from the ends of steps only."""
    from grashof.sweeps.curves import OutputCurves

    monkeypatch.setattr(OutputCurves, "_turns", lambda self, near: (np.empty(0), np.empty(0), np.empty(0, int)))
    suite = SUITES["reductions-of-sweeps"]
    outcomes = {
        verdict.outcome for number in (10, 11) for verdict in suite.run(number, range(10 * number, 10 * number + 3))
    }
    assert outcomes != {Fate.RIGHT}
