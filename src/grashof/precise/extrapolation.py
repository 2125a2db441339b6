"""Integration in decimal arithmetic of any precision, by extrapolation: the method of Gragg, Bulirsch and Stoer.

The midpoint rule with an even number n of steps over a distance H has an error with even powers of H/n only (W. Gragg,
SIAM J. Numer. Anal. 2, 1965), so that results for n = 2, 4, 6, … are extrapolated to n = ∞ by Aitken and Neville,

    T_{j,k+1} = T_{j,k} + (T_{j,k} − T_{j−1,k}) / ((n_j/n_{j−k})² − 1)

and each line of the tableau adds two orders (E. Hairer, S. Nørsett, G. Wanner, Solving Ordinary Differential Equations
I, II.9). Lines are added until two neighbours agree; if that takes too many, H is halved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal

State = list[Decimal]
Slope = Callable[[State], State]
"""ẏ = f(y): no explicit time."""
Done = Callable[[float], None]
"""Called with the fraction of the work that is done, 0 to 1."""

ONE = Decimal(1)


def integrate(
    slope: Slope, start: State, times: Sequence[Decimal], digits: int, done: Done = lambda part: None
) -> list[State]:
    """The states at the times, which begin at zero or later and do not decrease, with local errors of 10^−digits.

    Errors are relative to the larger of 1 and the component itself. The calculation uses the current decimal context.
    """
    tolerance = Decimal(10) ** -digits
    most = digits // 2  # with more lines than that, a shorter step is cheaper
    state, now, step, found = start, Decimal(0), Decimal(1), []
    for time in times:
        while now < time:
            step = min(step, time - now)
            try:
                arrived, lines = extrapolate(slope, state, step, tolerance, most)
            except ArithmeticError:  # a step that is far too long can lead to where nothing can be divided
                arrived, lines = None, most
            if arrived is None:
                step /= 2
                continue
            state, now = arrived, now + step
            done(float(now / times[-1]))
            if lines < most - 2:
                step *= Decimal("1.5")
        found.append(state)
    return found


def extrapolate(
    slope: Slope, start: State, distance: Decimal, tolerance: Decimal, most: int
) -> tuple[State | None, int]:
    """The extrapolated state and the lines it took; None if `most` lines do not agree to the tolerance."""
    first = slope(start)
    before: list[State] = []
    for line in range(1, most + 1):
        row = [_midpoint(slope, start, first, distance, 2 * line)]
        for k, above in enumerate(before):
            weight = 1 / ((Decimal(line) / (line - k - 1)) ** 2 - 1)
            row.append([x + (x - y) * weight for x, y in zip(row[-1], above, strict=True)])
        if line > 1 and all(abs(x - y) <= tolerance * max(ONE, abs(x)) for x, y in zip(row[-1], row[-2], strict=True)):
            return row[-1], line
        before = row
    return None, most


def _midpoint(slope: Slope, start: State, first: State, distance: Decimal, count: int) -> State:
    """`count` steps of the midpoint rule; `first` is the slope at the start."""
    h = distance / count
    twice = 2 * h
    behind, here = start, [y + h * f for y, f in zip(start, first, strict=True)]
    for _ in range(count - 1):
        behind, here = here, [y + twice * f for y, f in zip(behind, slope(here), strict=True)]
    return here
