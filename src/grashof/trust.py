"""Whether a run that reached its end can be believed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from grashof.analysis.closing import Positions
from grashof.analysis.singular import least_singular_values, near_singular
from grashof.dynamics.state import Motion
from grashof.integrate import Integrator, Steps
from grashof.model.measures import Angle
from grashof.status import Code, Status
from grashof.trajectory import Trajectory

FIXED = 1e-3
"""What energy may be off by with fixed steps, relative to the energy that moves: nothing else tells whether they are short enough."""

MISFIT = 1e-6
"""How far joints may be open where the relations of their branch hold, relative to the mechanism's length."""

SLOW, FINELY = 0.05, 257
"""Turning points are looked for at steps with less than this part of the largest kinetic energy, among so many times around them."""

NEARBY = 0.2
"""A step where the least singular value is above this is not next to a singular position."""

UNHELD = 3e-5
"""Singular values below a few √ε, ε = 1e-10, hold nothing."""

STIFF, POWERS = 1.0, 16
"""Steps that are longer than this many times the shortest time in which something settles are limited by stability; iterations for that time."""

TOLD = 1.0
"""A turning point in a step across a singular position is known to so many tolerances: nearer, it may be at that position itself."""


def accounted(run: Trajectory, tol: float) -> Trajectory:
    """The run, or the same with another status if it cannot be right.

    INACCURATE if its energy does not add up: allowed at any step is a hundred times the tolerance (and never more than a
    twentieth; a thousandth if steps are fixed, which keep no tolerance) of the energy that moves, that is the largest kinetic energy and the ranges of the potential energy and the works.
    CONSTRAINTS_UNMET if an angle slipped half a turn from its motor's law, which sin(θ − f) = 0 does not see, or if the joints
    are not whole although the relations of their branch are.
    NOT_FINITE if anything that the trajectory tells is not a number at one of its times.
    A run that is not whole says whether it was near a singular position, and whether its equations are stiff.
    """
    status, place = run.status, -1
    if status.code in (Code.SUCCESS, Code.TOLERANCE_UNMET):
        status, place = _checked(run, tol)
    if status.ok:
        return run
    program, steps = run.program, run.steps
    joints = Positions(program.joints, float(steps.t[place]))
    q, start = (program.joint_coordinates(x) for x in (steps.y[place, : program.system.n], program.assembly.q))
    found = [status.where, near_singular(joints, q, redundant=len(joints.dependencies(start)))]
    if status.code in (Code.TOO_MANY_STEPS, Code.STEP_TOO_SMALL):
        found.append(stiffness(program.integrator, steps))
    if status.code is Code.INACCURATE and program.system.n - program.system.m + program.assembly.redundant == 0:
        found.append(
            "The motors prescribe all positions and velocities, and these hold: works and joint reactions do not."
        )
    status = replace(status, where=" ".join(filter(None, found)))
    return Trajectory(program, replace(steps, status=status), run.t)


def _checked(run: Trajectory, tol: float) -> tuple[Status, int]:
    """The status that the run deserves, and the number of the step where it shows."""
    program, steps = run.program, run.at_steps()
    for view in (run, steps):
        numbers = np.all(np.isfinite(np.hstack([view.y, view.rates])), axis=1)
        for name in (measure.name for measure in program.model.measures if not isinstance(measure, Angle)):
            numbers &= np.isfinite(view[name]) & np.isfinite(view[f"{name}.rate"])
        if not np.all(numbers):
            first = int(np.argmin(numbers))
            row = int(np.searchsorted(steps.t, view.t[first]))
            return Status(Code.NOT_FINITE, float(view.t[first]), run.status.end), row
    unmet = np.zeros(len(steps.t), bool)
    motion = Motion(program.system, steps.t, list(steps.q.T), list(steps.v.T))
    for motor in program.model.motors:
        if isinstance(program.model.all_measures[motor.target], Angle):
            unmet |= np.cos(motion.measure(motor.target).value - motor.value(steps.t)) < 0.0
    if program.branch is not None:
        unmet |= program.branch.misfit(steps.q) > MISFIT * program.system.length
    if np.any(unmet):
        first = int(np.argmax(unmet))
        return Status(Code.CONSTRAINTS_UNMET, float(steps.t[first]), run.status.end), first
    works = [steps[name] for name in steps.work_names]
    moving = np.max(steps["kinetic"]) + sum(np.ptp(x) for x in (steps["potential"], *works))
    at_rest = 1e-6 * np.max(np.abs(steps["potential"]))  # where nothing moves, round-off does
    allowed = min(max(100.0 * tol, 1e-8), 0.05 if run.method.method.adaptive else FIXED)
    if np.max(np.abs(steps["balance"])) <= allowed * (moving + at_rest):
        return _decided(run, steps, tol)
    jumps = np.abs(np.diff(steps["balance"]))
    return replace(run.status, code=Code.INACCURATE), 1 + int(np.argmax(jumps))


