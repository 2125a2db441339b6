"""The result of a simulation: named quantities over time with units, energies, work and constraint violations."""

from __future__ import annotations

import os
import time as clock
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from grashof.assembly.assemble import Assembly
from grashof.common.errors import ModelError
from grashof.common.pictures import DrawingOptions, PictureOptions
from grashof.common.progress import Progress, silent
from grashof.common.provided import provided
from grashof.common.status import Code, Status
from grashof.formulation.natural.rigid import violations
from grashof.formulation.natural.state import SystemState
from grashof.integrate import Choice, Occurrence, Steps, comparable
from grashof.model.given import number
from grashof.model.start import Start
from grashof.motion.histories import Histories, Names, parse_names
from grashof.motion.starting import start_at
from grashof.motion.turns import Turns
from grashof.program.program import Program
from grashof.quantities.snapshot import CoordinateSnapshot
from grashof.scalar.jet import Jet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from grashof.reactions import Reactions
    from grashof.view import ShownMotion

Array = np.ndarray

AT_MOST = 2**28
"""The largest number of floating-point numbers in the states and rates at all output times: 2 GiB."""


def output_times(program: Program, times: Sequence[float] | Array | int, t_end: float) -> Array:
    """The requested output times (s), or that many evenly spaced ones; raises ModelError if they are impossible."""
    begin, n, extra = program.assembly.time, program.dynamics.n, program.dynamics.layout.extra
    if isinstance(times, int | np.integer) and not isinstance(times, bool):
        if times < 2:
            raise ModelError(f"times is {times}; there must be at least 2 output times, the start and the end.")
        _check_size(int(times), 3 * n + 2 * extra)
        return _spaced_evenly(begin, t_end, int(times)).copy()
    try:
        wanted = np.array(times, float)
    except (TypeError, ValueError) as problem:
        raise ModelError(
            f"The output times are {times!r}; give times in s, or how many evenly spaced ones."
        ) from problem
    if wanted.ndim != 1 or not wanted.size:
        raise ModelError(f"The output times have the shape {wanted.shape}; give a sequence of one or more times.")
    _check_size(len(wanted), 3 * n + 2 * extra)
    if not np.all(np.diff(np.concatenate([[begin], wanted, [t_end]])) >= 0.0):
        raise ModelError(f"The output times must be sorted and between {begin:g} s and {t_end:g} s.")
    return wanted


@lru_cache(maxsize=16)
def _spaced_evenly(begin: float, end: float, count: int) -> Array:
    return np.linspace(begin, end, count)


def _check_size(count: int, numbers: int) -> None:
    if count * numbers > AT_MOST:
        raise ModelError(
            f"{count} output times with {numbers} numbers each would take {8e-9 * count * numbers:.3g} GB of memory; "
            f"for this mechanism at most {AT_MOST // numbers} times are possible at once. Ask for fewer, or for one "
            "part of the run after the other (`Trajectory(run.program, run.steps, times)`)."
        )


