"""Events of mechanisms: when closed forms say, with an estimated error of their times."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

import grashof as gr
from grashof.program import build
from grashof.status import Code
from grashof.trajectory import Trajectory

from .test_crossing import four_bar_with_pendulum

GRAVITY = 9.81


def pendulum(angle: float = -0.5) -> gr.Mechanism:
    """A uniform rod of 1 m, let go at an angle (rad) from the horizontal."""
    m = gr.Mechanism("pendulum", gravity=(0, -GRAVITY))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=angle)
    return m


def quarter_period(angle: float) -> float:
    """From rest to the lowest position: K(sin(α/2))/ω, where α is the angle from the lowest position and ω² = 3g/2 of a uniform rod."""
    away = angle + 0.5 * math.pi
    return float(mpmath.ellipk(math.sin(0.5 * away) ** 2)) / math.sqrt(1.5 * GRAVITY)


def free_ball(height: float, speed: float = 0.0) -> gr.Mechanism:
    """A point mass of 2 kg that falls along y."""
    m = gr.Mechanism("ball", gravity=(0, -GRAVITY))
    ball = m.body("ball", mass=2.0, points={"center": (0, 0)}, position=(0, height))
    m.need("ball.center.x", value=0.0, rate=0.0)
    m.need("ball.center.y", value=height, rate=speed)
    assert ball is not None
    return m


@pytest.mark.parametrize("tol", [1e-4, 1e-6, 1e-8, 1e-10])
def test_a_pendulum_passes_its_lowest_position_when_elliptic_functions_say(tol: float) -> None:
    m = pendulum()
    m.event("rod.end.x", name="below")
    run = gr.simulate(m, 5.0, tol=tol)
    quarter = quarter_period(-0.5)
    exact = quarter * np.arange(1, 40, 2)
    assert [x.time for x in run.events] == pytest.approx(exact[exact < 5.0], abs=tol)
    assert [x.rising for x in run.events] == [bool(k % 2) for k in range(len(run.events))]
    assert run.status.ok
    for x in run.events:
        assert x.error is not None
        assert x.error < tol


def test_a_run_goes_on_until_a_condition_is_met() -> None:
    run = gr.simulate(pendulum(), 10.0, until="rod.end.x < 0")
    assert run.status.ok
    assert run.status.ended is Code.EVENT
    assert run.t[-1] == pytest.approx(quarter_period(-0.5), abs=1e-7)
    assert len(run.t) == 1001
    assert run["rod.end.x"][-1] <= 0.0
    assert run["rod.end.x"][-1] == pytest.approx(0.0, abs=1e-14)
    assert run.events[-1].name == "until rod.end.x < 0"
    assert run.error is not None
    assert run.error <= 1e-6
    assert np.all(run.error_estimate("rod.end.y") < 1e-6)


def test_times_that_were_asked_for_stay_what_they_are() -> None:
    run = gr.simulate(pendulum(), 10.0, until="rod.end.x < 0", times=[0.1, 0.2, 5.0])
    assert run.t.tolist() == [0.1, 0.2]


def test_whole_turns_are_counted() -> None:
    """A rod that turns without friction in a horizontal plane, at 2 rad/s."""
    m = gr.Mechanism("rotor")
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=0.5, rate=2.0)
    run = gr.simulate(m, 100.0, until="rod.angle > 20*pi")
    assert run.t[-1] == pytest.approx((20.0 * math.pi - 0.5) / 2.0, abs=1e-8)
    with pytest.raises(gr.ModelError, match=r"whole turns of 'rod.angle'"):
        gr.simulate(build(m), 100.0, until="rod.angle > 20*pi")


def test_conditions_are_combined() -> None:
    """y falls from 5 m: below 3 m it is from √(4/g) on, faster than 7 m/s from 7/g on."""
    both = gr.simulate(free_ball(5.0), 3.0, until="ball.center.y < 3 and ball.center.y.rate < -7")
    either = gr.simulate(free_ball(5.0), 3.0, until="ball.center.y < 3 or ball.center.y.rate < -7")
    times = math.sqrt(4.0 / GRAVITY), 7.0 / GRAVITY
    assert both.t[-1] == pytest.approx(max(times), abs=1e-9)
    assert either.t[-1] == pytest.approx(min(times), abs=1e-9)


def test_a_condition_that_holds_already_ends_the_run_at_the_start() -> None:
    run = gr.simulate(free_ball(5.0), 3.0, until="ball.center.y < 6")
    assert run.t.tolist() == [0.0]
    assert run.status.ok


def test_a_condition_that_never_comes_true_ends_nothing() -> None:
    run = gr.simulate(pendulum(), 1.0, until="rod.end.y > 0.1")
    assert run.status.ended is Code.SUCCESS
    assert not run.events


def test_both_runs_of_the_error_estimate_end_at_the_event() -> None:
    run = gr.simulate(pendulum(), 10.0, until="rod.end.x < 0", tol=1e-7)
    companion = run.steps.companion
    assert companion is not None
    assert companion.steps.status.ended is Code.EVENT
    exact = quarter_period(-0.5)
    (event,) = run.events
    assert event.error is not None
    assert abs(event.time - exact) < event.error + 1e-13


def test_events_do_not_change_the_motion() -> None:
    m = pendulum()
    plain = gr.simulate(m, 5.0, check_error=False)
    m.event("rod.end.x")
    m.event("rod.end.y.rate", crosses=0.7, direction="up")
    watched = gr.simulate(m, 5.0, check_error=False)
    assert np.array_equal(plain.steps.y, watched.steps.y)
    assert len(watched.events) > 5


def test_events_in_a_step_across_a_singular_position_are_found() -> None:
    """All bars of the four-bar lie in one line where the end of its crank passes y = 0: the step across leads over it."""
    m = four_bar_with_pendulum()
    plain = gr.simulate(m, 2.5, tol=1e-9, times=20001)
    m.event("crank.end.y", name="flat")
    m.event("crank.end.y", crosses=0.02, name="above")
    seen = gr.simulate(m, 2.5, tol=1e-8)
    assert np.array_equal(gr.simulate(plain.program, 2.5, tol=1e-8).steps.y, seen.steps.y)
    for name, value in (("flat", 0.0), ("above", 0.02)):
        height = plain["crank.end.y"] - value
        cells = np.flatnonzero((height[1:] > 0.0) != (height[:-1] > 0.0))
        slope = height[cells + 1] - height[cells]
        exact = plain.t[cells] - height[cells] / slope * (plain.t[1] - plain.t[0])
        times = [x.time for x in seen.events if x.name == name]
        assert times == pytest.approx(exact, abs=1e-6)
        assert any(x.begin < t < x.end for x in seen.steps.crossings for t in times)


def test_a_run_ends_inside_a_step_across_a_singular_position() -> None:
    m = four_bar_with_pendulum()
    plain = gr.simulate(m, 2.5, tol=1e-9)
    run = gr.simulate(m, 2.5, tol=1e-8, until="t > 0.4 and crank.end.y < -0.02")
    assert run.steps.crossings[-1].begin < run.t[-1] == run.steps.crossings[-1].end
    assert run["crank.end.y"][-1] == pytest.approx(-0.02, abs=1e-9)
    there = Trajectory(plain.program, plain.steps, run.t[-1:])
    assert run["pendulum.end.x"][-1] == pytest.approx(there["pendulum.end.x"][0], abs=1e-6)
