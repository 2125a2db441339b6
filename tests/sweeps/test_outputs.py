"""Outputs are what closed forms say."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import simpson
from scipy.optimize import brentq

import grashof as gr
from grashof.common.errors import ModelError
from grashof.judge.verdict import Compare, judge
from grashof.problems import make_case
from grashof.simulation.options import Options
from grashof.sweeps.asked import read_study
from grashof.sweeps.outputs import At, Extreme, History, Mean, TimeOf, read_output
from tests.sweeps.mechanisms import G, pendulum, slider_crank


def test_a_small_pendulum_of_several_lengths() -> None:
    """φ = −π/2 + a cos ωt with ω² = 3g/2ℓ: extremes, their times, means over the run; a² / 16 is the relative error
    of the closed form's period."""
    a, end = 1e-3, 1.2
    lengths = np.array([0.6, 1.0, 1.7])
    outputs = [
        "rod.angle at end",
        "rod.angle at 0.5",
        "max rod.angle",
        "min rod.angle",
        "time of min rod.angle",
        "peak rod.angle.rate",
        "mean rod.angle",
        "trajectory rod.angle",
    ]
    table = gr.sweep(pendulum(a), {"rod.length": lengths}, end, outputs=outputs, times=11, tol=1e-9)
    omega = np.sqrt(1.5 * G / lengths)
    down = -0.5 * math.pi
    near = 2.0 * a * a * a  # of the angle itself, the period being longer by a²/16
    assert table.ok.all()
    assert table["rod.angle at end"] == pytest.approx(down + a * np.cos(omega * end), abs=near)
    assert table["rod.angle at 0.5"] == pytest.approx(down + a * np.cos(omega * 0.5), abs=near)
    assert table["max rod.angle"] == pytest.approx(np.full(3, down + a), abs=near)
    assert table["min rod.angle"] == pytest.approx(np.full(3, down - a), abs=near)
    assert table["time of min rod.angle"] == pytest.approx(math.pi / omega, abs=1e-5)
    assert table["peak rod.angle.rate"] == pytest.approx(a * omega, abs=10.0 * near)
    assert table["mean rod.angle"] == pytest.approx(down + a * np.sin(omega * end) / (omega * end), abs=near)
    t = np.linspace(0.0, end, 11)
    assert np.array_equal(table.times("trajectory rod.angle"), t)
    assert table["trajectory rod.angle"] == pytest.approx(down + a * np.cos(np.outer(omega, t)), abs=near)
    assert table.unit("peak rod.angle.rate") == "rad/s"
    assert table.unit("time of min rod.angle") == "s"


def test_the_strokes_of_a_slider_crank() -> None:
    """x = r cos φ + √(ℓ² − r² sin² φ) is r + ℓ at φ = 2π and ℓ − r at φ = π; φ = 0.3 + 2πt."""
    cranks, rods = np.array([0.1, 0.2, 0.3]), np.array([0.4, 0.6])
    outputs = [
        "max rod.end.x",
        "time of max rod.end.x",
        "min rod.end.x",
        "time of min rod.end.x",
        "mean rod.end.x.rate",
    ]
    table = gr.sweep(slider_crank(), {"crank.length": cranks, "rod.length": rods}, 0.98, outputs=outputs, tol=1e-10)
    r, length = table["crank.length"], table["rod.length"]
    assert table["max rod.end.x"] == pytest.approx(length + r, abs=1e-10)
    assert table["min rod.end.x"] == pytest.approx(length - r, abs=1e-10)
    assert table["time of max rod.end.x"] == pytest.approx(np.full(6, 1.0 - 0.15 / math.pi), abs=1e-9)
    assert table["time of min rod.end.x"] == pytest.approx(np.full(6, 0.5 - 0.15 / math.pi), abs=1e-9)
    assert max(table.about.estimates.values()) < 1e-9

    def x(t: float) -> np.ndarray:
        phi = 0.3 + 2.0 * math.pi * t
        return r * math.cos(phi) + np.sqrt(length**2 - (r * math.sin(phi)) ** 2)

    assert table["mean rod.end.x.rate"] == pytest.approx((x(0.98) - x(0.0)) / 0.98, abs=1e-10)


