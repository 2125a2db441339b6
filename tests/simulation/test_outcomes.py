"""A run that cannot go on says so: never a success, never a table that looks whole."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import grashof as gr
from grashof.status import Code


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


LIMIT = math.acos((1.0 + 4.0 - 4.0) / 4.0)
"""Coupler and rocker in line, 2 m: cos θ = (r² + d² − 2²)/(2 r d)."""


@pytest.mark.parametrize("tol", [1e-3, 1e-6, 1e-9])
def test_a_motor_that_drives_a_four_bar_beyond_its_reach_does_not_succeed(tol: float) -> None:
    run = gr.simulate(four_bar_with_motor("1.0471975511965976 + t"), 3.0, tol=tol)
    stuck = LIMIT - math.pi / 3
    assert not run.status.ok
    assert run.status.code in (Code.CONSTRAINTS_UNMET, Code.STEP_TOO_SMALL)
    # with the motor no part can move on: its equation and the bars' depend on each other where the arm is stretched
    assert "near a singular position" in str(run.status)
    assert run.status.time == pytest.approx(stuck, abs=0.02)
    assert f"of {3:g} s" in str(run.status)
    assert str(run.status).endswith(".")
    assert len(str(run.status).split()) > 10
    assert run.t[-1] <= run.status.time
    assert np.max(run["violation.position"]) < 1e-3
    assert np.max(run["crank.angle"]) < LIMIT + 1e-3


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
    status = gr.simulate(m, 10.0, max_steps=20_000).status
    assert status.code is Code.TOO_MANY_STEPS
    assert "are stiff" in str(status)
    assert "smaller damping" in str(status)
    assert "larger tolerance" not in str(status)
    assert "larger tolerance" in str(gr.simulate(m, 10.0, max_steps=3).status)  # too few to tell
