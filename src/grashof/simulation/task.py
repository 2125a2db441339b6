"""The specification of a run: what is requested, and what is known about the mechanism beforehand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from grashof.changes.between_steps import Between, make_between
from grashof.changes.kinks import Stop
from grashof.changes.limits import beyond, unit_of_stop
from grashof.changes.time_dependence import Pace, make_clock
from grashof.common.errors import ModelError
from grashof.common.progress import Progress
from grashof.formulation.natural.system import System
from grashof.integrate import Choice, Run, Settings, Spacing, Steps, Watch, choose
from grashof.integrate.methods import Method, choose_implicit
from grashof.model.check.events import check_event
from grashof.model.events import Event
from grashof.model.given import Number, number, text
from grashof.model.model import Model
from grashof.program import Program
from grashof.simulation.events import NEAR, make_watch
from grashof.simulation.options import Options

REDUNDANT_STEP = 2e-7
"""Largest step tolerance where rows are redundant: farther off the constraints, the stages of a step would make
redundant rows contradict each other by more than ε can smooth."""

UNKNOWN = 1e-3
"""Longest step, as a fraction of the run, if there are forces of which only the values are known (Python functions).
What acts for less than half of that can be missed."""

NOISE = 1e-14
"""Round-off of forces, with a margin: the speed that it produces during the run, relative to the speed that the
forces would produce."""


@dataclass(frozen=True)
class Attempt:
    """One of the runs of a task: its tolerance and its method, which need not be those of the task.

    spacing   limits on the steps in addition to those by their errors
    """

    tol: float
    chosen: Choice
    spacing: Spacing = field(default_factory=Spacing)
    progress: Progress | None = None


@dataclass(frozen=True, eq=False)
class Task:
    """A run to be made, at any tolerance.

    pace     the times at which steps have to end, and the longest step, from what depends explicitly on time
    speed    the mechanism's typical speed, as far as it is known at the start, m/s
    watch    the events
    between  what is examined between the steps
    """

    program: Program
    t_end: float
    options: Options
    pace: Pace
    speed: float
    watch: Watch | None = None
    between: Between | None = None

    @property
    def tol(self) -> float:
        """The largest error over the whole run."""
        return self.options.tol

    @property
    def noise(self) -> float:
        """The speed that round-off produces, m/s: at rest, large forces may cancel except for their rounding errors."""
        return NOISE * (self.t_end - self.program.assembly.time) * self.program.start_load

    @cached_property
    def _weights(self) -> list[float]:
        return weights_of(self.program.system)

    @cached_property
    def _period(self) -> float:
        """The shortest time between the samples of a force, s."""
        return min((float(force.period or math.inf) for force in self.program.model.sampled), default=math.inf)

    def paces(self) -> list[Pace]:
        """Those for the given values of open numbers, and for values near them."""
        code, found = self.program.open_code, [self.pace]
        for trial in code.trials if code else ():
            clock = make_clock(trial.dynamics)
            found += [clock.pace(self.program.assembly.time, self.t_end, trial.state[1:])] if clock else []
        return found

    def choose(self, tol: float | None = None) -> Choice:
        """The method for a tolerance; by default for that of the task."""
        return choose(self.options.method, self.tol if tol is None else tol, self.program.freedom)

    def attempt(self, tol: float | None = None, progress: Progress | None = None) -> Attempt:
        """The run at a tolerance, by the method for it; by default at that of the task."""
        tol = self.tol if tol is None else tol
        return Attempt(tol, self.choose(tol), progress=progress)

    def run(self, attempt: Attempt) -> Steps:
        """One run, in which the error of each step is controlled."""
        program = self.program
        return program.integrator.collect(program.y0, program.assembly.time, self.t_end, self.settings(attempt))

    def begin(self, attempt: Attempt) -> Run:
        """One run whose steps are delivered in pieces while they are made."""
        settings = self.settings(attempt)
        return self.program.integrator.begin(self.program.y0, self.program.assembly.time, self.t_end, settings)

    def settings(self, attempt: Attempt, stops: Sequence[Stop] | None = None) -> Settings:
        """How to integrate; by default with the stops that laws of time require."""
        program, assembly = self.program, self.program.assembly
        system, clock = program.system, program.clock

        def tolerance_of(method: Method) -> float:
            step = method.share * attempt.tol
            return min(step, REDUNDANT_STEP) if assembly.redundant else step

        return Settings(
            tol=tolerance_of(attempt.chosen.first),
            length=system.length,
            speed=self.speed,
            mass=program.mass,
            weights=self._weights,
            method=attempt.chosen,
            step=self.options.step,
            longest=self.pace.longest,
            stops=self.pace.stops if stops is None else stops,
            max_steps=self.options.max_steps,
            progress=attempt.progress,
            spacing=attempt.spacing,
            surroundings=program.surroundings,
            watch=self.watch,
            between=self.between,
            kinks=clock.kinks if clock is not None and clock.kinks.in_motion else None,
            alternative=choose_implicit(attempt.tol),
            tolerances=tolerance_of,
            period=self._period,
        )


def weights_of(system: System) -> list[float]:
    """1/scale of tracked angles and distances, of switches, and of integrals, which are those of angles or distances
    over time."""
    measures = [*(system.model.quantities[name] for name in system.tracked), *system.model.integrals.values()]
    weights = [1.0 if measure.unit == "rad" else 1.0 / system.length for measure in measures]
    tracked = len(system.tracked)
    return [*weights[:tracked], *[0.0] * len(system.model.switchable), *weights[tracked:]]


def prepare(program: Program, t_end: Number, options: Options | None = None, events: Sequence[Event] = ()) -> Task:
    """Finds out how the mechanism depends explicitly on time, and what is watched.

    events   in addition to those of the mechanism
    """
    assembly, system, options = program.assembly, program.system, options or Options()
    t_end = number("The end time", t_end, "s")
    if not t_end > assembly.time:
        raise ModelError(f"The end time is {t_end} s; it must be later than the start at {assembly.time:g} s.")
    y0 = program.y0
    for name, depth in beyond(program.dynamics, np.array([assembly.time]), y0[None]).items():
        if depth[0] > NEAR * max(1.0, system.length):
            raise ModelError(
                f"Force '{name}': the motion starts {depth[0]:.3g} {unit_of_stop(program.model, name)} beyond this "
                "rigid stop; start within its limits, or move them."
            )
    pace = program.clock.pace(assembly.time, t_end, y0) if program.clock else Pace()
    if any(force.is_opaque for force in program.model.forces):
        pace = replace(pace, longest=min(pace.longest, UNKNOWN * (t_end - assembly.time)))
    if options.max_step is not None:
        pace = replace(pace, longest=min(pace.longest, options.max_step))
    rates = [program.integrator.natural_rates(t, y0) for t in pace.eventful]
    speed = program.speed_with(np.array(rates)) if rates else program.start_speed
    watched = (*program.model.all_events, *events)
    watch = make_watch(program, watched, options.max_events, options.tol)
    task = Task(program, t_end, options, pace, speed, watch, make_between(program.dynamics, watched))
    chosen = task.choose()
    if options.step is not None and chosen.method.adaptive:
        raise ModelError(f"A step is given, but the method '{chosen.name}' chooses its own; leave it out, or take rk4.")
    return task


def ending(condition: str, model: Model) -> Event:
    """The event that ends a run when a condition becomes true."""
    event = Event(name=f"until {condition}", quantity=text("The condition 'until'", condition), does="stop")
    event = event.bound(model.tables_by_name, model.parameter_values)
    if not event.is_condition:
        raise ModelError(f"`until` is '{condition}', which is not a condition; write one such as 'rod.end.y < 0'.")
    check_event(event, model)
    return event
