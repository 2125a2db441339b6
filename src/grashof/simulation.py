"""Runs a mechanism: compile, assemble, integrate, and hand over the trajectory."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from grashof.analysis.singular import least_singular_values
from grashof.errors import ModelError
from grashof.integrate import Steps, choose
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.program import Program, build
from grashof.trajectory import Trajectory
from grashof.trust import accounted

TOLERANCE = 1e-6
"""Default tolerance: the error aimed at over the whole run, relative to the mechanism's length and speed."""

REDUNDANT_STEP = 2e-7
"""The largest tolerance of a step where rows are redundant: its stages must not be so far off the constraints that these contradict
each other by more than ε smooths."""


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

    def distance(t: float, y: np.ndarray) -> float:
        at, q = np.array([t]), y[None, : system.n]
        return float(least_singular_values(program.dynamics, at, q, assembly.redundant)[0])

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
        distance=distance if program.dynamics.closed else None,
    )
