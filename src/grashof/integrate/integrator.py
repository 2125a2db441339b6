"""Run the native time loop from Python: buffers, pauses, outcomes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import perf_counter, process_time

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grashof.integrate.control import ARRIVED, CONSTRAINTS, ERROR, NOT_FINITE, RUNNING, Control
from grashof.integrate.dense import sample_ir
from grashof.integrate.kernel import DECLARATIONS
from grashof.integrate.loop import advance_ir, begin_ir
from grashof.integrate.step import Workspace, stages_ir
from grashof.status import Code, Status
from grashof.tape import Library

Vector = NDArray[np.float64]

FIRST_PAUSE = 128
"""Steps tried before the first return to Python."""
PAUSE_EVERY = 0.05
"""Aim for the time between returns to Python, s: how long an interrupt may have to wait."""

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
    """Calls of `derivative`: 12 an accepted step, 11 or 12 a rejected one, 1 at the start, 1 to choose a first step."""
    projections: int
    """Calls of `project`: one for each step whose error was accepted."""

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
    """CPU time of this process from the first evaluation to the last step, with the pauses, s."""


def integrator_ir(n: int, extra: int = 0) -> str:
    """LLVM IR of the time loop for n coordinates and some extra states; goes in one module with `derivative` and
    `project` (see `step`)."""
    space = Workspace(n, extra)
    return "".join((DECLARATIONS, stages_ir(space), begin_ir(space), advance_ir(space), sample_ir(space)))


class Integrator:
    """The time loop of a library that was compiled from a mechanism's functions and `integrator_ir(n, extra)`.

    Holds nothing that changes: runs in several threads do not disturb each other.
    """

    def __init__(self, library: Library, n: int, extra: int = 0) -> None:
        pointer, whole = ctypes.c_void_p, ctypes.c_int64
        self.space = Workspace(n, extra)
        self._rates = n + extra
        self._derivative = library.function("derivative", None, pointer, pointer)
        self._project = library.function("project", None, pointer, pointer)
        self._begin = library.function("begin", None, pointer, pointer)
        self._advance = library.function("advance", None, *[pointer] * 4)
        self._sample = library.function(
            "sample", None, pointer, whole, pointer, pointer, whole, pointer, pointer, pointer
        )

    def derivative(self, t: float, y: ArrayLike) -> Vector:
        """[a (n), ė (k)] at time t and state y = [q, v, e]."""
        x, out = self._point(t, y), np.empty(self._rates)
        self._derivative(_address(x), _address(out))
        return out

    def project(self, t: float, y: ArrayLike) -> tuple[Vector, float]:
        """The state put on the constraints, and the position violation that is left, m."""
        x, out = self._point(t, y), np.empty(self.space.size + 1)
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
        weights: ArrayLike | None = None,
        first_step: float | None = None,
        max_steps: int = 1_000_000,
        progress: Callable[[float], None] | None = None,
    ) -> Steps:
        """Integrate from y0 = [q, v, e] at t0, on the constraints, to t_end, which may be before t0.

        The error of a step is held below tol in units of length (m) for q, of speed (m/s, or the largest |v_i| met) for v,
        of 1/weights for e; an extra state of weight 0, as all are by default, is only an output.
        max_steps bounds the tried steps. progress is called now and then with the part of the time that is done;
        KeyboardInterrupt, from there or from the keyboard, ends the run with the steps made.
        """
        control, work = self._prepare(y0, t0, t_end, tol, length, speed, weights, first_step)
        size = self.space.size
        times, states = np.empty(FIRST_PAUSE + 1), np.empty((FIRST_PAUSE + 1, size))
        times[0], states[0] = t0, work[1 : 1 + size]
        handle, workspace = ctypes.byref(control), _address(work)
        chunk, interrupted = FIRST_PAUSE, False
        started = process_time()
        try:
            self._begin(handle, workspace)
            while control.state == RUNNING and control.tried < max_steps:
                control.pause = min(control.tried + chunk, max_steps)
                if control.steps + chunk >= len(times):
                    rows = max(2 * len(times), control.steps + chunk + 1)
                    times, states = _lengthened(times, rows), _lengthened(states, rows)
                clock = perf_counter()
                self._advance(handle, workspace, _address(times), _address(states))
                chunk = _next_chunk(chunk, perf_counter() - clock)
                if progress is not None and t_end != t0:
                    progress(float((times[control.steps] - t0) / (t_end - t0)))
        except KeyboardInterrupt:
            interrupted = True
        cpu = process_time() - started
        t, y = times[: control.steps + 1], states[: control.steps + 1]
        return Steps(t, y, _status(control, float(t[-1]), interrupted), _counters(control), cpu)

    def sample(self, steps: Steps, times: ArrayLike) -> tuple[Vector, Vector]:
        """States y (m, 2n+k) and derivatives [a, ė] (m, n+k) at m times, sorted in the direction of the run.

        At the time of a step: its state exactly; between: the dense output, put on the constraints.
        """
        at = np.ascontiguousarray(times, dtype=float)
        towards = 1.0 if steps.t[-1] >= steps.t[0] else -1.0
        along = towards * np.concatenate((steps.t[:1], at, steps.t[-1:]))
        if not np.all(np.diff(along) >= 0):
            raise ValueError(f"times to sample must be sorted and between {steps.t[0]} s and {steps.t[-1]} s")
        t, y = np.ascontiguousarray(steps.t), np.ascontiguousarray(steps.y)
        states, derivatives = np.empty((len(at), self.space.size)), np.empty((len(at), self._rates))
        work = np.zeros(self.space.places["all"])
        self._sample(
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
        y0: ArrayLike,
        t0: float,
        t_end: float,
        tol: float,
        length: float,
        speed: float,
        weights: ArrayLike | None,
        first_step: float | None,
    ) -> tuple[Control, Vector]:
        """The control and the workspace of a run that is about to begin."""
        space, span = self.space, abs(t_end - t0)
        if not (0 < tol < inf and 0 < length < inf and 0 < speed < inf and span < inf):
            raise ValueError(
                f"tol, length, speed must be positive and the times finite, not {tol}, {length}, {speed}, {t0} to {t_end}"
            )
        control = Control(t_end=t_end, span=span, tolerance=tol, length=length, speed=speed)
        control.controlled = 2 * space.n
        control.size = abs(first_step) if first_step else 0.0
        work = np.zeros(space.places["all"])
        work[0], work[1 : 1 + space.size] = t0, y0
        weight = work[space.places["weights"] :]
        weight[: space.n] = 1.0 / (tol * length)
        weight[space.n : 2 * space.n] = 1.0 / (tol * speed)
        if weights is not None:
            extra = np.asarray(weights, dtype=float)
            weight[2 * space.n : space.size] = extra / tol
            control.controlled += np.count_nonzero(extra)
        return control, work

    def _point(self, t: float, y: ArrayLike) -> Vector:
        """x = [t, q, v, e]."""
        x = np.empty(1 + self.space.size)
        x[0] = t
        x[1:] = y
        return x


def _address(array: Vector) -> int:
    return array.ctypes.data


def _lengthened(array: Vector, rows: int) -> Vector:
    longer = np.empty((rows, *array.shape[1:]))
    longer[: len(array)] = array
    return longer


def _next_chunk(chunk: int, seconds: float) -> int:
    """Steps to try before the next pause, so that they take about PAUSE_EVERY; grows carefully."""
    return max(1, int(chunk * min(4.0, PAUSE_EVERY / max(seconds, 1e-6))))


def _status(control: Control, time: float, interrupted: bool) -> Status:
    if interrupted:
        code = Code.INTERRUPTED
    elif control.state == ARRIVED:
        code = Code.SUCCESS
    elif control.state == RUNNING:
        code = Code.TOO_MANY_STEPS
    else:
        code = _CODE[control.cause]
    return Status(code, time, control.t_end)


def _counters(control: Control) -> Counters:
    return Counters(
        steps=control.steps,
        rejected_error=control.rejected_error,
        rejected_not_finite=control.rejected_not_finite,
        rejected_constraints=control.rejected_constraints,
        evaluations=control.evaluations,
        projections=control.projections,
    )
