"""Motors: what they prescribe is kinematics in closed form; what they spend is the energy that comes in."""

from __future__ import annotations

import math

import numpy as np
import pytest

import grashof as gr
from tests import classics

from .accuracy import CLOSE, TOL, largest

KINEMATIC = 1e-9
"""A driven mechanism has no error to add up: positions are projected on the constraints after every step."""


def slider_crank() -> gr.Mechanism:
    m, crank, rod = classics.slider_crank()
    m.motor(crank, "0.4 + 5*t + 0.6*sin(3*t)", name="motor")
    m.guess(crank, (0, 0), angle=0.4)
    m.guess(rod, (0.18, 0.08), angle=-0.16)
    return m


def test_a_driven_slider_crank_moves_as_geometry_says() -> None:
    """x = r cos θ + √(l² − r² sin²θ), θ = 0.4 + 5 t + 0.6 sin 3t."""
    run = gr.simulate(slider_crank(), 4.0, tol=TOL)
    theta = 0.4 + 5.0 * run.t + 0.6 * np.sin(3.0 * run.t)
    omega = 5.0 + 1.8 * np.cos(3.0 * run.t)
    root = np.sqrt(0.25 - 0.04 * np.sin(theta) ** 2)
    assert largest(run["crank.angle"] - theta) < KINEMATIC
    assert largest(run["rod.end.x"] - 0.2 * np.cos(theta) - root) < KINEMATIC
    speed = -omega * (0.2 * np.sin(theta) + 0.04 * np.sin(theta) * np.cos(theta) / root)
    assert largest(run["rod.end.x.rate"] - speed) < CLOSE


def test_a_motor_s_work_is_the_energy_that_came_in() -> None:
    """Kinetic and potential energy from the closed-form motion of both bars, against the integrated work of the
    motor."""
    run = gr.simulate(slider_crank(), 4.0, tol=TOL)
    theta = 0.4 + 5.0 * run.t + 0.6 * np.sin(3.0 * run.t)
    omega = 5.0 + 1.8 * np.cos(3.0 * run.t)
    slope = np.arcsin(-0.4 * np.sin(theta))  # of the rod
    turning = -0.4 * np.cos(theta) * omega / np.cos(slope)
    vx = -0.2 * np.sin(theta) * omega - 0.25 * np.sin(slope) * turning
    vy = 0.2 * np.cos(theta) * omega + 0.25 * np.cos(slope) * turning
    kinetic = 0.5 * (0.04 / 3) * omega**2 + 0.25 * (vx**2 + vy**2) + 0.5 * (0.5 * 0.25 / 12) * turning**2
    potential = 9.81 * (0.1 * np.sin(theta) + 0.5 * (0.2 * np.sin(theta) + 0.25 * np.sin(slope)))
    energy = kinetic + potential
    assert largest(run.energy - energy) < CLOSE
    assert largest(run["work.motor"] - (energy - energy[0])) < CLOSE


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_linear_actuator_lifts_a_boom(dimension: int) -> None:
    """A driven distance d between ground (1, 0) and the tip of a boom of 1 m about the origin: cos φ = 1 − d²/2."""
    rest = (0.0,) * (dimension - 2)
    m = gr.Mechanism("boom", gravity=(0, -9.81, *rest))
    boom = m.bar("boom", mass=3.0, start=(0, 0, *rest), end=(0.8, 0.6, *rest))
    m.revolute(m.ground.at(0, 0, *rest), boom.start, axis=(0, 0, 1) if dimension == 3 else None)
    length = m.separation("length", m.ground.at(1, 0, *rest), boom.end)
    m.motor(length, "0.7 + 0.2*sin(2*t)", name="actuator")
    run = gr.simulate(m, 4.0, tol=TOL)
    d = 0.7 + 0.2 * np.sin(2.0 * run.t)
    phi = np.arccos(1.0 - 0.5 * d * d)
    rate = d * 0.4 * np.cos(2.0 * run.t) / np.sin(phi)
    assert largest(run["length"] - d) < KINEMATIC
    assert largest(run["boom.end.x"] - np.cos(phi)) < KINEMATIC
    assert largest(run["boom.end.y"] - np.sin(phi)) < KINEMATIC
    energy = 0.5 * rate**2 + 3.0 * 9.81 * 0.5 * np.sin(phi)
    assert largest(run["work.actuator"] - (energy - energy[0])) < 10.0 * CLOSE  # 15 J


