"""Impacts against closed forms: balls in a row, a pendulum and a double pendulum against stops, a driven crank."""

from __future__ import annotations

import math

import numpy as np
import pytest

import grashof as gr
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.natural.impact import Impact, Response, answer, response
from grashof.program import Program


def gradient(program: Program, of: dict[str, float]) -> np.ndarray:
    """∇g of a combination of coordinates of points and of measures."""
    assembly, dynamics = program.assembly, program.dynamics
    motion = dynamics.state([assembly.time, *assembly.q, *assembly.v])
    total = np.zeros(dynamics.n)
    for name, factor in of.items():
        if name in program.model.all_measures:
            parts = motion.gradient(name, [factor])
        else:
            point, _, axis = name.rpartition(".")
            parts = motion.gradient(point, [factor * (k == axis) for k in "xy"])
        for i, x in parts.items():
            total[i] += float(x)
    return total


def struck(program: Program, of: dict[str, float], restitution: float, v: np.ndarray | None = None) -> Impact:
    found = answered(program, gradient(program, of)).impact(program.assembly.v if v is None else v, restitution)
    assert found is not None
    return found


def answered(program: Program, row: np.ndarray) -> Response:
    assembly, dynamics = program.assembly, program.dynamics
    motion = dynamics.state([assembly.time, *assembly.q, *assembly.v])
    return response(answer(dynamics, motion, row.tolist()), dynamics.n)


def kinetic(dynamics: Dynamics, v: np.ndarray) -> float:
    return float(dynamics.energies.kinetic(v.tolist()))


def row_of_balls(masses: list[float], speeds: list[float]) -> Program:
    """Bodies that slide along x, each touching the next."""
    m = gr.Mechanism("row")
    for k, (mass, speed) in enumerate(zip(masses, speeds, strict=True)):
        ball = m.body(f"ball{k}", mass=mass, inertia=0.1, points={"c": (0, 0)}, position=(float(k), 0))
        m.slider(m.ground.line((0, 0), (1, 0)), ball.line((0, 0), (1, 0)))
        m.need(f"ball{k}.c.x", value=float(k), rate=speed)
    return gr.build(m)


def speeds(program: Program, v: np.ndarray) -> np.ndarray:
    assembly, count = program.assembly, len(program.model.bodies)
    motion = program.dynamics.state([assembly.time, *assembly.q, *v])
    return np.array([float(motion.point(f"ball{k}.c")[0].first) for k in range(count)])


@pytest.mark.parametrize("restitution", [0.0, 0.4, 1.0])
@pytest.mark.parametrize(
    ("m1", "m2", "u1", "u2"), [(1.0, 1.0, 2.0, 0.0), (3.0, 0.5, 1.0, -2.0), (1e-3, 50.0, 4.0, 0.1)]
)
def test_two_bodies_collide_as_the_textbook_says(
    m1: float, m2: float, u1: float, u2: float, restitution: float
) -> None:
    """v₁ = (m₁u₁ + m₂u₂ − e m₂(u₁ − u₂))/(m₁ + m₂) and likewise v₂; e times the relative speed is left."""
    program = row_of_balls([m1, m2], [u1, u2])
    found = struck(program, {"ball1.c.x": 1.0, "ball0.c.x": -1.0}, restitution)
    common = (m1 * u1 + m2 * u2) / (m1 + m2)
    exact = [
        common - restitution * m2 * (u1 - u2) / (m1 + m2),
        common + restitution * m1 * (u1 - u2) / (m1 + m2),
    ]
    assert speeds(program, found.v) == pytest.approx(exact, rel=1e-11)
    lost = 0.5 * m1 * m2 / (m1 + m2) * (1.0 - restitution**2) * (u1 - u2) ** 2
    assert found.work == pytest.approx(-lost, rel=1e-10, abs=1e-13)
    assert kinetic(program.dynamics, found.v) - kinetic(program.dynamics, program.assembly.v) == pytest.approx(
        -lost, rel=1e-8, abs=1e-12
    )


def test_the_last_ball_of_a_cradle_leaves_with_the_speed_of_the_first() -> None:
    program = row_of_balls([0.2] * 5, [3.0, 0.0, 0.0, 0.0, 0.0])
    v = program.assembly.v
    for k in range(4):
        v = struck(program, {f"ball{k + 1}.c.x": 1.0, f"ball{k}.c.x": -1.0}, 1.0, v).v
    assert speeds(program, v) == pytest.approx([0.0, 0.0, 0.0, 0.0, 3.0], abs=1e-10)


