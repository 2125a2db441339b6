"""Runs a mechanism: compile, assemble, integrate, and hand over the trajectory."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from grashof.analysis.clock import Pace, Stop, merged
from grashof.analysis.nodes import Surroundings
from grashof.errors import ModelError
from grashof.integrate import FIXED_STEPS, Choice, Companion, Steps, choose
from grashof.model.forces.user_force import UserForce
from grashof.model.given import number
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.program import Program, build
from grashof.status import Code
from grashof.trajectory import Trajectory, output_times
from grashof.trust import accounted

Progress = Callable[[float], None]

TOLERANCE = 1e-6
"""Default tolerance: the error aimed at over the whole run, relative to the mechanism's length and speed."""

REDUNDANT_STEP = 2e-7
"""The largest tolerance of a step where rows are redundant: its stages must not be so far off the constraints that these contradict
each other by more than ε smooths."""

UNKNOWN = 1e-3
"""The longest step where there are forces of which nothing is known but their values, as a part of the run: what acts during less than half of
that can be missed."""

DIVIDED = 20
"""How often, at most, a run is made again because a step may have led over a force that acts between two places."""

COARSER = 10.0
"""The run that the error is estimated with has step tolerances larger by this factor."""

SAFETY = 10.0
"""If errors are proportional to the tolerance, the difference of two runs is the error of the coarser one, and that of the finer one is smaller in
the ratio of their tolerances; the estimate is this many times larger than that. Of 550 random chains, loops, springs and driven
mechanisms at tolerances from 1e-9 to 1e-2 the error exceeded the tolerance in 6 successes with a factor of 3, in none with 5 or 10,
and the estimate in 8, 5 and 3 %."""

ROUND_OFF = 1e-14
"""Step tolerances near this one do not make errors smaller."""

ROUNDS = 4
"""Runs with smaller step tolerances, at most, until the estimated error is within the tolerance."""

FARTHEST = 1e-4
"""The next of them has step tolerances that are not smaller than this part of the last: large differences do not say how large errors are."""

START, AIM = 0.3, 0.3
"""Part of the tolerance that the first run and the following ones are made with: more runs pass at once, and the median work is that of 2.1 runs at
the tolerance itself, where it is 3.1 with 1 and 2.3 with 0.1 (200 random mechanisms)."""

VISIBLE = 0.05
"""Fixed steps keep no tolerance, but an estimated error larger than this is no success either."""

NOISE = 1e-14
"""Round-off of forces, with a margin: it makes this part of the speed that they would make in the time of the run."""

LARGEST = 1e3
"""Errors are not taken to differ by a larger ratio."""

TINY = 1e-300
"""No division by zero where nothing moves."""

COMPARED = 64
"""Times at which runs are compared."""


