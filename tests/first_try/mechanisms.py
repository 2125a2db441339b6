"""The first thirty textbook mechanisms and questions that are in no document, each as it was first written from the
documentation, beside the formula that answers it. See docs/validation/first-try.md.

Each function returns what was computed, what the textbook says, and the relative difference that is allowed.
"""

from __future__ import annotations

import math

import numpy as np

import grashof as gr

Answer = tuple[float, float, float]

G = 9.81


# -- as a designer


def stroke_of_an_offset_slider_crank() -> Answer:
    """√((l + r)² − e²) − √((l − r)² − e²)"""
    m = gr.Mechanism("offset slider crank")
    crank, rod = m.bar("crank", length=0.1, mass=1.0), m.bar("rod", length=0.35, mass=1.0)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0, 0.05), (1, 0.05)), rod.end)
    m.motor(crank, speed=10.0)
    found = gr.sweep(m, {"crank.length": [0.1]}, 0.7, outputs=["max rod.end.x", "min rod.end.x"])
    stroke = found["max rod.end.x"][0] - found["min rod.end.x"][0]
    return stroke, math.sqrt(0.45**2 - 0.05**2) - math.sqrt(0.25**2 - 0.05**2), 1e-6


def swing_of_a_rocker() -> Answer:
    """The difference of the angles at which crank and coupler are in line."""
    a, b, c, d = 0.3, 1.0, 0.8, 1.1
    m = gr.Mechanism("crank-rocker")
    crank, coupler, rocker = (m.bar(name, length=x) for name, x in (("crank", a), ("coupler", b), ("rocker", c)))
    m.revolute(m.ground.at(0, 0), crank.start, name="O2")
    m.revolute(crank.end, coupler.start, name="A")
    m.revolute(coupler.end, rocker.end, name="B")
    m.revolute(m.ground.at(d, 0), rocker.start, name="O4")
    lower, upper = gr.linkage(m)["O4"].range
    reach = [math.acos((d * d + c * c - x * x) / (2 * d * c)) for x in (b + a, b - a)]
    return upper - lower, reach[0] - reach[1], 1e-9


def least_transmission_angle() -> Answer:
    """cos μ = (b² + c² − (d − a)²)/(2 b c)"""
    a, b, c, d = 0.3, 1.0, 0.8, 1.1
    m = gr.Mechanism("crank-rocker")
    crank, coupler, rocker = (m.bar(name, length=x) for name, x in (("crank", a), ("coupler", b), ("rocker", c)))
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(m.ground.at(d, 0), rocker.start)
    (angle,) = gr.linkage(m).transmissions
    return min(angle.range), math.acos((b * b + c * c - (d - a) ** 2) / (2 * b * c)), 1e-9


def force_of_a_scissor_jack() -> Answer:
    """A load W on a rhombus whose horizontal diagonal is a screw: F = W / tan α."""
    alpha, side, weight = math.radians(35.0), 0.2, 5000.0
    x, y = side * math.cos(alpha), side * math.sin(alpha)
    m = gr.Mechanism("scissor jack")
    low, right, left = m.ground.at(0, 0), (x, y), (-x, y)
    arms = [
        m.bar(f"arm{k}", start=a, end=b, mass=1e-9)
        for k, (a, b) in enumerate([((0, 0), right), ((0, 0), left), (right, (0, 2 * y)), (left, (0, 2 * y))])
    ]
    m.revolute(low, arms[0].start)
    m.revolute(low, arms[1].start)
    m.revolute(arms[0].end, arms[2].start)
    m.revolute(arms[1].end, arms[3].start)
    m.revolute(arms[2].end, arms[3].end)
    m.slider(m.ground.line((0, 0), (0, 1)), arms[2].end)
    m.cylinder(arms[1].end, arms[0].end, length=2 * x, name="screw")
    m.force(arms[2].end, (0.0, -weight))
    run = gr.simulate(m, 0.1, times=2)
    return -run["screw.force"][0], weight / math.tan(alpha), 1e-6


