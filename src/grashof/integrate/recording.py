"""Rows of accepted steps: native code writes them, Python hands them over."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grashof.common.status import Code
from grashof.integrate.native import address

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Stretch:
    """Accepted steps that follow those of the previous stretch; the first row of the first stretch is the start.

    ended   how the run ended, in the last stretch
    """

    t: Vector
    y: Vector
    ended: Code | None = None


class RecordedRows:
    """Times and states of the last accepted steps that have not been handed over yet.

    before    number of rows already handed over
    places    addresses of times and states
    """

    def __init__(self, size: int, room: int, t: float, y: ArrayLike) -> None:
        self.times, self.states = np.empty(room), np.empty((room, size))
        self.times[0], self.states[0] = t, y
        self.before = 0
        self._locate()

    def make_room(self, count: int) -> None:
        """Makes room for this many rows."""
        if count > len(self.times):
            room = max(2 * len(self.times), count)
            self.times, self.states = _lengthen(self.times, room), _lengthen(self.states, room)
            self._locate()

    def hand_over(self, count: int, kept: int) -> tuple[Vector, Vector]:
        """Returns the first rows and drops them; `kept` more rows are kept."""
        t, y = self.times[:count].copy(), self.states[:count].copy()
        self.times[:kept], self.states[:kept] = self.times[count : count + kept], self.states[count : count + kept]
        self.before += count
        return t, y

    def _locate(self) -> None:
        self.places = address(self.times), address(self.states)


def _lengthen(array: Vector, rows: int) -> Vector:
    longer = np.empty((rows, *array.shape[1:]))
    longer[: len(array)] = array
    return longer