def simulate(
    mechanism: Mechanism | Model | Program,
    t_end: float,
    *,
    tol: float = TOLERANCE,
    times: Sequence[float] | np.ndarray | int = 1001,
    method: str = "auto",
    step: float | None = None,
    max_step: float | None = None,
    max_steps: int = 1_000_000,
    check_error: bool = True,
    progress: Progress | None = None,
) -> Trajectory:
    """Simulates from the start to t_end (s).

    tol          the largest error over the whole run, relative to the mechanism's length (positions), its largest speed (velocities) and the
                 energy that moves (works); angles in rad
    times        when to give the result: times in s, or how many evenly spaced ones
    method       dop853, verner9, bs5, dopri5 or rk4 (docs/choose-a-method.md); "auto" picks, and `run.method` says what and why
    step         of rk4, whose step is fixed, s; a thousandth of the run unless given
    max_step     the longest step allowed, s. Kinks and pulses are found without it; what a user's force does without `where` and its kin during
                 less than 1/2000 of the run can be missed
    max_steps    the largest number of steps tried in one run
    check_error  whether to estimate the error over the whole run by a second one with looser step tolerances, and to tighten these where
                 the estimate exceeds tol (see `run.error`). Without it only the error of each step is controlled

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
    program = mechanism if isinstance(mechanism, Program) else build(mechanism)
    begin = program.assembly.time
    t_end, tol = _check(begin, t_end, tol)
    wanted = output_times(program, times, t_end)
    task = _prepare(program, t_end, tol, method, step, max_step, max_steps)
    steps = _kept(task, tol, progress) if check_error else task.run(tol, task.choose(tol), progress)
    return accounted(Trajectory(program, steps, wanted[wanted <= steps.status.time]), tol)


def _check(begin: float, t_end: float, tol: float) -> tuple[float, float]:
    """End time and tolerance as plain numbers, if they can be."""
    t_end, tol = number("The end time", t_end), number("The tolerance", tol)
    if not t_end > begin:
        raise ModelError(f"The end time is {t_end} s; it must be beyond the start at {begin:g} s.")
    if not 1e-12 <= tol <= 0.1:
        raise ModelError(f"The tolerance is {tol}; it must be between 1e-12 and 0.1.")
    return t_end, tol


def integrate(
    program: Program,
    t_end: float,
    *,
    tol: float = TOLERANCE,
    method: str = "auto",
    step: float | None = None,
    max_step: float | None = None,
    max_steps: int = 1_000_000,
    progress: Progress | None = None,
) -> Steps:
    """The bare time integration from an assembled start: one run, in which the error of each step is controlled."""
    t_end, tol = _check(program.assembly.time, t_end, tol)
    task = _prepare(program, t_end, tol, method, step, max_step, max_steps)
    return task.run(tol, task.choose(tol), progress)


@dataclass(frozen=True, eq=False)
class _Task:
    """What is to be run, at whatever tolerance.

    method   as asked for
    step     of methods with a fixed step, s
    pace     what the run has to heed of time itself
    y0       the start
    speed    the mechanism's typical speed as far as it is known at the start, m/s
    """

    program: Program
    t_end: float
    tol: float
    method: str
    step: float | None
    max_steps: int
    pace: Pace
    y0: np.ndarray
    speed: float

    @property
    def mass(self) -> float:
        """mass·speed² is a kinetic energy of the mechanism."""
        return 0.5 * max((x for (i, j), x in self.program.system.mass.items() if i == j), default=1.0)

    @cached_property
    def noise(self) -> float:
        """The speed that round-off makes, m/s: what is at rest is so because large forces cancel, but for their rounding."""
        n, dynamics, y = self.program.system.n, self.program.dynamics, self.y0.tolist()
        start = dynamics.motion(self.program.assembly.time, y[:n], y[n : 2 * n], y[2 * n :])
        masses = [self.program.system.mass.get((i, i), 0.0) or 1.0 for i in range(n)]
        forces = [abs(x) / m for x, m in zip(dynamics.forces(start), masses, strict=True)]
        span = self.t_end - self.program.assembly.time
        return NOISE * span * max(forces, default=0.0)

    def choose(self, tol: float) -> Choice:
        """The method for a tolerance."""
        system = self.program.system
        return choose(self.method, tol, system.n - system.m + self.program.assembly.redundant)

    def run(self, tol: float, chosen: Choice, progress: Progress | None = None, step: float | None = None) -> Steps:
        """One run, in which the error of each step is controlled; again with more stops, if a force may have been stepped over."""
        stops: Sequence[Stop] = self.pace.stops
        steps = self._run(tol, chosen, progress, step, stops)
        for _ in range(DIVIDED):
            more = self._passed(steps)
            if not more:
                return steps
            stops = merged([*stops, *more], self.program.assembly.time, self.t_end)
            steps = self._run(tol, chosen, progress, step, stops)
        return steps

    def _passed(self, steps: Steps) -> list[Stop]:
        """Where steps have to end because forces may have been stepped over."""
        if self.program.clock is None or not steps.status.ok:
            return []
        return self.program.clock.passed(steps.t, steps.y, lambda t: self.program.integrator.sample(steps, t)[0])

    def _run(
        self, tol: float, chosen: Choice, progress: Progress | None, step: float | None, stops: Sequence[Stop]
    ) -> Steps:
        program, assembly = self.program, self.program.assembly
        system, step_tolerance = program.system, chosen.method.share * tol
        return program.integrator.run(
            self.y0,
            assembly.time,
            self.t_end,
            tol=min(step_tolerance, REDUNDANT_STEP) if assembly.redundant else step_tolerance,
            length=system.length,
            speed=self.speed,
            mass=self.mass,
            weights=np.ones(len(system.tracked)),
            method=chosen,
            step=step or self.step,
            longest=self.pace.longest,
            stops=stops,
            max_steps=self.max_steps,
            progress=progress,
            surroundings=Surroundings(program.dynamics, assembly.redundant) if program.dynamics.closed else None,
        )


def _prepare(
    program: Program,
    t_end: float,
    tol: float,
    method: str,
    step: float | None,
    max_step: float | None,
    max_steps: int,
) -> _Task:
    """Checks what is asked for, and looks at what time itself does to the mechanism."""
    assembly, system = program.assembly, program.system
    for name, value in (("step", step), ("longest step", max_step)):
        if value is not None and not number(f"The {name}", value) > 0.0:
            raise ModelError(f"The {name} is {value} s; it must be above zero.")
    if number("The largest number of steps", max_steps) != int(max_steps) or max_steps < 0:
        raise ModelError(f"The largest number of steps is {max_steps}; it must be a whole number, not negative.")
    extra = np.zeros(program.dynamics.extra)
    extra[: len(system.tracked)] = [assembly.angles[name] for name in system.tracked]
    y0 = np.concatenate([assembly.q, assembly.v, extra])
    pace = program.clock.pace(assembly.time, t_end, y0) if program.clock else Pace()
    if any(isinstance(force, UserForce) for force in program.model.forces):
        pace = replace(pace, longest=min(pace.longest, UNKNOWN * (t_end - assembly.time)))
    if max_step is not None:
        pace = replace(pace, longest=min(pace.longest, max_step))
    eventful = [program.integrator.derivative(t, y0)[: system.n] for t in pace.eventful or (assembly.time,)]
    fastest = float(np.max(np.abs(eventful), initial=0.0, where=np.isfinite(eventful)))
    # from rest, the speed after falling through the mechanism's own length
    speed = max(
        float(np.max(np.abs(assembly.v), initial=0.0)), math.sqrt(system.length * fastest), 1e-12 * system.length
    )
    task = _Task(program, t_end, tol, method, step, int(max_steps), pace, y0, speed)
    chosen = task.choose(tol)
    if step is not None and chosen.method.adaptive:
        raise ModelError(f"A step is given, but the method '{chosen.name}' chooses its own; leave it out, or take rk4.")
    return task


def _kept(task: _Task, tol: float, progress: Progress | None) -> Steps:
    """The run with an estimate of its error, and with step tolerances so small that the estimate is within tol, if that can be.

    Two runs with different step tolerances are compared; where the looser one does not get to its end, a finer one takes part instead.
    Of a run with fixed steps, which promise no tolerance, the error is only estimated.
    """
    chosen = task.choose(tol)
    if not chosen.method.adaptive:
        return _fixed(task, tol, chosen, progress)
    at = START * tol
    if task.program.assembly.redundant:
        at = min(at, REDUNDANT_STEP / COARSER / chosen.method.share)
    fine = task.run(at, chosen, _part(progress, 0))
    if not fine.status.ok or fine.undecided is not None:
        return fine
    other = task.run(COARSER * at, chosen, _part(progress, 1))
    companion = _compared(task, other, fine, COARSER) if other.status.ok else None
    for count in range(ROUNDS):
        if other.status.code is Code.INTERRUPTED or (companion is not None and companion.error <= tol):
            break
        ratio = 1.0 / COARSER if companion is None else min(1.0 / COARSER, max(AIM * tol / companion.error, FARTHEST))
        chosen = task.choose(ratio * at)
        finer = max(ratio * at, ROUND_OFF / chosen.method.share)
        if finer > 0.5 * at:
            break
        other = task.run(finer, chosen, _part(progress, 2 + 2 * count))
        if not other.status.ok:
            break
        companion, before = _compared(task, fine, other, at / finer), at
        fine, at = other, finer
        if companion.error > tol and before > 2.0 * COARSER * at:
            other = task.run(COARSER * at, chosen, _part(progress, 3 + 2 * count))
            companion = _compared(task, other, fine, COARSER) if other.status.ok else companion
    if progress is not None:
        progress(1.0)
    if other.status.code is Code.INTERRUPTED:
        return replace(fine, companion=companion, status=replace(fine.status, code=Code.INTERRUPTED))
    return _told(fine, companion, tol)


def _fixed(task: _Task, tol: float, chosen: Choice, progress: Progress | None) -> Steps:
    """A run with fixed steps, and an estimate of its error by one with steps twice as long or, where these are too long, half as long."""
    steps = task.run(tol, chosen, _part(progress, 0))
    if not steps.status.ok:
        return steps
    step = task.step or (task.t_end - task.program.assembly.time) / FIXED_STEPS
    other, ratio = task.run(tol, chosen, _part(progress, 1), step=2.0 * step), 2.0**chosen.method.order
    if not other.status.ok:
        other, ratio = task.run(tol, chosen, _part(progress, 2), step=0.5 * step), 1.0
    return _told(steps, _compared(task, other, steps, ratio) if other.status.ok else None, max(tol, VISIBLE))


def _told(steps: Steps, companion: Companion | None, allowed: float) -> Steps:
    """The run with its companion; its status says so if its error is not known to be within what is allowed."""
    if companion is not None and companion.error <= allowed:
        return replace(steps, companion=companion)
    where = "The error could not be estimated."
    if companion is not None:
        where = f"The estimated error is {companion.error:.1e}, where {allowed:.1e} is allowed."
    return replace(steps, companion=companion, status=replace(steps.status, code=Code.TOLERANCE_UNMET, where=where))


def _compared(task: _Task, coarse: Steps, fine: Steps, ratio: float) -> Companion:
    """What the difference of two runs says of the error of the finer one, if that of the other is larger by this ratio."""
    program = task.program
    rows = np.unique(np.linspace(0, len(coarse.t) - 1, COMPARED).astype(int))
    states, _ = program.integrator.sample(fine, coarse.t[rows])
    difference = np.max(np.abs(states - coarse.y[rows]), axis=0)
    n, angles = program.system.n, len(program.system.tracked)
    speed = float(np.max(np.abs(fine.y[:, n : 2 * n]), initial=0.0))
    kinetic = program.dynamics.kinetic(list(fine.y[:, n : 2 * n].T))
    energy = float(np.max(kinetic, initial=0.0)) + float(np.max(np.abs(fine.y[:, 2 * n + angles :]), initial=0.0))
    slow = task.noise / task.tol
    scales = [program.system.length, speed + slow, 1.0, energy + task.mass * slow**2]
    relative = difference / np.maximum(np.repeat(scales, [n, n, angles, states.shape[1] - 2 * n - angles]), TINY)
    share = min(1.0, SAFETY / min(ratio, LARGEST))
    return Companion(coarse, share, share * float(np.max(relative, initial=0.0)))


def _part(progress: Progress | None, count: int) -> Progress | None:
    """Progress of the first, second, … of several runs: each gets half of what is left."""
    if progress is None:
        return None
    left = 0.5**count
    return lambda part: progress(1.0 - left * (1.0 - 0.5 * part))
