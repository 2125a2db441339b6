"""Whether a run that reached its end can be believed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from grashof.analysis.closing import Positions
from grashof.analysis.limits import beyond
from grashof.analysis.singular import NEARBY, ROUGHLY, are_farther, least_singular_values, near_singular
from grashof.dynamics.equations import UNHELD
from grashof.dynamics.kkt import refinements_needed
from grashof.dynamics.state import SystemState
from grashof.integrate import Integrator, Steps
from grashof.program import Program, compiled
from grashof.status import Code, Status
from grashof.trajectory import Trajectory

FIXED = 1e-3
"""What energy may be off by with fixed steps, relative to the energy that moves: nothing else tells whether they are short enough."""

MISFIT = 1e-6
"""How far joints may be open where the relations of their branch hold, relative to the mechanism's length."""

SLOW, REFINED, FINELY = 0.05, 2, 257
"""Turning points are looked for at steps with less than this part of the largest kinetic energy, by so many iterations; and in steps
across singular positions among so many times."""

STIFF, POWERS = 1.0, 16
"""Steps that are longer than this many times the shortest time in which something settles are limited by stability; iterations for that time."""

STILL = 1e-13
"""Where no coordinate changes by more than this part of the mechanism's length, nothing moves, and energies are round-off."""

PASSED, ROUND_OFF = 10.0, 1e-9
"""How far beyond a rigid stop a measure may be at a step: so many tolerances, or this; m or rad, relative to the mechanism's length if that is larger."""

SOLVED = 1e-9
"""The reactions that friction is calculated with agree with those that it leads to, relative to the largest."""

TOLD = 1.0
"""A turning point in a step across a singular position is known to so many tolerances: nearer, it may be at that position itself."""


def accounted(run: Trajectory, tol: float) -> Trajectory:
    """The run, or the same with another status if it cannot be right.

    INACCURATE if its energy does not add up: allowed at any step is a hundred times the tolerance (and never more than a
    twentieth; a thousandth if steps are fixed, which keep no tolerance) of the energy that moves, that is the largest kinetic energy and the ranges of the potential energy and the works.
    FRICTION_UNDETERMINED if friction and the reactions it is proportional to need not have one solution.
    CONSTRAINTS_UNMET if an angle slipped half a turn from its motor's law, which sin(θ − f) = 0 does not see, or if the joints
    are not whole although the relations of their branch are.
    NOT_FINITE if anything is not a number at one of the steps.
    A run that is not whole says whether it was near a singular position, and whether its equations are stiff.
    """
    status, place = run.steps.status, -1
    if status.reached:
        status, place = _checked(run, tol)
    if status.ok:
        return run
    program, steps = run.program, run.steps
    joints = Positions(program.joints, float(steps.t[place]))
    q, start = (program.joint_coordinates(x) for x in (steps.y[place, : program.system.n], program.assembly.q))
    found = [status.where, near_singular(joints, q, redundant=len(joints.dependencies(start)))]
    if status.code in (Code.TOO_MANY_STEPS, Code.STEP_TOO_SMALL):
        found.append(stiffness(program.integrator, steps))
    if not status.reached and _wedged(Trajectory(program, steps, steps.t[-1:]))[0]:
        found.append(
            "Friction and the joint reactions that it is proportional to may have no solution there, or several: the mechanism may jam."
        )
    if status.code is Code.INACCURATE and program.system.n - program.system.m + program.assembly.redundant == 0:
        found.append(
            "The motors prescribe all positions and velocities, and these hold: works and joint reactions do not."
        )
    status = replace(status, where=" ".join(filter(None, found)))
    return Trajectory(program, replace(steps, status=status), run.t)


