"""Forces at points, in world axes and in the body's own, and forces a user writes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.special import fresnel

import grashof as gr

from .accuracy import CLOSE, TOL, largest


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_force_at_the_centre_of_mass_is_like_gravity(dimension: int) -> None:
    """m g at the centre moves a pendulum as gravity does, and its work is what gravity's potential loses."""
    runs = []
    for by_gravity in (True, False):
        pull = (0.0, -9.81) if dimension == 2 else (0.0, 0.0, -9.81)
        m = gr.Mechanism("pendulum", gravity=pull if by_gravity else tuple(0.0 * x for x in pull))
        rest = (0.0,) * (dimension - 1)
        bar = m.bar("bar", mass=2.0, start=(0, *rest), end=(1, *rest))
        axis = None if dimension == 2 else (0, 1, 0)
        m.revolute(m.ground.at(0, *rest), bar.start, axis=axis)
        if not by_gravity:
            m.force(bar.at(0.5, *rest, name="middle"), 2.0 * np.array(pull), name="pull")
        runs.append(gr.simulate(m, 3.0, tol=TOL))
    heavy, pulled = runs
    height = "yz"[dimension - 2]
    assert largest(heavy[f"bar.end.{height}"] - pulled[f"bar.end.{height}"]) < CLOSE
    assert largest(pulled["work.pull"] - heavy["potential"][0] + heavy["potential"]) < 10.0 * CLOSE
    assert largest(pulled["balance"]) < 10.0 * CLOSE


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_force_that_turns_with_its_body_drives_it_along_a_clothoid(dimension: int) -> None:
    """F along the body's y at (r, 0) from the centre: θ = ½ α t², α = F r/I, and the centre's acceleration is
    (F/m) (−sin θ, cos θ): its velocity is a pair of Fresnel integrals. S(z) = ∫ sin(½π u²) du."""
    m = gr.Mechanism("rocket", dimension=dimension)
    rest = (0.0,) * (dimension - 2)
    inertia = 0.4 if dimension == 2 else (0.3, 0.3, 0.4)
    body = m.body("body", mass=2.0, inertia=inertia, points={"center": (0, 0, *rest), "jet": (0.5, 0, *rest)})
    m.guess(body, (0.0, 0.0, *rest))
    m.force(body.jet, (0.0, 3.0, *rest), axes="body", name="jet")
    run = gr.simulate(m, 4.0, tol=TOL)
    alpha = 3.0 * 0.5 / 0.4
    scale = math.sqrt(math.pi / alpha)
    sine, cosine = fresnel(run.t / scale)
    assert largest(run["body.center.x.rate"] + 1.5 * scale * sine) < CLOSE
    assert largest(run["body.center.y.rate"] - 1.5 * scale * cosine) < CLOSE
    turn = 0.5 * alpha * run.t**2
    assert largest(run["body.jet.x"] - run["body.center.x"] - 0.5 * np.cos(turn)) < 10.0 * CLOSE
    kinetic = 0.5 * 2.0 * (1.5 * scale) ** 2 * (sine**2 + cosine**2) + 0.5 * 0.4 * (alpha * run.t) ** 2
    assert largest(run["work.jet"] - kinetic) < 100.0 * CLOSE  # 45 J


# -- forces a user writes


def puck(dimension: int = 2) -> tuple[gr.Mechanism, Any]:
    m = gr.Mechanism("puck", dimension=dimension)
    rest = (0.0,) * (dimension - 1)
    block = m.body("block", mass=2.0, inertia=0.1 if dimension == 2 else (0.1, 0.1, 0.1), points={"p": (0, *rest)})
    m.prismatic(m.ground.at(0, *rest), block.p, axis=(1, *rest))
    return m, block


