"""Motors with a given speed: the position is its integral, from wherever the mechanism starts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import grashof as gr
from grashof.model.files import dumps, loads
from tests import classics


def slider_crank(**drive: Any) -> gr.Mechanism:
    m, crank, _ = classics.slider_crank()
    m.want("rod.end.x", value=0.6)
    m.need(crank, value=0.3)
    m.motor(crank, name="drive", **drive)
    return m


@pytest.mark.parametrize(
    ("speed", "position"),
    [
        (10, "0.3 + 10*t"),
        ("2*pi", "0.3 + 2*pi*t"),
        ("3 + 5*sin(t)", "0.3 + 3*t + 5*(1 - cos(t))"),
        (gr.table([0, 1, 2], [0, 4, 4]), "0.3 + where(1 - t, 2*t**2, 4*t - 2)"),
        ("min(4*t, 4)", "0.3 + where(1 - t, 2*t**2, 4*t - 2)"),
    ],
)
def test_a_speed_moves_as_its_integral_does(speed: Any, position: str) -> None:
    one, other = (gr.simulate(slider_crank(**drive), 2.0) for drive in ({"speed": speed}, {"position": position}))
    assert one.status.ok
    assert one["crank.angle"] == pytest.approx(other["crank.angle"], abs=1e-8)
    assert one["rod.end.x"] == pytest.approx(other["rod.end.x"], abs=1e-8)
    assert one["work.drive"] == pytest.approx(other["work.drive"], abs=1e-5)
    assert np.max(np.abs(one["balance"])) < 1e-5
    assert np.max(one["violation.acceleration"]) < 1e-8
    times = [0.0, 0.5, 0.9, 1.7, 2.0]
    torques = [run.reactions(times)["drive.torque"] for run in (one, other)]
    assert torques[0] == pytest.approx(torques[1], abs=1e-5)


def test_a_coordinate_at_a_given_speed() -> None:
    m = gr.Mechanism("block")
    block = m.body("block", mass=2.0, inertia=0.1, points={"p": (0, 0)})
    m.slider(m.ground.line((0, 0), (1, 0)), block.line((0, 0), (1, 0)))
    m.need("block.p.x", value=0.2)
    m.motor("block.p.x", speed="0.3*cos(2*t)")
    run = gr.simulate(m, 5.0)
    assert run["block.p.x"] == pytest.approx(0.2 + 0.15 * np.sin(2.0 * run.t), abs=1e-9)


def test_the_file_moves_alike() -> None:
    for speed in (10, "3 + t", gr.table([0, 1, 2], [0, 4, 4], kind="cubic")):
        model = slider_crank(speed=speed).model
        again = loads(dumps(model))
        assert again == model
        assert np.array_equal(gr.simulate(model, 0.5).y, gr.simulate(again, 0.5).y)


def test_kinematics_of_given_speeds() -> None:
    run = gr.kinematics(slider_crank(speed=10), 1.0)
    assert run["crank.angle"] == pytest.approx(0.3 + 10.0 * run.t, abs=1e-9)
    run = gr.kinematics(slider_crank(speed="t"), 1.0)
    assert run["crank.angle"] == pytest.approx(0.3 + 0.5 * run.t**2, abs=1e-9)


@pytest.mark.parametrize(
    ("drive", "words"),
    [
        ({"speed": "where(t < 1, 1, 2)"}, "jump in its rate at t = 1 s"),
        ({"speed": "crank.angle"}, "a law of time t alone"),
        ({"speed": "1/t"}, "no finite value"),
        ({"speed": 1, "position": 2}, "give one of speed"),
        ({}, "give one of speed"),
        ({"position": gr.table([0, 1, 2], [0.3, 1, 3])}, "jump in its rate at t = 1 s"),
    ],
)
def test_impossible_speeds(drive: dict[str, Any], words: str) -> None:
    with pytest.raises(gr.ModelError, match=words):
        gr.simulate(slider_crank(**drive), 2.0)
