"""One long step across a singular position.

Where branches cross, constraints do not hold a mechanism on its own: next to such a position accelerations are quotients of small
numbers, and the steps of an explicit method become as small as the distance to it. But the motion is analytic: a step by collocation
leads across. With an even number of points none of them is in the middle, where the singular position lies if the length is chosen well.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from grashof.analysis.folds import Fold
from grashof.analysis.nodes import NODE, Critical
from grashof.integrate.approach import find_approach, ways
from grashof.integrate.collocation import AGREE_INSIDE, TINY, Crossing, Flow, Vector, converged

Dense = Callable[[Vector, Vector, Vector], Vector]
"""The states at times, the last argument, inside steps, whose times and states come first."""

GRID = 64
"""Times inside a step at which it is looked at."""

COARSE = 100.0
"""Where a step changes sides and it is not known why, it does not see distances of so many of the errors it may have."""


class Surroundings(Protocol):
    """The constraints near states.

    freedom     degrees of freedom, time being one of them if there are motors
    unheld      distances from singular, relative to the mechanism's length, at which constraints do not hold
    driven      whether motors, or other couplings that depend on time, move the mechanism
    """

    freedom: int
    unheld: float
    driven: bool

    def distances(self, t: Vector, y: Vector) -> Vector:
        """How far from singular states are: 1 is far, and it falls in proportion to the way that is left."""

    def violations(self, t: Vector, y: Vector) -> Vector:
        """By how much states violate the constraints, m."""

    def critical_point(self, t: float, y: Vector, ahead: float) -> Critical | None:
        """The critical point that a state is near to; if it goes on as it does, it is there in a time of `ahead`."""

    def fold(self, t: float, y: Vector, left: float) -> Fold | None:
        """The fold that a state is near to, whose distance from singular vanishes in a time of `left` if it goes on falling as it does."""

    def changes_of_side(self, t: Vector, y: Vector, dense: Dense) -> Iterator[int]:
        """The numbers of the steps in which a singular position seems to have been passed."""


@dataclass(frozen=True, eq=False)
class Across:
    """A step across a node: from which row, and the state at its end."""

    row: int
    crossing: Crossing
    end: Vector


@dataclass(frozen=True)
class Miss:
    """There is no node, but two parts of the branch that come near to each other: how near, m, and from which row on steps have to be small."""

    row: int
    size: float


@dataclass(frozen=True)
class Scale:
    """What a run may err: `error` is the size of a difference of states in units of what a step may; lengths are in m."""

    error: Callable[[Vector], float]
    length: float
    tolerance: float

    @property
    def inside(self) -> float:
        """What positions inside a step across may err, m."""
        return AGREE_INSIDE * self.tolerance * self.length


def cross(
    flow: Flow, times: Vector, states: Vector, surroundings: Surroundings, scale: Scale, *, patient: bool
) -> Across | Miss | Fold | None:
    """What to do about the singular position that the last of these states are coming near to, if they are.

    At a fold the motion ends. A step leads across only if there is a node, a point of the branch at which the constraints are singular, and if the
    step passes it.

    patient   whether to try one
    """
    approach = find_approach(times, states, surroundings.distances)
    if approach is None:
        return None
    last = approach.last
    fold = surroundings.fold(float(times[last]), states[last], approach.left)
    if fold is not None:
        return fold
    critical = surroundings.critical_point(float(times[last]), states[last], approach.left)
    if critical is None:
        return None
    if critical.gap > NODE * scale.length:
        return Miss(approach.rows[0], float(np.sqrt(critical.gap * scale.length)))
    if not patient:
        return None
    for rows, length, guess in ways(flow, times, states, approach):
        if (times[rows[0]] + length - times[-1]) * length <= 0.0:
            continue
        found = converged(flow, times[rows], states[rows], length, guess, scale.error)
        if found is None:
            continue
        crossing, end = found
        if not _holds(crossing, surroundings, scale):
            continue
        before, after = surroundings.distances(
            np.array([crossing.begin, crossing.end]), np.array([crossing.start, end])
        )
        if not after > 0.5 * before:
            continue
        missed = _missed_by(flow.n, crossing, critical, surroundings, scale)
        if missed <= scale.inside:
            return Across(rows[0], crossing, end)
        if surroundings.freedom > 1:
            return Miss(rows[0], missed)
    return None


def jumped(
    times: Vector,
    states: Vector,
    surroundings: Surroundings,
    scale: Scale,
    dense: Dense,
    known: Collection[float],
) -> Miss | None:
    """The first step that leads to the other side of a singular position that the mechanism cannot reach, and how near it comes.

    known   when steps across begin, which lead to the other side
    """
    for row in surroundings.changes_of_side(times, states, dense):
        time = float(times[row])
        if time in known:
            continue
        critical = surroundings.critical_point(time, states[row], 0.5 * float(times[row + 1] - time))
        if critical is None:
            return Miss(row, COARSE * scale.tolerance * scale.length)
        if critical.gap > NODE * scale.length:
            return Miss(row, float(np.sqrt(critical.gap * scale.length)))
    return None


def _holds(crossing: Crossing, surroundings: Surroundings, scale: Scale) -> bool:
    """Whether joints hold inside."""
    times = np.linspace(crossing.begin, crossing.end, GRID + 1)
    most = float(np.max(surroundings.violations(times, crossing.at(times)[0])))
    return most <= scale.inside


def _missed_by(n: int, crossing: Crossing, critical: Critical, surroundings: Surroundings, scale: Scale) -> float:
    """The distance, m, by which a step misses the critical point or, if it is one of many, the nearest of them."""
    times = np.linspace(crossing.begin, crossing.end, GRID + 1)
    if surroundings.freedom > 1:
        return scale.length * _least_distance(crossing, surroundings, enough=scale.inside / scale.length)
    ways = critical.q - crossing.at(times)[0][:, :n]
    k = int(np.argmin(np.linalg.norm(ways, axis=1)))
    time = times[k]
    for _ in range(4):  # Newton's method for the shortest way
        (state,), (rates,) = crossing.at(np.array([time]))
        way, v, a = critical.q - state[:n], state[n : 2 * n], rates[:n]
        time += np.clip(
            (v @ way) / max(v @ v - a @ way, TINY), times[max(k - 1, 0)] - time, times[min(k + 1, GRID)] - time
        )
    # where the motion turns before it reaches the critical point, what is left of the way lies along the path
    along = np.linalg.qr(np.stack([v, a], axis=1))[0]
    return float(np.linalg.norm(way - along @ (along.T @ way)))


def _least_distance(crossing: Crossing, surroundings: Surroundings, enough: float) -> float:
    """The least distance from singular inside a step, or one that is small enough.

    Where a singular position is met, the distance falls and rises in proportion to time: Newton's method, from the least of some values.
    """
    times = np.linspace(crossing.begin, crossing.end, 17)
    distances = surroundings.distances(times, crossing.at(times)[0])
    k = int(np.argmin(distances))
    bounds = sorted((times[max(k - 1, 0)], times[min(k + 1, 16)]))
    time, least, ahead = times[k], float(distances[k]), 1e-3 * crossing.length
    for _ in range(8):
        pair = np.array([time, time + ahead])
        here, there = surroundings.distances(pair, crossing.at(pair)[0])
        least = min(least, float(here))
        if least <= enough or here == there:
            break
        time = np.clip(time - here * ahead / (there - here), *bounds)
        ahead *= 0.1
    return least