@pytest.mark.parametrize("engine", ["compiled", "one by one"])
@pytest.mark.parametrize("tol", [1e-2, 1e-6])
def test_fast_motions_have_their_extremes_between_what_was_sampled_before(engine: str, tol: float) -> None:
    """A crank that turns 50 times: 201 evenly spaced samples would see four positions of each turn, always the same
    ones.

    The largest rate of x = r cos φ + √(ℓ² − r² sin² φ) is found on the closed form.
    """
    phi = np.linspace(0.0, 2.0 * math.pi, 100_001)
    rods = np.array([0.4, 0.7])
    root = np.sqrt(rods[:, None] ** 2 - 0.04 * np.sin(phi) ** 2)
    rate = 2.0 * math.pi * np.max(-0.2 * np.sin(phi) * (1.0 + 0.2 * np.cos(phi) / root), axis=1)
    names = ["max rod.end.x.rate", "max rod.end.x", "mean rod.end.x.rate"]
    table = gr.sweep(slider_crank(), {"rod.length": rods}, 50.0, outputs=names, tol=tol, engine=engine)
    speed = 0.2 * 2.0 * math.pi * 1.2
    assert table.ok.all()
    assert table["max rod.end.x.rate"] == pytest.approx(rate, abs=tol * speed)
    assert table["max rod.end.x"] == pytest.approx(rods + 0.2, abs=tol * 0.9)
    assert table["mean rod.end.x.rate"] == pytest.approx(np.zeros(2), abs=tol * speed)


def test_speeds_that_jump_have_their_peak_just_before_the_impact() -> None:
    """A ball that falls h and bounces with 0.8: it is fastest at the first impact, upwards fastest just after it,
    and lowest on the floor."""
    m = gr.Mechanism("ball", gravity=(0.0, -G))
    ball = m.body("ball", mass=1.0, inertia=1.0, points={"o": (0, 0)}, position=(0, 1.0))
    m.prismatic(m.ground.at(0, 0), ball.o, axis=(0, 1))
    m.need("ball.o.y", value=1.0, rate=0.0)
    m.stop("ball.o.y", lower=0.0, restitution=0.8, name="floor")
    heights, end = np.array([0.5, 1.0, 1.7]), 1.4
    names = [
        "peak ball.o.y.rate",
        "max ball.o.y.rate",
        "time of max ball.o.y.rate",
        "min ball.o.y",
        "mean ball.o.y.rate",
    ]
    table = gr.sweep(m, {"start.ball.o.y": heights}, end, outputs=[*names, "ball.o.y at end"])
    speed, when = np.sqrt(2.0 * G * heights), np.sqrt(2.0 * heights / G)
    assert table.ok.all()
    assert table[names[0]] == pytest.approx(speed, rel=1e-6)
    assert table[names[1]] == pytest.approx(0.8 * speed, rel=1e-6)
    assert table[names[2]] == pytest.approx(when, abs=1e-6)
    assert table[names[3]] == pytest.approx(np.zeros(3), abs=1e-6)
    assert table[names[4]] == pytest.approx((table["ball.o.y at end"] - heights) / end, abs=1e-6 * speed.max())


def test_a_soft_floor_is_met_for_a_short_time_only() -> None:
    """k d^2.5/2.5 = m g (h + d) at the deepest point; fastest where k d^1.5 = m g. The contact lasts 1/200 of the
    run."""
    m = gr.Mechanism("drop", gravity=(0.0, -G))
    b = m.body("b", mass=1.0, inertia=1.0, points={"o": (0, 0)}, position=(0, 1.0))
    m.prismatic(m.ground.at(0, 0), b.o, axis=(0, 1))
    m.need("b.o.y", value=1.0, rate=0.0)
    m.stop("b.o.y", lower=0.0, stiffness=1e6, exponent=1.5, name="floor")
    heights = np.array([0.3, 1.1])
    table = gr.sweep(m, {"start.b.o.y": heights}, 2.0, outputs=["min b.o.y", "peak b.o.y.rate"])
    deepest = [brentq(lambda d, h=h: G * (h + d) - 1e6 * d**2.5 / 2.5, 1e-6, 1.0) for h in heights]
    d = (G / 1e6) ** (2.0 / 3.0)
    assert table["min b.o.y"] == pytest.approx(-np.array(deepest), abs=1e-6)
    assert table["peak b.o.y.rate"] == pytest.approx(np.sqrt(2.0 * (G * (heights + d) - 1e6 * d**2.5 / 2.5)), rel=1e-6)


def test_energies_whose_rates_have_no_name() -> None:
    """The largest kinetic energy of a pendulum that starts level is what it falls by: m g ℓ/2, at −π/2."""
    table = gr.sweep(pendulum(0.5 * math.pi), {"rod.mass": [1.0, 3.0]}, 0.8, outputs=["max kinetic"], tol=1e-9)
    assert table["max kinetic"] == pytest.approx(np.array([1.0, 3.0]) * G / 2.0, abs=1e-6)
    assert table.about.estimates["max kinetic"] < 1e-6


