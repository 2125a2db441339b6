"""Ropes over pulleys, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import grashof as gr
from grashof.model.handles import Handle

G = 9.81


def hanging(m: gr.Mechanism, name: str, x: float, mass: float, start: float) -> Handle:
    """A mass on a vertical guide."""
    body = m.body(name, mass=mass, inertia=1.0, position=(x, start))
    m.prismatic(m.ground.at(x, 0), body.at(0, 0, name="o"), axis=(0, 1))
    m.need(f"{name}.o.y", value=start)
    return body


@pytest.mark.parametrize("radius", [0.0, 0.1])
def test_atwoods_machine(radius: float) -> None:
    """Over a point, masses hang side by side only if it is far away; over a pulley they hang at both sides of it. a
    = g (m₂ − m₁)/(m₁ + m₂)."""
    m = gr.Mechanism("Atwood", gravity=(0, -G))
    left, right = hanging(m, "left", -radius, 1.0, -1.0), hanging(m, "right", radius, 1.5, -1.0)
    m.rope([left.o, m.ground.at(0, 0), right.o], radii=(0, -radius, 0), name="rope")
    run = gr.simulate(m, 1.0)
    assert run.status.ok
    assert run["rope"][0] == pytest.approx(2.0 + np.pi * radius)
    assert run["right.o.y"] == pytest.approx(-1.0 - 0.5 * G * 0.5 / 2.5 * run.t**2, abs=1e-7)
    assert run["left.o.y"] + run["right.o.y"] == pytest.approx(np.full(len(run.t), -2.0), abs=1e-11)
    assert -run.reactions()["rope.force"] == pytest.approx(np.full(len(run.t), 2 * 1.0 * 1.5 / 2.5 * G))


def test_atwoods_machine_with_a_heavy_pulley() -> None:
    """Two ropes are wound on the pulley in opposite senses: a = g (m₂ − m₁)/(m₁ + m₂ + J/r²), and their tensions
    differ."""
    m = gr.Mechanism("Atwood", gravity=(0, -G))
    left, right = hanging(m, "left", -0.1, 1.0, -1.0), hanging(m, "right", 0.1, 1.5, -1.0)
    pulley = m.body("pulley", mass=2.0, inertia=0.02)
    m.revolute(m.ground.at(0, 0), pulley.at(0, 0))
    m.need(pulley.angle, value=0.0)
    m.rope([left.o, m.ground.at(-0.1, 0)], wound={pulley: -0.1}, name="left rope")
    m.rope([right.o, m.ground.at(0.1, 0)], wound={pulley: 0.1}, name="right rope")
    run = gr.simulate(m, 1.0)
    a = G * 0.5 / (2.5 + 0.02 / 0.01)
    assert run.status.ok
    assert gr.mobility(m).dof == 1
    assert run["right.o.y"] == pytest.approx(-1.0 - 0.5 * a * run.t**2, abs=1e-7)
    assert run["pulley.angle"] == pytest.approx(-5.0 * a * run.t**2, abs=1e-6)
    assert -run.reactions()["left rope.force"] == pytest.approx(np.full(len(run.t), 1.0 * (G + a)))
    assert -run.reactions()["right rope.force"] == pytest.approx(np.full(len(run.t), 1.5 * (G - a)))


def test_a_block_and_tackle_halves_the_force() -> None:
    """A rope from the ceiling around a pulley that hangs in it, over one above, to a free end: a load of 2 m is in
    balance with m."""
    m = gr.Mechanism("tackle", gravity=(0, -G))
    load, weight = hanging(m, "load", 0.1, 2.0, -1.0), hanging(m, "weight", 0.4, 1.2, -1.0)
    m.rope([m.ground.at(0, 0), load.o, m.ground.at(0.3, 0), weight.o], radii=(0, 0.1, -0.1, 0), name="rope")
    run = gr.simulate(m, 1.0)
    # y_weight = −2 y_load: (m_w + m_l/4) a_w = −(m_w − m_l/2) g
    a = (1.2 - 1.0) * G / (1.2 + 0.5)
    assert run.status.ok
    assert run["weight.o.y"] == pytest.approx(-1.0 - 0.5 * a * run.t**2, abs=1e-7)
    assert run["load.o.y"] == pytest.approx(-1.0 + 0.25 * a * run.t**2, abs=1e-7)
    assert -run.reactions()["rope.force"] == pytest.approx(np.full(len(run.t), 1.2 * (G - a)))


def test_a_swinging_atwood_machine() -> None:
    """One mass swings about the pulley, a point: Lagrange's equations in r and θ, integrated by another program."""
    m = gr.Mechanism("swinging Atwood", gravity=(0, -G))
    weight = hanging(m, "weight", 1.0, 1.6, -1.0)
    bob = m.body("bob", mass=1.0, position=(-0.6, -0.8))
    tip = bob.at(0, 0, name="o")
    m.need("bob.o.x", value=-0.6)
    m.need("bob.o.y", value=-0.8)
    m.rope([tip, m.ground.at(0, 0), m.ground.at(1, 0), weight.o], name="rope")
    run = gr.simulate(m, 2.0, tol=1e-9)

    def rates(t: float, y: np.ndarray) -> list[float]:
        r, angle, fast, spin = y
        return [
            fast,
            spin,
            (r * spin**2 + G * np.cos(angle) - 1.6 * G) / 2.6,
            (-G * np.sin(angle) - 2 * fast * spin) / r,
        ]

    exact = solve_ivp(rates, (0, 2), [1.0, np.arctan2(-0.6, 0.8), 0, 0], rtol=1e-11, atol=1e-12, dense_output=True)
    r, angle = exact.sol(run.t)[:2]
    assert run.status.ok
    assert run["bob.o.x"] == pytest.approx(r * np.sin(angle), abs=1e-7)
    assert run["bob.o.y"] == pytest.approx(-r * np.cos(angle), abs=1e-7)