class Trajectory(Histories):
    """The result of a simulation at given times. `run["rod.end.x"]` is an array; `run.names` lists all quantities.

    Names: `t`; `body.point.x` (and y, z); `body.angle` (plane) and every measure; `kinetic`, `potential`, `energy`;
    `NAME.integral` for controllers with an integral part; `work.NAME` for forces and motors that do work; `balance`,
    the energy-balance error (energy gained minus work done); `violation.position`, `.velocity`, `.acceleration` (norms
    of the joint equations of the rigid bodies, in m, m/s, m/s²). The suffix `.rate` gives the time derivative of a
    quantity of motion. `run.derived_names` lists further quantities, which are computed on demand: `.acceleration`,
    centres of mass, angular velocities of bodies in space, momentum and angular momentum, `push.NAME` of rigid stops,
    `NAME.torque` or `NAME.force` of motors and couplings whose efforts are unique, and `work.NAME.rate`, the power.

    `run.plot("rod.end.x")`, `run.draw(-1)`, `run.animate("crank.html")` and `run.reactions()` show the results;
    `run.save("run.csv")` writes a table.

    cpu_s   CPU time of the whole call of `simulate`, s: building the program (unless one was given), all integrations,
            and the checks. The CPU time of the integration alone is `run.steps.cpu_s`; `run.program.from_cache` is
            whether the machine code was taken from the cache
    """

    def __init__(self, program: Program, steps: Steps, times: Array) -> None:
        self.program = program
        self.steps = steps
        self.t: Array = np.asarray(times, float)
        self._known: dict[str, Array] = {"t": self.t}
        self.cpu_s: float | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles the program and the steps; what was computed from them is computed again after unpickling."""
        return Trajectory, (self.program, self.steps, self.t), {"cpu_s": self.cpu_s}

    def __repr__(self) -> str:
        return f"Trajectory of '{self.program.model.name}': {len(self.t)} times. {self.status}"

    @property
    def assembly(self) -> Assembly:
        """The assembly of the mechanism at the start."""
        return self.program.assembly

    @cached_property
    def status(self) -> Status:
        """How the run ended, and whether all values at the output times are finite. Look here first."""
        status = self.steps.status
        if not status.reached or status.doubt not in (None, Code.TOLERANCE_UNMET):
            return status
        numbers = np.isfinite(self.y).all(axis=1) & np.isfinite(self.rates).all(axis=1)
        for measure in self.program.model.measures:
            if not measure.winds:  # undefined angles are not among the names
                numbers &= np.isfinite(self[measure.name]) & np.isfinite(self[f"{measure.name}.rate"])
        if numbers.all():
            return status
        return replace(status, time=float(self.t[np.argmin(numbers)]), where="", doubt=Code.NOT_FINITE)

    @property
    def events(self) -> tuple[Occurrence, ...]:
        """The events of the run in chronological order; see `Occurrence`."""
        return self.steps.occurrences

    @property
    def method(self) -> Choice:
        """The integration method, and why it was chosen."""
        return self.steps.method

    @cached_property
    def _sampled(self) -> tuple[Array, Array, float]:
        """States, their rates, and the CPU time of computing them, s."""
        began = clock.process_time()
        states, rates = self.program.integrator.sample(self.steps, self.t)
        return states, rates, clock.process_time() - began

    @property
    def y(self) -> Array:
        """States [q, v, e], (times, 2n + k): coordinates, velocities, tracked angles and work."""
        return self._sampled[0]

    @property
    def rates(self) -> Array:
        """Accelerations and the rates of tracked angles and work, (times, n + k)."""
        return self._sampled[1]

    @property
    def output_s(self) -> float:
        """CPU time of computing the states at the output times, in addition to that of the run, s."""
        return self._sampled[2]

    @property
    def q(self) -> Array:
        """Coordinates, (times, n)."""
        return self.y[:, self.program.dynamics.layout.of_q]

    @property
    def v(self) -> Array:
        """Velocities, (times, n)."""
        return self.y[:, self.program.dynamics.layout.of_v]

    @property
    def a(self) -> Array:
        """Accelerations, (times, n)."""
        return self.rates[:, self.program.dynamics.layout.of_a]

    def at_steps(self) -> Trajectory:
        """The same run at the times of the integrator's steps."""
        return Trajectory(self.program, self.steps, self.steps.t)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of all quantities that are defined at all times."""
        return tuple(name for name in self._all_names if name.removesuffix(".rate") not in self.undefined)

    @cached_property
    def undefined(self) -> dict[str, str]:
        """Angles that are undefined at some time of the run, each with a sentence that says when.

        The direction that defines such an angle is then parallel to its axis. Asking for the angle raises ModelError.
        """
        found = {}
        if self.program.model.dimension == 3:
            for name in self.assembly.angles:
                try:
                    self[name]
                except ModelError as problem:
                    found[name] = str(problem)
        return found

    @cached_property
    def work_names(self) -> tuple[str, ...]:
        """The names of the work done by forces and motors."""
        return tuple(f"work.{name}" for name in self.program.start.works)

    @cached_property
    def _all_names(self) -> tuple[str, ...]:
        return tuple(name for name, quantity in self.program.quantities.items() if not quantity.on_request)

    @cached_property
    def derived_names(self) -> tuple[str, ...]:
        """The names of quantities that are computed on demand: accelerations, centres of mass, momenta, powers,
        efforts of motors, forces of rigid stops; see `quantities.catalog`."""
        return tuple(name for name, quantity in self.program.quantities.items() if quantity.on_request)

    def _ipython_key_completions_(self) -> list[str]:
        """The completions that an editor offers after `run[`."""
        return [*self.names, *self.derived_names]

    def __getitem__(self, name: str) -> Array:
        if name not in self._known:
            if not isinstance(name, str):
                raise ModelError(
                    f"{name!r} is not the name of a quantity; read one by its name, such as run['energy']."
                )
            self.program.check_unique([name])
            quantity = self.program.quantities[name]
            value = quantity.value(self._snapshot)
            self._known[name] = self._full(
                value - quantity.value(self.program.start) if quantity.since_start else value
            )
        return self._known[name]

    def unit(self, name: str) -> str:
        """The unit of a quantity."""
        return self.program.quantities[name].unit

    @property
    def energy(self) -> Array:
        """The sum of kinetic and potential energy, in J."""
        return self["energy"]

    # -- errors

    @property
    def error(self) -> float | None:
        """The largest estimated error: of positions relative to the mechanism's length, of velocities relative to its
        largest speed, of work relative to the energy exchanged during the motion, and of tracked angles in rad; None if
        it was not estimated."""
        return None if self.steps.companion is None else self.steps.companion.error

    def error_estimate(self, name: str) -> Array:
        """The estimated error of a quantity, in its unit: at each time, the largest up to that time.

        It is the difference from a run with looser step tolerances, whose error is larger than that of this run, plus
        the round-off error of the quantity, which grows with the square root of the number of steps. An event occurs at
        slightly different times in the two runs; between these times nothing is compared, and the error is that of the
        time of the event (`run.events`).
        """
        companion = self.steps.companion
        if companion is None:
            raise ModelError(
                f"The error of '{name}' was not estimated: either the run is incomplete, or it was made with "
                "check_error=False."
            )
        known = comparable(self.steps, companion.steps, self.t)
        other = Trajectory(self.program, companion.steps, self.t[known])
        rounding = np.sqrt(1 + self.steps.counters.steps) * np.finfo(float).eps * np.abs(self[name])
        difference = np.zeros(len(self.t))
        difference[known] = np.abs(self[name][known] - other[name])
        return np.maximum.accumulate(companion.share * difference + rounding)

    # -- what is computed from the run on demand

    def as_start(self, t: float | None = None) -> Start:
        """The position and velocities at a time of the run, by default at its end, as the start of another motion:
        `gr.simulate(m, 2.0, start=run)`.

        Works count from the new start. ModelError if the motion there depends on more than positions and velocities:
        the integral of a controller, what a sampled one holds, or a force that an event has switched.
        """
        at = float(self.steps.t[-1]) if t is None else number("The time of a start", t, "s")
        if not self.steps.t[0] <= at <= self.steps.t[-1]:
            raise ModelError(
                f"The run lasts from {self.steps.t[0]:g} s to {self.steps.t[-1]:g} s; {at:g} s is not in it."
            )
        there = Trajectory(self.program, self.steps, np.array([at]))
        model, state = self.program.model, there.motion
        for force in model.sampled:
            raise ModelError(
                f"A motion cannot start at t = {at:g} s: '{force.name}' is sampled, and holds what it has found at an "
                "earlier time. Simulate the whole motion in one run."
            )
        for name, integral in state.integrals.items():
            if float(integral[0]) != 0.0:
                raise ModelError(f"A motion cannot start at t = {at:g} s: '{name}' is not zero there, as at a start.")
        for force in model.all_forces:
            if float(np.ravel(state.switch(force.name, force.active))[0]) != force.active:
                raise ModelError(
                    f"A motion cannot start at t = {at:g} s: an event has switched force '{force.name}' by then. "
                    "Simulate the whole motion in one run, or start before the event."
                )
        angles = {name: float(there[name][0]) for name in self.assembly.angles if name not in there.undefined}
        return start_at(self.program.system, at, there.q[0], there.v[0], angles)

    def reactions(self, times: Sequence[float] | Array | int | None = None) -> Reactions:
        """The joint reactions (forces and moments), and which of them are unique; see `Reactions`.

        times   output times, s; by default those of the run
        """
        found: Reactions = provided("reactions")(self, times)
        return found

    def plot(
        self,
        *quantities: str | Sequence[str] | os.PathLike[str] | None,
        names: str | Sequence[str] | None = None,
        path: str | os.PathLike[str] | None = None,
        x: str = "t",
        units: Names = (),
        **options: Unpack[PictureOptions],
    ) -> Figure:
        """Plots quantities against time, or against another quantity, as a matplotlib figure with one panel per unit.

        `run.plot("rod.end.x", "rod.end.y")` plots these quantities; without names, a few positions and the energies are
        plotted. `run.plot("rod.end.y", x="rod.end.x")` plots a path, with equal scales, and
        `units="mm, deg, rpm"` selects units (see `in_units`). If a path is given, the figure is also written to that
        file (.png, .svg, .pdf). `size=(8, 5)` sets its size in inches, and `dpi` its resolution.

        >>> import grashof as gr
        >>> m = gr.Mechanism("pendulum", gravity=(0, -9.81))
        >>> rod = m.bar("rod", length=1.0, mass=1.0)
        >>> _ = m.revolute(m.ground.at(0, 0), rod.start)
        >>> figure = gr.simulate(m, 1.0).plot("rod.angle", "rod.angle.rate")
        >>> [panel.get_ylabel() for panel in figure.axes]
        ['rod.angle [rad]', 'rod.angle.rate [rad/s]']
        """
        figure: Figure = provided("plot")(self, *parse_names(quantities, names, path), x=x, units=units, **options)
        return figure

    def show(self, height: int = 560) -> ShownMotion:
        """Shows the moving mechanism with linked plots in a notebook; `height` is in pixels.

        A run that is the last value of a cell is shown automatically.
        """
        page: ShownMotion = provided("shown")(self, height)
        return page

    def live(
        self,
        path: str | os.PathLike[str] | None = None,
        *,
        numbers: Sequence[str] | None = None,
        observe: Sequence[str] | None = None,
        tol: float | None = None,
        height: int = 760,
    ) -> ShownMotion:
        """An interactive page that simulates the mechanism of this run up to its end time; see `Mechanism.live`."""
        wanted = {"numbers": numbers, "observe": observe, "tol": tol, "height": height}
        page: ShownMotion = provided("shown_live")(self, path, **wanted)
        return page

    def _repr_html_(self) -> str:
        """The HTML that a notebook displays."""
        html: str = provided("in_notebook")(self)
        return html

    def draw(
        self, row: int = 0, path: str | os.PathLike[str] | None = None, **options: Unpack[DrawingOptions]
    ) -> Figure:
        """Draws the mechanism at one of the run's times, to scale and with its points labelled, as a matplotlib figure.

        If a path is given, the figure is also written to that file. `traces=["rod.end"]` draws the paths of points over
        the whole run, `labels=False` leaves out the names, `axes=False` the scales; `size=(8, 5)` sets the size in
        inches, and `dpi` the resolution.

        >>> import grashof as gr
        >>> m = gr.Mechanism("pendulum", gravity=(0, -9.81))
        >>> rod = m.bar("rod", length=1.0, mass=1.0)
        >>> _ = m.revolute(m.ground.at(0, 0), rod.start)
        >>> run = gr.simulate(m, 1.0)
        >>> print(run.draw(-1).axes[0].get_title())
        pendulum, t = 1 s
        """
        figure: Figure = provided("draw")(self, row, path, **options)
        return figure

    def animate(
        self,
        path: str | os.PathLike[str],
        *,
        fps: float | None = None,
        seconds: float | None = None,
        progress: Progress = silent,
        traces: Names = (),
        **options: Unpack[PictureOptions],
    ) -> None:
        """Writes the motion as a page for any browser (.html), as a GIF (.gif) or as a video (.mp4, .webm).

        fps        frames per second of a GIF or video
        seconds    duration of the GIF or video, s; by default real time if the run lasts 2 s to 15 s, otherwise 6 s
        progress   is called after each frame
        traces     points whose paths are drawn in a GIF or video, such as "rod.end"
        options    `size` in inches and `dpi` of a GIF or video
        """
        wanted = {"fps": fps, "seconds": seconds, "progress": progress, "traces": traces}
        provided("animate")(self, path, **wanted, **options)

    @property
    def motion(self) -> SystemState:
        """The state at all output times, in the form used by joints, measures and forces."""
        return self._snapshot.state

    # -- inside

    def _full(self, x: Array | float) -> Array:
        """One number for each time, not to be changed."""
        values = np.asarray(x, float)
        if values.shape != self.t.shape:
            return np.broadcast_to(values, self.t.shape)
        values = values.view()
        values.flags.writeable = False
        return values

    @cached_property
    def _snapshot(self) -> _RunSnapshot:
        """The mechanism at all output times."""
        return _RunSnapshot(self.program, self.steps, self.t, self.y, self.rates)


class _RunSnapshot(CoordinateSnapshot):
    """The mechanism at all output times of a run, over arrays; angles include whole turns."""

    def __init__(self, program: Program, steps: Steps, t: Array, y: Array, rates: Array) -> None:
        dynamics, layout = program.dynamics, program.dynamics.layout
        state = replace(dynamics.state([t, *y.T]), turns=Turns(program, steps, t, y))
        super().__init__(program.model, dynamics, state, list(y[:, layout.of_e].T), lambda: list(rates.T))
        self._t, self._y, self._a = t, y, rates[:, layout.of_a]
        self._measured = dict[str, Jet]()

    @cached_property
    def kinetic(self) -> Array:
        """The kinetic energy, J."""
        energies = self.dynamics.energies
        of_bodies = energies.kinetic_energies(self._y[:, self.dynamics.layout.of_v])
        return np.asarray(energies.with_inerters(of_bodies, self.state))

    @cached_property
    def violations(self) -> Sequence[Array]:
        """The norms of all joint equations, of their first and of their second time derivatives."""
        return violations(self.dynamics, self._t, self._y, self._a)

    def measure(self, name: str) -> Jet:
        """A measure or coordinate with its rate; or an integral."""
        if name not in self._measured:
            self._measured[name] = super().measure(name)
        return self._measured[name]

    def accelerating(self, name: str) -> Jet:
        """A measure or coordinate with its rate and its acceleration; raises ModelError if it is undefined at some
        time."""
        self.measure(name)
        return super().accelerating(name)
