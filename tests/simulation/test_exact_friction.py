"""Joints with exact dry friction stick and slip as closed forms, SciPy and all combinations of modes say."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from campaign.sticking_arms import Arm, G
from campaign.sticking_arms import random_arm as drawn_arm
from scipy.optimize import brentq

import grashof as gr
from grashof.live import live_data


def random_arm(seed: int, count: int, friction: tuple[float, float] = (0.2, 3.0)) -> Arm:
    return drawn_arm(np.random.default_rng(seed), count, friction)


FORMULATIONS = pytest.mark.parametrize("formulation", ["natural", "relative"])


def simulate(m: gr.Mechanism, t_end: float, formulation: str = "auto", **options: Any) -> gr.Trajectory:
    run = gr.simulate(gr.build(m, formulation=formulation), t_end, **options)
    assert run.status.ok, run.status
    return run


def block_on_slope(slope: float, speed: float, **friction: Any) -> gr.Mechanism:
    m = gr.Mechanism("block on a slope", gravity=(0, -G))
    block = m.body("block", mass=2.0, inertia=0.1)
    up = (math.cos(slope), math.sin(slope))
    guide = m.slider(m.ground.line((0, 0), up), block.line((0, 0), up), name="guide")
    m.friction(guide, name="rub", slip_speed=0, **friction)
    m.need("rub.slip", value=0.0, rate=speed)
    return m


@FORMULATIONS
def test_block_stops_on_a_slope_and_stays(formulation: str) -> None:
    weight, friction = 2.0 * G * math.sin(0.3), 8.0
    run = simulate(block_on_slope(0.3, 3.0, coulomb=friction), 10.0, formulation)
    stop = 3.0 / ((weight + friction) / 2.0)
    (event,) = run.events
    assert (event.name, event.time) == ("rub stick", pytest.approx(stop, abs=1e-9))
    assert run["rub.slip"][-1] == pytest.approx(0.5 * 3.0 * stop, abs=1e-9)
    assert abs(run["rub.slip.rate"][-1]) < 1e-15
    after = run.t > stop
    np.testing.assert_allclose(run["friction.rub"][after], weight, rtol=1e-9)
    np.testing.assert_allclose(run["friction.rub"][run.t < stop], -friction)
    np.testing.assert_allclose(run["guide.fy"][after], 2.0 * G * math.cos(0.3) ** 2, rtol=1e-9)  # without friction
    assert run["work.rub"][-1] == pytest.approx(-0.5 * friction * 3.0 * stop, abs=1e-8)


def test_block_sticks_where_the_load_is_as_large_as_the_friction() -> None:
    run = simulate(block_on_slope(0.3, 0.0, coulomb=2.0 * G * math.sin(0.3)), 10.0)
    assert not run.events
    assert abs(run["rub.slip"][-1]) < 1e-12


def test_block_turns_round_on_a_slope_that_is_too_steep() -> None:
    weight, friction = 2.0 * G * math.sin(0.7), 5.0
    run = simulate(block_on_slope(0.7, 3.0, coulomb=friction, viscous=0.0), 2.0)
    turn = 6.0 / (weight + friction)
    (event,) = run.events
    assert (event.name, event.time) == ("rub slip", pytest.approx(turn, abs=1e-9))
    way = 1.5 * turn - 0.25 * (weight - friction) * (2.0 - turn) ** 2
    assert run["rub.slip"][-1] == pytest.approx(way, abs=1e-8)


@FORMULATIONS
def test_pendulum_comes_to_rest_off_its_equilibrium(formulation: str) -> None:
    m = gr.Mechanism("pendulum", gravity=(0, -G))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start, name="pin")
    m.friction("pin", coulomb=0.5, slip_speed=0, name="rub")
    m.need(rod.angle, value=0.3)
    run = simulate(m, 9.0, formulation)

    def lost(angle: float, start: float) -> float:  # energy from one turning point to another angle
        return 0.5 * G * (math.sin(start) - math.sin(angle)) - 0.5 * abs(angle - start)

    turns, still = [0.3], math.acos(1.0 / G)  # where the weight balances the friction
    while abs(math.cos(turns[-1])) > 1.0 / G:
        ends = (-still, -3.6) if turns[-1] > -math.pi / 2.0 else (still - math.pi, 1.0)
        turns.append(brentq(lost, *ends, args=(turns[-1],), xtol=1e-14))
    assert len(run.events) == len(turns) - 1 > 5
    assert run.events[-1].name == "rub stick"
    assert run["rod.angle"][-1] == pytest.approx(turns[-1], abs=1e-8)
    assert run["work.rub"][-1] == pytest.approx(-0.5 * np.sum(np.abs(np.diff(turns))), abs=1e-8)


@FORMULATIONS
def test_block_on_a_belt_sticks_and_slips_with_the_known_period(formulation: str) -> None:
    speed, stiffness, mass, static, sliding = 0.2, 50.0, 1.5, 6.0, 4.0
    m = gr.Mechanism("belt", gravity=(0, 0))
    belt, block = m.body("belt", mass=1.0, inertia=0.1), m.body("block", mass=mass, inertia=0.1)
    m.slider(m.ground.line((0, 0), (1, 0)), belt.line((0, 0), (1, 0)), name="drive")
    m.slider(belt.line((0, 0), (1, 0)), block.line((0, 0), (1, 0)), name="top")
    m.friction("top", coulomb=sliding, static=static, slip_speed=0, name="rub")
    m.spring(m.ground.at(-1, 0), block.at(0, 0), stiffness=stiffness, length=1.0)
    m.motor(m.coordinate("way", belt.at(0, 0), (1, 0)), position=f"{speed}*t")
    m.need("rub.slip", value=0.0, rate=0.0)
    run = simulate(m, 5.0, formulation)
    rate, apart = math.sqrt(stiffness / mass), (static - sliding) / stiffness
    slipping = 2.0 * (math.pi - math.atan(apart * rate / speed)) / rate
    sticking = 2.0 * apart / speed
    times, time = [static / stiffness / speed], 0.0
    while (time := times[-1] + (sticking, slipping)[len(times) % 2]) < 5.0:
        times.append(time)
    assert [event.name for event in run.events] == [f"rub {('slip', 'stick')[k % 2]}" for k in range(len(times))]
    np.testing.assert_allclose([event.time for event in run.events], times, atol=1e-8)
    assert len(times) > 6


@FORMULATIONS
@pytest.mark.parametrize(("count", "seed"), [(2, 2), (2, 3), (3, 1), (4, 0)])
def test_arms_move_as_scipy_says(formulation: str, count: int, seed: int) -> None:
    arm = random_arm(seed, count)
    angles, rates = (x[:, -1] for x in arm.motion(np.array([2.0])))
    run = simulate(arm.mechanism(), 2.0, formulation, tol=1e-9)
    np.testing.assert_allclose([run[f"bar{k}.angle"][-1] for k in range(count)], angles, atol=1e-9)
    np.testing.assert_allclose([run[f"bar{k}.angle.rate"][-1] for k in range(count)], rates, atol=1e-8)
    times = np.array([event.time for event in run.events])
    assert len(arm.events) > 2
    assert all(np.min(np.abs(times - time)) < 1e-8 for time, _ in arm.events)
    assert np.max(np.abs(run["balance"])) < 1e-7


@FORMULATIONS
@pytest.mark.parametrize("seed", range(4))
def test_arms_begin_in_the_only_combination_of_modes(formulation: str, seed: int) -> None:
    arm = random_arm(seed, 6, (1.0, 15.0))
    (modes,) = arm.possible_modes(arm.angles, arm.rates, np.full(6, np.nan))
    wanted = np.diff(arm.accelerations(arm.angles, arm.rates, modes)[0], prepend=0.0)
    run = simulate(arm.mechanism(), 1e-3, formulation)
    np.testing.assert_allclose([run[f"rub{k}.slip.acceleration"][0] for k in range(6)], wanted, atol=1e-11)
    assert 0 < np.count_nonzero(modes) < 6


def test_smooth_friction_approaches_exact_friction() -> None:
    arm = random_arm(1, 2)
    exact = simulate(arm.mechanism(), 1.5)["bar1.angle"][-1]
    apart = [
        abs(simulate(arm.mechanism(slip_speed=speed), 1.5, max_steps=10**6)["bar1.angle"][-1] - exact)
        for speed in (1e-2, 1e-3, 1e-4)
    ]
    assert apart[2] < 0.2 * apart[1] < 0.04 * apart[0]


FRICTION = (0.2, 0.5, 0.3, 0.4)

FOUR_BARS = pytest.mark.parametrize(("formulation", "pins"), [("natural", (0, 1, 2, 3)), ("relative", (0, 1, 3))])
"""In relative coordinates, pin 2 closes the loop."""


def four_bar(pins: tuple[int, ...], load: str = "0", rate: float = 0.0) -> gr.Mechanism:
    """Without gravity, and with friction in pins: all but one of these are redundant while it stands still."""
    m = gr.Mechanism("four-bar", gravity=(0, 0))
    crank, rod, rocker = (m.bar(name, length=x, mass=x) for name, x in (("crank", 0.3), ("rod", 0.9), ("rocker", 0.6)))
    m.revolute(m.ground.at(0, 0), crank.start, name="pin0")
    m.revolute(crank.end, rod.start, name="pin1")
    m.revolute(rod.end, rocker.end, name="pin2")
    m.revolute(m.ground.at(0.8, 0), rocker.start, name="pin3")
    for k in pins:
        m.friction(f"pin{k}", coulomb=FRICTION[k], slip_speed=0, name=f"rub{k}")
    m.torque(crank.angle, load, name="load")
    m.need(crank.angle, value=0.9, rate=rate)
    m.want(rocker.angle, value=1.5)
    return m


@FOUR_BARS
def test_four_bar_moves_when_the_load_exceeds_the_friction_of_all_pins(formulation: str, pins: tuple[int, ...]) -> None:
    moving = simulate(four_bar(pins, rate=1.0), 1e-3)
    least = sum(FRICTION[k] * abs(float(moving[f"rub{k}.slip.rate"][0])) for k in pins)
    run = simulate(four_bar(pins, load="t"), least + 0.5, formulation, tol=1e-9)
    starts = {event.name: event.time for event in run.events}
    assert set(starts) == {f"rub{k} slip" for k in pins}
    assert max(starts.values()) == pytest.approx(least, abs=1e-8)
    assert np.max(np.abs(run["crank.angle"][run.t < least] - 0.9)) < 1e-12
    assert run["crank.angle"][-1] > 0.95
    assert all(np.max(np.abs(run[f"friction.rub{k}"])) < FRICTION[k] * (1.0 + 1e-9) for k in pins)


@FOUR_BARS
def test_four_bar_that_is_pushed_loses_its_energy_and_stays(formulation: str, pins: tuple[int, ...]) -> None:
    run = simulate(four_bar(pins, rate=5.0), 3.0, formulation, tol=1e-9, times=20001)
    assert run["kinetic"][-1] < 1e-20
    ways = {k: np.sum(np.abs(np.diff(run[f"rub{k}.slip"]))) for k in pins}
    assert sum(FRICTION[k] * way for k, way in ways.items()) == pytest.approx(run["kinetic"][0], rel=1e-6)
    assert abs(run["balance"][-1]) < 1e-8


def test_joint_whose_second_body_is_nearer_to_the_ground_sticks_in_both_coordinates() -> None:
    def arm() -> gr.Mechanism:
        m = gr.Mechanism("arm", gravity=(0, -G))
        upper, lower = m.bar("upper", length=0.7, mass=1.0), m.bar("lower", length=0.9, mass=1.5)
        m.friction(m.revolute(upper.start, m.ground.at(0, 0), name="hip"), coulomb=3.0, slip_speed=0, name="first")
        m.friction(m.revolute(lower.start, upper.end, name="knee"), coulomb=1.0, slip_speed=0, name="second")
        m.need(upper.angle, value=-0.4)
        m.need(lower.angle, value=-0.2)
        return m

    runs = [simulate(arm(), 2.0, formulation, tol=1e-9) for formulation in ("natural", "relative")]
    names = [[event.name for event in run.events] for run in runs]
    assert names[0] == names[1]
    assert len(names[0]) > 4
    for name in ("upper.angle", "lower.angle", "work.first", "work.second"):
        np.testing.assert_allclose(runs[1][name], runs[0][name], atol=1e-8)


def test_motor_bears_the_friction_of_its_joint() -> None:
    m = gr.Mechanism("driven", gravity=(0, 0))
    rod = m.bar("rod", length=1.0, mass=3.0)
    m.friction(m.revolute(m.ground.at(0, 0), rod.start, name="pin"), coulomb=0.5, slip_speed=0, name="rub")
    m.motor(rod, angle="sin(t)", name="drive")
    run = simulate(m, 4.0)
    turn = np.pi / 2.0
    assert [(event.name, round(event.time, 7)) for event in run.events] == [("rub slip", round(turn, 7))]
    wanted = -np.sin(run.t) + np.where(run.t < turn, 0.5, -0.5)
    np.testing.assert_allclose(run["drive.torque"], wanted, atol=1e-7)


@pytest.mark.parametrize(
    ("friction", "sentence"),
    [
        ({"mu": 0.1, "radius": 0.01}, "is smooth, but slip_speed is 0"),
        ({"coulomb": 1.0, "static": 0.5}, "it must be at least as large"),
        ({"static": 0.5}, "static is given without coulomb"),
        ({"coulomb": 1.0, "static": 2.0, "slip_speed": 0.01}, "static is given with a slip speed"),
    ],
)
def test_exact_friction_that_cannot_be_is_refused_by_a_sentence(friction: dict[str, float], sentence: str) -> None:
    m = gr.Mechanism("pendulum", gravity=(0, -G))
    rod = m.bar("rod", length=1.0, mass=1.0)
    pin = m.revolute(m.ground.at(0, 0), rod.start)
    m.friction(pin, **({"slip_speed": 0} | friction))
    with pytest.raises(gr.ModelError, match=sentence):
        gr.simulate(m, 1.0)


def test_exact_friction_with_a_rigid_stop_is_refused() -> None:
    m = gr.Mechanism("pendulum", gravity=(0, -G))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.friction(m.revolute(m.ground.at(0, 0), rod.start), coulomb=1.0, slip_speed=0)
    m.stop(rod.angle, lower=-2.0, restitution=0.5, name="end")
    with pytest.raises(gr.ModelError, match="cannot be combined with impacts"):
        gr.simulate(m, 1.0)


def test_numbers_of_exact_friction_cannot_be_left_open_but_swept_one_by_one() -> None:
    m = random_arm(1, 2).mechanism()
    with pytest.raises(gr.ModelError, match="no numbers can be left open"):
        gr.build(m, numbers=["bar0.mass"])
    masses = [1.0, 1.3]
    table = gr.sweep(m, {"bar0.mass": masses}, 0.5, outputs=["bar1.angle at end"])
    assert table.ok.all()
    for row, mass in enumerate(masses):
        run = gr.simulate(gr.with_numbers(m, {"bar0.mass": mass}), 0.5)
        assert table["bar1.angle at end"][row] == pytest.approx(run["bar1.angle"][-1], abs=1e-6)


def test_pages_refuse_exact_friction_by_its_name() -> None:
    with pytest.raises(gr.ModelError, match="exact friction 'rub0', which a live page cannot follow"):
        live_data(random_arm(1, 2).mechanism().model, 1.0)
