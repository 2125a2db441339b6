"""What the equations of motion owe to time itself: kinks, pulses, and how fast they change.

An integrator sees forces and laws only at the stages of its steps. A mechanism at rest lets it take long steps, over pulses that
are shorter. Before a run, the generalized forces Q(t, q, v) and the motors' factors with their derivatives are therefore looked at as
functions of time alone, at a few fixed states:

- where a function changes its expression (`where`, `absolute`, `sign`, `minimum`, `maximum`, `floor`, the next piece of a table) at a time
  that does not depend on the motion, a step has to end: these times are found to the last bit;
- where it changes within a small part of the run, steps have to end on both sides of the change;
- where it could do so unseen between the times at which it is looked at, as the ranges of its expressions say, it is looked at more closely;
- elsewhere no step may be much longer than the time in which it changes by its whole range.

Expressions that change with the motion are looked at after a run: where two change within one step, that step is divided.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from grashof.dynamics.equations import Dynamics
from grashof.errors import ModelError
from grashof.scalar.functions import Scalar
from grashof.scalar.interval import Interval
from grashof.scalar.jet import Jet
from grashof.tape import Tape, trace
from grashof.tape.tape import live

Array = NDArray[np.float64]

GRID = 4097
"""Times at which functions of time are looked at."""

PARTS, CELLS = 8, 2**15
"""Cells of the grid in which a function may change unseen are divided into so many, and these again, as long as there are not more of them in all:
functions that change quickly everywhere are left to the error control."""

STATES = 3
"""Fixed states at which they are looked at: the start, and others near it at random."""

SUDDEN = 0.05
"""A change within one cell by more than this part of the function's range is sudden: steps end on both sides of it."""

PACE = 4.0
"""No step is longer than this many times the time in which a function changes by its range at its steepest rate."""

SHORTEST = 1e-3
"""But steps of this part of the run are always allowed: shorter changes are sudden ones."""

MOST = 10_000
"""More kinks than this are left to the error control."""

APART = 8
"""Units in the last place of the time by which a stop keeps clear of its kink on either side."""

CONTINUOUS = 1e-9
"""Motors may not jump in position or velocity by more than this, relative to the largest value."""

AT_ONCE = 100
"""Steps in which expressions change twice, looked at in one go."""

MOSTLY = 0.9
"""What acts during more than this part of a step has been noticed."""

Stop = tuple[float, float]
"""The last time before a kink, and the first one after it, s."""

SWITCHES = ("where", "absolute", "sign")
"""Operations that change with the sign of their first operand."""


class Switch(NamedTuple):
    """What says which expression is used: the sign of an output of a tape, or of the difference of two, or an output that is a whole number."""

    output: int
    other: int | None = None
    whole: bool = False


Switches = tuple[Switch, ...]


