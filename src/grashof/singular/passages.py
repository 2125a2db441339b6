"""Whether the steps of a run pass singular positions, in any formulation."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from grashof.formulation.protocol import Formulation
from grashof.singular.sides import SIDES, Sides
from grashof.singular.start_branches import least_singular_values
from grashof.tape import Library

Array = NDArray[np.float64]

Dense = Callable[[slice, Array], Array]
"""Dense output: the states inside steps, given the rows at the ends of the steps, and the times of the samples."""

LOW, DIP, AROUND = 0.01, 1e-3, 200
"""A singular position is looked for in steps whose squared determinant is smaller than this fraction of the largest
one among so many steps before and after; the smallest singular value has to fall below the second fraction of its
value at that step, or be so small that it cannot be told from zero."""

SHALLOW, ROUNDS = 0.3, 6
"""The smallest singular value does not vanish inside an interval if ten samples all exceed this fraction of its
values at both ends; number of times that the interval is narrowed."""

INSIDE = 9
"""Number of parts into which a step is divided when it is examined inside."""


class Passages:
    """The constraints around the states y = [q, v, …] of a run.

    redundant   number of rows that other rows imply at every position
    library     that of the mechanism
    """

    def __init__(self, formulation: Formulation, redundant: int, library: Library | None = None) -> None:
        self.sides = Sides(formulation, redundant, library)
        self.formulation, self.redundant, self.unheld = formulation, redundant, formulation.unheld
        self.driven = bool(formulation.natural.system.driving)
        self.freedom = formulation.freedom(redundant) + self.driven

    def distances(self, t: Array, y: Array) -> Array:
        """The distances of states from singular ones, by which a run looks for steps across these."""
        return self._least_values(t, y)

    def _least_values(self, t: Array, y: Array) -> Array:
        """The smallest singular values of the rows at states."""
        return least_singular_values(self.formulation, t, y[:, : self.formulation.layout.nq], self.redundant)

    def violations(self, t: Array, y: Array) -> Array:
        """The largest violation of each state, m."""
        layout = self.formulation.layout
        turns = self.formulation.rows.turns(list(y[:, layout.of_e].T))
        rows = self.formulation.rows.violation(t, list(y[:, layout.of_q].T), turns)
        return np.asarray(np.max(np.abs(np.broadcast_arrays(*rows)), axis=0)) if rows else np.zeros(len(t))

    def passages(self, t: Array, y: Array, dense: Dense) -> Iterator[tuple[int, bool]]:
        """The indices of the steps in which the mechanism seems to have passed a singular position, and whether it has
        changed sides.

        It has if the determinant has another sign (see `sides`); rows that rotate far may have the same effect, so such
        steps are divided. Where branches touch, determinants may keep their sign. But next to such a position they are
        small, so it is looked for where they are smallest.

        dense   the dense output: states at times (the last argument) inside steps, given the rows at their ends
        """
        if self.formulation.rows.count > SIDES:
            return
        alike, squares = self.sides.compared(t, y)
        for k in np.flatnonzero(~alike | self._low(squares)).tolist():
            if not alike[k] and self._changes_side(t, y, slice(k, k + 2), dense):
                yield k, True
            elif self._dips(t, y, k, squares, dense):
                yield k, False

    def _changes_side(self, t: Array, y: Array, step: slice, dense: Dense) -> bool:
        """Whether the determinant still has another sign if a step is divided where it changes."""
        times, states = t[step], y[step]
        for _ in range(2):
            times = np.linspace(times[0], times[-1], INSIDE + 1)
            states = np.vstack([states[:1], dense(step, times[1:-1]), states[-1:]])
            changed = np.flatnonzero(~self.sides.alike(times, states, turned=-1.0))
            if not changed.size:
                return False
            times, states = times[changed[0] :][:2], states[changed[0] :][:2]
        return True

    def _low(self, squares: Array) -> NDArray[np.bool_]:
        """Which steps have the smallest determinants, much smaller than that of some step nearby."""
        low: NDArray[np.bool_] = squares < LOW * squares.max()
        if low.any():
            low[:-1] &= squares[:-1] <= squares[1:]
            low[1:] &= squares[1:] <= squares[:-1]
        for k in np.flatnonzero(low).tolist():
            low[k] = squares[k] < LOW * np.max(squares[max(k - AROUND, 0) : k + AROUND])
        return low

    def _dips(self, t: Array, y: Array, k: int, squares: Array, dense: Dense) -> bool:
        """Whether the smallest singular value falls to nearly zero in a step or next to it."""
        first, last = max(k - 1, 0), min(k + 2, len(t) - 1)
        around = max(k - AROUND, 0)
        clear = around + int(np.argmax(squares[around : k + AROUND]))
        far = float(self._least_values(t[clear : clear + 1], y[clear : clear + 1])[0])
        steps, low, high, least = slice(first, last + 1), float(t[first]), float(t[last]), np.inf
        for _ in range(ROUNDS):
            times = np.linspace(low, high, INSIDE + 1)
            states = dense(steps, times)
            distances = self._least_values(times, states)
            k = int(np.argmin(distances))
            least = min(least, float(distances[k]))
            # the state itself may be off the constraints, and is displaced most where they are singular
            off = float(self.violations(times[k : k + 1], states[k : k + 1])[0]) / self.formulation.length
            if least < max(DIP * far, self.unheld, np.sqrt(off)):
                return True
            if least > SHALLOW * min(distances[0], distances[-1]):
                return False
            low, high = float(times[max(k - 1, 0)]), float(times[min(k + 1, INSIDE)])
        return False
