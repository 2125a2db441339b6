"""Rows of accepted steps: native code writes them, Python hands them over."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grashof.common.status import Code
from grashof.integrate.inner import StepRecords, cut, widen
from grashof.integrate.methods import Method
from grashof.tape.arrays import address

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Stretch:
    """Accepted steps that follow those of the previous stretch; the first row of the first stretch is the start.

    records   what is recorded of the steps besides their ends
    ended     how the run ended, in the last stretch
    """

    t: Vector
    y: Vector
    records: StepRecords
    ended: Code | None = None

    def part(self, rows: slice, ended: Code | None = None) -> Stretch:
        """Some of the rows."""
        return Stretch(self.t[rows], self.y[rows], self.records.part(rows), ended)


class RecordedRows:
    """Times and states of the last accepted steps that have not been handed over yet, and what is recorded of the steps
    that end there (see `inner`).

    before    number of rows already handed over
    places    addresses of times, states, and Z
    """

    def __init__(self, size: int, room: int, t: float, y: ArrayLike, method: Method, inner: int) -> None:
        self.times, self.states, self.inner = np.empty(room), np.empty((room, size)), np.zeros((room, inner))
        self.which = np.zeros(room, np.int8)
        self.times[0], self.states[0] = t, y
        self.methods: tuple[Method, ...] = (method,)
        self.before, self._method = 0, 0
        self._locate()

    def make_room(self, count: int) -> None:
        """Makes room for this many rows."""
        if count > len(self.times):
            room = max(2 * len(self.times), count)
            self.times, self.states = _lengthen(self.times, room), _lengthen(self.states, room)
            self.inner, self.which = _lengthen(self.inner, room), _lengthen(self.which, room)
            self._locate()

    def use(self, method: Method, inner: int) -> None:
        """Goes on with steps of another method."""
        if method not in self.methods:
            self.methods = (*self.methods, method)
        self._method = self.methods.index(method)
        self.inner = widen(self.inner, inner)
        self._locate()

    def mark(self, first: int, end: int) -> None:
        """Notes that native code has made the steps which end in these rows."""
        self.which[first:end] = self._method

    def put(self, row: int, t: float, y: Vector) -> None:
        """Sets a row that ends no step."""
        self.times[row], self.states[row], self.inner[row], self.which[row] = t, y, 0.0, self._method

    def cut(self, row: int, t: float, y: Vector) -> None:
        """Ends the step that ends in a row earlier."""
        begun, method = self.times[row - 1], self.methods[self.which[row]]
        known = self.inner[row, : len(method.inner) * self.states.shape[1]]
        self.inner[row, : len(known)] = cut(method.inner, known, (t - begun) / (self.times[row] - begun))
        self.times[row], self.states[row] = t, y

    def part(self, rows: slice, ended: Code | None = None) -> Stretch:
        """Some of the rows, copied."""
        records = StepRecords(self.methods, self.which[rows].copy(), self.inner[rows].copy())
        return Stretch(self.times[rows].copy(), self.states[rows].copy(), records, ended)

    def hand_over(self, count: int, kept: int) -> Stretch:
        """Returns the first rows and drops them; `kept` more rows are kept."""
        found = self.part(slice(0, count))
        for x in (self.times, self.states, self.inner, self.which):
            x[:kept] = x[count : count + kept]
        self.before += count
        return found

    def _locate(self) -> None:
        self.places = address(self.times), address(self.states), address(self.inner)


def _lengthen(array: NDArray[Any], rows: int) -> NDArray[Any]:
    longer = np.zeros((rows, *array.shape[1:]), array.dtype)
    longer[: len(array)] = array
    return longer
