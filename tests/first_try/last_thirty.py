"""Another thirty textbook mechanisms and questions, all written before the first of them was run, from the
documentation and the signatures of the functions alone. See docs/validation/first-try.md.

Each returns what was computed, what the textbook says, and the relative difference that is allowed.
"""

from __future__ import annotations

import math

import numpy as np

import grashof as gr

Answer = tuple[float, float, float]

G = 9.81


# -- as a designer


def advantage_of_a_compound_lever() -> Answer:
    """Two levers in series, joined by an upright link: the product of the two ratios of their arms."""
    m = gr.Mechanism("compound lever")
    first = m.body("first", points={"load": (-0.1, 0), "pivot": (0, 0), "hand": (0.5, 0)})
    second = m.body("second", points={"pivot": (0, 0), "link": (0.4, 0), "load": (-0.08, 0)}, position=(-0.5, -0.3))
    link = m.bar("link", start=(-0.1, 0), end=(-0.1, -0.3))
    m.revolute(m.ground.at(0, 0), first.pivot)
    m.revolute(m.ground.at(-0.5, -0.3), second.pivot)
    m.revolute(first.load, link.start)
    m.revolute(second.link, link.end)
    m.force(first.hand, (0, -100.0))
    m.motor("second.load.y", position=-0.3, name="work")
    return abs(gr.equilibrium(m)["work.force"]), 100 * (0.5 / 0.1) * (0.4 / 0.08), 1e-9


def height_of_hoekens_straight_line() -> Answer:
    """With crank 1, frame 2 and coupler and rocker 2.5, the end of the coupler is at the height 4 at 90° and 180°."""
    m = gr.Mechanism("Hoeken's linkage")
    crank, rocker = m.bar("crank", length=1.0), m.bar("rocker", length=2.5)
    coupler = m.body("coupler", points={"A": (0, 0), "B": (2.5, 0), "P": (5.0, 0)})
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(m.ground.at(2, 0), rocker.start)
    m.revolute(crank.end, coupler.A)
    m.revolute(rocker.end, coupler.B)
    m.want("coupler.P.y", value=4.0)
    m.motor(crank, angle="pi/2 + pi/2*t")
    run = gr.kinematics(m, 1.0, times=[0.0, 1.0])
    return float(run["coupler.P.y"][0] + run["coupler.P.y"][1]), 8.0, 1e-9


def hand_torque_of_a_worm_winch() -> Answer:
    """W r / z for a single-start worm without friction."""
    m = gr.Mechanism("worm winch", dimension=3, gravity=(0, 0, -G))
    worm = m.body("worm", mass=1.0, inertia=(1e-3, 1e-3, 1e-3), points={"O": (0, 0, 0)}, position=(0, 0, 0.2))
    drum = m.body("drum", mass=5.0, inertia=(0.02, 0.02, 0.02), points={"O": (0, 0, 0)})
    m.revolute(m.ground.at(0, 0, 0.2), worm.O, axis=(1, 0, 0))
    m.revolute(m.ground.at(0, 0, 0), drum.O, axis=(0, 1, 0))
    m.angle("worm turn", worm, axis=(1, 0, 0))
    m.angle("drum turn", drum, axis=(0, 1, 0))
    m.worm("worm turn", "drum turn", teeth=48)
    m.torque("drum turn", 300 * G * 0.08)
    m.motor("worm turn", angle=0.0, name="hand")
    return abs(gr.equilibrium(m)["hand.torque"]), 300 * G * 0.08 / 48, 1e-9


def two_cardan_joints_out_of_phase() -> Answer:
    """Forks a quarter turn out of phase do not cancel: the last shaft runs at up to 1/cos² β times the speed."""
    beta = math.radians(25.0)
    u, n = (math.cos(beta), math.sin(beta), 0.0), (-math.sin(beta), math.cos(beta), 0.0)
    m = gr.Mechanism("misaligned propeller shaft", dimension=3)
    first = m.bar("first", start=(-0.3, 0, 0), end=(0, 0, 0))
    middle = m.bar("middle", start=(0, 0, 0), end=u)
    last = m.bar("last", start=u, end=(u[0] + 0.3, u[1], 0))
    m.revolute(m.ground.at(-0.3, 0, 0), first.start, axis=(1, 0, 0))
    m.universal(first.end, middle.start, axis_a=(0, 0, 1), axis_b=n)
    m.universal(middle.end, last.start, axis_a=(0, 0, 1), axis_b=(0, 1, 0))
    m.cylindrical(m.ground.at(u[0] + 0.3, u[1], 0), last.end, axis=(1, 0, 0))
    m.angle("in", first, axis=(1, 0, 0))
    m.angle("out", last, axis=(1, 0, 0))
    m.motor("in", speed=1.0)
    run = gr.kinematics(m, 2 * math.pi, times=721)
    return float(np.max(np.abs(run["out.rate"]))), 1 / math.cos(beta) ** 2, 1e-6