def test_a_bob_that_winds_itself_around_a_fixed_pulley() -> None:
    """The free length of its rope is L − ρ θ: Lagrange's equations with the tangent point moving around a circle, by
    another program."""
    rho, length = 0.2, 2.0
    m = gr.Mechanism("winding", gravity=(0, -G))
    bob = m.body("bob", mass=1.0, position=(0.2, -1.0))
    tip = bob.at(0, 0, name="o")
    # from a point far left, over the top of the pulley, clockwise
    m.rope([m.ground.at(-1.0, rho), m.ground.at(0, 0), tip], radii=(0, -rho, 0), length=1.0 + length, name="rope")
    m.want("bob.o.x", value=1.0)
    m.want("bob.o.y", value=-1.2)
    run = gr.simulate(m, 1.5, tol=1e-9)
    assert run.status.ok

    # with the tangent at ρ (sin w, cos w) and direction (cos w, −sin w): x = ρ sin w + s cos w, y = ρ cos w − s sin w,
    # s = L − ρ w
    def rates(t: float, y: np.ndarray) -> list[float]:
        w, spin = y
        s = length - rho * w
        return [spin, (G * np.cos(w) + rho * spin**2) / s]

    x, y = run["bob.o.x"][0], run["bob.o.y"][0]
    w0 = brentq(lambda w: rho * np.sin(w) + (length - rho * w) * np.cos(w) - x, 0.01, 3.0)
    assert rho * np.cos(w0) - (length - rho * w0) * np.sin(w0) == pytest.approx(y, abs=1e-9)
    exact = solve_ivp(rates, (0, 1.5), [w0, 0.0], rtol=1e-11, atol=1e-12, dense_output=True)
    w = exact.sol(run.t)[0]
    assert run["bob.o.x"] == pytest.approx(rho * np.sin(w) + (length - rho * w) * np.cos(w), abs=1e-7)
    assert run["bob.o.y"] == pytest.approx(rho * np.cos(w) - (length - rho * w) * np.sin(w), abs=1e-7)


def test_a_rope_in_space_runs_through_points() -> None:
    """A load between two eyes and a counterweight: the tension is its weight in equilibrium, 2 T cos α = m g."""
    m = gr.Mechanism("eyes", gravity=(0, 0, -G))
    load = m.body("load", mass=1.0, inertia=(1, 1, 1), position=(0, 0, -0.75))
    weight = m.body("weight", mass=1.0 / 1.2, inertia=(1, 1, 1), position=(3, 0, -1))
    m.prismatic(m.ground.at(0, 0, 0), load.at(0, 0, 0, name="o"), axis=(0, 0, 1))
    m.prismatic(m.ground.at(3, 0, 0), weight.at(0, 0, 0, name="o"), axis=(0, 0, 1))
    m.need("load.o.z", value=-0.75)
    m.rope([m.ground.at(-1, 0, 0), load.o, m.ground.at(1, 0, 0), m.ground.at(3, 0, 0), weight.o], name="rope")
    run = gr.simulate(m, 1.0)
    assert run.status.ok
    assert run["load.o.z"] == pytest.approx(np.full(len(run.t), -0.75), abs=1e-9)
    assert -run.reactions()["rope.force"] == pytest.approx(np.full(len(run.t), G / 1.2))


@pytest.mark.parametrize(
    ("radii", "words"),
    [((0, 1), "3 numbers"), ((1, 0, 0), "it must begin and end with 0"), ((0, np.nan, 0), "must be finite")],
)
def test_ropes_that_cannot_be_are_refused(radii: tuple[float, ...], words: str) -> None:
    m = gr.Mechanism("Atwood")
    left, right = hanging(m, "left", -1.0, 1.0, -1.0), hanging(m, "right", 1.0, 1.5, -1.0)
    with pytest.raises(gr.ModelError, match=words):
        m.rope([left.o, m.ground.at(0, 0), right.o], radii=radii) or m.model


def test_a_rope_that_starts_within_a_pulley_is_refused_by_name() -> None:
    m = gr.Mechanism("Atwood")
    left, right = hanging(m, "left", -0.1, 1.0, -0.05), hanging(m, "right", 1.0, 1.5, -1.0)
    m.rope([left.o, m.ground.at(0, 0), right.o], radii=(0, -0.5, 0), name="rope")
    with pytest.raises(gr.ModelError, match="Coupling 'rope' has no value where the mechanism 'Atwood' starts"):
        gr.simulate(m, 1.0)
