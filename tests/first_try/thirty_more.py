"""Thirty more textbook mechanisms and questions, all written before the first of them was run, from the documentation
and the signatures of the functions alone. See docs/validation/first-try.md.

Each returns what was computed, what the textbook says, and the relative difference that is allowed.
"""

from __future__ import annotations

import math

import mpmath
import numpy as np

import grashof as gr

Answer = tuple[float, float, float]

G = 9.81


# -- as a designer


def force_of_a_toggle_press() -> Answer:
    """A knee of two equal links, pushed sideways by F, presses with F/(2 tan α), α from the line of the press."""
    alpha, length, push = math.radians(8.0), 0.3, 500.0
    knee, top = (length * math.sin(alpha), length * math.cos(alpha)), (0.0, 2 * length * math.cos(alpha))
    m = gr.Mechanism("toggle press")
    lower = m.bar("lower", start=(0, 0), end=knee, mass=1.0)
    upper = m.bar("upper", start=top, end=knee, mass=1.0)
    m.revolute(m.ground.at(*top), upper.start)
    m.revolute(upper.end, lower.end)
    m.slider(m.ground.line((0, 0), (0, 1)), lower.start, name="guide")
    m.motor("lower.start.y", position=0.0, name="workpiece")
    m.force(lower.end, (-push, 0.0))
    return gr.equilibrium(m)["workpiece.force"], push / (2 * math.tan(alpha)), 1e-9


def oldham_coupling() -> Answer:
    """The middle disc's centre runs round the circle on the offset e twice a revolution: its speed is e ω."""
    m = gr.Mechanism("Oldham coupling")
    first, middle, last = (m.body(name, points={"O": (0, 0)}) for name in ("first", "middle", "last"))
    m.revolute(m.ground.at(0, 0), first.O)
    m.revolute(m.ground.at(0.03, 0), last.O)
    m.prismatic(first.O, middle.O, axis=(1, 0))
    m.prismatic(last.O, middle.O, axis=(0, 1))
    m.motor(first, speed=10.0)
    run = gr.kinematics(m, 1.0)
    return float(np.max(np.hypot(run["middle.O.x.rate"], run["middle.O.y.rate"]))), 0.03 * 10.0, 1e-9


def magnification_of_a_pantograph() -> Answer:
    """Pole, tracer and pen are on one line, and the pen's path is three times as large as the tracer's."""
    B, Q = (0.375, math.sqrt(0.6**2 - 0.375**2)), (0.75, 0.0)
    A, C, P = (B[0] / 3, B[1] / 3), (B[0] + (Q[0] - B[0]) / 3, B[1] * 2 / 3), (0.25, 0.0)
    m = gr.Mechanism("pantograph")
    ob, bq = m.bar("ob", start=(0, 0), end=B), m.bar("bq", start=B, end=Q)
    ap, cp = m.bar("ap", start=A, end=P), m.bar("cp", start=C, end=P)
    m.revolute(m.ground.at(0, 0), ob.start)
    m.revolute(ob, bq, at=B)
    m.revolute(ob, ap, at=A)
    m.revolute(bq, cp, at=C)
    m.revolute(ap, cp, at=P)
    m.motor("ap.end.x", position="0.25 + 0.05*sin(t)")
    m.motor("ap.end.y", position="0.04*sin(2*t)")
    run = gr.kinematics(m, 1.0)
    return float(run["bq.end.y"][-1]), 3 * 0.04 * math.sin(2.0), 1e-9


