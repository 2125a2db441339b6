"""The tolerance is the error over the whole run; if it cannot be kept, the status says so."""

from __future__ import annotations

import math
from typing import Any

import mpmath
import numpy as np
import pytest

import grashof as gr
from grashof.common.status import Code


def flywheel(rate: float) -> gr.Mechanism:
    m = gr.Mechanism("flywheel")
    wheel = m.body("wheel", mass=1.0, inertia=1.0, points={"hub": (0, 0), "rim": (1, 0)})
    m.revolute(m.ground.at(0, 0), wheel.hub)
    m.need(wheel.angle, value=0.0, rate=rate)
    return m


@pytest.mark.parametrize("tol", [1e-3, 1e-6, 1e-8])
def test_a_flywheel_is_where_it_should_be_after_a_thousand_turns(tol: float) -> None:
    run = gr.simulate(flywheel(1000.0), 10.0, tol=tol)
    assert run.status.ok
    off = math.hypot(run["wheel.rim.x"][-1] - math.cos(1e4), run["wheel.rim.y"][-1] - math.sin(1e4))
    assert off < tol
    assert run.error is not None
    assert off < run.error <= tol
    assert off < run.error_estimate("wheel.rim.x")[-1] + run.error_estimate("wheel.rim.y")[-1]


def test_a_pendulum_keeps_its_phase_over_a_thousand_swings() -> None:
    """θ from the horizontal: sin((θ + π/2)/2) = k cd(ωt, k), k = sin 45°, ω² = 3g/2ℓ of a uniform bar."""
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    bar = m.bar("bar", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), bar.start)
    m.need(bar.angle, value=0.0, rate=0.0)
    run = gr.simulate(m, 2000.0, times=3)
    k = mpmath.sin(mpmath.pi / 4)
    exact = 2 * mpmath.asin(k * mpmath.ellipfun("cd", mpmath.sqrt(1.5 * 9.81) * 2000, k=k)) - mpmath.pi / 2
    assert run.status.ok
    assert abs(run["bar.angle"][-1] - float(exact)) < 2e-6


def test_a_tolerance_that_only_the_number_of_steps_prevents_is_met_with_more_of_them_as_the_status_says() -> None:
    settings = {"tol": 1e-6, "method": "bs5", "formulation": "natural"}  # its angle needs no steps
    run = gr.simulate(flywheel(1000.0), 2.0, max_steps=60_000, **settings)
    assert run.status.code is Code.TOLERANCE_UNMET
    assert "used up the allowed number of steps: allow more (`max_steps`)" in str(run.status)
    assert gr.simulate(flywheel(1000.0), 2.0, **settings).status.ok


def test_a_motion_that_no_tolerance_can_follow_is_not_called_a_success() -> None:
    """A double pendulum parts from its neighbours tenfold every second or so: after two minutes no digit is left."""
    m = gr.Mechanism("double pendulum", gravity=(0, -9.81))
    one, two = m.bar("one", length=1.0, mass=1.0), m.bar("two", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), one.start)
    m.revolute(one.end, two.start)
    m.need(one.angle, value=1.5)
    m.need(two.angle, value=1.6)
    run = gr.simulate(m, 120.0, times=11)
    assert run.status.code is Code.TOLERANCE_UNMET
    assert "estimated error" in str(run.status)
    assert "max_steps" not in str(run.status)
    assert run.error is not None
    assert run.error > 1e-3


def test_one_run_alone_has_no_estimate() -> None:
    run = gr.simulate(flywheel(10.0), 1.0, check_error=False)
    assert run.status.ok
    assert run.error is None
    with pytest.raises(gr.ModelError, match="check_error"):
        run.error_estimate("wheel.rim.x")


def test_the_error_of_fixed_steps_is_estimated() -> None:
    run = gr.simulate(flywheel(10.0), 1.0, method="rk4", step=0.01, formulation="natural")
    off = abs(run["wheel.rim.x"] - np.cos(10.0 * run.t))
    assert np.max(off) < run.error_estimate("wheel.rim.x")[-1] < 100.0 * np.max(off)


