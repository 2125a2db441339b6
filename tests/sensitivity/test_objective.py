"""Objectives: their gradients are those of differences, forwards and backwards alike, and optimisers find what is
known."""

import math

import numpy as np
import pytest
from scipy.optimize import minimize

import grashof as gr

from .test_sensitivities import slider_crank

NUMBERS = ["crank.length", "rod.mass", "rod.length", "start.crank.angle", "drive.torque", "gravity.y"]


def cost(run):
    follows = np.sum((run["rod.end.x"] - 0.6 * np.cos(run.t)) ** 2)
    return follows * run.numbers["rod.mass"] + run["crank.angle at end"] ** 2 + run["crank.angle at 0.33"]


def test_gradients_forwards_backwards_and_by_differences() -> None:
    """Away from the nominal values, and with numbers that the cost reads itself."""
    m = slider_crank()
    forward, backward = (
        m.objective(NUMBERS, cost, t_end=1.0, times=11, tol=1e-9, gradient=way) for way in ("forward", "backward")
    )
    x = forward.x0 * np.array([1.03, 0.9, 1.02, 1.1, 0.8, 1.01])
    value, slopes = forward(x)
    other, others = backward(x)
    assert other == pytest.approx(value, rel=1e-10)
    assert others == pytest.approx(slopes, rel=1e-9, abs=1e-9 * np.max(np.abs(slopes)))
    for k in range(len(x)):
        h = 1e-4 * abs(x[k]) * np.eye(len(x))[k]
        one, minus_one, two, minus_two = (backward(x + f * h)[0] for f in (1, -1, 2, -2))
        exact = (8.0 * (one - minus_one) - (two - minus_two)) / (12.0 * h[k])
        assert slopes[k] == pytest.approx(exact, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("way", ["forward", "backward"])
def test_works_count_from_the_start(way: str) -> None:
    """A constant torque τ does the work τ (φ₁ − φ₀), also where the start φ₀ is not zero and varies itself."""
    m, names = slider_crank(), ["drive.torque", "start.crank.angle", "rod.mass"]

    def turned(run):
        return run.numbers["drive.torque"] * (run["crank.angle at end"] - run.numbers["start.crank.angle"])

    work, torque_by_angle = (
        m.objective(names, cost, t_end=0.5, tol=1e-9, gradient=way) for cost in ("work.drive", turned)
    )
    assert work.x0[1] != 0.0
    value, slopes = work(work.x0)
    expected, expected_slopes = torque_by_angle(work.x0)
    assert value == pytest.approx(expected, rel=1e-9)
    assert value == pytest.approx(gr.simulate(m, 0.5, tol=1e-9)["work.drive"][-1], rel=1e-7)
    assert slopes == pytest.approx(expected_slopes, rel=1e-8)


def test_kinks_of_time_are_passed_backwards() -> None:
    """Steps end where the torque sets in, which is no step."""
    m = slider_crank()
    m.torque("crank.angle", "where(t - 0.21, 0.2, 0)", name="later")
    forward, backward = (
        m.objective(["rod.mass"], "crank.angle", t_end=0.4, tol=1e-9, times=2, gradient=way)
        for way in ("forward", "backward")
    )
    assert backward(backward.x0)[1] == pytest.approx(forward(forward.x0)[1], rel=1e-9)


def test_a_mechanism_at_rest() -> None:
    """All states are the same, but they are steps nevertheless: a torque on what rests has an effect."""
    m = gr.Mechanism("wheel")
    wheel = m.body("wheel", mass=1.0, inertia=2.0)
    m.revolute(m.ground.at(0, 0), wheel.at(0, 0))
    m.torque("wheel.angle", 0.0, name="drive")
    m.need("wheel.angle", value=0.0, rate=0.0)
    for way in ("forward", "backward"):
        fun = m.objective(["drive.torque"], "wheel.angle", t_end=3.0, times=2, gradient=way)
        assert fun(fun.x0)[1] == pytest.approx([0.5 * 3.0**2 / 2.0], rel=1e-9)


def test_an_optimiser_finds_the_length_of_a_pendulum() -> None:
    """The one that swings as another pendulum does, whose length it is to find."""

    def pendulum(length: float) -> gr.Mechanism:
        m = gr.Mechanism("pendulum", gravity=(0, -9.81))
        rod = m.bar("rod", length=length, mass=1.0)
        m.revolute(m.ground.at(0, 0), rod.start)
        m.need(rod.angle, value=-0.3, rate=0.0)
        return m

    times = np.linspace(0.0, 2.0, 15)
    seen = gr.simulate(pendulum(0.731), 2.0, times=times, tol=1e-9)["rod.angle"]
    fun = pendulum(1.0).objective(
        ["rod.length"], lambda run: np.sum((run["rod.angle"] - seen) ** 2), t_end=2.0, times=times
    )
    found = minimize(fun, fun.x0, jac=True, bounds=[(0.3, 2.0)], method="L-BFGS-B", options={"ftol": 1e-15})
    assert found.x[0] == pytest.approx(0.731, rel=1e-5)
    assert fun.evaluations < 20


def test_peaks_are_made_small() -> None:
    """The stiffness that lets a block move just so far: x = v/ω at most."""
    m = gr.Mechanism("block on a spring")
    block = m.body("block", mass=2.0, inertia=1.0, points={"center": (0, 0)}, position=(1.0, 0))
    m.slider(m.ground.line((0, 0), (1, 0)), block.at(0, 0))
    m.spring(m.ground.at(0, 0), block.at(0, 0), stiffness=50.0, length=1.0, name="spring")
    m.need("block.center.x", value=1.0, rate=0.5)
    fun = m.objective(["spring.stiffness"], lambda run: (run["max block.center.x"] - 1.05) ** 2, t_end=2.0)
    found = minimize(fun, fun.x0, jac=True, bounds=[(10.0, 500.0)], options={"ftol": 1e-16, "gtol": 1e-12})
    assert found.x[0] == pytest.approx(2.0 * (0.5 / 0.05) ** 2, rel=1e-4)


def test_numbers_with_which_nothing_fits_are_no_exception() -> None:
    m = gr.Mechanism("four-bar")
    a, b, c = (m.bar(name, length=length, mass=1.0) for name, length in (("a", 0.5), ("b", 1.0), ("c", 1.0)))
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, c.end)
    m.revolute(c.start, m.ground.at(1.0, 0))
    m.need("a.angle", value=1.0, rate=1.0)
    fun = m.objective(["b.length", "c.length"], "c.angle", t_end=0.5)
    there, _ = fun(fun.x0)
    value, slopes = fun(np.array([0.1, 0.1]))
    assert value > 10.0 * abs(there)
    assert slopes[0] < 0.0  # larger numbers are better
    assert "cannot be assembled" in fun.status
    assert fun.failures == 1
    assert math.isfinite(fun(np.array([math.nan, 1.0]))[0])
    infinite = m.objective(["b.length"], "c.angle", t_end=0.5, failed=math.inf)
    assert infinite(np.array([0.1])) == (math.inf, [0.0])