def straight_line_of_harts_inversor() -> Answer:
    """OP · OQ = μ (1 − μ)(a² − b²): P on a circle through O of radius c sends Q along the line x = ∓k/(2 c)."""
    a, b, mu, c = 0.4, 0.2, 0.4, 0.1
    s = -0.37
    h = math.sqrt(a * a - s * s)
    A, B = (-mu * s, mu * h), ((1 - mu) * s, -(1 - mu) * h)
    C, D = (A[0] - 0.24, A[1]), (B[0] + 0.5, B[1])
    m = gr.Mechanism("Hart's inversor")
    ab, bc = m.bar("ab", start=A, end=B), m.bar("bc", start=B, end=C)
    cd, da = m.bar("cd", start=C, end=D), m.bar("da", start=D, end=A)
    crank = m.bar("crank", start=(c, 0), end=(2 * c, 0))
    for one, other, place in ((ab, bc, B), (bc, cd, C), (cd, da, D), (da, ab, A), (da, crank, (2 * c, 0))):
        m.revolute(one, other, at=place)
    m.revolute(m.ground, ab, at=(0, 0))
    m.revolute(m.ground, crank, at=(c, 0))
    bc.at((1 - mu) * b, 0, name="Q")
    m.motor(crank, angle="1.2*sin(t)")
    run = gr.kinematics(m, 3.0)
    k = mu * (1 - mu) * (a * a - b * b)
    return float(run["bc.Q.x"][np.argmax(np.abs(run["bc.Q.y"]))]), -k / (2 * c), 1e-9


def torque_of_a_differential_windlass() -> Answer:
    """The rope comes off one drum and onto the other: T = W (R − r)/2."""
    R, r, mass = 0.15, 0.12, 200.0
    m = gr.Mechanism("differential windlass", gravity=(0, -G))
    axle = m.body("axle", mass=10.0, inertia=0.1, points={"O": (0, 0)})
    block = m.body("block", mass=mass, inertia=0.1, points={"hook": (0, 0)}, position=((R - r) / 2, -2.0))
    m.revolute(m.ground.at(0, 0), axle.O)
    m.prismatic(m.ground.at((R - r) / 2, -2.0), block.hook, axis=(0, 1))
    m.rope(
        [m.ground.at(R, 0), block.hook, m.ground.at(-r, 0)],
        radii=(0, -(R + r) / 2, 0),
        wound={axle: R - r},
        name="rope",
    )
    m.motor(axle, angle=0.0, name="hand")
    return abs(gr.equilibrium(m)["hand.torque"]), mass * G * (R - r) / 2, 1e-9


def shaking_force_of_a_four_cylinder_engine() -> Answer:
    """First orders cancel; at a dead centre 4 m r ω² (r/l) is left."""
    r, rod_length, mass, omega = 0.04, 0.14, 0.5, 300.0
    m = gr.Mechanism("four in line")
    crank = m.body("crank", points={"O": (0, 0), "up": (r, 0), "down": (-r, 0)})
    m.revolute(m.ground.at(0, 0), crank.O, name="main")
    for k, throw in enumerate((crank.up, crank.down, crank.down, crank.up)):
        rod = m.bar(f"rod{k}", length=rod_length)
        piston = m.body(f"piston{k}", mass=mass, inertia=1e-4, points={"pin": (0, 0)}, position=(0, rod_length))
        m.revolute(throw, rod.start)
        m.revolute(rod.end, piston.pin)
        m.prismatic(m.ground.at(0, 0), piston.pin, axis=(0, 1))
        m.want(f"piston{k}.pin.y", value=rod_length)
    m.motor(crank, angle=f"pi/2 + {omega}*t")
    run = gr.kinematics(m, 0.01)
    return float(run["main.fy"][0]), -4 * mass * r * omega**2 * r / rod_length, 1e-9


def pressure_angle_of_an_eccentric() -> Answer:
    """sin φ = e/(R + ρ) at most, for a roller of radius ρ on an eccentric disc, with a follower on its centre line."""
    e, R, rho = 0.01, 0.04, 0.01
    m = gr.Mechanism("eccentric")
    cam, follower = m.body("cam"), m.body("follower", position=(0, R + rho))
    m.revolute(m.ground.at(0, 0), cam.at(0, 0))
    m.prismatic(m.ground.at(0, 0), follower.at(0, 0, name="pin"), axis=(0, 1), name="guide")
    m.roller(cam.curve(implicit=f"(x - {e})**2 + y**2 - {R}**2"), follower.pin, radius=rho, name="cam track")
    m.spring(m.ground.at(0, 0.2), follower.pin, stiffness=1000, length=0.3)
    m.motor(cam, angle="2*pi*t")
    run = gr.kinematics(m, 1.0, times=361)
    return float(np.max(np.abs(run["guide.fx"] / run["cam track.force"]))), e / (R + rho), 1e-6