def refined(run: Trajectory) -> Program | None:
    """The run's program with as many refinements of the accelerations as they need where the run was nearest to a singular position; None if
    it has them. Their number is otherwise that of the start; near singular positions each takes away the part ε/(σ² + ε) of the error only."""
    program, steps = run.program, run.steps
    dynamics, layout = program.dynamics, program.dynamics.layout
    distances = least_singular_values(dynamics, steps.t, steps.y[:, layout.of_q], program.assembly.redundant)
    nearest = int(np.argmin(distances))
    q, e = (steps.y[nearest, part].tolist() for part in (layout.of_q, layout.of_e))
    jacobian = dynamics.jacobian(float(steps.t[nearest]), q, dynamics.turns(e))
    needed = refinements_needed(dynamics.kkt, jacobian)
    if needed <= dynamics.refinements:
        return None
    dynamics = replace(dynamics, refinements=needed)
    integrator, statements = compiled(dynamics)
    return replace(program, dynamics=dynamics, integrator=integrator, statements=statements)


def _checked(run: Trajectory, tol: float) -> tuple[Status, int]:
    """The status that the run deserves, and the number of the step where it shows."""
    program, steps, status = run.program, run.at_steps(), run.steps.status
    if steps.status.doubt is Code.NOT_FINITE:
        return steps.status, int(np.searchsorted(steps.t, steps.status.time))
    unmet = np.zeros(len(steps.t), bool)
    motion = SystemState(program.system, steps.t, list(steps.q.T), list(steps.v.T))
    for motor in (motor for motor in program.model.motors if not motor.integrates):
        if program.model.quantities[motor.target].winds:
            unmet |= np.cos(motion.measure(motor.target).value - motor.value(steps.t)) < 0.0
    if program.branch is not None:
        unmet |= program.branch.misfit(steps.q) > MISFIT * program.system.length
    if np.any(unmet):
        first = int(np.argmax(unmet))
        return _doubted(status, Code.CONSTRAINTS_UNMET, float(steps.t[first])), first
    for name, depth in beyond(program.dynamics, steps.t, steps.y).items():
        if np.max(depth) > max(PASSED * tol, ROUND_OFF) * max(1.0, program.system.length):
            first = int(np.argmax(depth))
            doubted = _doubted(status, Code.CONSTRAINTS_UNMET, float(steps.t[first]))
            return replace(
                doubted,
                where=f"What stop '{name}' limits went beyond it; a smaller tolerance or a compliant stop may help.",
            ), first
    wedged = _wedged(steps)
    if np.any(wedged):
        first = int(np.argmax(wedged))
        return _doubted(status, Code.FRICTION_UNDETERMINED, float(steps.t[first])), first
    works = [steps[name] for name in steps.work_names]
    moving = np.max(steps["kinetic"]) + sum(np.ptp(x) for x in (steps["potential"], *works))
    at_rest = 1e-6 * np.max(np.abs(steps["potential"]))  # where nothing moves, round-off does
    allowed = allowed_imbalance(tol, run.method.method.adaptive)
    still = np.max(np.ptp(steps.q, axis=0), initial=0.0) <= STILL * program.system.length
    if still or np.max(np.abs(steps["balance"])) <= allowed * (moving + at_rest):
        return _decided(steps, tol)
    jumps = np.abs(np.diff(steps["balance"]))
    return replace(status, doubt=Code.INACCURATE), 1 + int(np.argmax(jumps))


def allowed_imbalance(tol: float, adaptive: bool = True) -> float:
    """What the energy may be off by, relative to the energy that moves."""
    return min(max(100.0 * tol, 1e-8), 0.05 if adaptive else FIXED)


def _wedged(steps: Trajectory) -> np.ndarray:
    """At which steps friction and reactions are not certain to have one solution, and to have been solved for it, (steps,)."""
    dynamics = steps.program.dynamics
    if not dynamics.bearings:
        return np.zeros(len(steps.t), bool)
    layout = dynamics.layout
    q, v, e = (list(steps.y[:, part].T) for part in (layout.of_q, layout.of_v, layout.of_e))
    with np.errstate(all="ignore"):
        found = dynamics.bearing(dynamics.motion(steps.t, q, v, e))
        return np.asarray((found.contraction() >= 1.0) | ~(found.residual() <= SOLVED))


