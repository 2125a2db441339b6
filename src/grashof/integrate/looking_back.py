"""Looks back at the steps of a run for what happened between them, and returns to where something was missed.

Every now and then, the steps since the last look are examined (see `changes.between_steps`). If a step has passed over
something, the run returns to the state in which it was then, and steps end at the times that were found: so the same
functions that watch every step notice what happens there. The same is done where a step has passed several kinks of
forces (see `changes.kinks`), as those of friction whose direction is reversed: a force that acts only between them has
not been seen, and a joint that would have stuck there has gone on.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from time import process_time
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from grashof.changes.between_steps import Finding
from grashof.changes.kinks import Stop, merge_stops
from grashof.changes.watched_motion import Extent
from grashof.integrate.control import ARRIVED, RUNNING
from grashof.integrate.ends import is_stop
from grashof.integrate.methods import Explicit

if TYPE_CHECKING:
    from grashof.integrate.run import Run

Vector = NDArray[np.float64]

FEWEST, EVERY = 16, 256
"""Number of steps between looks: after something was found, and at most."""

RETURNS, CHATTERING, PATIENCE = 100, 20, 5000
"""A run that has returned more often than the first number looks no more if it would return more often than the
last on its whole way; what happens between its steps then remains open. Steps of an explicit method that pass the kinks
of friction to and fro are limited by stability: after the second number of returns because of kinks, they are left to
the error control as long as the run would return more often than the last on its whole way."""

COUNTED = ("tried", "rejected_error", "rejected_not_finite", "rejected_constraints", "evaluations", "projections")
"""Counters of work, which also count what is repeated."""


REMEMBERED = ("reason", "advice", "limit", "goal", "last_try", "ends")
"""Attributes of a run that change with time."""


@dataclass
class Memory:
    """A run at the time of the last look, when `row` was its last row."""

    control: bytes
    work: Vector
    row: int
    coming: tuple[Stop, ...]
    run: dict[str, Any]
    watching: Any
    passing: Any
    switching: Any


class LookBack:
    """The looks of one run.

    row         the row up to which steps were examined
    undecided   a time near which it remained open whether something was missed
    """

    def __init__(self, run: Run) -> None:
        self.run, self.extent = run, Extent()
        self.undecided: float | None = None
        self.row, self._every, self._returned = 0, EVERY, 0
        self._patient = True
        self._memory = self._remember()

    @property
    def room(self) -> int:
        """After how many further steps the next look may be due."""
        return max(1, self.row + self._every - int(self.run.control.steps)) if self._patient else EVERY

    def due(self) -> bool:
        """Whether it is time for a look: after some steps, and at the end of the run."""
        if not self._patient:
            self.row = int(self.run.control.steps)
            return False
        run, control = self.run, self.run.control
        arrived = control.state == ARRIVED and (control.t_end == run.t_end or run.limit is not None)
        return control.steps - self.row >= self._every or arrived or control.state not in (RUNNING, ARRIVED)

    def returns(self) -> bool:
        """Examines the steps since the last look; returns whether the run has gone back to it because of what was
        found."""
        clock = process_time()
        found, passed = self._look()
        seen = [*((time, time) for time in found.stops), *passed]
        stops = [stop for stop in seen if not is_stop(stop[0], self._memory.coming)]
        share = (self.run.rows.times[self.row] - self.run.t0) / (self.run.t_end - self.run.t0)
        chatters = not found.stops and isinstance(self.run.loop.space.method, Explicit)
        back = bool(stops) and self._returned < max(CHATTERING if chatters else RETURNS, PATIENCE * share)
        if chatters and not back:
            stops = []
        if back:
            self._returned, self._every = self._returned + 1, FEWEST
            self._recall(stops)
            self._memory = self._remember()  # with these stops
        else:
            doubts = [time for time in (found.undecided, *(time for time, _ in stops[:1])) if time is not None]
            self.undecided = min(doubts, default=None) if self.undecided is None else self.undecided
            self._patient = not stops
            if self.run.watching is not None:
                self.run.watching.changes.clear()
            self.row, self._every = int(self.run.control.steps), min(2 * self._every, EVERY)
            self._memory = self._remember()
        self.run.cpu_s -= process_time() - clock  # as that of other checks
        return back

    def _look(self) -> tuple[Finding, list[Stop]]:
        """What happened between the steps; if nothing did, the kinks that the first step has passed which passed
        several."""
        run, control, between = self.run, self.run.control, self.run.settings.between
        rows = slice(self.row, control.steps + 1)
        past = run.rows.part(rows)
        t, y = past.t, past.y
        if not np.any(np.diff(t)):
            return Finding(), []
        starts = [0, *(1 + np.flatnonzero(np.diff(t) == 0.0)).tolist(), len(t)]

        def inside(steps: slice, at: Vector) -> tuple[Vector, Vector]:
            return run.dense(t[steps], y[steps], past.records.part(steps), at)

        rates = np.concatenate([inside(slice(a, b), t[a:b])[1] for a, b in pairwise(starts)])

        def sample(step: int, at: Vector) -> tuple[Vector, Vector]:
            for crossing in run.crossings:
                if crossing.begin == t[step]:
                    return crossing.at(at)
            return run.equations.seen(at, *inside(slice(step, step + 2), at))

        seen = run.equations.seen(t, y, rates)
        found = Finding()
        if between is not None:
            changes: list[list[float]] = [[] for _ in between.signs.acting]
            for time, which in run.watching.changes if run.watching is not None else ():
                if which < len(changes):
                    changes[which].append(time)
            found = between.look(t, *seen, sample, [np.array(x) for x in changes], self.extent)
        if found.stops or run.settings.kinks is None:
            return found, []
        passed = run.settings.kinks.passed(t, seen[0], lambda step, at: sample(step, at)[0])
        return found, merge_stops(passed, run.t0, run.t_end)

    # -- memory

    def _remember(self) -> Memory:
        run = self.run
        kept = {name: getattr(run, name) for name in REMEMBERED}
        kept |= {"since": run.since - self.row}
        watching = run.watching.memory() if run.watching is not None else None
        passing = run.passing.memory() if run.passing is not None else None
        switching = run.switching.memory()
        coming = run.ends.stops[1:] if run.control.state == ARRIVED else run.ends.stops
        return Memory(bytes(run.control), run.work.copy(), self.row, coming, kept, watching, passing, switching)

    def _recall(self, stops: Sequence[Stop]) -> None:
        """Returns to the last look; steps will end at these times."""
        run, memory, control = self.run, self._memory, self.run.control
        work = {name: getattr(control, name) for name in COUNTED}
        run.switching.recall(memory.switching)
        ctypes.memmove(ctypes.addressof(control), memory.control, len(memory.control))
        for name, count in work.items():
            setattr(control, name, count)
        control.steps = self.row
        run.work[:] = memory.work
        for name, value in memory.run.items():
            setattr(run, name, value)
        run.since = max(0, self.row + run.since)
        if run.watching is not None:
            run.watching.recall(memory.watching)
        if run.passing is not None:
            run.passing.recall(memory.passing)
            # rows that were handed over since then had been checked
            run.passing.checked = max(0, run.passing.checked + self.row - memory.row)
        run.add_stops(stops)
