"""Runs of which only the motion at some times is kept: their steps are examined piece by piece and then discarded."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from grashof.common.errors import ModelError
from grashof.integrate import Extract, Occurrence, Steps
from grashof.simulation.streaming import RunPiece, pieces
from grashof.simulation.task import Attempt, Task
from grashof.simulation.trust import RunChecks

COMPARED = 64
"""Number of evenly spaced times at which the motion is always kept, so that runs can be compared there."""

TAIL = 20
"""Number of last rows that are kept: they show what limits the steps (see `trust.stiffness`)."""


@dataclass(frozen=True, eq=False)
class Extraction:
    """Makes runs of a task of which only the motion at some times, in ascending order, is kept."""

    task: Task
    times: np.ndarray

    def run(self, attempt: Attempt) -> Steps:
        """One run, as in `Task.run`."""
        task = self.task
        times = np.union1d(self.times, np.linspace(task.program.assembly.time, task.t_end, COMPARED))

        run, kept = task.begin(attempt), _Kept(task)
        for piece in pieces(task, run, times, overlap=2, bound=task.tol):
            kept.add(piece)
        return kept.steps()


class _Kept:
    """What is kept of the pieces so far."""

    def __init__(self, task: Task) -> None:
        self.task = task
        self._checks: RunChecks | None = None
        self._parts: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
        tracked = task.program.system.tracked
        self._angles: dict[str, list[np.ndarray]] = {x: [] for x in task.program.assembly.angles if x not in tracked}
        self._undefined: dict[str, str] = {}
        self._occurrences: tuple[Occurrence, ...] = ()
        self._speed = self._work = 0.0

    def add(self, piece: RunPiece) -> None:
        """Adds one more piece."""
        steps, motion, layout = piece.steps, piece.motion, self.task.program.dynamics.layout
        self._last = steps
        self._occurrences += tuple(replace(x, index=0) for x in steps.occurrences)
        self._parts.append((piece.asked(motion.t), piece.asked(motion.y), piece.asked(motion.rates)))
        for name, parts in self._angles.items():
            if name not in self._undefined:
                try:
                    parts.append(piece.asked(motion[name]))
                except ModelError as problem:
                    self._undefined[name] = str(problem)
        self._speed = max(self._speed, float(np.max(np.abs(steps.y[:, layout.of_v]), initial=0.0)))
        self._work = max(self._work, float(np.max(np.abs(steps.y[:, layout.of_works]), initial=0.0)))
        if self._checks is None:
            method = steps.method.method
            self._checks = RunChecks(self.task.program, self.task.tol, adaptive=method.adaptive)
        if steps.status.reached:
            self._checks.add(steps)

    def steps(self) -> Steps:
        """The run, after all pieces have been added."""
        assert self._checks is not None
        t, y, rates = (np.concatenate(x) for x in zip(*self._parts, strict=True))
        angles = {name: np.concatenate(x) for name, x in self._angles.items() if name not in self._undefined}
        largest = self._speed, self._checks.kinetic, self._work
        extract = Extract(t, y, rates, angles, self._undefined, *largest, self._checks)
        tail = slice(-min(TAIL, len(self._last.t)), None)
        before = t < self._last.t[tail][0]
        return replace(
            self._last,
            t=np.concatenate([t[before], self._last.t[tail]]),
            y=np.concatenate([y[before], self._last.y[tail]]),
            crossings=(),
            own=None if self._last.own is None else self._last.own[tail],
            occurrences=self._occurrences,
            angles=None,
            extract=extract,
            records=None,
        )