def cycloidal_cam() -> Answer:
    """s = h (θ/β − sin(2πθ/β)/2π) has the largest acceleration 2π h ω²/β²."""
    h, beta, omega = 0.02, 1.5, 50.0
    m = gr.Mechanism("cycloidal cam")
    cam = m.body("cam", points={"O": (0, 0)})
    follower = m.body("follower", points={"o": (0, 0)})
    m.revolute(m.ground.at(0, 0), cam.O)
    m.prismatic(m.ground.at(0, 0), follower.o, axis=(0, 1))
    m.coupling(f"follower.o.y - {h}*(cam.angle/{beta} - sin(2*pi*cam.angle/{beta})/(2*pi))")
    m.motor(cam, angle=f"{omega}*t")
    run = gr.kinematics(m, beta / omega, times=401)
    return float(np.max(run["follower.o.y.acceleration"])), 2 * math.pi * h * omega**2 / beta**2, 1e-6


def spring_balanced_lamp() -> Answer:
    """A spring of no free length with k = m g L/(a b) carries the arm in every position; a load on top is left over."""
    mass, L, a, b, load, angle = 3.0, 0.6, 0.2, 0.25, 0.5, math.radians(35.0)
    m = gr.Mechanism("lamp", gravity=(0, -G))
    arm = m.body("arm", mass=mass, inertia=0.0, center=(L, 0), points={"O": (0, 0), "S": (a, 0), "head": (L, 0)})
    m.revolute(m.ground.at(0, 0), arm.O)
    m.spring(m.ground.at(0, b), arm.S, stiffness=mass * G * L / (a * b), length=0.0)
    m.force(arm.head, (0, -load * G))
    m.motor(arm, angle=angle, name="hand")
    return gr.equilibrium(m)["hand.torque"], load * G * L * math.cos(angle), 1e-9


def side_force_of_a_piston() -> Answer:
    """N = F tan φ with sin φ = (r/l) sin θ."""
    r, rod_length, theta, gas = 0.045, 0.15, math.radians(70.0), 12e3
    m = gr.Mechanism("engine")
    crank, rod = m.bar("crank", length=r), m.bar("rod", length=rod_length)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0, 0), (1, 0)), rod.end, name="liner")
    m.want("rod.end.x", value=0.16)
    m.force(rod.end, (-gas, 0.0))
    m.motor(crank, angle=theta, name="shaft")
    found = gr.equilibrium(m)
    return abs(found["liner.fy"]), gas * math.tan(math.asin(r / rod_length * math.sin(theta))), 1e-9


def fergusons_paradox() -> Answer:
    """A planet between a fixed wheel (100 teeth) and a loose one (101): it turns by 1/101 per revolution of the arm."""
    m = gr.Mechanism("Ferguson's paradox")
    arm, planet, loose = (m.body(name, points={"O": (0, 0)}) for name in ("arm", "planet", "loose"))
    m.revolute(m.ground.at(0, 0), arm.O)
    m.revolute(m.ground.at(0, 0), loose.O)
    m.revolute(arm.at(0.6, 0), planet.O)
    m.gear(m.ground, planet, teeth=(100, 20))
    m.gear(planet, loose, teeth=(20, 101))
    m.motor(arm, speed="60 rpm")
    run = gr.kinematics(m, 1.0)
    return float(run["loose.angle"][-1] - run["loose.angle"][0]), 2 * math.pi / 101, 1e-9


def wheel_on_ice() -> Answer:
    """A differential with one wheel held turns the other one twice as fast as its cage."""
    m = gr.Mechanism("differential")
    left, right, cage = (m.body(name, points={"O": (0, 0)}) for name in ("left", "right", "cage"))
    for body in (left, right, cage):
        m.revolute(m.ground.at(0, 0), body.O)
    m.differential(left, right, cage)
    m.motor(cage, speed="100 rpm")
    m.motor(left, angle=0.0)
    run = gr.kinematics(m, 1.0)
    return float(run.in_units("rpm")["right.angle.rate"][-1]), 200.0, 1e-9


