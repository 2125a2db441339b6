"""Mechanisms in space, compared with their closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import grashof as gr
from tests.gallery.conftest import Runs
from tests.gallery.geometry import numbers

AXES = "xyz"


def place(run: gr.Trajectory, point: str) -> np.ndarray:
    return np.column_stack([run[f"{point}.{axis}"] for axis in AXES])


def test_rssr_rocker_angle(run_of: Runs) -> None:
    """The distance of the pins is the coupler's length, which is one equation for cos ψ."""
    run, n = run_of("rssr"), numbers("rssr")
    across, apart = n["q"] - n["a"] * np.sin(n["omega"] * run.t), n["p"] - n["a"] * np.cos(n["omega"] * run.t)
    cosine = (n["l"] ** 2 - n["c"] ** 2 - across**2 - apart**2) / (2 * across * n["c"])
    assert np.abs(run["swing"] - np.arccos(cosine)).max() < 1e-7


def test_cardan_shaft_runs_ahead_and_behind(run_of: Runs) -> None:
    run, n = run_of("cardan-shaft"), numbers("cardan-shaft")
    turn = n["omega"] * run.t
    # tan φ2 = tan φ1 / cos β, by sines so that right angles are no exception
    mismatch = np.sin(turn) * np.cos(run["phi2"]) - np.cos(turn) * np.cos(n["beta"]) * np.sin(run["phi2"])
    assert np.abs(mismatch).max() < 1e-8
    assert np.ptp(run["phi2"] - turn) > 0.1
    assert np.abs(run["phi3"] - turn).max() < 1e-8


def test_a_twisted_cardan_shaft_doubles_the_fluctuation() -> None:
    """With the forks at right angles the second joint adds to the first: tan φ3 = tan φ1 / cos² β."""
    n = numbers("cardan-shaft")
    run = gr.simulate(gr.with_numbers(gr.example("cardan-shaft"), {"twist": np.pi / 2}), 1.0, tol=1e-8)
    turn, last = n["omega"] * run.t, run["phi3"] - np.pi / 2  # the last fork starts at right angles, too
    mismatch = np.sin(turn) * np.cos(last) - np.cos(turn) * np.cos(n["beta"]) ** 2 * np.sin(last)
    assert np.abs(mismatch).max() < 1e-7


def test_bennett_angles(run_of: Runs) -> None:
    run, n = run_of("bennett"), numbers("bennett")
    alpha, beta = n["alpha"], n["beta"]
    theta1, theta2 = (
        -run["theta4"],
        1.5 + n["omega"] * run.t,
    )  # from the last link to the ground, and from there to the first
    ratio = np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2)
    mismatch = np.sin(theta1 / 2) * np.sin(theta2 / 2) - ratio * np.cos(theta1 / 2) * np.cos(theta2 / 2)
    assert np.abs(mismatch).max() < 1e-7
    assert np.ptp(theta1) > 2 * np.pi  # it turns fully


def test_bennett_needs_its_condition() -> None:
    """A link that is a little longer than a sin β/sin α: nothing moves any more."""
    longer = gr.with_numbers(gr.example("bennett"), {"first.end.x": 0.31, "third.end.x": 0.31})
    with pytest.raises(gr.ModelError):
        gr.simulate(longer, 0.1)


def test_bricard_angles(run_of: Runs) -> None:
    """Every other joint turns alike, and neighbours obey cos θ cos φ + cos θ + cos φ = 0 (Y. Chen, Z. You and T.
    Tarnai, Int. J. Solids Struct. 42, 2005, for twists of 90°)."""
    run = run_of("bricard")
    theta, phi, other = (np.pi / 2 - run[f"turn {k}"] for k in (1, 2, 3))
    assert np.abs(np.cos(theta) * np.cos(phi) + np.cos(theta) + np.cos(phi)).max() < 1e-6
    assert np.abs(theta - other).max() < 1e-6


def test_governor_angle_at_speed(run_of: Runs) -> None:
    run, n = run_of("governor"), numbers("governor")
    cosine = (1 + n["sleeve_mass"] / n["ball"]) * 9.81 / (n["omega"] ** 2 * n["l"])
    assert np.cos(run["theta"][-1]) == pytest.approx(cosine, rel=1e-4)
    assert run["turn.rate"][-1] == pytest.approx(n["omega"], rel=1e-5)
    assert run["sleeve.O.z"][-1] == pytest.approx(-2 * n["l"] * cosine, rel=1e-4)


def test_stewart_platform_takes_the_pose_that_its_legs_were_made_for(run_of: Runs) -> None:
    run, n = run_of("stewart"), numbers("stewart")
    swing = np.sin(n["omega"] * run.t)
    centre = np.column_stack([n["surge"] * swing, 0 * swing, n["height"] + n["heave"] * np.sin(2 * n["omega"] * run.t)])
    assert np.abs(place(run, "platform.O") - centre).max() < 1e-7
    rim = n["top"] * np.array([np.cos(np.radians(10)), np.sin(np.radians(10))])
    pitch = n["pitch"] * swing
    expected = centre + np.column_stack([rim[0] * np.cos(pitch), 0 * pitch + rim[1], -rim[0] * np.sin(pitch)])
    assert np.abs(place(run, "platform.P1") - expected).max() < 1e-7