def shaft() -> gr.Mechanism:
    m = gr.Mechanism("shaft")
    wheel = m.body("wheel", mass=1.0, inertia=1.0, points={"hub": (0, 0)})
    m.revolute(m.ground.at(0, 0), wheel.hub)
    m.motor(wheel, "t", name="drive")
    m.user_force(lambda t, x, v: [-(1.0 + gr.cos(40.0 * t))], [wheel.angle], name="load")
    return m


@pytest.mark.parametrize("tol", [1e-2, 1e-4, 1e-6, 1e-9])
def test_the_work_of_a_motor_keeps_the_tolerance(tol: float) -> None:
    """Against −(1 + cos 40t) at 1 rad/s: W = t + sin(40t)/40."""
    run = gr.simulate(shaft(), 10.0, tol=tol)
    assert run.status.ok
    off = np.abs(run["work.drive"] - run.t - np.sin(40.0 * run.t) / 40.0)
    assert np.max(off) < 10.0 * tol  # of 10 J


def block(push: Any) -> gr.Mechanism:
    m = gr.Mechanism("block")
    body = m.body("body", mass=1.0, inertia=0.1, points={"p": (0, 0)})
    m.slider(m.ground.line((0, 0), (1, 0)), body.line((0, 0), (1, 0)))
    m.user_force(lambda t, x, v: [[push(t), 0.0]], [body.p])
    return m


@pytest.mark.parametrize(
    ("push", "impulse"),
    [
        (lambda t: 10.0 * gr.where((t - 5.0) * (5.1 - t), 1.0, 0.0), 1.0),
        (lambda t: 1e5 * gr.where((t - 5.0) * (5.00001 - t), 1.0, 0.0), 1.0),
        (lambda t: gr.where(t - 5.3, 1.0, 0.0), 4.7),
        (lambda t: 10.0 * gr.exp(-(((t - 7.7) / 0.02) ** 2)), 0.2 * math.sqrt(math.pi)),
        (lambda t: 0.5 * (1.0 + gr.tanh(1e7 * (t - 3.21))), 6.79),
    ],
    ids=["pulse", "short pulse", "step", "bell", "steep"],
)
@pytest.mark.parametrize("tol", [1e-3, 1e-6, 1e-9])
def test_what_happens_to_a_block_at_rest_is_not_missed(push: Any, impulse: float, tol: float) -> None:
    run = gr.simulate(block(push), 10.0, tol=tol)
    assert run.status.ok
    assert run["body.p.x.rate"][-1] == pytest.approx(impulse, abs=10.0 * tol)


def test_no_step_is_longer_than_allowed() -> None:
    run = gr.simulate(flywheel(1.0), 10.0, max_step=0.125)
    assert np.max(np.diff(run.steps.t)) <= 0.125 * (1.0 + 1e-12)
    with pytest.raises(gr.ModelError, match="longest step"):
        gr.simulate(flywheel(1.0), 10.0, max_step=0.0)


def test_a_run_that_tells_something_that_is_no_number_is_not_a_success() -> None:
    """The rate of √((t − 1)²) at t = 1, one of the times asked for, is 0/0."""
    m = gr.Mechanism("kink")
    bar = m.bar("bar", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), bar.start)
    m.motor(bar, "(t-1)*sqrt((t-1)**2)")
    run = gr.simulate(m, 2.0)
    assert run.status.code is Code.NOT_FINITE
    assert run.status.time == pytest.approx(1.0, abs=1e-6)


def test_a_stiff_damper_is_named_as_what_makes_steps_small() -> None:
    m = gr.Mechanism("stiff", gravity=(0, -9.81))
    one, two = m.bar("one", length=1.0, mass=1.0), m.bar("two", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), one.start)
    m.revolute(one.end, two.start)
    m.torsion_spring(two.angle, stiffness=1e3, damping=1e6)
    run = gr.simulate(m, 10.0, max_steps=2000, method="dop853")
    assert run.status.code is Code.TOO_MANY_STEPS
    assert "stiff" in str(run.status)