def test_bodies_that_part_are_left_alone() -> None:
    program = row_of_balls([1.0, 2.0], [0.0, 3.0])
    found = struck(program, {"ball1.c.x": 1.0, "ball0.c.x": -1.0}, 0.5)
    assert found.impulse == found.work == 0.0
    assert np.array_equal(found.v, program.assembly.v)


@pytest.mark.parametrize("restitution", [0.0, 0.6])
@pytest.mark.parametrize("distance", [0.3, 1.0])
def test_a_pendulum_against_a_stop(distance: float, restitution: float) -> None:
    """A rod hanging straight down hits a stop beside it: ω⁺ = −e ω⁻ wherever the stop is, and the impulse is (1 + e)
    I ω/r."""
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=3.0)
    hit = rod.at(distance, 0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=-0.5 * math.pi, rate=-2.0)
    program = gr.build(m)
    found = struck(program, {f"{hit}.x": 1.0}, restitution)
    motion = program.dynamics.state([0.0, *program.assembly.q, *found.v])
    assert float(motion.measure("rod.angle").first) == pytest.approx(2.0 * restitution, abs=1e-10)
    assert found.impulse == pytest.approx((1.0 + restitution) * 1.0 * 2.0 / distance, rel=1e-10)  # I = m l²/3 = 1
    assert found.work == pytest.approx(-0.5 * (1.0 - restitution**2) * 4.0, rel=1e-10)


def test_a_double_pendulum_against_a_stop_agrees_with_lagrange() -> None:
    """M(θ) Δω = p ∇g with the mass matrix of two rods in their angles."""
    a, b, w, u, e = -1.2, -0.7, -1.5, 0.8, 0.5
    m = gr.Mechanism("double pendulum", gravity=(0, -9.81))
    first, second = m.bar("first", length=1.0, mass=2.0), m.bar("second", length=0.8, mass=1.5)
    m.revolute(m.ground.at(0, 0), first.start)
    m.revolute(first.end, second.start)
    m.need(first.angle, value=a, rate=w)
    m.need(second.angle, value=b, rate=u)
    program = gr.build(m)
    found = struck(program, {"second.end.x": 1.0}, e)
    coupling = 0.5 * 1.5 * 1.0 * 0.8 * math.cos(a - b)
    mass = np.array([[2.0 / 3.0 + 1.5, coupling], [coupling, 1.5 * 0.64 / 3.0]])
    row = np.array([-math.sin(a), -0.8 * math.sin(b)])
    before = np.array([w, u])
    assert row @ before < 0.0
    answer = np.linalg.solve(mass, row)
    impulse = -(1.0 + e) * (row @ before) / (row @ answer)
    motion = program.dynamics.state([0.0, *program.assembly.q, *found.v])
    after = [float(motion.measure(f"{name}.angle").first) for name in ("first", "second")]
    assert found.impulse == pytest.approx(impulse, rel=1e-10)
    assert after == pytest.approx(before + impulse * answer, rel=1e-9)


def test_joints_hold_through_an_impact_in_a_loop() -> None:
    program = gr.build(four_bar())
    assembly, dynamics = program.assembly, program.dynamics
    found = struck(program, {"coupler.end.y": 1.0}, 0.3)
    jacobian = dynamics.rows.by_row(dynamics.rows.jacobian(assembly.time, assembly.q.tolist()))
    for row in jacobian:
        assert sum(float(x) * found.v[a] for a, x in row.items()) == pytest.approx(0.0, abs=1e-9)
    gained = kinetic(dynamics, found.v) - kinetic(dynamics, assembly.v)
    assert gained == pytest.approx(found.work, rel=1e-8)
    assert found.impulse > 0.0 > found.work


def four_bar(driven: bool = False) -> gr.Mechanism:
    m = gr.Mechanism("four-bar", gravity=(0, -9.81))
    a, b, c = (
        m.bar(name, length=length, mass=1.0) for name, length in (("crank", 1.0), ("coupler", 2.5), ("rocker", 2.2))
    )
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, c.end)
    m.revolute(m.ground.at(2.0, 0), c.start)
    m.guess("coupler", (0, 1), angle=0.6)
    m.guess("rocker", (2, 0), angle=1.2)
    if driven:
        m.motor(a, "1.5 - 2*t")
    else:
        m.need(a.angle, value=1.5, rate=-2.0)
    return m


def test_what_motors_hold_does_not_yield() -> None:
    program = gr.build(four_bar(driven=True))
    row = gradient(program, {"coupler.end.y": 1.0})
    assert answered(program, row).impact(program.assembly.v, 0.3) is None
