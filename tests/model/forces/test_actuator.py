"""Actuators follow their control, with gears, servo laws and limits."""

from __future__ import annotations

import numpy as np
import pytest

import grashof as gr

T = 1.5


def cart(**actuator: object) -> gr.Mechanism:
    """A mass of 2 kg on a line, driven along it."""
    m = gr.Mechanism("cart")
    body = m.body("cart", mass=2.0, inertia=1.0, points={"o": (0, 0)})
    m.prismatic(m.ground.at(0, 0), body.o, axis=(1, 0))
    m.actuator("cart.o.x", name="drive", **actuator)  # type: ignore[arg-type]
    return m


def test_a_position_servo_is_a_damped_oscillator() -> None:
    # with gear n: x̂ = n x, 2 ẍ = n (kp (u − n x) − kv n ẋ), u = 0.5
    n, kp, kv, u = 3.0, 8.0, 0.4, 0.5
    m = cart()
    m._forces.clear()
    m.actuator({"cart.o.x": n}, u, gain=(kp, 0, 0), bias=(0, -kp, -kv), name="drive")
    run = gr.simulate(m, T, tol=1e-10)
    decay, stiffness = n * n * kv / 4.0, n * n * kp / 2.0
    omega, rest = np.sqrt(stiffness - decay**2), u / n
    envelope = np.exp(-decay * run.t)
    expected = rest * (1.0 - envelope * (np.cos(omega * run.t) + decay / omega * np.sin(omega * run.t)))
    np.testing.assert_allclose(run["cart.o.x"], expected, atol=1e-8)


def test_control_and_force_are_limited() -> None:
    # u = 10 t is limited to 4, the force 2 u to 6: 3 m/s² from t = 0.3 on
    run = gr.simulate(cart(control="10*t", gain=(2, 0, 0), control_range=(-4, 4), force_range=(-6, 6)), T)
    assert run["cart.o.x.acceleration"][-1] == pytest.approx(3.0, abs=1e-12)
    assert run["cart.o.x.rate"][-1] == pytest.approx(10 * 0.3**2 / 2 + 3.0 * (T - 0.3), abs=1e-8)
    run = gr.simulate(cart(control="10*t", gain=(2, 0, 0), control_range=(-1, 1), force_range=(-6, 6)), T)
    assert run["cart.o.x.acceleration"][-1] == pytest.approx(1.0, abs=1e-12)


def test_the_gain_may_depend_on_the_motion() -> None:
    # a damper whose coefficient is the control: 2 v̇ = −(0.8 · 3) v
    m = cart(control=0.8, gain=(0, 0, -3))
    m.need("cart.o.x", rate=1.0)
    run = gr.simulate(m, T, tol=1e-10)
    np.testing.assert_allclose(run["cart.o.x.rate"], np.exp(-1.2 * run.t), atol=1e-8)
    assert np.ptp(run["balance"]) < 1e-8


@pytest.mark.parametrize("law", ["2*t", gr.table([0, T], [0, 2 * T])])
@pytest.mark.parametrize("name", ["drive", "cart.o.x"])
def test_a_finished_mechanism_is_commanded(name: str, law: object) -> None:
    model = cart().model.control(name, law)  # type: ignore[arg-type]
    assert gr.simulate(model, T)["cart.o.x"][-1] == pytest.approx(T**3 / 6, abs=1e-8)


def test_what_cannot_be_commanded_is_refused() -> None:
    m = cart()
    m.actuator("cart.o.x", name="second")
    with pytest.raises(gr.ModelError, match=r"Several actuators act on 'cart\.o\.x': 'drive' and 'second'"):
        m.model.control("cart.o.x", 1.0)
    with pytest.raises(gr.ModelError, match="no actuator 'driev'; did you mean 'drive'"):
        m.model.control("driev", 1.0)
    with pytest.raises(gr.ModelError, match=r"'drive'.*speed"):
        m.model.control("drive", "speed")
    with pytest.raises(gr.ModelError, match="its lower limit must not be above"):
        gr.simulate(cart(force_range=(2, 1)), T)
