"""Angles of directions that lean towards their axis, and that swing past it."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import grashof as gr
from grashof.show.tables import save_table

from .accuracy import CLOSE, TOL, largest

GRAVITY = 9.81


def spherical_pendulum(length: float, direction: np.ndarray, rate: np.ndarray) -> gr.Mechanism:
    """A slender bar on a ball at the origin, its end moving with `rate` (m/s); its angle about the vertical is 'az'."""
    m = gr.Mechanism("spherical pendulum", gravity=(0, 0, -GRAVITY))
    bar = m.bar("bar", start=(0, 0, 0), end=tuple(length * direction), mass=1.0)
    m.spherical(m.ground.at(0, 0, 0), bar.start)
    m.angle("az", bar, axis=(0, 0, 1))
    upright = int(np.argmax(np.abs(direction)))
    for k in {0, 1, 2} - {upright}:
        m.need(f"bar.end.{'xyz'[k]}", rate=float(rate[k]))
    return m


LENGTH, LEAN, END = 0.575, 1.509, 2.0
DIRECTION = np.array([math.sin(LEAN), 0.0, -math.cos(LEAN)])
SIDEWAYS = np.array([0.2, -0.1, 0.05, -0.02, 0.01, -0.00526])
"""How fast the ends of some pendulums, all let go at DIRECTION, move sideways, m/s."""


@cache
def unwrapped(spring: float = 0.0) -> np.ndarray:
    """Their azimuths every 2 ms, by the classical Runge–Kutta method for unit vectors u with the azimuth as a state,
    (times, 6):

    ü = −|u̇|² u + (1 − u uᵀ)(−(3g/2ℓ) e_z + (τ/I) (−u_y, u_x, 0)/(u_x² + u_y²)),   τ = −k θ,   I = ℓ²/3
    """
    weight, inertia = 1.5 * GRAVITY / LENGTH, LENGTH**2 / 3.0

    def slope(y: np.ndarray) -> np.ndarray:
        u, du = y[:3], y[3:6]
        square = u[0] * u[0] + u[1] * u[1]
        turn = -spring * y[6] / (inertia * square)
        pull = np.array([-turn * u[1], turn * u[0], 0.0 * turn - weight])
        along = np.sum(pull * u + du * du, axis=0)
        return np.array([*du, *(pull - along * u), (u[0] * du[1] - u[1] * du[0]) / square])

    still = np.zeros_like(SIDEWAYS)
    y, h = np.array([*(x + still for x in DIRECTION), still, SIDEWAYS / LENGTH, still, still]), 1e-4
    angles = [still]
    for k in range(round(END / h)):
        a = slope(y)
        b = slope(y + 0.5 * h * a)
        c = slope(y + 0.5 * h * b)
        y = y + h / 6.0 * (a + 2.0 * b + 2.0 * c + slope(y + h * c))
        if k % 20 == 19:
            angles.append(y[6])
    return np.array(angles)


def azimuths(tol: float, spring: float = 0.0) -> np.ndarray:
    """The same from simulations."""
    found = []
    for rate in SIDEWAYS:
        m = spherical_pendulum(LENGTH, DIRECTION, np.array([0.0, rate, 0.0]))
        if spring:
            m.torsion_spring("az", stiffness=spring)
        run = gr.simulate(m, END, tol=tol, times=1001)
        assert run.status.ok
        assert not run.undefined
        found.append(run["az"])
    return np.array(found).T


@pytest.mark.parametrize("tol", [1e-2, 1e-6])
def test_a_bar_that_swings_past_the_vertical_counts_each_half_turn(tol: float) -> None:
    exact = unwrapped()
    assert np.min(np.abs(exact[-1])) > 2.0 * math.pi
    # within half a turn: the count is right
    assert largest(azimuths(tol) - exact) < math.pi


def test_a_spring_on_an_angle_knows_on_which_side_of_its_axis_the_bar_passes() -> None:
    """A spring that hardly changes the motion, at a tolerance whose steps would pass the vertical without looking."""
    weak = 2e-6
    assert largest(azimuths(1e-2, weak) - unwrapped(weak)) < math.pi


@pytest.mark.parametrize("lean", [0.1, 0.6, 1.2])
def test_a_leaning_bar_on_a_ball_precesses_steadily(lean: float) -> None:
    """A conical pendulum: Ω² = 3g/(2ℓ cos β), the azimuth Ωt."""
    precession = math.sqrt(1.5 * GRAVITY / math.cos(lean))
    direction = np.array([math.sin(lean), 0.0, -math.cos(lean)])
    m = spherical_pendulum(1.0, direction, np.array([0.0, precession * math.sin(lean), 0.0]))
    run = gr.simulate(m, 10.0, tol=TOL)
    assert largest(run["az"] - precession * run.t) < 10.0 * precession * CLOSE / math.sin(lean)
    assert largest(run["az.rate"] - precession) < 10.0 * precession * CLOSE / math.sin(lean)


def test_an_angle_whose_direction_meets_the_axis_is_refused_with_the_time(tmp_path: Path) -> None:
    """Let go from the horizontal: it hangs straight down after a quarter of a period, K(sin 45°) √(2ℓ/3g)."""
    run = gr.simulate(spherical_pendulum(1.0, np.array([1.0, 0.0, 0.0]), np.zeros(3)), 5.0)
    quarter = 1.8540746773013719 * math.sqrt(2.0 / (3.0 * GRAVITY))
    assert run.status.ok
    for name in ("az", "az.rate"):
        with pytest.raises(gr.ModelError, match=rf"'az' is not defined at t = {quarter:.5f}"):
            run[name]
        assert name not in run.names
    assert list(run.undefined) == ["az"]
    save_table(run, tmp_path / "rest.csv")
    assert "az" not in (tmp_path / "rest.csv").read_text()
    assert all(np.all(np.isfinite(run[name])) for name in run.names)
