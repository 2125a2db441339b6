"""State-space matrices of linearised mechanisms."""

from __future__ import annotations

import numpy as np
import pytest

import grashof as gr
from tests.portable.mechanisms import redundant_four_bar

CART, ROD, LENGTH, GRAVITY = 2.0, 0.6, 0.8, 9.81


def cart_with_pendulum(force: float = 0.0) -> gr.Mechanism:
    m = gr.Mechanism("crane", gravity=(0, -GRAVITY))
    cart = m.body("cart", mass=CART, inertia=0.1, center=(0, 0), points={"pin": (0, 0)})
    m.prismatic(m.ground.at(0, 0), cart.pin, axis=(1, 0))
    rod = m.bar("rod", length=LENGTH, mass=ROD)
    m.revolute(cart.pin, rod.start)
    m.spring(m.ground.at(-3, 0), cart.pin, stiffness=4.0, length=3.0, damping=0.7, name="spring")
    m.force(cart.pin, (force, 0.0), name="push")
    m.need(rod.angle, value=-1.3)
    m.need("cart.pin.x", value=0.0)
    return m


def test_a_crane_has_the_matrices_of_the_textbook() -> None:
    outputs = ["rod.end.x", "cart.pin.x.acceleration"]
    found = gr.state_space(
        cart_with_pendulum(), inputs=["push.force.x"], outputs=outputs, states=["cart.pin.x", "rod.angle"]
    )
    half, inertia = LENGTH / 2, ROD * LENGTH**2 / 12
    mass = np.array([[CART + ROD, ROD * half], [ROD * half, inertia + ROD * half**2]])
    stiffness, damping = np.diag([4.0, ROD * GRAVITY * half]), np.diag([0.7, 0.0])
    lower = -np.linalg.solve(mass, np.hstack([stiffness, damping]))
    assert np.allclose(found.A, np.vstack([np.hstack([np.zeros((2, 2)), np.eye(2)]), lower]), atol=1e-9)
    force = np.linalg.solve(mass, [1.0, 0.0])
    assert np.allclose(found.B[:, 0], [0.0, 0.0, *force], atol=1e-9)
    assert np.allclose(found.C, [[1.0, LENGTH, 0.0, 0.0], lower[0]], atol=1e-9)
    assert np.allclose(found.D[:, 0], [0.0, force[0]], atol=1e-9)
    assert found.states == ("cart.pin.x", "rod.angle", "cart.pin.x.rate", "rod.angle.rate")
    assert abs(found.at["rod.angle"] + np.pi / 2) < 1e-9


def test_signals_of_scipy_are_those_of_a_small_motion() -> None:
    signal = pytest.importorskip("scipy.signal")
    found = gr.state_space(cart_with_pendulum(), inputs=["push.force.x"], outputs=["rod.end.x", "rod.angle"])
    times = np.linspace(0.0, 3.0, 31)
    system, force = signal.StateSpace(*found), 1e-4
    _, y, _ = signal.lsim(system, np.full((31, 1), force), times)
    m = cart_with_pendulum(force)
    run = gr.simulate(m, 3.0, tol=1e-11, times=times, start=gr.equilibrium(cart_with_pendulum()))
    for k, name in enumerate(found.outputs):
        assert np.allclose(run[name] - found.at[name], y[:, k], atol=3e-5 * np.max(np.abs(y[:, k])) + 1e-10), name


def test_poles_are_the_eigenvalues_of_the_modes() -> None:
    m = redundant_four_bar()
    m.torque("left.angle", 0.0, name="drive")
    found = gr.state_space(m, inputs=["drive.torque"], outputs=["rod.c.y"])
    assert np.allclose(np.sort_complex(found.poles), np.sort_complex(gr.modes(m).eigenvalues), atol=1e-6)
    assert len(found.states) == 2
    assert "1 input, 1 output" in str(found)


def test_states_must_be_independent_and_inputs_must_be_forces() -> None:
    m, given = cart_with_pendulum(), {"inputs": ["push.force.x"], "outputs": ["rod.angle"]}
    with pytest.raises(gr.ModelError, match="2 degrees of freedom"):
        gr.state_space(m, states=["rod.angle"], **given)
    with pytest.raises(gr.ModelError, match="2 degrees of freedom"):
        gr.state_space(m, states=["rod.angle", "rod.angle"], **given)
    with pytest.raises(gr.ModelError, match="cannot be an input"):
        gr.state_space(m, inputs=["rod.mass"], outputs=["rod.angle"])
    with pytest.raises(gr.ModelError, match="at least one input"):
        gr.state_space(m, inputs=[], outputs=["rod.angle"])
