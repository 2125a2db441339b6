"""The derivative of a motion with respect to its start agrees with differences of much more accurate runs."""

from dataclasses import replace

import numpy as np
import pytest

from grashof.problems import make_case
from grashof.program import Program, build
from grashof.sensitivities.tangent import Equations, Tangent
from grashof.tape import trace
from grashof.task import Task, prepare

SPANS = {"andrews": 0.03, "double-four-bar": 5.0, "multiple-four-bar": 1.0}


def equations(program: Program) -> Equations:
    dynamics = program.dynamics
    layout = dynamics.layout
    return Equations(
        layout.n,
        layout.extra,
        len(layout.works),
        trace(lambda x, _: dynamics.derivative(*layout.split(x)), 1 + layout.size, 0),
        trace(lambda x, _: dynamics.project(*layout.split(x)), 1 + layout.size, 0),
    )


def moved(task: Task, way: np.ndarray, far: float) -> np.ndarray:
    """A start next to that of a task, on the constraints."""
    return task.program.integrator.project(task.program.assembly.time, task.y0 + far * way)[0]


def end(task: Task, y0: np.ndarray) -> np.ndarray:
    return replace(task, y0=y0).run(1e-11).y[-1]


@pytest.mark.parametrize("relations", [True, False], ids=["on the branch", "joints alone"])
@pytest.mark.parametrize("name", SPANS)
def test_derivatives_with_respect_to_the_start(name: str, relations: bool) -> None:
    """The double four-bar passes singular positions; with its joints alone, the equations do not know the way across."""
    if not relations and name == "multiple-four-bar":
        pytest.skip("redundant joints take long")
    program = build(make_case(name).model, relations=relations)
    task = prepare(program, SPANS[name], 1e-8, "auto", None, None, 100_000)
    layout, rng = program.dynamics.layout, np.random.default_rng(3)
    scales = np.zeros(layout.size)
    scales[layout.of_q], scales[layout.of_v] = program.system.length, task.speed
    ways = rng.normal(size=(2, layout.size)) * scales
    h = 1e-5
    start = np.array([(moved(task, way, h) - moved(task, way, -h)) / (2 * h) for way in ways])

    tangent = Tangent(equations(program), 2)
    integrator = tangent.integrator(tangent.library(), np.empty(0), np.empty((2, 0)))
    settings = task.settings(task.tol, task.choose(task.tol), None, None, task.pace.stops)
    plain = program.integrator.collect(task.y0, program.assembly.time, task.t_end, settings)
    settings = replace(settings, weights=tangent.weights(np.array(settings.weights)))
    steps = integrator.collect(tangent.joined(task.y0, start), program.assembly.time, task.t_end, settings)
    assert steps.status.ok
    y, s = tangent.split(steps.y)
    assert y[-1] == pytest.approx(plain.y[-1], rel=1e-9, abs=1e-9 * np.max(np.abs(plain.y[-1])))

    for way, found in zip(ways, s[-1], strict=True):
        two, one, minus_one, minus_two = (end(task, moved(task, way, k * h)) for k in (2, 1, -1, -2))
        exact = (8.0 * (one - minus_one) - (two - minus_two)) / (12.0 * h)
        assert found == pytest.approx(exact, rel=0.0, abs=1e-6 * np.max(np.abs(exact)))
