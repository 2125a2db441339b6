"""Bodies that turn freely in space: Euler's equations and Lagrange's top."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk

import grashof as gr

from .accuracy import CLOSE, TOL, largest

Array = np.ndarray


def start_turning(m: gr.Mechanism, points: dict[str, Sequence[float]], omega: Sequence[float]) -> None:
    """Needs that give the body `top` the angular velocity ω about its origin, which is at rest."""
    for name, place in points.items():
        for axis, rate in zip("xyz", np.cross(omega, place), strict=True):
            m.need(f"top.{name}.{axis}", rate=float(rate))


MOMENTS = (0.2, 0.5, 0.6)
ENDS = {"a": (1.0, 0.0, 0.0), "b": (0.0, 1.0, 0.0), "c": (0.0, 0.0, 1.0)}


def asymmetric_top(held: bool, omega: Sequence[float]) -> gr.Mechanism:
    m = gr.Mechanism("top", dimension=3)
    top = m.body("top", mass=2.0, inertia=MOMENTS, points={**ENDS, "o": (0, 0, 0)}, position=(0, 0, 0))
    if held:
        m.spherical(m.ground.at(0, 0, 0), top.o)
    start_turning(m, {**ENDS, "o": (0, 0, 0)}, omega)
    return m


def axes_of(run: gr.Trajectory) -> Array:
    """The body's axes over time, (times, world component, axis)."""
    origin = np.array([run[f"top.o.{x}"] for x in "xyz"])
    return np.array([np.array([run[f"top.{end}.{x}"] for x in "xyz"]) - origin for end in ENDS]).transpose(2, 1, 0)


def spin_of(run: gr.Trajectory) -> Array:
    """ω in body axes, (times, 3): ω₁ = ė₂·e₃ and so on."""
    axes = axes_of(run)
    origin = np.array([run[f"top.o.{x}.rate"] for x in "xyz"])
    rates = np.array([np.array([run[f"top.{end}.{x}.rate"] for x in "xyz"]) - origin for end in ENDS])
    rates = rates.transpose(2, 1, 0)
    return np.stack([np.sum(rates[:, :, (k + 1) % 3] * axes[:, :, (k + 2) % 3], axis=1) for k in range(3)], axis=1)


@pytest.mark.parametrize("held", [True, False])
def test_a_free_asymmetric_top_turns_by_elliptic_functions(held: bool) -> None:
    """Landau and Lifshitz, Mechanics, § 37: with I₁ < I₂ < I₃ and L² > 2 E I₂

    ω₁ = √((2EI₃ − L²)/(I₁(I₃ − I₁))) cn τ,
    ω₂ = √((2EI₃ − L²)/(I₂(I₃ − I₂))) sn τ,  ω₃ = √((L² − 2EI₁)/(I₃(I₃ − I₁))) dn τ,
    τ = t √((I₃ − I₂)(L² − 2EI₁)/(I₁I₂I₃)),
    k² = (I₂ − I₁)(2EI₃ − L²)/((I₃ − I₂)(L² − 2EI₁)), up to the signs of ω₁ and ω₂.
    """
    omega = np.array([0.9, 0.0, 5.0])
    run = gr.simulate(asymmetric_top(held, omega), 6.0, tol=TOL)
    i1, i2, i3 = MOMENTS
    twice = float(np.dot(MOMENTS, omega**2))
    square = float(np.sum((np.array(MOMENTS) * omega) ** 2))
    assert square > twice * i2
    speed = math.sqrt((i3 - i2) * (square - twice * i1) / (i1 * i2 * i3))
    modulus = (i2 - i1) * (twice * i3 - square) / ((i3 - i2) * (square - twice * i1))
    sn, cn, dn, _ = ellipj(speed * run.t, modulus)
    exact = [
        math.sqrt((twice * i3 - square) / (i1 * (i3 - i1))) * cn,
        math.sqrt((twice * i3 - square) / (i2 * (i3 - i2))) * sn,
        math.sqrt((square - twice * i1) / (i3 * (i3 - i1))) * dn,
    ]
    found = spin_of(run)
    for k in range(3):
        assert largest(found[:, k] - exact[k]) < 10.0 * CLOSE  # 5 rad/s
    momentum = np.einsum("tij,tj->ti", axes_of(run), found * np.array(MOMENTS))
    assert largest(momentum - momentum[0]) < 10.0 * CLOSE
    assert largest(run["balance"]) < 10.0 * CLOSE


