"""The judge's verdicts: the rule by the energy, agreement by the trajectory, the branch by how a motion departs."""

from __future__ import annotations

import json
import math
from collections.abc import Callable

import numpy as np
import pytest

from grashof.judge import AGREES, assess
from grashof.judge.expected import expected_at, reference_of
from grashof.problems import make_case
from grashof.program import build
from grashof.simulation.simulate import simulate
from tests.judge.motions import Columns, result

PROBLEMS = [("andrews", "iftomm"), ("andrews", "ivp"), ("double-four-bar", None), ("multiple-four-bar", "top-row")]


@pytest.mark.parametrize(("name", "variant"), PROBLEMS)
def test_a_good_result_passes_agrees_and_raises_no_suspicion(name: str, variant: str | None) -> None:
    case, table = result(name, variant)
    found = assess(case, table)
    assert found.passes is True
    assert found.agrees is True
    assert found.branch.kept is True
    assert found.departed is None
    assert min(found.digits.values()) > 6.0
    assert (found.suspicions, found.missing, found.remarks) == ((), (), ())


@pytest.mark.parametrize("tol", [1e-3, 1e-5])
def test_the_rule_from_the_columns_is_the_problems_own(tol: float) -> None:
    """Andrews: T + V − E₀ − τ(β − β₀), here from the written columns, there from the run."""
    case = make_case("andrews")
    run = simulate(build(case.model), case.t_end, tol=tol, times=case.times(case.t_end))
    found = assess(case, {column.name: column.value(run) for column in case.columns})
    assert found.error == pytest.approx(float(np.max(np.abs(case.error(run)))), rel=1e-6)
    assert found.passes is (found.error <= case.bound)


@pytest.mark.parametrize("column", ["x_F", "y_F", "kinetic", "potential", "work"])
def test_one_doctored_number_is_found(column: str) -> None:
    case, table = result("andrews")
    doctored = table[column].copy()
    doctored[100] += 0.01 * np.max(np.abs(doctored))
    found = assess(case, {**table, column: doctored})
    assert found.agrees is False
    assert found.departed == pytest.approx(100 * case.step)
    assert found.passes is (column in ("x_F", "y_F"))  # the rule looks at energies only
    assert found.digits[column] == pytest.approx(2.0, abs=0.01)


def test_an_energy_that_stays_constant_does_not_make_a_wrong_motion_right() -> None:
    case, table = result("double-four-bar")
    wrong = {**table, "x_1": np.sin(table["t"]), "xdot_1": np.cos(table["t"]), "energy": np.zeros(len(table["t"]))}
    found = assess(case, wrong)
    assert (found.passes, found.agrees) == (True, False)


def test_digits_are_those_of_the_file() -> None:
    case, table = result("andrews")
    rounded = {name: np.array([float(f"{x:.3e}") for x in values]) for name, values in table.items()}
    digits = assess(case, {**rounded, "t": table["t"]}, suspect=False).digits
    assert all(3.0 < x < 4.5 for x in digits.values()), digits


def test_other_times_are_compared_with_the_interpolated_reference() -> None:
    """Andrews' squeezer turns by a fifteenth of a turn from one official time to the next, and unevenly."""
    case = make_case("andrews")
    times = np.append(np.sort(np.random.default_rng(1).uniform(0.0, case.t_end, 500)), case.t_end)
    run = simulate(build(case.model), case.t_end, tol=1e-11, times=times)
    table = {column.name: column.value(run) for column in case.columns}
    found = assess(case, table)
    assert found.agrees is True
    assert min(found.digits.values()) > 8.0  # at the one official time
    assert any("500 of 501 times are not official" in remark for remark in found.remarks)
    doctored = table["x_F"] + np.where(times == times[250], 0.01 * np.max(table["x_F"]), 0.0)
    assert assess(case, {**table, "x_F": doctored}).departed == times[250]


@pytest.mark.parametrize(("name", "parameters"), [("andrews", {}), ("double-four-bar", {}), ("n-four-bar", {"N": 7})])
def test_between_official_times_the_bar_is_honest(name: str, parameters: dict[str, float]) -> None:
    """The independent solution at random times is within the bar of the interpolated reference."""
    case = make_case(name, None, parameters)
    times = np.sort(np.random.default_rng(2).uniform(0.0, case.t_end, 100))
    found, exact = expected_at(reference_of(case), times), case.reference(times)
    for column in found.values:
        if column in exact:
            apart = np.abs(found.values[column] - exact[column])
            assert np.all(apart <= found.bars[column] + 1e-12 * np.max(np.abs(exact[column]))), column


def test_times_that_are_sums_of_steps_are_official() -> None:
    case, table = result("andrews")
    found = assess(case, {**table, "t": np.cumsum(np.append(0.0, np.full(200, case.step))) * (1.0 + 1e-13)})
    assert found.remarks == ()
    assert min(found.digits.values()) > 8.0


def changed(table: Columns, change: Callable[[np.ndarray], np.ndarray]) -> Columns:
    return {name: change(values) for name, values in table.items()}


def test_a_file_that_ends_early_does_not_pass() -> None:
    case, table = result("double-four-bar")
    found = assess(case, changed(table, lambda x: x[:700]))
    assert (found.passes, found.agrees) == (False, True)
    assert any("end at t = 6.99 s, but the problem lasts 10 s" in remark for remark in found.remarks)


def test_a_few_rows_do_not_pass() -> None:
    case, table = result("double-four-bar")
    found = assess(case, changed(table, lambda x: x[::500]))
    assert (found.passes, found.agrees) == (False, True)
    assert any("too sparse for the result to pass" in remark for remark in found.remarks)