@pytest.mark.parametrize("method", ["L-BFGS-B", "SLSQP"])
def test_an_optimiser_comes_back_from_where_nothing_fits(method) -> None:
    """The first step of the search leads to a rod that is too short to close the loop."""
    m = gr.Mechanism("four-bar")
    a, b, c = (m.bar(name, length=length, mass=1.0) for name, length in (("a", 0.5), ("b", 1.0), ("c", 1.0)))
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, c.end)
    m.revolute(c.start, m.ground.at(1.0, 0))
    m.need("a.angle", value=1.0, rate=1.0)
    fun = m.objective(["b.length"], lambda run: 1e3 * (run.numbers["b.length"] - 0.4) ** 2, t_end=0.1, times=2)
    found = minimize(fun, fun.x0, jac=True, method=method)
    assert found.x[0] == pytest.approx(0.4, abs=1e-3)
    assert fun.failures > 0


@pytest.mark.parametrize(
    ("parameters", "cost", "words"),
    [
        ([], "crank.angle", "at least one number"),
        (["crank.length"], lambda run: run["crank.angle"][0] if run["crank.angle"][0] > 0 else 0.0, "truth value"),
        (["crank.length"], lambda run: math.sin(run["crank.angle at end"]), "cannot be differentiated"),
        (["crank.length"], lambda run: run["crank.angle"] ** 2, "one number"),
        (["crank.length"], "crank.angel", "crank.angle"),
        (["crank.length"], "crank.angle at 0.7", "to 0.5 s"),
    ],
)
def test_mistakes_are_named(parameters, cost, words) -> None:
    with pytest.raises(gr.ModelError, match=words):
        slider_crank().objective(parameters, cost, t_end=0.5)


def test_events_that_change_the_motion_are_refused() -> None:
    m = slider_crank()
    m.stop("rod.end.x", upper=0.68, restitution=0.5, name="wall")
    with pytest.raises(gr.ModelError, match="wall"):
        m.objective(["crank.length"], "crank.angle", t_end=0.5)


def test_a_gradient_that_lacks_a_jump_is_refused() -> None:
    """The torque sets in at a time that is varied: what a later time takes away is in no derivative of the torque."""
    m = gr.Mechanism("wheel")
    m.parameter("when", 1.0, unit="s")
    wheel = m.body("wheel", mass=1.0, inertia=2.0)
    m.revolute(m.ground.at(0, 0), wheel.at(0, 0))
    m.torque("wheel.angle", "where(t - when, 1, 0)", name="drive")
    m.need("wheel.angle", value=0.0, rate=0.0)
    with pytest.raises(gr.ModelError, match="contradicted"):
        m.objective(["when"], "wheel.angle", t_end=3.0)
    assert m.objective(["when"], "wheel.angle", t_end=3.0, check=False)([1.0])[1] == pytest.approx([0.0])
    assert not gr.sensitivities(m, ["when"], ["wheel.angle"], t_end=3.0).ok
