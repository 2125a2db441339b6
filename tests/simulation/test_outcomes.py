"""A run that cannot go on says so: never a success, never a table that looks whole."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import grashof as gr
from grashof.common.status import Code
from grashof.examples import example_text
from grashof.model.files import loads


def four_bar_with_motor(law: str) -> gr.Mechanism:
    """Crank 1, coupler 1, rocker 1, ground 2: the crank cannot turn all the way round."""
    m = gr.Mechanism("four-bar", gravity=(0, -9.81))
    crank = m.bar("crank", mass=1.0, start=(0, 0), end=(0.5, 0.866))
    coupler = m.bar("coupler", mass=1.0, start=(0.5, 0.866), end=(1.5, 0.866))
    rocker = m.bar("rocker", mass=1.0, start=(2, 0), end=(1.5, 0.866))
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(m.ground.at(2, 0), rocker.start)
    m.motor(crank, law)
    return m


STRETCHED = math.dist((0.5, 0.866), (1.5, 0.866)) + math.dist((2, 0), (1.5, 0.866))
LIMIT = math.acos((math.hypot(0.5, 0.866) ** 2 + 4.0 - STRETCHED**2) / (4.0 * math.hypot(0.5, 0.866)))
"""Coupler and rocker in line: cos θ = (r² + d² − (b + c)²)/(2 r d)."""


@pytest.mark.parametrize("tol", [1e-3, 1e-6, 1e-9])
def test_a_motor_that_drives_a_four_bar_beyond_its_reach_does_not_succeed(tol: float) -> None:
    run = gr.simulate(four_bar_with_motor("1.0471975511965976 + t"), 3.0, tol=tol)
    stuck = LIMIT - math.pi / 3
    assert not run.status.ok
    assert run.status.code is Code.CONSTRAINTS_UNMET
    assert f"reaches a dead centre at t = {stuck:.9g} s, crank.angle = {LIMIT:.6g} rad" in str(run.status)
    assert run.status.time == pytest.approx(stuck, abs=1e-5)
    assert run.status.time < stuck
    assert f"of {3:g} s" in str(run.status)
    assert str(run.status).endswith(".")
    assert len(str(run.status).split()) > 10
    assert run.t[-1] <= run.status.time
    assert np.max(run["violation.position"]) < 1e-3
    assert np.max(run["crank.angle"]) < LIMIT + 1e-3


@pytest.mark.parametrize("relations", [True, False])
@pytest.mark.parametrize("tol", [1e-3, 1e-6, 1e-9])
def test_a_linkage_that_folds_in_several_places_at_once_stops_there_soon(relations: bool, tol: float) -> None:
    """Peaucellier's linkage with short bars: 2a cos(θ/2) = long − short, where the whole rhombus has no height any
    more."""
    text = example_text("peaucellier").replace(
        'value = "130 mm", lower = "125 mm"', 'value = "110 mm", lower = "50 mm"'
    )
    limit = 2.0 * math.acos((0.3 - 0.11) / 0.2)
    stuck = math.asin(limit / math.radians(50.0)) / 3.0
    m = loads(text)
    run = gr.simulate(gr.build(m, relations=relations), 2.0, tol=tol)
    assert f"Motor 'drive' reaches a dead centre at t = {stuck:.9g} s, crank.angle = {limit:.6g} rad" in str(run.status)
    assert 0.99 * stuck < run.status.time < stuck
    assert run.steps.counters.evaluations < 3000


@pytest.mark.parametrize(
    ("law", "end"),
    [
        (f"pi/3 + {LIMIT - math.pi / 3 - 1e-6!r}*sin(t)", 3.0),
        ("pi/3 + t - 200*max(t - 0.26, 0)**2", 0.3),  # it would be there at 0.271 s, but turns back at 0.2625 s
    ],
)
def test_a_motor_that_turns_back_before_the_limit_is_not_stopped(law: str, end: float) -> None:
    run = gr.simulate(four_bar_with_motor(law), end)
    assert run.status.reached
    assert "dead centre" not in str(run.status)


def test_an_event_before_the_limit_comes_first() -> None:
    m = four_bar_with_motor("pi/3 + t")
    run = gr.simulate(m, 3.0, until=f"crank.angle > {LIMIT - 1e-4!r}")
    assert run.status.ok
    assert run.status.time == pytest.approx(LIMIT - 1e-4 - math.pi / 3, abs=1e-9)


def test_a_stream_that_ends_at_a_limit_says_so() -> None:
    *_, last = gr.stream(four_bar_with_motor("pi/3 + t"), 3.0)
    assert "reaches a dead centre" in str(last.status)


def test_two_cranks_that_pull_a_dyad_straight_are_both_named() -> None:
    """Pins at (−1 − t, 0) and (1 + t, 0), two bars of 1.5 m between them: in line at t = 0.5 s."""
    m = gr.Mechanism("pull")
    left = m.body("left", mass=1.0, inertia=1.0, points={"p": (0, 0)}, position=(-1, 0))
    right = m.body("right", mass=1.0, inertia=1.0, points={"p": (0, 0)}, position=(1, 0))
    height = math.sqrt(1.25)
    one = m.bar("one", mass=1.0, start=(-1, 0), end=(0, height))
    two = m.bar("two", mass=1.0, start=(1, 0), end=(0, height))
    for body in (left, right):
        m.prismatic(m.ground.at(0, 0), body.p, axis=(1, 0))
    m.revolute(left.p, one.start)
    m.revolute(right.p, two.start)
    m.revolute(one.end, two.end)
    m.motor("left.p.x", "-1 - t", name="to the left")
    m.motor("right.p.x", "1 + t", name="to the right")
    run = gr.simulate(m, 3.0)
    assert "Motors 'to the left' and 'to the right' reach a dead centre at t = 0.5 s" in str(run.status)


def test_a_force_that_goes_to_infinity_ends_the_run() -> None:
    """A mass falls into an attracting point: r̈ = −1/r², reached in finite time π/(2√2)."""

    def attraction(t: Any, x: Any, v: Any) -> list[Any]:
        return [[-1.0 / (x[0][0] * x[0][0]), 0.0]]

    m = gr.Mechanism("fall")
    block = m.body("block", mass=1.0, inertia=0.1, points={"p": (0, 0)}, position=(1.0, 0.0))
    m.prismatic(m.ground.at(0, 0), block.p, axis=(1, 0))
    m.user_force(attraction, [block.p])
    m.need("block.p.x", value=1.0, rate=0.0)
    run = gr.simulate(m, 3.0)
    assert not run.status.ok
    assert run.status.time == pytest.approx(math.pi / math.sqrt(8.0), abs=1e-3)


def test_a_law_that_ends_being_a_number_ends_the_run() -> None:
    m = gr.Mechanism("wheel")
    wheel = m.body("wheel", mass=1.0, inertia=1.0, points={"hub": (0, 0), "rim": (1, 0)})
    m.revolute(m.ground.at(0, 0), wheel.hub)
    m.motor(wheel, "sqrt(1 - t)")
    run = gr.simulate(m, 2.0)
    assert run.status.code in (Code.NOT_FINITE, Code.STEP_TOO_SMALL)
    assert run.status.time == pytest.approx(1.0, abs=1e-3)
    assert np.all(np.isfinite(run["wheel.angle"]))


def test_too_few_steps_are_said_and_the_rest_is_kept() -> None:
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    bar = m.bar("bar", mass=1.0, start=(0, 0), end=(1, 0))
    m.revolute(m.ground.at(0, 0), bar.start)
    run = gr.simulate(m, 100.0, max_steps=20)
    assert run.status.code is Code.TOO_MANY_STEPS
    assert run.steps.counters.steps + run.steps.counters.rejected == 20
    assert 0.0 < run.t[-1] <= run.status.time < 100.0
    assert np.all(np.isfinite(run["bar.angle"]))


def test_a_run_that_makes_no_step_still_has_its_start() -> None:
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    bar = m.bar("bar", mass=1.0, start=(0, 0), end=(1, 0))
    m.revolute(m.ground.at(0, 0), bar.start)
    run = gr.simulate(m, 1.0, max_steps=0)
    assert not run.status.ok
    assert run.t.tolist() == [0.0]
    assert run["bar.angle"].tolist() == [0.0]
    assert run["energy"].shape == (1,)


@pytest.mark.parametrize(
    ("t_end", "tol"), [(0.0, 1e-6), (-1.0, 1e-6), (math.nan, 1e-6), (1.0, 0.0), (1.0, 2.0), (1.0, math.nan)]
)
def test_an_end_or_a_tolerance_that_cannot_be_is_refused(t_end: float, tol: float) -> None:
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    bar = m.bar("bar", mass=1.0, start=(0, 0), end=(1, 0))
    m.revolute(m.ground.at(0, 0), bar.start)
    with pytest.raises(gr.ModelError):
        gr.simulate(m, t_end, tol=tol)


def test_a_spring_whose_ends_meet_does_not_return_numbers_that_are_none() -> None:
    """Two masses fall towards each other along a line, through each other: at zero length a spring has no direction."""
    m = gr.Mechanism("meeting")
    one = m.body("one", mass=1.0, inertia=0.1, points={"p": (0, 0)}, position=(-1.0, 0.0))
    m.prismatic(m.ground.at(0, 0), one.p, axis=(1, 0))
    m.spring(m.ground.at(0, 0), one.p, stiffness=10.0, length=0.0)
    m.need("one.p.x", value=-1.0, rate=0.0)
    run = gr.simulate(m, 2.0)
    assert np.all(np.isfinite(run["one.p.x"]))
    if run.status.ok:  # a spring without a rest length is harmonic, also through its zero
        assert np.max(np.abs(run["one.p.x"] + np.cos(math.sqrt(10.0) * run.t))) < 1e-4


def test_the_advice_about_a_stiff_damper_is_one_that_helps() -> None:
    m = gr.Mechanism("stiff", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.torque(rod, "-1e7*rod.angle.rate")
    status = gr.simulate(m, 10.0, max_steps=20_000, method="dop853").status
    assert status.code is Code.TOO_MANY_STEPS
    assert "are stiff" in str(status)
    assert "Try the method rodas5p, smaller damping" in str(status)
    assert gr.simulate(m, 10.0, max_steps=20_000, method="rodas5p").status.ok
    assert "larger tolerance" not in str(status)
    assert "larger tolerance" in str(gr.simulate(m, 10.0, max_steps=3).status)  # too few to tell
