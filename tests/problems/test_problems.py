"""The benchmark problems end to end: rule, agreement with independent solutions, branch, size after presolve."""

from __future__ import annotations

import numpy as np
import pytest

from grashof.common.status import Code
from grashof.motion.trajectory import Trajectory
from grashof.problems import make_case
from grashof.program import build
from grashof.simulation.simulate import integrate, simulate

from .conftest import compiled

REGULAR = [("andrews", "iftomm"), ("andrews", "ivp"), ("multiple-four-bar", "top-row")]
SINGULAR = [("double-four-bar", "standard"), ("n-four-bar", "standard"), ("multiple-four-bar", "all-rows")]


def run_case(name: str, variant: str, tol: float | None = None) -> tuple[Trajectory, dict[str, tuple[float, float]]]:
    """A single run, as the problems are measured with, and (simulated, independent) final values by column."""
    case, program = compiled(name, variant)
    chosen = {} if tol is None else {"tol": tol}
    run = simulate(program, case.t_end, times=case.times(case.t_end), check_error=False, **chosen)
    assert run.status.ok
    exact = case.reference(np.array([case.t_end]))
    return run, {column.name: (float(column.value(run)[-1]), float(exact[column.name][-1])) for column in case.final}


@pytest.mark.parametrize(("name", "variant"), REGULAR)
def test_twelve_digits_where_nothing_is_singular(name: str, variant: str) -> None:
    """Of each column's largest value."""
    run, final = run_case(name, variant, 1e-11)
    case, _ = compiled(name, variant)
    for column in case.final:
        found, exact = final[column.name]
        assert abs(found - exact) < 1e-12 * np.max(np.abs(column.value(run))), column.name


@pytest.mark.parametrize(("name", "variant"), SINGULAR)
def test_ten_digits_through_singular_positions(name: str, variant: str) -> None:
    _, final = run_case(name, variant, 1e-11)
    for column, (found, exact) in final.items():
        assert found == pytest.approx(exact, rel=1e-10, abs=0), column


@pytest.mark.parametrize(("name", "variant"), REGULAR + SINGULAR)
def test_three_more_digits_take_no_more_than_twice_the_evaluations(name: str, variant: str) -> None:
    case, program = compiled(name, variant)
    coarse, fine = (integrate(program, case.t_end, tol=tol).counters.evaluations for tol in (1e-8, 1e-11))
    assert fine <= 2 * coarse


@pytest.mark.parametrize("name", ["double-four-bar", "multiple-four-bar"])
def test_nine_digits_through_singular_positions_with_the_joints_alone(name: str) -> None:
    """Without the relations of the branch, they have to be passed or crossed."""
    case = make_case(name, "all-rows" if name == "multiple-four-bar" else None)
    program = build(case.model, relations=False)
    steps = integrate(program, case.t_end, tol=1e-10)
    assert steps.status.ok
    run, exact = Trajectory(program, steps, steps.t[-1:]), case.reference(steps.t[-1:])
    for column in case.final:
        assert column.value(run)[-1] == pytest.approx(exact[column.name][-1], rel=1e-9, abs=0), column.name


@pytest.mark.parametrize(("name", "variant"), REGULAR + SINGULAR)
def test_default_settings_pass_the_rule_and_agree_with_the_independent_solution(name: str, variant: str) -> None:
    case, _ = compiled(name, variant)
    run, final = run_case(name, variant)
    assert np.max(np.abs(case.error(run))) <= case.bound
    assert np.max(np.abs(case.error(run.at_steps()))) <= case.bound
    for column, (found, exact) in final.items():
        assert found == pytest.approx(exact, rel=1e-4, abs=0), column


