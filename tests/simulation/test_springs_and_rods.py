"""Spring-dampers, massless rods and links, and bodies joined into one."""

from __future__ import annotations

import math

import numpy as np
import pytest

import grashof as gr

from .accuracy import CLOSE, TOL, largest


def test_a_mass_on_a_spring_and_a_damper_decays_as_it_should() -> None:
    """m ẍ + c ẋ + k x = 0 from x₀ at rest: x = x₀ e^(−δt) (cos νt + (δ/ν) sin νt), δ = c/2m, ν² = k/m − δ²."""
    m = gr.Mechanism("mass on a spring")
    block = m.body("block", mass=2.0, inertia=0.1, points={"p": (0, 0)}, position=(1.3, 0.0))
    m.prismatic(m.ground.at(0, 0), block.p, axis=(1, 0), name="rail")
    m.spring(m.ground.at(0, 0), block.p, stiffness=50.0, length=1.0, damping=1.6, name="spring")
    m.need("block.p.x", value=1.3, rate=0.0)
    run = gr.simulate(m, 5.0, tol=TOL)
    delta = 1.6 / 4.0
    nu = math.sqrt(25.0 - delta**2)
    x = 0.3 * np.exp(-delta * run.t) * (np.cos(nu * run.t) + delta / nu * np.sin(nu * run.t))
    assert largest(run["block.p.x"] - 1.0 - x) < CLOSE
    assert largest(run["work.spring"] - (run.energy - run.energy[0])) < CLOSE
    assert run["work.spring"][-1] < -0.9 * run.energy[0]


def test_two_masses_on_a_spring_swing_about_their_centre() -> None:
    """The distance obeys μ l̈ = −k (l − l₀) with μ = m₁m₂/(m₁ + m₂), when nothing turns."""
    m = gr.Mechanism("two masses")
    one = m.body("one", mass=1.0, inertia=0.1, points={"p": (0, 0)}, position=(0.0, 0.0))
    two = m.body("two", mass=3.0, inertia=0.1, points={"p": (0, 0)}, position=(1.5, 0.0))
    m.spring(one.p, two.p, stiffness=40.0, length=1.0)
    span = m.separation("span", one.p, two.p)
    run = gr.simulate(m, 4.0, tol=TOL)
    assert largest(run[span] - 1.0 - 0.5 * np.cos(math.sqrt(40.0 / 0.75) * run.t)) < CLOSE
    assert largest(1.0 * run["one.p.x"] + 3.0 * run["two.p.x"] - 4.5) < CLOSE


def test_two_bodies_on_a_rod_turn_about_their_centre_while_it_flies() -> None:
    """Free in the plane under gravity: the centre of mass falls in a parabola, the rod turns at a constant rate."""
    m = gr.Mechanism("rod", gravity=(0, -9.81))
    one = m.body("one", mass=1.0, inertia=0.1, points={"p": (0, 0)}, position=(0.0, 0.0))
    two = m.body("two", mass=3.0, inertia=0.1, points={"p": (0, 0)}, position=(0.8, 0.0))
    m.distance(one.p, two.p, 0.8)
    for name, (vx, vy) in {"one": (2.0, 5.0), "two": (2.0, 1.0)}.items():
        m.need(f"{name}.p.x", rate=vx)
        m.need(f"{name}.p.y", rate=vy)
        m.need(f"{name}.angle", rate=0.0)
    run = gr.simulate(m, 3.0, tol=TOL)
    turn = -5.0 * run.t  # (1 − 5)/0.8 rad/s
    for axis, fly, along in (
        ("x", 0.6 + 2.0 * run.t, np.cos(turn)),
        ("y", 2.0 * run.t - 0.5 * 9.81 * run.t**2, np.sin(turn)),
    ):
        assert largest(run[f"one.p.{axis}"] - fly + 0.6 * along) < 40.0 * CLOSE  # it falls 38 m
        assert largest(run[f"two.p.{axis}"] - fly - 0.2 * along) < 40.0 * CLOSE


