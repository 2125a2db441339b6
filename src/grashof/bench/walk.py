"""The search: which setting to try next, so that the cheapest ones that reach the goals are found with few runs.

A ladder of settings goes from coarse to fine, so that later settings cost more. An option that changes monotonically
along it, such as a step or a tolerance, makes a run finer; settings that differ in other options, such as the method,
form families, each with its own ladder.

For each goal the search continues with the most accurate family so far, in strides of a quarter of its length, until a
setting reaches the goal. Bisection between the last miss and that setting then finds the coarsest one that reaches it;
in the other families, the finest setting that would be cheaper shows whether they contain a better one. The search
assumes that settings coarser than a miss also miss, which is usually but not always true; if no stride and none of the
finest settings reaches the goal, it is given up. Finally a finer setting is tried for the work-precision curve.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

Goal = Literal["rule", "agreement"]
GOALS: tuple[Goal, ...] = ("rule", "agreement")

FINER = 4
"""Distance of the finer setting for the curve from the coarsest one that agrees, in places of its family; at most
the finest."""


@dataclass(frozen=True)
class Tried:
    """The result of a setting: the goals it reached and its error in each, or that it took too long."""

    reached: frozenset[Goal] = frozenset()
    errors: Mapping[Goal, float] = field(default_factory=dict)
    too_long: bool = False


def next_place(groups: Sequence[Sequence[int]], tried: Mapping[int, Tried]) -> int | None:
    """The place to try next, given the families and what has been tried; None if the search is finished."""
    open_to = [_within_time(family, tried) for family in groups]
    for goal in GOALS:
        best = _best(goal, tried)
        place = _first(open_to, tried, goal) if best is None else _cheaper(open_to, tried, best)
        if place is not None:
            return place
    return _for_the_curve(open_to, tried)


def _best(goal: Goal, tried: Mapping[int, Tried]) -> int | None:
    return min((place for place, outcome in tried.items() if goal in outcome.reached), default=None)


def _within_time(family: Sequence[int], tried: Mapping[int, Tried]) -> Sequence[int]:
    """The settings up to the one that took too long. One may be stuck where a finer one is not: if none has ended
    before it, the next one to take too long counts."""
    ended = False
    for k, place in enumerate(family):
        if place in tried:
            if tried[place].too_long and ended:
                return family[:k]
            ended = True
    return family


def _first(groups: Sequence[Sequence[int]], tried: Mapping[int, Tried], goal: Goal) -> int | None:
    """The next setting for a goal not yet reached: in strides, then the finest of each family."""
    ahead: list[tuple[float, int]] = []
    for family in groups:
        stride = math.ceil(len(family) / 4)
        behind = [place for place in family if place in tried]
        error = tried[behind[-1]].errors.get(goal, math.inf) if behind else -1.0
        ahead += [(error, place) for place in family[max(0, stride - 1) :: max(1, stride)] if place not in tried]
    if ahead:
        return min(ahead)[1]
    return max((place for family in groups for place in family[-1:] if place not in tried), default=None)


def _cheaper(groups: Sequence[Sequence[int]], tried: Mapping[int, Tried], best: int) -> int | None:
    """The next setting between the coarsest one known to reach a goal and coarser ones."""
    for family in sorted(groups, key=lambda family: best not in family):
        end = bisect_left(family, best)
        missed = max((k for k, place in enumerate(family[:end]) if place in tried), default=-1)
        if end - missed > 1:
            return family[(missed + end) // 2 if best in family else end - 1]
    return None


def _for_the_curve(groups: Sequence[Sequence[int]], tried: Mapping[int, Tried]) -> int | None:
    best = _best("agreement", tried)
    for family in groups:
        if best in family:
            finer = family[min(family.index(best) + FINER, len(family) - 1)]
            return None if finer in tried else finer
    return None
