"""Compliant stops with a damper of their own."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import grashof as gr


def test_the_damper_of_a_stop_is_engaged_over_its_width() -> None:
    m = gr.Mechanism("buffer")
    body = m.body("cart", mass=2.0, inertia=1.0, points={"o": (0, 0)}, position=(-0.5, 0))
    m.prismatic(m.ground.at(0, 0), body.o, axis=(1, 0))
    m.need("cart.o.x", value=-0.5, rate=1.0)
    m.stop("cart.o.x", upper=0.0, stiffness=300.0, exponent=1.0, viscous=30.0, width=0.01, name="buffer")
    run = gr.simulate(m, 1.0, tol=1e-9)

    def rates(_: float, y: np.ndarray) -> list[float]:
        x = min(max(y[0] / 0.01, 0.0), 1.0)
        push = max(300.0 * max(y[0], 0.0) + 30.0 * x * x * (3.0 - 2.0 * x) * y[1], 0.0)
        return [y[1], -push / 2.0]

    expected = solve_ivp(rates, (0.0, 0.5), (0.0, 1.0), "DOP853", rtol=1e-11, atol=1e-13, max_step=1e-3).y[0, -1]
    assert run["cart.o.x"][-1] == pytest.approx(expected, abs=1e-7)
    assert np.ptp(run["balance"]) < 1e-7
