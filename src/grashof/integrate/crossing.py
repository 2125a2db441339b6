"""One long step across a singular position.

Where branches cross, constraints do not hold a mechanism on its own: next to such a position accelerations are quotients of small
numbers, and the steps of an explicit method become as small as the distance to it. But the motion is analytic. A step across is
a polynomial that satisfies the equations of motion at s points (collocation at the nodes c of Gauss's quadrature, of order 2s:
Hairer, Nørsett, Wanner I, II.7), wherever these are not singular:

    q(t₀ + θh) = q₀ + θh v₀ + h² ∬ a        a(t₀ + c_i h) = the accelerations there, at q and v put on the constraints

With s even none of the points is in the middle, where the singular position lies if h is chosen well. The accelerations are
iterated (Picard), beginning with those of the last steps, extrapolated. Steps with different points have to agree.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Protocol

import numpy as np
from numpy.polynomial import legendre, polynomial
from numpy.typing import NDArray

from grashof.analysis.nodes import NODE, Critical

Vector = NDArray[np.float64]

Guess = Callable[[Vector], Vector]
"""What the rates [a, ė] may be at some times."""

Dense = Callable[[Vector, Vector, Vector], Vector]
"""The states at times, the last argument, inside steps, whose times and states come first."""

POINTS = (6, 8, 10, 12, 14, 16)
"""Numbers of points, tried until two agree."""

AGREE, AGREE_INSIDE = 10.0, 100.0
"""By how many of the errors that a step may have, at its end and inside. There the order is s only, and the difference is the error of
the coarser one: that of the finer is smaller in the ratio of their last coefficients. So far may it be from the steps made, too."""

COMPARED = np.linspace(0.2, 1.0, 5)
"""Where, in parts of the step."""

GIVE_UP = 2
"""After so many numbers of points with which the iteration does not settle."""

ITERATIONS, SETTLED, NOISE = 25, 1e-13, 1e-6
"""The iteration has settled when rates change by less than the second, relatively, or by less than the third and it gets no better."""

TINY = 1e-300
"""No division by zero where nothing happens."""

BEGIN = (0.15, 0.05, 0.015, 0.005, 0.0015)
"""Distances at which to begin, as far as there are steps: accelerations are good there, and the way is short."""

BLOCK = 8
"""Steps whose distances are computed at once."""

LOOK_BACK = 200
"""Steps back, at most, to such a place."""

OVERSHOT = 4
"""Steps, at most, that may have gone too far already."""

GOOD = 0.1
"""Accelerations are good enough to guess others at so much of the distance where the step begins."""

SPANS = (2.0, 2.4, 1.7)
"""Lengths of the step, in times to the singular position: twice as long is best, but points may be too near to it by chance."""


GRID = 64
"""Times inside a step at which it is looked at."""

COARSE = 100.0
"""Where a step changes sides and it is not known why, it does not see distances of so many of the errors it may have."""


class Surroundings(Protocol):
    """The constraints near states.

    freedom     degrees of freedom, time being one of them if there are motors
    """

    freedom: int

    def distances(self, t: Vector, y: Vector) -> Vector:
        """How far from singular states are: 1 is far, and it falls in proportion to the way that is left."""

    def violations(self, t: Vector, y: Vector) -> Vector:
        """By how much states violate the constraints, m."""

    def critical_point(self, t: float, y: Vector, ahead: float) -> Critical | None:
        """The critical point that a state is near to; if it goes on as it does, it is there in a time of `ahead`."""

    def changes_of_side(self, t: Vector, y: Vector, dense: Dense) -> Iterator[int]:
        """The numbers of the steps in which a singular position seems to have been passed."""


class Flow(Protocol):
    """The equations of motion, with n coordinates."""

    n: int

    def derivative(self, t: float, y: Vector) -> Vector:
        """[a, ė]."""

    def projected(self, t: float, y: Vector) -> Vector:
        """The state put on the constraints."""


@dataclass(frozen=True, eq=False)
class Crossing:
    """The motion during such a step, from a state y = [q, v, e].

    rates    Legendre coefficients of [a, ė], (s, n + k)
    """

    begin: float
    length: float
    start: Vector
    rates: Vector

    @property
    def end(self) -> float:
        """When it is over, s."""
        return self.begin + self.length

    def at(self, times: Vector) -> tuple[Vector, Vector]:
        """States (m, 2n+k) and derivatives [a, ė] (m, n+k) at m times."""
        n, h = len(self.start) - self.rates.shape[1], self.length
        theta = (times - self.begin) / h
        value, once, twice = _basis(theta, len(self.rates))
        q = self.start[:n] + (h * theta)[:, None] * self.start[n : 2 * n] + h * h * (twice @ self.rates[:, :n])
        return np.hstack([q, self.start[n:] + h * (once @ self.rates)]), value @ self.rates


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
) -> Across | Miss | None:
    """What to do about the singular position that the last of these states are coming near to, if they are.

    A step leads across only if there is a node, a point of the branch at which the constraints are singular, and if the step passes it.

    patient   whether to try one
    """
    approach = _approach(times, states, surroundings)
    if approach is None:
        return None
    last = approach.last
    critical = surroundings.critical_point(float(times[last]), states[last], approach.left)
    if critical is None:
        return None
    if critical.gap > NODE * scale.length:
        return Miss(approach.rows[0], float(np.sqrt(critical.gap * scale.length)))
    if not patient:
        return None
    for rows, length, guess in _ways(flow, times, states, approach):
        if (times[rows[0]] + length - times[-1]) * length <= 0.0:
            continue
        found = _converged(flow, times[rows], states[rows], length, guess, scale.error)
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


def _converged(
    flow: Flow, times: Vector, states: Vector, h: float, guess: Guess, error: Callable[[Vector], float]
) -> tuple[Crossing, Vector] | None:
    """The step of length h from the first of these states with as many points as it takes, and its end."""
    t, y = float(times[0]), states[0]
    coarser: tuple[Vector, float] | None = None
    failed = 0
    for s in POINTS:
        crossing = collocate(flow, t, y, h, s, guess)
        if crossing is None:
            failed += 1
            if failed == GIVE_UP:
                return None
            continue
        seen, rest = crossing.at(t + h * COMPARED)[0], float(np.max(np.abs(crossing.rates[-2:])))
        seen[-1] = flow.projected(crossing.end, seen[-1])
        if coarser is not None:
            errors = [error(difference) for difference in seen - coarser[0]]
            inside = max(errors) * min(1.0, rest / max(coarser[1], TINY))
            from_steps = max(map(error, crossing.at(times)[0] - states))
            if errors[-1] <= AGREE and max(inside, from_steps) <= AGREE_INSIDE:
                return crossing, seen[-1]
        coarser = seen, rest
    return None


def collocate(flow: Flow, t: float, y: Vector, h: float, s: int, guess: Guess) -> Crossing | None:
    """The step of length h with s points; none if the iteration does not settle."""
    c, coefficients, once, twice = _points(s)
    n, times = flow.n, t + h * c
    drift, rates, change = y[:n] + (h * c)[:, None] * y[n : 2 * n], guess(times), np.inf
    for count in range(ITERATIONS):
        before = rates, change
        states = np.hstack([drift + h * h * (twice @ rates[:, :n]), y[n:] + h * (once @ rates)])
        rates = np.array([flow.derivative(at, flow.projected(at, x)) for at, x in zip(times, states, strict=True)])
        change = float(np.max(np.abs(rates - before[0])) / max(np.max(np.abs(rates)), TINY))
        if change < SETTLED or 0.5 * before[1] < change < NOISE:
            return Crossing(t, h, y, coefficients @ rates)
        if count > 3 and not change < before[1]:
            return None
    return None


@dataclass(frozen=True, eq=False)
class _Known:
    """What the last steps tell of a motion that meets the singular position at a time.

    rates    [a, ė] at times
    turns    whether it comes to rest there: motions that do so go back as they came
    """

    times: Vector
    rates: Vector
    meets: float
    turns: bool

    def span(self, factor: float) -> float:
        """A length of the step."""
        return factor * float(self.meets - self.times[0])

    def guess(self, times: Vector) -> Vector:
        """The rates at other times."""
        degree = min(2 if self.turns else 3, len(self.times) - 1)
        fit = polynomial.polyfit(self._clock(self.times), self.rates, degree)
        return np.asarray(polynomial.polyval(self._clock(times), fit).T)

    def _clock(self, times: Vector) -> Vector:
        ahead = (times - self.meets) / self.span(1.0)
        return ahead * ahead if self.turns else ahead


@dataclass(frozen=True, eq=False)
class _Approach:
    """The way towards a singular position.

    last     the row that is nearest to it
    rows     where a step across may begin, the farthest first
    left     the time from the last row to the singular position, if the distance goes on falling as it does
    far      the distances of rows, as far back as the first of `rows`
    """

    last: int
    rows: list[int]
    left: float
    far: Callable[[int], float]


def _approach(times: Vector, states: Vector, surroundings: Surroundings) -> _Approach | None:
    """The way that the last states made towards a singular position; None if they did not."""
    known: dict[int, float] = {}

    def far(row: int) -> float:
        if row not in known:
            first = max(0, row - BLOCK + 1)
            found = surroundings.distances(times[first : row + 1], states[first : row + 1])
            known.update(zip(range(first, row + 1), found.tolist(), strict=True))
        return known[row]

    last = len(times) - 1
    if far(last) >= BEGIN[0]:
        return None  # steps are short for another reason
    while last > max(len(times) - 1 - OVERSHOT, 0) and far(last - 1) < far(last):
        last -= 1
    if last < 1 or not far(last) < far(last - 1):
        return None
    rows = set()
    for wanted in BEGIN:
        row = last
        while far(row) < wanted and row > max(last - LOOK_BACK, 0) and far(row - 1) > far(row):
            row -= 1
        if far(last) < 0.5 * far(row):
            rows.add(row)
    if not rows:
        return None
    left = far(last) / (far(last - 1) - far(last)) * (times[last] - times[last - 1])
    return _Approach(last, sorted(rows), float(left), far)


def _ways(flow: Flow, times: Vector, states: Vector, approach: _Approach) -> Iterator[tuple[list[int], float, Guess]]:
    """Where to begin, how far to go, and guesses of the rates: the first of some rows on the way is where to begin."""
    last, left, far = approach.last, approach.left, approach.far
    for row in approach.rows:
        good = [k for k in range(row, last + 1) if far(k) > GOOD * far(row)]
        rates = np.array([flow.derivative(float(times[k]), states[k]) for k in good])
        passing = _Known(times[good], rates, float(times[last] + left), turns=False)
        # where it comes to rest on the way, it turns there
        v = states[last, flow.n : 2 * flow.n]
        slowing = -float(v @ passing.guess(times[last:])[0, : flow.n])
        rest = float(v @ v) / slowing if slowing * (times[last] - times[row]) > 0.0 else np.inf
        if abs(rest) < abs(times[last] - times[row]):
            for ahead in (rest, left):
                turning = _Known(times[good], rates, float(times[last] + ahead), turns=True)
                yield good, turning.span(2.0), turning.guess
        for factor in SPANS:
            yield good, passing.span(factor), passing.guess


@cache
def _points(s: int) -> tuple[Vector, Vector, Vector, Vector]:
    """c, and what makes of values there Legendre coefficients, integrals and double integrals from 0 to c."""
    c = (legendre.leggauss(s)[0] + 1.0) / 2.0
    value, once, twice = _basis(c, s)
    coefficients = np.asarray(np.linalg.inv(value), float)
    return c, coefficients, once @ coefficients, twice @ coefficients


def _basis(theta: Vector, s: int) -> tuple[Vector, Vector, Vector]:
    """Legendre polynomials on [0, 1] at θ, (m, s), their integrals from 0, and their double integrals."""
    polynomials = legendre.legvander(2.0 * theta - 1.0, s + 1)
    value, once, twice = (np.asarray(polynomials[:, : len(table)] @ table, float) for table in _integrals(s))
    return value, once, twice


@cache
def _integrals(s: int) -> tuple[Vector, Vector, Vector]:
    """Legendre coefficients, a column for each of s polynomials on [0, 1]: of itself, its integral and double integral from 0."""
    value, once, twice = (np.asarray(legendre.legint(np.eye(s), m, lbnd=-1) / 2.0**m, float) for m in range(3))
    return value, once, twice