def speed_of_a_tipping_body() -> Answer:
    """A cylinder of length L between pivots at a and b from the hinge: θ̇ = v L/(a b sin θ)."""
    a, b, v, theta = 2.5, 1.0, 0.08, math.radians(25.0)
    m = gr.Mechanism("tipper")
    tray = m.bar("tray", length=4.0)
    m.revolute(m.ground.at(0, 0), tray.start)
    m.cylinder(m.ground.at(b, 0), tray.at(a, 0), speed=v, name="ram")
    m.need(tray.angle, value=theta)
    run = gr.kinematics(m, 2.0)
    length = math.sqrt(a * a + b * b - 2 * a * b * math.cos(theta))
    return float(run["tray.angle.rate"][0]), v * length / (a * b * math.sin(theta)), 1e-9


def instant_centre_of_a_double_wishbone() -> Answer:
    """The wheel carrier turns about the point where the lines of the two wishbones meet."""
    m = gr.Mechanism("double wishbone")
    upper = m.bar("upper", start=(0, 0.5), end=(0.35, 0.46))
    lower = m.bar("lower", start=(-0.05, 0.2), end=(0.4, 0.21))
    carrier = m.bar("carrier", start=(0.4, 0.21), end=(0.35, 0.46))
    m.revolute(m.ground, upper, at=(0, 0.5))
    m.revolute(m.ground, lower, at=(-0.05, 0.2))
    m.revolute(lower, carrier, at=(0.4, 0.21))
    m.revolute(upper, carrier, at=(0.35, 0.46))
    centre = gr.linkage(m).centres()["ground", "carrier"].point
    # y = 0.5 − (4/35) x and y = 0.2 + (x + 0.05)/45
    x = (0.3 - 0.05 / 45) / (4 / 35 + 1 / 45)
    return centre[0], x, 1e-9


def travel_of_a_differential_screw() -> Answer:
    """Two threads of one hand on one spindle: the slide travels by the difference of their leads each revolution."""
    m = gr.Mechanism("differential screw", dimension=3)
    spindle = m.body("spindle", points={"a": (0, 0, 0), "b": (0.1, 0, 0)})
    slide = m.body("slide", points={"o": (0, 0, 0)}, position=(0.1, 0, 0))
    m.screw(m.ground.at(0, 0, 0), spindle.a, axis=(1, 0, 0), lead=0.0015, name="coarse")
    m.screw(slide.o, spindle.b, axis=(1, 0, 0), lead=0.00125, name="fine")
    m.prismatic(m.ground.at(0.1, 0, 0), slide.o, axis=(1, 0, 0))
    m.motor("coarse turn", speed="60 rpm")
    run = gr.kinematics(m, 10.0)
    return float(run["slide.o.x"][-1] - run["slide.o.x"][0]), 10 * 0.00025, 1e-9


def sun_and_planet_gear() -> Answer:
    """Watt's planet is fixed to the connecting rod: with equal wheels the sun turns twice per revolution of the arm."""
    m = gr.Mechanism("sun and planet")
    arm, sun = m.bar("arm", length=0.5), m.body("sun", points={"O": (0, 0)})
    rod = m.bar("rod", length=2.0)
    m.revolute(m.ground.at(0, 0), arm.start)
    m.revolute(m.ground.at(0, 0), sun.O)
    m.revolute(arm.end, rod.start)
    m.slider(m.ground.line((0, 0), (0, 1)), rod.end)
    m.want("rod.end.y", value=2.4)
    m.gear(rod, sun, teeth=(30, 30))
    m.motor(arm, speed="30 rpm")
    run = gr.kinematics(m, 2.0)
    return float(run["sun.angle"][-1] - run["sun.angle"][0]), 4 * math.pi, 1e-9


