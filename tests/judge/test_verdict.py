"""A verdict tells two things apart: whether the problem's rule is met, and whether the motion is the right one."""

from __future__ import annotations

import dataclasses
import json
import math

import numpy as np
import pytest

from grashof.common.near import CLOSE
from grashof.common.progress import Part
from grashof.common.status import Code
from grashof.judge.verdict import Compare, VerdictOutcome, judge
from grashof.model.mechanism import Mechanism
from grashof.problems import Case, Column, make_case

ASKED_FOR = {
    "problem",
    "variant",
    "t_end",
    "tol",
    "status",
    "error_J",
    "bound_J",
    "passed",
    "cpu_s",
    "output_s",
    "compile_s",
    "assemble_s",
    "steps",
    "rejected",
    "evaluations",
    "dof",
    "coordinates",
    "equations",
    "redundant",
    "violation_max",
    "final",
}


@pytest.fixture(scope="module")
def case() -> Case:
    return make_case("double-four-bar")


@pytest.fixture(scope="module")
def outcome(case: Case) -> VerdictOutcome:
    return judge(case, compare=Compare.ALL)


def test_the_double_four_bar_meets_its_rule_and_follows_the_pendulum(outcome: VerdictOutcome) -> None:
    assert outcome.passed
    assert outcome.whole
    assert outcome.error is not None
    assert 0.0 < outcome.error < 0.1
    assert outcome.agreement is not None
    assert len(outcome.agreement.times) == 1001
    assert outcome.agreement.deviation < 1e-4
    assert outcome.agreement.until == 10.0


def test_the_mechanism_is_counted_as_the_design_says(outcome: VerdictOutcome) -> None:
    assert (outcome.dof, outcome.redundant) == (1, 0)
    program = outcome.run.program
    assert (program.joints.system.n, program.joints.system.m) == (6, 5)
    assert (program.system.n, program.system.m) == (2, 1)


def test_the_error_covers_official_times_and_every_step(outcome: VerdictOutcome) -> None:
    official = np.max(np.abs(outcome.run["balance"]))
    at_steps = np.max(np.abs(outcome.run.at_steps()["balance"]))
    assert outcome.error == max(official, at_steps)


def test_the_data_has_all_that_was_asked_for_in_full_precision(outcome: VerdictOutcome) -> None:
    data = outcome.as_dict()
    assert data.keys() >= ASKED_FOR
    assert data["status"] == "success"
    assert data["final"].keys() == {"t", "x_1", "xdot_1", "energy"}
    assert data["violation_max"].keys() == {"position", "velocity"}
    again = json.loads(json.dumps(data, allow_nan=False))
    assert again["final"]["x_1"] == outcome.run["upright0.end.x"][-1]
    assert again["final"]["t"] == 10.0
    assert again["error_J"] == outcome.error


def test_a_wrong_motion_without_energy_error_passes_the_rule_but_does_not_agree(case: Case) -> None:
    late = dataclasses.replace(case, reference=lambda times: case.reference(times + 0.01))
    outcome = judge(late, compare=Compare.END)
    assert outcome.passed
    assert outcome.agreement is not None
    x, speed = (outcome.run[f"upright0.end.x{rate}"] for rate in ("", ".rate"))
    late_by = 0.01 * abs(speed[-1]) / np.max(np.abs(x))
    assert outcome.agreement.by_column["x_1"] == pytest.approx(late_by, rel=0.01)
    assert outcome.agreement.deviation > 100.0 * CLOSE
    assert outcome.agreement.until is None


def test_an_error_beyond_the_bound_fails(case: Case) -> None:
    outcome = judge(dataclasses.replace(case, bound=1e-15), t_end=1.0, compare=Compare.NONE)
    assert outcome.run.status.ok
    assert not outcome.passed
    assert outcome.agreement is None


def test_a_shorter_run_says_that_it_is_not_the_whole_problem(case: Case) -> None:
    outcome = judge(case, t_end=1.0)
    assert outcome.passed
    assert not outcome.whole
    assert outcome.as_dict()["whole_duration"] is False
    assert outcome.final["t"] == 1.0


def test_the_time_is_the_best_of_all_repetitions(case: Case) -> None:
    outcome = judge(case, t_end=0.5, repeat=3, compare=Compare.NONE)
    assert outcome.repeat == 3
    assert 0.0 < outcome.cpu_s <= outcome.run.steps.cpu_s


def test_what_is_being_done_is_told(case: Case) -> None:
    told: list[Part] = []
    judge(case, t_end=0.5, progress=told.append)
    activities = list(dict.fromkeys(part.doing for part in told))
    # left out, because another process may have found them already
    searching = "looking for equations that hold along the motion of 2-window four-bar"
    assert [x for x in activities if x != searching] == [
        "assembling 2-window four-bar",
        "compiling 2-window four-bar",
        "integrating",
        "judging",
        "computing the independent solution",
    ]
    assert max(part for part in told if part.doing == "integrating") == 1.0


def test_a_run_that_breaks_down_has_no_results_and_says_why() -> None:
    """A force that is no number from the start on: nothing may be reported as if it were a result."""
    outcome = judge(_broken_case(), compare=Compare.ALL)
    assert outcome.run.status.code is Code.NOT_FINITE
    assert not outcome.passed
    assert outcome.agreement is None
    data = json.loads(json.dumps(outcome.as_dict(), allow_nan=False))
    assert data["status"] == "not_finite"
    assert "no longer finite" in data["message"]
    assert set(data["final"].values()) == {None}
    assert data["passed"] is False


def _broken_case() -> Case:
    m = Mechanism("pendulum with a broken force", gravity=(0.0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0.0, 0.0), rod.start)
    m.user_force(_no_number, [rod])
    good = make_case("double-four-bar")
    return dataclasses.replace(good, model=m.model, final=(), columns=(good.columns[0], good.columns[3]))


def _no_number(t: object, positions: object, velocities: object) -> list[float]:
    return [math.nan]


def test_the_error_counts_at_every_step_too() -> None:
    """Not only at official times: here an error is tried that vanishes at those."""
    case = make_case("double-four-bar")
    energy = Column("energy", "J", lambda run: case.bound * np.sin(math.pi * run.t), balance=1.0)
    wave = dataclasses.replace(case, step=1.0, columns=(*case.columns[:3], energy))
    outcome = judge(wave, tol=1e-4, t_end=3.0, compare=Compare.NONE)
    assert outcome.error is not None
    assert outcome.error > 0.9 * case.bound
