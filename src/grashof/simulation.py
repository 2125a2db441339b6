"""Runs a mechanism: compile, assemble, integrate, and hand over the trajectory."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from grashof.analysis.closing import Positions
from grashof.analysis.singular import least_singular_value, near_singular
from grashof.errors import ModelError
from grashof.integrate import Steps, choose
from grashof.model.measures import Angle
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.program import Program, build
from grashof.status import Code, Status
from grashof.trajectory import Trajectory

TOLERANCE = 1e-6
"""Default tolerance: the error aimed at over the whole run, relative to the mechanism's length and speed."""

MISFIT = 1e-6
"""How far joints may be open where the relations of their branch hold, relative to the mechanism's length."""

SLOW, FINELY = 0.05, 257
"""Turning points are looked for at steps with less than this part of the largest kinetic energy, among so many times around them."""

NEARBY = 0.2
"""A step where the least singular value is above this is not next to a singular position."""

REDUNDANT_STEP = 2e-7
"""The largest tolerance of a step where rows are redundant: its stages must not be so far off the constraints that these contradict
each other by more than ε smooths."""

UNHELD = 3e-5
"""Singular values below a few √ε, ε = 1e-10, hold nothing."""


def simulate(
    mechanism: Mechanism | Model | Program,
    t_end: float,
    *,
    tol: float = TOLERANCE,
    times: Sequence[float] | np.ndarray | int = 1001,
    method: str = "auto",
    step: float | None = None,
    max_steps: int = 1_000_000,
    progress: Callable[[float], None] | None = None,
) -> Trajectory:
    """Simulates from the start to t_end (s).

    tol    the error aimed at over the run, relative to the mechanism's length (positions) and speed (velocities); motions
           that part exponentially from their neighbours lose more
    times  when to give the result: times in s, or how many evenly spaced ones
    method dop853, verner9, bs5, dopri5 or rk4 (docs/choose-a-method.md); "auto" picks, and `run.method` says what and why
    step   of rk4, whose step is fixed, s; a thousandth of the run unless given

    >>> m = Mechanism("pendulum", gravity=(0, -9.81))
    >>> rod = m.bar("rod", length=1.0, mass=1.0)
    >>> _ = m.revolute(m.ground.at(0, 0), rod.start)
    >>> m.need(rod.angle, value=0.0)
    >>> run = simulate(m, 1.0)
    >>> run.status.ok, bool(abs(run["energy"][-1] - run["energy"][0]) < 1e-4)
    (True, True)
    """
    program = mechanism if isinstance(mechanism, Program) else build(mechanism)
    begin = program.assembly.time
    _check(begin, t_end, tol)
    wanted = np.linspace(begin, t_end, max(times, 2)) if isinstance(times, int) else np.asarray(times, float)
    if not np.all(np.diff([begin, *wanted, t_end]) >= 0.0):
        raise ModelError(f"The times asked for must be sorted and between {begin:g} s and {t_end:g} s.")
    steps = integrate(program, t_end, tol=tol, method=method, step=step, max_steps=max_steps, progress=progress)
    return accounted(Trajectory(program, steps, wanted[wanted <= steps.status.time]), tol)


def _check(begin: float, t_end: float, tol: float) -> None:
    if not (math.isfinite(t_end) and t_end > begin):
        raise ModelError(f"The end time is {t_end} s; it must be a number beyond the start at {begin:g} s.")
    if not (math.isfinite(tol) and 1e-12 <= tol <= 0.1):
        raise ModelError(f"The tolerance is {tol}; it must be between 1e-12 and 0.1.")


def accounted(run: Trajectory, tol: float) -> Trajectory:
    """The run, or the same with another status if it cannot be right.

    INACCURATE if its energy does not add up: allowed at any step is a hundred times the tolerance (and never more than a
    twentieth) of the energy that moves, that is the largest kinetic energy and the ranges of the potential energy and the works.
    CONSTRAINTS_UNMET if an angle slipped half a turn from its motor's law, which sin(θ − f) = 0 does not see, or if the joints
    are not whole although the relations of their branch are.
    A run that is not whole says whether it was near a singular position.
    """
    status, place = run.status, -1
    if status.ok:
        status, place = _checked(run, tol)
    if status.ok:
        return run
    program, steps = run.program, run.steps
    q = steps.y[place, : program.system.n]
    if program.branch is not None:
        q = np.array([form.at(q) for form in program.branch.coordinates], float)
    joints = Positions(program.joints, float(steps.t[place]))
    redundant = len(joints.dependencies(_start(program)))
    status = replace(status, where=near_singular(joints, q, redundant))
    return Trajectory(program, replace(steps, status=status), run.t)