def test_rows_in_any_order_and_twice_are_judged_all_the_same() -> None:
    case, table = result("double-four-bar")
    order = np.random.default_rng(3).permutation(np.append(np.arange(1001), [17]))
    found = assess(case, changed(table, lambda x: x[order]))
    assert (found.passes, found.agrees) == (True, True)
    assert any("The time decreases" in remark for remark in found.remarks)
    again = assess(case, changed(table, lambda x: np.insert(x, 17, x[17])))
    assert any("appear twice, first t = 0.17 s at row 19" in remark for remark in again.remarks)


def test_what_is_not_a_number_does_not_pass_and_is_named_by_its_line() -> None:
    case, table = result("double-four-bar")
    table["x_1"] = np.where(table["t"] > 5.0, math.nan, table["x_1"])
    found = assess(case, table, lines=np.arange(2, 1003))
    assert found.passes is False
    assert any("x_1 is not a finite number in 500 rows, first in line 503, at t = 5.01 s" in x for x in found.remarks)
    json.dumps(found.as_dict(), allow_nan=False)


def test_nothing_but_nonsense_is_no_crash() -> None:
    case, table = result("double-four-bar")
    for nonsense in (math.nan, math.inf, 1e300, -5.0):
        found = assess(case, changed(table, lambda x, y=nonsense: np.full(len(x), y)))
        assert found.passes is False
        json.dumps(found.as_dict(), allow_nan=False)


def test_a_run_without_its_start_is_judged_against_the_energy_of_the_reference() -> None:
    case, table = result("multiple-four-bar", "top-row")
    later = changed(table, lambda x: x[1:])
    found = assess(case, later)
    assert found.passes is True
    assert any("taken from the reference" in remark for remark in found.remarks)
    assert assess(case, {**later, "energy": later["energy"] + 2.0}).passes is False


def test_missing_columns_leave_the_rest_to_be_judged() -> None:
    case, table = result("andrews")
    found = assess(case, {name: table[name] for name in ("t", "x_F", "y_F")})
    assert (found.passes, found.agrees, found.verdict) == (None, True, True)
    assert found.rule.not_judged == "no energy columns"
    assert found.missing == ("kinetic", "potential", "work", "violation_position", "violation_velocity")
    assert any("cannot be judged without kinetic, potential, work" in remark for remark in found.remarks)


def test_without_energy_a_result_that_is_not_whole_does_not_pass() -> None:
    case, table = result("andrews")
    motion = {name: table[name] for name in ("t", "x_F", "y_F", "kinetic")}
    assert assess(case, motion).rule.not_judged == "no column potential or work"
    for some in (slice(100), slice(None, None, 50)):
        found = assess(case, changed(motion, lambda x, some=some: x[some]))
        assert (found.agrees, found.verdict) == (True, False)


def test_without_energy_a_result_beyond_the_certified_time_cannot_be_judged() -> None:
    """The upright grid is chaotic: its reference ends before the problem does, and only the energy could judge the
    rest."""
    case = make_case("multiple-four-bar", "upright")
    reference = reference_of(case)
    table = {"t": reference.times, **reference.columns}
    assert reference.until < case.t_end
    assert assess(case, table).verdict is True
    found = assess(case, {name: values for name, values in table.items() if name != "energy"})
    assert (found.passes, found.agrees, found.verdict) == (None, True, None)


def test_a_double_four_bar_that_folds_has_left_its_branch() -> None:
    """Lying flat to the right, pin 1 is on the second ground pivot. It may rest there while the other bars turn
    about that pivot, with the same energy."""
    case, table = result("double-four-bar")
    flat = int(np.argmax(table["x_1"][:100]))
    folded = np.arange(len(table["t"])) > flat
    fold = {**table, "x_1": np.where(folded, 1.0, table["x_1"]), "xdot_1": np.where(folded, 0.0, table["xdot_1"])}
    found = assess(case, fold)
    assert (found.passes, found.agrees, found.branch.kept) == (True, False, False)
    assert found.branch.left == pytest.approx(table["t"][flat], abs=0.03)


def test_a_method_that_runs_slow_departs_but_leaves_no_branch() -> None:
    """The exact motion with its time running by 1/200 too slowly: a phase error that grows in proportion to time."""
    case = make_case("double-four-bar")
    motion = case.reference(0.995 * case.times(case.t_end))
    slow = {"t": case.times(case.t_end), **motion, "energy": np.zeros(1001)}
    found = assess(case, slow)
    assert found.agrees is False
    assert found.branch.kept is None
    assert found.branch.left is None


def test_a_coarse_run_through_singular_positions_departs_but_leaves_no_branch() -> None:
    case = make_case("multiple-four-bar", "all-rows")
    run = simulate(build(case.model), case.t_end, method="rk4", step=0.01, times=case.times(case.t_end))
    found = assess(case, {column.name: column.value(run) for column in case.columns})
    assert found.agrees is False
    assert found.branch.kept is not False
    assert found.suspicions == ()


def test_a_grid_whose_corner_is_out_of_reach_is_no_grid_of_parallelograms() -> None:
    case, table = result("multiple-four-bar", "top-row")
    longer = {**table, "z_A": np.where(table["t"] < 5.0, 1.0, 1.03) * table["z_A"]}
    found = assess(case, longer)
    assert (found.passes, found.branch.kept) == (True, False)
    assert 5.0 <= found.branch.left < 10.0


def test_a_table_says_all_this_as_plain_data() -> None:
    case, table = result("double-four-bar")
    data = json.loads(json.dumps(assess(case, table).as_dict(), allow_nan=False))
    assert data["rule"]["passes"] is True
    assert f"at most {case.bound:g} J" in data["rule"]["definition"]
    assert data["reference"]["deviation"] < AGREES
    assert "divided by the column's largest magnitude" in data["reference"]["definition"]
    assert data["branch"]["kept"] is True
