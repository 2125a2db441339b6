"""Rodas5P: a Rosenbrock method with the exact Jacobian, in the ordinary loop."""

from __future__ import annotations

import ctypes
from dataclasses import asdict, replace
from math import exp, pi

import numpy as np
import pytest

from grashof.formulation.layout import Sizes
from grashof.integrate import Choice, Integrator, Settings, Trigger
from grashof.integrate.kernel import Kernel, declarations
from grashof.integrate.lanes import LaneIntegrator
from grashof.integrate.linear import Matrix
from grashof.integrate.methods.dop853 import DOP853
from grashof.integrate.methods.rodas5p import RODAS5P
from grashof.scalar import Scalar, sin
from grashof.scalar import cos as traced_cos
from grashof.tape import Library
from grashof.tape.arrays import address
from grashof.tape.differentiate import push
from grashof.tape.lanes import ONE, Lanes

from . import test_own_rates as top
from .systems import compiled, pendulum, tapes_of
from .test_events import watch
from .test_implicit import carried, in_thick_oil

METHOD = Choice(RODAS5P, "")


def coupled(x: list[Scalar]) -> list[Scalar]:
    """Three coordinates, an angle on which a force depends, and two works; all depend on time."""
    t, *q, u, v, w, angle, _, _ = x
    return [
        -40.0 * (q[0] - q[1]) - 3.0 * u + sin(3.0 * t),
        40.0 * (q[0] - q[1]) - 9.0 * sin(q[2]) * v - angle,
        -sin(q[2]) * 7.0 - w * w * w + traced_cos(t * q[0]),
        w + 0.1 * u * u,
        3.0 * u * u,
        w * sin(3.0 * t) * q[1],
    ]


SIZES = Sizes(3, 3, extra=3, works=2)
STATE = [0.3, -0.2, 0.9, 0.1, 0.5, -0.4, 0.2, 0.0, 0.0]


@pytest.mark.parametrize(
    ("sizes", "derivative"), [(SIZES, coupled), (top.SIZES, top.derivative), (Sizes(1, 1), pendulum)]
)
def test_the_jacobian_is_that_of_the_tape(sizes: Sizes, derivative) -> None:
    y = np.random.default_rng(1).normal(size=sizes.size)
    tape = tapes_of(sizes, derivative=derivative)["derivative"]
    count = 1 + sizes.size - sizes.works
    _, columns = push(tape, [0.3, *y.tolist()], [{j: 1.0} for j in range(count)])
    found = compiled(sizes, derivative).jacobian(0.3, y)
    assert np.array_equal(found[:, :count], np.transpose(columns))
    assert not found[:, count:].any()


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("runs", [1, 4])
@pytest.mark.parametrize("n", [1, 2, 5, 8, 9, 14])
def test_linear_equations_are_solved_whatever_their_pivots(n: int, runs: int, transposed: bool) -> None:
    """Some matrices have zeros on their diagonals, and each lane has its own pivots."""
    k = Kernel("solve", runs=Lanes(runs) if runs > 1 else ONE)
    given, place, b = k.array("given"), k.array("place"), k.array("b")
    matrix = Matrix(k, place, n)
    for i in k.each(n, 1):
        for j in k.each(n, 1):
            matrix.row(i)[j] = given.at(i * n)[j]
        matrix.finish_row(i)
    matrix.factor()
    (matrix.solve_transposed if transposed else matrix.solve)(b)
    function = Library(declarations(Lanes(runs)) + k.text()).function("solve", None, *[ctypes.c_void_p] * 3)
    rng = np.random.default_rng(n)
    work = np.zeros(Matrix.room(n) * runs)
    for _ in range(5):
        a, x = rng.normal(size=(runs, n, n)), rng.normal(size=(runs, n))
        a[:, range(n), range(n)] *= (n > 1) * rng.integers(0, 2, size=(runs, n)) if n > 1 else 1.0
        right = np.zeros((n + 4, runs))
        right[:n] = np.einsum("rji,rj->ir" if transposed else "rij,rj->ir", a, x)
        entries = np.ascontiguousarray(np.moveaxis(a, 0, -1))
        function(address(entries), address(work), address(right))
        condition = max(np.linalg.cond(y) for y in a)
        assert np.abs(right[:n].T - x).max() < 1e-14 * condition * n


def test_eliminating_coordinates_and_works_changes_nothing() -> None:
    """One step, computed again with the whole matrix of all states."""
    system, h, t, y = compiled(SIZES, coupled), 0.2, 0.7, np.array(STATE)
    steps = system.collect(y, t, t + h, Settings(1e6, 1.0, 1.0, method=METHOD, step=h))
    assert steps.counters.steps == 1

    def slope(t: float, y: np.ndarray) -> np.ndarray:
        return np.concatenate([y[3:6], system.derivative(t, y)])

    jacobian = np.zeros((9, 10))
    jacobian[range(3), range(4, 7)] = 1.0
    jacobian[3:] = system.jacobian(t, y)
    matrix, u = np.eye(9) / (RODAS5P.gamma * h) - jacobian[:, 1:], []
    for s in range(RODAS5P.stages):
        point = y + sum((a * x for a, x in zip(RODAS5P.a[s], u, strict=False)), np.zeros(9))
        right = slope(t + RODAS5P.times[s] * h, point) + RODAS5P.drifts[s] * h * jacobian[:, 0]
        right += sum((c / h * x for c, x in zip(RODAS5P.c[s], u, strict=False)), np.zeros(9))
        u.append(np.linalg.solve(matrix, right))
    end = y + sum(a * x for a, x in zip(RODAS5P.a[-1], u, strict=True))
    assert steps.y[-1] == pytest.approx(end, abs=1e-12)


