"""Simulation of a mechanism: compiles, assembles and integrates it, and returns the trajectory."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import process_time

import numpy as np
from msgspec.structs import replace

from grashof.changes.limits import beyond, unit_of_stop
from grashof.common.blas import one_thread
from grashof.common.errors import ModelError
from grashof.common.progress import Progress
from grashof.common.status import Code
from grashof.integrate import Steps
from grashof.model.check import vouch_for
from grashof.model.events import Event
from grashof.model.given import Number
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.motion.starting import GivenStart, begin_at, check_values
from grashof.motion.trajectory import Trajectory, output_times
from grashof.program import Program, build
from grashof.simulation.accuracy import Make, run_within_tolerance
from grashof.simulation.bounded_memory import Extraction
from grashof.simulation.options import MOST_EVENTS, MOST_STEPS, TOLERANCE, Options, seconds
from grashof.simulation.streaming import pieces
from grashof.simulation.task import Task, ending, prepare
from grashof.simulation.trust import in_natural_coordinates, programs_with_more_refinement, with_checked_status

DEEP = 0.01
"""A start this far inside a compliant stop is unusual, relative to the mechanism's length if that is larger than 1
m, and in rad."""

SPANS = tuple(4.0**k for k in range(9))
"""Lengths of the runs, s, that are tried in turn if no end is given but a condition is to be met."""


@one_thread()
def simulate(
    mechanism: Mechanism | Model | Program,
    t_end: Number | None = None,
    *,
    tol: float = TOLERANCE,
    times: Sequence[float] | np.ndarray | int = 1001,
    method: str = "auto",
    step: Number | None = None,
    max_step: Number | None = None,
    max_steps: int = MOST_STEPS,
    check_error: bool = True,
    keep_steps: bool = True,
    formulation: str = "auto",
    fit: float | None = None,
    start: GivenStart | None = None,
    until: str | None = None,
    max_events: int = MOST_EVENTS,
    progress: Progress | None = None,
) -> Trajectory:
    """Simulates from the start to t_end (s, or a text such as "250 ms"), which may be omitted if `until` or an event
    ends the run.

    tol          the largest error over the whole run: of positions relative to the mechanism's length, of velocities
                 relative to its largest speed, of works relative to the sum of the largest kinetic energy and the
                 largest work; angles in rad
    times        output times in s, or the number of evenly spaced ones
    method       dop853, verner9, bs5, dopri5, rk4 or, for stiff mechanisms, rodas5p, radau5, radau9, radau13; "auto"
                 chooses one (docs/choose-a-method.md), and `run.method` gives the choice and the reason
    step         the fixed step of rk4, s; a thousandth of the run unless given
    max_step     the longest step allowed, s; the second run, from which the error is estimated, may exceed it by up to
                 60 %. Kinks and pulses in time are found without it. A force defined by a Python function that acts for
                 less than 1/2000 of the run can be missed, unless it is written with `where` and similar functions
    max_steps    the largest number of steps tried in one run
    check_error  whether to estimate the error over the whole run by a second run with looser step tolerances, and to
                 tighten these until the estimate is within tol (see `run.error`). Otherwise only the error of each step
                 is controlled
    keep_steps   whether to keep all steps, up to 1 GiB, from which the motion at any other time can be computed.
                 Otherwise memory stays bounded however long the run is: only the motion at the output times is kept,
                 and the steps are checked piece by piece
    formulation  the coordinates in which the motion is computed, "natural" or "relative"; "auto" chooses the faster
                 ones, and `run.program.chosen` gives the reason (see `build`)
    fit          how far the geometry may be adjusted so that redundant joints which contradict each other slightly fit
                 together, relative to the mechanism's length, and in rad; by default up to 1e-6, with a warning, and
                 not at all with 0 (see `build`)
    start        where the motion begins instead of at the mechanism's own start: an equilibrium, another run (at its
                 end; `run.as_start(2.0)` at another time), or values of coordinates and measures by name, such as
                 {"crank.angle": 0.5, "crank.angle.rate": 2.0} or a row of a table, which must fit together
    until        a condition, such as "rod.end.y < 0": the run ends when it becomes true, and so do evenly spaced output
                 times (docs/events.md)
    progress     is called from time to time with a `Part`: the fraction of the run that is done, 0 to 1, whose `doing`
                 names the current activity
    max_events   the largest number of events that may change the motion, such as the impacts of a bouncing body

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
    options = Options(
        tol=tol,
        method=method,
        step=seconds("The step", step),
        max_step=seconds("The longest step", max_step),
        max_steps=max_steps,
        max_events=max_events,
        check_error=check_error,
        keep_steps=keep_steps,
        formulation=formulation,
        fit=fit,
    )
    program, events = _prepare_program(mechanism, until, options, progress, start)
    asked = _Simulation(program, events, options, times, progress)

    def run_to(end: Number) -> Trajectory:
        run = asked.run(end)
        run.cpu_s = process_time() - began
        for sentence in _surprises(run):
            warnings.warn(sentence, stacklevel=4)
        return run

    if t_end is not None:
        return run_to(t_end)
    awaited = [event.quantity for event in (*program.model.all_events, *events) if event.stops]
    if not awaited or np.ndim(times) != 0:
        raise ModelError("The run has no end: give t_end, or `until` together with a number of output times.")
    for span in SPANS:
        run = run_to(program.assembly.time + span)
        if run.status.ended is not Code.SUCCESS:
            return run
    raise ModelError(
        f"'{awaited[-1]}' did not become true within {SPANS[-1]:g} s; give t_end to simulate without waiting for it."
    )