def elliptic_trammel() -> Answer:
    """A point at the distances p and q of the two sliders moves on an ellipse: (x/q)² + (y/p)² = 1."""
    m = gr.Mechanism("trammel")
    rod = m.body("rod", mass=1.0, inertia=0.1, points={"A": (0, 0), "B": (0.5, 0), "P": (0.8, 0)})
    m.slider(m.ground.line((0, 0), (1, 0)), rod.A)
    m.slider(m.ground.line((0, 0), (0, 1)), rod.B)
    m.motor(rod, speed=2.0)
    m.want(rod.angle, value=2.0)
    run = gr.simulate(m, 3.0, times=50)
    return float(np.max(np.abs((run["rod.P.x"] / 0.3) ** 2 + (run["rod.P.y"] / 0.8) ** 2))), 1.0, 1e-6


def scott_russell_straight_line() -> Answer:
    """With equal lengths the end of the rod moves on the line through the crank's pivot: x = 0."""
    m = gr.Mechanism("Scott-Russell")
    crank = m.bar("crank", start=(0, 0), end=(0.2, 0.2), mass=1.0)
    rod = m.body(
        "rod",
        mass=1.0,
        inertia=0.02,
        center=(0.28, 0),
        points={"S": (0, 0), "M": (math.sqrt(0.08), 0), "P": (2 * math.sqrt(0.08), 0)},
        at={"S": (0.4, 0), "M": (0.2, 0.2)},
    )
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.M)
    m.slider(m.ground.line((0, 0), (1, 0)), rod.S)
    m.motor(crank, speed=0.5)
    run = gr.simulate(m, 1.0, times=20)
    return 1.0 + float(np.max(np.abs(run["rod.P.x"]))), 1.0, 1e-6


def cardan_gear_straight_line() -> Answer:
    """A planet of half the ring's size: a point of its rim moves on a diameter (Tusi, Cardano)."""
    m = gr.Mechanism("Cardan gear")
    arm, planet = (
        m.bar("arm", length=0.1, mass=1.0),
        m.body("planet", mass=1.0, inertia=0.01, points={"O": (0, 0), "rim": (0.1, 0)}, position=(0.1, 0)),
    )
    m.revolute(m.ground.at(0, 0), arm.start)
    m.revolute(arm.end, planet.O)
    m.gear(planet, m.ground, teeth=(20, 40), internal=True, carrier=arm)
    m.motor(arm, speed=3.0)
    m.need(arm.angle, value=0.0)
    m.need(planet.angle, value=0.0)
    run = gr.simulate(m, 2.0, times=40)
    return float(np.max(np.abs(run["planet.rim.x"] - 0.2 * np.cos(3.0 * run.t)))) + 1.0, 1.0, 1e-6


def torque_that_lifts_an_eccentric_mass() -> Answer:
    """m g r at the horizontal position, at constant speed."""
    m = gr.Mechanism("eccentric", gravity=(0, -G))
    wheel = m.body("wheel", mass=8.0, center=(0.05, 0), inertia=0.2, points={"O": (0, 0)})
    m.revolute(m.ground.at(0, 0), wheel.O)
    m.motor(wheel, speed="120 rpm", name="drive")
    table = gr.sweep(m, {"wheel.mass": [8.0]}, 1.0, outputs=["peak drive.torque"])
    return table["peak drive.torque"][0], 8.0 * G * 0.05, 1e-6


def harmonic_cam() -> Answer:
    """A follower with simple harmonic rise h: the largest acceleration is ½ h ω² per revolution."""
    m = gr.Mechanism("cam")
    cam = m.body("cam", mass=1.0, inertia=0.1, points={"O": (0, 0)})
    follower = m.body("follower", mass=0.5, inertia=0.1, points={"tip": (0, 0)}, position=(0, 0.1))
    m.revolute(m.ground.at(0, 0), cam.O)
    m.slider(m.ground.line((0, 0), (0, 1)), follower.line((0, 0), (0, 1)))
    m.coupling("follower.tip.y - 0.1 - 0.01*(1 - cos(cam.angle))")
    m.motor(cam, speed=20.0)
    m.need(cam.angle, value=0.0)
    run = gr.simulate(m, 1.0, times=400)
    return float(np.max(np.abs(run["follower.tip.y.acceleration"]))), 0.01 * 400.0, 1e-4


def braking_time_of_a_flywheel() -> Answer:
    """I ω / T"""
    m = gr.Mechanism("flywheel")
    wheel = m.body("wheel", mass=10.0, inertia=0.8, points={"O": (0, 0)})
    m.revolute(m.ground.at(0, 0), wheel.O, name="shaft")
    m.torque(wheel, -4.0)
    m.need(wheel.angle, rate=30.0)
    run = gr.simulate(m, 20.0, until="wheel.angle.rate < 0")
    return run.t[-1], 0.8 * 30.0 / 4.0, 1e-6


