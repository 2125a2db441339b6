"""The equations of mechanisms without parameters, and runs from starts next to theirs."""

import numpy as np

from grashof.integrate import Settings
from grashof.program import Program
from grashof.sensitivity.tangent import TangentEquations
from grashof.simulation.task import Task
from grashof.tape import trace


def equations(program: Program) -> TangentEquations:
    dynamics = program.dynamics
    layout = dynamics.layout
    return TangentEquations(
        layout.sizes,
        trace(lambda x, _: dynamics.derivative(x), 1 + layout.size, 0),
        trace(lambda x, _: dynamics.project(x), 1 + layout.size, 0),
    )


def settings(task: Task) -> Settings:
    return task.settings(task.attempt())


def ways(task: Task, count: int) -> np.ndarray:
    """Directions of the state, of the size of the mechanism and its speed."""
    layout = task.program.dynamics.layout
    scales = np.zeros(layout.size)
    scales[layout.of_q], scales[layout.of_v] = task.program.system.length, task.speed
    return np.random.default_rng(3).normal(size=(count, layout.size)) * scales


def moved(task: Task, way: np.ndarray, far: float) -> np.ndarray:
    """A start next to that of a task, on the constraints."""
    return task.program.integrator.project(task.program.assembly.time, task.program.y0 + far * way)[0]


def end(task: Task, y0: np.ndarray) -> np.ndarray:
    """The last state of a much more accurate run."""
    settings = task.settings(task.attempt(1e-11))
    return task.program.integrator.collect(y0, task.program.assembly.time, task.t_end, settings).y[-1]