@dataclass(frozen=True)
class Pace:
    """How a run has to be stepped.

    stops    the last time before and the first time after each kink or sudden change, s, sorted
    longest  the longest step allowed, s
    eventful times at which forces are largest, s
    """

    stops: tuple[Stop, ...] = ()
    longest: float = np.inf
    eventful: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class Clock:
    """The functions of time in a mechanism's equations of motion.

    efforts   [t, q, v, e] → generalized forces, then the equations of motors with their first and second derivatives at fixed positions
    """

    dynamics: Dynamics
    efforts: Tape

    @cached_property
    def switches(self) -> tuple[Tape, Switches, Switches]:
        """A tape, and switches on its outputs that depend on time alone, and on the motion: where one changes, there is a kink.

        The pieces of a table that is looked up by the motion are no switches: there may be many in a step, and the error control sees them.
        """
        statements = self.efforts.statements
        timely = _functions_of_time(self.efforts)
        found: dict[Switch, None] = {}
        for k, (operation, *operands) in enumerate(statements):
            if operation in ("minimum", "maximum"):
                found[Switch(*operands)] = None
            elif operation in SWITCHES:
                found |= dict.fromkeys(Switch(factor) for factor in _factors(statements, operands[0]))
            elif operation == "floor" or (operation == "interval" and timely[k]):
                found[Switch(k, whole=True)] = None
        outputs = list(dict.fromkeys(k for x in found for k in (x.output, x.other) if k is not None))
        tape = self.efforts
        smaller = live(Tape(tape.sizes, tape.words, tape.constants, tape.lists, tuple(outputs), tape.blocks))
        where = {k: i for i, k in enumerate(outputs)}
        kinds: tuple[list[Switch], ...] = [], []
        for a, b, whole in found:
            alone = timely[a] and (b is None or timely[b])
            kinds[0 if alone else 1].append(Switch(where[a], None if b is None else where[b], whole))
        return smaller, tuple(kinds[0]), tuple(kinds[1])

    def _positions(self, switches: Switches, t: Array, y: Array) -> Array:
        """Of each switch at some times and states y (times, size), (switches, times): whole numbers, or 1 where it is positive and 0 elsewhere."""
        tape = self.switches[0]
        with np.errstate(all="ignore"):
            found = tape.evaluate([t, *y.T])
        outputs = [np.broadcast_to(np.asarray(x, float), t.shape) for x in found]
        rows = np.array([outputs[a] if b is None else outputs[a] - outputs[b] for a, b, _ in switches])
        whole = np.array([switch.whole for switch in switches])
        return np.where(whole[:, None], rows, rows > 0.0)

    def passed(self, t: Array, y: Array, sample: Callable[[Array], Array]) -> list[Stop]:
        """Stops in steps in which expressions change twice that depend on the motion: what acts only in between may have been missed.

        t, y     the steps
        sample   states at other times
        """
        switches = self.switches[2]
        if not switches:
            return []
        seen = self._positions(switches, t, y)
        several = np.flatnonzero(np.sum(np.abs(np.diff(seen)), axis=0) > 1.0)
        stops: list[Stop] = []
        for k in several[:AT_ONCE]:
            changing = tuple(
                switch for switch, *ends in zip(switches, seen[:, k], seen[:, k + 1], strict=True) if ends[0] != ends[1]
            )
            found = self._changes(changing, float(t[k]), float(t[k + 1]), sample)
            apart = found[-1][1] - found[0][0]
            if APART * math.ulp(found[-1][1]) < apart < MOSTLY * (t[k + 1] - t[k]):
                stops += found
        return stops

    def _changes(self, switches: Switches, left: float, right: float, sample: Callable[[Array], Array]) -> list[Stop]:
        """The neighbouring times between which each of these switches changes first, which it does from left to right."""
        before = self._positions(switches, np.array([left]), sample(np.array([left])))[:, 0]
        begin, end = np.full(len(switches), left), np.full(len(switches), right)
        while True:
            middle = 0.5 * (begin + end)
            if not np.any((begin < middle) & (middle < end)):
                return sorted(zip(begin.tolist(), end.tolist(), strict=True))
            order = np.argsort(middle)
            seen = self._positions(switches, middle[order], sample(middle[order]))
            same = np.empty(len(switches), bool)
            same[order] = seen[order, np.arange(len(order))] == before[order]
            begin, end = np.where(same, middle, begin), np.where(same, end, middle)

    def pace(self, begin: float, end: float, y: Array) -> Pace:
        """How a run from the state y has to be stepped. Motors whose law jumps are refused."""
        grid = np.linspace(begin, end, GRID)
        kinks = self._kinks(grid)
        self._refuse_jumps(kinks, begin, end)
        sudden, longest, eventful = np.zeros(GRID - 1, bool), np.inf, {begin}
        known = np.zeros(GRID - 1, bool)
        known[np.clip(np.searchsorted(grid, [left for left, _ in kinks], side="right") - 1, 0, GRID - 2)] = True
        for values in self._histories(grid, y):
            span = float(np.ptp(values))
            eventful.add(float(grid[int(np.argmax(np.abs(values)))]))
            change = np.abs(np.diff(values))
            change[known] = 0.0
            sudden |= change > SUDDEN * span
            steepest = float(np.max(change, where=change <= SUDDEN * span, initial=0.0))
            if steepest > 0.0:
                longest = min(longest, PACE * span / steepest * (grid[1] - grid[0]))
        hidden = self._hidden(grid, y, kinks)
        eventful |= {0.5 * (left + right) for left, right in pairwise(hidden)}
        edges = [float(grid[k]) for k in _edges(sudden)]
        stops = merged([*kinks, *((t, t) for t in (*edges, *hidden))], begin, end)
        return Pace(tuple(stops), max(longest, SHORTEST * (end - begin)), tuple(sorted(eventful)))

    def _histories(self, grid: Array, y: Array) -> Iterator[Array]:
        """Those efforts that depend on time alone, at some states."""
        rng = np.random.default_rng(0)
        n, length = self.dynamics.n, self.dynamics.system.length
        speed = max(float(np.max(np.abs(y[n : 2 * n]), initial=0.0)), length / (grid[-1] - grid[0]))
        scale = np.concatenate([np.full(n, 0.1 * length), np.full(n, speed), np.ones(len(y) - 2 * n)])
        for k in range(STATES):
            state = y + (scale * rng.normal(size=len(y)) if k else 0.0)
            moving = self._values(grid, state)
            largest = max((float(np.max(np.abs(values))) for values in moving), default=0.0)
            yield from (values for values in moving if np.ptp(values) > 1e-9 * largest)

    def _hidden(self, grid: Array, y: Array, kinks: Sequence[Stop]) -> list[float]:
        """Times on both sides of changes between those of the grid that the values there do not show.

        The range of each effort within each cell is bounded by interval arithmetic; where it may exceed the values at the ends of the cell by a
        part of its whole range, the cell is divided. Cells with kinks are not, since steps end there.
        """
        begin, end = grid[:-1], grid[1:]
        done: list[tuple[Array, Array]] = []
        spent = len(begin)
        while len(begin) and spent <= CELLS:
            open_ = self._unseen(begin, end, y)
            for left, right in kinks:
                open_ &= (end - begin > 1e-3 * (grid[1] - grid[0])) | (end < left) | (begin > right)
            open_ &= end - begin > APART * PARTS * np.spacing(np.maximum(np.abs(begin), np.abs(end)))
            if len(begin) < len(grid) - 1:
                done.append((begin, end))
            begin, end = begin[open_], end[open_]
            times = np.linspace(begin, end, PARTS + 1)
            begin, end = times[:-1].T.ravel(), times[1:].T.ravel()
            spent += len(begin)
        if len(begin) or not done:
            return []
        times = np.unique(np.concatenate([x for pair in done for x in pair]))
        found: set[float] = set()
        outputs = self._values(np.concatenate([grid, times]), y)
        for values in outputs:
            change = np.abs(np.diff(values[len(grid) :])) > SUDDEN * float(np.ptp(values))
            found |= {float(times[k]) for k in _edges(change)}
        return sorted(found)

    def _unseen(self, begin: Array, end: Array, y: Array) -> NDArray[np.bool_]:
        """Whether any effort may exceed its values at the ends of cells by a part of its range."""
        with np.errstate(all="ignore"):
            outputs = self.efforts.evaluate([Interval(begin, end), *y.tolist()])
        unseen = np.zeros(len(begin), bool)
        sides = self._values(np.concatenate([begin, end]), y, finite=False)
        for output, values in zip(outputs, sides, strict=True):
            if isinstance(output, Interval) and np.shape(output.low) == begin.shape:
                first, last = values[: len(begin)], values[len(begin) :]
                low, high = np.minimum(first, last), np.maximum(first, last)
                with np.errstate(all="ignore"):
                    beyond = np.maximum(low - output.low, output.high - high)
                    finite = np.isfinite(output.low) & np.isfinite(output.high)
                    least = np.min(output.low, where=finite, initial=np.inf)
                    whole = np.max(output.high, where=finite, initial=-np.inf) - least
                    unseen |= beyond > SUDDEN * whole
        return unseen

    def _values(self, t: Array, y: Array, *, finite: bool = True) -> list[Array]:
        """The efforts at some times, as many arrays: those that depend on time and are numbers, or all."""
        with np.errstate(all="ignore"):
            outputs = self.efforts.evaluate([t, *y[:, None]])
        arrays = [np.asarray(output, float) for output in outputs]
        if not finite:
            return [np.broadcast_to(x, t.shape) for x in arrays]
        return [x for x in arrays if x.shape == t.shape and np.all(np.isfinite(x))]

    def _kinks(self, grid: Array) -> list[Stop]:
        """The neighbouring times between which a function of time changes its expression."""
        tape, switches, _ = self.switches
        if not switches:
            return []
        unread = np.zeros((1, tape.inputs - 1))
        seen = self._positions(switches, grid, unread)
        changes = np.abs(np.diff(seen))
        if not np.sum(changes) <= MOST:
            return []
        which, cells = np.nonzero(changes)
        begin, end, before, last = grid[cells], grid[cells + 1], seen[which, cells], seen[which, cells + 1]
        kinks: list[Stop] = []
        while len(which):  # what is a whole number may change several times within a cell
            left, right = begin, end
            while np.any(open_ := (left < (middle := 0.5 * (left + right))) & (middle < right)):
                same = self._at_once(switches, which, middle, unread) == before
                left, right = np.where(open_ & same, middle, left), np.where(open_ & ~same, middle, right)
            kinks += zip(left.tolist(), right.tolist(), strict=True)
            before = self._at_once(switches, which, right, unread)
            again = (before != last) & (right < end)
            which, begin, end, before, last = (x[again] for x in (which, right, end, before, last))
        return sorted(kinks)

    def _at_once(self, switches: Switches, which: NDArray[np.intp], t: Array, unread: Array) -> Array:
        """The position of one switch at each time."""
        found: Array = self._positions(switches, t, unread)[which, np.arange(len(which))]
        return found

    def _refuse_jumps(self, kinks: Sequence[Stop], begin: float, end: float) -> None:
        """Raises an error if a motor's law jumps, or its rate, at one of these times of a run."""
        scale = max(abs(begin), abs(end))
        for motor in self.dynamics.system.driving:
            for left, right in kinks:
                clear = APART * math.ulp(max(abs(left), abs(right), 1e-16 * scale))
                times = max(left - clear, begin), min(right + clear, end)
                sides = (motor.coupling.laws(Jet(t, 1.0, 0.0)) for t in times)
                for laws in zip(*sides, strict=True):
                    before, after = (law if isinstance(law, Jet) else Jet(law, 0.0, 0.0) for law in laws)
                    for jump, size, what in (
                        (after.value - before.value, max(abs(after.value), abs(before.value)), "jumps"),
                        (
                            after.first - before.first,
                            max(abs(after.first), abs(before.first)),
                            "has a jump in its rate",
                        ),
                    ):
                        if abs(jump) > CONTINUOUS * max(size, 1.0):
                            raise ModelError(
                                f"The law of motor '{motor.owner}' {what} at t = {right:.6g} s, which would take an "
                                "infinite force. Write a law whose value and rate are continuous; its second derivative may jump."
                            )


