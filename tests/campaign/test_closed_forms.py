"""The closed forms the judge uses, against ordinary differential equations."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from campaign.closed_forms import Bounces, Pendulum, SphericalPendulum, SymmetricTop, Top
from scipy.integrate import solve_ivp

TIMES = np.linspace(0.1, 9.0, 23)


def solved(slope: Callable[[float, np.ndarray], object], start: np.ndarray) -> np.ndarray:
    """The state at TIMES, (k, …)."""
    found = solve_ivp(slope, (0.0, TIMES[-1]), start, "DOP853", TIMES, rtol=1e-12, atol=1e-12).y.T
    return np.asarray(found)


@pytest.mark.parametrize(
    "motion", [Pendulum(2.0, rest=2.5), Pendulum(1.3, rest=-0.2), Pendulum(1.0, rate=-2.2), Pendulum(0.5, rate=4.0)]
)
def test_a_pendulum_swings_and_turns_by_elliptic_functions(motion: Pendulum) -> None:
    exact = solved(lambda _, y: [y[1], -(motion.frequency**2) * np.sin(y[0])], np.array([motion.rest, motion.rate]))
    angle, rate = motion.at(TIMES)
    assert np.max(np.abs(angle - exact[:, 0])) < 1e-9
    assert np.max(np.abs(rate - exact[:, 1])) < 1e-9


@pytest.mark.parametrize(("height", "speed"), [(0.5, 0.4), (-0.3, 3.0), (-0.9, 0.1), (0.2, 0.01), (0.9, 5.0)])
def test_a_spherical_pendulum_moves_by_its_cubic(height: float, speed: float) -> None:
    """ü = −ω₀² (e − (e·u) u) − |u̇|² u for a unit vector u, with e upwards."""
    motion = SphericalPendulum(1.7, height, speed)
    up = np.array([0.0, 0.0, 1.0])

    def slope(_: float, y: np.ndarray) -> np.ndarray:
        u, v = y[:3], y[3:]
        return np.concatenate([v, -(1.7**2) * (up - u[2] * u) - (v @ v) * u])

    exact = solved(slope, np.array([np.sqrt(1.0 - height**2), 0.0, height, 0.0, speed, 0.0]))
    place, velocity, phi = motion.at(TIMES)
    assert np.max(np.abs(place - exact[:, :3])) < 1e-8
    assert np.max(np.abs(velocity - exact[:, 3:])) < 1e-7
    finely = np.linspace(0.0, TIMES[-1], 200_001)
    azimuth = np.unwrap(np.arctan2(*motion.at(finely)[0][:, 1::-1].T))
    assert np.max(np.abs(phi - np.interp(TIMES, finely, azimuth))) < 1e-3


@pytest.mark.parametrize(
    "motion",
    [
        Top((1.0, 1.4, 1.9), 0.9, 2.0),
        Top((0.5, 0.9, 1.0), 0.3, -3.0),
        SymmetricTop((1.0, 1.0, 1.6), 0.7, 2.0),
        SymmetricTop((1.0, 1.0, 1.2), 2.0, -0.5),
    ],
)
def test_a_top_turns_by_eulers_equations(motion: Top) -> None:
    inertia = np.array(motion.inertia)

    def slope(_: float, y: np.ndarray) -> np.ndarray:
        spin, axes = y[:3], y[3:].reshape(3, 3)
        cross = np.array([[0.0, -spin[2], spin[1]], [spin[2], 0.0, -spin[0]], [-spin[1], spin[0], 0.0]])
        return np.concatenate([-np.cross(spin, inertia * spin) / inertia, (axes @ cross).ravel()])

    exact = solved(slope, np.concatenate([[motion.first, 0.0, motion.third], np.eye(3).ravel()]))
    assert np.max(np.abs(motion.spin(TIMES) - exact[:, :3])) < 1e-9
    assert np.max(np.abs(motion.attitude(TIMES) - exact[:, 3:].reshape(-1, 3, 3))) < 1e-9


def test_a_ball_bounces_between_elastic_walls() -> None:
    motion = Bounces(0.7, 2.0, 9.0)

    def slope(_: float, y: np.ndarray) -> list[float]:
        return [y[1], 81.0 * (max(-y[0] - 0.7, 0.0) - max(y[0] - 0.7, 0.0))]

    exact = solve_ivp(slope, (0.0, 9.0), [0.0, 2.0], "DOP853", TIMES, rtol=1e-11, atol=1e-11, max_step=0.01).y
    place, velocity = motion.at(TIMES)
    assert np.max(np.abs(place - exact[0])) < 1e-6
    assert np.max(np.abs(velocity - exact[1])) < 2e-5
