"""Pendulums: elliptic functions, Lagrange's equations, and what is conserved."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk

import grashof as gr

from .accuracy import CLOSE, TOL, largest

G = 9.81


def physical_pendulum(**start: float) -> gr.Mechanism:
    """m = 2 kg, centre of mass 0.4 m from the pin, I = 0.15 kg m²; the body's x axis points from pin to centre."""
    m = gr.Mechanism("physical pendulum", gravity=(0, -G))
    body = m.body("body", mass=2.0, center=(0.4, 0.0), inertia=0.15, points={"pin": (0, 0), "tip": (1, 0)})
    m.revolute(m.ground.at(0, 0), body.pin)
    m.need(body.angle, **start)
    return m


FREQUENCY = math.sqrt(2.0 * G * 0.4 / (0.15 + 2.0 * 0.4**2))


@pytest.mark.parametrize("amplitude", [0.1, 1.5, 3.0])
def test_a_physical_pendulum_swings_by_elliptic_functions(amplitude: float) -> None:
    """From rest at φ₀ from the vertical: sin(φ/2) = k sn(K − ω t, k), k = sin(φ₀/2), ω² = m g c/(I + m c²).

    Whittaker, Analytical Dynamics (1937), § 44.
    """
    run = gr.simulate(physical_pendulum(value=amplitude - math.pi / 2), 5.0, tol=TOL)
    k = math.sin(amplitude / 2)
    sn, *_ = ellipj(ellipk(k * k) - FREQUENCY * run.t, k * k)
    assert largest(run["body.angle"] + math.pi / 2 - 2.0 * np.arcsin(k * sn)) < CLOSE


def test_a_pendulum_that_goes_over_the_top_counts_its_turns() -> None:
    """φ = 2 am(Ω t/2, k) with k = 2 ω/Ω < 1, when it passes the bottom at Ω; cos and sin of φ/2 are cn and sn."""
    speed = 2.5 * FREQUENCY
    run = gr.simulate(physical_pendulum(value=-math.pi / 2, rate=speed), 10.0, tol=TOL)
    _, _, _, amplitude = ellipj(0.5 * speed * run.t, (2.0 * FREQUENCY / speed) ** 2)
    assert amplitude[-1] > 3 * 2 * math.pi
    assert largest(run["body.angle"] + math.pi / 2 - 2.0 * amplitude) < 10.0 * CLOSE  # ten rad and more


def test_a_double_pendulum_follows_lagrange_s_equations() -> None:
    """Two uniform bars of 1 kg and 1 m, from (100°, 120°) at rest.

    T = (2/3) θ̇₁² + (1/6) θ̇₂² + ½ θ̇₁ θ̇₂ cos(θ₁ − θ₂),  V = −g ((3/2) cos θ₁ + ½ cos θ₂)
    """
    begin = np.radians([100.0, 120.0])
    m = gr.Mechanism("double pendulum", gravity=(0, -G))
    upper, lower = (m.bar(name, mass=1.0, length=1.0) for name in ("upper", "lower"))
    m.revolute(m.ground.at(0, 0), upper.start)
    m.revolute(upper.end, lower.start)
    for bar, angle in zip((upper, lower), begin, strict=True):
        m.need(bar.angle, value=angle - math.pi / 2)

    def lagrange(_: float, y: np.ndarray) -> np.ndarray:
        a, b, da, db = y
        c, s = 0.5 * math.cos(a - b), 0.5 * math.sin(a - b)
        mass = np.array([[4 / 3, c], [c, 1 / 3]])
        right = [-s * db * db - 1.5 * G * math.sin(a), s * da * da - 0.5 * G * math.sin(b)]
        return np.array([da, db, *np.linalg.solve(mass, right)])

    run = gr.simulate(m, 3.0, tol=TOL)
    exact = solve_ivp(lagrange, (0.0, 3.0), [*begin, 0.0, 0.0], "DOP853", run.t, rtol=1e-13, atol=1e-13).y
    # chaotic: neighbouring motions part by a factor of some hundred in three seconds
    assert largest(run["upper.angle"] + math.pi / 2 - exact[0]) < 100.0 * CLOSE
    assert largest(run["lower.angle.rate"] - exact[3]) < 100.0 * CLOSE


def spherical_pendulum(mass_of_rod: float) -> gr.Mechanism:
    m = gr.Mechanism("spherical pendulum", gravity=(0, 0, -G))
    if mass_of_rod:
        rod = m.bar("rod", mass=mass_of_rod, start=(0, 0, 0), end=(0.6, 0.0, -0.8))
        m.spherical(m.ground.at(0, 0, 0), rod.start)
    else:
        rod = m.body("rod", mass=1.0, points={"end": (0, 0, 0)}, position=(0.6, 0.0, -0.8))
        m.distance(m.ground.at(0, 0, 0), rod.end, 1.0)
    m.need("rod.end.x", value=0.6)
    m.need("rod.end.y", value=0.0)
    m.need("rod.end.y", rate=1.3)
    m.need("rod.end.x", rate=0.0)
    return m


@pytest.mark.parametrize(("mass_of_rod", "factor"), [(0.0, 1.0), (1.0, 1.5)])
def test_a_spherical_pendulum_stays_on_its_sphere(mass_of_rod: float, factor: float) -> None:
    """r̈ = f − (f·r + v²) r on the unit sphere, f = g for a point on a massless rod, f = (3/2) g at the end of a
    uniform bar."""
    run = gr.simulate(spherical_pendulum(mass_of_rod), 6.0, tol=TOL)
    f = np.array([0.0, 0.0, -G * factor])

    def on_sphere(_: float, y: np.ndarray) -> np.ndarray:
        r, v = y[:3], y[3:]
        return np.concatenate([v, f - (f @ r + v @ v) * r])

    start = [0.6, 0.0, -0.8, 0.0, 1.3, 0.0]
    exact = solve_ivp(on_sphere, (0.0, 6.0), start, "DOP853", run.t, rtol=1e-13, atol=1e-13).y
    for axis, expected in zip("xyz", exact, strict=False):
        assert largest(run[f"rod.end.{axis}"] - expected) < 10.0 * CLOSE
    spin = run["rod.end.x"] * run["rod.end.y.rate"] - run["rod.end.y"] * run["rod.end.x.rate"]
    assert largest(spin - 0.6 * 1.3) < CLOSE
    assert largest(run["balance"]) < 10.0 * CLOSE
