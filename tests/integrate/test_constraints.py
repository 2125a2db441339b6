"""A pendulum in Cartesian coordinates: projection keeps it on its circle, and its motion is that of the angle."""

from __future__ import annotations

import numpy as np
import pytest

from grashof.integrate import Integrator

from .systems import GRAVITY, LENGTH, cartesian_pendulum, native, on_circle, pendulum_angle, released, unconstrained

RATE = (GRAVITY / LENGTH) ** 0.5


@pytest.fixture(scope="module")
def hanging() -> Integrator:
    return native(2, 1, cartesian_pendulum, on_circle)


def energy(y: np.ndarray) -> np.ndarray:
    return (y[:, 2] ** 2 + y[:, 3] ** 2) / 2 + GRAVITY * y[:, 1]


@pytest.mark.parametrize("tol", [1e-5, 1e-7, 1e-9, 1e-11])
def test_the_motion_is_that_of_the_elliptic_solution(hanging: Integrator, tol: float) -> None:
    steps = hanging.run(released(2.5), 0.0, 20.0, tol=tol, length=LENGTH, speed=1.0, weights=[1.0])
    angle = pendulum_angle(20.0, 2.5, RATE)
    assert np.abs(steps.y[-1, :2] - [LENGTH * np.sin(angle), -LENGTH * np.cos(angle)]).max() < 500 * tol
    assert abs(steps.y[-1, 4] - angle) < 500 * tol


def test_every_step_is_on_the_circle(hanging: Integrator) -> None:
    y = hanging.run(released(2.5), 0.0, 100.0, tol=1e-6, length=LENGTH, speed=1.0).y
    assert np.abs(np.hypot(y[:, 0], y[:, 1]) - LENGTH).max() < 1e-14
    assert np.abs(y[:, 0] * y[:, 2] + y[:, 1] * y[:, 3]).max() < 1e-13


def test_without_projection_it_leaves_the_circle() -> None:
    loose = native(2, 1, cartesian_pendulum, unconstrained)
    y = loose.run(released(2.5), 0.0, 100.0, tol=1e-6, length=LENGTH, speed=1.0).y
    assert np.abs(np.hypot(y[:, 0], y[:, 1]) - LENGTH).max() > 1e-6


def test_energy_is_kept_to_the_tolerance(hanging: Integrator) -> None:
    y = hanging.run(released(2.5), 0.0, 20.0, tol=1e-10, length=LENGTH, speed=1.0).y
    assert np.abs(energy(y) - energy(y)[0]).max() < 1e-7


def test_the_tracked_angle_keeps_its_turns(hanging: Integrator) -> None:
    """Started upright at 3 rad/s, it goes round and round."""
    start = [0.0, LENGTH, -3.0 * LENGTH, 0.0, np.pi]
    y = hanging.run(start, 0.0, 10.0, tol=1e-9, length=LENGTH, speed=1.0, weights=[1.0]).y
    assert y[-1, 4] > 8 * np.pi
    assert np.abs(np.sin(y[:, 4]) * LENGTH - y[:, 0]).max() < 1e-6


def test_projection_and_derivative_are_at_hand(hanging: Integrator) -> None:
    y, violation = hanging.project(0.0, [2.0, 0.0, 1.0, 3.0, 0.0])
    assert y == pytest.approx([LENGTH, 0.0, 0.0, 3.0, 0.0], abs=1e-15)
    assert violation < 1e-15
    assert hanging.derivative(0.0, y) == pytest.approx([-9.0 / LENGTH, -GRAVITY, 3.0 / LENGTH], abs=1e-14)
