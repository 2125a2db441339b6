"""A coupler on more cranks than it needs: what was meant fits together, what is described does not, by as much as it
is off."""

from __future__ import annotations

import numpy as np
import pytest
from campaign.judge import Fate
from campaign.suite import TOLERANCES, Cases
from campaign.suites.nearly import FIT, FITTED, SHARE, SUITE, table


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("space", [False, True])
def test_the_coupler_meets_all_its_cranks_all_round(space: bool, seed: int) -> None:
    linkage = table(np.random.default_rng(seed), space=space)
    s = np.linspace(0.0, linkage.period, 30)
    poses, bodies = linkage.path(s), {body.name: body for body in linkage.bodies}
    for hinge in linkage.hinges:
        origin, axes = poses[hinge.b]
        there = origin + axes @ bodies[hinge.b].pins[hinge.at_b]
        here = hinge.at_a
        if isinstance(here, str):
            origin, axes = poses[hinge.a]
            here = origin + axes @ bodies[hinge.a].pins[here]
        assert np.max(np.abs(there - here)) < 1e-13


@pytest.mark.parametrize(("suite", "share"), [(SUITE, SHARE), (FITTED, FIT)])
@pytest.mark.parametrize("family", SUITE.draws)
def test_a_small_error_is_allowed_to_make_a_small_difference_only(family: str, suite: Cases, share: float) -> None:
    """At least the share of ε that is allowed anyway, and at most what the sensitivity of a counted motion makes of
    it."""
    case = suite.draws[family][1](np.random.default_rng(2))
    small = float(case.what.rpartition(" ")[2])
    assert np.min(np.asarray(case.floor)) > 0.95 * share * small
    assert np.max(np.asarray(case.floor)) < 1e4 * share * small
    assert case.fit == (None if suite is SUITE else pytest.approx(FIT * small, rel=0.05))


@pytest.mark.parametrize("number", [4, 12])
def test_what_was_meant_is_run_if_it_may_be_fitted(number: int) -> None:
    """Cranks whose lengths differ a little, which cannot move as they are described; of the second, other lengths
    are nearly equal by chance."""
    (verdict,) = FITTED.run(number, [number * FITTED.runs + TOLERANCES.index(1e-6)])
    assert verdict.outcome is Fate.RIGHT


def test_what_is_off_by_rounding_is_run_without_being_asked() -> None:
    """Five parallel cranks, off by 3e-10, which could be closed in another position than the guessed one."""
    (verdict,) = SUITE.run(255, [255 * SUITE.runs + TOLERANCES.index(1e-6)])
    assert verdict.outcome is Fate.RIGHT


@pytest.mark.parametrize("number", [62, 121, 172])
def test_joints_that_contradict_each_other_are_told_as_that(number: int) -> None:
    """Four-bars with axes off by 2e-4, one of them driven, and five parallel cranks, off by 5e-5 and driven."""
    (verdict,) = SUITE.run(number, [number * SUITE.runs + TOLERANCES.index(1e-6)])
    assert verdict.outcome is Fate.STOPPED
    assert "redundant and contradict each other" in verdict.message