def stroke_of_a_swash_plate_pump() -> Answer:
    """2 R tan α"""
    R, alpha = 0.05, math.radians(18.0)
    m = gr.Mechanism("swash plate", dimension=3)
    z = -R * math.tan(alpha)
    plate = m.body("plate", mass=1.0, inertia=(0.01, 0.01, 0.02), points={"O": (0, 0, 0)})
    shoe = m.body("shoe", mass=0.01, inertia=(1e-6, 1e-6, 1e-6), points={"o": (0, 0, 0)}, position=(R, 0, z))
    piston = m.body("piston", mass=0.1, inertia=(1e-4, 1e-4, 1e-4), points={"o": (0, 0, 0)}, position=(R, 0, z))
    m.revolute(m.ground.at(0, 0, 0), plate.O, axis=(0, 0, 1))
    m.planar(plate.O, shoe.o, normal=(math.sin(alpha), 0, math.cos(alpha)))
    m.spherical(shoe.o, piston.o)
    m.prismatic(m.ground.at(R, 0, 0), piston.o, axis=(0, 0, 1))
    m.angle("turn", plate, axis=(0, 0, 1))
    m.motor("turn", speed="60 rpm")
    run = gr.simulate(m, 1.0)
    return float(np.ptp(run["piston.o.z"])), 2 * R * math.tan(alpha), 1e-6


# -- as a lecturer


def period_of_a_large_swing() -> Answer:
    """T = 4 √(ℓ/g) K(sin ½ θ₀)"""
    m = gr.Mechanism("pendulum", gravity=(0, -G))
    bob = m.body("bob", mass=1.0, inertia=0.0, center=(0, -1.0), points={"O": (0, 0)})
    m.revolute(m.ground.at(0, 0), bob.O)
    m.need(bob.angle, value="120 deg", rate=0)
    m.event(bob.angle, crosses=0.0, direction="up", name="up")
    times = [event.time for event in gr.simulate(m, 10.0, tol=1e-9).events]
    return times[1] - times[0], 4 / math.sqrt(G) * float(mpmath.ellipk(0.75)), 1e-8


def tautochrone() -> Answer:
    """A bead on a cycloid needs π √(R/g) to the lowest point, wherever it starts."""
    R = 0.5
    m = gr.Mechanism("tautochrone", gravity=(0, -G))
    phi = np.linspace(-2.5, 2.5, 201)
    points = [(R * (p + math.sin(p)), R * (1 - math.cos(p))) for p in phi]
    bead = m.body("bead", mass=0.1, inertia=1.0, points={"o": (0, 0)}, position=points[20])
    m.pin_on_curve(m.ground.curve(points=points, closed=False), bead.o)
    m.need("bead.o.x", value=-0.8, rate=0)
    run = gr.simulate(m, until="bead.o.x > 0")
    return float(run.t[-1]), math.pi * math.sqrt(R / G), 1e-4


def where_a_puck_leaves_a_hemisphere() -> Answer:
    """Without friction, at cos θ = ⅔ cos θ₀."""
    start = math.radians(5.0)
    m = gr.Mechanism("puck", gravity=(0, -G))
    puck = m.body("puck", mass=1.0, inertia=1.0, points={"o": (0, 0)}, position=(math.sin(start), math.cos(start)))
    m.contact(m.ground.circle((0, 0), 1.0), puck.o, restitution=0.0, name="dome")
    run = gr.simulate(m, 2.0)
    left = next(event.time for event in run.events if event.name == "dome touch release")
    return float(np.interp(left, run.t, run["puck.o.y"])), 2 / 3 * math.cos(start), 1e-5


def hinge_of_a_struck_rod() -> Answer:
    """A push F at the free end of a hanging rod: the hinge carries ½ F in the same direction."""
    m = gr.Mechanism("centre of percussion")
    rod = m.bar("rod", length=1.2, mass=3.0)
    m.revolute(m.ground.at(0, 0), rod.start, name="hinge")
    m.force(rod.end, (10.0, 0.0))
    m.need(rod, value="-90 deg", rate=0)
    return float(gr.simulate(m, 0.01)["hinge.fx"][0]), 5.0, 1e-9


def bending_moment_in_a_falling_chimney() -> Answer:
    """It is largest at a third of the height: m g L sin θ/27."""
    theta, L, mass = math.radians(30.0), 30.0, 9e4
    axis = np.array([math.sin(theta), math.cos(theta)])
    m = gr.Mechanism("chimney", gravity=(0, -G))
    lower = m.bar("lower", start=(0, 0), end=axis * L / 3, mass=mass / 3)
    upper = m.bar("upper", start=axis * L / 3, end=axis * L, mass=mass * 2 / 3)
    m.revolute(m.ground.at(0, 0), lower.start)
    m.weld(lower.end, upper.start, name="cut")
    m.need(lower.angle, value=math.pi / 2 - theta, rate=0)
    return abs(float(gr.simulate(m, 0.1)["cut.mz"][0])), mass * G * L * math.sin(theta) / 27, 1e-9