@pytest.mark.parametrize("dimension", [2, 3])
def test_linear_drag_written_by_the_user(dimension: int) -> None:
    """v = v₀ e^(−c t/m), x = v₀ (m/c) (1 − e^(−c t/m)); the work is the energy lost."""

    def drag(t: Any, positions: Any, velocities: Any) -> list[Any]:
        return [[-0.7 * v for v in velocities[0]]]

    m, block = puck(dimension)
    m.user_force(drag, [block.p])
    m.need("block.p.x", value=0.0, rate=5.0)
    run = gr.simulate(m, 5.0, tol=TOL)
    decay = np.exp(-0.35 * run.t)
    assert largest(run["block.p.x.rate"] - 5.0 * decay) < 5.0 * CLOSE
    assert largest(run["block.p.x"] - 5.0 / 0.35 * (1.0 - decay)) < 15.0 * CLOSE
    assert largest(run["work.drag"] - 25.0 * (decay**2 - 1.0)) < 25.0 * CLOSE


def test_quadratic_drag_written_with_grashof_s_functions() -> None:
    """m v̇ = −k |v| v: v = v₀/(1 + k v₀ t/m), x = (m/k) ln(1 + k v₀ t/m)."""

    def drag(t: Any, positions: Any, velocities: Any) -> list[Any]:
        vx, vy = velocities[0]
        speed = gr.sqrt(vx * vx + vy * vy)
        return [[-0.3 * speed * vx, -0.3 * speed * vy]]

    m, block = puck()
    m.user_force(drag, [block.p])
    m.need("block.p.x", value=0.0, rate=5.0)
    run = gr.simulate(m, 5.0, tol=TOL)
    slower = 1.0 + 0.3 * 5.0 / 2.0 * run.t
    assert largest(run["block.p.x.rate"] - 5.0 / slower) < 5.0 * CLOSE
    assert largest(run["block.p.x"] - 2.0 / 0.3 * np.log(slower)) < 15.0 * CLOSE


def test_a_force_that_changes_with_time_and_place() -> None:
    """m ẍ = −k x + F sin(ω t), off resonance, from rest: x = F/(k − m ω²) (sin ωt − (ω/ω₀) sin ω₀t)."""

    def shaker(t: Any, positions: Any, velocities: Any) -> list[Any]:
        return [[-18.0 * positions[0][0] + 4.0 * gr.sin(2.0 * t), 0.0]]

    m, block = puck()
    m.user_force(shaker, [block.p])
    m.need("block.p.x", value=0.0, rate=0.0)
    run = gr.simulate(m, 5.0, tol=TOL)
    exact = 4.0 / (18.0 - 2.0 * 4.0) * (np.sin(2.0 * run.t) - 2.0 / 3.0 * np.sin(3.0 * run.t))
    assert largest(run["block.p.x"] - exact) < CLOSE


def test_a_torque_written_by_the_user_knows_whole_turns() -> None:
    """I θ̈ = −k θ³ from θ₀ = 10 rad: energy ½ I θ̇² + ¼ k θ⁴ is kept; an angle wrapped at π would not keep it."""

    def hardening(t: Any, angles: Any, rates: Any) -> list[Any]:
        return [-0.01 * angles[0] ** 3]

    m = gr.Mechanism("wheel")
    wheel = m.body("wheel", mass=1.0, inertia=0.25, points={"hub": (0, 0), "rim": (0.3, 0)})
    m.revolute(m.ground.at(0, 0), wheel.hub)
    m.user_force(hardening, [wheel])
    m.need(wheel.angle, value=10.0, rate=0.0)
    run = gr.simulate(m, 5.0, tol=TOL)
    energy = 0.5 * 0.25 * run["wheel.angle.rate"] ** 2 + 0.0025 * run["wheel.angle"] ** 4
    assert np.min(run["wheel.angle"]) < -9.9
    assert largest(energy - 25.0) < 100.0 * CLOSE
    assert largest(run["work.hardening"] - 25.0 + 0.0025 * run["wheel.angle"] ** 4) < 100.0 * CLOSE


def test_a_force_along_a_distance_pulls_both_ends() -> None:
    """A pull of −k l along the distance of two free masses: the distance swings with ω² = k/μ, the centre rests."""

    def pull(t: Any, distances: Any, rates: Any) -> list[Any]:
        return [-40.0 * (distances[0] - 1.0)]

    m = gr.Mechanism("two masses", dimension=3)
    one = m.body("one", mass=1.0, points={"p": (0, 0, 0)}, position=(0.0, 0.0, 0.0))
    two = m.body("two", mass=3.0, points={"p": (0, 0, 0)}, position=(0.9, 1.2, 0.0))
    span = m.separation("span", one.p, two.p)
    m.user_force(pull, [span])
    run = gr.simulate(m, 4.0, tol=TOL)
    assert largest(run[span] - 1.0 - 0.5 * np.cos(math.sqrt(40.0 / 0.75) * run.t)) < CLOSE
    assert largest(run["one.p.y"] + 3.0 * run["two.p.y"] - 3.6) < CLOSE


