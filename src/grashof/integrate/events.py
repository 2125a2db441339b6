"""Events: where a watched function changes its sign, and what a run does there.

Native code reports the steps to examine (see `watch`). There the dense output is sampled on a grid, which is refined
where a function comes so near to zero that it may cross it twice; changes of sign are located on the dense output to
the last digits of time. The side of a function is always that of the state from which the run continues: after the
change or, where the motion returns as from an impact, before it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grashof.tape.arrays import address

Vector = NDArray[np.float64]

Sample = Callable[[Vector], Vector]
"""The states inside a step at given times, sorted in the direction of the run."""


GRID = 32
"""Number of parts into which a step is divided to examine it."""

FINER, DEPTH = 8, 6
"""Number of parts into which the neighbourhood of a minimum is divided, and how often this is repeated."""

ON_IT = 1e-6
"""At the start of a run a function is zero, and not yet on a side, if it is below this fraction of its change during
the first step."""

RESOLVED = 4
"""A change of sign is located to within this many units in the last place of the time."""

LARGEST = 1e100
"""Larger values, also infinite ones, count as this one: differences and their squares are then numbers."""

TINY = 1e-300
"""A positive number, where only the sign counts."""

ROUNDS = 100
"""More rounds than it takes to bisect any step."""

CROWD, WITHIN = 50, 1e-6
"""This many events from which a run restarts, within this fraction of the run, accumulate: the run would not get
past them. Positions are known only to round-off, and so are jumps that last less than about 1e-8 of the time in
which the mechanism falls through its own length."""


@dataclass(frozen=True, eq=False)
class Change:
    """What a run does at an event.

    state   the state to continue with
    names   the names under which it is listed, if not under that of the trigger
    sides   the sides of some functions, by their number, from there on; 0 where the side has to be determined
    sure    how long some functions that start at zero are certain to stay on their side, s: a change of sign before
            that is round-off; infinite: until the next event changes something
    law     as in `Occurrence`
    """

    state: Vector
    names: tuple[str, ...] | None = None
    sides: Mapping[int, float] = field(default_factory=dict)
    sure: Mapping[int, float] = field(default_factory=dict)
    law: str = ""


Reaction = Callable[[float, Vector], Change | None]
"""What happens at an event, from the time and the state there; None ends the run."""


Beginning = Callable[[float, Vector], Vector]
"""The state with which a run begins, from the time and the state that are given."""


@dataclass(frozen=True)
class Trigger:
    """A watched function.

    direction   1: its change to positive counts, −1: its change from positive, 0: both
    level       whether a positive value at the start also counts
    reaction    what happens; None: the event is only recorded
    returns     whether the motion goes back to the side it came from, as from an impact; if it starts no farther from
                zero than `near`, and moves in the direction that counts, it does so at once
    settles     whether ever denser events of this kind come to an end of their own accord, as jumps do that are
                followed by rest
    """

    name: str
    direction: int = 0
    level: bool = False
    reaction: Reaction | None = None
    returns: bool = False
    near: float = 0.0
    settles: bool = False

    def counts(self, rising: bool) -> bool:
        """Whether a change in this direction counts."""
        return self.direction == 0 or (self.direction > 0) == rising


@dataclass(frozen=True, eq=False)
class Watch:
    """What a run watches: a native function `events` (see `step`), and the trigger for each of its values.

    most    largest number of events from which a run restarts
    begin   what is decided at the start; None if nothing is
    """

    function: Any
    address: int
    triggers: tuple[Trigger, ...]
    most: int = 10_000
    begin: Beginning | None = None


@dataclass(frozen=True, eq=False)
class Occurrence:
    """An event that happened.

    time           when, s
    rising         whether the quantity was increasing, or the condition became true
    state, after   y = [q, v, e] there, and the state with which the run continued
    index          the first row of the run's steps that is not before it
    error          the estimated error of its time, s, if a second run provides one
    law            what decides on an impact if others happen at once: their "order", the "law" of impacts at stops
                   against which something rests, or neither (empty); with friction, that it "gain"s energy, or "jam"s
    """

    name: str
    time: float
    rising: bool
    state: Vector = field(repr=False)
    after: Vector = field(repr=False)
    index: int = 0
    error: float | None = None
    law: str = ""

    @property
    def changes(self) -> bool:
        """Whether the event changed the run."""
        return self.after is not self.state


@dataclass(frozen=True, eq=False)
class LocatedEvent:
    """A change of sign: which function, when, and the state there."""

    which: int
    time: float
    rising: bool
    state: Vector


class Watching:
    """The events of one run.

    sides   1 where a function is positive, −1 where it is not, 0 where that is not known yet
    """

    def __init__(self, watch: Watch, coefficients: Vector, sides: Vector, span: float) -> None:
        self.watch, self.sides, self.span = watch, sides, span
        self.occurrences: list[Occurrence] = []
        self._coefficients = address(coefficients)
        self._undo: list[tuple[float, int]] = []  # changes of sides without a restart of the run
        self.changes: list[tuple[float, int]] = []  # of signs: when, and of which function
        self._acted: list[tuple[float, int]] = []  # when, and by which trigger
        self._sure: dict[int, float] = {}  # until when functions are certain to stay on their side

    def look(self, t: Vector, y: Vector, sample: Sample) -> LocatedEvent | None:
        """The first event of a step at which the run does something; those before it are recorded."""
        grid = np.linspace(t[0], t[-1], GRID + 1)
        states = np.vstack([y[:1], sample(grid[1:-1]), y[-1:]])
        values = self._at(grid, states)
        self._sure = {
            k: until for k, until in self._sure.items() if until > grid[0] and not self._is_away(k, values[0, k])
        }
        for k in self._sure:
            values[:, k] = self._surely(k, grid, values[:, k])
        changes = self._at_start(grid, states, values)
        for k in self._eventful(values):
            changes += self._changes(k, grid, values[:, k], states, sample)
        forward = 1.0 if t[-1] >= t[0] else -1.0
        for found in sorted(changes, key=lambda x: forward * x.time):
            trigger = self.watch.triggers[found.which]
            self.changes.append((found.time, found.which))
            if not (trigger.returns and trigger.counts(found.rising)):
                self._undo.append((found.time, found.which))
                self.sides[found.which] = 1.0 if found.rising else -1.0
            if not trigger.counts(found.rising):
                continue
            if trigger.reaction is not None:
                return found
            self.occurrences.append(Occurrence(trigger.name, found.time, found.rising, found.state, found.state))
        return None

    def act(self, found: LocatedEvent) -> Vector | None:
        """The state with which the run continues; None if it ends."""
        trigger = self.watch.triggers[found.which]
        assert trigger.reaction is not None
        change = trigger.reaction(found.time, found.state)
        names = None if change is None else change.names
        after = found.state if change is None else change.state
        for name in (trigger.name,) if names is None else names:
            law = "" if change is None else change.law
            self.occurrences.append(Occurrence(name, found.time, found.rising, found.state, after, law=law))
        for which, side in change.sides.items() if change else ():
            self.sides[which] = side
        self._sure = {which: until for which, until in self._sure.items() if until < math.inf}
        for which, seconds in change.sure.items() if change else ():
            self._sure[which] = found.time + seconds
        self._acted.append((found.time, found.which))
        self._undo.clear()
        return None if change is None else after

    @property
    def crowded(self) -> str:
        """A sentence if there are too many events to continue; otherwise an empty string."""
        count = len(self._acted)
        if count >= CROWD:
            (before, _), (last, which) = self._acted[-CROWD], self._acted[-1]
            trigger = self.watch.triggers[which]
            within = CROWD * RESOLVED * math.ulp(last) if trigger.settles else WITHIN * self.span
            if abs(last - before) < within:
                return (
                    f"The last {CROWD} events, '{trigger.name}' among them, lie within {within:.1e} s: they accumulate."
                )
        if count >= self.watch.most:
            return f"{count} events changed the run."
        return ""

    def forget(self, time: float, forward: float) -> None:
        """Discards what was found after a time to which the run returns."""
        self._sure.clear()
        while self._undo and forward * (self._undo[-1][0] - time) > 0.0:
            _, which = self._undo.pop()
            self.sides[which] = -self.sides[which]
        while self.changes and forward * (self.changes[-1][0] - time) > 0.0:
            self.changes.pop()
        while self.occurrences and forward * (self.occurrences[-1].time - time) > 0.0:
            self.occurrences.pop()

    def memory(self) -> tuple[Any, ...]:
        """Everything that is known about the run so far, except the sides."""
        return [*self.occurrences], [*self._undo], [*self._acted], {**self._sure}, [*self.changes]

    def recall(self, memory: tuple[Any, ...]) -> None:
        """Returns to an earlier time of the run."""
        self.occurrences, self._undo, self._acted = ([*x] for x in memory[:3])
        self._sure, self.changes = {**memory[3]}, [*memory[4]]

    # -- inside

    def _at(self, times: Vector, states: Vector) -> Vector:
        """The values of the functions at times and states, (times, functions)."""
        x, found = np.empty((len(times), 1 + states.shape[1])), np.empty((len(times), len(self.sides)))
        x[:, 0], x[:, 1:] = times, states
        function, place, out = self.watch.function, address(x), address(found)
        for k in range(len(times)):
            function(place + k * x.strides[0], self._coefficients, out + k * found.strides[0])
        return np.clip(found, -LARGEST, LARGEST)

    def _is_away(self, k: int, value: float) -> bool:
        """Whether a function has come so far from zero that its side needs no certainty any more."""
        near = self.watch.triggers[k].near
        return near > 0.0 and self._sure[k] < math.inf and abs(value) > near

    def _surely(self, k: int, times: Vector, values: Vector) -> Vector:
        """The values of a function, moved to the side on which it is certain to be.

        A certainty that ends concerns round-off: what is clearly on the other side has come there.
        """
        if k not in self._sure:
            return values
        near = self.watch.triggers[k].near
        certain = times < self._sure[k]
        if near and self._sure[k] < math.inf:
            certain &= np.abs(values) <= near
        return np.where(certain, self.sides[k] * np.maximum(np.abs(values), TINY), values)

    def _eventful(self, values: Vector) -> list[int]:
        """The functions that may change their sign between the points of a grid at which they have these values, or
        have done so before.

        Where three values have a least one in the middle, a parabola through them falls below it by no more than a
        quarter of the larger difference; with a margin of two.
        """
        changed = ((values > 0.0) != (self.sides > 0.0)).any(axis=0)
        near = np.abs(values).min(axis=0) <= 0.5 * np.abs(values[1:] - values[:-1]).max(axis=0)
        found: list[int] = np.flatnonzero(changed | near).tolist()
        return found

    def _at_start(self, grid: Vector, states: Vector, values: Vector) -> list[LocatedEvent]:
        """Determines the sides on which functions start, if these are not known; those that count there are events."""
        events = []
        for k in np.flatnonzero(self.sides == 0.0).tolist():
            trigger = self.watch.triggers[k]
            size = max(ON_IT * float(np.max(np.abs(values[:, k] - values[0, k]))), trigger.near)
            beyond = np.flatnonzero(np.abs(values[:, k]) > size)
            first = int(beyond[0]) if beyond.size else len(grid) - 1 if trigger.near else 0
            self.sides[k] = 1.0 if values[first, k] > 0.0 else -1.0
            values[:first, k] = self.sides[k]
            if first and trigger.returns and self.sides[k] == trigger.direction:
                self.sides[k] = -trigger.direction
            if trigger.level and self.sides[k] > 0.0 and trigger.counts(rising=True):
                events.append(LocatedEvent(k, float(grid[0]), True, states[0]))
        return events

    def _changes(self, k: int, grid: Vector, values: Vector, states: Vector, sample: Sample) -> Iterator[LocatedEvent]:
        """All changes of sign of a function, in chronological order."""

        def at(times: Vector) -> Vector:
            return self._surely(k, times, self._at(times, sample(times))[:, k])

        grid, values = _refine_grid(grid, values, at)
        positive = bool(self.sides[k] > 0.0)
        if (values[0] > 0.0) != positive:
            positive = not positive
            yield LocatedEvent(k, float(grid[0]), positive, states[0])
        for j in np.flatnonzero((values[1:] > 0.0) != (values[:-1] > 0.0)).tolist():
            positive = not positive
            before, after = _locate_change(grid[j : j + 2], values[j : j + 2], at)
            trigger = self.watch.triggers[k]
            time = before if trigger.returns and trigger.counts(positive) else after
            yield LocatedEvent(k, time, positive, self._state(time, grid, states, sample))

    def _state(self, time: float, grid: Vector, states: Vector, sample: Sample) -> Vector:
        if time == grid[0]:
            return np.array(states[0])
        return np.array(states[-1] if time == grid[-1] else sample(np.array([time]))[0])


def _refine_grid(grid: Vector, values: Vector, at: Callable[[Vector], Vector]) -> tuple[Vector, Vector]:
    """The grid with more points where a function comes near to zero without changing its sign between two points."""
    for _ in range(DEPTH):
        size = np.abs(values)
        same = (values[:-2] > 0.0) == (values[2:] > 0.0)
        same &= (values[:-2] > 0.0) == (values[1:-1] > 0.0)
        least = same & (size[1:-1] <= size[:-2]) & (size[1:-1] <= size[2:])
        bend = size[:-2] - 2.0 * size[1:-1] + size[2:]
        falls = (size[2:] - size[:-2]) ** 2  # times 8 · bend: of a parabola below the middle point
        near = 1 + np.flatnonzero(least & (2.0 * falls >= 8.0 * bend * size[1:-1]) & (bend > 0.0))
        if not near.size:
            break
        more: list[Vector] = [
            np.linspace(grid[j + way], grid[j], FINER, endpoint=False)[1:] for j in near for way in (-1, 1)
        ]
        new = np.setdiff1d(np.concatenate([np.empty(0), *more]), grid)
        if not new.size:
            break
        forward = 1.0 if grid[-1] >= grid[0] else -1.0
        new = new[::-1] if forward < 0.0 else new
        grid, values = np.concatenate([grid, new]), np.concatenate([values, at(new)])
        order = np.argsort(forward * grid, kind="stable")
        grid, values = grid[order], values[order]
    return grid, values


def _locate_change(
    ends: Sequence[float] | Vector, values: Sequence[float] | Vector, at: Callable[[Vector], Vector]
) -> tuple[float, float]:
    """Two adjacent times between which a function changes its sign, given an interval in which it does.

    Each round tries the root of the chord, points close to it on both sides, and the middle.
    """
    (a, b), (ga, gb) = map(float, ends), map(float, values)
    whole = abs(b - a)
    for _ in range(ROUNDS):
        least = RESOLVED * math.ulp(max(abs(a), abs(b)))
        if abs(b - a) <= least:
            break
        chord = a + (b - a) * min(max(ga / (ga - gb), 0.0), 1.0) if ga != gb else 0.5 * (a + b)
        close = max(0.1 * (b - a) ** 2 / whole, 0.4 * least)
        low, high = min(a, b), max(a, b)
        points = {x for x in (chord - close, chord, chord + close, 0.5 * (a + b)) if low < x < high}
        if not points:
            break
        tried = sorted(points, reverse=b < a)
        found = at(np.array(tried)).tolist()
        j = next((j for j, x in enumerate(found) if (x > 0.0) != (ga > 0.0)), len(tried))
        times, seen = [a, *tried, b], [ga, *found, gb]
        (a, b), (ga, gb) = times[j : j + 2], seen[j : j + 2]
    return a, b
