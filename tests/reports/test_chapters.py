"""What a report says of a run is what the judge says of it."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import grashof as gr
from grashof.common.wording import two_digits
from grashof.judge.verdict import Compare, judge
from grashof.problems import make_case
from grashof.program import build
from grashof.reports import Subject, chapter, report
from grashof.reports.precision import climb_ladders, of_case, of_program
from tests.classics import pendulum


def test_work_precision_and_the_judge_agree_on_errors_and_evaluations() -> None:
    case = make_case("andrews")
    found = of_case(case, judge(case, compare=Compare.NONE).run)
    for curve, tol in itertools.product(found.curves, (1e-4, 1e-6, 1e-9)):
        attempt = next(x for x in curve.attempts if x.tol == tol)
        outcome = judge(case, tol=tol, method=curve.method, compare=Compare.ALL)
        assert attempt.evaluations == outcome.run.steps.counters.evaluations
        assert attempt.errors[0] == pytest.approx(outcome.error, rel=1e-9)
        # the judge divides by the largest magnitude of run and solution, the diagram by that of the solution alone
        assert attempt.errors[1] == pytest.approx(outcome.agreement.deviation, rel=1e-2)


def test_finer_tolerances_take_more_work_and_give_smaller_errors() -> None:
    case = make_case("double-four-bar")
    found = of_case(case, judge(case, compare=Compare.NONE).run)
    assert [goal.bound for goal in found.goals] == [case.bound, 1e-3]
    for curve in found.curves:
        first, last = curve.attempts[0], curve.attempts[-1]
        assert last.tol < 1e-7 * first.tol
        assert last.evaluations > first.evaluations
        assert last.errors[0] < 1e-4 * first.errors[0]
        assert last.errors[1] < 1e-4 * first.errors[1]


def test_without_a_solution_runs_are_compared_with_the_finest_one() -> None:
    """The difference from the finest run is the error itself, here found with the closed form of the energy."""
    program = build(pendulum(0.0).model)
    found = of_program(program, 3.0)
    assert found is not None
    rows = {curve.method: curve.attempts for curve in found.curves}
    for attempts in rows.values():
        for attempt in attempts[1:]:
            assert attempt.errors[1] < 1e3 * attempt.tol
    loose = next(x for x in rows["dop853"] if x.tol == pytest.approx(1e-4))
    steps, _ = climb_ladders(program, 3.0, {"dop853": [loose.tol]}, samples=1)
    run = gr.Trajectory(program, steps["dop853"][0].steps, steps["dop853"][0].steps.t)
    # by hand: ½ m l²/3 ω² + ½ m g l sin φ, which begins with nothing
    energy = run["rod.angle.rate"] ** 2 / 6.0 + 9.81 / 2.0 * np.sin(run["rod.angle"])
    assert loose.errors[0] == pytest.approx(np.max(np.abs(energy)), rel=1e-6, abs=1e-14)


def test_a_budget_that_is_spent_leaves_finer_tolerances_out() -> None:
    program = build(pendulum(0.0).model)
    found, complete = climb_ladders(program, 1.0, {"bs5": (1e-3, 1e-6)}, samples=1, budget_s=0.0)
    assert not complete
    assert found == {"bs5": []}


def test_a_chapter_tells_the_verdict_of_the_judge() -> None:
    case = make_case("double-four-bar")
    made, well = chapter(Subject.of(case), work_precision=False)
    outcome = judge(case, compare=Compare.ALL)
    facts = {fact.name: fact for fact in made.errors}
    assert well
    assert made.verdict is not None
    assert made.verdict.passed
    assert f"{two_digits(outcome.error)} J" in facts["Error by the rule"].value
    assert case.error_text in facts["Error by the rule"].meaning
    assert made.command == "grashof run double-four-bar"
    assert made.mobility[0] == str(gr.mobility(case.model)).splitlines()[0]
    assert made.work_precision is None


def test_a_run_that_breaks_the_rule_is_said_to_fail() -> None:
    case = make_case("andrews")
    made, well = chapter(Subject.of(case), tol=0.1, work_precision=False)
    assert not well
    assert made.verdict is not None
    assert made.verdict.word == "FAILED"


def test_a_mechanism_without_a_rule_has_no_verdict() -> None:
    found, well = report([Subject("pendulum.toml", pendulum(0.0).model, 2.0)], command="grashof report pendulum.toml")
    assert well
    assert found.chapters[0].verdict is None
    assert found.chapters[0].command == "grashof simulate pendulum.toml --t-end 2"
    assert {fact.name for fact in found.machine} >= {"Processor", "Python", "Grashof"}
