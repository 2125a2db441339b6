"""Ten more textbook mechanisms and questions, all written before the first of them was run. See
docs/validation/first-try.md.

Each returns what was computed, what the textbook says, and the relative difference that is allowed.
"""

from __future__ import annotations

import math

import numpy as np

import grashof as gr

Answer = tuple[float, float, float]

G = 9.81


# -- as a designer


def clearance_of_an_egg_beater() -> Answer:
    """Two whisks, a quarter turn apart and geared 1:1, come closest where one points at the axis of the other:
    D − a − w."""
    a, span, wide = 0.05, 0.08, 0.004
    m = gr.Mechanism("egg beater")
    whisks = [m.body(name, points={"p": (-a, 0), "q": (a, 0)}) for name in ("left", "right")]
    for k, whisk in enumerate(whisks):
        m.revolute(m.ground.at(k * span, 0), whisk.at(0, 0))
    m.motor(whisks[0], "2*pi*t + 0.3")
    m.motor(whisks[1], "pi/2 - 2*pi*t - 0.3")
    found = gr.interference(gr.kinematics(m, 1.0), width=wide)
    return found.clearance, span - a - wide, 1e-6


def largest_pressure_angle_of_an_offset_slider_crank() -> Answer:
    """sin φ = (r + e)/l, where the crank stands across the guide on the other side of it."""
    r, l, e = 0.08, 0.25, 0.03
    m = gr.Mechanism("offset slider crank")
    crank, rod = m.bar("crank", length=r), m.bar("rod", length=l)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0, -e), (1, -e)), rod.end)
    m.angle_between("phi", (m.ground.at(0, 0), m.ground.at(1, 0)), (rod.start, rod.end))
    m.motor(crank, speed=2 * math.pi)
    run = gr.kinematics(m, 1.0, times=3601)
    return float(np.sin(np.abs(run["phi"])).max()), (r + e) / l, 1e-5


def weight_of_a_flat_steel_link() -> Answer:
    """(L w + π w²/4 − 2 π d²/4) t ρ"""
    length, wide, bore, thick, steel = 0.3, 0.04, 0.012, 0.006, 7850.0
    m = gr.Mechanism("link")
    link, other = m.bar("link", length=length), m.bar("other", length=0.2)
    m.revolute(m.ground.at(0, 0), link.start)
    m.revolute(link.end, other.start)
    found = gr.links(m, width=wide, holes=bore)["link"].area * thick * steel
    return found, (length * wide + math.pi * (wide**2 / 4 - bore**2 / 2)) * thick * steel, 1e-12


def ratio_of_a_wolfrom_gear() -> Answer:
    """Sun 12, planets 30 and 28 on one body, a fixed ring 72 and a driven ring 70:
    (1 + z₃/z₁)/(1 − z₃ z₂'/(z₂ z₄))."""
    m = gr.Mechanism("Wolfrom gear")
    sun, arm, out = (m.body(name, mass=1.0, inertia=0.01) for name in ("sun", "arm", "out"))
    planet = m.body("planet", mass=0.5, inertia=0.001, position=(0.042, 0))
    for body in (sun, arm, out):
        m.revolute(m.ground.at(0, 0), body.at(0, 0))
    m.revolute(arm.at(0.042, 0), planet.at(0, 0))
    m.gear(sun, planet, teeth=(12, 30), carrier=arm)
    m.gear(planet, m.ground, teeth=(30, 72), internal=True, carrier=arm)
    m.gear(planet, out, teeth=(28, 70), internal=True, carrier=arm)
    m.motor(sun, speed=100.0)
    run = gr.kinematics(m, 1.0)
    return float(run["sun.angle.rate"][0] / run["out.angle.rate"][0]), (1 + 72 / 12) / (1 - 72 * 28 / (30 * 70)), 1e-9


# -- as a lecturer


def katers_pendulum() -> Answer:
    """A bar swings equally fast about its end and about the point at two thirds of its length."""
    found = []
    for pivot in (0.0, 2 / 3):
        m = gr.Mechanism("Kater's pendulum", gravity=(0, -G))
        bar = m.bar("bar", length=0.9, mass=1.2)
        m.revolute(m.ground.at(0, 0), bar.at(0.9 * pivot, 0))
        found.append(gr.modes(m).frequencies[0])
    return found[0], found[1], 1e-9


def exchange_of_velocities() -> Answer:
    """Newton's cradle with two equal balls: the second one leaves with the speed of the first."""
    m = gr.Mechanism("two balls")
    first, second = (m.body(name, mass=0.3) for name in ("first", "second"))
    a, b = first.at(0, 0), second.at(0, 0)
    rail = m.ground.line((0, 0), (1, 0))
    m.slider(rail, a)
    m.slider(rail, b)
    m.need(f"{a}.x", value=0.0, rate=1.5)
    m.need(f"{b}.x", value=0.5, rate=0.0)
    m.stop(m.separation("gap", a, b), lower=0.1, restitution=1.0)
    run = gr.simulate(m, 1.0)
    return float(run[f"{b}.x.rate"][-1]), 1.5, 1e-9


