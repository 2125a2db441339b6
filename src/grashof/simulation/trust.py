"""Checks whether the result of a run that reached its end can be trusted."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from grashof.assembly.refusals import mirrored_bodies
from grashof.changes.corners import find_corners
from grashof.changes.limits import beyond
from grashof.common.status import Code, Status
from grashof.formulation.natural.bearings import SOLVED
from grashof.formulation.natural.closing import Positions
from grashof.formulation.natural.equations import UNHELD, Dynamics, with_small_epsilon
from grashof.integrate import Explicit, Integrator, Steps
from grashof.integrate.events import Occurrence
from grashof.integrate.stiffness import PowerIteration
from grashof.motion.trajectory import Trajectory
from grashof.program import build
from grashof.program.examination import Examination
from grashof.program.program import Program, recompiled
from grashof.quantities.energy_balance import EnergyBalance
from grashof.simulation.slip_checks import times_of_dependence
from grashof.singular.start_branches import NEARBY, ROUGHLY, are_farther, least_singular_values, near_singular

FIXED = 1e-3
"""Largest energy-balance error of a run with fixed steps, relative to the energy scale (see `RunChecks`): the only
sign of steps that are too long."""

MISFIT = 1e-6
"""Largest violation of the joints where the relations of their branch are satisfied, relative to the mechanism's
length."""

SLOW, REFINED, FINELY = 0.05, 2, 257
"""Turning points are looked for at steps whose kinetic energy is below this fraction of the largest one; number of
Newton iterations for each; number of times that are examined inside a step across a singular position."""

STIFF, POWERS = 1.0, 16
"""Steps longer than this multiple of the fastest time constant are limited by stability; number of power iterations
for that time constant."""

SOFTER = "Try the method rodas5p, smaller damping or stiffness, or a joint in place of a very stiff spring or damper."
"""Advice for stiff equations; a larger tolerance would not help."""

NOT_THROUGH = (
    "Relative coordinates do not lead through singular positions of loops: natural ones may (formulation='natural' or "
    "'auto')."
)
"""Advice for runs in relative coordinates that were asked for."""

STILL = 1e-12
"""The mechanism is at rest if no coordinate changes by more than this fraction of its length, or of the largest one;
its velocities and energies are then round-off."""

PASSED, ROUND_OFF = 10.0, 1e-9
"""How far beyond a rigid stop a measure may be: this many tolerances, or the second number if that is larger, times
the mechanism's length if that exceeds 1 m; m or rad."""

LOOKED_AT = 4096
"""Approximate number of steps among which the one nearest to a singular position is looked for first; then all steps
next to it are examined."""

TOLD = 1.0
"""Inside a step across a singular position, a turning point is known to this many tolerances. If it is nearer than
that to the singular position, it may coincide with it."""


def with_checked_status(run: Trajectory, tol: float) -> Trajectory:
    """The run, with a different status if its result is doubtful (see `RunChecks`).

    The status of an incomplete run states whether it was near a singular position, and whether its equations are stiff.
    """
    program, steps, status = run.program, run.steps, run.steps.status
    time, y = float(steps.t[-1]), steps.y[-1]
    if status.reached:
        checks = steps.extract.checks if steps.extract else None
        if checks is None:
            checks = RunChecks(program, tol, adaptive=run.method.method.adaptive)
            checks.add(steps, alone=True)
        status, (time, y) = checks.verdict(status)
        if steps.occurrences and (status.ok or any(found.law == "jam" for found in steps.occurrences)):
            status = _judge_impacts(status, steps.occurrences)
    if status.ok or status.advice or status.doubt is Code.IMPACTS_UNDETERMINED:
        return Trajectory(program, steps.but(status=status), run.t) if status != steps.status else run
    joints = Positions(program.joints, time)
    q, start = (program.joint_coordinates(x) for x in (y[: program.system.n], program.assembly.q))
    found = [status.where, near_singular(joints, q, redundant=len(joints.dependencies(start)))]
    if status.code in (Code.TOO_MANY_STEPS, Code.STEP_TOO_SMALL) and (settles := stiffness(program.integrator, steps)):
        found.append(settles)
        status = replace(status, advice=SOFTER)
    if not status.reached and _is_wedged(program, steps.t[-1:], steps.y[-1:])[0]:
        found.append(
            "The equations for friction and joint reactions may have no solution there, or several (Painlevé's "
            "paradox): the mechanism may jam."
        )
    if program.relative is not None and program.relative.rows.closed and not status.ok:
        found.append(NOT_THROUGH)
    if status.code is Code.INACCURATE and program.freedom == 0:
        found.append(
            "The motors prescribe all positions and velocities, and these are reliable; work and joint "
            "reactions are not."
        )
    status = replace(status, where=" ".join(filter(None, found)))
    return Trajectory(program, steps.but(status=status), run.t)


