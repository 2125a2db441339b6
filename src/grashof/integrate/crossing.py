"""One long step across a singular position.

Where branches cross, the constraints do not keep a mechanism on its own branch. Near such a position accelerations are
quotients of small numbers, and the steps of an explicit method become as small as the distance to it. But the motion is
analytic, so a collocation step leads across. With an even number of points none of them is in the middle, where the
singular position lies if the length is well chosen.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from grashof.integrate.approach import BLOCK, LOOK_BACK, find_approach, ways
from grashof.integrate.collocation import AGREE_INSIDE, TINY, Crossing, Flow, Vector, converge_step
from grashof.integrate.following import Curves, Guided
from grashof.singular.critical_points import NODE, Critical
from grashof.singular.curves import Continuation, Unknown
from grashof.singular.folds import Fold

Dense = Callable[[slice, Vector], Vector]
"""Dense output: the states inside steps. The arguments are the rows at the ends of the steps, and the times of the
samples."""

GRID = 64
"""Number of times inside a step at which it is examined."""

COARSE = 100.0
"""Where a step changes sides for an unknown reason, it is assumed not to resolve distances below this many permitted
step errors."""


CLEAR, AWAY = 100.0, 3e-3
"""A configuration curve is followed from where the distance from singular exceeds both this many permitted step
errors, so that the motion is certainly on its own branch, and the second number."""


class CrossingSurroundings(Protocol):
    """The constraints near given states.

    freedom     degrees of freedom; time counts as one if there are motors
    unheld      distances from singular, relative to the mechanism's length, below which the constraints are not
                enforced
    driven      whether motors, or other couplings that depend on time, move the mechanism
    """

    freedom: int
    unheld: float
    driven: bool

    def distances(self, t: Vector, y: Vector) -> Vector:
        """How far from singular the states are: 1 is far, and the value falls in proportion to the remaining path."""

    def violations(self, t: Vector, y: Vector) -> Vector:
        """By how much the states violate the constraints, m."""

    def critical_point(self, t: float, y: Vector, ahead: float) -> Critical | None:
        """The critical point near a state, which reaches it after a time `ahead` if it continues at its present
        rate."""

    def fold(self, t: float, y: Vector, left: float) -> Fold | None:
        """The fold near a state whose distance from singular vanishes after a time `left` if it keeps falling at its
        present rate."""

    def continuation(self, t: float, y: Vector, forward: float) -> Continuation | None:
        """The configuration curve through the singular position ahead of a state; None if there is none. Raises
        `Unknown` if it is not certain."""

    def motion_along(self, curve: Continuation) -> Guided:
        """The equations of motion on a configuration curve."""

    def passages(self, t: Vector, y: Vector, dense: Dense) -> Iterator[tuple[int, bool]]:
        """The indices of the steps in which a singular position seems to have been passed, and whether the
        constraints have changed sides."""


@dataclass(frozen=True, eq=False)
class Across:
    """A step across a node: the row it starts from, and the state at its end."""

    row: int
    crossing: Crossing
    end: Vector


@dataclass(frozen=True)
class Miss:
    """There is no node, but two parts of the branch come close to each other: how close, m, and the row from which
    on steps have to be small."""

    row: int
    size: float


@dataclass(frozen=True, eq=False)
class Follow:
    """Branches touch: the curve that continues the motion, and the row from which on it is to be followed."""

    row: int
    curve: Continuation


@dataclass(frozen=True)
class Lost:
    """There is a singular position, but it is not known how the motion continues: the row before it."""

    row: int


@dataclass(frozen=True)
class Scale:
    """The permitted errors of a run: `error` is the size of a difference of states in units of the permitted step
    error; lengths are in m."""

    error: Callable[[Vector], float]
    length: float
    tolerance: float

    @property
    def inside(self) -> float:
        """The permitted error of positions inside a step across, m."""
        return AGREE_INSIDE * self.tolerance * self.length


def cross(
    flow: Flow,
    times: Vector,
    states: Vector,
    surroundings: CrossingSurroundings,
    scale: Scale,
    curves: Curves,
    *,
    patient: bool,
) -> Across | Miss | Fold | Follow | Lost | None:
    """What to do about the singular position that the last of these states approach, if they approach one.

    At a fold the motion ends. A step leads across only if there is a node, that is, a point of the branch at which the
    constraints are singular, and if the step passes through it.

    patient   whether to try a step across
    """
    approach = find_approach(times, states, surroundings.distances)
    if approach is None:
        return None
    last = approach.last
    fold = surroundings.fold(float(times[last]), states[last], approach.left)
    if fold is not None:
        return fold
    critical = surroundings.critical_point(float(times[last]), states[last], approach.left)
    if critical is not None and critical.gap > NODE * scale.length:
        return Miss(approach.rows[0], float(np.sqrt(critical.gap * scale.length)))
    if critical is None or not critical.simple:
        found = touching_curve(times, states, last, surroundings, scale, curves)
        # with several degrees of freedom, or motors, it may not be reached
        return None if isinstance(found, Lost) and (surroundings.freedom > 1 or surroundings.driven) else found
    if not patient:
        return None
    for rows, length, guess in ways(flow, times, states, approach):
        if (times[rows[0]] + length - times[-1]) * length <= 0.0:
            continue
        step = converge_step(flow, times[rows], states[rows], length, guess, scale.error)
        if step is None:
            continue
        crossing, end = step
        if not _holds(crossing, surroundings, scale):
            continue
        missed = _missed_by(crossing, critical, surroundings, scale)
        if missed <= scale.inside:
            return Across(rows[0], crossing, end)
        if surroundings.freedom > 1:
            return Miss(rows[0], missed)
    return None


def first_jump(
    times: Vector,
    states: Vector,
    surroundings: CrossingSurroundings,
    scale: Scale,
    dense: Dense,
    known: set[float],
    curves: Curves,
) -> Miss | Follow | Lost | None:
    """The first step that passes a singular position in another way than by crossing a node, and what to do about it.

    It may jump to the other side of a singular position that the mechanism cannot reach, or pass one at which branches
    touch.

    known   the times at which steps across begin: these lead to the other side by design
    """
    for row, changed in surroundings.passages(times, states, dense):
        time = float(times[row])
        if known.intersection(times[max(row - 1, 0) : row + 2].tolist()):
            continue
        critical = surroundings.critical_point(time, states[row], 0.5 * float(times[row + 1] - time))
        if critical is not None and critical.gap > NODE * scale.length:
            if changed:
                return Miss(row, float(np.sqrt(critical.gap * scale.length)))
            continue
        if critical is not None and critical.simple and changed:
            continue
        found = touching_curve(times, states, row, surroundings, scale, curves)
        if found is not None:
            return found
        if changed and critical is None:
            return Miss(row, COARSE * scale.tolerance * scale.length)
    return None


def touching_curve(
    times: Vector, states: Vector, last: int, surroundings: CrossingSurroundings, scale: Scale, curves: Curves
) -> Follow | Lost | None:
    """The configuration curve through the singular position after a row, at which branches touch; None if there is
    no such position."""
    clear, row, nearer = max(CLEAR * scale.tolerance, AWAY), last, 0.0
    first = last + 1
    while row >= max(last - LOOK_BACK, 0):
        if row < first:
            first = max(0, row - BLOCK + 1)
            distances = surroundings.distances(times[first : row + 1], states[first : row + 1])
        here = float(distances[row - first])
        if here < nearer:
            row += 1
            break
        nearer = here
        if here > clear or row == 0:
            break
        row -= 1
    try:
        curve = curves.ahead(float(times[row]), states[row], float(np.sign(times[-1] - times[0])))
    except Unknown:
        return Lost(last)
    return None if curve is None else Follow(row, curve)


def _holds(crossing: Crossing, surroundings: CrossingSurroundings, scale: Scale) -> bool:
    """Whether the constraints are satisfied inside the step."""
    times = np.linspace(crossing.begin, crossing.end, GRID + 1)
    most = float(np.max(surroundings.violations(times, crossing.at(times)[0])))
    return most <= scale.inside


def _missed_by(crossing: Crossing, critical: Critical, surroundings: CrossingSurroundings, scale: Scale) -> float:
    """The distance, m, by which a step misses the critical point or, if it is one of many, the nearest of them."""
    times = np.linspace(crossing.begin, crossing.end, GRID + 1)
    if surroundings.freedom > 1:
        return scale.length * _least_distance(crossing, surroundings, enough=scale.inside / scale.length)
    sizes = crossing.sizes
    ways = critical.q - crossing.at(times)[0][:, sizes.of_q]
    k = int(np.argmin(np.linalg.norm(ways, axis=1)))
    time = times[k]
    for _ in range(4):  # Newton's method for the shortest distance
        (state,), (rates,) = crossing.at(np.array([time]))
        way, v, a = critical.q - state[sizes.of_q], state[sizes.of_v], rates[sizes.of_a]
        time += np.clip(
            (v @ way) / max(v @ v - a @ way, TINY), times[max(k - 1, 0)] - time, times[min(k + 1, GRID)] - time
        )
    # where the motion turns back before it reaches the critical point, the remaining distance lies along the path
    along = np.linalg.qr(np.stack([v, a], axis=1))[0]
    return float(np.linalg.norm(way - along @ (along.T @ way)))


def _least_distance(crossing: Crossing, surroundings: CrossingSurroundings, enough: float) -> float:
    """The least distance from singular inside a step, or one that is small enough.

    At a singular position the distance falls and rises in proportion to time, so Newton's method starts from the least
    of some sampled values.
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