def test_a_run_that_an_event_ends_has_outputs_until_then() -> None:
    """A bar released level, stopped by an event at −45°: sin 45° · 3g/ℓ is the square of its rate."""
    m = gr.Mechanism("falling bar", gravity=(0.0, -G))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0.0, 0.0), rod.start)
    m.need(rod.angle, value=0.0)
    m.event("rod.angle < -0.78539816339744831", does="stop")
    names = ["t at end", "rod.angle.rate at end", "peak rod.angle.rate", "trajectory rod.angle", "rod.angle at 2"]
    table = gr.sweep(m, {"rod.length": [0.5, 1.0]}, 3.0, outputs=names, times=[0.0, 0.1, 2.5], tol=1e-9)
    rate = np.sqrt(3.0 * G / np.array([0.5, 1.0]) * math.sin(0.25 * math.pi))
    assert table.status.tolist() == ["event", "event"]
    assert table["rod.angle.rate at end"] == pytest.approx(-rate, abs=1e-6)
    assert table["peak rod.angle.rate"] == pytest.approx(rate, abs=1e-6)
    assert np.isnan(table["rod.angle at 2"]).all()
    assert np.isnan(table["trajectory rod.angle"]).tolist() == [[False, False, True]] * 2
    assert np.all(table["t at end"] < 1.0)


def test_the_error_of_a_problem_is_that_of_its_rule() -> None:
    case = make_case("double-four-bar")
    table = gr.sweep(case, {"upright0.mass": [1.0, 1.5]}, 1.0, outputs=["error", "upright0.end.x at end"], tol=1e-5)
    judged = judge(case, t_end=1.0, tol=1e-5, compare=Compare.NONE)
    assert judged.error is not None
    assert 0.0 < table["error"][0] < 10.0 * judged.error
    assert table.unit("error") == "J"


@pytest.mark.parametrize(
    ("text", "output"),
    [
        ("rod.end.x at end", At("rod.end.x")),
        ("rod.end.x  at 0.3 s", At("rod.end.x", 0.3)),
        ("max a bar.end.x", Extreme("max", "a bar.end.x")),
        ("time of peak drive", TimeOf("peak", "drive")),
        ("mean x", Mean("x")),
        ("trajectory at.end.x", History("at.end.x")),
    ],
)
def test_texts_mean_outputs(text: str, output: object) -> None:
    assert read_output(text) == output
    assert read_output(str(output)) == output


@pytest.mark.parametrize(
    ("outputs", "sentence"),
    [
        (["rod.end.x"], "Output 'rod.end.x' is not understood; possible outputs are 'rod.end.x at end'"),
        (["max rod.end.q"], "no quantity 'rod.end.q'.*did you mean"),
        (["rod.end.x at 5"], "outside the run, which lasts from 0 s to 1 s"),
        (["error"], "which this mechanism is not"),
        (["max t", "max t"], "given twice"),
        ([], "There are no outputs"),
    ],
)
def test_what_is_no_output_is_told_before_anything_runs(outputs: list[str], sentence: str) -> None:
    with pytest.raises(ModelError, match=sentence):
        gr.sweep(slider_crank(), {"rod.mass": [1.0]}, 1.0, outputs=outputs)


@pytest.mark.parametrize(
    ("times", "sentence"),
    [
        ([0.5], "at least two times"),
        ([0.5, 0.5], "must increase"),
        ([0.0, 2.0], "between 0 s and 1 s"),
        (10**9, "at most 1,000,000"),
    ],
)
def test_times_that_cannot_be_are_told(times: object, sentence: str) -> None:
    with pytest.raises(ModelError, match=sentence):
        gr.sweep(slider_crank(), {"rod.mass": [1.0]}, 1.0, outputs=["trajectory rod.end.x"], times=times)


def test_times_that_differ_by_rounding_are_one() -> None:
    """Official times, evenly spaced ones and chosen ones are alike but for their last bits; slopes between such
    would be nonsense."""
    case = make_case("andrews")
    outputs = ["error", "mean kinetic", "trajectory kinetic"]
    study = read_study(case.model, case, ("drive.torque",), outputs, None, 201, None, Options(), "one by one")
    assert len(study.times) == 201
    assert (study.times[0], study.times[-1]) == (0.0, case.t_end)
    table = gr.sweep(case, {"drive.torque": [0.033]}, outputs=outputs, times=201)
    t = table.times("trajectory kinetic")
    assert table["mean kinetic"][0] == pytest.approx(
        simpson(table["trajectory kinetic"][0], x=t) / case.t_end, rel=1e-3
    )
    assert table.about.estimates["mean kinetic"] < 1e-3 * table["mean kinetic"][0]
