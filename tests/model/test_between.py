"""The angle between two lines: transmission and pressure angles as quantities like all others."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import grashof as gr
from grashof.common.errors import ModelError
from grashof.model.measures import Between
from grashof.model.mechanism import as_model

A, B, C, D = 0.3, 1.0, 0.8, 1.1
"""Crank, coupler, rocker and frame, m."""


def four_bar(mass: float = 0.0) -> gr.Mechanism:
    m = gr.Mechanism("four-bar", gravity=(0, -9.81))
    crank, coupler, rocker = (m.bar(x, length=l, mass=mass) for x, l in (("crank", A), ("coupler", B), ("rocker", C)))
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(m.ground.at(D, 0), rocker.start)
    m.angle_between("mu", (coupler.end, coupler.start), (rocker.end, rocker.start))
    return m


def transmission(crank: np.ndarray | float) -> np.ndarray:
    """cos μ = (b² + c² − a² − d² + 2 a d cos θ)/(2 b c)"""
    return np.arccos((B * B + C * C - A * A - D * D + 2.0 * A * D * np.cos(crank)) / (2.0 * B * C))


def test_the_transmission_angle_of_a_four_bar() -> None:
    m = four_bar()
    m.motor("crank.angle", "2*pi*t")
    run = gr.kinematics(m, 1.0)
    angle = run["crank.angle"]
    assert np.allclose(np.abs(run["mu"]), transmission(angle), atol=1e-13)
    # sin μ · dμ/dθ = a d sin θ / (b c)
    slope = A * D * np.sin(angle) / (B * C * np.sin(np.abs(run["mu"])))
    assert np.allclose(np.abs(run["mu.rate"]), np.abs(2.0 * np.pi * slope), atol=1e-11)
    assert run.unit("mu") == "rad"
    low, high = gr.linkage(m).transmissions[0].range
    assert np.abs(run["mu"]).min() == pytest.approx(low, abs=1e-4)
    assert np.abs(run["mu"]).max() == pytest.approx(high, abs=1e-4)
    assert run.in_units("deg")["mu"] == pytest.approx(np.degrees(run["mu"]))


def test_the_pressure_angle_of_a_slider_crank() -> None:
    """sin α = r sin θ / l, between the rod and the guide of an in-line slider-crank."""
    m = gr.Mechanism("slider crank")
    crank, rod = m.bar("crank", length=0.2), m.bar("rod", length=0.5)
    guide = m.ground.at(0, 0)
    m.revolute(guide, crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0, 0), (1, 0)), rod.end)
    m.angle_between("alpha", (guide, m.ground.at(1, 0)), (rod.start, rod.end))
    m.motor(crank, "2*pi*t")
    run = gr.kinematics(m, 1.0)
    assert np.allclose(np.sin(run["alpha"]), -0.2 * np.sin(run["crank.angle"]) / 0.5, atol=1e-13)


@pytest.mark.parametrize("formulation", ["natural", "relative"])
def test_in_laws_events_and_sweeps(formulation: str) -> None:
    """A double pendulum whose second rod is turned by its angle to the first, with an event: the angle between lines is
    that of the second rod less that of the first."""
    m = gr.Mechanism("double pendulum", gravity=(0, -9.81))
    first, second = (m.bar(name, length=1.0, mass=1.0) for name in ("first", "second"))
    m.revolute(m.ground.at(0, 0), first.start)
    m.revolute(first.end, second.start)
    m.angle_between("bend", (first.start, first.end), (second.start, second.end))
    m.torque(second, "-2*bend - 0.1*bend.rate")
    m.event("bend", crosses=0.2)
    m.need(first.angle, value=0.3)
    m.need(second.angle, value=0.8)
    run = gr.simulate(m, 4.0, formulation=formulation)
    assert run.status.ok
    assert np.allclose(run["bend"], run["second.angle"] - run["first.angle"], atol=1e-9)
    assert len(run.events) > 2
    at = gr.Trajectory(run.program, run.steps, np.array([event.time for event in run.events]))
    assert np.allclose(at["second.angle"] - at["first.angle"], 0.2, atol=1e-9)
    table = gr.sweep(m, {"first.mass": [0.8, 1.0]}, t_end=1.0, outputs=["max bend"])
    assert float(table["max bend"][1]) == pytest.approx(float(run["bend"][run.t <= 1.0].max()), abs=1e-3)


def test_a_need_and_a_motor() -> None:
    m = four_bar()
    m.need("mu", value=1.2)
    start = gr.assemble(m)
    assert transmission(start.angles["crank.angle"]) == pytest.approx(1.2, abs=1e-9)
    m.motor("mu", "1.2 + 0.2*sin(t)")
    run = gr.kinematics(m, 1.0)
    assert np.allclose(run["mu"], 1.2 + 0.2 * np.sin(run.t), atol=1e-12)
    assert np.allclose(transmission(run["crank.angle"]), run["mu"], atol=1e-9)


def test_its_derivative() -> None:
    """dμ/dc at a given angle of the crank, from 2 b c cos μ = b² + c² − f² with f independent of c."""
    m = four_bar(1.0)
    m.motor("crank.angle", "0.5 + 3*t")
    found = gr.sensitivities(m, ["rocker.length"], ["mu at 0.3"], t_end=0.4)
    mu = float(transmission(0.5 + 3.0 * 0.3))
    slope = (np.cos(mu) * B - C) / (np.sin(mu) * B * C)
    assert abs(found["mu at 0.3", "rocker.length"]) == pytest.approx(abs(slope), rel=1e-7)


def test_files_and_mistakes(tmp_path: Path) -> None:
    m = four_bar()
    gr.save(m, tmp_path / "four-bar.toml")
    again = as_model(gr.load(tmp_path / "four-bar.toml"))
    assert again.measures == (Between("mu", ("coupler.end", "coupler.start"), ("rocker.end", "rocker.start")),)
    m.torque("mu", 1.0)
    with pytest.raises(ModelError, match="torques act on the angles of bodies"):
        gr.build(m)
    m = four_bar()
    with pytest.raises(ModelError, match="is not a line"):
        m.angle_between("nu", "crank", "rocker")  # type: ignore[arg-type]
    crank = m.body("arm", points={"a": (0, 0), "b": (1, 0), "c": (0, 1)})
    m.angle_between("nu", (crank.a, crank.b), (crank.a, crank.c))
    with pytest.raises(ModelError, match="all points are of one body"):
        gr.mobility(m)