# -- as a lecturer


def atwood_machine() -> Answer:
    """(m₁ − m₂) g / (m₁ + m₂ + I/r²)"""
    m = gr.Mechanism("Atwood", gravity=(0, -G))
    wheel = m.body("wheel", mass=2.0, inertia=0.01, points={"O": (0, 0)})
    m.revolute(m.ground.at(0, 0), wheel.O)
    for name, mass, side in (("heavy", 3.0, -1), ("light", 2.0, 1)):
        weight = m.body(name, mass=mass, inertia=0.1, points={"P": (0, 0)}, position=(0.1 * side, -1.0))
        m.slider(m.ground.line((0.1 * side, 0), (0.1 * side, 1)), weight.line((0, 0), (0, 1)))
    m.rack("heavy.P.y", wheel, radius=-0.1)
    m.rack("light.P.y", wheel, radius=0.1)
    run = gr.simulate(m, 0.5, times=3)
    return abs(run["heavy.P.y.acceleration"][0]), G / (5.0 + 0.01 / 0.01), 1e-9


def cylinder_rolls_down_an_incline() -> Answer:
    """⅔ g sin α"""
    alpha, radius = math.radians(25.0), 0.1
    m = gr.Mechanism("incline", gravity=(0, -G))
    along = np.array([math.cos(alpha), -math.sin(alpha)])
    center = -radius * np.array([along[1], -along[0]])
    disc = m.body("disc", mass=2.0, inertia=0.5 * 2.0 * radius**2, points={"O": (0, 0)}, position=tuple(center))
    m.roll(m.ground.line((0, 0), tuple(along)), disc.at(0, 0), radius=radius)
    run = gr.simulate(m, 1.0, times=5)
    way = np.hypot(run["disc.O.x"] - run["disc.O.x"][0], run["disc.O.y"] - run["disc.O.y"][0])
    return 2.0 * way[-1], 2.0 / 3.0 * G * math.sin(alpha), 1e-6


def period_of_a_compound_pendulum() -> Answer:
    """√(m g d / I_O) / 2π"""
    m = gr.Mechanism("pendulum", gravity=(0, -G))
    plate = m.plate("plate", {"a": (0, 0), "b": (0.4, 0), "c": (0.4, 0.2), "d": (0, 0.2)}, mass=3.0)
    m.revolute(m.ground.at(0, 0), plate.a)
    d, inertia = math.hypot(0.2, 0.1), 3.0 * (0.4**2 + 0.2**2) / 3.0
    return gr.modes(m).frequencies[0], math.sqrt(3.0 * G * d / inertia) / (2 * math.pi), 1e-9


def modes_of_a_double_pendulum() -> Answer:
    """Equal point masses on equal strings: ω² = (2 ± √2) g/ℓ; the sum of both frequencies squared."""
    m = gr.Mechanism("double pendulum", gravity=(0, -G))
    first = m.body("first", mass=1.0, center=(1, 0), points={"O": (0, 0), "A": (1, 0)})
    second = m.body("second", mass=1.0, center=(1, 0), points={"A": (0, 0), "B": (1, 0)})
    m.revolute(m.ground.at(0, 0), first.O)
    m.revolute(first.A, second.A)
    found = (2 * math.pi * np.array(gr.modes(m).frequencies)) ** 2
    return float(np.sum(found)), 4.0 * G, 1e-9


def hinge_of_a_falling_rod() -> Answer:
    """A rod falls from the vertical: its hinge carries 3/2 m g when it is horizontal, along the rod."""
    m = gr.Mechanism("chimney", gravity=(0, -10))
    rod = m.bar("rod", length=2.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start, name="hinge")
    m.need(rod.angle, value=math.pi / 2, rate=-1e-3)
    run = gr.simulate(m, until="rod.angle < 0")
    return abs(run["hinge.fx"][-1]), 15.0, 1e-5


