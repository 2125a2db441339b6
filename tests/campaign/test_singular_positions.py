"""A slice of the campaign: one mechanism of each family, all its starts, each run with the method it draws."""

from __future__ import annotations

from functools import cache

import pytest
from campaign.engine import RunSettings
from campaign.judge import Fate, Verdict, judge
from campaign.suite import METHODS
from campaign.suites.singular_positions import FAMILIES, ROTA, RUNS, STARTS, TOLERANCES, Drawn, SingularPositions, Trial

MECHANISMS = {family: ROTA.index(family) for family in FAMILIES}
CHOSEN = (1e-3, 1e-6, 1e-9)


@cache
def runs(family: str) -> tuple[Verdict, ...]:
    first = MECHANISMS[family] * RUNS
    seeds = [first + len(TOLERANCES) * start + TOLERANCES.index(tol) for start in range(STARTS) for tol in CHOSEN]
    return tuple(SingularPositions().run(MECHANISMS[family], seeds))


@pytest.mark.parametrize("family", FAMILIES)
def test_no_run_through_singular_positions_leaves_its_branch(family: str) -> None:
    """Those that come to rest exactly there go on smoothly, too."""
    assert len(runs(family)) >= 3 * len(CHOSEN)
    lost = (Fate.OFF_BRANCH, Fate.NOT_FINITE, Fate.CRASHED)
    assert [v for v in runs(family) if v.outcome in lost] == []


@pytest.mark.parametrize("family", FAMILIES)
def test_runs_are_right_or_say_that_they_are_not(family: str) -> None:
    assert [v for v in runs(family) if v.outcome not in (Fate.RIGHT, Fate.STOPPED)] == []


@pytest.mark.parametrize("family", FAMILIES)
def test_at_the_default_tolerance_no_method_that_controls_its_step_stops(family: str) -> None:
    """But where the mechanism turns at the node of a branch that crosses itself."""
    controlled = [v for v in runs(family) if v.task.tol == 1e-6 and v.task.step is None]
    undecided = [v for v in controlled if v.what == "change point" and v.family not in FAMILIES]
    assert [v for v in controlled if v.outcome is not Fate.RIGHT and v not in undecided] == []


@pytest.mark.parametrize(
    ("mechanism", "start", "tol", "method"),
    [
        (109, 2, 1e-10, "dop853"),
        (245, 0, 1e-9, "bs5"),
        (71, 2, 1e-8, "dop853"),
        (71, 2, 1e-8, "dopri5"),
        (109, 2, 1e-10, "verner9"),
        (109, 3, 1e-8, "dop853"),
        (19, 1, 1e-4, "rk4"),
        (189, 2, 1e-4, "rk4"),
    ],
)
def test_nodes_are_crossed_with_all_digits(mechanism: int, start: int, tol: float, method: str) -> None:
    """Tight tolerances, a turn next to the node, and fixed steps: small steps lose their way there, or their energy."""
    drawn = Drawn(mechanism)
    trial = drawn.trial(start)
    step = 0.011 * trial.truth.structure.length / trial.truth.speed if method == "rk4" else None
    verdict = judge(0, trial.family, drawn.machine, trial.program, trial.truth, RunSettings(tol, method, step))
    assert verdict.what == "change point"
    assert verdict.outcome is Fate.RIGHT
    assert verdict.error < max(30.0 * tol, 1e-11)


@cache
def over_the_top(family: str) -> tuple[Drawn, Trial]:
    drawn = Drawn(MECHANISMS[family])
    return drawn, drawn.trial(1)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("family", ["antiparallelograms", "change point"])
def test_each_method_goes_through_singular_positions(family: str, method: str) -> None:
    """With an added equation that tells the branches apart, and on a branch that crosses itself."""
    drawn, trial = over_the_top(family)
    step = 3e-3 * trial.truth.structure.length / trial.truth.speed if method == "rk4" else None
    verdict = judge(0, family, drawn.machine, trial.program, trial.truth, RunSettings(1e-6, method, step))
    assert verdict.outcome is Fate.RIGHT


def test_a_run_is_the_same_alone_as_in_company() -> None:
    in_company = runs("folded kite")[4]
    (alone,) = SingularPositions().run(MECHANISMS["folded kite"], [in_company.seed])
    assert alone == in_company


@pytest.mark.parametrize("tol", [1e-3, 1e-6, 1e-9])
def test_at_rest_exactly_at_the_node_of_a_branch_the_status_says_that_nothing_is_decided(tol: float) -> None:
    drawn, trial = Drawn(MECHANISMS["change point"]), None
    for start in range(STARTS):
        trial = drawn.trial(start)
        if trial.family == "comes to rest at flat":
            break
    assert trial is not None
    verdict = judge(0, trial.family, drawn.machine, trial.program, trial.truth, RunSettings(tol, "auto", None))
    assert verdict.outcome is Fate.STOPPED
    assert "continue in several ways" in verdict.message


@pytest.mark.parametrize(
    ("mechanism", "what", "equations"), [(393, "3 × antiparallelogram", 3), (887, "change point", 0)]
)
def test_near_a_singular_position_equations_are_found_and_none_is_made_up(
    mechanism: int, what: str, equations: int
) -> None:
    """Both are drawn so near to lying flat that long strides step over it, and short ones see little of the branch."""
    drawn = Drawn(mechanism)
    assert drawn.structure.name == what
    branch = drawn.machine.program.branch
    assert (0 if branch is None else branch.added) == equations
