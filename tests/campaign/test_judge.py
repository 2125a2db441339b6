"""The judge sees what is wrong with a run, and only that."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from campaign.engine import RunSettings, Seen
from campaign.judge import Fate, judge
from campaign.plane import row
from campaign.truth import Truth, along_branch

from grashof.common.status import Code, Status
from grashof.integrate import Counters, Steps

TOL = 1e-6
TIMES = np.linspace(0.0, 3.0, 31)[1:]
BRANCH = row(np.random.default_rng(1), ["antiparallelogram"])
TRUTH = along_branch(BRANCH, 1.0, 3.0, TIMES)
OTHER = along_branch(row(np.random.default_rng(1), ["parallelogram"]), 1.0, 3.0, TIMES)


@dataclass
class Pretender:
    """A machine that shows what it is told to."""

    places: np.ndarray
    rates: np.ndarray
    at_steps: tuple[np.ndarray, np.ndarray]
    code: Code = Code.SUCCESS

    def run(self, program: Any, task: RunSettings, times: np.ndarray) -> Seen:
        status = Status(self.code, times[-1], times[-1])
        steps = Steps(times, np.zeros((len(times), 0)), status, Counters(0, 0, 0, 0, 7, 0), 0.0)
        return Seen(steps, self.places, self.rates, self.at_steps)


def outcome(places: np.ndarray, rates: np.ndarray, at_steps: Truth | None = TRUTH, code: Code = Code.SUCCESS) -> Fate:
    shown = (places, rates) if at_steps is None else (at_steps.places, at_steps.rates)
    machine: Any = Pretender(places, rates, shown, code)
    return judge(0, "", machine, None, TRUTH, RunSettings(TOL)).outcome  # type: ignore[arg-type]


def test_the_right_motion_is_right() -> None:
    assert outcome(TRUTH.places, TRUTH.rates) is Fate.RIGHT


def test_a_motion_that_is_late_is_wrong() -> None:
    late = along_branch(BRANCH, 1.0, 3.0, TIMES - 0.01)
    assert outcome(late.places, late.rates, late) is Fate.WRONG


def test_a_motion_that_is_late_by_less_than_a_thousand_tolerances_is_right() -> None:
    late = along_branch(BRANCH, 1.0, 3.0, TIMES - 1e-5)
    assert outcome(late.places, late.rates, late) is Fate.RIGHT


def test_the_other_branch_of_the_same_links_is_off_the_branch() -> None:
    assert outcome(OTHER.places, OTHER.rates, OTHER) is Fate.OFF_BRANCH


def test_a_jump_between_steps_is_told_from_a_wrong_run() -> None:
    rates = TRUTH.rates.copy()
    rates[10] *= 1.1
    assert outcome(TRUTH.places, rates) is Fate.BETWEEN


def test_energy_from_nowhere_is_wrong() -> None:
    assert outcome(TRUTH.places, 1.01 * TRUTH.rates, None) is Fate.WRONG


def test_what_is_not_a_number_is_not_finite() -> None:
    places = TRUTH.places.copy()
    places[-1, 0, 0] = np.nan
    assert outcome(places, TRUTH.rates) is Fate.NOT_FINITE


def test_a_run_that_says_it_failed_is_not_held_to_more() -> None:
    assert outcome(OTHER.places, OTHER.rates, OTHER, Code.TOO_MANY_STEPS) is Fate.STOPPED


@pytest.mark.parametrize(("half", "expected"), [(0.0002, Fate.RIGHT), (0.002, Fate.WRONG)])
def test_a_fixed_step_is_measured_by_what_its_half_changes(half: float, expected: Fate) -> None:
    """A step that makes the motion late by 0.002 s: half of it changes this much if the step is to blame, and
    nothing if not."""
    late = {step: along_branch(BRANCH, 1.0, 3.0, TIMES - delay) for step, delay in ((1.0, 0.002), (0.5, half))}

    class Stepping:
        def run(self, program: Any, task: RunSettings, times: np.ndarray) -> Seen:
            seen = late[task.step or 0.0]
            return Pretender(seen.places, seen.rates, (seen.places, seen.rates)).run(program, task, times)

    machine: Any = Stepping()
    verdict = judge(0, "", machine, None, TRUTH, RunSettings(TOL, "rk4", 1.0))  # type: ignore[arg-type]
    assert verdict.outcome is expected


@pytest.mark.parametrize("problem", [ValueError, ZeroDivisionError])
def test_an_exception_is_a_crash(problem: Callable[[str], Exception]) -> None:
    class Breaking:
        def run(self, *_: Any) -> Seen:
            raise problem("unexpected")

    machine: Any = Breaking()
    verdict = judge(0, "", machine, None, TRUTH, RunSettings(TOL))  # type: ignore[arg-type]
    assert verdict.outcome is Fate.CRASHED
    assert "unexpected" in verdict.message
