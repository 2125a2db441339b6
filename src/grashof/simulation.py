"""Simulation of a mechanism: compiles, assembles and integrates it, and returns the trajectory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import process_time

import numpy as np
from msgspec.structs import replace

from grashof.accuracy import kept
from grashof.errors import ModelError
from grashof.extracts import Extraction
from grashof.integrate import Steps
from grashof.model.events import Event
from grashof.model.given import Number
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.pieces import pieces
from grashof.program import Program, build
from grashof.progress import Progress
from grashof.status import Code
from grashof.task import MOST_EVENTS, ending, prepare
from grashof.trajectory import Trajectory, output_times
from grashof.trust import accounted, refined

TOLERANCE = 1e-6
"""Default tolerance: the error over the whole run, relative to the mechanism's length, speed and energy."""


SPANS = tuple(4.0**k for k in range(9))
"""s: within these times, one after the other, a condition is looked for where no end is given."""


def simulate(
    mechanism: Mechanism | Model | Program,
    t_end: Number | None = None,
    *,
    tol: float = TOLERANCE,
    times: Sequence[float] | np.ndarray | int = 1001,
    method: str = "auto",
    step: Number | None = None,
    max_step: Number | None = None,
    max_steps: int = 1_000_000,
    check_error: bool = True,
    keep_steps: bool = True,
    fit: float | None = None,
    until: str | None = None,
    max_events: int = MOST_EVENTS,
    progress: Progress | None = None,
) -> Trajectory:
    """Simulates from the start to t_end (s, or a text such as "250 ms"), which may be omitted if `until` or an event ends the run.

    tol          the largest error over the whole run, relative to the mechanism's length (positions), its largest speed (velocities) and the
                 energy that moves (works); angles in rad
    times        output times in s, or the number of evenly spaced ones
    method       dop853, verner9, bs5, dopri5 or rk4 (docs/choose-a-method.md); "auto" chooses one, and `run.method` gives the choice and the reason
    step         the fixed step of rk4, s; a thousandth of the run unless given
    max_step     the longest step allowed, s. Kinks and pulses in time are found without it; what a user's force does at some place of the motion, without
                 `where` and its kin, during less than 1/2000 of the run can be missed
    max_steps    the largest number of steps tried in one run
    check_error  whether to estimate the error over the whole run by a second one with looser step tolerances, and to tighten these where
                 the estimate exceeds tol (see `run.error`). Without it only the error of each step is controlled
    keep_steps   whether to keep all steps, up to 1 GiB of them, from which the motion at any other time can be calculated. Without them memory stays
                 bounded however long the run is: what there is at the times asked for is kept, and the steps are checked piece by piece
    fit          how far the geometry may be moved so that joints which are redundant and contradict each other a little fit together,
                 relative to the mechanism's length and in rad (see `build`)
    until        a condition, such as "rod.end.y < 0": the run ends where it comes true, and evenly spaced times end there, too (docs/events.md)
    progress     is called from time to time with a `Part`: the fraction of the run that is done, 0 to 1, whose `doing` names the current activity
    max_events   how many events, at most, may change the motion, such as the jumps of a bouncing body

    >>> m = Mechanism("pendulum", gravity=(0, -9.81))
    >>> rod = m.bar("rod", length=1.0, mass=1.0)
    >>> _ = m.revolute(m.ground.at(0, 0), rod.start)
    >>> m.need(rod.angle, value=0.0)
    >>> run = simulate(m, 1.0)
    >>> run.status.ok, bool(abs(run["energy"][-1] - run["energy"][0]) < 1e-4)
    (True, True)
    >>> bool(run.error_estimate("rod.angle").max() < 1e-6)
    True
    """
    began = process_time()
    if isinstance(mechanism, Program) and fit is not None:
        raise ModelError("`fit` has no effect on a program that is already built; pass it to `build`.")
    program, events = _prepared(mechanism, until, fit, progress)

    def made(end: Number, program: Program = program) -> Trajectory:
        task = prepare(program, end, tol, method, step, max_step, max_steps, events, max_events)
        wanted = output_times(program, times, task.t_end)

        def run() -> Steps:
            make = task.run if keep_steps else Extraction(task, wanted).run
            return kept(task, progress, make) if check_error else make(progress=progress)

        steps = run()
        if steps.status.ended is Code.EVENT and np.ndim(times) == 0:
            wanted = np.linspace(steps.t[0], steps.t[-1], len(wanted) if steps.t[-1] > steps.t[0] else 1)
            steps = steps if keep_steps else run()  # only now it is known which times are asked for
        return accounted(Trajectory(program, steps, wanted[wanted <= steps.t[-1]]), task.tol)

    def timed(end: Number) -> Trajectory:
        run = believed(end)
        run.cpu_s = process_time() - began
        return run

    def believed(end: Number) -> Trajectory:
        """The run; again if its accelerations have to be more accurate where it was near a singular position."""
        run = made(end)
        doubt = run.steps.status.doubt  # whether what is asked for is finite shows when it is looked at
        missed = doubt is Code.UNDECIDED and run.steps.undecided is not None
        if not missed and doubt not in (Code.INACCURATE, Code.TOLERANCE_UNMET):
            return run
        for better in refined(run):
            run = made(end, better)
            if run.steps.status.ok:
                break
        return run

    if t_end is not None:
        return timed(t_end)
    awaited = [event.quantity for event in (*program.model.all_events, *events) if event.stops]
    if not awaited or np.ndim(times) != 0:
        raise ModelError("The run has no end: give t_end, or `until` together with a number of output times.")
    for span in SPANS:
        run = timed(program.assembly.time + span)
        if run.status.ended is not Code.SUCCESS:
            return run
    raise ModelError(
        f"'{awaited[-1]}' did not come true within {SPANS[-1]:g} s; give t_end to simulate without waiting for it."
    )


