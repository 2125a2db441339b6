"""Run the native time loop from Python: buffers, pauses, outcomes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import ceil, inf
from time import perf_counter, process_time

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grashof.analysis.clock import Stop
from grashof.integrate.control import ARRIVED, CONSTRAINTS, ERROR, NOT_FINITE, RUNNING, STUCK, Control
from grashof.integrate.crossing import Crossing, Surroundings
from grashof.integrate.dense import interpolate_ir, sample_ir, solve_ir
from grashof.integrate.kernel import DECLARATIONS
from grashof.integrate.loop import advance_ir, begin_ir
from grashof.integrate.methods import Choice, Method
from grashof.integrate.methods.dop853 import DOP853
from grashof.integrate.passing import Passing
from grashof.integrate.step import Workspace, padded, stages_ir
from grashof.status import Code, Status
from grashof.tape import Library

Vector = NDArray[np.float64]

FIRST_PAUSE = 128
"""Steps tried before the first return to Python."""
PAUSE_EVERY = 0.05
"""Aim for the time between returns to Python, s: how long an interrupt may have to wait."""

FIXED_STEPS = 1000
"""Steps of a run with a fixed step that is not given."""

MEMORY = 2**30
"""Bytes that the recorded steps of a run may take."""

FASTER = 10.0
"""A run that is stuck goes on if the mechanism may become faster than its scale of speed by this factor."""

_DEFAULT = Choice(DOP853, "the default")
_CODE = {ERROR: Code.STEP_TOO_SMALL, NOT_FINITE: Code.NOT_FINITE, CONSTRAINTS: Code.CONSTRAINTS_UNMET}


@dataclass(frozen=True)
class Counters:
    """What a run did. Sampling afterwards is not counted."""

    steps: int
    """Accepted steps: rows of the result but the first."""
    rejected_error: int
    """Steps tried again because the estimated error was too large."""
    rejected_not_finite: int
    """Steps tried again because a stage, the new state or its derivative was not finite."""
    rejected_constraints: int
    """Steps tried again because the projection did not meet the constraints."""
    evaluations: int
    """Calls of `derivative`. With S stages: S an accepted step, S − 1 or S a rejected one, 1 at the start, 1 to choose a first step; and those of crossings."""
    projections: int
    """Calls of `project`: one for each accepted step, and for rejected ones if the error estimate needs the end of the step; and those of crossings."""

    @property
    def rejected(self) -> int:
        """Steps tried again, for whatever reason."""
        return self.rejected_error + self.rejected_not_finite + self.rejected_constraints


@dataclass(frozen=True)
class Steps:
    """The accepted steps of a run, the start being the first row. Look at `status` before believing it is whole."""

    t: Vector  # (m+1,) s
    y: Vector  # (m+1, 2n+k) = [q, v, e]
    status: Status
    counters: Counters
    cpu_s: float
    """CPU time of this process from the first evaluation to the last step, with the pauses, without checks of what was done, s."""
    method: Choice = _DEFAULT
    crossings: tuple[Crossing, ...] = ()
    """The steps that lead across singular positions."""
    undecided: float | None = None
    """When the mechanism first passed a singular position so narrowly that its way is not certain, s."""
    compile_s: float = 0.0
    """Wall time spent on compiling the method for mechanisms of this size, s; none if that was done before."""
    companion: Companion | None = None
    """Another run of the same, and what it says of the error of this one."""


@dataclass(frozen=True)
class Companion:
    """A coarser run that tells the error of a finer one: their difference, multiplied by a share, is the estimate."""

    steps: Steps
    share: float
    error: float
    """The largest estimated error of the finer run, relative to length, largest speed and the energy that moves; angles in rad."""


class _Loop:
    """A method compiled for all mechanisms of a size."""

    def __init__(self, method: Method, n: int, extra: int, works: int) -> None:
        self.space = Workspace(n, extra, works, method)
        parts = stages_ir, begin_ir, advance_ir, interpolate_ir, solve_ir, sample_ir
        text = DECLARATIONS + "".join(part(self.space) for part in parts)
        library = Library(text)
        pointer, whole = ctypes.c_void_p, ctypes.c_int64
        self.begin = library.function("begin", None, pointer, pointer)
        self.advance = library.function("advance", None, *[pointer] * 4)
        self.sample = library.function(
            "sample", None, pointer, whole, pointer, pointer, whole, pointer, pointer, pointer
        )


_loop = lru_cache(maxsize=64)(_Loop)


class Integrator:
    """Integrates a mechanism, given a library with its `derivative` and `project` (see `step`).

    Of the extra states the last are works, whose error is controlled relative to the energy that moves.
    Holds nothing that changes: runs in several threads do not disturb each other.
    """

    def __init__(self, library: Library, n: int, extra: int = 0, works: int = 0) -> None:
        pointer = ctypes.c_void_p
        self.n, self.extra, self.works = n, extra, works
        self._derivative = library.function("derivative", None, pointer, pointer)
        self._project = library.function("project", None, pointer, pointer)
        self._functions = library.address("derivative"), library.address("project")

    def derivative(self, t: float, y: ArrayLike) -> Vector:
        """[a (n), ė (k)] at time t and state y = [q, v, e]."""
        x, out = self._point(t, y), np.empty(self.n + self.extra)
        self._derivative(_address(x), _address(out))
        return out

    def project(self, t: float, y: ArrayLike) -> tuple[Vector, float]:
        """The state put on the constraints, and the position violation that is left, m."""
        x, out = self._point(t, y), np.empty(2 * self.n + self.extra + 1)
        self._project(_address(x), _address(out))
        return out[:-1], float(out[-1]) ** 0.5

    def run(
        self,
        y0: ArrayLike,
        t0: float,
        t_end: float,
        *,
        tol: float,
        length: float,
        speed: float,
        mass: float = 1.0,
        weights: ArrayLike | None = None,
        method: Choice = _DEFAULT,
        step: float | None = None,
        longest: float = inf,
        stops: Sequence[Stop] = (),
        max_steps: int = 1_000_000,
        progress: Callable[[float], None] | None = None,
        surroundings: Surroundings | None = None,
    ) -> Steps:
        """Integrate from y0 = [q, v, e] at t0, on the constraints, to t_end, which may be before t0.

        The error of a step is held below tol in units of length (m) for q, of speed (m/s, or the largest |v_i| met) for v, of mass·speed² (J, or
        the largest work met) for works, of 1/weights for other extra states; one of weight 0, as all are by default, is only an output.
        step is the size of the first one or, of a method with a fixed step, of all; these are made a little smaller to end at t_end.
        No step is longer than longest. Steps end at each of the stops, which are sorted, and the run starts afresh behind it.
        surroundings tell how far from singular a state is: where steps become small, one long step is tried (see `crossing`).
        max_steps bounds the tried steps; the memory for recorded ones is bounded, too. progress is called now and then with the part of
        the time that is done; KeyboardInterrupt, from there or from the keyboard, ends the run with the steps made.
        """
        clock = perf_counter()
        loop = _loop(method.method, self.n, self.extra, self.works)
        compile_s = perf_counter() - clock
        control, work = self._prepare(loop.space, y0, t0, t_end, tol, length, speed, mass, weights, step)
        start, size = loop.space.places["start"] + 1, loop.space.size
        times, states = np.empty(FIRST_PAUSE + 2), np.empty((FIRST_PAUSE + 2, size))
        times[0], states[0] = t0, work[start : start + size]
        handle, workspace, rows = ctypes.byref(control), _address(work), (_address(times), _address(states))
        chunk, interrupted, most = FIRST_PAUSE, False, MEMORY // (8 * (size + 1))
        passing, aside = None, 0.0
        if surroundings is not None:

            def dense(t: Vector, y: Vector, at: Vector) -> Vector:
                return self._dense(method.method, t, y, at)[0]

            passing = Passing(_Counted(self, control), loop.space, control, work, surroundings, dense)
            control.attentive = 1
        control.longest = longest
        ends = iter([*stops, (t_end, t_end)])
        control.t_end, behind = next(ends)
        since = 0  # the row in which the present stretch begins
        started = process_time()
        try:
            loop.begin(handle, workspace)
            while control.state == RUNNING and control.tried < max_steps and control.steps < most:
                control.pause = min(control.tried + chunk, max_steps)
                if control.steps + chunk + 1 >= len(times):
                    count = max(2 * len(times), control.steps + chunk + 2)
                    times, states = _lengthened(times, count), _lengthened(states, count)
                    rows = _address(times), _address(states)
                clock = perf_counter()
                loop.advance(handle, workspace, *rows)
                if control.tried == control.pause:
                    chunk = _next_chunk(chunk, perf_counter() - clock)
                if passing is not None and (control.fallen or control.state == STUCK):
                    control.fallen, control.usual = 0, control.size
                    if passing.look(times, states, since):
                        loop.begin(handle, workspace)
                if passing is not None and control.state == ARRIVED:
                    clock = process_time()
                    if passing.check(times, states):
                        loop.begin(handle, workspace)
                    aside += process_time() - clock
                if control.state == STUCK and self._rescaled(loop.space, control, work):
                    loop.begin(handle, workspace)
                if progress is not None and t_end != t0:
                    progress(float((times[control.steps] - t0) / (t_end - t0)))
                if control.state == ARRIVED and control.t_end != t_end:
                    control.steps += 1
                    since = control.steps
                    times[since], states[since] = behind, states[since - 1]
                    self._place(loop.space, work, behind, states[since])
                    control.t_end, behind = next(ends)
                    control.state, control.hold, control.usual = RUNNING, 0, 0.0
                    if method.method.adaptive:
                        control.size = 0.0
                    loop.begin(handle, workspace)
        except KeyboardInterrupt:
            interrupted = True
        cpu = process_time() - started - aside
        t, y = times[: control.steps + 1], states[: control.steps + 1]
        status = _status(control, float(t[-1]), t_end, interrupted)
        if status.code is Code.TOO_MANY_STEPS and control.steps >= most:
            full = f"{most} steps of {size} numbers each fill the {MEMORY / 2**20:g} MiB that recorded steps may take."
            status = replace(status, where=full)
        steps = Steps(t, y, status, _counters(control), cpu, method, compile_s=compile_s)
        return replace(steps, crossings=tuple(passing.crossings), undecided=passing.undecided) if passing else steps

    def _rescaled(self, space: Workspace, control: Control, work: Vector) -> bool:
        """Whether a run that is stuck goes on with a larger scale of speed: one that began at rest may not have known it.

        With the accelerations of the last try the mechanism reaches the speed √(length·a) within its own length.
        """
        if control.cause != ERROR or not space.method.adaptive:
            return False
        width, slopes = padded(space.rates), work[space.places["slopes"] :]
        tried = slopes[: width * space.method.stages].reshape(-1, width)[:, : self.n]
        speed = float(np.sqrt(control.length * np.max(np.abs(tried), initial=0.0)))
        if not FASTER * control.speed < speed < inf:
            return False
        control.speed, control.energy = speed, max(control.energy, control.mass * speed * speed)
        self._weigh(space, control, work)
        control.state, control.hold, control.size, control.usual = RUNNING, 0, 0.0, 0.0
        return True

    def sample(self, steps: Steps, times: ArrayLike) -> tuple[Vector, Vector]:
        """States y (m, 2n+k) and derivatives [a, ė] (m, n+k) at m times, sorted in the direction of the run.

        At the time of a step: its state exactly; between: the dense output, put on the constraints.
        """
        at = np.ascontiguousarray(times, dtype=float)
        towards = 1.0 if steps.t[-1] >= steps.t[0] else -1.0
        along = towards * np.concatenate((steps.t[:1], at, steps.t[-1:]))
        if not np.all(np.diff(along) >= 0):
            raise ValueError(f"times to sample must be sorted and between {steps.t[0]} s and {steps.t[-1]} s")
        states, derivatives = self._dense(steps.method.method, steps.t, steps.y, at)
        for crossing in steps.crossings:
            inside = (towards * at > towards * crossing.begin) & (towards * at < towards * crossing.end)
            states[inside], derivatives[inside] = crossing.at(at[inside])
        return states, derivatives

    def _dense(self, method: Method, t: Vector, y: Vector, at: Vector) -> tuple[Vector, Vector]:
        """The same for steps without crossings."""
        t, y, at = (np.ascontiguousarray(x) for x in (t, y, at))
        loop = _loop(method, self.n, self.extra, self.works)
        states, derivatives = np.empty((len(at), loop.space.size)), np.empty((len(at), loop.space.rates))
        work = self._work(loop.space)
        loop.sample(
            _address(work),
            len(t) - 1,
            _address(t),
            _address(y),
            len(at),
            _address(at),
            _address(states),
            _address(derivatives),
        )
        return states, derivatives

    def _prepare(
        self,
        space: Workspace,
        y0: ArrayLike,
        t0: float,
        t_end: float,
        tol: float,
        length: float,
        speed: float,
        mass: float,
        weights: ArrayLike | None,
        step: float | None,
    ) -> tuple[Control, Vector]:
        """The control and the workspace of a run that is about to begin."""
        span = abs(t_end - t0)
        if not (0 < tol < inf and 0 < length < inf and 0 < speed < inf and span < inf):
            raise ValueError(
                f"tol, length, speed must be positive and the times finite, not {tol}, {length}, {speed}, {t0} to {t_end}"
            )
        control = Control(t_end=t_end, span=span, tolerance=tol, length=length, speed=speed, mass=mass)
        control.energy = mass * speed * speed
        control.controlled = 2 * space.n + space.works
        if space.method.adaptive:
            control.size = abs(step) if step else 0.0
        else:
            control.size = span / max(1, ceil(span / abs(step) * (1.0 - 1e-12))) if step else span / FIXED_STEPS
        work, place = self._work(space), space.places
        self._place(space, work, t0, y0)
        work[place["weights_q"] :][: space.n] = 1.0 / (tol * length)
        self._weigh(space, control, work)
        if weights is not None:
            others = np.asarray(weights, dtype=float)
            work[place["weights"] + space.n :][: len(others)] = others / tol
            control.controlled += np.count_nonzero(others)
        return control, work

    def _weigh(self, space: Workspace, control: Control, work: Vector) -> None:
        """Writes the weights of velocities and works."""
        weights = work[space.places["weights"] :][: space.rates]
        weights[: space.n] = 1.0 / (control.tolerance * control.speed)
        weights[space.rates - space.works :] = 1.0 / (control.tolerance * control.energy)

    def _place(self, space: Workspace, work: Vector, t: float, y: ArrayLike) -> None:
        """Puts a state where the next step starts."""
        start = space.places["start"]
        work[start] = t
        work[start + 1 :][: space.size] = y

    def _work(self, space: Workspace) -> Vector:
        """A workspace that knows the mechanism's functions."""
        work = np.zeros(space.places["all"])
        work[space.places["functions"] :][: len(self._functions)].view(np.uint64)[:] = self._functions
        return work

    def _point(self, t: float, y: ArrayLike) -> Vector:
        """x = [t, q, v, e]."""
        x = np.empty(1 + 2 * self.n + self.extra)
        x[0] = t
        x[1:] = y
        return x


