"""Motion that motors alone give: positions, velocities and accelerations without integration, and the forces that it takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec
import numpy as np

from grashof.dynamics.equations import make_dynamics
from grashof.errors import ModelError, finite
from grashof.model.bodies import Bar
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.program import Program, build, compiled
from grashof.progress import Progress, silent
from grashof.questions.continuation import Continuation, motors_in_words
from grashof.questions.equations import Equations, start_point
from grashof.questions.given import GivenMotion
from grashof.questions.movements import moved_bodies, named_bodies
from grashof.system.forms import Form
from grashof.task import prepare
from grashof.trajectory import Trajectory, output_times
from grashof.wording import counted


class Kinematics(Trajectory):
    """A motion given by motors: a trajectory like that of a simulation, with the same names. Look at `status` first.

    `reactions()` gives the motors' torques and forces, and what the joints bear (inverse dynamics).
    """

    @property
    def massless(self) -> bool:
        """Whether nothing has mass: then the motors and joints bear springs and other forces alone."""
        return not self.program.system.mass

    def __str__(self) -> str:
        model = self.program.model
        lines = [f"{model.name}: motion given by {motors_in_words(model)}, {len(self.t)} times. {self.status}"]
        found = self.reactions() if len(self.t) else None
        for motor in model.motors:
            at = self[motor.target]
            unit = self.unit(motor.target)
            text = f"  '{motor.name}': {motor.target} from {np.min(at):.6g} to {np.max(at):.6g} {unit}"
            if found is not None and motor.name in found.motors:
                name = next(name for name in found.names if name.rpartition(".")[0] == motor.name)
                effort = found[name]
                text += (
                    f", {name.rpartition('.')[2]} from {np.min(effort):.6g} to {np.max(effort):.6g} {found.unit(name)}"
                )
            lines.append(text)
        if self.massless:
            lines.append(
                "  Nothing has mass: the motors and joints are given what springs and other forces alone need."
            )
        return "\n".join(lines)

    def as_dict(self) -> dict[str, Any]:
        """As plain data: how it ended, and the smallest and largest value of every quantity and of the motors' efforts."""
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


def kinematics(
    mechanism: Mechanism | Model,
    t_end: float,
    *,
    times: Sequence[float] | np.ndarray | int = 1001,
    fit: float | None = None,
    progress: Progress | None = None,
) -> Kinematics:
    """The motion that motors give from the start to t_end (s); masses need not be known.

    times   when to give the result: times in s, or how many evenly spaced ones
    fit     how far the geometry may be moved so that redundant joints fit together (see `build`)
    progress  is called now and then with the part of the motion that is done

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
    model = as_model(mechanism)
    for event in model.all_events:
        if event.restarts:  # no more than a place for a step to end
            continue
        raise ModelError(f"Event '{event.name}': kinematics does not look for events; leave it out, or simulate.")
    found = _followed(model, t_end, times, fit, True, progress or silent)
    if not found.status.reached and found.program.branch is not None:
        # equations that hold on a branch only nearly may be in the way
        other = _followed(model, t_end, times, fit, False, progress or silent)
        found = other if other.steps.t[-1] > found.steps.t[-1] else found
    return found


def _followed(
    model: Model,
    t_end: float,
    times: Sequence[float] | np.ndarray | int,
    fit: float | None,
    relations: bool,
    progress: Progress,
) -> Kinematics:
    """The motion with what holds on the branch, or as the joints alone describe it."""
    program = _prepared(model, fit, relations)
    _check_freedom(program)
    task = prepare(program, t_end, 1e-6, "auto", None, None, 1_000_000)
    wanted = output_times(program, times, task.t_end)
    way = Continuation(program, task)
    steps = way.run(progress)
    given = replace(program, integrator=GivenMotion(way.sample))
    return Kinematics(given, steps, wanted[wanted <= steps.t[-1]])


def _prepared(model: Model, fit: float | None, relations: bool) -> Program:
    """The mechanism compiled; if nothing has mass, the motion is found with unit masses, and they are taken out again."""
    if any(body.mass or (not isinstance(body, Bar) and body.inertia) for body in model.bodies):
        return build(model, relations=relations, fit=fit)
    weighted = [msgspec.structs.replace(body, mass=1.0) for body in model.bodies]
    program = build(msgspec.structs.replace(model, bodies=tuple(weighted)), relations=relations, fit=fit)
    # fitting may have moved points, so the geometry is the program's
    unweighted = tuple(msgspec.structs.replace(body, mass=0.0) for body in program.model.bodies)
    light_model = msgspec.structs.replace(program.model, bodies=unweighted)
    system = replace(program.system, model=light_model, mass={}, gravity=Form())
    light = make_dynamics(system, program.dynamics.refinements)
    old, new = program.dynamics.kkt, light.kkt
    softness = tuple(e / s * x for e, s, x in zip(old.epsilon, old.softening, new.softening, strict=True))
    light = replace(light, kkt=replace(new, epsilon=softness))
    return replace(program, model=light_model, dynamics=light, integrator=compiled(light)[0])


def _check_freedom(program: Program) -> None:
    """Refuses what motors alone do not move, naming what is left to move."""
    system, assembly = program.system, program.assembly
    freedom = system.n - system.m + assembly.redundant
    if not freedom:
        return
    equations = Equations(program.dynamics)
    free = equations.freedoms(assembly.time, assembly.q, start_point(equations, assembly).turns)
    ways = "; ".join(named_bodies(moved_bodies(system, direction)) for direction in free.T[:3])
    name = program.model.name
    left = counted(freedom, "degree of freedom is", "degrees of freedom are")
    raise ModelError(
        f"Mechanism '{name}': {left} left with {motors_in_words(program.model)} running ({ways}). Kinematics needs a motor for each; add "
        f"{'one' if freedom == 1 else freedom}, or simulate the mechanism."
    )
