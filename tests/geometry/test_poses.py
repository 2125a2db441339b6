"""Poses are where the coordinates say that bodies are."""

import numpy as np
import pytest

import grashof as gr
from grashof.geometry.poses import poses_at
from grashof.program import build
from tests import classics


def arm() -> gr.Mechanism:
    """A body with axes of its own and a slender bar, in space."""
    m = gr.Mechanism("arm", gravity=(0, 0, -9.81))
    body = m.body("body", mass=1.0, center=(0.1, 0.2, -0.3), inertia=(0.02, 0.03, 0.04), points={"tip": (0.3, 0.1, 0)})
    bar = m.bar("bar", length=0.7, mass=0.5)
    m.universal(m.ground.at(0, 0, 0), body.at(0, 0, 0), axis_a=(1, 0, 0), axis_b=(0, 1, 0))
    m.spherical(body.tip, bar.start)
    return m


def four_bar() -> gr.Mechanism:
    m, a, _, _ = classics.four_bar()
    m.need(a.angle, value=1.0)
    return m


@pytest.mark.parametrize("make", [arm, four_bar])
def test_coordinates_follow_from_poses_and_poses_from_coordinates(make) -> None:
    program = build(make())
    run = gr.simulate(program, 0.7, times=4)
    for q in run.q:
        assert program.coordinates_at(poses_at(program.system, q)) == pytest.approx(q, abs=1e-12)


def test_angles_in_the_plane_are_those_of_the_run() -> None:
    run = gr.simulate(four_bar(), 0.7, times=4)
    for q, angle in zip(run.q, run["b.angle"], strict=True):
        pose = poses_at(run.program.system, q)["b"]
        assert np.exp(1j * pose.angle) == pytest.approx(np.exp(1j * angle), abs=1e-12)
