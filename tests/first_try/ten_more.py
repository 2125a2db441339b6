"""Ten more textbook questions, asked by someone who had read the README and the documentation, but not the source.

Each returns what was computed, what the textbook says, and the relative difference that is allowed.
"""

from __future__ import annotations

import math

import numpy as np

import grashof as gr

Answer = tuple[float, float, float]

G = 9.81


# -- as a designer


def time_ratio_of_an_offset_slider_crank() -> Answer:
    """Q = (π + α)/(π − α), where α is the angle between the crank's two dead-centre positions, beyond half a turn."""
    r, rod_length, e = 0.1, 0.3, 0.12
    m = gr.Mechanism("quick-return slider-crank")
    crank, rod = m.bar("crank", length=r, mass=1.0), m.bar("rod", length=rod_length, mass=1.0)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0, e), (1, e)), rod.end, name="ram")
    m.motor(crank, speed="60 rpm")
    m.event("rod.end.x.rate", crosses=0.0, name="dead centre")
    run = gr.simulate(m, 3.0)
    times = [event.time for event in run.events if event.name == "dead centre"]
    there, back = sorted((times[1] - times[0], times[2] - times[1]))
    alpha = math.asin(e / (rod_length - r)) - math.asin(e / (rod_length + r))
    return back / there, (math.pi + alpha) / (math.pi - alpha), 1e-6


def mechanical_advantage_of_a_four_bar() -> Answer:
    """Power in is power out: the torque ratio is the reciprocal of the speed ratio, O2I/O4I by the instant centre."""
    m = gr.Mechanism("lever press")
    crank, coupler, rocker = (m.bar(n, length=x) for n, x in (("crank", 0.1), ("coupler", 0.3), ("rocker", 0.25)))
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(m.ground.at(0.3, 0), rocker.start)
    m.torque(rocker, -50.0)
    m.motor(crank, angle="60 deg", name="hand")
    m.want(rocker.angle, value="100 deg")
    torque = gr.kinematics(m, 1.0, times=2)["hand.torque"][0]
    centre = gr.linkage(m).centres()["crank", "rocker"].point
    return float(torque), 50.0 * centre[0] / (centre[0] - 0.3), 1e-9


def cylinder_force_of_a_boom_crane() -> Answer:
    """Moments about the pivot: F = W L cos θ / p, where p is the distance of the cylinder's line from the pivot."""
    theta = math.radians(40.0)
    m = gr.Mechanism("boom crane", gravity=(0, -G))
    end = (4.0 * math.cos(theta), 4.0 * math.sin(theta))
    boom = m.bar("boom", start=(0, 0), end=end, mass=120.0)
    load = m.body("load", mass=500.0, points={"hook": (0, 0)}, position=(end[0], end[1]))
    m.revolute(m.ground.at(0, 0), boom.start)
    m.revolute(boom.end, load.hook)
    pin = (1.5 * math.cos(theta), 1.5 * math.sin(theta))
    m.cylinder(m.ground.at(0.8, -0.4), boom.at(1.5, 0), length=math.hypot(pin[0] - 0.8, pin[1] + 0.4), name="lift")
    force = gr.equilibrium(m)["lift.force"]
    arm = abs(0.8 * (pin[1] + 0.4) + 0.4 * (pin[0] - 0.8)) / math.hypot(pin[0] - 0.8, pin[1] + 0.4)
    return force, (500.0 * 4.0 + 120.0 * 2.0) * G * math.cos(theta) / arm, 1e-9


def torque_of_a_short_shoe_brake() -> Answer:
    """A shoe on a lever presses on a turning drum: N = F L/(a − μ c), if friction helps (self-energising)."""
    mu, radius, a, c, length, force = 0.3, 0.2, 0.3, 0.1, 0.8, 100.0
    m = gr.Mechanism("shoe brake")
    drum = m.body("drum", mass=20.0, inertia=2.0, points={"O": (0, 0)})
    lever = m.bar("lever", start=(-a, radius + c), end=(length - a, radius + c), mass=0.1)
    m.revolute(m.ground.at(0, 0), drum.O)
    m.revolute(m.ground.at(-a, radius + c), lever.start)
    m.contact(drum.circle((0, 0), radius), lever.at(a, -c), stiffness=1e8, damping=1e8, mu=mu, name="shoe")
    m.force(lever.end, (0.0, -force))
    m.need(drum.angle, rate=50.0)
    run = gr.simulate(m, 0.2)
    slope = np.polyfit(run.t[-100:], run["drum.angle.rate"][-100:], 1)[0]
    return -2.0 * float(slope), mu * radius * force * length / (a - mu * c), 1e-2


def geneva_wheel_top_speed() -> Answer:
    """In the middle of a step a wheel with n slots turns sin(π/n)/(1 − sin(π/n)) times as fast as the driver."""
    n, distance = 6, 0.2
    r = distance * math.sin(math.pi / n)
    m = gr.Mechanism("Geneva drive")
    driver = m.bar("driver", length=r)
    wheel = m.body("wheel", points={"O": (0, 0)}, position=(distance, 0))
    m.revolute(m.ground.at(0, 0), driver.start)
    m.revolute(m.ground.at(distance, 0), wheel.O)
    m.pin_in_slot(wheel.line((0, 0), (-1, 0)), driver.end)
    m.motor(driver, speed=1.0)
    m.need(driver.angle, value=-0.5)
    run = gr.kinematics(m, 1.0, times=1001)
    s = math.sin(math.pi / n)
    return float(np.max(np.abs(run["wheel.angle.rate"]))), s / (1 - s), 1e-6


