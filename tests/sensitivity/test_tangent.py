"""The derivative of a motion with respect to its start agrees with differences of much more accurate runs."""

from dataclasses import replace

import numpy as np
import pytest

from grashof.problems import make_case
from grashof.program import build
from grashof.sensitivity.adjoint import Adjoint
from grashof.sensitivity.tangent import Tangent
from grashof.simulation.options import Options
from grashof.simulation.task import prepare

from .mechanisms import end, equations, moved, settings, ways

H = 1e-5

# The double four-bar passes singular positions; with its joints alone, the equations do not know the way across.
CASES = {
    "andrews": ("andrews", 0.03, True),
    "double four-bar": ("double-four-bar", 5.0, True),
    "double four-bar, joints alone": ("double-four-bar", 5.0, False),
    "multiple four-bar": ("multiple-four-bar", 1.0, True),
}


@pytest.mark.parametrize(("name", "t_end", "relations"), CASES.values(), ids=CASES.keys())
def test_derivatives_with_respect_to_the_start(name: str, t_end: float, relations: bool) -> None:
    program = build(make_case(name).model, relations=relations)
    begin = program.assembly.time
    task = prepare(program, t_end, Options(tol=1e-8, max_steps=100_000))
    directions = ways(task, 2)
    start = np.array([(moved(task, way, H) - moved(task, way, -H)) / (2 * H) for way in directions])

    tangent = Tangent(equations(program), 2)
    integrator = tangent.integrator(tangent.library(), np.empty(0), np.empty((2, 0)))
    asked = settings(task)
    plain = program.integrator.collect(task.program.y0, begin, t_end, asked)
    both = replace(asked, weights=tangent.weights(np.array(asked.weights)))
    steps = integrator.collect(tangent.joined(task.program.y0, start), begin, t_end, both)
    assert steps.status.ok
    y, s = tangent.split(steps.y)
    assert y[-1] == pytest.approx(plain.y[-1], rel=1e-9, abs=1e-9 * np.max(np.abs(plain.y[-1])))

    for way, found in zip(directions, s[-1], strict=True):
        two, one, minus_one, minus_two = (end(task, moved(task, way, k * H)) for k in (2, 1, -1, -2))
        exact = (8.0 * (one - minus_one) - (two - minus_two)) / (12.0 * H)
        assert found == pytest.approx(exact, rel=0.0, abs=1e-6 * np.max(np.abs(exact)))

    # the same backwards, from weights of the end and of a state in between
    weights = np.random.default_rng(4).normal(size=(2, y.shape[1]))
    rows = {len(y) - 1: weights[0], len(y) // 2: weights[1]}
    gradient = Adjoint(tangent.equations, asked.method.method).gradient(replace(steps, y=y), np.empty(0), rows)
    expected = sum(s[row] @ weight for row, weight in rows.items())
    # next to singular positions, stages that are computed again differ by more than round-off
    accuracy = 1e-10 if relations else 1e-6
    assert start @ gradient.start == pytest.approx(expected, rel=accuracy)
