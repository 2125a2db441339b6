"""Accelerations, centres of mass and momenta, against closed forms and Newton's and Euler's laws."""

from __future__ import annotations

import numpy as np
import pytest

import grashof as gr
from tests import classics


def pendulum() -> gr.Mechanism:
    return classics.pendulum(0.3, length=0.8, mass=2.0)


def test_a_pendulum_accelerates_as_gravity_turns_it() -> None:
    run = gr.simulate(pendulum(), 2.0, tol=1e-10)
    angle, rate = run["rod.angle"], run["rod.angle.rate"]
    turning = -1.5 * 9.81 / 0.8 * np.cos(angle)
    assert run["rod.angle.acceleration"] == pytest.approx(turning, abs=1e-8)
    along = 0.8 * (-np.sin(angle) * turning - np.cos(angle) * rate**2)
    assert run["rod.end.x.acceleration"] == pytest.approx(along, abs=1e-8)
    assert run["rod.center.x.acceleration"] == pytest.approx(0.5 * along, abs=1e-8)
    assert run["rod.center.y"] == pytest.approx(0.4 * np.sin(angle), abs=1e-9)
    assert run["angular_momentum"] == pytest.approx(2.0 * 0.8**2 / 3.0 * rate, abs=1e-8)
    assert run.unit("rod.angle.acceleration") == "rad/s²"
    assert run.unit("angular_momentum") == "kg m²/s"


def test_momentum_changes_by_the_forces_from_outside() -> None:
    """ṗ = m g + pin, and Ḣ = Σ x × m g, for the pin is at the origin."""
    m = gr.Mechanism("double pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", mass=2.0, start=(0, 0), end=(0.8, 0))
    second = m.bar("second", mass=1.5, start=(0.8, 0), end=(0.8, 0.5))
    m.revolute(m.ground.at(0, 0), rod.start, name="pin")
    m.revolute(rod.end, second.start)
    run = gr.simulate(m, 1.5, tol=1e-10, times=3001)
    pin = run.reactions()
    for axis, weight in (("x", 0.0), ("y", -3.5 * 9.81)):
        assert 3.5 * run[f"center.{axis}.acceleration"] == pytest.approx(pin[f"pin.f{axis}"] + weight, abs=1e-6)
        assert run[f"momentum.{axis}"] == pytest.approx(3.5 * run[f"center.{axis}.rate"], abs=1e-12)
    turning = np.gradient(run["angular_momentum"], run.t, edge_order=2)
    assert turning[1:-1] == pytest.approx(-3.5 * 9.81 * run["center.x"][1:-1], abs=1e-3)


def test_a_free_body_keeps_its_momenta() -> None:
    """Euler's top: H is constant in space; at the start it is J ω + c × m v with ω = (0.2, 1.1, 3) rad/s and v =
    (0.5, 0.7, 0) m/s."""
    m = gr.Mechanism("top", gravity=(0, 0, 0))
    points = {"p": (0.3, 0, 0), "q": (0, 0.4, 0), "r": (0, 0, 0.5)}
    m.body("top", mass=2.0, inertia=(0.1, 0.2, 0.25), points=points, position=(1.0, 2.0, 3.0))
    m.need("top.p.x", value=1.3, rate=0.5)
    m.need("top.p.y", value=2.0, rate=0.7 + 0.3 * 3.0)
    m.need("top.p.z", value=3.0, rate=-0.3 * 1.1)
    m.need("top.q.x", value=1.0, rate=0.5 - 0.4 * 3.0)
    m.need("top.q.z", value=3.0, rate=0.4 * 0.2)
    m.need("top.r.x", rate=0.5 + 0.5 * 1.1)
    run = gr.simulate(m, 20.0, tol=1e-9)
    start = [run[f"momentum.{axis}"][0] for axis in "xyz"]
    assert start == pytest.approx([2.0 * 0.5, 2.0 * 0.7, 0.0], abs=1e-9)
    spin = np.array([0.1 * 0.2, 0.2 * 1.1, 0.25 * 3.0]) + np.cross([1.0, 2.0, 3.0], start)
    for axis, expected in zip("xyz", spin, strict=True):
        assert run[f"angular_momentum.{axis}"] == pytest.approx(np.full(len(run.t), expected), abs=1e-7)


