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
    """A dumb-bell on a pin in the middle of a massless bar: φ̈ = g (m₁ − m₂) a cos φ/((m₁ + m₂) a²); same as with no bar."""
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
