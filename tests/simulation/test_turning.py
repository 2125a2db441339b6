"""Torques and torsion springs, where whole turns matter."""

from __future__ import annotations

import math

import numpy as np
import pytest

import grashof as gr

from .accuracy import CLOSE, TOL, largest

INERTIA = 0.25


def flywheel(dimension: int) -> tuple[gr.Mechanism, str]:
    """A wheel on a pin, balanced; in space about a slanted axis."""
    m = gr.Mechanism("flywheel", dimension=dimension)
    if dimension == 2:
        wheel = m.body("wheel", mass=3.0, inertia=INERTIA, points={"hub": (0, 0), "rim": (0.4, 0)})
        m.revolute(m.ground.at(0, 0), wheel.hub)
        return m, wheel.angle
    wheel = m.body("wheel", mass=3.0, inertia=(0.2, 0.2, INERTIA), points={"hub": (0, 0, 0), "rim": (0.4, 0, 0)})
    # the quaternion that turns z into (1, 2, 2)/3
    half = 0.5 * math.acos(2 / 3)
    m.guess(wheel, (0, 0, 0), rotation=(math.cos(half), *(math.sin(half) / math.sqrt(5) * np.array([-2, 1, 0]))))
    m.revolute(m.ground.at(0, 0, 0), wheel.hub, axis=(1, 2, 2))
    return m, m.angle("turn", wheel, axis=(1, 2, 2))


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_constant_torque_turns_a_flywheel_hundreds_of_times(dimension: int) -> None:
    """θ = ½ (τ/I) t²: 2,000 rad after 20 s, whole turns and all; the torque's work is τ θ."""
    m, angle = flywheel(dimension)
    m.torque(angle, 2.5, name="drive")
    m.need(angle, value=0.0)
    run = gr.simulate(m, 20.0, tol=TOL)
    exact = 0.5 * 2.5 / INERTIA * run.t**2
    assert exact[-1] / (2 * math.pi) > 300
    assert largest(run[angle] - exact) < CLOSE * exact[-1]
    assert largest(run["work.drive"] - 2.5 * exact) < CLOSE * 2.5 * exact[-1]
    assert largest(run["balance"]) < CLOSE * run.energy[-1]


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_torsion_spring_wound_up_several_turns_unwinds_them_all(dimension: int) -> None:
    """θ = θ₀ + A cos(ω t), ω² = k/I, from A = 20 rad: more than three turns either way."""
    m, angle = flywheel(dimension)
    m.torsion_spring(angle, stiffness=0.5, rest=1.0)
    m.need(angle, value=21.0, rate=0.0)
    run = gr.simulate(m, 10.0, tol=TOL)
    assert largest(run[angle] - 1.0 - 20.0 * np.cos(math.sqrt(0.5 / INERTIA) * run.t)) < 20.0 * CLOSE
    assert largest(run.energy - 0.5 * 0.5 * 20.0**2) < 100.0 * CLOSE


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_torsional_damper_takes_the_speed_away_exponentially(dimension: int) -> None:
    """ω = ω₀ e^(−c t/I), θ = ω₀ (I/c) (1 − e^(−c t/I)); its work is what the energy loses."""
    m, angle = flywheel(dimension)
    m.torsion_spring(angle, stiffness=0.0, damping=0.1, name="damper")
    m.need(angle, value=0.0, rate=30.0)
    run = gr.simulate(m, 10.0, tol=TOL)
    decay = np.exp(-0.1 / INERTIA * run.t)
    assert largest(run[f"{angle}.rate"] - 30.0 * decay) < 30.0 * CLOSE
    assert largest(run[angle] - 30.0 * INERTIA / 0.1 * (1.0 - decay)) < 75.0 * CLOSE
    assert largest(run["work.damper"] - 0.5 * INERTIA * 30.0**2 * (decay**2 - 1.0)) < 112.0 * CLOSE


def test_a_torque_between_two_bodies_turns_both_against_each_other() -> None:
    """On a common pin, at right angles to gravity: I₁ θ̈₁ = −τ, I₂ θ̈₂ = τ."""
    m = gr.Mechanism("two wheels")
    one = m.body("one", mass=1.0, inertia=0.5, points={"hub": (0, 0)})
    two = m.body("two", mass=1.0, inertia=0.2, points={"hub": (0, 0)})
    m.revolute(m.ground.at(0, 0), one.hub)
    m.revolute(m.ground.at(0, 0), two.hub)
    between = m.angle("between", two, reference=one)
    m.torque(between, 0.3, name="drive")
    m.need(one.angle, value=0.0)
    m.need(two.angle, value=0.0)
    run = gr.simulate(m, 10.0, tol=TOL)
    assert largest(run["one.angle"] + 0.5 * 0.3 / 0.5 * run.t**2) < 30.0 * CLOSE
    assert largest(run["two.angle"] - 0.5 * 0.3 / 0.2 * run.t**2) < 75.0 * CLOSE
    assert largest(run["between"] - run["two.angle"] + run["one.angle"]) < 1e-9
    assert largest(run["balance"]) < 30.0 * CLOSE


def test_a_torsion_spring_between_two_free_bodies_makes_them_swing_against_each_other() -> None:
    """ω² = k (1/I₁ + 1/I₂) for the relative angle, which starts one and a half turns from rest."""
    m = gr.Mechanism("two wheels")
    one = m.body("one", mass=1.0, inertia=0.5, points={"hub": (0, 0)})
    two = m.body("two", mass=1.0, inertia=0.2, points={"hub": (0, 0)})
    m.revolute(m.ground.at(0, 0), one.hub)
    m.revolute(one.hub, two.hub)
    between = m.angle("between", two, reference=one)
    m.torsion_spring(between, stiffness=0.7)
    m.need(between, value=3.0 * math.pi, rate=0.0)
    m.need(one.angle, rate=0.0)
    run = gr.simulate(m, 10.0, tol=TOL)
    exact = 3.0 * math.pi * np.cos(math.sqrt(0.7 * (1 / 0.5 + 1 / 0.2)) * run.t)
    assert largest(run["between"] - exact) < 10.0 * CLOSE
