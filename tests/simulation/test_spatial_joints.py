"""Joints in space, one at a time."""

from __future__ import annotations

import math

import numpy as np

import grashof as gr

from .accuracy import CLOSE, TOL, largest
from .test_motors import KINEMATIC

G = np.array([0.0, 0.0, -9.81])


def turned(axis: np.ndarray, angle: float) -> tuple[float, ...]:
    """The quaternion of a turn about a unit axis."""
    return (math.cos(angle / 2), *(math.sin(angle / 2) * axis))


def test_a_block_on_a_slanted_rail_slides_and_does_not_turn() -> None:
    """s = ½ (g·e) t² along the rail's direction e."""
    rail = np.array([2.0, 1.0, -2.0]) / 3.0
    m = gr.Mechanism("rail", gravity=tuple(G))
    block = m.body(
        "block", mass=2.0, center=(0.1, 0.2, 0.3), inertia=(0.1, 0.2, 0.15), points={"p": (0, 0, 0), "q": (1, 0, 0)}
    )
    m.guess(block, (0.3, 0.2, 0.1), rotation=turned(np.array([0.6, 0.0, 0.8]), 0.7))
    m.prismatic(m.ground.at(0.3, 0.2, 0.1), block.p, axis=rail)
    run = gr.simulate(m, 2.0, tol=TOL)
    slid = 0.5 * (G @ rail) * run.t**2
    for k, x in enumerate("xyz"):
        assert largest(run[f"block.p.{x}"] - (0.3, 0.2, 0.1)[k] - slid * rail[k]) < 10.0 * CLOSE
        along = run[f"block.q.{x}"] - run[f"block.p.{x}"]
        assert largest(along - along[0]) < 1e-12


def test_a_sleeve_on_a_shaft_falls_and_spins_independently() -> None:
    """Cylindrical joint, centre of mass on the axis: z = −½ g cos β t² along it, θ = ω t about it."""
    shaft = np.array([0.0, 0.6, 0.8])
    m = gr.Mechanism("sleeve", gravity=tuple(G))
    sleeve = m.body("sleeve", mass=2.0, inertia=(0.1, 0.1, 0.05), points={"o": (0, 0, 0), "rim": (0.2, 0, 0)})
    # the sleeve's z axis along the shaft: a turn about −x
    m.guess(sleeve, (0, 0, 0), rotation=turned(np.array([-1.0, 0.0, 0.0]), math.acos(0.8)))
    m.cylindrical(m.ground.at(0, 0, 0), sleeve.o, axis=shaft)
    turn = m.angle("turn", sleeve, axis=shaft)
    m.need(turn, value=0.0, rate=11.0)
    m.need("sleeve.o.z", value=0.0, rate=0.0)
    run = gr.simulate(m, 2.0, tol=TOL)
    slid = 0.5 * (G @ shaft) * run.t**2
    for k, x in enumerate("xyz"):
        assert largest(run[f"sleeve.o.{x}"] - slid * shaft[k]) < 20.0 * CLOSE
    assert largest(run["turn"] - 11.0 * run.t) < 22.0 * CLOSE
    assert largest(run["balance"]) < 300.0 * CLOSE  # it falls 15 m: 250 J


def test_a_bead_on_a_turning_rod_flies_outwards_and_does_not_turn() -> None:
    """Point on a line: r̈ = ω² r along a rod that turns at ω about a vertical axis, so r = r₀ cosh ωt; the bead
    itself is free to turn, and does not."""
    omega, near = 1.5, 0.2
    m = gr.Mechanism("bead", gravity=tuple(G))
    rod = m.body("rod", mass=1.0, inertia=(0.1, 0.1, 0.1), points={"pivot": (0, 0, 0), "hole": (0, 0, 0.3)})
    bead = m.body("bead", mass=0.4, inertia=(0.01, 0.02, 0.03), points={"centre": (0, 0, 0), "mark": (0, 0.1, 0)})
    m.revolute(m.ground.at(0, 0, 0), rod.pivot, axis=(0, 0, 1))
    m.point_on_line(rod.hole, bead.centre, axis=(1, 0, 0))
    turn = m.angle("turn", rod, axis=(0, 0, 1))
    m.motor(turn, speed=omega)
    m.guess(bead, (near, 0, 0.3))
    m.need(turn, value=0.0)
    m.need("bead.centre.x", value=near, rate=0.0)
    m.need(bead, angular_velocity=(0, 0, 0))
    assert gr.mobility(m).dof == 4  # along the rod, and three rotations of the bead
    run = gr.simulate(m, 2.0, tol=TOL)
    far = near * np.cosh(omega * run.t)
    for x, expected in (("x", far * np.cos(omega * run.t)), ("y", far * np.sin(omega * run.t)), ("z", 0.3)):
        assert largest(run[f"bead.centre.{x}"] - expected) < 10.0 * CLOSE
        assert largest(run[f"bead.mark.{x}"] - run[f"bead.centre.{x}"] - (0.1 if x == "y" else 0.0)) < 10.0 * CLOSE


