"""The error over the whole run: estimated by comparing runs with different step tolerances, and kept below the tolerance.

See docs/accuracy.md.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Protocol

import numpy as np

from grashof.integrate import FIXED_STEPS, Choice, Companion, Occurrence, Steps, comparable
from grashof.program import Program
from grashof.progress import Part, Progress
from grashof.status import Code
from grashof.task import REDUNDANT_STEP, Task

COARSER = 10.0
"""The second run, from which the error is estimated, has step tolerances larger by this factor."""

SAFETY = 10.0
"""Safety factor of the estimate. If errors are proportional to the tolerance, the difference of two runs is the error of the coarser one, and the error
of the finer one is smaller by the ratio of the tolerances. The estimate is larger than that by this factor (docs/measurements.md)."""

ROUND_OFF = 1e-14
"""Step tolerances below this do not make errors smaller."""

ROUNDS = 4
"""Largest number of further runs, with smaller step tolerances, until the estimated error is within the tolerance."""

DEAR = 20
"""No further run is made after one that took this many times the evaluations of the first without improving on the previous one."""

FARTHEST = 1e-4
"""From one run to the next, step tolerances are reduced at most by this factor: large differences are a poor estimate of the error."""

START, AIM = 0.3, 0.3
"""Fractions of the tolerance at which the first run and the following ones aim, so that most pass at the first attempt (docs/measurements.md)."""

VISIBLE = 0.05
"""A run with fixed steps promises no tolerance, but it is not a success if its estimated error exceeds this. Larger errors cannot be estimated."""

LARGEST = 1e3
"""Largest ratio by which the errors of two runs are assumed to differ."""

TINY = 1e-300
"""Avoids a division by zero where nothing moves."""

COMPARED = 64
"""Number of times at which runs are compared."""


class Make(Protocol):
    """Makes one run, in which the error of each step is controlled."""

    def __call__(
        self, tol: float, chosen: Choice, progress: Progress | None, /, *, step: float | None = None
    ) -> Steps: ...


def kept(task: Task, progress: Progress | None, run: Make | None = None) -> Steps:
    """The run with an estimate of its error, and with step tolerances small enough for the estimate to be within tol, if that is possible.

    Two runs with different step tolerances are compared; if the looser one does not reach the end, a finer one is used instead.
    Fixed steps promise no tolerance; their error is only estimated.

    run   makes the runs; by default that of the task
    """
    tol, run = task.tol, run or task.run
    chosen = task.choose(tol)
    if not chosen.method.adaptive:
        return _fixed(task, chosen, progress, run)
    at = START * tol
    if task.program.assembly.redundant:
        at = min(at, REDUNDANT_STEP / COARSER / chosen.method.share)
    fine = run(at, chosen, _part(progress, 0))
    if not fine.status.ok or fine.undecided is not None:
        return fine
    first = fine.counters.evaluations
    other = run(COARSER * at, chosen, _part(progress, 1))
    companion = _compared(task, other, fine, COARSER) if other.status.ok else None
    for count in range(ROUNDS):
        if other.status.code is Code.INTERRUPTED or (companion is not None and companion.error <= tol):
            break
        ratio = 1.0 / COARSER if companion is None else min(1.0 / COARSER, max(AIM * tol / companion.error, FARTHEST))
        chosen = task.choose(ratio * at)
        finer = max(ratio * at, ROUND_OFF / chosen.method.share)
        if finer > 0.5 * at:
            break
        other = run(finer, chosen, _part(progress, 2 + 2 * count))
        if not other.status.ok:
            break
        last, before = companion, at
        companion, fine, at = _compared(task, fine, other, at / finer), other, finer
        if companion.error > tol and before > 2.0 * COARSER * at:
            other = run(COARSER * at, chosen, _part(progress, 3 + 2 * count))
            companion = _compared(task, other, fine, COARSER) if other.status.ok else companion
        dear = fine.counters.evaluations > DEAR * first
        if dear and last is not None and last.error <= companion.error < VISIBLE:
            break
    if progress is not None:
        progress(Part(1.0, "integrating"))
    if other.status.code is Code.INTERRUPTED:
        return replace(fine, companion=companion, status=replace(fine.status, ended=Code.INTERRUPTED))
    return _told(fine, companion, tol)


def _fixed(task: Task, chosen: Choice, progress: Progress | None, run: Make) -> Steps:
    """A run with fixed steps, and an estimate of its error from a run with steps twice as long or, if these are too long, half as long."""
    steps = run(task.tol, chosen, _part(progress, 0))
    if not steps.status.ok:
        return steps
    step = task.step or (task.t_end - task.program.assembly.time) / FIXED_STEPS
    other, ratio = run(task.tol, chosen, _part(progress, 1), step=2.0 * step), 2.0**chosen.method.order
    if not other.status.ok:
        other, ratio = run(task.tol, chosen, _part(progress, 2), step=0.5 * step), 1.0
    return _told(steps, _compared(task, other, steps, ratio) if other.status.ok else None, max(task.tol, VISIBLE))


def _told(steps: Steps, companion: Companion | None, allowed: float) -> Steps:
    """The run with its companion. Its status becomes TOLERANCE_UNMET unless the error is known to be within the allowed one."""
    if companion is not None:
        steps = replace(steps, companion=companion, occurrences=_timed(steps, companion))
    if companion is not None and companion.error <= allowed:
        return steps
    where = "The error could not be estimated."
    if companion is not None and not np.isfinite(companion.error):
        where = "With a different step tolerance, different events occur."
    elif companion is not None:
        where = f"The estimated error is {companion.error:.1e}; {allowed:.1e} is allowed."
    return replace(steps, status=replace(steps.status, doubt=Code.TOLERANCE_UNMET, where=where))


def _compared(task: Task, coarse: Steps, fine: Steps, ratio: float) -> Companion:
    """The error of the finer of two runs, estimated from their difference; `ratio` is the expected ratio of their errors.

    If the runs differ in their events, and not only in the times of these, they cannot be compared, and the error is infinite.
    """
    program = task.program
    times, states = _at_some_times(coarse)
    there = comparable(coarse, fine, times)
    others, _ = program.integrator.sample(fine, times[there])
    difference = np.maximum.reduce(np.abs(others - states[there]))
    layout = program.dynamics.layout
    speed, energy = largest_of(program, fine)
    slow = task.noise / task.tol
    scales = program.scales.copy()
    scales[layout.of_v] = speed + slow
    scales[layout.of_works] = energy + task.program.mass * slow**2
    share = min(1.0, SAFETY / min(ratio, LARGEST))
    late = 0.0
    if task.watch is not None:
        pairs = _same_events(coarse, fine)
        if pairs is None:
            return Companion(coarse, share, np.inf)
        for one, other in pairs:
            late = max(late, abs(other.time - one.time))
            difference = np.maximum(difference, np.abs(other.state - one.state))
    relative = difference / np.maximum(scales, TINY)
    error = max(float(relative.max(initial=0.0)), late * speed / program.system.length)
    return Companion(coarse, share, share * error)


def _at_some_times(steps: Steps) -> tuple[np.ndarray, np.ndarray]:
    """The times at which a run is compared with others, and its states there."""
    if steps.extract is not None:
        return steps.extract.t, steps.extract.y
    last = len(steps.t) - 1
    rows = np.arange(last + 1)
    if last >= COMPARED:
        rows = (np.arange(COMPARED) * (last / (COMPARED - 1))).astype(int)
        rows[-1] = last
    before = rows[:-1]  # of two rows of one time, the first is the state before an event
    rows = np.append(before[steps.t[before + 1] != steps.t[before]], last)
    return steps.t[rows], steps.y[rows]


def largest_of(program: Program, steps: Steps) -> tuple[float, float]:
    """The largest |v_i| of a run, m/s, and the sum of its largest kinetic energy and largest |work|, J."""
    if steps.extract is not None:
        return steps.extract.speed, steps.extract.kinetic + steps.extract.work
    layout = program.dynamics.layout
    v, works = steps.y[:, layout.of_v], steps.y[:, layout.of_works]
    kinetic = program.dynamics.kinetic_energies(v)
    energy = float(kinetic.max(initial=0.0)) + float(np.abs(works).max(initial=0.0))
    return float(np.abs(v).max(initial=0.0)), energy


def _same_events(coarse: Steps, fine: Steps) -> list[tuple[Occurrence, Occurrence]] | None:
    """Pairs of the events that changed or ended two runs; None if these are not the same events."""
    first, second = ([x for x in run.occurrences if x.changes] for run in (coarse, fine))
    if coarse.status.ended is Code.EVENT and fine.status.ended is Code.EVENT:
        first, second = [*first, coarse.occurrences[-1]], [*second, fine.occurrences[-1]]
    same = coarse.status.ended is fine.status.ended and [x.name for x in first] == [x.name for x in second]
    return list(zip(first, second, strict=True)) if same else None


def _timed(steps: Steps, companion: Companion) -> tuple[Occurrence, ...]:
    """The events with the estimated errors of their times: the k-th event of a name is compared with the k-th of that name in the other run."""
    others: dict[str, list[float]] = {}
    for x in companion.steps.occurrences:
        others.setdefault(x.name, []).append(x.time)
    counts: Counter[str] = Counter()
    found = []
    for x in steps.occurrences:
        times, k = others.get(x.name, []), counts[x.name]
        counts[x.name] += 1
        found.append(replace(x, error=companion.share * abs(x.time - times[k]) if k < len(times) else None))
    return tuple(found)


def _part(progress: Progress | None, count: int) -> Progress | None:
    """The progress of one of several runs: each run counts as half of what remains."""
    if progress is None:
        return None
    left = 0.5**count
    return lambda part: progress(Part(1.0 - left * (1.0 - 0.5 * part), part.doing))
