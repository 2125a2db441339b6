"""Events of mechanisms: when closed forms say, with an estimated error of their times."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

import grashof as gr
from grashof.common.status import Code
from grashof.motion.trajectory import Trajectory
from grashof.program import build
from tests import classics

from .test_crossing import four_bar_with_pendulum

GRAVITY = 9.81


def pendulum(angle: float = -0.5) -> gr.Mechanism:
    """A uniform rod of 1 m, let go at an angle (rad) from the horizontal."""
    return classics.pendulum(angle)


def quarter_period(angle: float) -> float:
    """From rest to the lowest position: K(sin(α/2))/ω, where α is the angle from the lowest position and ω² = 3g/2
    of a uniform rod."""
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
    """All bars of the four-bar lie in one line where the end of its crank passes y = 0: the step across leads over
    it."""
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


# -- what changes the motion


def oscillator(switched: str) -> gr.Mechanism:
    """1 kg on a spring of 4 N/m along x, from rest at x = −1; a force of 2 N that is off at first is switched on by
    an event."""
    m = gr.Mechanism("oscillator")
    mass = m.body("mass", mass=1.0, inertia=1.0, points={"c": (0, 0)}, position=(-1, 0))
    m.slider(m.ground.line((0, 0), (1, 0)), mass.line((0, 0), (1, 0)))
    m.force(mass.point("c"), ("-4*mass.c.x", 0), name="spring")
    m.force(mass.point("c"), (2, 0), active=False, name="push")
    m.need("mass.c.x", value=-1.0, rate=0.0)
    m.event("mass.c.x", crosses=0.0, direction="up", does=switched, name="middle")
    return m


@pytest.mark.parametrize("tol", [1e-5, 1e-7, 1e-9])
def test_a_force_that_is_switched_on_moves_an_oscillator_as_the_closed_form_says(tol: float) -> None:
    """x = −cos 2t up to t₁ = π/4, where v = 2; from then on about x = ½: x = ½ − ½ cos 2τ + sin 2τ, τ = t − t₁."""
    run = gr.simulate(oscillator("switch push on"), 2.0, tol=tol)
    assert run.status.ok
    first = 0.25 * math.pi
    assert run.events[0].time == pytest.approx(first, abs=tol)
    later = run.t - first
    exact = np.where(later < 0.0, -np.cos(2.0 * run.t), 0.5 - 0.5 * np.cos(2.0 * later) + np.sin(2.0 * later))
    assert np.abs(run["mass.c.x"] - exact).max() < 3.0 * tol
    assert run["work.push"][-1] == pytest.approx(2.0 * exact[-1], abs=10.0 * tol)
    assert np.abs(run["balance"]).max() < 30.0 * tol
    assert run.error is not None
    assert run.error <= tol


def test_a_force_that_is_never_switched_on_does_nothing() -> None:
    run = gr.simulate(oscillator("record"), 2.0, tol=1e-8)
    assert run["mass.c.x"] == pytest.approx(-np.cos(2.0 * run.t), abs=1e-7)
    assert np.abs(run["work.push"]).max() == 0.0


def test_a_spring_can_be_cut() -> None:
    """A mass on a stretched spring; the spring is cut where its length is 1 m, and the mass flies on with the speed
    it has then."""
    m = gr.Mechanism("catapult")
    mass = m.body("mass", mass=2.0, inertia=1.0, points={"c": (0, 0)}, position=(1.5, 0))
    m.slider(m.ground.line((0, 0), (1, 0)), mass.line((0, 0), (1, 0)))
    m.spring(m.ground.at(0, 0), mass.point("c"), stiffness=50.0, length=1.0, name="spring")
    m.need("mass.c.x", value=1.5, rate=0.0)
    m.event("mass.c.x", crosses=1.0, does="switch spring off", name="cut")
    run = gr.simulate(m, 0.5, tol=1e-9)
    assert run.status.ok
    first = 0.5 * math.pi / 5.0  # a quarter of the period 2π/√(50/2)
    assert run.events[0].time == pytest.approx(first, abs=1e-8)
    assert run["mass.c.x"][-1] == pytest.approx(1.0 - 2.5 * (0.5 - first), abs=1e-7)
    assert run["work.spring"][-1] == pytest.approx(0.5 * 50.0 * 0.25, abs=1e-7)
    loads = run.reactions()
    assert loads is not None


def test_whole_turns_are_counted_anew() -> None:
    """Every ten radians the count begins again: angles stay between −π and 10."""
    m = gr.Mechanism("rotor")
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=0.0, rate=2.0)
    m.event("rod.angle", crosses=10.0, direction="up", does="reset rod.angle", name="ten")
    run = gr.simulate(m, 20.0, tol=1e-8)
    left = 10.0 - 4.0 * math.pi
    assert run.status.ok
    assert [x.time for x in run.events] == pytest.approx(
        [5.0, 5.0 + (10.0 - left) / 2.0, 5.0 + (10.0 - left)], abs=1e-6
    )
    assert run["rod.angle"].max() <= 10.0 + 1e-6


def bouncing(restitution: float, height: float = 1.0) -> gr.Mechanism:
    m = free_ball(height)
    m.event("ball.center.y", direction="down", does=f"bounce {restitution!r}", name="floor")
    return m


@pytest.mark.parametrize("restitution", [0.7, 1.0])
def test_a_ball_bounces_when_the_closed_form_says_and_loses_what_restitution_takes(restitution: float) -> None:
    run = gr.simulate(bouncing(restitution), 2.2, tol=1e-8)
    first = math.sqrt(2.0 / GRAVITY)
    times = first + np.concatenate([[0.0], np.cumsum(2.0 * first * restitution ** np.arange(1, 20))])
    bounces = times[times < 2.2] if restitution < 1.0 else first * np.arange(1, 40, 2)[: len(run.events)]
    assert run.status.ok
    assert [x.time for x in run.events] == pytest.approx(bounces, abs=1e-8)
    lost = 2.0 * GRAVITY * (1.0 - restitution ** (2 * len(run.events)))
    assert run["work.floor"][-1] == pytest.approx(-lost, abs=1e-6)
    assert np.abs(run["balance"]).max() < 1e-6
    assert np.min(run["ball.center.y"]) > -1e-9


def test_more_events_than_allowed_end_the_run_with_a_sentence() -> None:
    few = gr.simulate(bouncing(0.9), 10.0, max_events=5)
    assert few.status.ended is Code.TOO_MANY_EVENTS
    assert "max_events" in str(few.status)


def test_a_pendulum_bounces_off_a_stop_below_its_pivot() -> None:
    """It swings to one side only: from rest down to the stop, back up to where e² of the energy takes it."""
    m = pendulum(-0.5)
    m.event("rod.end.x", direction="down", does="bounce 0.6", name="stop")
    run = gr.simulate(m, 1.5, tol=1e-9)
    quarter = quarter_period(-0.5)
    rise = math.acos(1.0 - 0.36 * (1.0 - math.sin(0.5)))  # from the lowest position, after the first impact
    half = 2.0 * quarter_period(rise - 0.5 * math.pi)
    assert run.status.ok
    assert [x.time for x in run.events][:2] == pytest.approx([quarter, quarter + half], abs=1e-8)
    between = (run.t > quarter) & (run.t < quarter + half)
    assert np.max(run["rod.end.x"][between]) == pytest.approx(math.sin(rise), abs=1e-4)
    assert np.abs(run["balance"]).max() < 1e-7
    assert run["work.stop"][-1] < -1.0


def test_a_row_of_balls_hands_the_speed_on() -> None:
    """Three equal balls at 0, 1 and 2 m: the first arrives with 2 m/s and stops, the second runs to the third and
    stops, the third goes on."""
    m = gr.Mechanism("row")
    balls = []
    for k in range(3):
        ball = m.body(f"ball{k}", mass=0.3, inertia=0.1, points={"c": (0, 0)}, position=(float(k), 0))
        m.slider(m.ground.line((0, 0), (1, 0)), ball.line((0, 0), (1, 0)))
        m.need(f"ball{k}.c.x", value=float(k), rate=2.0 if k == 0 else 0.0)
        balls.append(ball)
    for k in range(2):
        m.separation(f"gap{k}", balls[k].point("c"), balls[k + 1].point("c"))
        m.event(f"gap{k}", crosses=0.25, direction="down", does="bounce 1", name=f"hit{k}")
    run = gr.simulate(m, 2.0, tol=1e-9)
    assert run.status.ok
    assert [(x.name, round(x.time, 9)) for x in run.events] == [("hit0", 0.375), ("hit1", 0.75)]
    assert [run[f"ball{k}.c.x"][-1] for k in range(3)] == pytest.approx([0.75, 1.75, 2.0 + 2.0 * 1.25], abs=1e-8)
    assert np.abs(run["work.hit0"]).max() < 1e-9


def test_what_a_motor_holds_cannot_bounce() -> None:
    m = gr.Mechanism("driven")
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.motor(rod, "t")
    m.event("rod.end.y", crosses=0.5, does="bounce 0.5", name="wall")
    with pytest.raises(gr.ModelError, match="cannot bounce"):
        gr.simulate(m, 2.0)


def test_events_of_double_pendulums_are_where_scipy_finds_them() -> None:
    integrate = pytest.importorskip("scipy.integrate")
    rng = np.random.default_rng(3)
    for _ in range(3):
        (m1, m2, l1, l2), start = rng.uniform(0.5, 2.0, 4), [*rng.uniform(-2.5, -0.6, 2), *rng.normal(size=2)]
        place, speed = rng.uniform(-0.5, 0.5), rng.uniform(-3.0, 3.0)
        m = gr.Mechanism("double pendulum", gravity=(0, -GRAVITY))
        a, b = m.bar("a", length=l1, mass=m1), m.bar("b", length=l2, mass=m2)
        m.revolute(m.ground.at(0, 0), a.start)
        m.revolute(a.end, b.start)
        m.need(a.angle, value=start[0], rate=start[2])
        m.need(b.angle, value=start[1], rate=start[3])
        m.event("b.end.x", crosses=place, name="place")
        m.event("b.end.y.rate", crosses=speed, name="speed")
        run = gr.simulate(m, 2.0, tol=1e-8)

        def rates(t, y, m1=m1, m2=m2, l1=l1, l2=l2):
            c, s = 0.5 * m2 * l1 * l2 * math.cos(y[0] - y[1]), 0.5 * m2 * l1 * l2 * math.sin(y[0] - y[1])
            mass = [[(m1 / 3.0 + m2) * l1**2, c], [c, m2 * l2**2 / 3.0]]
            pull = [
                -(0.5 * m1 + m2) * GRAVITY * l1 * math.cos(y[0]) - s * y[3] ** 2,
                -0.5 * m2 * GRAVITY * l2 * math.cos(y[1]) + s * y[2] ** 2,
            ]
            return [y[2], y[3], *np.linalg.solve(mass, pull)]

        def at_place(t, y, l1=l1, l2=l2, place=place):
            return l1 * math.cos(y[0]) + l2 * math.cos(y[1]) - place

        def at_speed(t, y, l1=l1, l2=l2, speed=speed):
            return l1 * math.cos(y[0]) * y[2] + l2 * math.cos(y[1]) * y[3] - speed

        events = [at_place, at_speed]
        exact = integrate.solve_ivp(
            rates, (0.0, 2.0), start, "DOP853", rtol=1e-12, atol=1e-12, max_step=0.01, events=events
        )
        for name, times in zip(("place", "speed"), exact.t_events, strict=True):
            assert [x.time for x in run.events if x.name == name] == pytest.approx(times, abs=1e-7)


def test_the_integral_of_a_controller_begins_again() -> None:
    """x is held to 0.3 by ki ∫ e dt alone, so that ẍ = 4 ∫ (0.3 − x) dt; the integral begins again where x passes
    the target."""
    m = gr.Mechanism("held")
    mass = m.body("mass", mass=1.0, inertia=1.0, points={"c": (0, 0)}, position=(0, 0))
    m.slider(m.ground.line((0, 0), (1, 0)), mass.line((0, 0), (1, 0)))
    m.controller("mass.c.x", 0.3, ki=4.0, name="hold")
    m.need("mass.c.x", value=0.0, rate=0.0)
    plain = gr.simulate(m, 2.0, tol=1e-9)
    m.event("mass.c.x", crosses=0.3, direction="up", does="reset hold.integral", name="there")
    run = gr.simulate(m, 2.0, tol=1e-9)
    (there,) = run.events
    before = run.t < there.time
    assert run["mass.c.x"][before] == pytest.approx(plain["mass.c.x"][before], abs=1e-9)
    assert np.max(run["hold.integral"][before]) > 0.1
    assert run["hold.integral"][~before][0] == pytest.approx(0.0, abs=1e-4)
    # from there on x‴ = 4 (0.3 − x), with x = 0.3, the speed that it had, and ẍ = 0
    speed = float(there.after[run.program.dynamics.layout.of_v][0])
    times = run.t[~before] - there.time
    rate = 4.0 ** (1.0 / 3.0)
    roots = rate * np.exp(1j * np.pi * np.array([1.0, 1.0 / 3.0, -1.0 / 3.0]))
    weights = np.linalg.solve(np.array([roots**0, roots, roots**2]), [0.0, speed, 0.0])
    exact = 0.3 + np.real(np.exp(np.outer(times, roots)) @ weights)
    assert run["mass.c.x"][~before] == pytest.approx(exact, abs=1e-7)
    assert np.abs(run["balance"]).max() < 1e-7


def test_a_condition_may_be_all_that_ends_a_run() -> None:
    """A mass that is thrown up falls below its start after 2 v/g, here 20.4 s."""
    m = gr.Mechanism("ball", gravity=(0, -9.81))
    m.body("ball", mass=1.0, inertia=0.1, points={"o": (0, 0)})
    m.need("ball.o.y", value=0.0, rate=100.0)
    run = gr.simulate(m, until="ball.o.y < -1e-6")
    assert run.status.ok
    assert run.t[-1] == pytest.approx(200.0 / 9.81, abs=1e-6)
    assert len(run.t) == 1001
    with pytest.raises(gr.ModelError, match="give t_end"):
        gr.simulate(m)
    with pytest.raises(gr.ModelError, match=r"did not become true within 65536 s"):
        gr.simulate(m, until="ball.o.x > 1")


@pytest.mark.filterwarnings("error")
def test_a_function_that_overflows_later_hides_no_event() -> None:
    m = gr.Mechanism("overflow")
    bar = m.bar("bar", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), bar.start)
    m.need(bar.angle, value=0.0, rate=3.0)
    m.event("(bar.angle - 1)**2 + exp(2000*(bar.angle - 1.5))", crosses=1e-6, does="record", name="near")
    run = gr.simulate(m, 3.0)
    assert run.status.ok
    assert [event.time for event in run.events] == pytest.approx([0.999 / 3.0, 1.001 / 3.0], abs=1e-6)
