"""Sliders and slots in the plane."""

from __future__ import annotations

import math

import numpy as np
import pytest

import grashof as gr

from .accuracy import CLOSE, TOL, largest
from .test_motors import KINEMATIC


def test_a_block_on_an_incline_slides_as_galileo_found() -> None:
    """s = ½ g sin α t², and the block does not turn."""
    slope = 0.4
    along = (math.cos(slope), math.sin(slope))
    m = gr.Mechanism("incline", gravity=(0, -9.81))
    block = m.body("block", mass=2.0, center=(0.1, 0.3), inertia=0.1, points={"p": (0, 0), "q": (1, 0)})
    m.guess(block, (0, 0), angle=slope)
    m.slider(m.ground.line((0, 0), along), block.line((0, 0), (1, 0)))
    run = gr.simulate(m, 2.0, tol=TOL)
    fallen = -0.5 * 9.81 * math.sin(slope) * run.t**2
    assert largest(run["block.p.x"] - fallen * along[0]) < CLOSE * 10.0
    assert largest(run["block.p.y"] - fallen * along[1]) < CLOSE * 10.0
    assert largest(run["block.angle"] - slope) < 1e-12


def test_a_scotch_yoke_makes_a_sine() -> None:
    """A pin at r on a crank, in an upright slot of a yoke on a level rail: x = r cos θ."""
    m = gr.Mechanism("scotch yoke", gravity=(0, -9.81))
    crank = m.bar("crank", mass=1.0, length=0.3)
    yoke = m.body("yoke", mass=2.0, inertia=0.1, points={"p": (0, 0)}, position=(0.25, 0.0))
    m.guess(crank, (0, 0), angle=0.5)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.slider(m.ground.line((0, 0), (1, 0)), yoke.line((0, 0), (1, 0)))
    m.pin_in_slot(yoke.line((0, 0), (0, 1)), crank.end)
    m.motor(crank, "0.5 + 4*t", name="motor")
    run = gr.simulate(m, 4.0, tol=TOL)
    theta = 0.5 + 4.0 * run.t
    assert largest(run["yoke.p.x"] - 0.3 * np.cos(theta)) < KINEMATIC
    assert largest(run["yoke.p.x.rate"] + 1.2 * np.sin(theta)) < CLOSE
    energy = 0.5 * (0.09 / 3) * 16.0 + 0.5 * 2.0 * (1.2 * np.sin(theta)) ** 2 + 9.81 * 0.15 * np.sin(theta)
    assert largest(run["work.motor"] - (energy - energy[0])) < CLOSE


def test_a_free_scotch_yoke_keeps_its_energy() -> None:
    """½ (m₁ r²/3 + m₂ r² sin²θ) θ̇² + m₁ g (r/2) sin θ, with no motor, over many turns."""
    m = gr.Mechanism("scotch yoke", gravity=(0, -9.81))
    crank = m.bar("crank", mass=1.0, length=0.3)
    yoke = m.body("yoke", mass=2.0, inertia=0.1, points={"p": (0, 0)}, position=(0.25, 0.0))
    m.revolute(m.ground.at(0, 0), crank.start)
    m.slider(m.ground.line((0, 0), (1, 0)), yoke.line((0, 0), (1, 0)))
    m.pin_in_slot(yoke.line((0, 0), (0, 1)), crank.end)
    m.need(crank.angle, value=0.5, rate=12.0)
    run = gr.simulate(m, 4.0, tol=TOL)
    theta, rate = run["crank.angle"], run["crank.angle.rate"]
    energy = 0.5 * (0.03 + 0.18 * np.sin(theta) ** 2) * rate**2 + 9.81 * 0.15 * np.sin(theta)
    assert theta[-1] > 4 * 2 * math.pi
    assert largest(energy - energy[0]) < 10.0 * CLOSE


