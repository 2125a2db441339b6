"""Integrates a mechanism from Python: runs whose steps are kept, and the motion between steps."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grashof.common.status import Code
from grashof.integrate.events import Occurrence
from grashof.integrate.inner import StepRecords, width
from grashof.integrate.native import DenseOutput, NativeEquations, NativeLoop, loop_for
from grashof.integrate.recording import Stretch
from grashof.integrate.run import Run
from grashof.integrate.settings import Settings
from grashof.integrate.steps import Steps

Vector = NDArray[np.float64]

MEMORY = 2**30
"""Largest memory for the recorded steps of a run, bytes."""


class Integrator(NativeEquations):
    """Integrates a mechanism, given a library with its `derivative` and `project` (see `step`).

    The last of the extra states are works, whose error is controlled relative to the energy scale of the motion.
    The object is never modified, so runs in several threads do not disturb each other.
    """

    def begin(self, y0: ArrayLike, t0: float, t_end: float, settings: Settings, most: float = inf) -> Run:
        """A run from y0 = [q, v, e] at t0, on the constraints, to t_end, which may be before t0: take its `stretches`,
        which are in the mechanism's own coordinates (see `show`).

        most   bounds the accepted steps
        """
        return self._begin(self._loop(settings), y0, t0, t_end, settings, most)

    def _begin(self, loop: NativeLoop, y0: ArrayLike, t0: float, t_end: float, settings: Settings, most: float) -> Run:
        y0 = y0 if self.view is None else self.view.own(t0, np.asarray(y0, dtype=float))
        if settings.watch is not None and settings.watch.begin is not None:
            y0 = settings.watch.begin(t0, np.asarray(y0, dtype=float))
        return Run(self, loop, y0, t0, t_end, settings, DenseOutput(self), most)

    def collect(self, y0: ArrayLike, t0: float, t_end: float, settings: Settings) -> Steps:
        """All steps of a run (see `begin`); their memory is bounded."""
        clock = perf_counter()
        loop = self._loop(settings)
        size = loop.space.sizes.size + width(loop.space.method, loop.space.sizes)
        compile_s = perf_counter() - clock
        most = MEMORY // (8 * (size + 1))
        run = self._begin(loop, y0, t0, t_end, settings, most)
        whole = join_stretches(list(run.stretches()))
        t, ended = whole.t, whole.ended
        assert ended is not None, "the last stretch says how the run ended"
        where = run.reason
        if ended is Code.TOO_MANY_STEPS and len(t) > most:
            where = f"{most} steps of {size} numbers each fill the {MEMORY / 2**20:g} MiB that recorded steps may take."
        return self.show(
            Steps(
                t,
                whole.y,
                run.status(ended, float(t[-1]), where),
                run.counters,
                run.cpu_s,
                run.switching.choice,
                run.crossings,
                run.undecided,
                tuple(replace(x, index=first_row(t, x.time)) for x in run.occurrences),
                compile_s,
                records=whole.records,
            )
        )

    def show(self, steps: Steps) -> Steps:
        """A run whose states are in the mechanism's own coordinates, with its states in natural ones."""
        if self.view is None:
            return steps
        events = tuple(self._show_occurrence(x) for x in steps.occurrences)
        return replace(steps, y=self.view.natural(steps.t, steps.y)[0], own=steps.y, occurrences=events)

    def _show_occurrence(self, event: Occurrence) -> Occurrence:
        assert self.view is not None
        rows = np.array([event.state, event.after])
        before, after = self.view.natural(np.full(2, event.time), rows)[0]
        return replace(event, state=before, after=after if event.changes else before)

    def natural_rates(self, t: float, y: ArrayLike) -> Vector:
        """The rates in natural coordinates, at a state in these."""
        if self.view is None:
            return self.derivative(t, y)
        own = self.view.own(t, np.asarray(y, dtype=float))
        rates: Vector = self.view.natural(np.array([t]), own[None], self.derivative(t, own)[None])[1][0]
        return rates

    def _loop(self, settings: Settings) -> NativeLoop:
        watched = [len(settings.watch.triggers)] if settings.watch else []
        return loop_for(settings.method.first, self.sizes, *watched)

    def run(self, y0: ArrayLike, t0: float, t_end: float, **settings: Any) -> Steps:
        """As `collect`, with the fields of `Settings` as keyword arguments."""
        return self.collect(y0, t0, t_end, Settings(**settings))

    def sample(self, steps: Steps, times: ArrayLike) -> tuple[Vector, Vector]:
        """States y (m, size) and their rates (m, rates) at m times, sorted in the direction of the run.

        At the time of a step this is exactly its state; between steps it is the dense output, projected onto the
        constraints.
        """
        at = np.ascontiguousarray(times, dtype=float)
        if steps.extract is not None:
            rows = steps.extract.rows(at)
            return steps.extract.y[rows], steps.extract.rates[rows]
        towards = 1.0 if steps.t[-1] >= steps.t[0] else -1.0
        along, begin, end = towards * at, towards * steps.t[0], towards * steps.t[-1]
        if at.size and not ((along[1:] >= along[:-1]).all() and begin <= along[0] and along[-1] <= end):
            raise ValueError(f"times to sample must be sorted and between {steps.t[0]} s and {steps.t[-1]} s")
        states, derivatives = self.seen(at, *DenseOutput(self)(steps.t, steps.rows, steps.made, at))
        for crossing in steps.crossings:
            inside = (towards * at > towards * crossing.begin) & (towards * at < towards * crossing.end)
            states[inside], derivatives[inside] = crossing.at(at[inside])
        return states, derivatives


def join_stretches(stretches: list[Stretch]) -> Stretch:
    """Stretches one after another."""
    if len(stretches) == 1:
        return stretches[0]
    t, y = np.concatenate([x.t for x in stretches]), np.concatenate([x.y for x in stretches])
    return Stretch(t, y, StepRecords.join([x.records for x in stretches]), stretches[-1].ended)


def first_row(t: Vector, time: float) -> int:
    """The first row at or after this time."""
    forward = 1.0 if t[-1] >= t[0] else -1.0
    return int(np.searchsorted(forward * t, forward * time))