# -- as a lecturer


def acceleration_of_a_moving_pulley() -> Answer:
    """A weight hangs on a loose pulley, another one on the rope's end: a₂ = 2 a₁ = 2 g (2 m₂ − m₁)/(m₁ + 4 m₂)."""
    m = gr.Mechanism("block and tackle", gravity=(0, -G))
    block = m.body("block", mass=3.0, points={"hook": (0, 0)}, position=(0.5, -1.0))
    weight = m.body("weight", mass=2.0, points={"hook": (0, 0)}, position=(0.95, -1.0))
    m.prismatic(m.ground.at(0.5, -1.0), block.hook, axis=(0, 1))
    m.prismatic(m.ground.at(0.95, -1.0), weight.hook, axis=(0, 1))
    m.rope([m.ground.at(0.45, 0), block.hook, m.ground.at(0.75, 0), weight.hook], radii=(0, 0.05, -0.2, 0), name="rope")
    run = gr.simulate(m, 0.1)
    return float(run["weight.hook.y.acceleration"][0]), -2 * G * (2 * 2.0 - 3.0) / (3.0 + 4 * 2.0), 1e-3


def critically_damped_door() -> Answer:
    """A door closer: θ = θ₀ (1 + ω t) e^(−ω t); the angle after one second."""
    m = gr.Mechanism("door closer", gravity=(0, 0))
    door = m.bar("door", length=0.9, mass=20.0)
    inertia, omega = 20.0 * 0.9**2 / 3.0, 2.5
    m.revolute(m.ground.at(0, 0), door.start)
    m.torsion_spring(door, stiffness=inertia * omega**2, damping=2 * inertia * omega)
    m.need(door, value="80 deg", rate=0)
    run = gr.simulate(m, 1.0)
    return math.degrees(run["door.angle"][-1]), 80.0 * (1 + omega) * math.exp(-omega), 1e-6


def fluctuation_of_a_flywheel() -> Answer:
    """A torque T sin 2θ gives I (ω_max² − ω_min²)/2 = T: the area under one half wave."""
    m = gr.Mechanism("flywheel")
    wheel = m.body("wheel", mass=50.0, inertia=4.0, points={"O": (0, 0)})
    m.revolute(m.ground.at(0, 0), wheel.O)
    m.torque(wheel, "300*sin(2*wheel.angle)")
    m.need(wheel.angle, value=0.0, rate=40.0)
    found = gr.sweep(m, {"wheel.inertia": [4.0]}, 1.0, outputs=["max wheel.angle.rate", "min wheel.angle.rate"])
    fast, slow = found["max wheel.angle.rate"][0], found["min wheel.angle.rate"][0]
    return 4.0 * (fast**2 - slow**2) / 2, 300.0, 1e-5


# -- as a researcher


def couple_of_a_skew_disc() -> Answer:
    """A disc fixed askew (β) on a shaft: its bearing carries the couple (C − A) ω² sin β cos β."""
    beta, a, c, omega = math.radians(10.0), 0.05, 0.1, 60.0
    m = gr.Mechanism("skew disc", dimension=3)
    axes = [[math.cos(beta), 0, math.sin(beta)], [0, 1, 0], [-math.sin(beta), 0, math.cos(beta)]]
    rotor = m.body("rotor", mass=8.0, inertia=(a, a, c), axes=axes, points={"O": (0, 0, 0)})
    m.revolute(m.ground.at(0, 0, 0), rotor.O, axis=(0, 0, 1), name="bearing")
    spin = m.angle("spin", rotor, axis=(0, 0, 1))
    m.motor(spin, speed=omega)
    run = gr.simulate(m, 0.2)
    couple = np.hypot(run["bearing.mx"], run["bearing.my"])
    return float(np.max(couple)), (c - a) * omega**2 * math.sin(beta) * math.cos(beta), 1e-6


def error_of_a_steering_trapezoid() -> Answer:
    """Ackermann's trapezoid: its inner and outer angles by the closure of the four-bar, in closed form."""
    track, arm, inset = 1.4, 0.2, math.radians(20.0)
    tie = track - 2 * arm * math.sin(inset)
    m = gr.Mechanism("steering")
    left, right, rod = m.bar("left", length=arm), m.bar("right", length=arm), m.bar("rod", length=tie)
    m.revolute(m.ground.at(0, 0), left.start)
    m.revolute(m.ground.at(track, 0), right.start)
    m.revolute(left.end, rod.start)
    m.revolute(right.end, rod.end)
    m.motor(left, angle=f"{-math.pi / 2 + inset} + 0.5*t")
    m.want(right.angle, value=-math.pi / 2 - inset)
    run = gr.kinematics(m, 1.0)
    turned = run["right.angle"][-1] - run["right.angle"][0]
    # R₁ + R₂ cos + R₃ sin = 0 of the four-bar (Freudenstein), for the angle of the right arm
    x, y = arm * math.cos(-math.pi / 2 + inset + 0.5), arm * math.sin(-math.pi / 2 + inset + 0.5)
    dx, dy = track - x, -y
    k = (tie**2 - arm**2 - dx**2 - dy**2) / (2 * arm)
    angle = -math.acos(k / math.hypot(dx, dy)) + math.atan2(dy, dx)
    return float(turned), angle - (-math.pi / 2 - inset), 1e-9


TRIES = {
    name: value
    for name, value in list(globals().items())
    if callable(value) and not name.startswith("_") and getattr(value, "__module__", "") == __name__
}