def deflection_by_a_falling_weight() -> Answer:
    """δ = (m g/k)(1 + √(1 + 2 k h/(m g)))"""
    weight, stiffness, height = 20.0, 4e4, 0.5
    m = gr.Mechanism("drop test", gravity=(0, -G))
    body = m.body("weight", mass=weight)
    p = body.at(0, 0)
    m.prismatic(m.ground.at(0, 0), p, axis=(0, 1))
    m.need(f"{p}.y", value=height, rate=0.0)
    m.stop(f"{p}.y", lower=0.0, stiffness=stiffness, exponent=1.0)
    table = gr.sweep(m, {"weight.mass": [weight]}, 0.5, outputs=[f"min {p}.y"])
    still = weight * G / stiffness
    return -float(table[f"min {p}.y"][0]), still * (1 + math.sqrt(1 + 2 * height / still)), 1e-5


# -- as a researcher


def derivative_of_the_least_transmission_angle() -> Answer:
    """cos μ = (b² + c² − (d − a)²)/(2 b c): ∂μ/∂a = −(d − a)/(b c sin μ)."""
    a, b, c, d = 0.3, 1.0, 0.8, 1.1
    m = gr.Mechanism("four-bar")
    crank, coupler, rocker = (m.bar(x, length=l, mass=1.0) for x, l in (("crank", a), ("coupler", b), ("rocker", c)))
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(m.ground.at(d, 0), rocker.start)
    m.angle_between("mu", (coupler.end, coupler.start), (rocker.end, rocker.start))
    m.motor(crank, "2*pi*t - 1")
    found = gr.sensitivities(m, wrt=["crank.length"], of=["min mu"], t_end=0.5)
    mu = math.acos((b * b + c * c - (d - a) ** 2) / (2 * b * c))
    return found["min mu", "crank.length"], -(d - a) / (b * c * math.sin(mu)), 1e-5


def coupled_pendulums() -> Answer:
    """Two rods joined by a weak spring at the distance a from their pivots: ω₂² − ω₁² = 2 k a²/I."""
    k, a, length, mass = 5.0, 0.6, 1.0, 2.0
    m = gr.Mechanism("coupled pendulums", gravity=(0, -G))
    places = []
    for n, name in enumerate(("left", "right")):
        rod = m.bar(name, length=length, mass=mass, start=(n, 0), end=(n, -length))
        m.revolute(m.ground.at(n, 0), rod.start)
        places.append(rod.at(a, 0))
    m.spring(places[0], places[1], stiffness=k, length=1.0)
    first, second = (2 * math.pi * f for f in sorted(gr.modes(m).frequencies))
    return second**2 - first**2, 2 * k * a**2 / (mass * length**2 / 3), 1e-9


def twist_of_a_tensegrity_prism() -> Answer:
    """Three struts between two triangles, with three cables: the cables are shortest where the ends of each strut are
    150° apart (5π/6)."""
    radius, strut = 1.0, 2.4
    m = gr.Mechanism("tensegrity prism", dimension=3)
    plate = m.body("top", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, 1.5))
    m.cylindrical(m.ground.at(0, 0, 0), plate.at(0, 0, 0), axis=(0, 0, 1))
    m.angle("twist", plate, axis=(0, 0, 1))
    turns = [2 * math.pi * k / 3 for k in range(3)]
    bottom = [m.ground.at(radius * math.cos(x), radius * math.sin(x), 0) for x in turns]
    start = math.radians(130)
    top = [plate.at(radius * math.cos(x + start), radius * math.sin(x + start), 0) for x in turns]
    for k in range(3):
        m.distance(bottom[k], top[k], strut)
        m.spring(bottom[k], top[k - 1], stiffness=100.0, length=0.1)
    found = gr.equilibrium(m)
    return start + found["twist"], 5 * math.pi / 6, 1e-9


TRIES = {
    function.__name__: function
    for function in (
        clearance_of_an_egg_beater,
        largest_pressure_angle_of_an_offset_slider_crank,
        weight_of_a_flat_steel_link,
        ratio_of_a_wolfrom_gear,
        katers_pendulum,
        exchange_of_velocities,
        deflection_by_a_falling_weight,
        derivative_of_the_least_transmission_angle,
        coupled_pendulums,
        twist_of_a_tensegrity_prism,
    )
}
"""The tries by name."""
