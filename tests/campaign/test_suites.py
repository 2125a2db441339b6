"""A slice of each suite: the first mechanism of every family, at three tolerances."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from campaign.judge import BAD, Fate, Verdict
from campaign.suite import FRESH, TOLERANCES, Cases
from campaign.suites import SUITES
from campaign.work import run_seeds

CHOSEN = (1e-3, 1e-6, 1e-9)
GREEN = (
    "long-runs",
    "work-of-motors",
    "turns-in-space",
    "pulses-and-kinks",
    "couplings-and-laws",
    "friction-and-stops",
    "short-contacts-and-narrow-lobes",
    "uneven-masses",
    "pairs-of-features",
    "rough-contacts",
    "capped-and-fixed-steps",
    "touching-branches-and-cusps",
    "stiff-mechanisms",
    "sticking-joints",
)
DEAR = {"long-runs": 2, "capped-and-fixed-steps": 2, "touching-branches-and-cusps": 1}
"""How many of these tolerances are tried in suites whose runs take seconds each at the others."""
FAMILIES = [
    (name, family) for name in GREEN for family in SUITES[name].families if family not in SUITES[name].uncounted
]


def first_of(suite: Cases, family: str) -> int:
    return next(number for number in range(100) if suite.family_of(number) == family)


@cache
def slice_of(name: str, family: str) -> tuple[Verdict, ...]:
    suite = SUITES[name]
    assert isinstance(suite, Cases)
    number = first_of(suite, family)
    chosen = CHOSEN[: DEAR.get(name)]
    return tuple(suite.run(number, [number * suite.runs + TOLERANCES.index(tol) for tol in chosen]))


@pytest.mark.parametrize(("name", "family"), FAMILIES)
def test_runs_are_right_or_say_that_they_are_not(name: str, family: str) -> None:
    assert [verdict for verdict in slice_of(name, family) if verdict.outcome in BAD] == []


@pytest.mark.parametrize("name", ["work-of-motors", "turns-in-space", "uneven-masses"])
def test_at_the_default_tolerance_no_method_that_controls_its_step_stops(name: str) -> None:
    suite = SUITES[name]
    for family in suite.families:
        controlled = [v for v in slice_of(name, family) if v.task.tol == 1e-6 and v.task.step is None]
        assert [verdict for verdict in controlled if verdict.outcome is not Fate.RIGHT] == []


@pytest.mark.parametrize("family", SUITES["beyond-reach"].families)
def test_motors_that_drive_beyond_what_the_joints_reach_end_the_run_there_and_soon(family: str) -> None:
    suite = SUITES["beyond-reach"]
    number = suite.families.index(family)
    seeds = [number * suite.runs + TOLERANCES.index(tol) for tol in CHOSEN]
    verdicts = suite.run(number, seeds)
    assert [verdict for verdict in verdicts if verdict.outcome in BAD] == []
    # fixed steps may lead a little beyond, and end there with another doubt
    assert [v for v in verdicts if v.task.step is None and v.outcome is not Fate.RIGHT] == []


@pytest.mark.parametrize("name", [name for name in SUITES if isinstance(SUITES[name], Cases)])
def test_a_case_depends_on_its_number_alone_and_differs_from_number_to_number(name: str) -> None:
    suite = SUITES[name]
    assert isinstance(suite, Cases)
    one, again = suite.drawn(0), suite.drawn(0)
    fresh = next(
        suite.drawn(number) for number in range(FRESH, FRESH + 100) if suite.family_of(number) == suite.family_of(0)
    )
    assert np.array_equal(one.times, again.times)
    assert all(np.array_equal(x, again.exact[quantity]) for quantity, x in one.exact.items())
    assert not np.array_equal(one.times, fresh.times)


def test_fixed_steps_that_cannot_see_by_how_much_a_singular_position_is_missed_are_no_success() -> None:
    """A four-bar that misses one by 2.8e-8 of its length, stepped by rk4: it went on along the other branch."""
    suite = SUITES["near-misses"]
    (verdict,) = suite.run(1854 // suite.runs, [1854])
    assert verdict.outcome is Fate.STOPPED


@pytest.mark.parametrize("number", [1, 7, 8, 9])
def test_trees_move_alike_in_natural_and_in_relative_coordinates(number: int) -> None:
    suite = SUITES["both-formulations"]
    verdicts = suite.run(number, range(number * suite.runs, (number + 1) * suite.runs))
    assert len(verdicts) == suite.runs
    assert [verdict for verdict in verdicts if verdict.outcome in BAD] == []


def test_a_motor_that_turns_back_before_touching_branches_leaves_the_run_undecided() -> None:
    """The path towards the singular position does not advance, so there is nothing to continue: this was a crash."""
    (verdict,) = run_seeds("touching-branches-and-cusps", 708, [6372])
    assert verdict.outcome is Fate.STOPPED