def where_a_ladder_leaves_the_wall() -> Answer:
    """Without friction, at two thirds of its first height."""
    m = gr.Mechanism("ladder", gravity=(0, -G))
    ladder = m.bar("ladder", start=(0.8, 0), end=(0, 1.8330302779823362), mass=4.0)
    m.slider(m.ground.line((0, 0), (1, 0)), ladder.start, name="floor")
    m.slider(m.ground.line((0, 0), (0, 1)), ladder.end, name="wall")
    m.need("ladder.end.y", value=1.8330302779823362)
    run = gr.simulate(m, 0.9, times=2000)
    height = np.interp(0.0, -run["wall.fx"][:1500], run["ladder.end.y"][:1500])
    return float(height), 2.0 / 3.0 * 1.8330302779823362, 1e-4


def swinging_on_a_rotating_frame() -> Answer:
    """A conical pendulum at the speed ω: cos θ = g/(ω² ℓ)."""
    m = gr.Mechanism("conical pendulum", gravity=(0, 0, -G))
    shaft = m.body("shaft", mass=1.0, inertia=(0.1, 0.1, 0.1), points={"O": (0, 0, 0)})
    m.revolute(m.ground.at(0, 0, 0), shaft.O, axis=(0, 0, 1))
    bob = m.body("bob", mass=1.0, points={"O": (0, 0, 0), "B": (0, 0, -0.5)}, center=(0, 0, -0.5), inertia=(0, 0, 0))
    m.revolute(shaft.O, bob.O, axis=(0, 1, 0), name="hinge")
    theta = math.acos(G / (36.0 * 0.5))
    m.motor(shaft, speed=6.0)
    swing = m.angle("swing", bob, reference=shaft, axis=(0, 1, 0), zero=(0, 0, -1), direction=(0, 0, -1))
    m.need(swing, value=-theta, rate=0.0)
    run = gr.simulate(m, 2.0, times=40)
    return float(np.max(np.abs(run["swing"]))), theta, 1e-5


def universal_joint_speed() -> Answer:
    """The output of one Cardan joint turns at most 1/cos β times as fast as its input."""
    beta = math.radians(30.0)
    out = (math.cos(beta), 0.0, math.sin(beta))
    m = gr.Mechanism("Cardan joint", dimension=3)
    first = m.body("first", mass=1.0, inertia=(0.1, 0.1, 0.1))
    second = m.body("second", mass=1.0, inertia=(0.1, 0.1, 0.1))
    m.revolute(m.ground.at(0, 0, 0), first.at(0, 0, 0), axis=(1, 0, 0))
    m.cylindrical(m.ground.at(0, 0, 0), second.at(0, 0, 0), axis=out)
    m.universal(first.at(0, 0, 0), second.at(0, 0, 0), axis_a=(0, 1, 0), axis_b=(-math.sin(beta), 0, math.cos(beta)))
    m.motor(first, speed=5.0)
    run = gr.simulate(m, 2.0, times=2001)
    speed = sum(run[f"second.angular_velocity.{axis}"] * x for axis, x in zip("xyz", out, strict=True))
    return float(np.max(np.abs(speed))), 5.0 / math.cos(beta), 1e-5


def bead_on_a_rotating_hoop() -> Answer:
    """cos θ = g/(ω² R), as an equilibrium seen from the hoop: a rod of length R in a turning frame."""
    m = gr.Mechanism("hoop", gravity=(0, -G))
    rod = m.body("rod", mass=0.2, center=(0.3, 0), points={"O": (0, 0), "bead": (0.3, 0)})
    m.revolute(m.ground.at(0, 0), rod.O)
    m.force(rod.bead, ("0.2*64*`rod.bead.x`", 0.0))
    m.want(rod.angle, value=-0.9)
    rest = gr.equilibrium(m)
    return rest["rod.bead.y"], -G / 64.0, 1e-6


def spring_and_inerter() -> Answer:
    """√(k/(m + b)) / 2π"""
    m = gr.Mechanism("inerter")
    mass = m.body("mass", mass=2.0, inertia=0.1, points={"P": (0, 0)}, position=(0.5, 0))
    m.slider(m.ground.line((0, 0), (1, 0)), mass.line((0, 0), (1, 0)))
    m.spring(m.ground.at(0, 0), mass.P, stiffness=200.0, length=0.5)
    m.inerter("mass.P.x", 3.0)
    return gr.modes(m).frequencies[0], math.sqrt(200.0 / 5.0) / (2 * math.pi), 1e-9


# -- as a researcher