def relaxing(rate: float) -> Integrator:
    """q̈ = −λ (q̇ − cos t) − sin t: q̇ = cos t, however large λ (Prothero and Robinson's equation)."""
    return compiled(Sizes(1, 1), lambda x: [-rate * (x[2] - traced_cos(x[0])) - sin(x[0])])


@pytest.mark.parametrize("rate", [1.0, 1e2, 1e3, 1e6, 1e9])
def test_positions_are_of_order_5_however_stiff_the_equations(rate: float) -> None:
    """Velocities, which the fast force holds, have errors of O(h³/λ)."""
    system, counts, errors = relaxing(rate), np.array([10, 14, 20, 28]), []
    for count in counts:
        settings = Settings(1e6, 1.0, 1.0, method=METHOD, step=2.0 / count, longest=2.0 / count)
        steps = system.collect([0.0, 1.0], 0.0, 2.0, settings)
        assert steps.counters.steps == count
        errors.append(np.abs(steps.y[:, 0] - np.sin(steps.t)).max())
        assert np.abs(steps.y[:, 1] - np.cos(steps.t)).max() < 0.1 * (2.0 / count) ** 3 / rate
    assert -np.polyfit(np.log(counts), np.log(errors), 1)[0] > 4.5


def test_a_fast_part_decays_as_it_should_and_costs_few_steps() -> None:
    """From rest: q̇ = carried(t) − carried(0) e^(−ct), with c = 1e5/s."""
    system, settings = compiled(Sizes(1, 1), in_thick_oil), Settings(1e-6, 1.0, 1.0, method=METHOD)
    steps = system.collect([0.0, 0.0], 0.0, 5.0, settings)
    assert steps.status.ok
    exact = [carried(t)[1] - carried(0.0)[1] * exp(-1e5 * t) for t in steps.t]
    assert np.abs(steps.y[:, 1] - exact).max() < 3e-6
    assert steps.counters.steps < 150
    explicit = system.collect([0.0, 0.0], 0.0, 0.5, replace(settings, method=Choice(DOP853, "")))
    assert explicit.counters.steps > 5000


def test_between_steps_stiff_forces_do_not_disturb() -> None:
    system = compiled(Sizes(1, 1), in_thick_oil)
    steps = system.collect(carried(0.0), 0.0, 5.0, Settings(1e-8, 1.0, 1.0, method=METHOD))
    at = np.linspace(0.0, 5.0, 400)
    assert np.abs(system.sample(steps, at)[0] - [carried(t) for t in at]).max() < 2e-7


def test_events_of_a_stiff_motion_are_located() -> None:
    """The velocity is cos t and the position sin t, delayed by 1e-5 s."""
    system = compiled(Sizes(1, 1), in_thick_oil)
    seen = watch(lambda x: [x[2], x[1] - 0.5], 3, Trigger("turn"), Trigger("half", 1))
    steps = system.collect(carried(0.0), 0.0, 10.0, Settings(1e-8, 1.0, 1.0, method=METHOD, watch=seen))
    turns = [x.time for x in steps.occurrences if x.name == "turn"]
    assert turns == pytest.approx(pi * (np.arange(3) + 0.5) + 1e-5, abs=1e-7)
    rising = [x.time for x in steps.occurrences if x.name == "half"]
    assert rising == pytest.approx([pi / 6 + 1e-5, 13 * pi / 6 + 1e-5], abs=1e-7)


@pytest.mark.parametrize("width", [1, 4])
def test_lanes_make_its_steps_as_single_runs_do(width: int) -> None:
    settings = Settings(1e-6, 1.0, 1.0, weights=[1.0], method=METHOD)
    starts = [np.array(STATE) * x for x in (1.0, 0.5, -1.0, 0.2, 1.7)]
    at = np.linspace(0.0, 3.0, 7)
    tapes = tapes_of(SIZES, derivative=coupled, project=lambda x: [*x[1:], 0.0], observe=lambda x: list(x[1:]))
    runs = LaneIntegrator(tapes, SIZES, lanes=width).run(starts, 0.0, 3.0, settings, times=at)
    alone = compiled(SIZES, coupled)
    for row, start in enumerate(starts):
        single = alone.collect(start, 0.0, 3.0, settings)
        assert {name: int(column[row]) for name, column in runs.counters.items()} == asdict(single.counters)
        assert runs.observed[row] == pytest.approx(alone.sample(single, at)[0], abs=1e-11)


def test_a_matrix_that_is_singular_makes_a_step_shorter() -> None:
    """v̇ = v/γ: with h = 1 the matrix is zero. The step is rejected and made again, shorter."""
    system = compiled(Sizes(1, 1), lambda x: [x[2] / RODAS5P.gamma])
    steps = system.collect([0.0, 1.0], 0.0, 1.0, Settings(1e-6, 1.0, 1.0, method=METHOD, step=1.0))
    assert steps.counters.rejected_not_finite >= 1
    assert steps.status.ok
    assert steps.y[-1, 1] == pytest.approx(exp(1.0 / RODAS5P.gamma), rel=1e-4)
