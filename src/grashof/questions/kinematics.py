"""Kinematics: the motion prescribed by motors, without integration, and the forces that it requires (inverse
dynamics)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from grashof.common.blas import one_thread
from grashof.common.errors import ModelError, finite
from grashof.common.progress import Progress, silent
from grashof.common.wording import count_of
from grashof.formulation.natural.equations import without_mass
from grashof.formulation.natural.required_points import make_requests
from grashof.model.check import vouch_for
from grashof.model.masses import is_massless, with_unit_masses, without_masses
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.motion.trajectory import Trajectory, output_times
from grashof.program import Program, build
from grashof.program.program import recompiled
from grashof.questions.continuation import MotionContinuation, motors_in_words
from grashof.questions.equations import QuestionEquations, start_point
from grashof.questions.given import GivenMotion
from grashof.questions.movements import moved_bodies, named_bodies
from grashof.simulation.task import prepare


class Kinematics(Trajectory):
    """A motion prescribed by motors: a trajectory like that of a simulation, with the same names. Check `status` first.

    `reactions()` gives the motors' torques and forces, and the joint reactions (inverse dynamics).
    """

    @property
    def massless(self) -> bool:
        """Whether nothing has mass: then the motors and joints carry only springs and other applied forces."""
        return self.program.dynamics.energies.massless

    def __str__(self) -> str:
        model = self.program.model
        lines = [f"{model.name}: motion prescribed by {motors_in_words(model)}, at {len(self.t)} times. {self.status}"]
        found = self.reactions() if len(self.t) else None
        for motor in model.motors:
            at = self[motor.target]
            unit = self.unit(motor.target)
            low, high = _round_range(at)
            text = f"  '{motor.name}': {motor.target} from {low:.6g} to {high:.6g} {unit}"
            if found is not None and motor.name in found.motors:
                name = next(name for name in found.names if name.rpartition(".")[0] == motor.name)
                effort = found[name]
                low, high = _round_range(effort)
                text += f", {name.rpartition('.')[2]} from {low:.6g} to {high:.6g} {found.unit(name)}"
            lines.append(text)
        if self.massless:
            lines.append("  Nothing has mass: the efforts are those against springs and other applied forces only.")
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """Plain data: how it ended, and the smallest and largest value of every quantity and of the motors' efforts."""
        found = self.reactions()
        names = [name for name in self.names if name != "t"]
        efforts = [name for name in found.names if name.rpartition(".")[0] in found.motors]
        return {
            "name": self.program.model.name,
            "status": self.status.code.name.lower(),
            "message": str(self.status),
            "t_reached": self.status.time,
            "massless": self.massless,
            "steps": len(self.steps.t) - 1,
            "ranges": {name: [finite(np.min(self[name])), finite(np.max(self[name]))] for name in names},
            "efforts": {name: [finite(np.min(found[name])), finite(np.max(found[name]))] for name in efforts},
        }


def _round_range(values: np.ndarray) -> tuple[float, float]:
    """The smallest and the largest value, without what is rounding error beside the other."""
    low, high = float(np.min(values)), float(np.max(values))
    zero = 1e-12 * max(abs(low), abs(high))
    return 0.0 if abs(low) < zero else low, 0.0 if abs(high) < zero else high


@one_thread()
def kinematics(
    mechanism: Mechanism | Model,
    t_end: float,
    *,
    times: Sequence[float] | np.ndarray | int = 1001,
    fit: float | None = None,
    progress: Progress | None = None,
) -> Kinematics:
    """Computes the motion that motors prescribe, from the start to t_end (s); masses may be left out.

    times     output times in s, or the number of evenly spaced ones
    fit       how far the geometry may be adjusted so that redundant joints fit together (see `build`)
    progress  is called from time to time with the fraction of the motion that is done

    >>> m = Mechanism("slider crank")
    >>> crank, rod = m.bar("crank", length=0.2), m.bar("rod", length=0.5)
    >>> _ = m.revolute(m.ground.at(0, 0), crank.start)
    >>> _ = m.revolute(crank.end, rod.start)
    >>> _ = m.slider(m.ground.line((0, 0), (1, 0)), rod.end)
    >>> m.motor(crank, "2*pi*t")
    >>> run = kinematics(m, 1.0)
    >>> run.status.ok, round(float(run["rod.end.x"].min()), 9), round(float(run["rod.end.x"].max()), 9)
    (True, 0.3, 0.7)
    """
    model = as_model(mechanism).with_smooth_friction()
    for event in model.all_events:
        if event.restarts:  # which only ends a step
            continue
        raise ModelError(f"Event '{event.name}': kinematics does not detect events; leave it out, or use simulate.")
    found = _follow_motion(model, t_end, times, fit, True, progress or silent)
    if not found.status.reached and found.program.branch is not None:
        # equations that hold only approximately on the branch may prevent it
        other = _follow_motion(model, t_end, times, fit, False, progress or silent)
        found = other if other.steps.t[-1] > found.steps.t[-1] else found
    return found


def _follow_motion(
    model: Model,
    t_end: float,
    times: Sequence[float] | np.ndarray | int,
    fit: float | None,
    relations: bool,
    progress: Progress,
) -> Kinematics:
    """The motion with the equations that hold on the branch, or with those of the joints alone."""
    program = _prepare_program(model, fit, relations)
    _check_freedom(program)
    task = prepare(program, t_end)
    wanted = output_times(program, times, task.t_end)
    way = MotionContinuation(program, task)
    steps = way.run(progress)
    given = replace(program, integrator=GivenMotion(way.sample))
    return Kinematics(given, steps, wanted[wanted <= steps.t[-1]])


def _prepare_program(model: Model, fit: float | None, relations: bool) -> Program:
    """The compiled mechanism; if nothing has mass, the motion is found with unit masses, which are then removed."""
    if not is_massless(model):
        return build(model, relations=relations, formulation="natural", fit=fit)
    particles = make_requests(model).particles
    heavy = vouch_for(with_unit_masses(model, turning={body.name for body in model.bodies} - particles.keys()))
    program = build(heavy, relations=relations, formulation="natural", fit=fit)
    # fitting may have moved points, so the geometry is the program's
    light_model = without_masses(program.model)
    light = without_mass(program.dynamics, light_model)
    return recompiled(program, light, model=light_model)


def _check_freedom(program: Program) -> None:
    """Refuses a mechanism whose motion the motors do not determine, naming the bodies that are left free."""
    system, assembly = program.system, program.assembly
    freedom = program.freedom
    if not freedom:
        return
    equations = QuestionEquations(program.dynamics)
    free = equations.freedoms(assembly.time, assembly.q, start_point(equations, assembly).turns)
    ways = "; ".join(named_bodies(moved_bodies(system, direction)) for direction in free.T[:3])
    name = program.model.name
    left = count_of(freedom, "degree of freedom is", "degrees of freedom are")
    raise ModelError(
        f"Mechanism '{name}': {left} left with {motors_in_words(program.model)} running; free to move: {ways}. "
        "Kinematics needs a motor for "
        f"each degree of freedom; add {'one' if freedom == 1 else freedom}, or simulate the mechanism."
    )
