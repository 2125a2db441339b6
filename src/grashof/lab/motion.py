"""The states that a formulation reached as a trajectory, with all quantities of a simulation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grashof.common.status import Code, Status
from grashof.integrate.methods import Choice
from grashof.integrate.methods.rk4 import RK4
from grashof.integrate.steps import Counters, Steps
from grashof.motion.trajectory import Trajectory
from grashof.program import Program

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Reached:
    """States at equal steps, all finite: t (k,), q and v (k, n), and tracked angles with their whole turns, rad."""

    t: Array
    q: Array
    v: Array
    turns: Array


def trajectory(reached: Reached, program: Program) -> Trajectory:
    """The motion at these steps. The works of forces and motors are integrated afterwards from their powers there."""
    layout = program.dynamics.layout
    y = np.tile(program.y0, (len(reached.t), 1))
    y[:, layout.of_q], y[:, layout.of_v], y[:, layout.of_angles] = reached.q, reached.v, reached.turns
    end = float(reached.t[-1])
    counters = Counters(len(reached.t) - 1, 0, 0, 0, 0, 0)

    def at_steps(states: Array) -> Trajectory:
        method = Choice(RK4, "interpolates between the steps")
        steps = Steps(reached.t, states, Status(Code.SUCCESS, end, end), counters, 0.0, method)
        return Trajectory(program, steps, reached.t)

    if layout.works:
        powers = at_steps(y).rates[:, -len(layout.works) :]
        y[:, layout.of_works] += integral(reached.t, powers)
    return at_steps(y)


def integral(t: Array, rates: Array) -> Array:
    """The integrals from the first time on of rates (k, …) at equal steps: of order 4, by cubics through the four
    nearest rows (the trapezoidal rule where there are fewer rows)."""
    found = np.zeros_like(rates)
    if len(t) < 2:
        return found
    h = t[1] - t[0]
    parts = h / 2.0 * (rates[1:] + rates[:-1])
    if len(t) > 3:
        parts[1:-1] = h / 24.0 * (-rates[:-3] + 13.0 * rates[1:-2] + 13.0 * rates[2:-1] - rates[3:])
        parts[0] = h / 24.0 * (9.0 * rates[0] + 19.0 * rates[1] - 5.0 * rates[2] + rates[3])
        parts[-1] = h / 24.0 * (9.0 * rates[-1] + 19.0 * rates[-2] - 5.0 * rates[-3] + rates[-4])
    found[1:] = np.cumsum(parts, axis=0)
    return found