def programs_with_more_refinement(run: Trajectory) -> Iterator[Program]:
    """Programs with more accurate accelerations near singular positions, for repeating a run that cannot be trusted.

    The first has as many refinements as are needed where the run was nearest to a singular position. The second, if the
    run narrowly missed one, also has an ε so small that the constraints are still enforced there. The number of
    refinements is otherwise that of the start, although near singular positions each of them leaves the fraction ε/(σ²
    + ε) of the error.
    """
    program, steps = run.program, run.steps
    dynamics = program.dynamics
    # accelerations of a tree take no refinement; rows that cannot become dependent need no more than at the start
    if program.relative is not None or not (dynamics.rows.closed or dynamics.slips.count):
        return
    layout = dynamics.layout

    def nearest_of(rows: range) -> tuple[int, float]:
        """The step with the smallest singular value, and this value."""
        q = steps.y[rows.start : rows.stop : rows.step, layout.of_q]
        t = steps.t[rows.start : rows.stop : rows.step]
        distances = least_singular_values(dynamics, t, q, program.assembly.redundant)
        k = int(np.argmin(distances))
        return rows[k], float(distances[k])

    stride = 1 + len(steps.t) // LOOKED_AT
    roughly, _ = nearest_of(range(0, len(steps.t), stride))
    nearest, distance = nearest_of(range(max(0, roughly - stride), min(len(steps.t), roughly + stride + 1)))
    q, e = (steps.y[nearest, part].tolist() for part in (layout.of_q, layout.of_e))
    jacobian = dynamics.velocity_rows.jacobian(float(steps.t[nearest]), q, dynamics.rows.turns(e), ())

    def with_refinements(dynamics: Dynamics) -> Program:
        needed = max(dynamics.refinements_for(jacobian), dynamics.refinements)
        dynamics = replace(dynamics, refinements=needed)
        return recompiled(program, dynamics)

    if steps.undecided is None and dynamics.refinements_for(jacobian) > dynamics.refinements:
        yield with_refinements(dynamics)
    passes = steps.crossings or program.assembly.redundant or not dynamics.rows.closed
    if not passes and (distance < NEARBY or steps.undecided is not None):
        yield with_refinements(with_small_epsilon(dynamics))


def in_natural_coordinates(program: Program, time: float | None = None) -> Program:
    """The program in natural coordinates, because its loops come near a singular position at a time, or may do so."""
    when = "may come near a singular position" if time is None else f"come near a singular position at t = {time:.4g} s"
    reason = f"Natural coordinates: in relative ones, its loops {when}."
    natural = build(program.model, formulation="natural")
    start = natural.joint_coordinates(natural.assembly.q)
    if not np.array_equal(start, program.assembly.q):  # it starts elsewhere than its description says
        natural = recompiled(program, program.dynamics, relative=None)
    return replace(natural, chosen=reason, tentative=False)


Place = tuple[float, np.ndarray]
"""A time and the state there."""


