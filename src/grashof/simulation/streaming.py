"""A run that is delivered piece by piece while it is made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from grashof.common.errors import ModelError
from grashof.common.status import Code, Status
from grashof.integrate import Run, Steps, Stretch
from grashof.integrate.integrator import first_row, join_stretches
from grashof.motion.trajectory import Trajectory
from grashof.simulation.task import Task

LEAST, MOST = 256, 8192
"""A piece has at least the first number of rows, unless it is the last, and at most the sum of both."""


@dataclass(frozen=True, eq=False)
class RunPiece:
    """Some consecutive steps of a run, beginning with the last rows of the previous piece.

    motion   at the output times inside the piece, and at the time at which the next piece begins
    next     the index of the latter among its times
    last     whether this is the last piece
    """

    steps: Steps
    motion: Trajectory
    next: int
    last: bool

    def asked(self, x: np.ndarray) -> np.ndarray:
        """Selects the values at the output times from values at all times of the motion."""
        return np.delete(x, self.next, axis=0)


def pieces(
    task: Task, run: Run, times: np.ndarray, *, overlap: int = 1, bound: float | None = None
) -> Iterator[RunPiece]:
    """The steps of a run in pieces. The status of each piece is a success, except for the last one, which has the
    status of the run.

    times     output times, ascending
    overlap   number of rows that each piece has in common with the previous one
    bound     see `Steps`
    """
    before, waiting = None, list[Stretch]()
    for stretch in (part for long in run.stretches() for part in _cut(long)):
        waiting.append(stretch)
        if stretch.ended is not None or sum(len(x.t) for x in waiting) >= LEAST:
            steps = replace(_join_pieces(task, run, waiting, before, overlap), bound=bound)
            last = stretch.ended is not None
            # an event at the end of a piece may still change the state there
            reached = int(np.searchsorted(times, steps.t[-1], side="right" if last else "left"))
            begin = float(steps.t[-min(overlap, len(steps.t))])
            place = int(np.searchsorted(times[:reached], begin, side="right"))
            motion = Trajectory(task.program, steps, np.insert(times[:reached], place, begin))
            before, waiting, times = RunPiece(steps, motion, place, last), [], times[reached:]
            yield before


def _cut(stretch: Stretch) -> Iterator[Stretch]:
    """The same rows in stretches that are not too long."""
    for first in range(0, len(stretch.t) - MOST, MOST):
        yield stretch.part(slice(first, first + MOST))
    last = slice(max(0, -(-len(stretch.t) // MOST) - 1) * MOST, None)
    yield stretch.part(last, stretch.ended)


def _join_pieces(task: Task, run: Run, stretches: list[Stretch], before: RunPiece | None, overlap: int) -> Steps:
    angles = None
    if before is not None:
        shared, last = before.steps, slice(-overlap, None)
        stretches = [Stretch(shared.t[last], shared.rows[last], shared.made.part(last)), *stretches]
        angles = _angles_at_start(before)
    whole = join_stretches(stretches)
    t, ended = whole.t, whole.ended
    end = float(t[-1])
    status = Status(Code.SUCCESS, end, end)
    if ended is not None:
        status = run.status(ended, end)
    new = -np.inf if before is None else float(before.steps.t[-1])
    inside = [x for x in run.occurrences if new < x.time <= end]
    crossings = tuple(x for x in run.crossings if x.end > t[0] and x.begin < end)
    run.forget_crossings(float(t[0]))
    steps = Steps(
        t,
        whole.y,
        status,
        run.counters,
        run.cpu_s,
        run.switching.choice,
        crossings,
        run.undecided,
        tuple(replace(x, index=first_row(t, x.time)) for x in inside),
        angles=angles,
        records=whole.records,
    )
    return task.program.integrator.show(steps)


def _angles_at_start(before: RunPiece) -> dict[str, float]:
    """The angles at the first row of the next piece, including whole turns; undefined ones are left out."""
    found = {}
    known = before.steps.angles
    for name in before.motion.assembly.angles if known is None else known:
        try:
            found[name] = float(before.motion[name][before.next])
        except ModelError:
            continue
    return found