def side_force_in_a_rotating_tube() -> Answer:
    """r = r₀ cosh ω t, and the tube pushes with 2 m ω ṙ."""
    omega, r0, mass = 4.0, 0.1, 0.2
    m = gr.Mechanism("ball in a tube")
    tube = m.bar("tube", length=1.0, mass=1.0)
    ball = m.body("ball", mass=mass, inertia=0.0, points={"o": (0, 0)}, position=(r0, 0))
    m.revolute(m.ground.at(0, 0), tube.start)
    m.prismatic(tube.start, ball.o, axis=(1, 0), name="bore")
    m.coordinate("r", ball.o, (1, 0), origin=tube.start)
    m.need("r", value=r0, rate=0)
    m.motor(tube, speed=omega)
    run = gr.simulate(m, 0.5)
    force = math.hypot(run["bore.fx"][-1], run["bore.fy"][-1])
    return force, 2 * mass * omega * r0 * omega * math.sinh(omega * 0.5), 1e-6


def walking_inwards_on_a_roundabout() -> Answer:
    """ω₂ = ω₁ (I + m R²)/(I + m r²)"""
    m = gr.Mechanism("roundabout")
    disc = m.body("disc", mass=200.0, inertia=300.0, points={"O": (0, 0)})
    child = m.body("child", mass=40.0, inertia=0.0, points={"feet": (0, 0)}, position=(2.0, 0))
    m.revolute(m.ground.at(0, 0), disc.O)
    m.prismatic(disc.O, child.feet, axis=(1, 0))
    m.coordinate("r", child.feet, (1, 0), origin=disc.O)
    m.motor("r", position=gr.table([0, 3], [2.0, 0.5], kind="linear"))
    m.need(disc.angle, rate=1.0)
    run = gr.simulate(m, 3.0)
    return float(run["disc.angle.rate"][-1]), (300 + 40 * 4) / (300 + 40 * 0.25), 1e-6


def friction_under_a_ladder() -> Answer:
    """A smooth wall: μ ≥ Σ W x / (L tan θ Σ W)."""
    L, theta = 5.0, math.radians(65.0)
    m = gr.Mechanism("ladder", gravity=(0, -G))
    ladder = m.bar("ladder", start=(0, 0), end=(L * math.cos(theta), L * math.sin(theta)), mass=20.0)
    m.revolute(m.ground.at(0, 0), ladder.start, name="foot")
    m.slider(m.ground.line((L * math.cos(theta), 0), (L * math.cos(theta), 1)), ladder.end, name="wall")
    m.force(ladder.at(0.75 * L, 0), (0.0, -80.0 * G))
    found = gr.equilibrium(m)
    return found["foot.fx"] / found["foot.fy"], (20 * 0.5 + 80 * 0.75) / (100 * math.tan(theta)), 1e-9


def thrust_of_a_three_hinged_arch() -> Answer:
    """A load P at the quarter point of a span of 8 with a rise of 3: H = P/3."""
    m = gr.Mechanism("three-hinged arch")
    left, right = m.bar("left", start=(0, 0), end=(4, 3)), m.bar("right", start=(8, 0), end=(4, 3))
    m.revolute(m.ground, left, at=(0, 0), name="A")
    m.revolute(left, right, at=(4, 3), name="C")
    m.revolute(m.ground, right, at=(8, 0), name="B")
    m.force(left.at_world(2, 1.5), (0.0, -900.0))
    return gr.equilibrium(m)["A.fx"], 300.0, 1e-9


