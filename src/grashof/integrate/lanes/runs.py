"""Many runs of a mechanism in the lanes of a processor, from Python."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import copysign, inf
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grashof.integrate.dense import interpolate_ir, solve_ir
from grashof.integrate.kernel import declarations
from grashof.integrate.lanes import sides
from grashof.integrate.lanes.control import COUNTERS, NOBODY, Job, LaneControl
from grashof.integrate.lanes.loop import advance_ir, begin_ir
from grashof.integrate.lanes.observing import OBSERVE, deliver_ir, observe_ir
from grashof.integrate.lanes.queue import queue_ir
from grashof.integrate.lanes.sides import Pattern, examine_ir, look_ir
from grashof.integrate.methods import Method
from grashof.integrate.native import address
from grashof.integrate.settings import Settings, make_control
from grashof.integrate.step import COEFFICIENTS, Workspace, stages_ir
from grashof.tape import Library, Tape, emit, vector_lanes
from grashof.tape.lanes import Lanes

Array = NDArray[np.float64]

ALIGNED = 64
"""Bytes: vectors do not lie across the borders of such pieces of memory."""


@dataclass(frozen=True, eq=False)
class LaneRuns:
    """The results of B runs.

    observed   at m times, K numbers each, (B, m, K); NaN behind the end of a run
    times      when runs ended, (B,)
    states     at their ends, (B, size)
    codes      how they ended, see `Ended`, (B,)
    counters   what was done, see `Counters`, by name, (B,) each
    """

    observed: Array
    times: Array
    states: Array
    codes: NDArray[np.int64]
    counters: Mapping[str, NDArray[np.int64]]


class _NativeLanes:
    """A method compiled for all mechanisms of a size, and for so many lanes."""

    def __init__(self, method: Method, n: int, extra: int, works: int, lanes: int, gradients: int) -> None:
        self.space = Workspace(n, extra, works, method, runs=Lanes(lanes), gradients=gradients)
        parts = [stages_ir, begin_ir, advance_ir, interpolate_ir, solve_ir, observe_ir, deliver_ir, look_ir, queue_ir]
        parts += [examine_ir] if gradients else []
        text = declarations(Lanes(lanes)) + "".join(part(self.space) for part in parts)
        self.run = Library(text).function("run", None, *[ctypes.c_void_p] * 3)


_PLACES = {
    "derivative": 0,
    "project": 1,
    "observe": OBSERVE,
    "gradients": sides.GRADIENTS,
    "sides": sides.SIDES,
    "far": sides.FAR,
}
"""Where, among the addresses of functions, each of them stands."""


_loop_for = lru_cache(maxsize=64)(_NativeLanes)


class LaneIntegrator:
    """Integrates many runs of a mechanism at once, each in a lane of the processor's vectors.

    The tapes are functions of x = [t, q, v, e] and of coefficients c: `derivative` and `project` (see `step`), `observe`, if anything is to be observed, and
    `gradients`, the entries of the rows' gradients, if these can depend on each other somewhere: runs are checked by them (see `sides`).
    Holds nothing that changes: several threads may use it at once, and then work at the same time.

    n, extra, works   coordinates, extra states, and how many of these, the last, are works
    pattern           the columns of the gradients' entries, row by row
    lanes             runs at once; as many as suit the processor unless given
    redundant         rows that others imply everywhere
    """

    def __init__(
        self,
        tapes: Mapping[str, Tape],
        n: int,
        extra: int = 0,
        works: int = 0,
        pattern: Pattern = (),
        lanes: int | None = None,
        *,
        redundant: int = 0,
    ) -> None:
        self.n, self.extra, self.works, self.lanes = n, extra, works, lanes or vector_lanes()
        self.gradients = sum(map(len, pattern))
        moving = {name: tapes[name] for name in ("derivative", "project")}
        beside = {name: tapes[name] for name in ("observe", "gradients") if name in tapes}
        if pattern:
            beside |= sides.tapes(pattern, redundant)
        self.coefficients = tapes["derivative"].sizes[1]
        self.outputs = len(tapes["observe"].outputs) if "observe" in tapes else 0
        # apart from each other, so that what is looked up now and then does not make the others too large to be written out
        parts = [part for part in (moving, beside) if part]
        self._libraries = [Library(emit(part, lanes=Lanes(self.lanes))) for part in parts]
        self._functions = {
            _PLACES[name]: library.address(name)
            for library, part in zip(self._libraries, parts, strict=True)
            for name in part
        }

    def run(
        self,
        starts: ArrayLike,
        t0: float,
        t_end: float,
        settings: Settings,
        coefficients: ArrayLike | None = None,
        times: ArrayLike = (),
        scales: ArrayLike | None = None,
    ) -> LaneRuns:
        """Runs from B states y0 = [q, v, e] (B, size) at t0, on the constraints, to t_end.

        coefficients  of each run, (B, C)
        times         when to observe, sorted in the direction of the run
        scales        length, speed and mass of each run, (B, 3), instead of those of the settings; a speed of zero is found from the start
        """
        method = settings.method.method
        loop = _loop_for(method, self.n, self.extra, self.works, self.lanes, self.gradients)
        space = loop.space
        y0 = np.ascontiguousarray(starts, dtype=float)
        rows = len(y0)
        c = np.ascontiguousarray(np.zeros((rows, 0)) if coefficients is None else coefficients, dtype=float)
        at = np.ascontiguousarray(times if self.outputs else (), dtype=float)
        if y0.shape != (rows, space.size) or c.shape != (rows, self.coefficients):
            raise ValueError(
                f"starts must be ({rows}, {space.size}), coefficients ({rows}, {self.coefficients}), "
                f"not {y0.shape}, {c.shape}"
            )
        if settings.watch is not None:
            raise ValueError("runs in lanes cannot watch events: integrate them one by one")
        stops = np.array([*settings.stops, (t_end, t_end)], dtype=float)
        common = make_control(space, t0, t_end, settings)
        common.pause, common.attentive = settings.max_steps, int(settings.surroundings is not None)
        asked = (settings.length, settings.speed, settings.mass) if scales is None else scales
        figures = np.ascontiguousarray(np.broadcast_to(np.asarray(asked, dtype=float), (rows, 3)))
        observed = np.full((rows, len(at), self.outputs), np.nan)
        ends = np.empty((rows, 1 + space.size))
        codes, counters = np.empty(rows, np.int64), np.empty((rows, len(COUNTERS)), np.int64)
        work = _aligned((space.places["all"], self.lanes))
        lane_coefficients, outputs = _aligned((self.coefficients, self.lanes)), _aligned((self.outputs, self.lanes))
        for number, place in {**self._functions, COEFFICIENTS: address(lane_coefficients)}.items():
            work[space.places["functions"] + number, :1].view(np.uint64)[:] = place
        if settings.weights is not None:
            others = np.asarray(settings.weights, dtype=float)
            work[space.places["weights"] + self.n :][: len(others)] = others[:, None] / settings.tol
            common.controlled += np.count_nonzero(others)
        control = _aligned((ctypes.sizeof(LaneControl) // 8, self.lanes))
        control[LaneControl.row.offset // 8].view(np.int64)[:] = NOBODY
        job = Job(
            next=0,
            rows=rows,
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
            observed_at=address(observed),
            ends_at=address(ends),
            codes_at=address(codes),
            counters_at=address(counters),
            lane_coefficients_at=address(lane_coefficients),
            lane_outputs_at=address(outputs),
        )
        loop.run(ctypes.addressof(job), address(control), address(work))
        return LaneRuns(
            observed, ends[:, 0], ends[:, 1:], codes, {name: counters[:, i] for i, name in enumerate(COUNTERS)}
        )


def _aligned(shape: tuple[int, ...]) -> Any:
    """Zeros."""
    count = int(np.prod(shape))
    memory = np.zeros(count + ALIGNED // 8)
    skipped = -address(memory) % ALIGNED // 8
    return memory[skipped : skipped + count].reshape(shape)