def _doubted(status: Status, doubt: Code, time: float) -> Status:
    """The status with a doubt that arises at a time."""
    return replace(status, doubt=doubt, time=time, where="")


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


def _decided(steps: Trajectory, tol: float) -> tuple[Status, int]:
    """UNDECIDED if the mechanism turned at a singular position, as far as its rows, those of its branch included, can tell, or if the
    run passed one too narrowly.

    In steps across singular positions its way is known to the tolerance; elsewhere the quasi-definite system does not hold it on
    one of the ways that meet there where singular values are below some √ε.
    """
    program, status = steps.program, steps.steps.status
    if steps.steps.undecided is not None:
        time = steps.steps.undecided
        return _doubted(status, Code.UNDECIDED, time), int(np.searchsorted(steps.t, time))
    times = np.sort(np.concatenate([_turns(steps), _turns_across(steps)]))
    if not times.size:
        return status, -1
    across = np.zeros(len(times), bool)
    for x in steps.steps.crossings:
        across |= (x.begin < times) & (times < x.end)
    q = Trajectory(program, steps.steps, times).q
    distances = least_singular_values(program.dynamics, times, q, program.assembly.redundant)
    undecided = np.flatnonzero(distances < np.where(across, TOLD * tol, UNHELD))
    if not undecided.size:
        return status, -1
    time = float(times[undecided[0]])
    return _doubted(status, Code.UNDECIDED, time), int(np.searchsorted(steps.t, time))


def _turns(steps: Trajectory) -> np.ndarray:
    """Times at which the mechanism slows down and speeds up again next to a singular position: where |v| is least.

    By Newton's method for v·a = 0, from the slowest of three steps, those before and after it being the bounds. Its first iteration
    needs nothing but that step, and says roughly where the turning point is: most are far from singular positions.
    """
    program, kinetic = steps.program, steps["kinetic"]
    least = np.minimum(kinetic[:-2], kinetic[2:])
    slowest = 1 + np.flatnonzero((kinetic[1:-1] < SLOW * np.max(kinetic)) & (kinetic[1:-1] <= least))
    t, q, v, a = (x[slowest] for x in (steps.t, steps.q, steps.v, steps.a))
    begin, end = steps.t[slowest - 1], steps.t[slowest + 1]
    times = _slower(t, v, a, begin, end)
    later = (times - t)[:, None]
    moved = later * v + 0.5 * later**2 * a
    around = NEARBY + ROUGHLY * np.max(np.abs(moved), axis=1, initial=0.0) / program.system.length
    near = ~are_farther(program.dynamics, times, q + moved, program.assembly.redundant, around)
    times, begin, end = times[near], begin[near], end[near]
    for _ in range(REFINED if times.size else 0):
        at = Trajectory(program, steps.steps, times)
        times = _slower(times, at.v, at.a, begin, end)
    return times


def _turns_across(steps: Trajectory) -> np.ndarray:
    """The same within steps across singular positions, which are long."""
    slow = SLOW * np.max(steps["kinetic"])
    found = [np.empty(0)]
    for x in steps.steps.crossings:
        begin, end = x.begin, min(x.end, steps.t[-1])
        between = Trajectory(steps.program, steps.steps, np.linspace(begin, end, FINELY))
        k = int(np.argmin(between["kinetic"]))
        if between["kinetic"][k] < slow:
            turn = slice(k, k + 1)
            found.append(_slower(between.t[turn], between.v[turn], between.a[turn], begin, end))
    return np.concatenate(found)


def _slower(
    t: np.ndarray, v: np.ndarray, a: np.ndarray, begin: np.ndarray | float, end: np.ndarray | float
) -> np.ndarray:
    """The times at which |v| would be least with constant accelerations, ascending like t."""
    ahead = np.sum(v * a, axis=1) / np.maximum(np.sum(a * a, axis=1), 1e-300)
    slower: np.ndarray = np.maximum.accumulate(np.clip(t - ahead, begin, end))
    return slower
