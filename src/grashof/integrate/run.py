"""One run: a generator of stretches of accepted steps.

The native loop takes steps and returns to Python from time to time: after a while, so that progress can be reported and
an interrupt handled; where a singular position may be near (see `passing`); at the times at which steps have to end;
and at the end. Steps are handed over as soon as nothing can revoke them, so that the caller decides how many are kept.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import inf
from time import perf_counter, process_time

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grashof.changes.kinks import Stop
from grashof.common.progress import Part
from grashof.common.status import Code, Status
from grashof.integrate.approach import LOOK_BACK, OVERSHOT
from grashof.integrate.collocation import Crossing
from grashof.integrate.control import ARRIVED, CONSTRAINTS, CROWDED, ENDED, ERROR, NOT_FINITE, RUNNING, STUCK
from grashof.integrate.ends import Ends
from grashof.integrate.events import Occurrence, Sample, Watching
from grashof.integrate.inner import width as width_of
from grashof.integrate.looking_back import LookBack
from grashof.integrate.methods import Explicit, Method
from grashof.integrate.native import Counted, DenseOutput, NativeEquations, NativeLoop, loop_for
from grashof.integrate.passing import Passing
from grashof.integrate.recording import RecordedRows, Stretch
from grashof.integrate.restarts import restart
from grashof.integrate.settings import Settings, make_control
from grashof.integrate.steps import Counters
from grashof.integrate.switching import Switching
from grashof.singular.folds import Fold
from grashof.tape.arrays import address

Vector = NDArray[np.float64]

FIRST_PAUSE = 128
"""Steps tried before the first return to Python."""
FEW = 128
"""Fewer steps are neither checked for jumps nor handed over before the end, but together with later ones."""
PAUSE_EVERY = 0.05
"""Target for the time between returns to Python, s: how long an interrupt may have to wait."""

LAST, CLOSING = 1e-6, 64
"""Where motors cannot drive the mechanism beyond a certain time, the run ends earlier by this fraction of its span,
or after this many more attempted steps, or half as many as before if that is more."""

_CODE = {ERROR: Code.STEP_TOO_SMALL, NOT_FINITE: Code.NOT_FINITE, CONSTRAINTS: Code.CONSTRAINTS_UNMET}


class Run:
    """A run from y0 = [q, v, e] at t0, on the constraints, to t_end, which may be before t0, with a bounded number
    of accepted steps."""

    def __init__(
        self,
        equations: NativeEquations,
        loop: NativeLoop,
        y0: ArrayLike,
        t0: float,
        t_end: float,
        settings: Settings,
        dense: DenseOutput,
        most: float = inf,
    ) -> None:
        self.equations, self.loop, self.settings, self.most = equations, loop, settings, most
        self.dense = dense
        self.t0, self.t_end = t0, t_end
        self._forward = 1.0 if t_end >= t0 else -1.0
        self.work = equations.workspace(loop.space, settings.watch.address if settings.watch else 0)
        self._place(t0, y0)
        self.control = make_control(loop.space, t0, t_end, settings)
        self._bind()
        loop.weigh(*self._places)
        if len(settings.weights):
            others = np.asarray(settings.weights, dtype=float)
            self.work[loop.space.places["weights"] + loop.space.sizes.of_a.stop :][: len(others)] = (
                others / settings.tol
            )
            self.control.controlled += np.count_nonzero(others)
        sizes = loop.space.sizes
        self.rows = RecordedRows(
            sizes.size,
            FIRST_PAUSE + 2,
            t0,
            self.work[loop.space.places["start"] + 1 :][: sizes.size],
            loop.space.method,
            width_of(loop.space.method, sizes),
        )
        self.passing: Passing | None = None
        self._driven = settings.surroundings is not None and settings.surroundings.driven
        if settings.surroundings is not None:
            flow = Counted(equations, self.control)
            self.passing = Passing(flow, loop.space, self.control, self.work, settings.surroundings, self.states)
            self.control.attentive = 1
        self.watching: Watching | None = None
        if settings.watch is not None:
            sides = self.work[loop.space.places["sides"] :][: loop.space.events]
            self.watching = Watching(settings.watch, equations.coefficients, sides, abs(t_end - t0))
        self.reason = self.advice = ""
        self.cpu_s = 0.0
        self._chunk, self._asked, self._clock = FIRST_PAUSE, FIRST_PAUSE, 0.0
        self.since = 0  # the row in which the present stretch between stops begins
        planned = [(x.time, x.time) for x in settings.method.switches if t0 != x.time != t_end]
        stops = sorted([*settings.stops, *planned], key=lambda stop: self._forward * stop[0])
        self.ends = Ends((*stops, (t_end, t_end)), self._forward)
        self.control.t_end = self.ends.time
        self._limit()
        self.limit: Fold | None = None
        """The limit of what the motors can reach, if it is near."""
        self.goal, self.last_try = 0.0, settings.max_steps  # the next stop after it, and the bound on attempts
        self.switching = Switching(self)
        self._look_back = LookBack(self) if settings.between or settings.kinks else None

    def stretches(self) -> Iterator[Stretch]:
        """The steps, as they are made."""
        control, progress, interrupted, began = self.control, self.settings.progress, False, process_time()
        try:
            self._begin()
            going = True
            while going:
                if not self._follow():
                    self._advance()
                    self.switching.look()
                self._look()
                if self._look_back is not None and self._look_back.due() and self._look_back.returns():
                    continue
                if progress is not None and self.t_end != self.t0:
                    done = (self.rows.times[control.steps] - self.t0) / (self.t_end - self.t0)
                    progress(Part(done, "integrating"))
                if control.state == ARRIVED:
                    if control.t_end == self.t_end or self.limit is not None:
                        break
                    self._pass_stop()
                final = self._final()
                if final >= FEW:
                    self.cpu_s += process_time() - began
                    yield self._hand_over(final)
                    began = process_time()
                going = self._goes_on()
        except KeyboardInterrupt:
            interrupted = True
        self.cpu_s += process_time() - began
        yield self.rows.part(slice(0, control.steps + 1), self._ended(interrupted))

    def states(self, rows: slice, at: Vector) -> Vector:
        """The states at times inside the steps between consecutive rows."""
        return self.sample(rows, at)[0]

    def sample(self, rows: slice, at: Vector) -> tuple[Vector, Vector]:
        """States and derivatives at times inside the steps between consecutive rows."""
        ends = self.rows.part(rows)
        return self.dense(ends.t, ends.y, ends.records, at)

    @property
    def crossings(self) -> tuple[Crossing, ...]:
        """The steps across singular positions."""
        return tuple(self.passing.crossings) if self.passing else ()

    def forget_crossings(self, time: float) -> None:
        """Drops those that end before a time up to which all steps were handed over."""
        if self.passing is not None:
            kept = [x for x in self.passing.crossings if self._forward * (x.end - time) > 0.0]
            self.passing.crossings = kept

    @property
    def occurrences(self) -> tuple[Occurrence, ...]:
        """The events so far."""
        return tuple(self.watching.occurrences) if self.watching else ()

    @property
    def undecided(self) -> float | None:
        """When a singular position was first passed so narrowly that the motion after it is uncertain, s."""
        return self.passing.undecided if self.passing else None

    def status(self, ended: Code, time: float, where: str | None = None) -> Status:
        """How it ended at a time; with a doubt if something may have happened between two steps without having been
        noticed."""
        status = Status(ended, time, self.t_end, self.reason if where is None else where, advice=self.advice)
        unseen = self._look_back.undecided if self._look_back else None
        return status if unseen is None else replace(status, time=unseen, doubt=Code.UNRESOLVED)

    @property
    def counters(self) -> Counters:
        """The work done so far."""
        control = self.control
        return Counters(
            steps=self.rows.before + control.steps,
            rejected_error=control.rejected_error,
            rejected_not_finite=control.rejected_not_finite,
            rejected_constraints=control.rejected_constraints,
            evaluations=control.evaluations,
            projections=control.projections,
        )

    def _goes_on(self) -> bool:
        control = self.control
        few = bool(self.rows.before + control.steps < self.most)
        return control.state == RUNNING and control.tried < self.last_try and few

    def _ended(self, interrupted: bool) -> Code:
        if interrupted:
            return Code.INTERRUPTED
        if self.limit is not None and self.control.state in (ARRIVED, RUNNING, STUCK):
            self.reason, self.advice = self.limit.sentence, self.limit.advice
            return Code.CONSTRAINTS_UNMET
        ways = {ARRIVED: Code.SUCCESS, ENDED: Code.EVENT, CROWDED: Code.TOO_MANY_EVENTS, RUNNING: Code.TOO_MANY_STEPS}
        return ways[self.control.state] if self.control.state in ways else _CODE[self.control.cause]

    # -- parts of a round

    def _advance(self) -> None:
        """Steps until the next return to Python."""
        control, rows = self.control, self.rows
        tried, pause = control.tried, control.pause
        if tried >= pause:
            # a run driven by motors pauses more often, so that it does not continue for long towards the limit of their
            # reach
            chunk = min(self._chunk, max(FIRST_PAUSE, tried // 2)) if self._driven else self._chunk
            pause = control.pause = min(tried + chunk, self.last_try)
            if self.switching.watchful and tried < self.switching.tried < pause:
                pause = control.pause = self.switching.tried
            if self._look_back is not None:
                pause = control.pause = min(pause, tried + self._look_back.room)
            self._asked, self._clock = pause - tried, perf_counter()
        per_step = 2 if self.loop.space.sizes.sample else 1
        rows.make_room(control.steps + per_step * (pause - tried) + 2)
        first = control.steps + 1
        self._steps(*rows.places)
        rows.mark(first, control.steps + 1)
        if control.tried == pause:
            self._chunk = _next_chunk(self._asked, perf_counter() - self._clock)

    def _look(self) -> None:
        """Handles the reason for which the loop returned, and restarts where something was changed."""
        control, passing = self.control, self.passing
        rested = control.state == RUNNING and control.tried == control.pause
        if passing is not None and (control.fallen or control.state == STUCK):
            control.fallen, control.usual = 0, control.size
            if passing.look(self.rows.times, self.rows.states, self.since):
                self._begin()
                control.event = 0
                if self.watching is not None:
                    self._watch_again()
        if passing is not None and self._driven and passing.fold is None and (rested or control.state == STUCK):
            rows = self.rows.times, self.rows.states, self.since
            if passing.look_for_fold(*rows, stuck=control.state == STUCK) and self.watching is not None:
                self.watching.forget(float(self.rows.times[control.steps]), self._forward)
        self._approach_limit()
        if control.event:
            control.event = 0
            last = self.rows.part(slice(control.steps - 1, control.steps + 1))
            self._watch(lambda at: self.dense(last.t, last.y, last.records, at)[0])
        many = passing is not None and control.steps - passing.checked >= FEW
        if control.state == ARRIVED or (many and control.tried == control.pause):
            self._check()
        if control.state == STUCK:
            self._rescale()
            if control.state == RUNNING:
                self._begin()

    def _follow(self) -> bool:
        """Follows the configuration curve where branches touch; returns whether there was one to follow."""
        passing, control = self.passing, self.control
        if passing is None or passing.following is None:
            return False
        while control.state == RUNNING and control.tried < self.last_try:
            self.rows.make_room(control.steps + 2)
            crossings = len(passing.crossings)
            if not passing.follow(self.rows.times, self.rows.states):
                break
            self._begin()
            if self.rows.times[control.steps] == control.t_end:
                control.state = ARRIVED
            if self.watching is not None and len(passing.crossings) > crossings:
                self._watch_again()
        return True

    def _check(self) -> bool:
        """Checks steps for jumps; returns whether the run restarts before one."""
        if self.passing is None:
            return False
        clock = process_time()
        back = self.passing.check(self.rows.times, self.rows.states)
        if back:
            self._leave_limit()
            self._begin()
            if self.watching is not None:
                self.watching.forget(float(self.rows.times[self.control.steps]), self._forward)
        self.cpu_s -= process_time() - clock  # cpu_s is the time of the run without its checks
        return back

    def _approach_limit(self) -> None:
        """Continues to the limit of what the motors can reach, if it was found, and not beyond."""
        control, fold = self.control, self.passing.fold if self.passing else None
        if fold is None or self.limit is not None or not (control.t_end - fold.time) * self._forward > 0.0:
            return
        self.limit, self.goal = fold, control.t_end
        self.last_try = min(self.last_try, control.tried + max(CLOSING, control.tried // 2))
        control.attentive, control.pause = 0, min(control.pause, self.last_try)
        last = fold.time - LAST * control.span * self._forward
        if (last - self.rows.times[control.steps]) * self._forward > 0.0:
            control.t_end = last
        else:
            control.state = ARRIVED

    def _leave_limit(self) -> None:
        """Discards the limit, because the motion changes."""
        if self.limit is not None and self.passing is not None:
            self.control.t_end, self.control.attentive = self.goal, 1
            self.limit = self.passing.fold = None
            self.last_try = self.settings.max_steps

    def _watch(self, sample: Sample) -> None:
        """Looks for events in the last step, whose states `sample` gives; it ends at the first one that acts on the
        run."""
        assert self.watching is not None
        control, rows, k = self.control, self.rows, self.control.steps
        t, y = rows.times[k - 1 : k + 1].copy(), rows.states[k - 1 : k + 1].copy()
        found = self.watching.look(t, y, sample)
        if found is None:
            return
        if found.time == t[0]:
            control.steps = k - 1
            rows.states[k - 1] = found.state
        else:
            rows.cut(k, found.time, found.state)
        if self._check():
            return
        after = self.watching.act(found)
        crowded = self.watching.crowded
        if after is None or crowded:
            control.state = CROWDED if after is not None else ENDED
            self.reason = crowded if after is not None else f"Event '{self.occurrences[-1].name}' ended the run."
            return
        self._go_on(found.time, after)

    def _watch_again(self) -> None:
        """Looks for events after singular positions have been handled, which may have led across one, or back."""
        assert self.watching is not None
        assert self.passing is not None
        crossing = next(iter(self.passing.crossings[-1:]), None)
        across = crossing is not None and crossing.begin == self.rows.times[self.control.steps - 1]
        last = self.control.steps - 1 if across else self.control.steps
        self.watching.forget(float(self.rows.times[last]), self._forward)
        if crossing is not None and across:
            events = len(self.occurrences)
            self._watch(lambda at: crossing.at(at)[0])
            left = self.control.state != RUNNING or len(self.occurrences) > events
            if left and crossing in self.passing.crossings:
                self.passing.crossings[-1] = replace(crossing, until=float(self.rows.times[self.control.steps]))

    def _pass_stop(self) -> None:
        """Continues after a time at which steps had to end."""
        control = self.control
        t, behind = control.t_end, self.ends.behind
        self.loop.carry_on(address(self.work), behind)
        y = self.work[self.loop.space.places["start"] + 1 :][: self.loop.space.sizes.size].copy()
        self.ends = self.ends.passed()
        control.t_end = self.ends.time
        self.switching.pass_time(t)
        self._go_on(behind, y)

    def add_stops(self, stops: Sequence[Stop]) -> None:
        """Lets steps end at further times, unless they do so already."""
        self._leave_limit()
        arrived = self.control.state == ARRIVED
        now = self.ends.behind if arrived else float(self.rows.times[self.control.steps])
        self.ends = self.ends.add(stops, now, arrived=arrived)
        if not arrived:
            self.control.t_end = self.ends.time
            self._limit()

    def _go_on(self, t: float, y: Vector) -> None:
        """Restarts from a state, which becomes the next row."""
        control = self.control
        self._leave_limit()
        control.steps += 1
        self.since = control.steps
        self.rows.put(self.since, t, y)
        self._place(t, y)
        restart(control, self.loop.space.method)
        self._limit()
        self._begin()

    # -- rows

    def _final(self) -> int:
        """How many rows nothing can revoke any more, not counting the last one."""
        last = int(self.control.steps) if self._look_back is None else self._look_back.row
        if self.passing is None:
            return last
        return max(0, min(last, self.passing.checked, int(self.control.steps) - LOOK_BACK - OVERSHOT - 1))

    def _hand_over(self, count: int) -> Stretch:
        found = self.rows.hand_over(count, self.control.steps + 1 - count)
        self.control.steps -= count
        self.since = max(0, self.since - count)
        if self.passing is not None:
            self.passing.checked -= count
        if self._look_back is not None:
            self._look_back.row -= count
        return found

    # -- the workspace

    def use(self, method: Method) -> None:
        """Goes on with another method from the last row."""
        space, events = self.loop.space, self.settings.watch
        self.loop = loop_for(method, space.sizes, *([space.events] if events else []))
        before, self.work = self.work, self.equations.workspace(self.loop.space, events.address if events else 0)
        widths = {"weights_q": space.sizes.direct, "weights": space.sizes.rates, "sides": space.events}
        for name, width in widths.items():
            self.work[self.loop.space.places[name] :][:width] = before[space.places[name] :][:width]
        tolerances = self.settings.tolerances
        if tolerances is not None:
            looser = tolerances(method) / tolerances(space.method)
            self.control.tolerance *= looser
            for name in ("weights_q", "weights"):
                self.work[self.loop.space.places[name] :][: widths[name]] /= looser
        if self.watching is not None:
            self.watching.sides = self.work[self.loop.space.places["sides"] :][: space.events]
        if self.passing is not None:
            self.passing.space, self.passing.work = self.loop.space, self.work
        self.rows.use(method, width_of(method, space.sizes))
        self._bind()
        row, size = int(self.control.steps), self.control.size
        self._place(float(self.rows.times[row]), self.rows.states[row])
        restart(self.control, method, self.control.state)
        if not isinstance(method, Explicit):
            self.control.size = size  # steps of explicit methods are far shorter
        self._begin()

    def _bind(self) -> None:
        places = self._places = ctypes.addressof(self.control), address(self.work)
        self._begin, self._steps = partial(self.loop.begin, *places), partial(self.loop.advance, *places)
        self._rescale, self._limit = partial(self.loop.rescale, *places), partial(self.loop.limit, *places)

    def _place(self, t: float, y: ArrayLike) -> None:
        """Makes a state the start of the next step."""
        start = self.loop.space.places["start"]
        self.work[start] = t
        self.work[start + 1 : start + 1 + self.loop.space.sizes.size] = y


def _next_chunk(chunk: int, seconds: float) -> int:
    """Steps to attempt before the next pause, so that they take about PAUSE_EVERY; grows cautiously."""
    return max(1, int(chunk * min(4.0, PAUSE_EVERY / max(seconds, 1e-6))))
