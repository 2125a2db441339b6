"""The modes of a mechanism: about an equilibrium, about its initial position, or about its motion at a given time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from grashof.common.blas import one_thread
from grashof.common.errors import ModelError
from grashof.formulation.natural.closing import DEPENDENT
from grashof.model.given import number
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.program import Program, build
from grashof.questions.descent import BALANCED
from grashof.questions.equations import FullState, QuestionEquations, assemble_equations, refuse_unknown, start_point
from grashof.questions.equilibrium import equilibrium
from grashof.questions.linearised import Modes, modes_at
from grashof.questions.moving import choose_coordinates, linearise_moving, with_joint_measures
from grashof.simulation.simulate import simulate

AFTER = 0.3
"""After what time the linearised equations are compared again, in units of the time scale of the fastest motion."""

STEADY = 1e-6
"""A motion is steady if they have changed by a smaller fraction by then."""


@one_thread()
def modes(mechanism: Mechanism | Model, *, at: str | float = "equilibrium") -> Modes:
    """Computes eigenvalues, frequencies, damping and shapes of the linearised motion.

    at   "equilibrium": about the position into which the mechanism settles from its start (see `equilibrium`); "start":
         about the initial position, at rest; unbalanced forces there are reported; a time (s): about the motion at that
         time, in joint coordinates. If the motion is steady, as for a governor that rotates at a constant rate, the
         eigenvalues are valid at all times; if not, they are those of the equations frozen at that time, and `remark`
         says so

    >>> m = Mechanism("double pendulum", gravity=(0, -9.81))
    >>> first, second = m.bar("first", length=1.0, mass=1.0), m.bar("second", length=1.0, mass=1.0)
    >>> _ = m.revolute(m.ground.at(0, 0), first.start)
    >>> _ = m.revolute(first.end, second.start)
    >>> [round(mode.frequency, 6) for mode in modes(m)]
    [0.426553, 1.144113]
    """
    if at == "equilibrium":
        return equilibrium(mechanism).modes
    if not isinstance(at, str):
        return _modes_in_motion(as_model(mechanism), number("The time of the modes", at))
    if at != "start":
        raise ModelError(f"Modes are requested at {at!r}; it must be 'equilibrium', 'start' or a time in s.")
    equations, assembly = assemble_equations(mechanism)
    start = start_point(equations, assembly)
    multipliers, rest = equations.balance(start.t, start.q, start.turns)
    found = modes_at(equations, assembly, start.at_rest(multipliers))
    forces = equations.forces(start.t, start.q, 0.0 * start.v, start.turns)
    left, acting = (float(np.max(np.abs(x), initial=0.0)) for x in (rest, forces))
    remark = found.remark
    if left > BALANCED * acting:
        remark = (
            f"The start is not at rest: {left:.3g} N of {acting:.3g} N are not balanced. These are the modes of the "
            f"equations frozen there, which depend on the coordinates chosen. {remark}"
        ).rstrip()
    return replace(found, remark=remark)


def _modes_in_motion(model: Model, time: float) -> Modes:
    """At a given time of the motion, and a little later to see whether the linearised equations stay the same."""
    model = model.with_smooth_friction()
    if not all(event.restarts for event in model.all_events):
        raise ModelError(
            f"Mechanism '{model.name}' has events, which modes about a motion do not take into account. Remove "
            "them, or start after they have happened."
        )
    refuse_unknown(model)
    program = build(with_joint_measures(model), relations=False)
    begin = program.assembly.time
    if time < begin:
        raise ModelError(f"Modes are requested at t = {time:g} s, but the motion begins at {begin:g} s.")
    equations = QuestionEquations(program.dynamics, rolling=True)
    point = _state(program, equations, time)
    coordinates = choose_coordinates(equations, point)
    linear = linearise_moving(equations, point, coordinates)
    if not len(linear.mass):
        return Modes(equations, program.assembly, point, linear, "")
    fastest = float(max(np.max(np.abs(linear.eigen[0])), np.max(np.abs(point.v)) / program.system.length)) or 1.0
    later = time + AFTER / fastest
    other = linearise_moving(equations, _state(program, equations, later), coordinates)
    known = ", ".join(measure.name for measure in coordinates.measures)
    remark = f"Linearised about the motion, in the coordinates {known}."
    stiffness, damping = other.stiffness - linear.stiffness, other.damping - linear.damping
    change = float(max(np.max(np.abs(stiffness)) / fastest**2, np.max(np.abs(damping)) / fastest))
    if change > STEADY:
        remark += (
            f" The motion is not steady in them: within {later - time:.3g} s the linearised equations change by "
            f"{100.0 * change:.2g} %. The eigenvalues are those of the equations frozen at this time, which do not "
            "show whether the motion is stable."
        )
    return Modes(equations, program.assembly, point, linear, remark)


def _state(program: Program, equations: QuestionEquations, time: float) -> FullState:
    """The motion at a time."""
    layout = program.dynamics.layout
    if time > program.assembly.time:
        run = simulate(program, time, tol=1e-10, times=[time])
        if not run.status.reached:
            raise ModelError(f"The motion cannot be followed to t = {time:g} s: {run.status}")
        y, rates = run.y[0], run.rates[0]
    else:
        y = program.y0
        rates = program.integrator.natural_rates(time, y)
    q, v, a, turns = y[layout.of_q], y[layout.of_v], rates[layout.of_a], y[layout.of_angles]
    load = equations.forces(time, q, v, turns) - equations.mass(q) @ a
    multipliers = np.linalg.lstsq(equations.all_rows(time, q, turns).T, load, rcond=DEPENDENT)[0]
    return FullState(time, q, v, a, multipliers, turns)