def four_fall_block_and_tackle() -> Answer:
    """Four falls of rope carry the load: the hand holds a quarter of it."""
    m = gr.Mechanism("block and tackle", gravity=(0, -G))
    load = m.body("load", mass=80.0, inertia=1.0, points={"hook": (0, 0)}, position=(0, -2))
    hand = m.body("hand", points={"o": (0, 0)}, position=(-0.5, -1))
    m.prismatic(m.ground.at(0, -2), load.hook, axis=(0, 1))
    m.prismatic(m.ground.at(-0.5, -1), hand.o, axis=(0, 1))
    top = m.ground.at(0, 0)
    m.rope([hand.o, m.ground.at(-0.5, 0), top, load.hook, top, load.hook, top], name="rope")
    m.motor("hand.o.y", position=-1.0, name="pull")
    return abs(gr.equilibrium(m)["pull.force"]), 80 * G / 4, 1e-9


def elliptic_gears() -> Answer:
    """Equal ellipses that turn about their foci: the ratio of speeds is (1 + e)/(1 − e) at most."""
    e = 0.4
    m = gr.Mechanism("elliptic gears")
    drive, driven = (m.body(name, points={"O": (0, 0)}) for name in ("drive", "driven"))
    m.revolute(m.ground.at(0, 0), drive.O)
    m.revolute(m.ground.at(0.2, 0), driven.O)
    m.coupling(f"driven.angle + 2*atan2({1 + e}*sin(drive.angle/2), {1 - e}*cos(drive.angle/2))")
    m.motor(drive, angle="sin(t)")
    run = gr.kinematics(m, 4.0, times=4001)
    return float(np.max(np.abs(run["driven.angle.rate"] / run["drive.angle.rate"]))), (1 + e) / (1 - e), 1e-3


def torque_of_a_screw_jack() -> Answer:
    """W p/2π without friction."""
    m = gr.Mechanism("screw jack", dimension=3, gravity=(0, 0, -G))
    nut = m.body("nut", mass=1.0, inertia=(0.01, 0.01, 0.01), points={"O": (0, 0, 0)})
    table = m.body("table", mass=500.0, inertia=(1, 1, 1), points={"O": (0, 0, 0)})
    m.revolute(m.ground.at(0, 0, 0), nut.O, axis=(0, 0, 1))
    m.prismatic(m.ground.at(0, 0, 0), table.O, axis=(0, 0, 1))
    m.screw(nut.O, table.O, axis=(0, 0, 1), lead="6 mm", name="thread")
    m.angle("turn", nut, axis=(0, 0, 1))
    m.motor("turn", angle=0.0, name="crank")
    return abs(gr.equilibrium(m)["crank.torque"]), 500 * G * 0.006 / (2 * math.pi), 1e-9


def travel_of_a_crane_buffer() -> Answer:
    """A mass m at the speed v compresses an elastic buffer by v √(m/k)."""
    m = gr.Mechanism("crane and buffer")
    crane = m.body("crane", mass=2e4, inertia=1e4, points={"o": (0, 0)})
    m.prismatic(m.ground.at(0, 0), crane.o, axis=(1, 0))
    m.stop("crane.o.x", upper=1.0, stiffness=1.25e6, exponent=1, name="buffer")
    m.need("crane.o.x", value=0.0, rate=0.8)
    found = gr.sweep(m, {"crane.mass": [2e4]}, 3.0, outputs=["max crane.o.x"])
    return float(found["max crane.o.x"][0]) - 1.0, 0.8 * math.sqrt(2e4 / 1.25e6), 1e-4


def run_up_through_a_belt() -> Answer:
    """A fan behind a belt: the motor sees I₁ + I₂ (r₁/r₂)²."""
    m = gr.Mechanism("fan drive")
    motor, fan = m.body("motor", mass=1.0, inertia=0.02), m.body("fan", mass=1.0, inertia=0.9)
    m.revolute(m.ground.at(0, 0), motor.at(0, 0))
    m.revolute(m.ground.at(0.6, 0), fan.at(0, 0))
    m.belt(motor, fan, radii=("50 mm", "150 mm"))
    m.torque(motor, "12 N m")
    m.need(motor.angle, value=0, rate=0)
    run = gr.simulate(m, until="motor.angle.rate > 100")
    return float(run.t[-1]), 100 * (0.02 + 0.9 / 9) / 12, 1e-6


# -- as a lecturer