def pendulum_of(parts: int, dimension: int) -> gr.Mechanism:
    """A uniform bar of 2 m and 2 kg, whole or of two welded halves, held by a pin at one end, started level."""
    gravity = (0, -9.81) if dimension == 2 else (0, -9.81, 0)
    m = gr.Mechanism("bar", gravity=gravity)
    rest = (0.0,) * (dimension - 1)
    axis = None if dimension == 2 else (0, 0, 1)
    if parts == 1:
        bar = m.bar("bar", mass=2.0, start=(0, *rest), end=(2, *rest))
        m.revolute(m.ground.at(0, *rest), bar.start, axis=axis)
        return m
    inner = m.bar("inner", mass=1.0, start=(0, *rest), end=(1, *rest))
    outer = m.bar("bar", mass=1.0, start=(2, *rest), end=(1, *rest))
    m.revolute(m.ground.at(0, *rest), inner.start, axis=axis)
    m.weld(inner.end, outer.end)
    return m


@pytest.mark.parametrize("dimension", [2, 3])
def test_two_welded_halves_move_as_one_body(dimension: int) -> None:
    whole = gr.simulate(pendulum_of(1, dimension), 3.0, tol=TOL)
    halves = gr.simulate(pendulum_of(2, dimension), 3.0, tol=TOL)
    assert largest(halves["bar.start.x"] - whole["bar.end.x"]) < CLOSE
    assert largest(halves["bar.start.y"] - whole["bar.end.y"]) < CLOSE


def test_a_massless_bar_between_two_masses_is_a_rod() -> None:
    """A dumb-bell on a pin in the middle of a massless bar: φ̈ = g (m₁ − m₂) a cos φ/((m₁ + m₂) a²); same as with no
    bar."""
    m = gr.Mechanism("dumb-bell", gravity=(0, -9.81))
    bar = m.bar("bar", mass=0.0, start=(-0.5, 0.0), end=(0.5, 0.0))
    for name, mass, end in (("one", 1.0, bar.start), ("two", 2.5, bar.end)):
        ball = m.body(name, mass=mass, points={"p": (0, 0)}, position=(-0.5 if name == "one" else 0.5, 0.0))
        m.weld(end, ball.p)
    m.revolute(m.ground.at(0, 0), bar.at(0.5, 0.0, name="middle"))
    run = gr.simulate(m, 3.0, tol=TOL)
    rate = run["bar.angle.rate"]
    # energy: ½ (m₁ + m₂) a² φ̇² = −(m₂ − m₁) g a sin φ
    assert largest(0.5 * 3.5 * 0.25 * rate**2 + 1.5 * 9.81 * 0.5 * np.sin(run["bar.angle"])) < 10.0 * CLOSE
    assert largest(run["balance"]) < 10.0 * CLOSE


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_massless_link_of_a_four_bar_carries_no_energy(dimension: int) -> None:
    """A massless coupler is the same as a distance joint between the two moving pins."""
    runs = []
    for with_bar in (True, False):
        gravity, rest = ((0, -9.81), ()) if dimension == 2 else ((0, -9.81, 0), (0.0,))
        m = gr.Mechanism("four-bar", gravity=gravity)
        axis = None if dimension == 2 else (0, 0, 1)
        crank = m.bar("crank", mass=1.0, start=(0, 0, *rest), end=(0.3, 0.5, *rest))
        rocker = m.bar("rocker", mass=1.0, start=(1, 0, *rest), end=(1.2, 0.9, *rest))
        m.revolute(m.ground.at(0, 0, *rest), crank.start, axis=axis)
        m.revolute(m.ground.at(1, 0, *rest), rocker.start, axis=axis)
        if with_bar:
            coupler = m.bar("coupler", start=(0.3, 0.5, *rest), end=(1.2, 0.9, *rest))
            m.revolute(crank.end, coupler.start, axis=axis)
            m.revolute(coupler.end, rocker.end, axis=axis)
        else:
            m.distance(crank.end, rocker.end, math.hypot(0.9, 0.4))
        runs.append(gr.simulate(m, 3.0, tol=TOL))
    for name in ("crank.end.x", "crank.end.y", "rocker.end.x", "rocker.end.y"):
        assert largest(runs[0][name] - runs[1][name]) < 10.0 * CLOSE


