"""The error over the whole run: estimated by comparing runs with different step tolerances, and kept below the
tolerance.

See docs/accuracy.md.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from grashof.common.progress import Part, Progress
from grashof.common.status import Code
from grashof.integrate import Choice, Companion, Explicit, Occurrence, Spacing, Steps, comparable
from grashof.program import Program
from grashof.simulation.task import REDUNDANT_STEP, Attempt, Task
from grashof.simulation.trust import STILL

COARSER = 10.0
"""The second run, from which the error is estimated, has step tolerances larger by this factor."""

SAFETY = 10.0
"""Safety factor of the estimate. If errors are proportional to the tolerance, the difference of two runs is the
error of the coarser one, and the error of the finer one is smaller by the ratio of the tolerances. The estimate is
larger than that by this factor (docs/measurements.md)."""

ROUND_OFF = 1e-15
"""Step tolerances below this hardly make errors smaller (docs/measurements.md)."""

ROUNDS = 4
"""Largest number of further runs, with smaller step tolerances, until the estimated error is within the tolerance."""

DEAR = 20
"""No further run is made after one that took this many times the evaluations of the first without improving on the
previous one."""

FARTHEST = 1e-4
"""From one run to the next, step tolerances are reduced at most by this factor: large differences are a poor
estimate of the error."""

START, AIM = 0.3, 0.3
"""Fractions of the tolerance at which the first run and the following ones aim, so that most pass at the first
attempt (docs/measurements.md)."""

VISIBLE = 0.05
"""A run with fixed steps promises no tolerance, but it is not a success if its estimated error exceeds this. Larger
errors cannot be estimated."""

FEWER = 0.75
"""A run with fixed steps twice as long should take half as many; it is not compared with if it takes more than this
fraction."""

ALIKE, FEW = 4.0, 50
"""Runs whose errors should have a smaller ratio than the first, by their numbers of steps, do not differ enough to be
compared: something else than their errors limits the steps, as in stiff equations, and errors of both are accidental.
If they also take these steps with a tolerance smaller by FARTHEST, their errors are as small as that. Runs of at most
the second number of steps are not judged by it."""

HALVED = 2.0
"""Safety factor of the estimate if the other run has steps half as long: their difference is nearly the error
itself."""

LARGEST = 1e3
"""Largest ratio by which the errors of two runs are assumed to differ."""

UNEVEN, ERRATIC = 5.0, 3.0
"""If errors are proportional to the tolerance, differences of successive pairs of runs have the ratio COARSER, up to
the first factor. Where chance makes a part of the errors, these may be alike in both runs, and the second is the safety
factor of the estimate."""

TINY = 1e-300
"""Avoids a division by zero where nothing moves."""

SMALL = 1e-6
"""Round-off of positions is negligible for motions that are larger than this fraction of the largest coordinate."""

FASTEST = 1e100
"""Bounds a speed of which the square is needed, m/s."""

SHORTER = "A run with shorter steps was begun, but used up the allowed number of steps: allow more (`max_steps`)."
"""What could help if only the number of steps prevents a smaller error."""

EXPLICIT_STEPS = 50_000
"""Where a run whose method was changed misses the tolerance, the explicit method alone is tried with at most this many
steps: forces that chatter cost implicit methods more accuracy."""

COMPARED = 64
"""Number of times at which runs are compared."""


Make = Callable[[Attempt], Steps]
"""Makes one run, in which the error of each step is controlled."""


def run_within_tolerance(
    task: Task, progress: Progress | None, made_by: Callable[[Task], Make] = lambda task: task.run
) -> Steps:
    """The run with an estimate of its error, and with step tolerances small enough for the estimate to be within tol,
    if that is possible.

    Two runs with different step tolerances are compared; if the looser one does not reach the end, a finer one is used
    instead. What limits steps besides their errors differs as well (see `space_steps`). Fixed steps promise no
    tolerance; their error is only estimated.

    made_by   what makes the runs of a task
    """
    chosen = task.choose()
    if not chosen.method.adaptive:
        return _run_with_fixed_steps(task, chosen, progress, made_by(task))
    steps = _tighten_steps(task, chosen, progress, made_by(task))
    if not steps.method.switches or steps.status.doubt is not Code.TOLERANCE_UNMET:
        return steps
    bounded = replace(task, options=replace(task.options, max_steps=min(task.options.max_steps, EXPLICIT_STEPS)))
    alone = replace(chosen, tentative=False, reason=f"{chosen.reason}; {steps.method.name} misses the tolerance")
    explicit = _tighten_steps(bounded, alone, progress, made_by(bounded))
    return explicit if explicit.status.ok else steps


def _tighten_steps(task: Task, chosen: Choice, progress: Progress | None, run: Make) -> Steps:
    """Runs with smaller and smaller step tolerances until the estimated error is within the tolerance."""
    tol = task.tol
    at, spacing = first_tolerance(task, chosen), Spacing(parts=2)
    fine = run(Attempt(at, chosen, spacing, _part(progress, 0)))
    if not fine.status.ok or fine.undecided is not None:
        return fine
    chosen = replace(fine.method, tentative=False)
    first = fine.counters.evaluations
    other = run(Attempt(COARSER * at, chosen, space_steps(spacing, COARSER, chosen), _part(progress, 1)))
    companion = _compare_runs(task, other, fine) if other.status.ok else None
    alike = companion is not None and contrast(other, fine) < ALIKE
    for count in range(ROUNDS):
        enough = companion is not None and companion.error <= tol
        if other.status.code is Code.INTERRUPTED or (enough and not alike):
            break
        ratio = 1.0 / COARSER
        if alike:
            ratio = FARTHEST
        elif companion is not None:
            ratio = min(ratio, max(AIM * tol / companion.error, FARTHEST))
        chosen = (
            replace(task.choose(ratio * at), tentative=False)
            if not chosen.switches and isinstance(chosen.method, Explicit)
            else chosen
        )
        finer = max(ratio * at, ROUND_OFF / chosen.method.share)
        if finer > 0.5 * at:
            break
        closer = space_steps(spacing, finer / at, chosen)
        other = run(Attempt(finer, chosen, closer, _part(progress, 2 + 2 * count)))
        if not other.status.ok:
            break
        last, before = companion, at
        companion = _compare_runs(task, fine, other)
        expected = companion.error * COARSER * finer / before  # of a run with this tolerance times COARSER
        most = ERRATIC if _is_erratic(task, other) else 1.0
        even = most == 1.0 and (last is None or alike or _in_proportion(last, companion))
        smaller, seen = at / finer, contrast(fine, other)
        smaller = min(seen if UNEVEN * seen < smaller else smaller, LARGEST) if even else 1.0
        companion = companion.scaled(min(most, SAFETY / smaller))
        alike = seen < ALIKE and finer > FARTHEST * at
        fine, at, spacing = other, finer, closer
        last_round = count == ROUNDS - 1 or at <= 2.0 * ROUND_OFF / chosen.method.share
        hopeful = expected <= tol or last_round
        if companion.error > tol and hopeful and before > 2.0 * COARSER * at:
            wider = space_steps(spacing, COARSER, chosen)
            other = run(Attempt(COARSER * at, chosen, wider, _part(progress, 3 + 2 * count)))
            companion = _compare_runs(task, other, fine).scaled(most) if other.status.ok else companion
        dear = fine.counters.evaluations > DEAR * first
        if dear and last is not None and last.error <= companion.error < VISIBLE:
            break
    if progress is not None:
        progress(Part(1.0, "integrating"))
    if other.status.code is Code.INTERRUPTED:
        return fine.but(companion=companion, status=replace(fine.status, ended=Code.INTERRUPTED))
    crowded = other is not fine and other.status.ended is Code.TOO_MANY_STEPS
    return _with_companion(fine, companion, tol, SHORTER if crowded else "")


def contrast(coarse: Steps, fine: Steps) -> float:
    """The ratio of the errors of two runs by their numbers of steps; infinite for few steps, whose number says
    little."""
    few, many, method = coarse.counters.steps, fine.counters.steps, fine.method.method
    return (many / max(few, 1)) ** method.order if many > FEW and method is coarse.method.method else math.inf


def first_tolerance(task: Task, chosen: Choice) -> float:
    """The tolerance of the first of the runs that are compared. Where rows are redundant, it is so small that no limit
    makes the steps of both alike."""
    first = START * task.tol
    return min(first, REDUNDANT_STEP / COARSER / chosen.method.share) if task.program.assembly.redundant else first


def space_steps(spacing: Spacing, ratio: float, chosen: Choice) -> Spacing:
    """The limits on the steps of a run whose step tolerance is larger by a ratio than that of a run with given limits.

    Steps that only their errors limit grow with the p-th root of the ratio, p being the order of the method. Therefore
    all other limits do so: otherwise two runs could take the same steps, and their difference would be nothing, however
    large their errors.
    """
    longer = ratio ** (1.0 / chosen.method.estimate_order)
    parts = max(1, math.floor(spacing.parts / longer)) if ratio > 1.0 else math.floor(spacing.parts / longer) + 1
    return Spacing(spacing.scale * longer, parts)


def _run_with_fixed_steps(task: Task, chosen: Choice, progress: Progress | None, run: Make) -> Steps:
    """A run with fixed steps, and an estimate of its error from a run with steps twice as long or half as long.

    Between stops there may be a single step, which cannot be twice as long.
    """
    steps = run(Attempt(task.tol, chosen, progress=_part(progress, 0)))
    if not steps.status.ok:
        return steps
    longer, shorter = Spacing(scale=2.0), Spacing(parts=2)
    other = None if task.pace.stops else run(Attempt(task.tol, chosen, longer, _part(progress, 1)))
    if other is not None and other.status.ok and other.counters.steps <= FEWER * steps.counters.steps:
        share = SAFETY / 2.0**chosen.method.order
    else:
        other, share = run(Attempt(task.tol, chosen, shorter, _part(progress, 2))), HALVED
    companion = _compare_runs(task, other, steps).scaled(share) if other.status.ok else None
    return _with_companion(steps, companion, max(task.tol, VISIBLE))


def _with_companion(steps: Steps, companion: Companion | None, allowed: float, remedy: str = "") -> Steps:
    """The run with its companion. Its status becomes TOLERANCE_UNMET unless the error is known to be within the
    allowed one; `remedy` says what could help."""
    if companion is not None:
        occurrences = _with_time_errors(steps, companion) if steps.occurrences else ()
        steps = steps.but(companion=companion, occurrences=occurrences)
    if companion is not None and companion.error <= allowed:
        return steps
    where = "The error could not be estimated."
    if companion is not None and not np.isfinite(companion.error):
        where = "With a different step tolerance, different events occur."
    elif companion is not None:
        where = f"The estimated error is {companion.error:.1e}; {allowed:.1e} is allowed."
    where = f"{where} {remedy}".rstrip()
    return steps.but(status=replace(steps.status, doubt=Code.TOLERANCE_UNMET, where=where))


def _is_erratic(task: Task, steps: Steps) -> bool:
    """Whether chance may make a part of the error, as where forces have kinks or events change the motion."""
    clock = task.program.clock
    return (clock is not None and bool(clock.kinks.in_motion)) or any(x.changes for x in steps.occurrences)


def _in_proportion(last: Companion, now: Companion) -> bool:
    """Whether the differences of successive pairs of runs show that errors are proportional to the tolerance.

    Otherwise rounding errors, chaos or chance make the differences.
    """
    ratio = last.error / last.share / max(now.error / now.share, TINY)
    return COARSER / UNEVEN <= ratio <= COARSER * UNEVEN


def _compare_runs(task: Task, coarse: Steps, fine: Steps) -> Companion:
    """The difference of two runs as the estimated error of the finer one; how much smaller it is than that is left to
    the caller.

    If the runs differ in their events, and not only in the times of these, they cannot be compared, and the error is
    infinite.
    """
    program = task.program
    times, states = _at_some_times(coarse)
    there = comparable(coarse, fine, times)
    if not there.all():
        times, states = times[there], states[there]
    others, _ = program.integrator.sample(fine, times)
    difference = np.maximum.reduce(np.abs(others - states))
    layout = program.dynamics.layout
    speed = largest_speed(program, fine)
    slow = (task.noise + _trembling(task, coarse, fine)) / task.tol
    scales = program.scales.copy()
    scales[layout.of_v] = speed + slow
    if layout.works:
        # what forces do over the round-off of positions says nothing
        still = program.mass * program.start_load * STILL * program.system.length
        scales[layout.of_works] = largest_energy(program, fine) + program.mass * slow * slow + still
    late = 0.0
    if task.watch is not None:
        pairs = _same_events(coarse, fine)
        if pairs is None:
            return Companion(coarse, 1.0, np.inf)
        for one, other in pairs:
            late = max(late, abs(other.time - one.time))
            difference = np.maximum(difference, np.abs(other.state - one.state))
    relative = difference / np.maximum(scales, TINY)
    error = max(float(relative.max(initial=0.0)), late * speed / program.system.length)
    return Companion(coarse, 1.0, error)


def _at_some_times(steps: Steps) -> tuple[np.ndarray, np.ndarray]:
    """The times at which a run is compared with others, and its states there."""
    if steps.extract is not None:
        return steps.extract.t, steps.extract.y
    last = len(steps.t) - 1
    rows = np.arange(last + 1)
    if last >= COMPARED:
        rows = (np.arange(COMPARED) * (last / (COMPARED - 1))).astype(int)
        rows[-1] = last
    before, wanted = rows[:-1], np.ones(len(rows), bool)
    wanted[:-1] = steps.t[before + 1] != steps.t[before]  # otherwise it is the state before an event
    rows = rows[wanted]
    return steps.t[rows], steps.y[rows]


def largest_speed(program: Program, steps: Steps) -> float:
    """The largest |v_i| of a run, m/s."""
    return steps.extract.speed if steps.extract else _largest(steps, program.dynamics.layout.of_v)


def largest_energy(program: Program, steps: Steps) -> float:
    """The sum of the largest kinetic energy of a run and its largest |work|, J."""
    if steps.extract is not None:
        return steps.extract.kinetic + steps.extract.work
    layout, energies = program.dynamics.layout, program.dynamics.energies
    state = program.dynamics.state([steps.t, *steps.y.T])
    kinetic = energies.with_inerters(energies.kinetic_energies(steps.y[:, layout.of_v]), state)
    return float(kinetic.max(initial=0.0)) + _largest(steps, layout.of_works)


def _largest(steps: Steps, part: slice) -> float:
    """The largest absolute value of some states of a run."""
    low, high = steps.ranges
    return float(np.maximum(high[part], -low[part]).max(initial=0.0))


def _trembling(task: Task, *runs: Steps) -> float:
    """The speed that corresponds to the round-off of positions, m/s: at rest, velocities are nothing else.

    Small motions have the same frequencies as smaller ones: speeds are in proportion to displacements.
    """
    layout = task.program.dynamics.layout
    moved, speed, size = 0.0, 0.0, task.program.system.length
    low, high = (x[layout.of_q] for x in runs[0].ranges)
    # the other has the same start, so its size exceeds this one only if it moves as far
    if (high - low).max(initial=0.0) > 2.0 * SMALL * max(size, high.max(initial=0.0), -low.min(initial=0.0)):
        return 0.0
    for low, high in (run.ranges for run in runs):
        largest = np.maximum(high, -low)
        moved = max(moved, float((high - low)[layout.of_q].max(initial=0.0)))
        speed = max(speed, float(largest[layout.of_v].max(initial=0.0)))
        size = max(size, float(largest[layout.of_q].max(initial=0.0)))
    return min(STILL * size * speed / max(moved, TINY), FASTEST) if moved < SMALL * size else 0.0


def _same_events(coarse: Steps, fine: Steps) -> list[tuple[Occurrence, Occurrence]] | None:
    """Pairs of the events that changed or ended two runs; None if these are not the same events."""
    first, second = ([x for x in run.occurrences if x.changes] for run in (coarse, fine))
    if coarse.status.ended is Code.EVENT and fine.status.ended is Code.EVENT:
        first, second = [*first, coarse.occurrences[-1]], [*second, fine.occurrences[-1]]
    same = coarse.status.ended is fine.status.ended and [x.name for x in first] == [x.name for x in second]
    return list(zip(first, second, strict=True)) if same else None


def _with_time_errors(steps: Steps, companion: Companion) -> tuple[Occurrence, ...]:
    """The events with the estimated errors of their times: the k-th event of a name is compared with the k-th of
    that name in the other run."""
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