def _start(program: Program) -> np.ndarray:
    """The joints' coordinates at the start."""
    q = program.assembly.q
    return q if program.branch is None else np.array([form.at(q) for form in program.branch.coordinates], float)


def _checked(run: Trajectory, tol: float) -> tuple[Status, int]:
    """The status that the run deserves, and the number of the step where it shows."""
    program, steps = run.program, run.at_steps()
    for motor in program.model.motors:
        if isinstance(program.model.all_measures[motor.target], Angle):
            ahead = np.cos(steps[motor.target] - motor.value(steps.t))
            if np.any(ahead < 0.0):
                first = int(np.argmax(ahead < 0.0))
                return Status(Code.CONSTRAINTS_UNMET, float(steps.t[first]), run.status.end), first
    if program.branch is not None:
        open_ones = program.branch.misfit(steps.q) > MISFIT * program.system.length
        if np.any(open_ones):
            first = int(np.argmax(open_ones))
            return Status(Code.CONSTRAINTS_UNMET, float(steps.t[first]), run.status.end), first
    works = [steps[name] for name in steps.names if name.startswith("work.")]
    moving = np.max(steps["kinetic"]) + sum(np.ptp(x) for x in (steps["potential"], *works))
    at_rest = 1e-6 * np.max(np.abs(steps["potential"]))  # where nothing moves, round-off does
    if np.max(np.abs(steps["balance"])) <= min(max(100.0 * tol, 1e-8), 0.05) * (moving + at_rest):
        return _decided(run, steps)
    jumps = np.abs(np.diff(steps["balance"]))
    return replace(run.status, code=Code.INACCURATE), 1 + int(np.argmax(jumps))


def _decided(run: Trajectory, steps: Trajectory) -> tuple[Status, int]:
    """UNDECIDED if the mechanism turned where its rows, those of its branch included, are singular but for √ε.

    So near, the quasi-definite system does not hold it on one of the ways that meet there.
    """
    program, kinetic = run.program, steps["kinetic"]
    slow = SLOW * np.max(kinetic)
    redundant = program.assembly.redundant
    for k in range(1, len(kinetic) - 1):
        if kinetic[k] < slow and kinetic[k] <= min(kinetic[k - 1], kinetic[k + 1]):
            if least_singular_value(Positions(program.dynamics, float(steps.t[k])), steps.q[k], redundant) > NEARBY:
                continue
            between = Trajectory(program, run.steps, np.linspace(steps.t[k - 1], steps.t[k + 1], FINELY))
            turn = int(np.argmin(between["kinetic"]))
            positions = Positions(program.dynamics, float(between.t[turn]))
            if least_singular_value(positions, between.q[turn], redundant) < UNHELD:
                return Status(Code.UNDECIDED, float(between.t[turn]), run.status.end), k
    return run.status, -1


def integrate(
    program: Program,
    t_end: float,
    *,
    tol: float = TOLERANCE,
    method: str = "auto",
    step: float | None = None,
    max_steps: int = 1_000_000,
    progress: Callable[[float], None] | None = None,
) -> Steps:
    """The bare time integration from an assembled start."""
    assembly = program.assembly
    _check(assembly.time, t_end, tol)
    system, integrator = program.system, program.integrator
    chosen = choose(method, tol, system.n - system.m + assembly.redundant)
    if step is not None and chosen.method.adaptive:
        raise ModelError(f"A step is given, but the method '{chosen.name}' chooses its own; leave it out, or take rk4.")
    if step is not None and not (math.isfinite(step) and step > 0.0):
        raise ModelError(f"The step is {step} s; it must be a finite number above zero.")
    extra = np.zeros(program.dynamics.extra)
    extra[: len(system.tracked)] = [assembly.angles[name] for name in system.tracked]
    y0 = np.concatenate([assembly.q, assembly.v, extra])
    accelerations = integrator.derivative(assembly.time, y0)[: system.n]
    # from rest, the speed after falling through the mechanism's own length
    speed = max(
        float(np.max(np.abs(assembly.v), initial=0.0)),
        math.sqrt(system.length * float(np.max(np.abs(accelerations), initial=0.0))),
        1e-12 * system.length,
    )
    weights = np.zeros(len(extra))
    weights[: len(system.tracked)] = 1.0
    return integrator.run(
        y0,
        assembly.time,
        t_end,
        tol=min(chosen.method.share * tol, REDUNDANT_STEP) if assembly.redundant else chosen.method.share * tol,
        length=system.length,
        speed=speed,
        weights=weights,
        method=chosen,
        step=step,
        max_steps=max_steps,
        progress=progress,
    )
