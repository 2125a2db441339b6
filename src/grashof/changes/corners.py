"""Corners of couplings: places where the slope of their equation jumps.

At a corner velocities would have to jump. That takes an infinite force, and the mechanics of rigid bodies does not
determine how much energy is lost. A run that passes one is therefore doubtful.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from grashof.changes.kinks import Kinks, find_kinks
from grashof.formulation.natural.equations import Dynamics
from grashof.model.measures import Measure
from grashof.scalar.dual import Dual
from grashof.scalar.functions import Scalar
from grashof.tape import Tape, trace

Array = NDArray[np.float64]

CONTINUOUS = 1e-6
"""Smallest jump that counts, relative to the largest slope of the equation; of its value also relative to the
mechanism's length, or to 1 rad if that is less."""

QUARTERS, AT_ONCE = 4, 256
"""Number of parts of a step at whose ends switches are compared, and of steps that are examined at once."""


@dataclass(frozen=True, eq=False)
class Corners:
    """The couplings that may have corners.

    names    those of the couplings
    steady   [t, m₁, …] → what may not jump: for each coupling its slopes and, unless it ties rates, its value
    counts   for each coupling the number of its slopes, and the number of values
    """

    dynamics: Dynamics
    measures: tuple[Measure, ...]
    names: tuple[str, ...]
    steady: Tape
    counts: tuple[tuple[int, int], ...]
    kinks: Kinks

    def first(self, t: Array, y: Array) -> tuple[float, str] | None:
        """The time of the first corner that was passed between the times t with states y (times, size), and the name
        of its coupling."""
        motion = self.dynamics.state([t, *y.T])
        jets = [motion.jet_of(measure) for measure in self.measures]
        values, rates = (
            np.array([np.broadcast_to(np.asarray(x, float), t.shape) for x in column])
            for column in zip(*((jet.value, jet.first) for jet in jets), strict=True)
        )
        moving = np.flatnonzero(np.diff(t) != 0.0)
        for first in range(0, len(moving), AT_ONCE):
            found = self._first_of(moving[first : first + AT_ONCE], t, values, rates)
            if found is not None:
                return found
        return None

    def _first_of(self, steps: NDArray[np.intp], t: Array, values: Array, rates: Array) -> tuple[float, str] | None:
        def place(s: Array) -> tuple[Array, Array]:
            """Time and measures on the cubics through the ends of the steps, numbered by s."""
            k = np.minimum(s.astype(np.intp), len(steps) - 1)
            theta, a, b = s - k, steps[k], steps[k] + 1
            w = t[b] - t[a]
            rise = values[:, b] - values[:, a]
            bend, twist = 3.0 * rise - w * (2.0 * rates[:, a] + rates[:, b]), w * (rates[:, a] + rates[:, b]) - 2 * rise
            x = values[:, a] + theta * (w * rates[:, a] + theta * (bend + theta * twist))
            return t[a] + theta * w, x.T

        grid = np.arange(QUARTERS * len(steps) + 1) / QUARTERS
        for left, right in self.kinks.along(place, grid):
            times, sides = place(np.array([left, right]))
            for name in self._jumping(times, sides):
                return float(times[1]), name
        return None

    def _jumping(self, times: Array, sides: Array) -> Iterator[str]:
        """The couplings whose slopes or values differ on two sides of a switch."""
        with np.errstate(all="ignore"):
            found = self.steady.evaluate([times, *sides.T])
        before, after = np.array([np.broadcast_to(np.asarray(x, float), 2) for x in found]).T
        k = 0
        for name, (slopes, values) in zip(self.names, self.counts, strict=True):
            size = float(np.max(np.abs([before[k : k + slopes], after[k : k + slopes]]), initial=0.0))
            jump = np.abs(after - before)[k : k + slopes + values]
            jump[slopes:] /= min(self.dynamics.length, 1.0)
            if np.any(jump > CONTINUOUS * size):
                yield name
            k += slopes + values


@lru_cache(maxsize=32)
def find_corners(dynamics: Dynamics) -> Corners | None:
    """The couplings of a mechanism that may have corners; None if there are none."""
    model = dynamics.model
    rows: list[tuple[str, Sequence[Measure], Callable[[list[Scalar], Scalar], list[Scalar]], int]] = []
    for row in dynamics.system.couplings:

        def steady(m: list[Scalar], t: Scalar, equation: Callable[..., Scalar] = row.coupling.equation) -> list[Scalar]:
            """∂F/∂mᵢ, ∂F/∂t and F."""
            slopes = []
            for i in range(len(m) + 1):
                moved = equation([Dual(x, 1.0 * (i == k)) for k, x in enumerate(m)], Dual(t, 1.0 * (i == len(m))))
                slopes.append(moved.slope if isinstance(moved, Dual) else 0.0)
            return [*slopes, equation(m, t)]

        rows.append((row.owner, row.measures, steady, 1))
    rows += [(x.name, x.measures(model.quantities), x.rate_factors, 0) for x in model.velocity_couplings]
    linear = any(table.kind == "linear" for table in model.tables)
    measures = tuple(dict.fromkeys(measure for _, tied, _, _ in rows for measure in tied))

    def all_of(
        function: Callable[[list[Scalar], Scalar], list[Scalar]], tied: Sequence[Measure]
    ) -> Callable[[list[Scalar]], list[Scalar]]:
        places = [1 + measures.index(measure) for measure in tied]
        return lambda x: function([x[k] for k in places], x[0])

    chosen = []
    for name, tied, function, values in rows:
        tape = trace(all_of(function, tied), 1 + len(measures))
        kinks = find_kinks(tape, pieces=linear)
        if kinks.in_motion or kinks.in_time:
            chosen.append((name, all_of(function, tied), (len(tape.outputs) - values, values)))
    if not chosen:
        return None
    whole = trace(lambda x: [value for _, function, _ in chosen for value in function(x)], 1 + len(measures))
    return Corners(
        dynamics,
        measures,
        tuple(name for name, _, _ in chosen),
        whole,
        tuple(counts for _, _, counts in chosen),
        find_kinks(whole, pieces=linear),
    )