def make_clock(dynamics: Dynamics) -> Clock | None:
    """The clock of a mechanism; none if its equations of motion do not depend on time itself, and have no kinks."""
    n = dynamics.n
    size = 1 + dynamics.layout.size

    def efforts(x: list[Scalar]) -> list[Scalar]:
        motion = dynamics.motion(x[0], x[1 : 1 + n], x[1 + n : 1 + 2 * n], x[1 + 2 * n :])
        driven = [row.in_time(x[0], motion.q, dynamics.turns(x[1 + 2 * n :])) for row in dynamics.system.driving]
        return [*dynamics.forces(motion), *(x for row in driven for x in (row.value, row.first, row.second))]

    if not dynamics.system.driving and not dynamics.system.model.forces:
        return None
    clock = Clock(dynamics, trace(efforts, size))
    return clock if 0 in clock.efforts.reads or clock.switches[2] else None


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
    """The values whose zeros are those of value k: the factors of a product or quotient, however short the time between their zeros."""
    operation, *operands = statements[k]
    if operation in ("multiply", "divide", "negate", "minimum", "maximum"):
        for operand in operands:
            yield from _factors(statements, operand)  # type: ignore[arg-type]
    elif operation != "constant":
        yield k


def _edges(marked: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Where marked cells begin and end, as places in the grid."""
    return np.flatnonzero(np.diff(np.concatenate([[False], marked, [False]]).astype(int)))


def merged(stops: Sequence[Stop], begin: float, end: float) -> list[Stop]:
    """The stops sorted, within the run, each a little clear of its kink, and none twice."""
    found: list[Stop] = []
    for left, right in sorted(stops):
        clear = APART * math.ulp(max(abs(left), abs(right), end - begin))
        left, right = max(left - clear, begin), min(right + clear, end)
        if found and left <= found[-1][1]:
            found[-1] = found[-1][0], max(right, found[-1][1])
        elif left < end:
            found.append((left, right))
    return [(left, right) for left, right in found if right < end]
