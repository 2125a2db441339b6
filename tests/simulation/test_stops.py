"""Stops against closed forms: bouncing balls, pendulums, and the restitution of Hunt and Crossley."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad

import grashof as gr
from tests import classics

G = 9.81


def ball(height: float = 1.0, **stop: float | None) -> gr.Mechanism:
    m = gr.Mechanism("ball", gravity=(0, -G))
    m.body("ball", mass=0.2, points={"center": (0, 0)}, position=(0, height))
    m.need("ball.center.x", value=0.0, rate=0.0)
    m.need("ball.center.y", value=height, rate=0.0)
    m.stop("ball.center.y", lower=0.0, name="floor", **stop)
    return m


@pytest.mark.parametrize("tol", [1e-3, 1e-6, 1e-9])
def test_bouncing_ball_hits_the_floor_when_the_closed_form_says(tol: float) -> None:
    e = 0.8
    run = gr.simulate(ball(restitution=e), 3.0, tol=tol)
    assert run.status.ok
    fall = math.sqrt(2.0 / G)
    times = [fall * (1.0 + 2.0 * sum(e**j for j in range(1, k + 1))) for k in range(30)]
    times = [t for t in times if t < 3.0]
    assert [event.name for event in run.events] == ["floor lower"] * len(times)
    np.testing.assert_allclose([event.time for event in run.events], times, atol=10.0 * tol)
    top = gr.simulate(ball(restitution=e), 3.0, tol=tol, times=[0.5 * (times[0] + times[1])])
    assert top["ball.center.y"][0] == pytest.approx(e * e, abs=10.0 * tol)
    assert run["work.floor lower"][-1] == pytest.approx(-0.2 * G * (1.0 - e ** (2 * len(times))), rel=10.0 * tol)
    assert np.max(np.abs(run["balance"])) < 100.0 * tol


def test_motion_that_starts_beyond_a_rigid_stop_is_refused() -> None:
    with pytest.raises(gr.ModelError, match=r"starts 0.1 .* beyond this rigid stop"):
        gr.simulate(ball(-0.1, restitution=0.5), 1.0)


def test_pendulum_against_a_rigid_stop_loses_what_restitution_says() -> None:
    e, limit = 0.6, -0.5 * math.pi + 0.2
    m = gr.Mechanism("pendulum", gravity=(0, -G))
    rod = m.bar("rod", length=1.0, mass=2.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need("rod.angle", value=-math.pi, rate=0.0)
    m.stop(rod, upper=limit, restitution=e, name="wall")
    run = gr.simulate(m, 2.0, tol=1e-9)
    assert run.status.ok
    inertia = 2.0 / 3.0
    hit = run.events[0]
    speed = math.sqrt(2.0 * 2.0 * G * 0.5 * (math.cos(0.2)) / inertia)
    layout = run.program.dynamics.layout
    before, after = (run.program.dynamics.energies.kinetic(y[layout.of_v].tolist()) for y in (hit.state, hit.after))
    assert before == pytest.approx(0.5 * inertia * speed**2, rel=1e-7)
    assert before - after == pytest.approx(0.5 * inertia * (1.0 - e * e) * speed**2, rel=1e-7)
    # it swings back until its energy is used up
    swing = math.cos(0.2) - e * e * math.cos(0.2)
    lowest = -0.5 * math.pi - math.acos(swing)
    until_next = run.t < run.events[1].time
    assert np.min(run["rod.angle"][until_next & (run.t > hit.time)]) == pytest.approx(lowest, abs=1e-4)
    assert np.max(np.abs(run["balance"])) < 1e-7


def test_impact_is_transmitted_through_a_linkage() -> None:
    """A slider-crank whose piston hits a wall: the energy lost is that of the effective mass at the piston."""
    m, _, rod = classics.slider_crank(gravity=(0.0, 0.0))
    m.guess(rod, (0.0, 0.2), angle=-0.4)
    m.need("crank.angle", value=1.5, rate=-3.0)
    m.stop("rod.end.x", upper=0.6, restitution=0.5, name="wall")
    run = gr.simulate(m, 1.0, tol=1e-9)
    assert run.status.ok
    dynamics = run.program.dynamics
    layout = dynamics.layout
    hit = run.events[0]
    speeds, energies = [], []
    for state in (hit.state, hit.after):
        motion = dynamics.state([hit.time, *state.tolist()])
        speeds.append(motion.measure("rod.end.x").first)
        energies.append(dynamics.energies.kinetic(state[layout.of_v].tolist()))
    assert speeds[1] == pytest.approx(-0.5 * speeds[0], rel=1e-9)
    # with one degree of freedom all velocities are proportional, and T is ½ m_eff ẋ²
    effective = 2.0 * energies[0] / speeds[0] ** 2
    assert energies[0] - energies[1] == pytest.approx(0.5 * (1.0 - 0.25) * effective * speeds[0] ** 2, rel=1e-9)


@pytest.mark.parametrize("speed", [0.02, 0.1, 0.5])
def test_compliant_stop_has_the_restitution_of_hunt_and_crossley(speed: float) -> None:
    """Without gravity v dv/dδ = −δⁿ (k + c v)/m: v⁺ follows from ∫ v dv/(k + c v) = −∫ δⁿ dδ/m, the same in both
    directions."""
    k, c, mass = 1e6, 4e5, 0.2
    m = gr.Mechanism("ball", dimension=2)
    m.body("ball", mass=mass, points={"center": (0, 0)}, position=(0, 0.01))
    m.need("ball.center.x", value=0.0, rate=0.0)
    m.need("ball.center.y", value=0.01, rate=-speed)
    m.stop("ball.center.y", lower=0.0, stiffness=k, damping=c, name="floor")
    run = gr.simulate(m, 0.02 / speed + 0.1, tol=1e-9)
    assert run.status.ok
    rebound = run["ball.center.y.rate"][-1]

    def uptake(v: float) -> float:
        return quad(lambda x: x / (k + c * x), 0.0, v, epsabs=0.0, epsrel=1e-12)[0]

    assert uptake(-rebound) == pytest.approx(uptake(speed), rel=1e-6)
    e = rebound / speed
    assert e == pytest.approx(1.0 - 2.0 / 3.0 * c / k * speed, abs=(c / k * speed) ** 2)
    assert [event.name for event in run.events] == ["floor lower"] * 2
    assert run["work.floor"][-1] == pytest.approx(0.5 * mass * (rebound**2 - speed**2), rel=1e-6)
    assert np.max(np.abs(run["balance"])) < 1e-7 * mass * speed**2


def test_ball_rests_on_a_compliant_floor_at_its_static_depth() -> None:
    k = 2e3
    run = gr.simulate(ball(0.02, stiffness=k, damping=5e3), 4.0, tol=1e-6)
    assert run.status.ok
    depth = (0.2 * G / k) ** (2.0 / 3.0)
    assert run["ball.center.y"][-1] == pytest.approx(-depth, rel=1e-3)
    assert np.max(np.abs(run["balance"])) < 1e-6


def test_equilibrium_and_mode_of_a_ball_on_a_compliant_floor() -> None:
    """m g = k δⁿ, ω² = n k δⁿ⁻¹/m, and half the damping c δⁿ/m."""
    m = gr.Mechanism("ball", gravity=(0, -G))
    body = m.body("ball", mass=0.2, points={"center": (0, 0)}, position=(0, 0.1))
    m.slider(m.ground.line((0, 0), (0, 1)), body.line((0, 0), (0, 1)))
    m.stop("ball.center.y", lower=0.0, stiffness=2e3, damping=100.0, name="floor")
    depth = (0.2 * G / 2e3) ** (2.0 / 3.0)
    assert gr.equilibrium(m)["ball.center.y"] == pytest.approx(-depth, rel=1e-8)
    decay, square = 0.5 * 100.0 * depth**1.5 / 0.2, 1.5 * 2e3 * math.sqrt(depth) / 0.2
    first = max(gr.modes(m).eigenvalues, key=lambda x: x.imag)
    assert first == pytest.approx(complex(-decay, math.sqrt(square - decay**2)), rel=1e-7)


def test_both_limits_of_an_angle_turn_it_back() -> None:
    m = gr.Mechanism("rocker")
    rod = m.body("rod", mass=1.0, inertia=0.5)
    m.revolute(m.ground.at(0, 0), rod.at(0, 0))
    m.need("rod.angle", value=0.0, rate=2.0)
    m.stop(rod, lower=-1.0, upper=1.0, restitution=1.0, name="range")
    run = gr.simulate(m, 6.0, tol=1e-8)
    assert run.status.ok
    np.testing.assert_allclose([event.time for event in run.events], [0.5, 1.5, 2.5, 3.5, 4.5, 5.5], atol=1e-7)
    assert [event.name for event in run.events][:2] == ["range upper", "range lower"]
    assert np.max(np.abs(run["rod.angle"])) < 1.0 + 1e-9


def test_two_balls_that_hit_the_floor_at_once_both_bounce() -> None:
    m = gr.Mechanism("two balls", gravity=(0, -G))
    for k in range(2):
        m.body(f"ball{k}", mass=0.2 + k, points={"center": (0, 0)}, position=(k, 1.0))
        m.need(f"ball{k}.center.x", value=float(k), rate=0.0)
        m.need(f"ball{k}.center.y", value=1.0, rate=0.0)
        m.stop(f"ball{k}.center.y", lower=0.0, restitution=0.9 - 0.2 * k)
    run = gr.simulate(m, 1.0)
    assert run.status.ok
    for k in range(2):
        e, fall = 0.9 - 0.2 * k, math.sqrt(2.0 / G)
        t = 1.0 - fall
        assert run[f"ball{k}.center.y"][-1] == pytest.approx(e * G * fall * t - 0.5 * G * t * t, abs=1e-5)


def test_grazing_contact_is_no_wrong_success() -> None:
    """A ball thrown up so that its top is within 1e-9 of the ceiling, below it or above."""
    for offset in (-1e-9, 1e-9):
        m = gr.Mechanism("ball", gravity=(0, -G))
        m.body("ball", mass=0.2, points={"center": (0, 0)})
        m.need("ball.center.x", value=0.0, rate=0.0)
        m.need("ball.center.y", value=0.0, rate=math.sqrt(2.0 * G))
        m.stop("ball.center.y", upper=1.0 + offset, restitution=0.5, name="ceiling")
        run = gr.simulate(m, 0.8)
        if run.status.ok:
            way = math.sqrt(2.0 * G) * 0.8 - 0.5 * G * 0.64
            assert run["ball.center.y"][-1] == pytest.approx(way, abs=1e-4)


def test_motor_that_drives_into_a_rigid_stop_is_told() -> None:
    m = gr.Mechanism("driven")
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.motor(rod, "t")
    m.stop(rod, upper=0.5, restitution=0.5, name="wall")
    with pytest.raises(gr.ModelError, match=r"'wall upper'.*joints and motors hold it"):
        gr.simulate(m, 1.0)


@pytest.mark.parametrize(
    ("stop", "sentence"),
    [
        ({"measure": "rod.angel", "upper": 1.0, "stiffness": 1.0}, "there is no measure 'rod.angel'"),
        ({"measure": "rod.angle", "stiffness": 1.0}, "it has no limit"),
        ({"measure": "rod.angle", "lower": 1.0, "upper": 0.0, "stiffness": 1.0}, "lower must be below"),
        ({"measure": "rod.angle", "upper": 1.0}, "positive stiffness"),
        ({"measure": "rod.angle", "upper": 1.0, "restitution": 1.5}, "between 0 and 1"),
        ({"measure": "rod.angle", "upper": 1.0, "restitution": 0.5, "stiffness": 1.0}, "rigid or compliant"),
        ({"measure": "rod.angle", "upper": 1.0, "stiffness": 1.0, "damping": -1.0}, "zero or positive"),
    ],
)
def test_stop_that_cannot_be_is_refused_by_a_sentence(stop: dict[str, float], sentence: str) -> None:
    m = gr.Mechanism("pendulum", gravity=(0, -G))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.stop(**stop)
    with pytest.raises(gr.ModelError, match=sentence):
        _ = m.model


def test_stops_are_saved_and_loaded(tmp_path: Path) -> None:
    for m in (ball(restitution=0.5), ball(stiffness=1e3, damping=2.0)):
        gr.save(m, tmp_path / "ball.toml")
        assert gr.load(tmp_path / "ball.toml") == m.model


def test_a_start_deep_inside_a_compliant_stop_is_told() -> None:
    m = gr.Mechanism("cart")
    cart = m.body("cart", mass=1.0, inertia=1.0, points={"o": (0, 0)}, position=(0.3, 0))
    m.prismatic(m.ground.at(0, 0), cart.o, axis=(1, 0))
    m.stop("cart.o.x", upper=0.1, stiffness=100.0, name="buffer")
    with pytest.warns(UserWarning, match=r"starts 0\.2 .* inside this compliant stop"):
        gr.simulate(m, 0.1)


def test_a_force_that_is_never_switched_on_is_told() -> None:
    m = gr.Mechanism("cart")
    cart = m.body("cart", mass=1.0, inertia=1.0, points={"o": (0, 0)})
    m.prismatic(m.ground.at(0, 0), cart.o, axis=(1, 0))
    m.need("cart.o.x", value=0.0, rate=1.0)
    m.force(cart.o, (-1.0, 0.0), active=False, name="brake")
    m.event("cart.o.x > 2", does="switch brake on", name="late")
    with pytest.warns(UserWarning, match="'brake' never acted"):
        gr.simulate(m, 1.0)