def test_a_puck_on_a_slope_flies_in_a_parabola_and_spins() -> None:
    """Planar joint with normal n: the centre has the acceleration g − n (g·n), the spin about n is constant."""
    normal = np.array([1.0, -2.0, 2.0]) / 3.0
    m = gr.Mechanism("puck", gravity=tuple(G))
    puck = m.body("puck", mass=2.0, inertia=(0.1, 0.1, 0.2), points={"o": (0, 0, 0), "rim": (0.2, 0, 0)})
    axis = np.cross([0.0, 0.0, 1.0], normal)
    m.guess(puck, (0, 0, 0), rotation=turned(axis / np.linalg.norm(axis), math.acos(2 / 3)))
    m.planar(m.ground.at(0, 0, 0), puck.o, normal=normal)
    turn = m.angle("turn", puck, axis=normal)
    start = np.cross(normal, [0.0, 0.0, 1.0]) * 3.0
    for x, rate in zip("xyz", start, strict=True):
        m.need(f"puck.o.{x}", value=0.0, rate=float(rate))
    m.need(turn, value=0.0, rate=-6.0)
    run = gr.simulate(m, 2.0, tol=TOL)
    fall = G - normal * (G @ normal)
    for k, x in enumerate("xyz"):
        assert largest(run[f"puck.o.{x}"] - start[k] * run.t - 0.5 * fall[k] * run.t**2) < 20.0 * CLOSE
    assert largest(run["turn"] + 6.0 * run.t) < 12.0 * CLOSE


def test_hooke_s_joint_turns_the_second_shaft_unevenly() -> None:
    """Shafts at an angle β, cross arms: tan θ₂ = tan θ₁ / cos β where θ₁ is counted from the plane of the shafts.

    (Any text on mechanisms; the cross is e₁ = y cos θ₁ + z sin θ₁ on the first shaft, along x, and e₂ ⟂ e₁ on the
    second.)
    """
    beta = 0.6
    second = np.array([math.cos(beta), math.sin(beta), 0.0])
    m = gr.Mechanism("cardan", dimension=3)
    inertia = (0.2, 0.1, 0.1)
    one = m.body("one", mass=1.0, inertia=inertia, points={"o": (0, 0, 0), "b": (-1, 0, 0)}, position=(0, 0, 0))
    two = m.body("two", mass=1.0, inertia=inertia, points={"o": (0, 0, 0), "b": (1, 0, 0)})
    m.guess(two, (0, 0, 0), rotation=turned(np.array([0.0, 0.0, 1.0]), beta))
    m.revolute(m.ground.at(-1, 0, 0), one.b, axis=(1, 0, 0))
    m.revolute(m.ground.at(*second), two.b, axis=second)
    # at the start the first arm is y, in the plane of the shafts, and the second is z
    m.universal(one.o, two.o, axis_a=(0, 1, 0), axis_b=(0, 0, 1))
    into = m.angle("into", one, axis=(1, 0, 0), direction=(0, 1, 0))
    out = m.angle("out", two, axis=second, direction=(0, 0, 1))
    m.motor(into, "3*t", name="motor")
    run = gr.simulate(m, 5.0, tol=TOL)
    theta = 3.0 * run.t
    # whole turns: both shafts are in step every quarter turn
    exact = np.unwrap(np.arctan2(np.sin(theta), np.cos(theta) * math.cos(beta)))
    assert largest(run["into"] - theta) < KINEMATIC * 15.0
    assert largest(run[out] - exact) < KINEMATIC * 15.0
    slow = math.cos(beta) / ((np.cos(theta) * math.cos(beta)) ** 2 + np.sin(theta) ** 2)
    assert largest(run["out.rate"] - 3.0 * slow) < 10.0 * CLOSE
    work = 0.5 * 0.2 * 9.0 * (slow**2 - slow[0] ** 2)
    assert largest(run["work.motor"] - work) < 10.0 * CLOSE
