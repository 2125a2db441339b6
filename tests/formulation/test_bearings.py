"""Reactions and the friction that is proportional to them, solved for together."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import fsolve

import grashof as gr
from grashof.formulation.natural.bearings import Bearing, Transmitted, solve_bearings
from grashof.formulation.natural.kkt import make_kkt
from grashof.program import build


def test_newton_solves_for_the_sizes_that_a_general_solver_finds() -> None:
    """Random masses, rows and unit forces; N_i = |λ_i| with two multipliers a joint."""
    rng = np.random.default_rng(0)
    for _ in range(20):
        n, rows = 6, [Transmitted((0, 1)), Transmitted((2, 3))]
        mass = {(i, i): float(x) for i, x in enumerate(rng.uniform(0.5, 2.0, n))}
        pattern = tuple(tuple(range(n)) for _ in range(4))
        kkt = make_kkt(n, mass, pattern, list(range(n)), [1e-14] * 4, [1.0] * 4, [0.0] * 4)
        jacobian, right = rng.normal(size=4 * n).tolist(), rng.normal(size=n + 4).tolist()
        units = [(0.1 * rng.normal(size=n)).tolist() for _ in rows]
        found = solve_bearings(kkt, jacobian, kkt.factor(jacobian), right, units, rows, 2)

        j = np.array(jacobian).reshape(4, n)
        matrix = np.block([[np.diag([mass[i, i] for i in range(n)]), j.T], [j, np.zeros((4, 4))]])

        def missing(
            x: np.ndarray, matrix: np.ndarray = matrix, right: list[float] = right, units: object = units
        ) -> np.ndarray:
            load = np.array(right)
            for k, unit in enumerate(units):  # type: ignore[arg-type]
                load[:6] += np.hypot(*x[6 + 2 * k : 8 + 2 * k]) * np.array(unit)
            return np.asarray(matrix @ x - load)

        expected = fsolve(missing, np.linalg.solve(matrix, right), xtol=1e-13)
        np.testing.assert_allclose(found.solution, expected, rtol=1e-8, atol=1e-8)
        assert found.residual() < 1e-12


@pytest.mark.parametrize(("mu", "wedged"), [(1.2, False), (1.32, False), (1.35, True), (2.0, True)])
def test_contraction_ends_where_painleve_says(mu: float, wedged: bool) -> None:
    """A slender rod whose end slides on a line: at the angle with tan θ = 2 the limit is μ = 4/3."""
    m = gr.Mechanism("rod", gravity=(0, -9.81))
    rod = m.bar("rod", start=(0, 0), end=(0.5, 1.0), mass=1.0)
    m.friction(m.pin_in_slot(m.ground.line((0, 0), (1, 0)), rod.start), mu=mu)
    m.need("rod.angle", value=math.atan(2.0), rate=0.0)
    m.need("rod.start.x", value=0.0, rate=-8.0)
    program = build(m)
    dynamics, start = program.dynamics, program.assembly
    found = dynamics.bearing(dynamics.state([0.0, *start.q, *start.v, *[0.0] * dynamics.layout.extra]))
    assert found.contraction() == pytest.approx(0.75 * mu, rel=1e-6)
    assert (found.contraction() >= 1.0) == wedged


def test_presolve_keeps_the_rows_of_joints_whose_reactions_are_asked_for() -> None:
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    pin = m.revolute(m.ground.at(0, 0), rod.start, name="pin")
    assert build(m).system.n == 2
    m.friction(pin, mu=0.1, radius=0.01)
    program = build(m)
    assert program.system.n == 4
    assert {row.owner for row in program.system.rows if row.kept} == {"pin"}
    assert len(program.dynamics.bearings["pin"]) == 2


def test_what_is_not_a_number_does_not_contract() -> None:
    found = Bearing([], [Transmitted((0,))], [1.0], [[1.0]], [[[np.array([0.5, math.nan])]]])
    assert found.contraction().tolist() == [0.5, math.inf]
    assert not found.residual()[1] <= 1.0


def test_friction_beside_large_forces_keeps_its_digits() -> None:
    """The same slider-crank in units of 1 s and of 10 µs, where forces are 1e10 times as large: the motions are
    alike."""

    def motion(unit: float) -> gr.Trajectory:
        m = gr.Mechanism("slider crank", gravity=(0, -9.81 / unit**2))
        crank, rod = m.bar("crank", length=0.3, mass=1.0), m.bar("rod", length=0.8, mass=0.5)
        block = m.body("block", mass=1.0, inertia=0.5, points={"o": (0, 0)})
        m.revolute(m.ground.at(0, 0), crank.start)
        m.revolute(crank.end, rod.start)
        m.revolute(rod.end, block.o)
        m.slider(m.ground.line((0, 0), (1, 0)), block.line((0, 0), (1, 0)), name="guide")
        m.friction("guide", mu=0.2, slip_speed=0.01 / unit)
        m.need(crank.angle, value=1.0, rate=5.0 / unit)
        return gr.simulate(m, 0.7 * unit, tol=1e-8, times=21)

    usual, quick = motion(1.0), motion(1e-5)
    assert usual.status.ok
    assert quick.status.ok
    assert quick["crank.angle"] == pytest.approx(usual["crank.angle"], abs=1e-9)
    assert abs(len(quick.steps.t) - len(usual.steps.t)) <= 2