def stream(
    mechanism: Mechanism | Model | Program,
    t_end: Number,
    *,
    tol: float = TOLERANCE,
    times: Sequence[float] | np.ndarray | int = 1001,
    method: str = "auto",
    step: Number | None = None,
    max_step: Number | None = None,
    max_steps: int = 1_000_000_000,
    until: str | None = None,
    max_events: int = MOST_EVENTS,
    progress: Progress | None = None,
) -> Iterator[Trajectory]:
    """Simulates like `simulate`, and yields the motion piece by piece while it is computed: memory stays bounded however long the run is.

    Each piece has those of the times that fall into it, in turn, and the steps they were calculated from. A piece ends where no later step can
    take back what was done; the status of the last one says how the run ended. The run ends if no more pieces are requested. The error of each
    step is controlled, but there is no error estimate and no check of the result, which would need the whole run.

    >>> m = Mechanism("pendulum", gravity=(0, -9.81))
    >>> rod = m.bar("rod", length=1.0, mass=1.0)
    >>> _ = m.revolute(m.ground.at(0, 0), rod.start)
    >>> sum(len(piece.t) for piece in stream(m, 5.0))
    1001
    """
    program, events = _prepared(mechanism, until, None, progress)
    task = prepare(program, t_end, tol, method, step, max_step, max_steps, events, max_events)
    wanted = output_times(program, times, task.t_end)
    for piece in pieces(task, task.begin(progress=progress), wanted):
        yield Trajectory(program, piece.steps, piece.asked(piece.motion.t))


def integrate(
    program: Program,
    t_end: Number,
    *,
    tol: float = TOLERANCE,
    method: str = "auto",
    step: Number | None = None,
    max_step: Number | None = None,
    max_steps: int = 1_000_000,
    progress: Progress | None = None,
) -> Steps:
    """The bare time integration from an assembled start: one run, in which the error of each step is controlled."""
    return prepare(program, t_end, tol, method, step, max_step, max_steps).run(progress=progress)


def _prepared(
    mechanism: Mechanism | Model | Program, until: str | None, fit: float | None, progress: Progress | None
) -> tuple[Program, tuple[Event, ...]]:
    """The program, and events that it does not have yet."""
    if isinstance(mechanism, Program):
        return mechanism, () if until is None else (ending(until, mechanism.model),)
    model = as_model(mechanism)
    if until is not None:
        model = replace(model, events=(*model.events, ending(until, model)))
    return build(model, fit=fit, progress=progress), ()
