"""Wheels that roll without slipping, against closed forms and Lagrange's equations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import grashof as gr
from grashof.model.handles import Point

G = 9.81


def wheel_of(m: gr.Mechanism, mass: float, inertia: float, position: tuple[float, float]) -> Point:
    return m.body("wheel", mass=mass, inertia=inertia, position=position).at(0, 0, name="o")


@pytest.mark.parametrize("factor", [0.0, 0.4, 0.5, 1.0])
def test_a_wheel_rolls_down_a_slope(factor: float) -> None:
    """a = g sin α/(1 + J/m r²), and the line pulls it back by m (g sin α − a)."""
    slope, radius, mass = 0.4, 0.15, 2.0
    m = gr.Mechanism("slope", gravity=(0, -G))
    down = (-np.cos(slope), -np.sin(slope))  # the wheel is on the left of it, which is below
    up = (np.cos(slope), np.sin(slope))
    wheel = wheel_of(m, mass, factor * mass * radius**2, (0, radius))
    travel = m.roll(m.ground.line((0, 0), up), wheel, radius=radius, name="track")
    m.need(travel, value=0.0)
    m.need("wheel.angle", value=0.0)
    run = gr.simulate(m, 2.0)
    a = G * np.sin(slope) / (1.0 + factor)
    assert run.status.ok
    assert gr.mobility(m).dof == 1
    assert run[travel] == pytest.approx(-0.5 * a * run.t**2, rel=1e-6, abs=1e-8)
    assert run["wheel.angle"] == pytest.approx(-run[travel] / radius, abs=1e-9)
    normal = np.array([-np.sin(slope), np.cos(slope)])
    start = radius * normal
    assert run["wheel.o.x"] == pytest.approx(start[0] - down[0] * run[travel], abs=1e-9)
    assert run.reactions()["track.force"] == pytest.approx(
        np.full(len(run.t), mass * (G * np.sin(slope) - a)), abs=1e-8
    )


@pytest.mark.parametrize(("inside", "start"), [(True, -np.pi / 2 + 0.8), (False, np.pi / 2 - 0.3)])
def test_a_wheel_rolls_in_a_ring_and_on_a_cylinder(inside: bool, start: float) -> None:
    """The arm is a pendulum of length R ∓ r with the inertia (m + J/r²)(R ∓ r)²."""
    big, radius, mass, inertia = 1.0, 0.25, 2.0, 0.03
    arm = big - radius if inside else big + radius
    m = gr.Mechanism("ring", gravity=(0, -G))
    wheel = wheel_of(m, mass, inertia, (arm * np.cos(start), arm * np.sin(start)))
    angle = m.roll(m.ground.circle((0, 0), big), wheel, radius=radius, inside=inside, name="track")
    m.need(angle, value=start)
    m.need("wheel.angle", value=0.0)
    run = gr.simulate(m, 1.2, tol=1e-9)
    stiff = G / (arm * (1.0 + inertia / (mass * radius**2)))
    exact = solve_ivp(
        lambda t, y: [y[1], -stiff * np.cos(y[0])], (0, 1.2), [start, 0], rtol=1e-11, atol=1e-12, dense_output=True
    )
    assert run.status.ok
    assert run[angle] == pytest.approx(exact.sol(run.t)[0], abs=1e-7)
    spin = (-1 if inside else 1) * arm / radius
    assert run["wheel.angle"] == pytest.approx(spin * (run[angle] - start), abs=1e-8)


def test_a_wheel_on_a_plank_that_swings() -> None:
    """A plank on a pivot, and a wheel that rolls on it: Lagrange's equations of both angles, by another program."""
    radius, mass, inertia, plank = 0.1, 1.5, 0.01, 0.8
    m = gr.Mechanism("seesaw", gravity=(0, -G))
    board = m.body("board", mass=3.0, inertia=plank)
    m.revolute(m.ground.at(0, 0), board.at(0, 0))
    wheel = wheel_of(m, mass, inertia, (0.3, radius))
    travel = m.roll(board.line((0, 0), (1, 0)), wheel, radius=radius, name="track")
    for quantity, value in ((board.angle, 0.0), (travel, 0.3), ("wheel.angle", 0.0)):
        m.need(quantity, value=value)
    m.need(travel, rate=0.2)
    run = gr.simulate(m, 0.8, tol=1e-9)

    def rates(t: float, y: np.ndarray) -> list[float]:
        s, b, ds, db = y
        left = np.array(
            [
                [mass + inertia / radius**2, -mass * radius - inertia / radius],
                [-mass * radius - inertia / radius, mass * (radius**2 + s**2) + inertia + plank],
            ]
        )
        right = [
            mass * s * db**2 - mass * G * np.sin(b),
            -2.0 * mass * s * ds * db - mass * G * (s * np.cos(b) - radius * np.sin(b)),
        ]
        return [ds, db, *np.linalg.solve(left, right)]

    begin = [0.3, 0.0, run[f"{travel}.rate"][0], run["board.angle.rate"][0]]
    exact = solve_ivp(rates, (0, 0.8), begin, rtol=1e-11, atol=1e-12, dense_output=True)
    assert run.status.ok
    assert gr.mobility(m).dof == 2
    assert run[travel] == pytest.approx(exact.sol(run.t)[0], abs=1e-7)
    assert run["board.angle"] == pytest.approx(exact.sol(run.t)[1], abs=1e-7)


def test_a_cart_pushed_away_under_a_wheel() -> None:
    """m a_c = F, J α = F r, a_cart = a_c + r α, M a_cart = f − F."""
    radius, mass, inertia = 0.2, 2.0, 0.05
    m = gr.Mechanism("cart")
    cart = m.body("cart", mass=4.0, inertia=1.0)
    m.prismatic(m.ground.at(0, 0), cart.at(0, 0, name="o"), axis=(1, 0))
    wheel = wheel_of(m, mass, inertia, (0, radius))
    travel = m.roll(cart.line((0, 0), (1, 0)), wheel, radius=radius, name="track")
    for quantity in ("cart.o.x", travel, "wheel.angle"):
        m.need(quantity, value=0.0)
    m.force(cart.o, (3.0, 0.0))
    run = gr.simulate(m, 1.0)
    ease = 1 / mass + radius**2 / inertia
    grip = 3.0 / (1 + 4.0 * ease)
    assert run.status.ok
    assert run["wheel.o.x"] == pytest.approx(0.5 * grip / mass * run.t**2, abs=1e-8)
    assert run["wheel.angle"] == pytest.approx(0.5 * grip * radius / inertia * run.t**2, abs=1e-8)


@pytest.mark.parametrize(
    ("radius", "words"),
    [(-0.1, "it must be positive"), (1.5, "does not fit inside a circle of 1.0 m"), ("x", "radius is 'x'")],
)
def test_wheels_that_cannot_roll_are_refused(radius: float, words: str) -> None:
    m = gr.Mechanism("ring")
    wheel = wheel_of(m, 1.0, 1.0, (0, 0))
    with pytest.raises(gr.ModelError, match=words):
        m.roll(m.ground.circle((0, 0), 1.0), wheel, radius=radius, inside=True)


def test_what_is_no_track_is_refused() -> None:
    m = gr.Mechanism("ring")
    wheel = wheel_of(m, 1.0, 1.0, (0, 0))
    with pytest.raises(gr.ModelError, match="is neither a line nor a circle"):
        m.roll(m.ground.at(0, 0), wheel, radius=0.1)  # type: ignore[arg-type]