def front_axle_of_a_braking_car() -> Answer:
    """m (g b + a h)/L"""
    m = gr.Mechanism("car", gravity=(0, -G))
    car = m.body("car", mass=1200.0, inertia=1500.0, center=(1.2, 0.5), points={"rear": (0, 0), "front": (2.5, 0)})
    road = m.ground.line((0, 0), (1, 0))
    m.slider(road, car.rear, name="rear axle")
    m.slider(road, car.front, name="front axle")
    m.force(car.front, (-6000.0, 0.0))
    m.need("car.rear.x", rate=20.0)
    return float(gr.simulate(m, 1.0)["front axle.fy"][-1]), 1200 * (G * 1.2 + 5 * 0.5) / 2.5, 1e-9


def ball_that_strikes_a_rod() -> Answer:
    """Without rebound ω = m v L/(⅓ M L² + m L²)."""
    m = gr.Mechanism("plastic impact")
    rod = m.bar("rod", start=(0, 0), end=(0, -1), mass=2.0)
    ball = m.body("ball", mass=0.5, inertia=1e-4, points={"o": (0, 0)}, position=(0.3, -1.0))
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=-math.pi / 2, rate=0)
    m.contact(rod.line((0, 0), (1, 0)), ball.circle((0, 0), 0.02), restitution=0.0, name="hit")
    m.need("ball.o.x", rate=-3.0)
    m.need("ball.o.y", rate=0.0)
    run = gr.simulate(m, 0.15)
    return -float(run["rod.angle.rate"][np.searchsorted(run.t, 0.28 / 3.0) + 1]), 0.5 * 3 / (2 / 3 + 0.5), 1e-4


# -- as a researcher


def tumbling_about_the_middle_axis() -> Answer:
    """Its perturbations grow like e^(σ t), σ² = ω² (B − A)(C − B)/(A C)."""
    m = gr.Mechanism("tennis racket", dimension=3)
    racket = m.body("racket", mass=0.3, inertia=(1.0, 2.0, 2.6), points={"O": (0, 0, 0)})
    outer, inner = m.body("outer ring", points={"O": (0, 0, 0)}), m.body("inner ring", points={"O": (0, 0, 0)})
    m.revolute(m.ground.at(0, 0, 0), outer.O, axis=(0, 1, 0))
    m.revolute(outer.O, inner.O, axis=(1, 0, 0))
    m.revolute(inner.O, racket.O, axis=(0, 0, 1))
    m.need(racket, angular_velocity=(0, 5.0, 0))
    growth = max(mode.eigenvalue.real for mode in gr.modes(m, at=0.0))
    return growth, 5.0 * math.sqrt(1.0 * 0.6 / (1.0 * 2.6)), 1e-6


def flutter_load_of_zieglers_column() -> Answer:
    """Two links with masses 2 m and m and a load that follows the second one: P = (7/2 − √2) k/ℓ (Ziegler, 1952)."""

    def grows(load: float) -> bool:
        m = gr.Mechanism("Ziegler's column")
        first = m.body("first", mass=2.0, inertia=0.0, center=(1, 0), points={"O": (0, 0), "A": (1, 0)})
        second = m.body("second", mass=1.0, inertia=0.0, center=(1, 0), points={"A": (0, 0), "B": (1, 0)})
        m.revolute(m.ground.at(0, 0), first.O)
        m.revolute(first.A, second.A)
        m.angle("bend", second, reference=first)
        m.torsion_spring(first, stiffness=1.0)
        m.torsion_spring("bend", stiffness=1.0)
        m.force(second.B, (-load, 0.0), axes="body")
        return max(mode.eigenvalue.real for mode in gr.modes(m)) > 1e-4

    low, high = 1.5, 2.5
    for _ in range(12):
        middle = (low + high) / 2
        low, high = (low, middle) if grows(middle) else (middle, high)
    return low, 3.5 - math.sqrt(2.0), 1e-3


def frequency_of_a_vibration_absorber() -> Answer:
    """The main mass stands still at √(k/m): a zero of its response."""
    m = gr.Mechanism("absorber")
    main, small = (m.body(n, mass=x, inertia=1.0, points={"o": (0, 0)}) for n, x in (("main", 10.0), ("small", 1.0)))
    for body in (main, small):
        m.prismatic(m.ground.at(0, 0), body.o, axis=(1, 0))
    m.pull("main.o.x", "-4000*main.o.x")
    m.coordinate("apart", small.o, (1, 0), origin=main.o)
    m.pull("apart", "-250*apart")
    m.force(main.o, (0.0, 0.0), name="shake")
    found = gr.state_space(m, inputs=["shake.force.x"], outputs=["main.o.x"])
    A, B, C, D = found
    zeros = np.roots(np.poly(A - B @ C) - np.poly(A))
    return float(np.max(np.abs(zeros.imag))), math.sqrt(250.0), 1e-6 + float(np.max(np.abs(D)))


