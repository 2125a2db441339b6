"""A slice of the campaign: one mechanism of each family, from rest, slowly over the top, and at any speed."""

from __future__ import annotations

from functools import cache

import pytest
from campaign.draw import FAMILIES, ROTA, RUNS, TOLERANCES
from campaign.judge import Outcome, Verdict
from campaign.work import run_seeds

MECHANISMS = {family: ROTA.index(family) for family in FAMILIES}
CHOSEN = (1e-3, 1e-6, 1e-9)


@cache
def passing(family: str) -> tuple[Verdict, ...]:
    """The runs of the first three starts, none of which turns at a singular position."""
    first = MECHANISMS[family] * RUNS
    seeds = [first + len(TOLERANCES) * start + TOLERANCES.index(tol) for start in range(3) for tol in CHOSEN]
    return tuple(run_seeds(MECHANISMS[family], seeds))


@pytest.mark.parametrize("family", FAMILIES)
def test_no_run_that_passes_singular_positions_leaves_its_branch(family: str) -> None:
    verdicts = passing(family)
    assert len(verdicts) == 9
    lost = (Outcome.OFF_BRANCH, Outcome.NOT_FINITE, Outcome.CRASHED)
    assert [verdict for verdict in verdicts if verdict.outcome in lost] == []


@pytest.mark.parametrize("family", FAMILIES)
def test_at_the_default_tolerance_runs_are_right(family: str) -> None:
    assert [v for v in passing(family) if v.tol == 1e-6 and v.outcome is not Outcome.RIGHT] == []


def test_a_run_is_the_same_alone_as_in_company() -> None:
    in_company = passing("kites")[4]
    (alone,) = run_seeds(MECHANISMS["kites"], [in_company.seed])
    assert alone == in_company