class RunChecks:
    """Checks at all steps of a run that reached its end; the steps may be added piece by piece.

    INACCURATE             the energy balance does not hold: its error at some step exceeds a hundred times the
                           tolerance (at most 1/20; with fixed steps, which promise no tolerance, 1/1000), relative to
                           the energy scale. This is the sum of the largest kinetic energy and of the ranges of the
                           potential energy and of all works
    FRICTION_UNDETERMINED  friction and the reactions to which it is proportional may have no solution, or several
    CONSTRAINTS_UNMET      an angle is half a turn away from its motor's law, which the equation sin(θ − f) = 0 permits;
                           joints are violated although the relations of their branch are satisfied; a body became its
                           mirror image; or the motion went beyond a rigid stop
    CORNER_PASSED          the motion passed a corner of a coupling
    NOT_FINITE             some quantity is infinite or NaN at one of the steps
    UNDECIDED              the mechanism turned back at a singular position, or passed one too narrowly; or the rows
                           for velocities only became dependent
    """

    def __init__(self, program: Program, tol: float, *, adaptive: bool) -> None:
        self.program, self.tol, self.adaptive = program, tol, adaptive
        self.energies, self._jump = EnergyBalance(), -1.0
        self._low, self._high = np.asarray(np.inf), np.asarray(-np.inf)
        self._first: dict[Code, Place] = {}  # where a doubt arose first
        self._beyond: dict[str, tuple[float, Place]] = {}
        self._corners, self._corner = find_corners(program.dynamics), ""
        self._turned: list[tuple[float, float, Place]] = []  # undecided turning points: when, with which kinetic energy

    @property
    def kinetic(self) -> float:
        """The largest kinetic energy, J."""
        return self.energies.kinetic

    def add(self, steps: Steps, *, alone: bool = False) -> None:
        """Checks some steps. Consecutive pieces have two rows in common.

        alone   whether these are all the steps of the run
        """
        program = self.program
        run = Trajectory(program, steps, steps.t)
        if Code.NOT_FINITE in self._first:
            return
        start = program.assembly.angles if steps.angles is None else steps.angles
        seen = program.examiner(steps.t, steps.y, start, run.__getitem__)
        if not (seen.finite and np.isfinite(steps.ranges).all()) and run.status.doubt is Code.NOT_FINITE:
            first = int(np.searchsorted(steps.t, run.status.time))
            self._first[Code.NOT_FINITE] = run.status.time, steps.y[first]
            return
        misfit = MISFIT * program.system.length
        if not seen.is_met(misfit):
            self._note(Code.CONSTRAINTS_UNMET, seen.unmet(misfit), steps)
        if mirrored_bodies(program.system, steps.y[-1, program.dynamics.layout.of_q]):  # once mirrored, a body stays so
            self._first.setdefault(Code.CONSTRAINTS_UNMET, (float(steps.t[-1]), steps.y[-1]))
        for name, depth in beyond(program.dynamics, steps.t, steps.y).items():
            k = int(np.argmax(depth))
            if name not in self._beyond or depth[k] > self._beyond[name][0]:
                self._beyond[name] = float(depth[k]), (float(steps.t[k]), steps.y[k])
        if self._corners is not None and not self._corner:
            corner = self._corners.first(steps.t, steps.y)
            if corner is not None:
                self._corner = corner[1]
                passed = int(np.argmax((steps.t - corner[0]) * (steps.t[-1] - steps.t[0]) >= 0.0))
                self._first[Code.CORNER_PASSED] = corner[0], steps.y[passed]
        if program.dynamics.bearings:
            self._note(Code.FRICTION_UNDETERMINED, _is_wedged(program, steps.t, steps.y), steps)
        self._add_energies(steps, seen)
        self._add_turns(run, seen.kinetic, SLOW * self.kinetic if alone else np.inf)

    def verdict(self, status: Status) -> tuple[Status, Place]:
        """The status of the run after the checks, and the time and state at which a problem shows."""
        for code in (Code.NOT_FINITE, Code.CONSTRAINTS_UNMET):
            if code in self._first:
                return _with_doubt(status, code, self._first[code][0]), self._first[code]
        length = self.program.system.length
        for name, (depth, place) in self._beyond.items():
            if depth > max(PASSED * self.tol, ROUND_OFF) * max(1.0, length):
                doubted = _with_doubt(status, Code.CONSTRAINTS_UNMET, place[0])
                sentence = (
                    f"The motion went beyond the rigid stop '{name}'; a smaller tolerance or a compliant stop may help."
                )
                return replace(doubted, where=sentence), place
        if Code.FRICTION_UNDETERMINED in self._first:
            place = self._first[Code.FRICTION_UNDETERMINED]
            return _with_doubt(status, Code.FRICTION_UNDETERMINED, place[0]), place
        if self._corner:
            doubted = _with_doubt(status, Code.CORNER_PASSED, self._first[Code.CORNER_PASSED][0])
            return replace(doubted, where=f"It is coupling '{self._corner}'."), self._first[Code.CORNER_PASSED]
        allowed = allowed_imbalance(self.tol, self.adaptive)
        if not self.energies.holds(allowed) and not self._trembles(allowed):
            return replace(status, doubt=Code.INACCURATE), self._first[Code.INACCURATE]
        if Code.UNDECIDED in self._first:
            return _with_doubt(status, Code.UNDECIDED, self._first[Code.UNDECIDED][0]), self._first[Code.UNDECIDED]
        for time, kinetic, place in self._turned:
            if kinetic < SLOW * self.kinetic:
                return _with_doubt(status, Code.UNDECIDED, time), place
        return status, self._last

    def _trembles(self, allowed: float) -> bool:
        """Whether the round-off of displacements explains what is left of the energies, which follow their squares."""
        ranges, largest = self._high - self._low, np.maximum(self._high, -self._low)
        size = max(self.program.system.length, float(np.max(largest, initial=0.0)))
        tremble = STILL * size / max(float(np.max(ranges, initial=0.0)), 1e-300)
        return tremble >= 1.0 or self.energies.holds(allowed, tremble)

    def _note(self, code: Code, where: np.ndarray, steps: Steps) -> None:
        """Records the first place at which a condition is true."""
        if code not in self._first and np.any(where):
            k = int(np.argmax(where))
            self._first[code] = float(steps.t[k]), steps.y[k]

    def _add_energies(self, steps: Steps, seen: Examination) -> None:
        """Updates the energy balance, and the ranges of coordinates."""
        layout, (low, high), (least, most) = self.program.dynamics.layout, steps.ranges, seen.ranges
        self._low, self._high = np.minimum(self._low, low[layout.of_q]), np.maximum(self._high, high[layout.of_q])
        unexplained = seen.energies - self.program.start_imbalance
        lowest, highest = least[4:], most[4:]
        if layout.works:
            lowest = np.concatenate([lowest, low[layout.of_works]])
            highest = np.concatenate([highest, high[layout.of_works]])
        self.energies.add(most[0], lowest, highest, np.abs(unexplained).max())
        jumps = np.abs(unexplained[1:] - unexplained[:-1])
        k = int(jumps.argmax()) if jumps.size else -1  # of the first NaN, if there is any: inf − inf
        jump = float(jumps[k]) if jumps.size else -1.0
        jump = math.inf if math.isnan(jump) else jump
        if jump > self._jump:
            self._jump = jump
            self._first[Code.INACCURATE] = float(steps.t[1 + k]), steps.y[1 + k]
        self._last = float(steps.t[-1]), steps.y[-1]

    def _add_turns(self, run: Trajectory, kinetic: np.ndarray, slow: float) -> None:
        """Finds turning points with a kinetic energy below `slow` at singular positions of the rows, including those of
        the branch.

        Inside steps across singular positions the path is known to the tolerance. Elsewhere, where singular values are
        below a few √ε, the quasi-definite system does not keep the mechanism on one of the branches that meet there.
        """
        program, steps = self.program, run.steps
        for time in times_of_dependence(run):
            self._first.setdefault(Code.UNDECIDED, (float(time), steps.y[int(np.searchsorted(steps.t, time))]))
        unsure = steps.undecided
        if unsure is not None and unsure <= steps.t[-1] and Code.UNDECIDED not in self._first:
            self._first[Code.UNDECIDED] = unsure, steps.y[int(np.searchsorted(steps.t, unsure))]
        if not program.formulation.rows.closed:
            return  # no position is singular
        found = [np.concatenate(x) for x in zip(_turns(run, kinetic, slow), _turns_across(run, slow), strict=True)]
        order = np.argsort(found[0], kind="stable")
        times, slowest = (x[order] for x in found)
        if not times.size:
            return
        across = np.zeros(len(times), bool)
        for x in steps.crossings:
            across |= (x.begin < times) & (times < x.end)
        q = Trajectory(program, steps, times).q
        distances = least_singular_values(program.dynamics, times, q, program.assembly.redundant)
        for k in np.flatnonzero(distances < np.where(across, TOLD * self.tol, UNHELD)).tolist():
            row = int(np.searchsorted(steps.t, times[k]))
            self._turned.append((float(times[k]), float(slowest[k]), (float(times[k]), steps.y[row])))


