"""Many runs of a mechanism in the lanes of a processor, from Python."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import copysign, inf

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grashof.formulation.layout import Sizes
from grashof.integrate.control import ARRIVED, Control
from grashof.integrate.dense import interpolate_ir, solve_ir
from grashof.integrate.jacobian import jacobian_library
from grashof.integrate.kernel import declarations
from grashof.integrate.lanes.control import COUNTERS, NOBODY, LaneControl, LaneJob
from grashof.integrate.lanes.loop import advance_ir, begin_ir
from grashof.integrate.lanes.observing import NODES, deliver_ir, observe_ir, record_ir, trace_ir
from grashof.integrate.lanes.queue import queue_ir
from grashof.integrate.lanes.sides import examine_ir, look_ir
from grashof.integrate.methods import Method
from grashof.integrate.settings import Settings, make_control
from grashof.integrate.step import Workspace, stages_ir
from grashof.singular.sides import Pattern, side_tapes
from grashof.tape import Library, Tape, emit, vector_lanes
from grashof.tape.arrays import address
from grashof.tape.lanes import Lanes

Array = NDArray[np.float64]

ALIGNED = 64
"""Alignment in bytes: vectors do not straddle blocks of memory of this size."""


RECORDS = 1 << 14
"""Number of observations that native code collects before Python takes them."""


@dataclass(frozen=True, eq=False)
class Traces:
    """What was observed in all steps of B runs, run by run: at the NODES of each step (see `observing`), the last of
    which is its end.

    row      the run to which each of R steps belongs, (R,)
    times    (R, nodes)
    values   of some outputs, (R, nodes, outputs)
    """

    row: NDArray[np.int64]
    times: Array
    values: Array

    def of(self, which: NDArray[np.bool_]) -> Traces:
        """Those of some of the runs."""
        chosen, number = which[self.row], np.cumsum(which) - 1
        return Traces(number[self.row[chosen]], self.times[chosen], self.values[chosen])


@dataclass(frozen=True, eq=False)
class LaneRuns:
    """The results of B runs.

    observed   K numbers at each of m times, (B, m, K); NaN after the end of a run
    times      when runs ended, (B,)
    states     at their ends, (B, size)
    codes      how they ended, see `Ended`, (B,)
    counters   the work done, see `Counters`, by name, (B,) each
    traces     what was observed in all steps, if that was asked for
    """

    observed: Array
    times: Array
    states: Array
    codes: NDArray[np.int64]
    counters: Mapping[str, NDArray[np.int64]]
    traces: Traces | None = None

    def of(self, which: NDArray[np.bool_]) -> LaneRuns:
        """Some of the runs."""
        counters = {name: column[which] for name, column in self.counters.items()}
        traces = None if self.traces is None else self.traces.of(which)
        return LaneRuns(
            self.observed[which], self.times[which], self.states[which], self.codes[which], counters, traces
        )


class _NativeLanes:
    """A method compiled for all mechanisms of a size and for a number of lanes."""

    def __init__(self, method: Method, sizes: Sizes, lanes: int, gradients: int) -> None:
        self.space = Workspace(sizes, method, runs=Lanes(lanes), gradients=gradients)
        parts = [stages_ir, begin_ir, advance_ir, interpolate_ir, solve_ir, observe_ir, deliver_ir, look_ir, queue_ir]
        parts += [trace_ir, record_ir]
        parts += [examine_ir] if gradients else []
        text = declarations(Lanes(lanes)) + "".join(part(self.space) for part in parts)
        self.run = Library(text).function("run", None, *[ctypes.c_void_p] * 3)


_loop_for = lru_cache(maxsize=64)(_NativeLanes)


class LaneIntegrator:
    """Integrates many runs of a mechanism at once, each in a lane of the processor's vectors.

    The tapes are functions of x = [t, q, v, e] and of coefficients c: `derivative` and `project` (see `step`),
    `observe`, if anything is to be observed, and `gradients`, the entries of the rows' gradients, if these can become
    linearly dependent somewhere: they serve to check the runs (see `sides`). The object is never modified: several
    threads may use it at once and run in parallel.

    sizes       of a state and its rates
    pattern     the columns of the gradients' entries, row by row
    lanes       number of runs at once; chosen for the processor unless given
    redundant   rows that others imply everywhere
    """

    def __init__(
        self,
        tapes: Mapping[str, Tape],
        sizes: Sizes,
        pattern: Pattern = (),
        lanes: int | None = None,
        *,
        redundant: int = 0,
    ) -> None:
        self.sizes, self.lanes = sizes, lanes or vector_lanes()
        self.gradients = sum(map(len, pattern))
        moving = {name: tapes[name] for name in ("derivative", "project", "jacobian") if name in tapes}
        beside = {name: tapes[name] for name in ("observe", "gradients") if name in tapes}
        if pattern:
            beside |= side_tapes(pattern, redundant)
        self.coefficients = tapes["derivative"].sizes[1]
        self.outputs = len(tapes["observe"].outputs) if "observe" in tapes else 0
        # compiled separately, so that functions called only now and then do not make the others too large to be
        # unrolled
        parts = [part for part in (moving, beside) if part]
        self._libraries = [Library(emit(part, lanes=Lanes(self.lanes))) for part in parts]
        self._functions = {
            name: library.address(name) for library, part in zip(self._libraries, parts, strict=True) for name in part
        }
        self._derivative = tapes["derivative"]

    @cached_property
    def _jacobian(self) -> Library:
        """The Jacobian of the rates, for methods that need it."""
        return jacobian_library(self._derivative, self.sizes, Lanes(self.lanes))

    def further(self, method: Method) -> dict[str, int]:
        """The addresses of the functions that only some methods need."""
        return {name: self._jacobian.address(name) for name in method.needs if name not in self._functions}

    def run(
        self,
        starts: ArrayLike,
        t0: float,
        t_end: float,
        settings: Settings,
        coefficients: ArrayLike | None = None,
        times: ArrayLike = (),
        scales: ArrayLike | None = None,
        trace: Sequence[int] = (),
    ) -> LaneRuns:
        """Runs from B states y0 = [q, v, e] (B, size) at t0, on the constraints, to t_end.

        coefficients  of each run, (B, C)
        times         when to observe, sorted in the direction of the run
        scales        length, speed and mass of each run, (B, 3), instead of those of the settings; a speed of zero is
                      determined at the start
        trace         outputs to be observed in every step

        Until all runs have ended there is neither a progress report nor a reaction to interrupts: choose the number of
        rows accordingly.
        """
        if settings.watch is not None:
            raise ValueError("runs in lanes cannot watch events: integrate them one by one")
        loop = _loop_for(settings.method.method, self.sizes, self.lanes, self.gradients)
        y0, c = self._rows(starts, coefficients)
        at = _check_times(times if self.outputs else (), t0, t_end)
        asked = (settings.length, settings.speed, settings.mass) if scales is None else scales
        figures = np.ascontiguousarray(np.broadcast_to(np.asarray(asked, dtype=float), (len(y0), 3)))
        stops = np.array([*settings.stops, (t_end, t_end)], dtype=float)
        common = self._common(loop.space, t0, t_end, settings)
        memory = _Memory(self, loop.space, settings)
        found = _Results(len(y0), len(at), self.outputs, self.sizes.size)
        records = np.empty((RECORDS if trace else 0, 2 + self.outputs))
        job = LaneJob(
            traced=int(bool(trace)),
            capacity=len(records),
            records_at=address(records),
            rows=len(y0),
            start=t0,
            never=copysign(inf, t_end - t0),
            coefficients=self.coefficients,
            times=len(at),
            outputs=self.outputs,
            stops=len(stops),
            stops_at=address(stops),
            control=ctypes.addressof(common),
            starts_at=address(y0),
            coefficients_at=address(c),
            scales_at=address(figures),
            times_at=address(at),
            observed_at=address(found.observed),
            ends_at=address(found.ends),
            codes_at=address(found.codes),
            counters_at=address(found.counters),
            lane_coefficients_at=address(memory.coefficients),
            lane_outputs_at=address(memory.outputs),
        )

        def taken() -> Iterator[Array]:
            """Runs until all have ended, and yields what was observed in their steps: rows, times and values."""
            while True:
                job.recorded = 0
                memory.control[LaneControl.filled.offset // 8].view(np.int64)[:] = 0
                loop.run(ctypes.addressof(job), address(memory.control), address(memory.work))
                yield records[: job.recorded, [0, 1, *(2 + k for k in trace)]]
                if not job.busy:
                    return

        pieces = list(taken())
        return found.runs(_traces(pieces, len(trace)) if trace else None)

    def _rows(self, starts: ArrayLike, coefficients: ArrayLike | None) -> tuple[Array, Array]:
        """States and coefficients, a row for each run."""
        y0 = np.ascontiguousarray(starts, dtype=float)
        rows, size = len(y0), self.sizes.size
        c = np.ascontiguousarray(np.zeros((rows, 0)) if coefficients is None else coefficients, dtype=float)
        if y0.shape != (rows, size) or c.shape != (rows, self.coefficients):
            wanted = f"({rows}, {size}), coefficients ({rows}, {self.coefficients})"
            raise ValueError(f"starts must be {wanted}, not {y0.shape}, {c.shape}")
        return y0, c

    def _common(self, space: Workspace, t0: float, t_end: float, settings: Settings) -> Control:
        """What all runs begin with."""
        common = make_control(space, t0, t_end, settings)
        common.pause, common.attentive = settings.max_steps, int(settings.surroundings is not None)
        if len(settings.weights):
            common.controlled += np.count_nonzero(np.asarray(settings.weights, dtype=float))
        return common


class _Memory:
    """The memory of native code during a call: the workspace, and the control, coefficients and outputs of the
    lanes, side by side."""

    def __init__(self, integrator: LaneIntegrator, space: Workspace, settings: Settings) -> None:
        lanes, places = integrator.lanes, space.places
        self.coefficients = _aligned_zeros(integrator.coefficients, lanes)
        self.outputs = _aligned_zeros(integrator.outputs, lanes)
        self.control = _aligned_zeros(ctypes.sizeof(LaneControl) // 8, lanes)
        self.control[LaneControl.row.offset // 8].view(np.int64)[:] = NOBODY
        self.control[LaneControl.state.offset // 8].view(np.int64)[:] = (
            ARRIVED  # so that lanes without a run stay still
        )
        self.work = _aligned_zeros(places["all"], lanes)
        functions = integrator._functions | integrator.further(space.method)
        for name, place in {**functions, "coefficients": address(self.coefficients)}.items():
            self.work[space.address_of(name), :1].view(np.uint64)[:] = place
        if len(settings.weights):  # weights of other extra states: the loop writes the rest
            others = np.asarray(settings.weights, dtype=float)
            self.work[places["weights"] + space.sizes.of_a.stop :][: len(others)] = others[:, None] / settings.tol


class _Results:
    """The arrays that receive the results."""

    def __init__(self, rows: int, times: int, outputs: int, size: int) -> None:
        self.observed = np.full((rows, times, outputs), np.nan)
        self.ends = np.empty((rows, 1 + size))
        self.codes = np.empty(rows, np.int64)
        self.counters = np.empty((rows, len(COUNTERS)), np.int64)

    def runs(self, traces: Traces | None) -> LaneRuns:
        """The results of all runs."""
        counters = {name: self.counters[:, i] for i, name in enumerate(COUNTERS)}
        return LaneRuns(self.observed, self.ends[:, 0], self.ends[:, 1:], self.codes, counters, traces)


def _traces(records: Sequence[Array], outputs: int) -> Traces:
    """The records, which are in the order in which they were made, run by run."""
    found = np.concatenate(records)
    row = np.ascontiguousarray(found[:, 0]).view(np.int64)
    order = np.argsort(row, kind="stable")
    steps = found[order].reshape(-1, len(NODES), 2 + outputs)
    return Traces(row[order][:: len(NODES)], steps[..., 1], steps[..., 2:])


def _check_times(times: ArrayLike, t0: float, t_end: float) -> Array:
    """The times, checked to lie within the run and to be sorted in its direction."""
    at = np.ascontiguousarray(times, dtype=float)
    along = copysign(1.0, t_end - t0) * np.concatenate(([t0], at, [t_end]))
    if not np.all(np.diff(along) >= 0.0):
        raise ValueError(f"times to observe at must be sorted and between {t0} s and {t_end} s")
    return at


def _aligned_zeros(count: int, lanes: int) -> Array:
    """An aligned array of zeros, (count, lanes)."""
    memory = np.zeros(count * lanes + ALIGNED // 8)
    skipped = -address(memory) % ALIGNED // 8
    return memory[skipped : skipped + count * lanes].reshape(count, lanes)
