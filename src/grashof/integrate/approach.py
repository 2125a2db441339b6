"""The approach to a singular position: where a step across may begin, how long it may be, and which rates to expect
during it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.polynomial import polynomial

from grashof.integrate.collocation import Flow, Guess, Vector
from grashof.scalar.algebra import roughly

BEGIN = (0.15, 0.05, 0.015, 0.005, 0.0015)
"""Distances at which to begin, where steps are available: accelerations are still accurate there, and the remaining
path is short."""

BLOCK = 8
"""Number of steps whose distances are computed in one batch."""

LOOK_BACK = 200
"""Largest number of steps to go back to find such a place."""

OVERSHOT = 4
"""Largest number of steps that may already have gone too far."""

GOOD = 0.1
"""Extrapolate only from steps whose distance exceeds this fraction of the distance at which the step across begins."""

SPANS = (2.0, 2.4, 1.7)
"""Lengths of the step, in multiples of the time to the singular position: two is best, but a point may happen to lie
too near to it."""

ROUGHLY = 20
"""Bits of what need not be accurate and is found by LAPACK, such as lengths of steps and first guesses: digits must
not depend on the processor."""

Distances = Callable[[Vector, Vector], Vector]
"""Distances of the states y at times t from singular ones."""


@dataclass(frozen=True, eq=False)
class Approach:
    """The path towards a singular position.

    last     the row nearest to it
    rows     where a step across may begin, the farthest first
    left     the time from the last row to the singular position, if the distance keeps falling at its present rate
    far      the distances of the rows, back to the first of `rows`
    """

    last: int
    rows: list[int]
    left: float
    far: Callable[[int], float]


def find_approach(times: Vector, states: Vector, distances: Distances) -> Approach | None:
    """The approach of the last states to a singular position; None if they do not approach one."""
    known: dict[int, float] = {}

    def far(row: int) -> float:
        if row not in known:
            first = max(0, row - BLOCK + 1)
            found = distances(times[first : row + 1], states[first : row + 1])
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
    return Approach(last, sorted(rows), float(left), far)


def ways(flow: Flow, times: Vector, states: Vector, approach: Approach) -> Iterator[tuple[list[int], float, Guess]]:
    """Candidates for the step across: rows on the path, the first of which is where it begins, its length, and a
    guess of the rates."""
    last, left, far = approach.last, approach.left, approach.far
    for row in approach.rows:
        good = [k for k in range(row, last + 1) if far(k) > GOOD * far(row)]
        rates = np.array([flow.derivative(float(times[k]), states[k]) for k in good])
        passing = _Known(times[good], rates, float(times[last] + left), turns=False)
        # where the mechanism comes to rest before the singular position, it turns back there
        v = states[last, flow.sizes.of_v]
        slowing = -float(v @ passing.guess(times[last:])[0, flow.sizes.of_a])
        rest = float(v @ v) / slowing if slowing * (times[last] - times[row]) > 0.0 else np.inf
        if abs(rest) < abs(times[last] - times[row]):
            for ahead in (rest, left):
                turning = _Known(times[good], rates, float(times[last] + ahead), turns=True)
                yield good, turning.span(2.0), turning.guess
        for factor in SPANS:
            yield good, passing.span(factor), passing.guess


@dataclass(frozen=True, eq=False)
class _Known:
    """What the last steps say about a motion that meets the singular position at a given time.

    rates    at these times
    turns    whether it comes to rest there: such motions retrace their path
    """

    times: Vector
    rates: Vector
    meets: float
    turns: bool

    def span(self, factor: float) -> float:
        """A length of the step."""
        return factor * float(roughly(self.meets - self.times[0], ROUGHLY))

    def guess(self, times: Vector) -> Vector:
        """The rates at other times."""
        degree = min(2 if self.turns else 3, len(self.times) - 1)
        fit = polynomial.polyfit(self._clock(self.times), self.rates, degree, full=True)[0]  # without a warning
        return roughly(polynomial.polyval(self._clock(times), fit).T, ROUGHLY)

    def _clock(self, times: Vector) -> Vector:
        ahead = (times - self.meets) / self.span(1.0)
        return ahead * ahead if self.turns else ahead