@dataclass(frozen=True)
class _Simulation:
    """What `simulate` was asked for, but for its end.

    events   those that are not part of the mechanism
    """

    program: Program
    events: tuple[Event, ...]
    options: Options
    times: Sequence[float] | np.ndarray | int
    progress: Progress | None

    def run(self, end: Number) -> Trajectory:
        """The run; repeated in natural coordinates if relative ones do not lead through singular positions of loops,
        and if accelerations have to be more accurate near one."""
        run = self._run_once(end, self.program)
        doubt = run.steps.status.doubt  # not `run.status`, which also checks whether all quantities are finite
        missed = doubt is Code.UNDECIDED and run.steps.undecided is not None
        doubtful = missed or doubt in (Code.INACCURATE, Code.TOLERANCE_UNMET)
        if self.program.tentative:
            failed = run.steps.status.ended not in (Code.SUCCESS, Code.EVENT, Code.INTERRUPTED)
            if not doubtful and not failed:
                return run
            natural = in_natural_coordinates(self.program, float(run.steps.undecided or run.steps.t[-1]))
            return dataclasses.replace(self, program=natural).run(end)
        if not doubtful:
            return run
        for better in programs_with_more_refinement(run):
            run = self._run_once(end, better)
            if run.steps.status.ok:
                break
        return run

    def _run_once(self, end: Number, program: Program) -> Trajectory:
        """The run of a program, with its checked status."""
        options = self.options
        task = prepare(program, end, options, self.events)
        wanted = output_times(program, self.times, task.t_end)

        def make_steps() -> Steps:
            def made_by(task: Task) -> Make:
                return task.run if options.keep_steps else Extraction(task, wanted).run

            if options.check_error:
                return run_within_tolerance(task, self.progress, made_by)
            return made_by(task)(task.attempt(progress=self.progress))

        steps = make_steps()
        if steps.status.ended is Code.EVENT and np.ndim(self.times) == 0:
            wanted = np.linspace(steps.t[0], steps.t[-1], len(wanted) if steps.t[-1] > steps.t[0] else 1)
            steps = steps if options.keep_steps else make_steps()  # only now the output times are known
        return with_checked_status(Trajectory(program, steps, wanted[wanted <= steps.t[-1]]), task.tol)


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
    """Simulates like `simulate`, but yields the motion piece by piece while it is computed: memory stays bounded
    however long the run is.

    Each piece contains the output times that fall into it, and the steps from which they were computed. A piece ends
    where no later step can change it any more; the status of the last piece says how the run ended. The run stops if no
    more pieces are requested. The error of each step is controlled, but there is no error estimate and no check of the
    result, because these need the whole run.

    >>> m = Mechanism("pendulum", gravity=(0, -9.81))
    >>> rod = m.bar("rod", length=1.0, mass=1.0)
    >>> _ = m.revolute(m.ground.at(0, 0), rod.start)
    >>> sum(len(piece.t) for piece in stream(m, 5.0))
    1001
    """
    options = Options(
        tol=tol,
        method=method,
        step=seconds("The step", step),
        max_step=seconds("The longest step", max_step),
        max_steps=max_steps,
        max_events=max_events,
    )
    program, events = _prepare_program(mechanism, until, options, progress)
    if program.tentative:  # what has been delivered cannot be repeated
        program = in_natural_coordinates(program)
    task = prepare(program, t_end, options, events)
    wanted = output_times(program, times, task.t_end)
    coming = pieces(task, task.begin(task.attempt(progress=progress)), wanted)
    while True:
        with one_thread():
            piece = next(coming, None)
        if piece is None:
            return
        yield Trajectory(program, piece.steps, piece.asked(piece.motion.t))