def mobility_of_a_sarrus_linkage() -> Answer:
    """One degree of freedom, where Kutzbach's formula gives 6·5 − 5·6 = 0."""
    m = gr.Mechanism("Sarrus", gravity=(0, 0, -G))
    top = m.body("top", mass=1.0, inertia=(0.1, 0.1, 0.1), position=(0, 0, 1))
    for k, (out, axis) in enumerate((((1, 0), (0, 1, 0)), ((0, 1), (1, 0, 0)))):
        low, mid, high = (out[0], out[1], 0), (1.4 * out[0], 1.4 * out[1], 0.5), (out[0], out[1], 1)
        a, b = m.bar(f"lower{k}", start=low, end=mid, mass=1.0), m.bar(f"upper{k}", start=mid, end=high, mass=1.0)
        m.revolute(m.ground.at(*low), a.start, axis=axis)
        m.revolute(a.end, b.start, axis=axis)
        m.revolute(b.end, top.at(out[0], out[1], 0), axis=axis)
    return gr.mobility(m).dof, 1, 0.0


def derivative_of_a_largest_speed() -> Answer:
    """A rod let go horizontally: ω = √(3 g/ℓ) below, ∂ω/∂ℓ = −½ √(3 g) ℓ^(−3/2)."""
    m = gr.Mechanism("rod", gravity=(0, -G))
    rod = m.bar("rod", length=0.7, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=0.0)
    found = gr.sensitivities(m, wrt=["rod.length"], of=["min rod.angle.rate"], t_end=1.0)
    return found["min rod.angle.rate", "rod.length"], 0.5 * math.sqrt(3 * G) * 0.7**-1.5, 1e-4


def pole_of_a_cart_pole() -> Answer:
    """A point mass m at ℓ on a cart M: the unstable pole is √((M + m) g/(M ℓ))."""
    m = gr.Mechanism("cart-pole", gravity=(0, -G))
    cart = m.body("cart", mass=2.0, inertia=0.1, points={"P": (0, 0)})
    pole = m.body("pole", mass=0.5, center=(0, 0.6), points={"P": (0, 0)})
    m.slider(m.ground.line((0, 0), (1, 0)), cart.line((0, 0), (1, 0)))
    m.revolute(cart.P, pole.P)
    m.force(cart.P, (0.0, 0.0), name="push")
    found = gr.state_space(m, inputs=["push.force.x"], outputs=["pole.angle"])
    return float(np.max(np.linalg.eigvals(found.A).real)), math.sqrt(2.5 * G / (2.0 * 0.6)), 1e-6


def reaction_in_many_runs() -> Answer:
    """A rod turned by a motor: its pin carries m ω² ℓ/2; the sum over three speeds."""
    m = gr.Mechanism("rotor")
    rod = m.bar("rod", length=0.4, mass=2.0)
    m.revolute(m.ground.at(0, 0), rod.start, name="pin")
    m.motor(rod, speed=1.0, name="drive")
    table = gr.sweep(m, {"drive.speed": [1.0, 2.0, 3.0]}, 7.0, outputs=["peak pin.fx"])
    return float(np.sum(table["peak pin.fx"])), 2.0 * 0.2 * (1 + 4 + 9), 1e-6


def kinetic_energy_of_equations() -> Answer:
    """½ vᵀ M v from the mass matrix is the kinetic energy of the run."""
    m = gr.Mechanism("double pendulum", gravity=(0, -G))
    a, b = m.bar("a", length=1.0, mass=1.0), m.bar("b", length=0.5, mass=2.0)
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.need(a.angle, value=0.0, rate=1.0)
    m.need(b.angle, value=1.0, rate=-2.0)
    found = gr.equations(m)
    v = found.v
    matrix = found.mass_matrix(found.t, found.q)
    return 0.5 * float(v @ matrix @ v), float(gr.simulate(m, 0.1, times=2)["kinetic"][0]), 1e-12