def stiffness(integrator: Integrator, steps: Steps) -> str:
    """A sentence if what limited the last steps is that something settles very quickly, as stiff dampers make it: else nothing.

    The time is 1/|λ| with λ the largest eigenvalue of the linearised equations of motion, by power iteration.
    """
    if len(steps.t) < 20:
        return ""
    t, y, h = float(steps.t[-1]), steps.y[-1], float(np.median(np.abs(np.diff(steps.t[-20:]))))
    n = integrator.n
    scale = np.maximum(np.max(np.abs(steps.y[-20:]), axis=0), 1e-12)[: 2 * n]

    def slopes(x: np.ndarray) -> np.ndarray:
        state = np.concatenate([x, y[2 * n :]])
        return np.concatenate([x[n:], integrator.derivative(t, state)[:n]])

    here, rate = slopes(y[: 2 * n]), 0.0
    way = np.random.default_rng(0).normal(size=2 * n) * scale
    for _ in range(POWERS):
        way *= 1e-7 / np.linalg.norm(way / scale)
        change = slopes(y[: 2 * n] + way) - here
        rate = float((change / scale) @ (way / scale)) / float(np.sum((way / scale) ** 2))
        if not np.any(change):
            return ""
        way = change
    if not rate * h < -STIFF:
        return ""
    return (
        f"The equations are stiff: something settles within {-1.0 / rate:.1e} s, which limits the steps whatever the tolerance. "
        "Try smaller damping or stiffness, or a joint in place of a very stiff spring or damper."
    )


def _decided(run: Trajectory, steps: Trajectory, tol: float) -> tuple[Status, int]:
    """UNDECIDED if the mechanism turned at a singular position, as far as its rows, those of its branch included, can tell.

    In steps across singular positions its way is known to the tolerance; elsewhere the quasi-definite system does not hold it on
    one of the ways that meet there where singular values are below some √ε.
    """
    program, kinetic, crossings = run.program, steps["kinetic"], run.steps.crossings
    slow = SLOW * np.max(kinetic)

    def distances(at: Trajectory, which: np.ndarray) -> np.ndarray:
        return least_singular_values(program.dynamics, at.t[which], at.q[which], program.assembly.redundant)

    least = np.minimum(kinetic[:-2], kinetic[2:])
    turns = 1 + np.flatnonzero((kinetic[1:-1] < slow) & (kinetic[1:-1] <= least))
    turns = turns[distances(steps, turns) < NEARBY]
    spans = [(steps.t[k - 1], steps.t[k + 1]) for k in turns]
    spans += [(x.begin, min(x.end, steps.t[-1])) for x in crossings]
    for begin, end in sorted(spans):
        between = Trajectory(program, run.steps, np.linspace(begin, end, FINELY))
        turn = int(np.argmin(between["kinetic"]))
        if between["kinetic"][turn] >= slow:
            continue
        v, a = between.v[turn], between.a[turn]
        time = np.clip(between.t[turn : turn + 1] - (v @ a) / max(a @ a, 1e-300), begin, end)  # where |v| is least
        known = any(x.begin < time < x.end for x in crossings)
        if distances(Trajectory(program, run.steps, time), np.array([0])) < (TOLD * tol if known else UNHELD):
            return Status(Code.UNDECIDED, float(time[0]), run.status.end), int(np.searchsorted(steps.t, time[0]))
    return run.status, -1
