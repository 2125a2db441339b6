"""The specification of a run: what is requested, and what is known about the mechanism beforehand."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from grashof.changes.between_steps import Between, make_between
from grashof.changes.kinks import Stop, merge_stops
from grashof.changes.limits import beyond
from grashof.changes.time_dependence import Pace
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

REDUNDANT_STEP = 2e-7
"""Largest step tolerance where rows are redundant: farther off the constraints, the stages of a step would make
redundant rows contradict each other by more than ε can smooth."""

UNKNOWN = 1e-3
"""Longest step, as a fraction of the run, if there are forces of which only the values are known (Python functions).
What acts for less than half of that can be missed."""

DIVIDED = 20
"""How often a run may be repeated because a step may have passed over a force that acts only between two positions."""

MOST_EVENTS = 10_000
"""Default for the largest number of events that restart a run."""

NOISE = 1e-14
"""Round-off of forces, with a margin: the speed that it produces during the run, relative to the speed that the
forces would produce."""


Make = Callable[["Task", Choice, Sequence[Stop]], tuple[Steps, list[Stop]]]
"""Makes a run with a method and with steps that end at certain times; also returns at which further times steps have to
end."""


@dataclass(frozen=True, eq=False)
class Task:
    """A run to be made, at any tolerance.

    method   the method as requested, which may be "auto"
    step     for methods with a fixed step, s
    pace     the times at which steps have to end, and the longest step, from what depends explicitly on time
    speed    the mechanism's typical speed, as far as it is known at the start, m/s
    watch    the events
    between  what is examined between the steps
    """

    program: Program
    t_end: float
    tol: float
    method: str
    step: float | None
    max_steps: int
    pace: Pace
    speed: float
    watch: Watch | None = None
    between: Between | None = None

    @property
    def noise(self) -> float:
        """The speed that round-off produces, m/s: at rest, large forces may cancel except for their rounding errors."""
        return NOISE * (self.t_end - self.program.assembly.time) * self.program.start_load

    @cached_property
    def _weights(self) -> list[float]:
        return weights_of(self.program.system)

    def choose(self, tol: float) -> Choice:
        """The method for a tolerance."""
        return choose(self.method, tol, self.program.freedom)

    def run(
        self,
        tol: float | None = None,
        chosen: Choice | None = None,
        progress: Progress | None = None,
        spacing: Spacing | None = None,
    ) -> Steps:
        """One run, in which the error of each step is controlled; repeated with more stops if it may have stepped over
        a force.

        By default the tolerance is that of the task, and the method is the one for this tolerance.
        """
        tol = self.tol if tol is None else tol

        def made(task: Task, chosen: Choice, stops: Sequence[Stop]) -> tuple[Steps, list[Stop]]:
            settings = task.settings(tol, chosen, progress, spacing, stops)
            steps = self.program.integrator.collect(self.program.y0, self.program.assembly.time, self.t_end, settings)
            return steps, self.passed(steps)

        return self.divided(made, chosen or self.choose(tol))

    def divided(self, made: Make, chosen: Choice) -> Steps:
        """Makes a run with given stops, and repeats it with the further stops that it turns out to need, until there
        are none."""
        stops: Sequence[Stop] = self.pace.stops
        for _ in range(DIVIDED):
            steps, more = made(self, chosen, stops)
            if not more:
                return steps
            stops = merge_stops([*stops, *more], self.program.assembly.time, self.t_end)
        return made(self, chosen, stops)[0]

    def passed(self, steps: Steps) -> list[Stop]:
        """Further times at which steps have to end, because the run may have stepped over forces."""
        if self.program.clock is None or not steps.status.ok:
            return []
        return self.program.clock.kinks.passed(steps.t, steps.y, lambda t: self.program.integrator.sample(steps, t)[0])

    def begin(
        self,
        tol: float | None = None,
        chosen: Choice | None = None,
        progress: Progress | None = None,
        spacing: Spacing | None = None,
        stops: Sequence[Stop] | None = None,
    ) -> Run:
        """One run whose steps are delivered in pieces while they are made."""
        tol = self.tol if tol is None else tol
        stops = self.pace.stops if stops is None else stops
        chosen = chosen or self.choose(tol)
        settings = self.settings(tol, chosen, progress, spacing, stops)
        return self.program.integrator.begin(self.program.y0, self.program.assembly.time, self.t_end, settings)

    def settings(
        self, tol: float, chosen: Choice, progress: Progress | None, spacing: Spacing | None, stops: Sequence[Stop]
    ) -> Settings:
        """How to integrate at a tolerance."""
        program, assembly = self.program, self.program.assembly
        system = program.system

        def tolerance_of(method: Method) -> float:
            return min(method.share * tol, REDUNDANT_STEP) if assembly.redundant else method.share * tol

        return Settings(
            tol=tolerance_of(chosen.first),
            length=system.length,
            speed=self.speed,
            mass=program.mass,
            weights=self._weights,
            method=chosen,
            step=self.step,
            longest=self.pace.longest,
            stops=stops,
            max_steps=self.max_steps,
            progress=progress,
            spacing=spacing or Spacing(),
            surroundings=program.surroundings,
            watch=self.watch,
            between=self.between,
            alternative=choose_implicit(tol),
            tolerances=tolerance_of,
            period=min((float(force.period or math.inf) for force in program.model.sampled), default=math.inf),
        )


def weights_of(system: System) -> list[float]:
    """1/scale of tracked angles and distances, of switches, and of integrals, which are those of angles or distances
    over time."""
    measures = [*(system.model.quantities[name] for name in system.tracked), *system.model.integrals.values()]
    weights = [1.0 if measure.unit == "rad" else 1.0 / system.length for measure in measures]
    tracked = len(system.tracked)
    return [*weights[:tracked], *[0.0] * len(system.model.switchable), *weights[tracked:]]


def tolerance(given: float) -> float:
    """The tolerance as a number; ModelError if no run can meet it."""
    found = number("The tolerance", given)
    if not 1e-12 <= found <= 0.1:
        raise ModelError(f"The tolerance is {found}; it must be between 1e-12 and 0.1.")
    return found


def prepare(
    program: Program,
    t_end: Number,
    tol: float,
    method: str,
    step: Number | None,
    max_step: Number | None,
    max_steps: int,
    events: Sequence[Event] = (),
    max_events: int = MOST_EVENTS,
) -> Task:
    """Checks the arguments, and finds out how the mechanism depends explicitly on time.

    events   in addition to those of the mechanism
    """
    assembly, system = program.assembly, program.system
    t_end, tol = number("The end time", t_end, "s"), tolerance(tol)
    step = None if step is None else number("The step", step, "s")
    max_step = None if max_step is None else number("The longest step", max_step, "s")
    if not t_end > assembly.time:
        raise ModelError(f"The end time is {t_end} s; it must be later than the start at {assembly.time:g} s.")
    for name, value in (("step", step), ("longest step", max_step)):
        if value is not None and not value > 0.0:
            raise ModelError(f"The {name} is {value} s; it must be above zero.")
    if number("The largest number of steps", max_steps) != int(max_steps) or max_steps < 0:
        raise ModelError(f"The largest number of steps is {max_steps}; it must be a whole number that is not negative.")
    y0 = program.y0
    for name, depth in beyond(program.dynamics, np.array([assembly.time]), y0[None]).items():
        if depth[0] > NEAR * max(1.0, system.length):
            raise ModelError(
                f"Force '{name}': the motion starts {depth[0]:.3g} (m or rad) beyond this rigid stop; start "
                "within its limits, or move them."
            )
    pace = program.clock.pace(assembly.time, t_end, y0) if program.clock else Pace()
    if any(force.is_opaque for force in program.model.forces):
        pace = replace(pace, longest=min(pace.longest, UNKNOWN * (t_end - assembly.time)))
    if max_step is not None:
        pace = replace(pace, longest=min(pace.longest, max_step))
    rates = [program.integrator.natural_rates(t, y0) for t in pace.eventful] or [program.start_rates]
    eventful = np.array(rates)[:, : system.n]
    fastest = float(np.max(np.abs(eventful), initial=0.0, where=np.isfinite(eventful)))
    # from rest, the speed after falling through the mechanism's own length
    speed = max(
        float(np.max(np.abs(assembly.v), initial=0.0)), math.sqrt(system.length * fastest), 1e-12 * system.length
    )
    if not number("The largest number of events", max_events) > 0 or max_events != int(max_events):
        raise ModelError(f"The largest number of events is {max_events}; it must be a whole number above zero.")
    watch = make_watch(program, (*program.model.all_events, *events), int(max_events), tol)
    between = make_between(program.dynamics, (*program.model.all_events, *events))
    task = Task(program, t_end, tol, method, step, int(max_steps), pace, speed, watch, between)
    chosen = task.choose(tol)
    if step is not None and chosen.method.adaptive:
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