def test_an_if_on_a_traced_value_is_refused_with_the_force_s_name_and_advice() -> None:
    def stop(t: Any, positions: Any, velocities: Any) -> list[Any]:
        return [[-1.0 if positions[0][0] > 0.0 else 1.0, 0.0]]

    m, block = puck()
    m.user_force(stop, [block.p], name="end stop")
    with pytest.raises(gr.ModelError, match=r"'end stop'.*np\.where"):
        gr.simulate(m, 1.0)


def test_the_same_force_with_where_runs() -> None:
    """A constant force towards the middle: parabolas, one after the other; T = 4 √(2 x₀ m/F)."""

    def stop(t: Any, positions: Any, velocities: Any) -> list[Any]:
        return [[gr.where(positions[0][0], -1.0, 1.0), 0.0]]

    m, block = puck()
    m.user_force(stop, [block.p])
    m.need("block.p.x", value=0.25, rate=0.0)
    period = 4.0 * math.sqrt(2.0 * 0.25 * 2.0)
    run = gr.simulate(m, period, tol=1e-8)
    assert run.status.ok
    # the step control has to find the kinks: the error is that of steps which fit them, not of smooth ones
    assert abs(run["block.p.x"][-1] - 0.25) < 1e-6


def test_a_user_force_with_a_wrong_number_of_efforts_is_refused() -> None:
    def nothing(t: Any, positions: Any, velocities: Any) -> list[Any]:
        return []

    m, block = puck()
    m.user_force(nothing, [block.p])
    with pytest.raises(gr.ModelError, match=r"'nothing'.*0 efforts for 1 targets"):
        gr.simulate(m, 1.0)


def test_a_force_and_a_motor_may_not_disturb_each_other_s_work() -> None:
    """Both are called "drive": the run's states must still be as many as its equations."""
    m = gr.Mechanism("wheel")
    wheel = m.body("wheel", mass=1.0, inertia=0.25, points={"hub": (0, 0), "rim": (0.3, 0)})
    m.revolute(m.ground.at(0, 0), wheel.hub)
    m.torsion_spring(wheel, stiffness=0.0, damping=0.1, name="drive")
    m.motor(wheel, "2*t", name="drive")
    try:
        program = gr.build(m)
    except gr.ModelError:
        return  # refused by name: as good
    dynamics = program.dynamics
    rates = dynamics.derivative([0.0, *program.assembly.q, *program.assembly.v, *[0.0] * dynamics.layout.extra])
    assert len(rates) == dynamics.n + dynamics.layout.extra


def test_a_torque_on_a_body_in_space_is_the_one_of_the_plane() -> None:
    """The same crank in the x-y plane and hinged about −y in space, whose angle counts from where it starts."""
    plane = gr.Mechanism("plane", gravity=(0, -9.81))
    space = gr.Mechanism("space", gravity=(0, 0, -9.81))
    flat = plane.bar("crank", start=(0, 0), end=(0.6, 0.8), mass=1.5)
    crank = space.bar("crank", start=(0, 0, 0), end=(0.6, 0, 0.8), mass=1.5)
    plane.revolute(plane.ground.at(0, 0), flat.start)
    space.revolute(space.ground.at(0, 0, 0), crank.start, axis=(0, -1, 0))
    for m, bar in ((plane, flat), (space, crank)):
        m.motor(bar, torque=9.0, name="drive")
        m.need(bar.angle, rate=-1.0)
    expected, run = (gr.simulate(m, 2.0, tol=TOL) for m in (plane, space))
    begin = math.atan2(0.8, 0.6)
    assert largest(run["crank.angle"] - (expected["crank.angle"] - begin)) < CLOSE
    assert largest(run["work.drive"] - expected["work.drive"]) < CLOSE