def test_whitworth_s_quick_return() -> None:
    """A crank's pin slides along a lever about a pivot d below: tan φ = (d + r sin θ)/(r cos θ), and the return is
    quicker."""
    m = gr.Mechanism("quick return")
    crank = m.bar("crank", mass=1.0, length=0.2)
    lever = m.bar("lever", mass=1.0, length=1.0)
    m.guess(crank, (0, 0), angle=0.0)
    m.guess(lever, (0, -0.5), angle=1.2)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(m.ground.at(0, -0.5), lever.start)
    m.pin_in_slot(lever.line((0, 0), (1, 0)), crank.end)
    m.motor(crank, "6*t")
    run = gr.simulate(m, 2.0, tol=TOL)
    theta = 6.0 * run.t
    phi = np.arctan2(0.5 + 0.2 * np.sin(theta), 0.2 * np.cos(theta))
    assert largest(run["lever.angle"] - phi) < KINEMATIC


def test_a_block_on_a_turning_rail_is_thrown_out() -> None:
    """A rail driven at ω about one end, a block on it, no gravity: r̈ = ω² r, so r = r₀ cosh ωt."""
    m = gr.Mechanism("sling")
    rail = m.bar("rail", mass=1.0, length=1.0)
    block = m.body("block", mass=2.0, inertia=0.1, points={"p": (0, 0)}, position=(0.1, 0.0))
    m.guess(rail, (0, 0), angle=0.0)
    m.revolute(m.ground.at(0, 0), rail.start)
    m.slider(rail.line((0, 0), (1, 0)), block.line((0, 0), (1, 0)))
    m.motor(rail, "2*t", name="motor")
    m.need("block.p.x", value=0.1, rate=0.0)
    run = gr.simulate(m, 2.0, tol=TOL)
    r = 0.1 * np.cosh(2.0 * run.t)
    assert largest(np.hypot(run["block.p.x"], run["block.p.y"]) - r) < 10.0 * CLOSE
    assert largest(run["block.angle"] - 2.0 * run.t) < KINEMATIC * 4.0
    rising = 0.5 * 2.0 * (4.0 * r**2 + (0.2 * np.sinh(2.0 * run.t)) ** 2)
    assert largest(run["work.motor"] - rising + rising[0]) < 100.0 * CLOSE  # 120 J


def walker(sideways: float) -> gr.Mechanism:
    """A pelvis that moves in the plane, on two legs."""
    m = gr.Mechanism("walker", dimension=3, gravity=(0, -9.81, 0))
    pelvis = m.body("pelvis", mass=0.5, inertia=(1e-4, sideways, 1e-4), points={"o": (0, 0, 0)})
    m.planar(m.ground.at(0, 0, 0), pelvis.o, normal=(0, 0, 1))
    inertia = (1e-4, 1e-4, 1e-3)
    for side, a in (("left", 0.1), ("right", -0.1)):
        ends = {"top": (0, 0.25, 0), "end": (0, -0.25, 0)}
        thigh, shank = (
            m.body(f"{side} {name}", mass=0.05, inertia=inertia, position=(0, -y, a), points=ends)
            for name, y in (("thigh", 0.25), ("shank", 0.75))
        )
        m.revolute(pelvis.at(0, 0, a), thigh.top, axis=(0, 0, 1))
        m.revolute(thigh.end, shank.top, axis=(0, 0, 1))
        m.angle(f"{side} hip", thigh, reference=pelvis, axis=(0, 0, 1))
        m.angle(f"{side} knee", shank, reference=thigh, axis=(0, 0, 1))
        m.torque(f"{side} hip", 0.01 * (1.0 + 10.0 * a))
        m.torque(f"{side} knee", -0.01)
    return m


@pytest.mark.filterwarnings("ignore:.*principal moments.*")
def test_moments_of_inertia_that_no_body_has_do_not_matter_for_other_rotations() -> None:
    """Only the moment about z counts in the plane; the one about y violates the triangle inequality, as those of
    published models do."""
    right, careless = (gr.simulate(walker(x), 0.1, tol=1e-9) for x in (1e-4, 6.7e-3))
    for name in ("left hip", "right knee"):
        assert abs(right[name][-1] - right[name][0]) > 1e-3
        assert careless[name][-1] == pytest.approx(right[name][-1], abs=1e-9)