def torsional_vibration_of_two_discs() -> Answer:
    """√(k (1/I₁ + 1/I₂)) / 2π, and a free rotation."""
    m = gr.Mechanism("two discs on a shaft")
    one, other = m.body("one", mass=1.0, inertia=0.3), m.body("other", mass=1.0, inertia=0.7)
    m.revolute(m.ground.at(0, 0), one.at(0, 0))
    m.revolute(m.ground.at(0, 0), other.at(0, 0))
    m.angle("twist", other, reference=one)
    m.torsion_spring("twist", stiffness=900.0)
    return max(gr.modes(m).frequencies), math.sqrt(900 * (1 / 0.3 + 1 / 0.7)) / (2 * math.pi), 1e-9


def yo_yo() -> Answer:
    """g/(1 + I/(m r²))"""
    mass, inertia, r = 0.08, 4e-5, 0.006
    m = gr.Mechanism("yo-yo", gravity=(0, -G))
    yoyo = m.body("yoyo", mass=mass, inertia=inertia, center=(0, 0), points={"o": (0, 0)}, position=(0, -0.1))
    m.slider(m.ground.line((0, 0), (0, 1)), yoyo.o)
    m.rope([m.ground.at(0, 0), yoyo.o], wound={yoyo: r})
    run = gr.simulate(m, 0.5)
    return -float(run["yoyo.o.y.acceleration"][0]), G / (1 + inertia / (mass * r**2)), 1e-9


def string_in_a_loop() -> Answer:
    """Let go with v² = 6 g ℓ at the bottom, a bob pulls with m g at the top."""
    m = gr.Mechanism("looping", gravity=(0, -G))
    bob = m.body("bob", mass=0.4, inertia=0.0, center=(1.5, 0), points={"O": (0, 0)})
    m.revolute(m.ground.at(0, 0), bob.O, name="hinge")
    m.need(bob.angle, value="-90 deg", rate=math.sqrt(6 * G * 1.5) / 1.5)
    run = gr.simulate(m, until="bob.angle > pi/2")
    return abs(float(run["hinge.fy"][-1])), 0.4 * G, 1e-6


def tip_of_a_falling_stick() -> Answer:
    """A hinged stick let go at the angle θ: its tip falls with 3/2 g cos² θ, faster than g below 35°."""
    m = gr.Mechanism("falling stick", gravity=(0, -G))
    stick = m.bar("stick", length=1.0, mass=0.2)
    m.revolute(m.ground.at(0, 0), stick.start)
    m.need(stick.angle, value="20 deg", rate=0)
    run = gr.simulate(m, 0.1)
    return -float(run["stick.end.y.acceleration"][0]), 1.5 * G * math.cos(math.radians(20)) ** 2, 1e-9


def transmissibility_at_root_two() -> Answer:
    """A shaken mass moves as much as its base at √2 times its natural frequency, with any damping."""
    mass, k, c, amplitude = 2.0, 800.0, 16.0, 0.003
    omega = math.sqrt(2 * k / mass)
    m = gr.Mechanism("shaker")
    base, top = (m.body(name, mass=mass, inertia=1.0, points={"o": (0, 0)}) for name in ("base", "top"))
    m.prismatic(m.ground.at(0, 0), base.o, axis=(0, 1))
    m.prismatic(m.ground.at(0, 0), top.o, axis=(0, 1))
    m.coordinate("stretch", top.o, (0, 1), origin=base.o)
    m.pull("stretch", f"-{k}*stretch - {c}*stretch.rate")
    m.motor("base.o.y", position=f"{amplitude}*sin({omega}*t)")
    run = gr.simulate(m, 8.0, times=np.linspace(7.0, 8.0, 2001))
    return float(np.max(run["top.o.y"])), amplitude, 1e-3


def gyroscopic_couple_of_a_turning_ship() -> Answer:
    """I ω Ω on the bearings of the turbine, about the axis at right angles to both."""
    m = gr.Mechanism("ship", dimension=3)
    ship = m.body("ship", mass=1e5, inertia=(1e6, 1e6, 1e6), points={"O": (0, 0, 0)})
    rotor = m.body("rotor", mass=900.0, inertia=(40.0, 30.0, 30.0), points={"O": (0, 0, 0)})
    m.revolute(m.ground.at(0, 0, 0), ship.O, axis=(0, 0, 1))
    m.revolute(ship.O, rotor.O, axis=(1, 0, 0), name="bearings")
    m.angle("yaw", ship, axis=(0, 0, 1))
    m.angle("spin", rotor, reference=ship, axis=(1, 0, 0))
    m.motor("yaw", speed=0.1)
    m.motor("spin", speed="3000 rpm")
    run = gr.simulate(m, 1.0)
    return abs(float(run["bearings.my"][0])), 40 * 100 * math.pi * 0.1, 1e-9


