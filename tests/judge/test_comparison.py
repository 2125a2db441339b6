"""How far a result is from the reference, and whether it left its branch, where all numbers are known."""

from __future__ import annotations

import numpy as np
import pytest

from grashof.common.near import AGREES, ELSEWHERE, RESEMBLES
from grashof.judge import suspicions as module
from grashof.judge.branch import find_branch
from grashof.judge.comparison import Comparison, compare
from grashof.judge.rows import ResultRows
from grashof.problems import Alternative, make_case
from grashof.references import Reference, reference_for

CASE = make_case("double-four-bar")


def reference(bar: float) -> Reference:
    """The stored one with another error bar on its first column."""
    stored = reference_for(CASE)
    assert stored is not None
    bars = dict(stored.bars) | {"x_1": np.full(len(stored.times), bar)}
    return Reference(**(vars(stored) | {"bars": bars}))


@pytest.mark.parametrize(("bar", "expected"), [(0.0, 3e-3), (1e-3, 2e-3), (5e-3, 0.0)])
def test_a_result_is_off_by_what_exceeds_the_error_bar_of_the_reference(bar: float, expected: float) -> None:
    known = reference(bar)
    size = float(np.max(np.abs(known.columns["x_1"])))
    columns = {"t": known.times, "x_1": known.columns["x_1"] + 3e-3}
    comparison, _ = compare(known, ResultRows(columns, whole=True))
    assert comparison is not None
    assert comparison.by_column["x_1"] == pytest.approx(expected / size, abs=1e-12)


def departing(agrees_until: float, far_from: float) -> Comparison:
    """A deviation that rises from less than AGREES at one time to more than ELSEWHERE at another."""
    times = np.array([0.0, agrees_until, far_from, CASE.t_end])
    apart = np.array([0.0, 0.5 * AGREES, 2.0 * ELSEWHERE, 2.0 * ELSEWHERE])
    return Comparison({"x_1": 2.0 * ELSEWHERE}, {"x_1": 1.0}, times, apart, len(times))


@pytest.mark.parametrize(
    ("agrees_until", "far_from", "kept"),
    [
        (5.0, 5.1, False),  # within a fiftieth of the run: a wrong turn
        (5.0, 6.0, None),  # slowly: errors of a method
        (0.05, 0.1, None),  # soon, but twice the time: errors that grow as t⁶ do so
    ],
)
def test_a_wrong_turn_is_sudden_and_errors_grow(agrees_until: float, far_from: float, kept: bool | None) -> None:
    comparison = departing(agrees_until, far_from)
    rows = ResultRows({"t": comparison.times}, whole=True)
    assert find_branch(CASE, comparison, rows, np.zeros(len(comparison.times))).kept is kept


@pytest.mark.parametrize(("nearer", "suspected"), [(5.0, False), (20.0, True)])
def test_another_variant_is_suspected_if_the_result_is_ten_times_nearer_to_it(
    nearer: float, suspected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = reference_for(CASE)
    assert stored is not None
    size = float(np.max(np.abs(stored.columns["x_1"])))
    off = RESEMBLES * size
    result = stored.columns["x_1"] + off

    def other(times: np.ndarray) -> dict[str, np.ndarray]:
        return {"x_1": np.interp(times, stored.times, result) - off / nearer}

    found = Alternative("another one", CASE.t_end, other)
    monkeypatch.setattr(module, "alternatives", lambda case: iter([found]))
    told = module._others(CASE, {"t": stored.times, "x_1": result}, stored)
    assert any("another one" in sentence for sentence in told) == suspected