def test_a_motor_between_two_bodies_prescribes_their_relative_angle() -> None:
    """Two wheels on one pin: the relative angle is the law, the total spin stays what it was."""
    m = gr.Mechanism("two wheels")
    one = m.body("one", mass=1.0, inertia=0.5, points={"hub": (0, 0)})
    two = m.body("two", mass=1.0, inertia=0.2, points={"hub": (0, 0)})
    m.revolute(m.ground.at(0, 0), one.hub)
    m.revolute(one.hub, two.hub)
    between = m.angle("between", two, reference=one)
    m.motor(between, "t*t*t", name="motor")
    m.need(one.angle, value=0.0, rate=0.0)
    run = gr.simulate(m, 3.0, tol=TOL)
    assert largest(run["between"] - run.t**3) < KINEMATIC * 27.0
    assert largest(0.5 * run["one.angle.rate"] + 0.2 * run["two.angle.rate"]) < CLOSE
    relative = 3.0 * run.t**2
    assert largest(run["work.motor"] - 0.5 * (0.5 * 0.2 / 0.7) * relative**2) < 50.0 * CLOSE


def test_a_motor_s_law_says_how_many_turns_there_are() -> None:
    """A law that starts at 7 rad starts the angle at 7 rad, not at 7 − 2π; a torsion spring on it pulls accordingly."""
    m = gr.Mechanism("wheel")
    wheel = m.body("wheel", mass=1.0, inertia=0.5, points={"hub": (0, 0), "rim": (0.3, 0)})
    m.revolute(m.ground.at(0, 0), wheel.hub)
    m.motor(wheel, "7 + 2*t", name="motor")
    m.torsion_spring(wheel, stiffness=1.5, name="spring")
    run = gr.simulate(m, 5.0, tol=TOL)
    assert largest(run["wheel.angle"] - 7.0 - 2.0 * run.t) < KINEMATIC * 17.0
    wound = 0.75 * ((7.0 + 2.0 * run.t) ** 2 - 49.0)
    assert largest(run["work.motor"] - wound) < 200.0 * CLOSE  # 180 J


def test_a_motor_that_holds_still_does_no_work() -> None:
    m = gr.Mechanism("held", gravity=(0, -9.81))
    bar = m.bar("bar", mass=1.0, length=1.0)
    m.revolute(m.ground.at(0, 0), bar.start)
    m.motor(bar, angle=0.5, name="brake")
    run = gr.simulate(m, 2.0)
    assert largest(run["bar.angle"] - 0.5) < 1e-12
    assert largest(run["work.brake"]) == 0.0


def test_a_driven_door_in_space_does_what_its_law_says() -> None:
    """About a slanted axis, beyond half a turn and back: the tip stays on its circle, at the angle of the law."""
    axis = np.array([1.0, 2.0, 2.0]) / 3.0
    m = gr.Mechanism("door", gravity=(0, 0, -9.81))
    first = np.cross(axis, [0.0, 0.0, 1.0])
    first /= np.linalg.norm(first)
    door = m.bar("door", mass=1.0, start=(0, 0, 0), end=tuple(first))
    m.revolute(m.ground.at(0, 0, 0), door.start, axis=axis)
    turn = m.angle("turn", door, axis=axis)
    m.motor(turn, "4*sin(t)", name="motor")
    run = gr.simulate(m, 6.0, tol=TOL)
    angle = 4.0 * np.sin(run.t)
    tip = np.outer(first, np.cos(angle)) + np.outer(np.cross(axis, first), np.sin(angle))
    assert largest(run["turn"] - angle) < KINEMATIC
    for k, name in enumerate("xyz"):
        assert largest(run[f"door.end.{name}"] - tip[k]) < KINEMATIC
    assert math.isclose(run["turn"][0], 0.0, abs_tol=1e-12)


def test_a_run_may_start_at_any_time() -> None:
    """A law is a function of the clock, not of the time since the start."""
    m = gr.Mechanism("wheel")
    wheel = m.body("wheel", mass=1.0, inertia=0.5, points={"hub": (0, 0), "rim": (0.3, 0)})
    m.revolute(m.ground.at(0, 0), wheel.hub)
    m.motor(wheel, "t*t", name="motor")
    m.time = 2.0
    run = gr.simulate(m, 3.0, tol=TOL, times=11)
    assert run.t[0] == 2.0
    assert largest(run["wheel.angle"] - run.t**2) < KINEMATIC * 9.0
    assert largest(run["work.motor"] - 0.5 * 0.5 * ((2.0 * run.t) ** 2 - 16.0)) < CLOSE
