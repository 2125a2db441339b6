"""Violations are gaps, in metres, that could be measured at the joints with every body rigid."""

from __future__ import annotations

import math

import numpy as np
import pytest

import grashof as gr
from grashof.formulation.natural.rigid import violations
from grashof.program import Program

from .test_pendulums import spherical_pendulum
from .test_spatial_loops import LENGTH, rssr

Array = np.ndarray


def measured(program: Program, q: Array, v: Array | None = None, a: Array | None = None) -> tuple[float, float, float]:
    still = np.zeros((1, len(q)))
    levels = violations(
        program.dynamics,
        np.zeros(1),
        np.concatenate([q, still[0] if v is None else v, np.zeros(program.dynamics.layout.extra)])[None, :],
        still if a is None else a[None, :],
    )
    position, velocity, acceleration = (float(level[0]) for level in levels)
    return position, velocity, acceleration


def four_bar() -> Program:
    """A square of bars, of which three move: its coordinates are the two upper corners."""
    m = gr.Mechanism("square")
    left = m.bar("left", mass=1.0, start=(0, 0), end=(0, 1))
    top = m.bar("top", mass=1.0, start=(0, 1), end=(1.5, 1))
    right = m.bar("right", mass=1.0, start=(1.5, 0), end=(1.5, 1))
    m.revolute(m.ground.at(0, 0), left.start)
    m.revolute(left.end, top.start)
    m.revolute(top.end, right.end)
    m.revolute(m.ground.at(1.5, 0), right.start)
    return gr.build(m, relations=False)


def test_a_corner_moved_by_hand_opens_the_joints_by_what_the_bars_then_lack() -> None:
    """The left corner is put at (0.3, 1.2). The left bar, rigid, then ends at 1 m in its direction: the pin is open by
    |c| − 1. The top bar starts at the corner and ends at 1.5 m towards the right one: open by the difference."""
    program = four_bar()
    q = program.assembly.q.copy()
    labels = program.system.labels
    corner = np.array([0.3, 1.2])
    for axis, x in zip("xy", corner, strict=True):
        (k,) = (k for k, label in enumerate(labels) if label in (f"left.end.{axis}", f"top.start.{axis}"))
        q[k] = x
    at_left = np.linalg.norm(corner) - 1.0
    at_top = 1.5 - np.linalg.norm(np.array([1.5, 1.0]) - corner)
    assert measured(program, q)[0] == pytest.approx(math.hypot(at_left, at_top), rel=1e-12)


def test_a_velocity_that_stretches_a_bar_is_a_velocity_violation() -> None:
    """Both corners move apart at 0.2 m/s each way: the top bar cannot follow at one of its ends; that joint opens at
    0.4."""
    program = four_bar()
    v = np.zeros(program.system.n)
    for k, label in enumerate(program.system.labels):
        if label.endswith(".x"):
            v[k] = -0.2 if program.assembly.q[k] < 0.7 else 0.2
    assert measured(program, program.assembly.q, v)[:2] == (
        pytest.approx(0.0, abs=1e-14),
        pytest.approx(0.4, rel=1e-12),
    )


def test_centripetal_acceleration_that_is_missing_is_an_acceleration_violation() -> None:
    """The corners move to the right at 1 m/s and are not accelerated: both upright bars lack v²/l = 1 m/s²."""
    program = four_bar()
    v = np.array([1.0 if label.endswith(".x") else 0.0 for label in program.system.labels])
    position, velocity, acceleration = measured(program, program.assembly.q, v)
    assert position < 1e-14
    assert velocity < 1e-14
    assert acceleration == pytest.approx(math.sqrt(2.0), rel=1e-12)
    right = np.array([-1.0 if label.endswith(".y") else 0.0 for label in program.system.labels])
    assert measured(program, program.assembly.q, v, right)[2] < 1e-12


def test_a_motor_s_violation_is_its_lag() -> None:
    """ℓ sin(θ − f): a wheel turned by hand 0.1 rad ahead of its motor."""
    m = gr.Mechanism("wheel")
    wheel = m.body("wheel", mass=1.0, inertia=1.0, points={"hub": (0, 0), "rim": (2.0, 0)})
    m.revolute(m.ground.at(0, 0), wheel.hub)
    m.motor(wheel, "3*t")
    program = gr.build(m)
    length = program.system.length
    q = program.assembly.q
    ahead = np.array([[math.cos(0.1), -math.sin(0.1)], [math.sin(0.1), math.cos(0.1)]]) @ q
    assert measured(program, ahead)[0] == pytest.approx(length * math.sin(0.1), rel=1e-12)


def test_a_ball_moved_by_hand_opens_a_loop_in_space() -> None:
    """RSSR: the ball at the rocker's end is put elsewhere. The rigid rocker points at it and ends at 0.8 m; the
    rigid coupler points at it from the crank's end and ends at its own length; between the two ends is the gap."""
    program = gr.build(rssr())
    q = program.assembly.q.copy()
    ball = np.array([0.0, 0.9, 0.95])
    for axis, x in zip("xyz", ball, strict=True):
        found = [k for k, label in enumerate(program.system.labels) if label.endswith(f"end.{axis}")]
        for k in found:
            if abs(program.assembly.q[k] - {"x": 0.0, "y": 1.0, "z": 0.8}[axis]) < 1e-9:
                q[k] = x
    foot, pin = np.array([0.0, 1.0, 0.0]), np.array([0.2, 0.0, 0.0])
    rocker_end = foot + 0.8 * (ball - foot) / np.linalg.norm(ball - foot)
    coupler_end = pin + LENGTH * (ball - pin) / np.linalg.norm(ball - pin)
    assert measured(program, q)[0] == pytest.approx(float(np.linalg.norm(rocker_end - coupler_end)), rel=1e-12)


def test_violations_along_a_run_are_at_the_level_of_round_off() -> None:
    run = gr.simulate(four_bar(), 1.0)
    assert np.max(run["violation.position"]) < 1e-10
    assert np.max(run["violation.velocity"]) < 1e-9


def test_a_point_mass_has_violations_too() -> None:
    """Without axes of its own, on a rod: 1 mm too far out is 1 mm (and half of its square)."""
    program = gr.build(spherical_pendulum(0.0))
    position, *_ = measured(program, program.assembly.q * 1.001)
    assert position == pytest.approx(1e-3 + 0.5e-6, rel=1e-9)