def test_a_top_about_its_middle_axis_tumbles() -> None:
    """Spun almost about the middle axis it turns over again and again (the tennis racket theorem), as scipy says of
    Euler's equations and of Ṙ = R ω̃."""
    omega = np.array([0.01, 4.0, 0.02])
    run = gr.simulate(asymmetric_top(False, omega), 8.0, tol=TOL)
    moments = np.array(MOMENTS)

    def euler(_: float, y: Array) -> Array:
        w, rotation = y[:3], y[3:].reshape(3, 3)
        turning = np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])
        return np.concatenate([-np.cross(w, moments * w) / moments, (rotation @ turning).ravel()])

    y0 = np.concatenate([omega, np.eye(3).ravel()])
    exact = solve_ivp(euler, (0.0, 8.0), y0, "DOP853", run.t, rtol=1e-13, atol=1e-13).y
    axes = exact[3:].reshape(3, 3, -1).transpose(2, 0, 1)
    assert np.min(spin_of(run)[:, 1]) < -3.9
    # errors grow e-fold in 0.3 s near the middle axis, some hundred times in eight seconds of coming and going
    assert largest(axes_of(run) - axes) < 1000.0 * CLOSE


def heavy_top(tilt: float, spin: float) -> tuple[gr.Mechanism, float]:
    """Lagrange's top on a ball joint: 1 kg at 0.3 m up its axis, I₃ = 0.02, I₁ = 0.05 kg m² about the centre of
    mass; it is let go at an angle to the vertical, spinning about its own axis only."""
    m = gr.Mechanism("top", gravity=(0, 0, -9.81))
    half = 0.5 * tilt
    points = {"o": (0.0, 0.0, 0.0), "tip": (0.0, 0.0, 0.3), "side": (0.1, 0.0, 0.0)}
    top = m.body("top", mass=1.0, center=(0, 0, 0.3), inertia=(0.05, 0.05, 0.02), points=points)
    m.guess(top, (0, 0, 0), rotation=(math.cos(half), 0.0, math.sin(half), 0.0))
    m.spherical(m.ground.at(0, 0, 0), top.o)
    axis = np.array([math.sin(tilt), 0.0, math.cos(tilt)])
    m.need("top.tip.x", value=0.3 * math.sin(tilt))
    m.need("top.tip.y", value=0.0)
    for name, place in (("tip", 0.3 * axis), ("side", 0.1 * np.array([math.cos(tilt), 0.0, -math.sin(tilt)]))):
        for component, rate in zip("xyz", np.cross(spin * axis, place), strict=True):
            m.need(f"top.{name}.{component}", rate=float(rate))
    return m, 0.05 + 0.09


def test_a_heavy_top_nods_with_lagrange_s_period() -> None:
    """With u = cos θ, let go at u₀: u̇² = f(u) = (1 − u²)(α − βu) − (b − a u)², b = a u₀, α = β u₀, β = 2 m g l/I₁, a =
    I₃ω₃/I₁ (Goldstein, Classical Mechanics, § 5.7). f = (u₀ − u)(β(1 − u²) − a²(u₀ − u)), with roots u₁ < u₀ < 1 < u₃:

        T = 4 K(k)/√(β (u₃ − u₁)),  k² = (u₀ − u₁)/(u₃ − u₁)
    """
    tilt, spin = 0.6, 90.0
    m, i1 = heavy_top(tilt, spin)
    beta, a, u0 = 2.0 * 9.81 * 0.3 / i1, 0.02 * spin / i1, math.cos(tilt)
    u1, u3 = np.sort(np.roots([-beta, a * a, beta - a * a * u0]))
    period = 4.0 * ellipk((u0 - u1) / (u3 - u1)) / math.sqrt(beta * (u3 - u1))
    run = gr.simulate(m, 3.0 * period, tol=TOL, times=[0.5 * k * period for k in range(6)] + [3.0 * period])
    assert run.status.ok
    height = run["top.tip.z"] / 0.3
    assert largest(height[::2] - u0) < CLOSE  # back at the top: a cusp
    assert largest(height[1::2] - u1) < CLOSE  # at its lowest
    assert largest(run["top.tip.z.rate"]) < 10.0 * CLOSE


def test_a_heavy_top_keeps_its_integrals() -> None:
    """Energy, the vertical momentum and the spin about its own axis."""
    m, _ = heavy_top(1.1, 40.0)
    run = gr.simulate(m, 2.0, tol=TOL)
    axis = np.array([run[f"top.tip.{x}"] for x in "xyz"]) / 0.3
    axis_rate = np.array([run[f"top.tip.{x}.rate"] for x in "xyz"]) / 0.3
    side = np.array([run[f"top.side.{x}"] for x in "xyz"]) / 0.1
    side_rate = np.array([run[f"top.side.{x}.rate"] for x in "xyz"]) / 0.1
    own_spin = np.sum(side_rate * np.cross(axis, side, axis=0), axis=0)
    momentum = 0.14 * np.cross(axis, axis_rate, axis=0) + 0.02 * own_spin * axis
    assert largest(own_spin - 40.0) < 100.0 * CLOSE
    assert largest(momentum[2] - momentum[2, 0]) < CLOSE
    assert largest(run["balance"]) < 100.0 * CLOSE  # 16 J
