"""The search for the cheapest setting at each goal: it finds the same as trying all of them would, with fewer runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

from grashof.bench.messages import BenchRung
from grashof.bench.walk import Tried, next_place
from grashof.engines.base import families

LADDER = [
    BenchRung(f"{kind}, h = {h}", {"kind": kind, "h": h}, 0)
    for h in (0.5**k for k in range(20))
    for kind in ("soft", "firm")
]
SOFT, FIRM = families(LADDER)


def walked(groups: Sequence[Sequence[int]], run: Callable[[int], Tried]) -> Mapping[int, Tried]:
    """All that is tried, in order."""
    tried: dict[int, Tried] = {}
    while (place := next_place(groups, tried)) is not None:
        assert place not in tried
        tried[place] = run(place)
    return tried


def errs(error: Callable[[int], float], rule: float, agreement: float) -> Callable[[int], Tried]:
    """An engine of this error at a place, and the errors that the goals allow."""

    def run(place: int) -> Tried:
        goals = {"rule": rule, "agreement": agreement}
        reached = frozenset(goal for goal, allowed in goals.items() if error(place) <= allowed)
        return Tried(reached, dict.fromkeys(goals, error(place)))  # type: ignore[arg-type]

    return run


def coarsest(tried: Mapping[int, Tried], goal: str) -> int:
    return min(place for place, outcome in tried.items() if goal in outcome.reached)


def test_options_that_go_back_and_forth_make_families() -> None:
    assert list(range(0, 40, 2)) == SOFT
    assert list(range(1, 40, 2)) == FIRM
    tolerances = [BenchRung(f"{a:g}", {"accuracy": a, "constraints": a / 10}, 0) for a in (1e-2, 1e-4, 1e-6)]
    assert families(tolerances) == [[0, 1, 2]]


@pytest.mark.parametrize("rule", range(0, 40, 3))
@pytest.mark.parametrize("agreement", range(0, 40, 7))
def test_where_finer_errs_less_the_cheapest_settings_are_found_with_few_runs(rule: int, agreement: int) -> None:
    tried = walked([SOFT, FIRM], errs(lambda place: 0.7**place, 0.7**rule, 0.7**agreement))
    assert coarsest(tried, "rule") == rule
    assert coarsest(tried, "agreement") == agreement
    assert len(tried) <= len(LADDER) // 2


def test_the_better_family_is_found() -> None:
    tried = walked([SOFT, FIRM], errs(lambda place: 0.7**place * (1.0 if place in FIRM else 100.0), 0.7**21, 0.7**31))
    assert (coarsest(tried, "rule"), coarsest(tried, "agreement")) == (21, 31)
    assert len(tried) <= 12


def test_a_goal_is_given_up_when_strides_and_the_finest_of_each_family_miss_it() -> None:
    hopeless = walked([SOFT, FIRM], errs(lambda place: 1.0, 0.5, 0.5))
    assert {SOFT[-1], FIRM[-1]} <= set(hopeless)
    assert len(hopeless) <= 10
    just = errs(lambda place: 0.0 if place == FIRM[-1] else 1.0, 0.5, 0.5)
    assert coarsest(walked([SOFT, FIRM], just), "rule") == FIRM[-1]


def test_nothing_finer_is_tried_than_what_took_too_long() -> None:
    slow = walked([SOFT], lambda place: Tried(too_long=place >= 18))
    assert max(slow) == 18
    assert 16 in slow  # the finest that does not


def test_a_coarse_setting_that_is_stuck_does_not_end_the_search() -> None:
    tried = walked(
        [SOFT], lambda place: Tried(frozenset({"rule", "agreement"})) if place >= 12 else Tried(too_long=True)
    )
    assert coarsest(tried, "rule") == 12