class _Counted:
    """The equations of motion for one run: what is evaluated is counted, and vectors have their places."""

    def __init__(self, integrator: Integrator, control: Control) -> None:
        self.n, self.integrator, self.control = integrator.n, integrator, control
        size = 2 * integrator.n + integrator.extra
        self.x, self.rates, self.end = np.empty(1 + size), np.empty(size - integrator.n), np.empty(size + 1)
        self.places = [_address(vector) for vector in (self.x, self.rates, self.end)]

    def derivative(self, t: float, y: Vector) -> Vector:
        self.control.evaluations += 1
        self.x[0], self.x[1:] = t, y
        self.integrator._derivative(self.places[0], self.places[1])
        return self.rates.copy()

    def projected(self, t: float, y: Vector) -> Vector:
        self.control.projections += 1
        self.x[0], self.x[1:] = t, y
        self.integrator._project(self.places[0], self.places[2])
        return self.end[:-1].copy()


def _address(array: Vector) -> int:
    return array.ctypes.data


def _lengthened(array: Vector, rows: int) -> Vector:
    longer = np.empty((rows, *array.shape[1:]))
    longer[: len(array)] = array
    return longer


def _next_chunk(chunk: int, seconds: float) -> int:
    """Steps to try before the next pause, so that they take about PAUSE_EVERY; grows carefully."""
    return max(1, int(chunk * min(4.0, PAUSE_EVERY / max(seconds, 1e-6))))


def _status(control: Control, time: float, end: float, interrupted: bool) -> Status:
    if interrupted:
        code = Code.INTERRUPTED
    elif control.state == ARRIVED:
        code = Code.SUCCESS
    elif control.state == RUNNING:
        code = Code.TOO_MANY_STEPS
    else:
        code = _CODE[control.cause]
    return Status(code, time, end)


def _counters(control: Control) -> Counters:
    return Counters(
        steps=control.steps,
        rejected_error=control.rejected_error,
        rejected_not_finite=control.rejected_not_finite,
        rejected_constraints=control.rejected_constraints,
        evaluations=control.evaluations,
        projections=control.projections,
    )