def allowed_imbalance(tol: float, adaptive: bool = True) -> float:
    """The largest energy-balance error allowed, relative to the energy scale (see `RunChecks`)."""
    return min(max(100.0 * tol, 1e-8), 0.05 if adaptive else FIXED)


def _is_wedged(program: Program, t: np.ndarray, y: np.ndarray) -> np.ndarray:
    """At which states the equations for friction and reactions may not have a unique solution, or were not solved
    accurately; (times,)."""
    dynamics = program.dynamics
    if not dynamics.bearings:
        return np.zeros(len(t), bool)
    with np.errstate(all="ignore"):
        found = dynamics.bearing(dynamics.state([t, *y.T]))
        return np.asarray((found.contraction() >= 1.0) | ~(found.residual() <= SOLVED))


DECIDED = {
    "law": "while other stops were touched, which stay in contact during an impact unless they would have to pull; "
    "impacts one after the other would end differently.",
    "moreau": "at once with others; the law that was chosen for them (impact = 'moreau') decides on the motion after "
    "that, and impacts one after the other would end differently.",
}
"""What decided on an impact, by the law that an `Occurrence` names."""


def _judge_impacts(status: Status, occurrences: Sequence[Occurrence]) -> Status:
    """The status of a run that is otherwise a success, if its result depends on the order or on the law of impacts
    that happened at once."""
    doubts = {
        "jam": Code.FRICTION_UNDETERMINED,
        "shares": Code.FRICTION_UNDETERMINED,
        "gain": Code.IMPACT_GAINS_ENERGY,
        "order": Code.IMPACTS_UNDETERMINED,
        "law": None,
        "moreau": None,
    }
    for law, doubt in doubts.items():
        first = next((x for x in occurrences if x.law == law), None)
        if first is not None and doubt:
            return _with_doubt(status, doubt, first.time)
        if first is not None:
            told = f"At t = {first.time:.6g} s '{first.name}' was hit {DECIDED[law]}"
            return replace(status, where=f"{status.where} {told}".lstrip())
    return status