def test_upright_grid_passes_the_rule_and_agrees_until_chaos_takes_over() -> None:
    """A disturbance at the start grows 3e6-fold in 5 s (see the reference), and errors enter all along: of a
    tolerance of 1e-10 some 3e-4 to 3e-3 is left then, where a wrong branch would be off by the size of the
    mechanism."""
    case, program = compiled("multiple-four-bar", "upright")
    checked = simulate(program, case.t_end, tol=1e-8, times=2)
    assert checked.status.code is Code.TOLERANCE_UNMET
    run = simulate(program, case.t_end, tol=1e-10, times=case.times(case.t_end), check_error=False)
    assert run.status.ok
    assert np.max(np.abs(case.error(run))) <= case.bound
    five = int(np.searchsorted(run.t, 5.0))
    exact = case.reference(run.t[five : five + 1])
    for column in case.final:
        scale = max(abs(float(exact[column.name][0])), 1.0)
        assert abs(float(column.value(run)[five]) - float(exact[column.name][0])) < 3e-3 * scale, column.name


@pytest.mark.parametrize("tol", [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10])
def test_double_four_bar_keeps_its_branch(tol: float) -> None:
    """Ten flat positions in 10 s; at each one the mechanism could fold. It stays a parallelogram."""
    case, original = compiled("double-four-bar")
    for speed in np.linspace(0.7, 1.5, 9):
        other = make_case("double-four-bar", None, {"speed": float(speed)})
        program = original.started(original.assembly.q, original.assembly.v * float(speed))
        run = Trajectory(program, integrate(program, 10.0, tol=tol), case.times(10.0))
        assert run.status.ok
        for i in range(2):
            assert np.allclose(run[f"upright{i + 1}.end.x"] - run[f"upright{i}.end.x"], 1.0, rtol=0, atol=1e-3)
            assert np.allclose(run[f"upright{i + 1}.end.y"] - run[f"upright{i}.end.y"], 0.0, rtol=0, atol=1e-3)
        exact = other.reference(np.array([10.0]))["x_1"][-1]
        assert abs(run["upright0.end.x"][-1] - exact) < max(100.0 * tol, 1e-8)


def test_a_chain_too_long_to_unroll_is_still_a_pendulum() -> None:
    case, program = compiled("n-four-bar", None, N=150)
    run = simulate(program, 5.0, tol=1e-8, times=[5.0])
    assert run.status.ok
    exact = case.reference(np.array([5.0]))
    for column in case.final:
        assert float(column.value(run)[-1]) == pytest.approx(float(exact[column.name][-1]), rel=1e-6), column.name


def test_the_opensim_telling_runs_corrected_and_says_what_was_wrong() -> None:
    case, _ = compiled("andrews", "opensim")
    _, original = run_case("andrews", "iftomm")
    _, corrected = run_case("andrews", "opensim")
    assert corrected == original
    assert any("0.03635" in note for note in case.notes)


def test_unknown_names_are_refused_with_a_hint() -> None:
    with pytest.raises(ValueError, match="did you mean 'andrews'"):
        make_case("andrew")
    with pytest.raises(ValueError, match="top-row, all-rows, upright"):
        make_case("multiple-four-bar", "sideways")
    with pytest.raises(ValueError, match="no parameter 'M'"):
        make_case("n-four-bar", None, {"M": 3})
    for windows in (2.5, 0.0, 1e9, float("inf"), float("nan")):
        with pytest.raises(ValueError, match="whole number from 1 to 100,000"):
            make_case("n-four-bar", None, {"N": windows})
    with pytest.raises(ValueError, match="whole numbers from 1 to 300"):
        make_case("multiple-four-bar", None, {"R": 1e6})


@pytest.mark.parametrize(
    ("name", "modelled", "coordinates", "equations"),
    [("andrews", 28, 8, 7), ("double-four-bar", 20, 6, 5), ("multiple-four-bar", 495, 60, 55)],
)
def test_presolve_leaves_few_coordinates(name: str, modelled: int, coordinates: int, equations: int) -> None:
    system = compiled(name)[1].joints.system
    assert (system.modelled, system.n, system.m) == (modelled, coordinates, equations)