def test_fixed_steps_that_are_far_too_long_are_no_success() -> None:
    run = gr.simulate(flywheel(10.0), 10.0, method="rk4", step=0.08, formulation="natural")
    assert not run.status.ok
    assert run.error is not None
    assert run.error > 0.1


def field(width: float) -> gr.Mechanism:
    """A mass that coasts at 1 m/s through a field of this width, which does 0.3 J on it: ½ v² = ½ + 0.3."""
    m = gr.Mechanism("field")
    body = m.body("body", mass=1.0, inertia=0.1, points={"p": (0, 0)})
    m.slider(m.ground.line((0, 0), (1, 0)), body.line((0, 0), (1, 0)))
    inside = 0.3 / width
    m.user_force(
        lambda t, x, v: [[inside * gr.where((x[0][0] - 4.3) * (4.3 + width - x[0][0]), 1.0, 0.0), 0.0]], [body.p]
    )
    m.need("body.p.x", value=0.0, rate=1.0)
    return m


def through_a_field(width: float, tol: float) -> gr.Trajectory:
    """Its motion."""
    return gr.simulate(field(width), 15.0, tol=tol)


@pytest.mark.parametrize("width", [0.3, 0.01, 1e-3, 1e-4])
def test_a_force_that_acts_at_a_place_is_not_stepped_over(width: float) -> None:
    run = through_a_field(width, 1e-6)
    assert run.status.ok
    assert run["body.p.x.rate"][-1] == pytest.approx(math.sqrt(1.6), abs=1e-5)


def test_nor_is_it_in_a_run_that_is_delivered_in_pieces() -> None:
    *_, last = gr.stream(field(1e-3), 15.0)
    assert last["body.p.x.rate"][-1] == pytest.approx(math.sqrt(1.6), abs=1e-4)


@pytest.mark.parametrize("method", ["radau5", "radau9", "radau13", "rodas5p"])
def test_a_block_that_comes_to_rest_on_a_rough_plane_stays_there(method: str) -> None:
    """Friction of 3 N on 1 kg, and from 0.5 s on a load of 2 N as well, which the friction holds afterwards. A step
    from one direction of the friction to the other would go on."""
    m = gr.Mechanism("block")
    block = m.body("block", mass=1.0, inertia=0.1, points={"p": (0, 0)})
    m.slider(m.ground.line((0, 0), (1, 0)), block.line((0, 0), (1, 0)), name="guide")
    m.friction("guide", coulomb=3.0, slip_speed=1e-7)
    m.force(block.p, ("-2*where(t - 0.5, 1.0, 0.0)", 0.0))
    m.need("block.p.x", value=0.0, rate=2.0)
    at_half, rest = 2.0 * 0.5 - 1.5 * 0.25, 0.5**2 / (2.0 * 5.0)
    for tol in (1e-2, 1e-3, 1e-4, 1e-6):
        run = gr.simulate(m, 2.0, tol=tol, method=method)
        assert run.status.ok
        assert run["block.p.x"][-1] == pytest.approx(at_half + rest, abs=3.0 * tol)
        assert abs(run["block.p.x.rate"][-1]) < max(1e-7, 3.0 * tol)


@pytest.mark.parametrize("width", [1e-6, 1e-8, 1e-10])
def test_however_short_the_way_is_it_is_right_or_no_success(width: float) -> None:
    """The narrower of them are passed within less than the error of a step."""
    run = through_a_field(width, 1e-3)
    assert abs(run["body.p.x.rate"][-1] - math.sqrt(1.6)) < 1e-3 or not run.status.ok
    assert abs(run["body.p.x.rate"][-1] - 1.0) > 0.1  # it is noticed in any case