def test_accelerations_of_measures_in_space_are_the_rates_of_their_rates() -> None:
    m = gr.Mechanism("ball", gravity=(0, 0, -9.81))
    rod = m.body("rod", mass=1.0, center=(0.4, 0, 0), inertia=(0.02, 0.05, 0.06), points={"tip": (0.8, 0, 0.1)})
    m.spherical(m.ground.at(0, 0, 0), rod.at(0, 0, 0))
    turn = m.angle("turn", rod, axis=(0, 0, 1))
    m.separation("reach", m.ground.at(1, 1, 0), rod.tip)
    m.need(turn, rate=2.0)
    run = gr.simulate(m, 1.0, tol=1e-11, times=20001)
    for name in ("turn", "reach", "rod.tip.z"):
        slopes = np.gradient(run[f"{name}.rate"], run.t, edge_order=2)
        assert run[f"{name}.acceleration"] == pytest.approx(slopes, rel=1e-5, abs=1e-5)  # h²/6 of the fastest swing


def test_what_is_derived_is_not_written_unless_asked_for() -> None:
    run = gr.simulate(pendulum(), 0.1)
    assert "momentum.x" in run.derived_names
    assert not set(run.derived_names) & set(run.names)
    with pytest.raises(gr.ModelError, match=r"did you mean 'momentum\.x'"):
        run["momentun.x"]


def test_bodies_may_be_called_like_what_is_derived() -> None:
    m = gr.Mechanism("names", gravity=(0, -9.81))
    for k, name in enumerate(("center", "momentum", "angular_momentum")):
        rod = m.bar(name, length=1.0, mass=1.0)
        m.revolute(m.ground.at(3.0 * k, 0), rod.start)
        m.need(rod.angle, value=0.0)
    run = gr.simulate(m, 0.5)
    for name in ("center", "momentum", "angular_momentum"):
        assert run[f"{name}.angle.acceleration"][0] == pytest.approx(-1.5 * 9.81)
        assert run[f"{name}.center.y.acceleration"][0] == pytest.approx(-0.75 * 9.81)
    assert run["momentum.y"][-1] == pytest.approx(3.0 * run["center.y.rate"][-1])


def driven() -> gr.Mechanism:
    """A crank that a motor turns, geared to a wheel with a damper, and a slider that another motor moves against a
    spring."""
    m = gr.Mechanism("driven", gravity=(0, -9.81))
    crank, wheel = m.bar("crank", length=0.3, mass=0.5), m.bar("wheel", length=0.2, mass=1.0)
    block = m.bar("block", start=(0, 1), end=(0.1, 1), mass=2.0)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(m.ground.at(1, 0), wheel.start)
    m.prismatic(m.ground.at(0, 1), block.start, axis=(1, 0))
    m.gear(crank.angle, wheel.angle, teeth=(20, 40), name="gear")
    m.torque(wheel.angle, "-0.3*wheel.angle.rate", name="brake")
    m.spring(m.ground.at(-1, 1), block.start, stiffness=30.0, length=0.5, name="spring")
    m.motor(crank.angle, "2*t + 0.3*sin(5*t)", name="drive")
    m.motor(m.separation("reach", m.ground.at(-1, 1), block.start), "1 + 0.2*sin(3*t)", name="shift")
    return m


def test_efforts_of_motors_and_couplings_are_those_of_the_reactions() -> None:
    run = gr.simulate(driven(), 1.0, tol=1e-9, times=101)
    found = run.reactions()
    for name in ("drive.torque", "gear.torque", "shift.force"):
        assert run[name] == pytest.approx(found[name], rel=1e-6, abs=1e-7), name
        assert run.unit(name) == found.unit(name)


def test_power_is_effort_times_rate_and_the_rate_of_work() -> None:
    run = gr.simulate(driven(), 1.0, tol=1e-10, times=2001)
    assert run["work.drive.rate"] == pytest.approx(run["drive.torque"] * run["crank.angle.rate"], abs=1e-7)
    assert run["work.shift.rate"] == pytest.approx(run["shift.force"] * run["reach.rate"], abs=1e-7)
    assert run["work.brake.rate"] == pytest.approx(-0.3 * run["wheel.angle.rate"] ** 2, abs=1e-9)
    slopes = np.gradient(run["work.drive"], run.t, edge_order=2)
    assert run["work.drive.rate"] == pytest.approx(slopes, abs=1e-3)
    assert run.unit("work.drive.rate") == "W"


def test_an_effort_that_is_not_unique_has_no_name() -> None:
    """Two pairs of gears between the same shafts: only the sum of their torques is known. That of the motor is."""
    m = driven()
    m.gear("crank.angle", "wheel.angle", teeth=(30, 60), name="second gear")
    run = gr.simulate(m, 0.2)
    assert np.isfinite(run["drive.torque"]).all()
    for name in ("gear.torque", "second gear.torque"):
        with pytest.raises(gr.ModelError, match="There is no quantity"):
            run[name]