def snap_through_of_a_shallow_arch() -> Answer:
    """Two springs to a common pin, unstretched at the height h: the load is k-dependent; equilibrium at rest length."""
    m = gr.Mechanism("von Mises truss")
    pin = m.body("pin", mass=1.0, points={"P": (0, 0)}, position=(0, 0.3))
    m.slider(m.ground.line((0, 0), (0, 1)), pin.line((0, 0), (0, 1)))
    rest = math.hypot(1.0, 0.3)
    for x in (-1.0, 1.0):
        m.spring(m.ground.at(x, 0), pin.P, stiffness=1000.0, length=rest)
    m.force(pin.P, (0.0, -20.0))
    y = gr.equilibrium(m)["pin.P.y"]
    return 2 * 1000.0 * (rest - math.hypot(1.0, y)) * y / math.hypot(1.0, y), 20.0, 1e-6


def energy_of_a_trebuchet() -> Answer:
    """A beam with two weights that turns from rest: ½ I ω² equals the loss of potential energy."""
    m = gr.Mechanism("trebuchet", gravity=(0, -G))
    beam = m.bar("beam", length=4.0, mass=20.0)
    m.revolute(m.ground.at(0, 3), beam.at(1.0, 0), name="axle")
    heavy = m.body("heavy", mass=200.0, points={"P": (0, 0)})
    stone = m.body("stone", mass=5.0, points={"P": (0, 0)})
    m.weld(beam.start, heavy.P)
    m.weld(beam.end, stone.P)
    m.need(beam.angle, value=-0.5)
    run = gr.simulate(m, until="beam.angle > 0.5")
    inertia = 20.0 * 16.0 / 12.0 + 20.0 + 200.0 + 5.0 * 9.0
    drop = G * (200.0 * 1.0 - 20.0 * 1.0 - 5.0 * 3.0) * 2 * math.sin(0.5)
    return run["beam.angle.rate"][-1], math.sqrt(2 * drop / inertia), 1e-5


def frequency_of_a_bifilar_pendulum() -> Answer:
    """A bar on two parallel strings of length h, 2a apart: ω² = m g a²/(I h), turning about the vertical."""
    m = gr.Mechanism("bifilar", gravity=(0, 0, -G))
    bar = m.body(
        "bar", mass=2.0, inertia=(0.01, 0.3, 0.3), points={"A": (-0.4, 0, 0), "B": (0.4, 0, 0)}, position=(0, 0, -1.0)
    )
    m.distance(m.ground.at(-0.4, 0, 0), bar.A, 1.0)
    m.distance(m.ground.at(0.4, 0, 0), bar.B, 1.0)
    found = np.array(gr.modes(m).frequencies) * 2 * math.pi
    wanted = math.sqrt(2.0 * G * 0.4**2 / (0.3 * 1.0))
    return float(found[np.argmin(np.abs(found - wanted))]), wanted, 1e-8


def two_pins_lock_a_parallelogram() -> Answer:
    """A parallelogram with a third parallel crank: one degree of freedom and one redundant constraint."""
    m = gr.Mechanism("three cranks")
    coupler = m.bar("coupler", start=(0, 1), end=(2, 1), mass=1.0)
    for k, x in enumerate((0.0, 1.0, 2.0)):
        crank = m.bar(f"crank{k}", start=(x, 0), end=(x, 1), mass=1.0)
        m.revolute(m.ground.at(x, 0), crank.start)
        m.revolute(crank.end, coupler.at(x, 0))
    found = gr.mobility(m)
    return found.dof + 10 * found.redundant, 11, 0.0


def compound_planetary_train() -> Answer:
    """Sun 20 drives planet 30, which is one body with planet 15 in a fixed ring 65: 1 + 30·65/(20·15)."""
    m = gr.Mechanism("compound train")
    sun, arm = m.body("sun", mass=1.0, inertia=0.1), m.bar("arm", length=0.5, mass=1.0)
    planet = m.body("planet", mass=0.5, inertia=0.05, position=(0.5, 0))
    m.revolute(m.ground.at(0, 0), sun.at(0, 0))
    m.revolute(m.ground.at(0, 0), arm.start)
    m.revolute(arm.end, planet.at(0, 0))
    m.gear(sun, planet, teeth=(20, 30), carrier=arm)
    m.gear(planet, m.ground, teeth=(15, 65), internal=True, carrier=arm)
    m.motor(arm, speed=2.0)
    return float(gr.simulate(m, 0.1, times=2)["sun.angle.rate"][0]) / 2.0, 1.0 + 30 * 65 / (20 * 15), 1e-9


TRIES = {
    name: value
    for name, value in list(globals().items())
    if callable(value) and not name.startswith("_") and getattr(value, "__module__", "") == __name__
}
