"""A run piece by piece, while it is made."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from grashof.errors import ModelError
from grashof.integrate import Run, Steps, Stretch
from grashof.integrate.integrator import first_row
from grashof.progress import Progress
from grashof.status import Code, Status
from grashof.task import Task
from grashof.trajectory import Trajectory

LEAST = 256
"""Rows, at least, of a piece that is not the last."""


def pieces(task: Task, progress: Progress | None) -> Iterator[Steps]:
    """The steps of a run in pieces, each from the last row of the one before; each ends well at its own end but the last, which ends as the run does."""
    run, before, waiting = task.begin(progress), None, list[Stretch]()
    for stretch in run.stretches():
        waiting.append(stretch)
        if stretch.ended is not None or sum(len(x.t) for x in waiting) >= LEAST:
            before = _piece(task, run, waiting, before)
            waiting = []
            yield before


def _piece(task: Task, run: Run, stretches: list[Stretch], before: Steps | None) -> Steps:
    t, y = np.concatenate([x.t for x in stretches]), np.concatenate([x.y for x in stretches])
    ended, angles = stretches[-1].ended, None
    if before is not None:
        t, y = np.concatenate([before.t[-1:], t]), np.concatenate([before.y[-1:], y])
        angles = _angles_at_end(task, before)
    end = float(t[-1])
    status = Status(Code.SUCCESS, end, end) if ended is None else Status(ended, end, task.t_end, run.reason)
    inside = [x for x in run.occurrences if (before is None or x.time > t[0]) and x.time <= end]
    return Steps(
        t,
        y,
        status,
        run.counters,
        run.cpu_s,
        run.settings.method,
        tuple(x for x in run.crossings if x.end > t[0] and x.begin < end),
        run.undecided,
        tuple(replace(x, index=first_row(t, x.time)) for x in inside),
        angles=angles,
    )


def _angles_at_end(task: Task, steps: Steps) -> dict[str, float]:
    """The angles at the last row with their whole turns; those that are not defined on the way are left out."""
    last, found = Trajectory(task.program, steps, steps.t[-1:]), {}
    for name in task.program.assembly.angles if steps.angles is None else steps.angles:
        try:
            found[name] = float(last[name][0])
        except ModelError:
            continue
    return found