def whirl_of_an_unbalanced_rotor() -> Answer:
    """Jeffcott: r = m e ω²/√((k − m ω²)² + (c ω)²)"""
    mass, e, k, c, omega = 5.0, 1e-3, 8e3, 40.0, 60.0
    m = gr.Mechanism("Jeffcott rotor")
    disc = m.body("disc", mass=mass, inertia=0.05, center=(e, 0), points={"O": (0, 0)})
    m.bushing(m.ground.at(0, 0), disc.O, stiffness=k, damping=c)
    m.motor(disc, speed=omega)
    run = gr.simulate(m, 6.0)
    r = math.hypot(run["disc.O.x"][-1], run["disc.O.y"][-1])
    return r, mass * e * omega**2 / math.hypot(k - mass * omega**2, c * omega), 1e-5


def turn_of_a_floating_robot() -> Answer:
    """Angular momentum stays zero: the base turns by −φ (I₂ + μ c²)/(I₁ + I₂ + μ c²), with μ the reduced mass."""
    m = gr.Mechanism("floating robot")
    base = m.body("base", mass=20.0, inertia=2.0, points={"O": (0, 0)})
    arm = m.bar("arm", length=1.0, mass=4.0)
    m.revolute(base.O, arm.start)
    m.angle("joint", arm, reference=base)
    m.motor("joint", angle="pi*(1 - cos(pi*t))/2")
    run = gr.simulate(m, 1.0)
    k = 4.0 / 12 + 20 * 4 / 24 * 0.25
    return float(run["base.angle"][-1] - run["base.angle"][0]), -math.pi * k / (2.0 + k), 1e-6


def kapitzas_pendulum() -> Answer:
    """Shaken fast, it swings about the upper position with Ω² = (a ω)²/(2 ℓ²) − g/ℓ, to first order in a/ℓ."""
    a, omega, length = 0.005, 1200.0, 0.2
    m = gr.Mechanism("Kapitza's pendulum", gravity=(0, -G))
    carriage = m.body("carriage", mass=1.0, inertia=1.0, points={"o": (0, 0)})
    rod = m.body("rod", mass=1.0, inertia=0.0, center=(length, 0), points={"o": (0, 0)})
    m.prismatic(m.ground.at(0, 0), carriage.o, axis=(0, 1))
    m.revolute(carriage.o, rod.o)
    m.motor("carriage.o.y", position=f"{a}*cos({omega}*t)")
    m.need(rod.angle, value=math.pi / 2 + 0.02, rate=0)
    m.event(rod.angle, crosses=math.pi / 2, direction="up", name="up")
    times = [event.time for event in gr.simulate(m, 2.0).events]
    found = 2 * math.pi * (len(times) - 1) / (times[-1] - times[0])
    return found, math.sqrt((a * omega / length) ** 2 / 2 - G / length), 2e-2


def scatter_of_a_dead_centre() -> Answer:
    """The farthest position of a piston is r + l: its variance is the sum of theirs."""
    m = gr.Mechanism("slider crank")
    crank, rod = m.bar("crank", length=0.1, mass=1.0), m.bar("rod", length=0.3, mass=1.0)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0, 0), (1, 0)), rod.end)
    m.motor(crank, speed=10.0)
    m.need(crank.angle, value=-1.0)
    vary = {"crank.length": (0.1, 0.0003), "rod.length": (0.3, 0.0004)}
    found = gr.sweep(m, vary, 0.3, outputs=["max rod.end.x"], sample="normal", count=400)
    return float(found["max rod.end.x"].std()), 0.0005, 0.12


TRIES = {
    name: value
    for name, value in list(globals().items())
    if callable(value) and not name.startswith("_") and getattr(value, "__module__", "") == __name__
}