def test_a_zero_length_spring_may_start_where_its_ends_meet() -> None:
    """m ẍ + c ẋ + k x = m g from x = 0: the spring pulls k x, and where its ends meet the damper still has c ẋ."""
    g, k, c, v0 = 9.81, 100.0, 3.0, -0.7
    m = gr.Mechanism("weight", gravity=(0, -g))
    weight = m.body("weight", mass=1.0, inertia=0.1, points={"p": (0, 0)})
    m.slider(m.ground.line((0, 0), (0, 1)), weight.line((0, 0), (0, 1)))
    m.need("weight.p.y", value=0.0, rate=v0)
    m.spring(m.ground.at(0, 0), weight.p, stiffness=k, length=0.0, damping=c, name="spring")
    run = gr.simulate(m, 3.0, tol=TOL)
    assert run.status.ok
    delta, rest = c / 2.0, -g / k
    nu = math.sqrt(k - delta**2)
    cosine, sine = np.cos(nu * run.t), np.sin(nu * run.t)
    expected = rest + np.exp(-delta * run.t) * (-rest * cosine + (v0 - delta * rest) / nu * sine)
    assert largest(run["weight.p.y"] - expected) < CLOSE
    assert largest(run["work.spring"] - (run.energy - run.energy[0])) < CLOSE


def test_a_zero_length_spring_makes_every_orbit_an_ellipse() -> None:
    """k r is linear: x and y swing harmonically, each by itself, also along a line through the centre."""
    for speed in (0.0, 0.8):
        m = gr.Mechanism("orbit")
        mass = m.body("mass", mass=2.0, points={"p": (0, 0)}, position=(0.5, 0.0))
        m.spring(m.ground.at(0, 0), mass.p, stiffness=18.0, length=0.0)
        m.need("mass.p.x", value=0.5, rate=0.0)
        m.need("mass.p.y", value=0.0, rate=speed)
        run = gr.simulate(m, 4.0, tol=TOL)
        assert largest(run["mass.p.x"] - 0.5 * np.cos(3.0 * run.t)) < CLOSE
        assert largest(run["mass.p.y"] - speed / 3.0 * np.sin(3.0 * run.t)) < CLOSE


# -- point masses


def pendulum(kind: str) -> gr.Mechanism:
    """The same pendulum as a point mass on a massless rod, on a massless bar, and as a bar with the mass at its end."""
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    pivot = m.ground.at(0, 0)
    if kind == "body":
        bob = m.body("bob", mass=2.0, center=(1.5, 0), points={"pivot": (0, 0), "p": (1.5, 0)})
        m.revolute(pivot, bob.pivot)
    else:
        bob = m.body("bob", mass=2.0, points={"p": (0, 0)}, position=(1.5, 0), angle=0.3)
        if kind == "rod":
            m.distance(pivot, bob.p, 1.5)
        else:
            bar = m.bar("bar", length=1.5)
            m.revolute(pivot, bar.start)
            m.revolute(bar.end, bob.p)
    m.need("bob.p.y", value=0.9)
    m.want("bob.p.x", value=1.2)
    return m


def test_a_point_mass_needs_no_inertia() -> None:
    expected = gr.simulate(pendulum("body"), 3.0, tol=TOL)
    for kind in ("rod", "bar"):
        run = gr.simulate(pendulum(kind), 3.0, tol=TOL)
        assert run.status.ok
        assert largest(run["bob.p.x"] - expected["bob.p.x"]) < CLOSE
        assert largest(run["bob.p.y"] - expected["bob.p.y"]) < CLOSE
        assert np.all(run["bob.angle"] == run["bob.angle"][0])
        assert abs(run["bob.angle"][0] - 0.3) < 1e-15
        assert gr.mobility(pendulum(kind)).dof == 1


def test_a_body_that_can_be_turned_still_needs_inertia() -> None:
    for turn in (
        lambda m, bob: m.torque(bob, 1.0),
        lambda m, bob: m.need(bob, value=0.1),
        lambda m, bob: m.force(bob.at(0.1, 0), (0, 1)),
    ):
        m = gr.Mechanism("pendulum", gravity=(0, -9.81))
        bob = m.body("bob", mass=2.0, points={"p": (0, 0)}, position=(1.5, 0))
        m.distance(m.ground.at(0, 0), bob.p, 1.5)
        turn(m, bob)
        with pytest.raises(gr.ModelError, match="give the body mass"):
            gr.simulate(m, 1.0)


def test_a_bar_whose_mass_was_left_out_is_no_particle() -> None:
    """It hangs on one joint only, but has two ends: its mass may have been forgotten, and is asked for."""
    m = gr.Mechanism("double pendulum", gravity=(0, -9.81))
    upper, lower = m.bar("upper", length=1.0, mass=1.0), m.bar("lower", length=1.0, mass=0.0)
    m.revolute(m.ground.at(0, 0), upper.start)
    m.revolute(upper.end, lower.start)
    with pytest.raises(gr.ModelError, match="'lower' can move although nothing that moves with it has mass"):
        gr.build(m)
