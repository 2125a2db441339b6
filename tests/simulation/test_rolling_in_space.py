"""Wheels and balls that roll on planes in space, against closed forms and another formulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import grashof as gr
from grashof.common.errors import ModelError
from grashof.model.files import dumps, loads

GRAVITY, RADIUS, MASS = 9.81, 0.25, 1.3
ACROSS, AXIAL = 0.022, 0.0406
"""kg m²: inertia of the disc across its axis and about it."""

Array = np.ndarray


def inclined(angle: float) -> Array:
    """A rotation about x."""
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]])


def disc(lean: float, spin: Array) -> gr.Mechanism:
    """A disc whose plane leans by this angle, with its axis e = (0, cos, sin) and an angular velocity in world axes."""
    m = gr.Mechanism("disc", gravity=(0, 0, -GRAVITY))
    body = m.body("disc", mass=MASS, inertia=(ACROSS, AXIAL, ACROSS))
    m.guess(body, (0, 0, RADIUS * math.cos(lean)), rotation=(math.cos(lean / 2), math.sin(lean / 2), 0, 0))
    axis = inclined(lean)[:, 1]
    m.rolling_wheel(m.ground.at(0, 0, 0), body.at(0, 0, 0, name="o"), radius=RADIUS, axis=tuple(axis), name="roll")
    body.at(0, 1, 0, name="e")
    m.need(body, angular_velocity=tuple(spin))
    return m


def place(run: gr.Run, point: str) -> Array:
    return np.array([run[f"disc.{point}.{axis}"] for axis in "xyz"])


def rolled(lean: float, spin: Array, end: float) -> tuple[Array, Array]:
    """Centre and axes of the disc at the end, by Newton's and Euler's equations: the contact force f and ω̇ follow from
    v̇ = −(ω × r)˙, m v̇ = m g + f and I ω̇ + ω × I ω = r × f, where r leads from the centre to the contact."""
    up, gravity = np.array([0.0, 0.0, 1.0]), np.array([0.0, 0.0, -GRAVITY])

    def rates(t: float, y: Array) -> Array:
        axes, w = y[3:12].reshape(3, 3), y[12:]
        e, e_rate = axes[:, 1], np.cross(w, axes[:, 1])
        rise, rise_rate = up - (up @ e) * e, -(up @ e_rate) * e - (up @ e) * e_rate
        size = np.linalg.norm(rise)
        r, r_rate = -RADIUS * rise / size, -RADIUS * (rise_rate / size - rise * (rise @ rise_rate) / size**3)
        inertia = axes @ np.diag([ACROSS, AXIAL, ACROSS]) @ axes.T
        about = inertia + MASS * ((r @ r) * np.eye(3) - np.outer(r, r))
        moment = np.cross(r, MASS * (-np.cross(w, r_rate) - gravity)) - np.cross(w, inertia @ w)
        return np.concatenate([-np.cross(w, r), np.cross(w, axes.T).T.ravel(), np.linalg.solve(about, moment)])

    y = np.concatenate([[0.0, 0.0, RADIUS * math.cos(lean)], inclined(lean).ravel(), spin])
    last = solve_ivp(rates, (0.0, end), y, method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    return last[:3], last[3:12].reshape(3, 3)


@pytest.mark.parametrize(("lean", "spin"), [(0.4, (0.7, -6.0, 0.5)), (-1.0, (0.2, 4.0, 3.0))])
def test_a_rolling_disc_moves_as_newton_and_euler_say_and_keeps_its_energy(lean: float, spin: tuple[float]) -> None:
    run = gr.simulate(disc(lean, np.array(spin)), 1.5, tol=1e-9)
    assert run.status.ok
    center, axes = rolled(lean, np.array(spin), 1.5)
    assert place(run, "o")[:, -1] == pytest.approx(center, abs=1e-7)
    assert (place(run, "e") - place(run, "o"))[:, -1] == pytest.approx(axes[:, 1], abs=1e-7)
    assert run["energy"] == pytest.approx(np.full(len(run.t), run["energy"][0]), rel=1e-8)
    found = run.reactions()
    acceleration = [run[f"disc.o.{axis}.acceleration"] for axis in "xyz"]
    for axis, a, weight in zip("xyz", acceleration, (0.0, 0.0, MASS * GRAVITY), strict=True):
        assert found[f"roll.f{axis}"] == pytest.approx(MASS * a + weight, abs=1e-6)


def test_a_leaning_disc_rolls_steadily_on_a_circle() -> None:
    """(C + m r²) ω₃ p cos θ = A p² sin θ cos θ − m g r sin θ for lean θ, precession p and spin ω₃ about the axis."""
    lean, turn = 0.5, 2.5
    total = AXIAL + MASS * RADIUS**2
    spin = (ACROSS * turn**2 * math.cos(lean) - MASS * GRAVITY * RADIUS) * math.tan(lean) / (total * turn)
    e = inclined(lean)[:, 1]
    run = gr.simulate(disc(lean, (spin - turn * e[2]) * e + np.array([0.0, 0.0, turn])), 3.0, tol=1e-9)
    assert run["disc.o.z"] == pytest.approx(np.full(len(run.t), RADIUS * math.cos(lean)), abs=1e-7)
    middle = np.array([0.0, RADIUS * spin / turn])
    around = [np.cos(turn * run.t), np.sin(turn * run.t)]
    expected = middle[:, None] + [middle[1] * around[1], -middle[1] * around[0]]
    assert np.array([run["disc.o.x"], run["disc.o.y"]]) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("spin", [0.8, 1.2])
def test_an_upright_disc_is_stable_above_its_critical_spin(spin: float) -> None:
    """(A + m r²) θ̈ = m g r θ − (C + m r²) Ω φ̇ and A φ̇ = C Ω (θ − θ₀): stable if Ω² > A m g r/(C (C + m r²))."""
    critical = math.sqrt(ACROSS * MASS * GRAVITY * RADIUS / (AXIAL * (AXIAL + MASS * RADIUS**2)))
    lean, omega = 1e-5, spin * critical
    held = (AXIAL + MASS * RADIUS**2) * AXIAL * omega**2 / ACROSS / (ACROSS + MASS * RADIUS**2)
    square = held - MASS * GRAVITY * RADIUS / (ACROSS + MASS * RADIUS**2)
    run = gr.simulate(disc(lean, omega * inclined(lean)[:, 1]), 1.0, tol=1e-10)
    wave = np.cos(np.sqrt(complex(square)) * run.t).real
    tilt = place(run, "e")[2] - place(run, "o")[2]
    expected = lean * (held / square + (1.0 - held / square) * wave)
    assert tilt == pytest.approx(expected, abs=20.0 * np.max(np.abs(expected)) ** 3 + 1e-10)  # linear but for θ³
    assert bool(np.max(np.abs(tilt)) > 20.0 * lean) == (spin < 1.0)


def test_a_ball_on_a_turntable_goes_round_a_circle_once_in_seven_half_turns() -> None:
    m = gr.Mechanism("turntable", gravity=(0, 0, -GRAVITY))
    table, ball = m.body("table", mass=3.0, inertia=(1, 1, 2)), m.body("ball", mass=0.5, inertia=(0.002,) * 3)
    m.revolute(m.ground.at(0, 0, 0), table.at(0, 0, 0), axis=(0, 0, 1))
    m.motor(table, speed=3.0)
    m.guess(ball, (0.3, 0.1, 0.1))
    m.rolling_ball(table.at(0, 0, 0), ball.at(0, 0, 0, name="o"), radius=0.1, name="roll")
    m.need("ball.o.x", value=0.3, rate=0.0)
    m.need("ball.o.y", value=0.1, rate=0.4)
    report = gr.mobility(m)
    assert (report.dof, report.velocity_dof) == (5, 3)
    slow = 3.0 * 2.0 / 7.0  # of a homogeneous ball; its path is a circle about a centre that the start determines
    run = gr.simulate(m, 2.0 * math.pi / slow, tol=1e-9)
    x, y = 0.3 - 0.4 / slow, 0.1
    assert run["ball.o.x"] == pytest.approx(x + 0.4 / slow * np.cos(slow * run.t), abs=1e-7)
    assert run["ball.o.y"] == pytest.approx(y + 0.4 / slow * np.sin(slow * run.t), abs=1e-7)
    assert run.reactions()["roll.fz"] == pytest.approx(np.full(len(run.t), 0.5 * GRAVITY))


def test_a_ball_rolls_down_a_plane_with_five_sevenths_of_the_acceleration() -> None:
    slope, normal = 0.3, (-math.sin(0.3), 0.0, math.cos(0.3))
    m = gr.Mechanism("slope", gravity=(0, 0, -GRAVITY))
    ball = m.body("ball", mass=0.5, inertia=(0.002,) * 3)
    m.guess(ball, tuple(0.1 * x for x in normal))
    m.rolling_ball(m.ground.at(0, 0, 0), ball.at(0, 0, 0, name="o"), radius=0.1, normal=normal)
    m.need("ball.o.y", rate=0.7)
    run = gr.simulate(m, 1.0, tol=1e-9)
    down = 5.0 / 14.0 * GRAVITY * math.sin(slope) * run.t**2
    assert run["ball.o.x"] == pytest.approx(-0.1 * math.sin(slope) - math.cos(slope) * down, abs=1e-8)
    assert run["ball.o.y"] - run["ball.o.y"][0] == pytest.approx(0.7 * run.t, abs=1e-8)


def test_a_wheel_on_a_plate_that_is_pulled_away_follows_with_a_part_of_its_acceleration() -> None:
    m = gr.Mechanism("plate", gravity=(0, 0, -GRAVITY))
    plate = m.body("plate", mass=2.0, inertia=(1, 1, 1))
    m.prismatic(m.ground.at(0, 0, 0), plate.at(0, 0, 0), axis=(1, 0, 0))
    m.motor("plate.p1.x", law="0.75*t**2")
    wheel = m.body("wheel", mass=MASS, inertia=(ACROSS, AXIAL, ACROSS))
    m.guess(wheel, (0, 0, RADIUS))
    m.rolling_wheel(plate.at(0, 0, 0), wheel.at(0, 0, 0, name="o"), radius=RADIUS, axis=(0, 1, 0))
    run = gr.simulate(m, 1.0, tol=1e-9)
    assert run.status.ok
    share = AXIAL / (AXIAL + MASS * RADIUS**2)
    assert run["wheel.o.x"] - run["wheel.o.x"][0] == pytest.approx(share * 0.75 * run.t**2, abs=1e-8)
    assert run["balance"] == pytest.approx(np.zeros(len(run.t)), abs=1e-8)


def test_rolling_joints_are_the_same_in_a_file() -> None:
    model = disc(0.3, np.array([0.0, 1.0, 0.0])).model
    assert loads(dumps(model)) == model


def test_a_plate_that_is_pulled_over_three_balls_moves_at_twice_their_speed() -> None:
    m = gr.Mechanism("balls", gravity=(0, 0, -GRAVITY))
    plate = m.body("plate", mass=2.0, inertia=(0.1, 0.1, 0.2))
    m.guess(plate, (0, 0, 0.2))
    for k, (x, y) in enumerate([(0.3, 0.0), (-0.2, 0.3), (-0.2, -0.3)]):
        ball = m.body(f"ball {k}", mass=0.5, inertia=(0.002,) * 3)
        m.guess(ball, (x, y, 0.1))
        m.rolling_ball(m.ground.at(0, 0, 0), ball.at(0, 0, 0, name="o"), radius=0.1, name=f"below {k}")
        m.rolling_ball(plate.at(0, 0, 0), ball.o, radius=0.1, normal=(0, 0, -1), name=f"above {k}")
    m.force(plate.at(0, 0, 0), (3.0, 0, 0))
    run = gr.simulate(m, 1.0, tol=1e-8)
    assert run.status.ok
    way = 0.5 * 3.0 / (2.0 + 3.0 * (0.5 + 0.002 / 0.1**2) / 4.0)
    assert run["plate.p1.x"][-1] - run["plate.p1.x"][0] == pytest.approx(way, abs=1e-8)
    assert run["ball 0.o.x"][-1] - run["ball 0.o.x"][0] == pytest.approx(0.5 * way, abs=1e-8)


def test_a_cart_on_four_wheels_goes_straight_although_most_of_its_equations_are_redundant() -> None:
    m = gr.Mechanism("cart", gravity=(0, 0, -GRAVITY))
    frame = m.body("frame", mass=10.0, inertia=(1, 1, 1))
    m.guess(frame, (0, 0, 0.2))
    for k, (x, y) in enumerate([(0.5, 0.3), (0.5, -0.3), (-0.5, 0.3), (-0.5, -0.3)]):
        wheel = m.body(f"wheel {k}", mass=1.0, inertia=(0.01, 0.02, 0.01))
        m.guess(wheel, (x, y, 0.2))
        m.revolute(frame.at(x, y, 0), wheel.at(0, 0, 0, name="o"), axis=(0, 1, 0))
        m.rolling_wheel(m.ground.at(0, 0, 0), wheel.o, radius=0.2, axis=(0, 1, 0), name=f"roll {k}")
    m.force(frame.at(0, 0, 0, name="o"), (6.0, 0, 0))
    report = gr.mobility(m)
    assert (report.dof, report.velocity_dof, report.redundant, report.slips - report.slip_rank) == (7, 1, 1, 2)
    run = gr.simulate(m, 1.0, tol=1e-8)
    assert run.status.ok
    assert run["frame.o.x"][-1] - run["frame.o.x"][0] == pytest.approx(0.5 * 6.0 / (10.0 + 4.0 * 1.5), abs=1e-8)
    assert np.ptp(run["frame.o.y"]) < 1e-9
    found = run.reactions()
    assert [found[f"roll {k}.fz"][-1] for k in range(4)] == pytest.approx([14.0 * GRAVITY / 4.0] * 4)


def test_a_wheel_that_lies_flat_is_refused_and_one_that_falls_flat_is_no_success() -> None:
    with pytest.raises(ModelError, match="flat"):
        disc(0.5 * math.pi, np.zeros(3))
    assert not gr.simulate(disc(0.4, np.zeros(3)), 2.0).status.ok