def ball_in_a_bowl() -> Answer:
    """A sphere that rolls at the bottom: ω² = 5 g/(7 (R − r))."""
    R, r, mass = 0.4, 0.05, 0.3
    m = gr.Mechanism("ball in a bowl", gravity=(0, -G))
    ball = m.body("ball", mass=mass, inertia=0.4 * mass * r**2, center=(0, 0), position=(0, -(R - r)))
    m.roll(m.ground.circle((0, 0), R), ball.at(0, 0, name="o"), radius=r, inside=True)
    return gr.modes(m).frequencies[0], math.sqrt(5 * G / (7 * (R - r))) / (2 * math.pi), 1e-9


def recoil_of_a_wedge() -> Answer:
    """m g sin α cos α/(M + m sin² α), everything without friction."""
    alpha, M, mass = math.radians(30.0), 5.0, 2.0
    m = gr.Mechanism("block on a wedge", gravity=(0, -G))
    wedge = m.body("wedge", mass=M, inertia=1.0, points={"o": (0, 0)})
    block = m.body("block", mass=mass, inertia=1.0, points={"o": (0, 0)})
    m.prismatic(m.ground.at(0, 0), wedge.o, axis=(1, 0))
    m.prismatic(wedge.o, block.o, axis=(math.cos(alpha), -math.sin(alpha)))
    run = gr.simulate(m, 0.3)
    expected = mass * G * math.sin(alpha) * math.cos(alpha) / (M + mass * math.sin(alpha) ** 2)
    return -float(run["wedge.o.x.acceleration"][0]), expected, 1e-9


def length_of_a_skid() -> Answer:
    """v²/(2 μ g)"""
    m = gr.Mechanism("skidding block", gravity=(0, -G))
    block = m.body("block", mass=12.0, inertia=1.0, points={"o": (0, 0)})
    guide = m.prismatic(m.ground.at(0, 0), block.o, axis=(1, 0))
    m.friction(guide, mu=0.35)
    m.need("block.o.x", value=0.0, rate=6.0)
    run = gr.simulate(m, 3.0)
    return float(run["block.o.x"][-1]), 36 / (2 * 0.35 * G), 1e-3


def bounce_off_a_slope() -> Answer:
    """A ball falls on a smooth slope: it leaves with v sin α along it and e v cos α away from it."""
    alpha, e, h = math.radians(20.0), 0.6, 1.2
    m = gr.Mechanism("ball and slope", gravity=(0, -G))
    ball = m.body("ball", mass=0.1, inertia=1e-5, points={"o": (0, 0)}, position=(0, h + 0.03 / math.cos(alpha)))
    slope = m.ground.line((0, 0), (math.cos(alpha), -math.sin(alpha)))
    m.contact(slope, ball.circle((0, 0), 0.03), restitution=e, name="slope")
    fall = math.sqrt(2 * h / G)
    run = gr.simulate(m, fall + 1e-3, times=[0.0, fall + 1e-3])
    v = G * fall
    vx, vy = float(run["ball.o.x.rate"][-1]), float(run["ball.o.y.rate"][-1]) + G * 1e-3
    return math.hypot(vx, vy), math.hypot(v * math.sin(alpha), e * v * math.cos(alpha)), 1e-6


# -- as a researcher


def natural_frequency_of_a_balanced_stick() -> Answer:
    """An inverted stick with a PD controller: ω² = (k_p − m g ℓ/2)/I."""
    m = gr.Mechanism("balanced stick", gravity=(0, -G))
    stick = m.bar("stick", start=(0, 0), end=(0, 1.0), mass=0.6)
    m.revolute(m.ground.at(0, 0), stick.start)
    m.need(stick.angle, value="90 deg", rate=0)
    m.controller(stick, target=math.pi / 2, kp=8.0, kd=0.3)
    found = gr.modes(m)[0].natural_frequency
    return found, math.sqrt((8.0 - 0.6 * G * 0.5) / (0.6 / 3)) / (2 * math.pi), 1e-9