def _with_doubt(status: Status, doubt: Code, time: float) -> Status:
    """The status with a doubt that arises at a time."""
    return replace(status, doubt=doubt, time=time, where="")


def stiffness(integrator: Integrator, steps: Steps) -> str:
    """A sentence if the last steps of an explicit method were limited by a very short time constant, for example that
    of a stiff damper; otherwise an empty text.

    The time constant is 1/|λ|, where λ is the largest eigenvalue of the linearised equations of motion, found by power
    iteration.
    """
    if len(steps.t) < 20 or not isinstance(steps.method.method, Explicit):
        return ""
    t, y, h = float(steps.t[-1]), steps.rows[-1], float(np.median(np.abs(np.diff(steps.t[-20:]))))
    scales = np.maximum(np.max(np.abs(steps.rows[-20:]), axis=0), 1e-12)
    scales[integrator.sizes.of_e] = 0.0
    found = [along for _, along in PowerIteration(integrator, scales, POWERS).growth(t, y)]
    rate = found[-1] if len(found) == POWERS else 0.0
    if not rate * h < -STIFF:
        return ""
    return (
        f"The equations are stiff: their fastest time constant is {-1.0 / rate:.1e} s, which limits the step size "
        "of explicit methods at any tolerance."
    )


def _turns(steps: Trajectory, kinetic: np.ndarray, slow: float) -> tuple[np.ndarray, np.ndarray]:
    """The times of the minima of |v| near singular positions whose kinetic energy is below `slow`, and the kinetic
    energies at the nearest steps.

    Newton's method for v·a = 0 starts from a step that is slower than its two neighbours, which bound the result. The
    first iteration needs only that step and locates the turning point roughly, which suffices to discard most of them:
    they are far from singular positions.
    """
    program = steps.program
    least = np.minimum(kinetic[:-2], kinetic[2:])
    slowest = 1 + np.flatnonzero((kinetic[1:-1] < slow) & (kinetic[1:-1] <= least))
    at = Trajectory(program, steps.steps, steps.t[slowest])
    t, q, v, a = at.t, at.q, at.v, at.a
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
    return times, kinetic[slowest][near]


def _turns_across(steps: Trajectory, slow: float) -> tuple[np.ndarray, np.ndarray]:
    """The same inside steps across singular positions, which are long."""
    found, kinetic = [np.empty(0)], []
    for x in steps.steps.crossings:
        begin, end = max(x.begin, steps.t[0]), min(x.end, steps.t[-1])
        between = Trajectory(steps.program, steps.steps, np.linspace(begin, end, FINELY))
        k = int(np.argmin(between["kinetic"]))
        if between["kinetic"][k] < slow:
            turn = slice(k, k + 1)
            found.append(_slower(between.t[turn], between.v[turn], between.a[turn], begin, end))
            kinetic.append(float(between["kinetic"][k]))
    return np.concatenate(found), np.array(kinetic)


def _slower(
    t: np.ndarray, v: np.ndarray, a: np.ndarray, begin: np.ndarray | float, end: np.ndarray | float
) -> np.ndarray:
    """The times at which |v| would be least if accelerations were constant, in ascending order like t."""
    ahead = np.sum(v * a, axis=1) / np.maximum(np.sum(a * a, axis=1), 1e-300)
    slower: np.ndarray = np.maximum.accumulate(np.clip(t - ahead, begin, end))
    return slower