@one_thread()
def integrate(
    program: Program,
    t_end: Number,
    *,
    tol: float = TOLERANCE,
    method: str = "auto",
    step: Number | None = None,
    max_step: Number | None = None,
    max_steps: int = MOST_STEPS,
    progress: Progress | None = None,
) -> Steps:
    """The bare time integration from an assembled start: one run, in which the error of each step is controlled."""
    longest = seconds("The longest step", max_step)
    options = Options(
        tol=tol, method=method, step=seconds("The step", step), max_step=longest, max_steps=max_steps, check_error=False
    )
    task = prepare(program, t_end, options)
    return task.run(task.attempt(progress=progress))


def _surprises(run: Trajectory) -> Iterator[str]:
    """Sentences about what a person may not have intended: a start deep inside a compliant stop, forces that are
    never switched on."""
    program, steps = run.program, run.steps
    for name, depth in beyond(program.dynamics, steps.t[:1], steps.y[:1], rigid=False).items():
        if depth[0] > DEEP * max(1.0, program.system.length):
            yield (
                f"Force '{name}': the motion starts {depth[0]:.3g} {unit_of_stop(program.model, name)} inside this "
                "compliant stop, which throws it out. Start within its limits if that is not intended."
            )
    layout = program.dynamics.layout
    for k, name in enumerate(layout.switches, start=layout.of_switches.start):
        if not np.any(steps.y[:, k]) and steps.extract is None and run.status.ok:
            yield f"Force '{name}' never acted: it was not active at the start, and no event switched it on."


def _prepare_program(
    mechanism: Mechanism | Model | Program,
    until: str | None,
    options: Options,
    progress: Progress | None,
    start: GivenStart | None = None,
) -> tuple[Program, tuple[Event, ...]]:
    """The program, and the events that are not part of it."""
    if isinstance(mechanism, Program):
        if options.fit is not None:
            raise ModelError("`fit` has no effect on a program that is already built; pass it to `build`.")
        if start is not None:
            raise ModelError("`start` has no effect on a program that is already built; simulate the mechanism itself.")
        return mechanism, () if until is None else (ending(until, mechanism.model),)
    model = as_model(mechanism)
    if until is not None:
        model = vouch_for(replace(model, events=(*model.events, ending(until, model))))
    given = model if start is None else begin_at(model, start)
    program = build(given, formulation=options.formulation, fit=options.fit, progress=progress)
    if start is not None:
        check_values(start, program.start)
    return program, ()