def buckling_of_two_links() -> Answer:
    """Two links of length ℓ with a torsion spring k in their joint buckle at P = 2 k/ℓ: ω² falls linearly with P."""

    def squared_frequency(load: float) -> float:
        m = gr.Mechanism("column of two links")
        lower, upper = m.bar("lower", start=(0, 0), end=(0, 0.5)), m.bar("upper", start=(0, 0.5), end=(0, 1.0))
        knee = m.body("knee", mass=1.0, inertia=1.0, points={"o": (0, 0)}, position=(0, 0.5))
        m.revolute(m.ground.at(0, 0), lower.start)
        m.revolute(lower.end, upper.start)
        m.revolute(lower.end, knee.o)
        m.angle("still", knee, reference=lower)
        m.motor("still", angle=-math.pi / 2)
        m.slider(m.ground.line((0, 0), (0, 1)), upper.end)
        m.angle("bend", upper, reference=lower)
        m.torsion_spring("bend", stiffness=40.0)
        m.force(upper.end, (0, -load))
        return float((gr.modes(m).frequencies[0] * 2 * math.pi) ** 2)

    free, loaded = squared_frequency(0.0), squared_frequency(50.0)
    return 50 * free / (free - loaded), 2 * 40 / 0.5, 1e-6


def derivative_of_a_string_tension() -> Answer:
    """A bob let go horizontally pulls with 3 m g at the bottom: ∂F/∂m = 3 g."""
    m = gr.Mechanism("pendulum", gravity=(0, -G))
    bob = m.body("bob", mass=0.4, inertia=0.0, center=(0.7, 0), points={"O": (0, 0)})
    m.revolute(m.ground.at(0, 0), bob.O, name="hinge")
    m.need(bob.angle, value=0.0, rate=0)
    found = gr.sensitivities(m, wrt=["bob.mass"], of=["peak hinge.fy"], t_end=1.0)
    return found["peak hinge.fy", "bob.mass"], 3 * G, 1e-6


def frequency_of_a_hanging_chain() -> Answer:
    """The first zero of J₀: ω = 2.4048 √(g/L)/2, with forty links nearly."""
    n = 40
    m = gr.Mechanism("hanging chain", gravity=(0, -G))
    previous = m.ground.at(0, 0)
    for k in range(n):
        link = m.bar(f"link{k}", start=(0, -k / n), end=(0, -(k + 1) / n), mass=1.0 / n)
        m.revolute(previous, link.start)
        previous = link.end
    return min(gr.modes(m).frequencies), 2.404825557695773 / 2 * math.sqrt(G) / (2 * math.pi), 1e-3


def period_of_a_kepler_orbit() -> Answer:
    """2π √(a³/μ)"""
    mu, r, v = 4.0, 1.0, 2.3
    m = gr.Mechanism("orbit")
    sat = m.body("sat", mass=1.0, inertia=1.0, points={"o": (0, 0)}, position=(r, 0))
    distance = "hypot(sat.o.x, sat.o.y)**3"
    m.force(sat.at(0, 0), (f"-{mu}*sat.o.x/{distance}", f"-{mu}*sat.o.y/{distance}"))
    m.need("sat.o.x", value=r, rate=0)
    m.need("sat.o.y", value=0.0, rate=v)
    m.event("sat.o.y", crosses=0.0, direction="up", name="perigee")
    run = gr.simulate(m, 30.0, tol=1e-9)
    a = 1 / (2 / r - v**2 / mu)
    return run.events[0].time, 2 * math.pi * math.sqrt(a**3 / mu), 1e-8


def precession_of_a_free_disc() -> Answer:
    """A free body of revolution precesses about its angular momentum h with h/A."""
    A, C, theta, h = 0.25, 0.4, math.radians(15.0), 2.0
    m = gr.Mechanism("thrown disc", dimension=3)
    disc = m.body("disc", mass=1.0, inertia=(A, A, C), points={"tip": (0, 0, 1)})
    m.guess(disc, (0, 0, 0), rotation=(math.cos(theta / 2), math.sin(theta / 2), 0, 0))
    m.need(disc, angular_velocity=(0, h * math.sin(theta) / A, h * math.cos(theta) / C), axes="body")
    run = gr.simulate(m, 3.0)
    azimuth = np.unwrap(np.arctan2(run["disc.tip.y"], run["disc.tip.x"]))
    return float(azimuth[-1] - azimuth[0]) / 3.0, h / A, 1e-6


TRIES = {
    name: value
    for name, value in list(globals().items())
    if callable(value) and not name.startswith("_") and getattr(value, "__module__", "") == __name__
}
