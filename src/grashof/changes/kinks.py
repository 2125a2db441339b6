"""Kinks: places where an expression switches from one of its parts to another.

`where`, `absolute`, `sign`, `minimum` and `maximum` switch with the sign of a value, `floor` and the pieces of tables
with an integer: these are the switches of a tape. Those that depend on time alone are found to the last bit before a
run; those that depend on the motion are examined after it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grashof.scalar.functions import Scalar, where
from grashof.tape import Tape, trace
from grashof.tape.tape import live

Array = NDArray[np.float64]

MOST = 10_000
"""If there are more kinks than this, they are left to the error control."""

APART = 8
"""Distance of a stop from its kink on either side, in units in the last place of the time."""

SECTIONS = 64
"""Number of parts into which the time of a change is divided to locate it, again and again: in nine rounds, down to
neighbouring floating-point numbers."""

MOSTLY = 0.9
"""What acts for more than this fraction of a step has been noticed by the step."""

Stop = tuple[float, float]
"""The last time before a kink, and the first one after it, s."""

SWITCHES = ("where", "absolute", "sign")
"""Operations that change with the sign of their first operand."""


class Switch(NamedTuple):
    """A switch: the sign of an output of a tape or of the difference of two, or an output that is an integer."""

    output: int
    other: int | None = None
    whole: bool = False


Switches = tuple[Switch, ...]


@dataclass(frozen=True, eq=False)
class Kinks:
    """The switches of a function [t, q, v, e] → efforts.

    tape        its outputs determine the positions of the switches
    in_time     the switches that depend on time alone
    in_motion   the other ones
    """

    tape: Tape
    in_time: Switches
    in_motion: Switches

    def _positions(self, switches: Switches, t: Array, y: Array) -> Array:
        """The positions of switches at some times and states y (times, size), (switches, times): integers, or 1
        where the value is positive and 0 elsewhere."""
        with np.errstate(all="ignore"):
            found = self.tape.evaluate([t, *y.T])
        outputs = [np.broadcast_to(np.asarray(x, float), t.shape) for x in found]
        rows = np.array([outputs[a] if b is None else outputs[a] - outputs[b] for a, b, _ in switches])
        whole = np.array([switch.whole for switch in switches])
        return np.where(whole[:, None], rows, rows > 0.0)

    def position_tape(self) -> Tape:
        """The positions of all switches, those that depend on time alone first, as a tape."""

        def positions(*lists: list[Scalar]) -> list[Scalar]:
            found = self.tape.evaluate([x for part in lists for x in part])
            values = [
                (found[a] if b is None else found[a] - found[b], whole)
                for a, b, whole in (*self.in_time, *self.in_motion)
            ]
            return [x if whole else where(x, 1.0, 0.0) for x, whole in values]

        return trace(positions, *self.tape.sizes)

    def value_tape(self) -> Tape:
        """The values whose signs are the positions of the switches that depend on the motion, as a tape; those of
        integers are left out."""

        def values(*lists: list[Scalar]) -> list[Scalar]:
            found = self.tape.evaluate([x for part in lists for x in part])
            return [found[a] if b is None else found[a] - found[b] for a, b, whole in self.in_motion if not whole]

        return trace(values, *self.tape.sizes)

    def passed(self, t: Array, y: Array, sample: Callable[[int, Array], Array]) -> list[Stop]:
        """Stops inside the first step during which switches that depend on the motion change twice: what acts only in
        between may have been missed. One of them is in the middle, where the slope of steep friction is seen.

        t, y     the steps
        sample   states inside a step, given by its number, at some times
        """
        switches = self.in_motion
        seen = self._positions(switches, t, y)
        for k in np.flatnonzero((np.sum(np.abs(np.diff(seen)), axis=0) > 1.0) & (np.diff(t) > 0.0)).tolist():
            changing = tuple(
                switch for switch, *ends in zip(switches, seen[:, k], seen[:, k + 1], strict=True) if ends[0] != ends[1]
            )
            found = self._changes(changing, float(t[k]), float(t[k + 1]), partial(sample, k))
            apart = found[-1][1] - found[0][0]
            if APART * math.ulp(found[-1][1]) < apart < MOSTLY * (t[k + 1] - t[k]):
                middle = 0.5 * (found[0][1] + found[-1][0])
                return sorted([*found, (middle, middle)])
        return []

    def _changes(self, switches: Switches, left: float, right: float, sample: Callable[[Array], Array]) -> list[Stop]:
        """The neighbouring floating-point times between which each of these switches, which differ at left and
        right, first changes."""
        before = self._positions(switches, np.array([left]), sample(np.array([left])))[:, 0]
        own = np.arange(len(switches))
        begin, end = np.full(len(switches), left), np.full(len(switches), right)
        while np.any((begin < 0.5 * (begin + end)) & (0.5 * (begin + end) < end)):
            times = np.linspace(begin, end, SECTIONS + 1)
            order = np.argsort(times, axis=None, kind="stable")
            seen = self._positions(switches, times.ravel()[order], sample(times.ravel()[order]))
            place = np.empty(times.size, np.intp)
            place[order] = np.arange(times.size)
            changed = seen[own, place.reshape(times.shape)] != before
            changed[0], changed[-1] = False, True
            first = np.argmax(changed, axis=0)
            begin, end = times[first - 1, own], times[first, own]
        return sorted(zip(begin.tolist(), end.tolist(), strict=True))

    def between(self, grid: Array) -> list[Stop]:
        """The neighbouring floating-point times between which a function of time switches."""
        unread = np.zeros((1, self.tape.inputs - 1))
        return find_changes(lambda t: self._positions(self.in_time, t, unread), grid) if self.in_time else []

    def along(self, place: Callable[[Array], tuple[Array, Array]], grid: Array) -> list[Stop]:
        """The neighbouring numbers between which any switch changes on a curve: `place` gives the times and states
        (numbers, size) at some numbers."""
        return find_changes(lambda s: self._positions((*self.in_time, *self.in_motion), *place(s)), grid)


def find_changes(positions: Callable[[Array], Array], grid: Array) -> list[Stop]:
    """The neighbouring floating-point numbers between which positions of switches (switches, numbers) change; none if
    there are too many."""
    seen = positions(grid)
    changes = np.abs(np.diff(seen))
    if not np.sum(changes) <= MOST:
        return []

    def at_once(which: NDArray[np.intp], t: Array) -> Array:
        """The position of one switch at each number."""
        found: Array = positions(t)[which, np.arange(len(which))]
        return found

    which, cells = np.nonzero(changes)
    begin, end, before, last = grid[cells], grid[cells + 1], seen[which, cells], seen[which, cells + 1]
    kinks: list[Stop] = []
    while len(which):  # an integer may change several times within a cell
        left, right = begin, end
        while np.any(open_ := (left < (middle := 0.5 * (left + right))) & (middle < right)):
            same = at_once(which, middle) == before
            left, right = np.where(open_ & same, middle, left), np.where(open_ & ~same, middle, right)
        kinks += zip(left.tolist(), right.tolist(), strict=True)
        before = at_once(which, right)
        again = (before != last) & (right < end)
        which, begin, end, before, last = (x[again] for x in (which, right, end, before, last))
    return sorted(kinks)


def find_kinks(efforts: Tape, *, pieces: bool = False) -> Kinks:
    """The switches in a tape.

    pieces   whether those between the pieces of tables are included if their argument depends on the motion: a step may
             pass many of them, and the error control handles them in forces
    """
    statements = efforts.statements
    timely = _functions_of_time(efforts)
    found: dict[Switch, None] = {}
    for k, (operation, *operands) in enumerate(statements):
        if operation in ("minimum", "maximum"):
            found[Switch(*operands)] = None
        elif operation in SWITCHES:
            found |= dict.fromkeys(Switch(factor) for factor in _factors(statements, operands[0]))
        elif operation == "floor" or (operation == "interval" and (pieces or timely[k])):
            found[Switch(k, whole=True)] = None
    outputs = list(dict.fromkeys(k for x in found for k in (x.output, x.other) if k is not None))
    smaller = live(Tape(efforts.sizes, efforts.words, efforts.constants, efforts.lists, tuple(outputs), efforts.blocks))
    where = {k: i for i, k in enumerate(outputs)}
    kinds: tuple[list[Switch], ...] = [], []
    for a, b, whole in found:
        alone = timely[a] and (b is None or timely[b])
        kinds[0 if alone else 1].append(Switch(where[a], None if b is None else where[b], whole))
    return Kinks(smaller, tuple(kinds[0]), tuple(kinds[1]))


def _functions_of_time(tape: Tape) -> list[bool]:
    """Which values of a tape depend on no input but the first."""
    known: list[bool] = []
    for operation, *operands in tape.statements:
        if operation == "input":
            known.append(operands[0] == 0)
        elif operation == "constant":
            known.append(True)
        else:
            known.append(operation not in ("call", "result") and all(known[k] for k in operands))
    return known


def _factors(statements: Sequence[tuple[object, ...]], k: int) -> Iterator[int]:
    """The values whose zeros are those of value k: the factors of a product or quotient, however short the time
    between their zeros."""
    operation, *operands = statements[k]
    if operation in ("multiply", "divide", "negate", "minimum", "maximum"):
        for operand in operands:
            yield from _factors(statements, operand)  # type: ignore[arg-type]
    elif operation != "constant":
        yield k


def merge_stops(stops: Sequence[Stop], begin: float, end: float) -> list[Stop]:
    """The stops in ascending order, within the run, at a small distance from their kinks, and without duplicates. A
    stop that is a single time is not a kink."""
    found: list[Stop] = []
    for left, right in sorted(stops):
        clear = APART * math.ulp(max(abs(left), abs(right), end - begin)) if left < right else 0.0
        left, right = max(left - clear, begin), min(max(right + clear, math.nextafter(left, math.inf)), end)
        if found and left <= found[-1][1]:
            found[-1] = found[-1][0], max(right, found[-1][1])
        elif left < end:
            found.append((left, right))
    return [(left, right) for left, right in found if right < end]
