"""Motions of 100 to 10,000 turns whose closed forms, or periods by the energy integral, are known to all digits.

The tolerance applies to the whole run, so here a success with an error of more than ten tolerances is wrong. Rounding
errors of 1e-13 per radian are allowed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

import grashof as gr
from campaign.blocks import G, mass_on_slider, random_times, wheel, with_rate
from campaign.case import KnownMotion
from campaign.closed_forms import Bounces, Pendulum, SphericalPendulum, SymmetricTop, Top
from campaign.linkage_case import free
from campaign.structure import Array
from campaign.suite import Cases, Rng
from campaign.suites.near_misses import four_bar
from grashof.model.handles import Handle
from grashof.scalar.functions import Scalar

ROUNDING = 1e-13
"""Rounding error allowed per radian."""


MOST = 4.0
"""Logarithm of the largest number of turns."""


def _turns(rng: Rng, most: float) -> float:
    return float(10.0 ** rng.uniform(most - 2.0, most))


def turning(
    what: str, m: gr.Mechanism, times: Array, exact: Mapping[str, Array], scales: Mapping[str, float], pace: float
) -> KnownMotion:
    """A case of a motion that continues at this pace, rad/s; quantities without a scale are angles."""
    known = {name: scales.get(name, 1.0) for name in exact}
    return KnownMotion(what, lambda: m, times, exact, known, 1.0 / pace, floor=ROUNDING * (1.0 + pace * times))


def flywheel(rng: Rng, most: float = MOST) -> KnownMotion:
    rate, radius = float(10.0 ** rng.uniform(0.0, 3.0)), float(10.0 ** rng.uniform(-1.0, 1.0))
    start = float(rng.uniform(-3.0, 3.0))
    m, body = wheel(float(rng.uniform(0.1, 10.0)))
    body.at(radius, 0.0, name="rim")
    m.need(body.angle, value=start, rate=rate)
    times = random_times(rng, 2.0 * np.pi * _turns(rng, most) / rate)
    angle = start + rate * times
    exact = {"wheel.angle": angle, "wheel.rim.x": radius * np.cos(angle), "wheel.rim.y": radius * np.sin(angle)}
    exact["wheel.rim.x.rate"] = -radius * rate * np.sin(angle)
    scales = {"wheel.rim.x": radius, "wheel.rim.y": radius, "wheel.rim.x.rate": radius * rate}
    return turning(f"{rate:.3g} rad/s", m, times, exact, scales, rate)


def pendulum(rng: Rng, most: float = MOST) -> KnownMotion:
    """A slender bar, or a bar with a disc, that swings or goes round."""
    length, mass = float(10.0 ** rng.uniform(-1.0, 1.0)), float(rng.uniform(0.1, 10.0))
    frequency = float(np.sqrt(1.5 * G / length))
    if rng.random() < 0.6:
        motion = Pendulum(frequency, rest=float(rng.choice([-1, 1]) * rng.uniform(0.05, 2.9)))
        pace, speed = frequency, 2.0 * frequency * abs(np.sin(0.5 * motion.rest))
    else:
        motion = Pendulum(frequency, rate=float(rng.choice([-1, 1]) * frequency * rng.uniform(2.1, 10.0)))
        pace = speed = abs(motion.rate)
    m = gr.Mechanism("pendulum", gravity=(0, -G))
    rod = m.bar("rod", length=length, mass=mass)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=motion.rest - 0.5 * np.pi, rate=motion.rate)
    times = random_times(rng, 2.0 * np.pi * _turns(rng, most) / pace)
    angle, rate = motion.at(times)
    exact = with_rate("rod.angle", angle - 0.5 * np.pi, rate)
    exact["rod.end.x"], exact["rod.end.y"] = length * np.sin(angle), -length * np.cos(angle)
    scales = {"rod.end.x": length, "rod.end.y": length, "rod.angle.rate": speed}
    return turning("swings" if motion.rate == 0.0 else "goes round", m, times, exact, scales, pace)


def spherical_pendulum(rng: Rng, most: float = MOST) -> KnownMotion:
    length = float(10.0 ** rng.uniform(-1.0, 1.0))
    frequency = float(np.sqrt(1.5 * G / length))
    motion = SphericalPendulum(frequency, float(np.cos(rng.uniform(0.8, 2.9))), frequency * rng.uniform(0.3, 3.0))
    m, _ = spherical_bar(length, motion, float(rng.uniform(0.1, 10.0)))
    times = random_times(rng, motion.period * 0.5 * _turns(rng, most))
    exact, scales = tip_of(motion, length, times)
    return turning(f"least radius {motion.least:.2g}", m, times, exact, scales, max(frequency, motion.speed))


def spherical_bar(length: float, motion: SphericalPendulum, mass: float) -> tuple[gr.Mechanism, Handle]:
    """The pendulum as a slender bar on a ball joint, hung in the plane y = 0 and thrown along y."""
    m = gr.Mechanism("spherical pendulum", gravity=(0, 0, -G))
    radius = float(np.sqrt(1.0 - motion.height**2))
    bar = m.bar("bar", length=length, start=(0, 0, 0), end=(length * radius, 0, length * motion.height), mass=mass)
    m.spherical(m.ground.at(0, 0, 0), bar.start)
    m.need("bar.end.x", rate=0.0)
    m.need("bar.end.y", rate=length * motion.speed)
    return m, bar


def tip_of(motion: SphericalPendulum, length: float, times: Array) -> tuple[dict[str, Array], dict[str, float]]:
    """The end of the bar, and the scales of its coordinates."""
    place, velocity, _ = motion.at(times)
    speed = length * float(np.max(np.linalg.norm(velocity, axis=-1)))
    exact: dict[str, Array] = {}
    scales: dict[str, float] = {}
    for k, axis in enumerate("xyz"):
        exact |= with_rate(f"bar.end.{axis}", length * place[:, k], length * velocity[:, k])
        scales |= {f"bar.end.{axis}": length, f"bar.end.{axis}.rate": speed}
    return exact, scales


def top(rng: Rng, most: float = MOST, *, symmetric: bool) -> KnownMotion:
    """A body held at its centre of mass, with no torque."""
    scale = float(10.0 ** rng.uniform(-2.0, 1.0))
    moments = np.sort(rng.uniform(0.3, 1.0, 3))  # ∫x², ∫y², ∫z² dm, from which the largest gives the least inertia
    if symmetric:
        moments[1] = moments[2]
    inertia = scale * (moments.sum() - moments[::-1])
    rate = float(10.0 ** rng.uniform(0.0, 3.0))
    one, two, three = (float(x) for x in inertia)
    third = rate * float(rng.choice([-1.0, 1.0]))
    limit = 1.5 if symmetric else min(1.5, np.sqrt(three * (three - two) / (one * (two - one))))
    kind = SymmetricTop if symmetric else Top
    motion = kind((one, two, three), rate * float(rng.uniform(0.1, 0.9) * limit), third)
    times = random_times(rng, 2.0 * np.pi * _turns(rng, most) / rate)
    attitude, spin = motion.attitude(times), motion.spin(times)
    m = gr.Mechanism("top", dimension=3)
    points: dict[str, Sequence[float]] = {"o": (0, 0, 0), "p": (1, 0, 0), "q": (0, 1, 0)}
    body = m.body("top", mass=1.0, inertia=(one, two, three), points=points, position=(0, 0, 0))
    m.spherical(m.ground.at(0, 0, 0), body.o)
    for quantity, need in (("top.p.y", third), ("top.p.z", 0.0), ("top.q.z", motion.first)):
        m.need(quantity, rate=need)
    exact: dict[str, Array] = {}
    scales: dict[str, float] = {}
    speed = float(np.max(np.linalg.norm(spin, axis=-1)))
    for point, own in (("p", np.array([1.0, 0.0, 0.0])), ("q", np.array([0.0, 1.0, 0.0]))):
        place, velocity = attitude @ own, np.einsum("kij,kj->ki", attitude, np.cross(spin, own))
        for k, axis in enumerate("xyz"):
            exact |= with_rate(f"top.{point}.{axis}", place[:, k], velocity[:, k])
            scales[f"top.{point}.{axis}.rate"] = speed
    return turning(f"{rate:.3g} rad/s", m, times, exact, scales, speed)


def bouncing_ball(rng: Rng) -> KnownMotion:
    """A ball on a slider between two elastic walls."""
    wall, speed, mass = (
        float(rng.uniform(0.1, 2.0)),
        float(10.0 ** rng.uniform(-1.0, 1.0)),
        float(rng.uniform(0.1, 10.0)),
    )
    flight = 2.0 * wall / speed
    frequency = float(np.pi / (flight * 10.0 ** rng.uniform(-2.0, 0.5)))
    motion, stiffness = Bounces(wall, speed, frequency), mass * frequency**2
    m, ball = mass_on_slider(mass)

    def walls(t: Scalar, x: list[list[Scalar]], v: list[list[Scalar]]) -> list[list[Scalar]]:
        ((place, _),) = x
        return [[stiffness * (gr.maximum(-place - wall, 0.0) - gr.maximum(place - wall, 0.0)), 0.0]]

    m.user_force(walls, [ball.p], name="walls")
    m.need("ball.p.x", value=0.0, rate=speed)
    times = random_times(rng, motion.period * 0.5 * float(10.0 ** rng.uniform(2.0, 3.5)))
    place, velocity = motion.at(times)
    deepest = wall + speed / frequency
    return turning(
        f"contact {np.pi / frequency / flight:.2g} of a flight",
        m,
        times,
        with_rate("ball.p.x", place, velocity),
        {"ball.p.x": deepest, "ball.p.x.rate": speed},
        frequency,
    )


def oscillator(rng: Rng, most: float = MOST) -> KnownMotion:
    """A mass on a spring, or a wheel on a torsion spring."""
    frequency, size = float(10.0 ** rng.uniform(-0.5, 2.5)), float(rng.uniform(0.1, 2.0))
    inertia, phase = float(rng.uniform(0.1, 10.0)), float(rng.uniform(-np.pi, np.pi))
    stiffness = inertia * frequency**2
    times = random_times(rng, 2.0 * np.pi * _turns(rng, most) / frequency)
    place, rate = size * np.cos(phase + frequency * times), -size * frequency * np.sin(phase + frequency * times)
    start, speed = size * float(np.cos(phase)), -size * frequency * float(np.sin(phase))
    if rng.random() < 0.5:
        m, ball = mass_on_slider(inertia)
        length = size * float(rng.uniform(1.2, 3.0))
        m.spring(m.ground.at(-length, 0), ball.p, stiffness=stiffness, length=length)
        name, what = "ball.p.x", "mass on a spring"
    else:
        m, body = wheel(inertia)
        m.torsion_spring(body, stiffness=stiffness)
        name, what = "wheel.angle", "wheel on a spring"
    m.need(name, value=start, rate=speed)
    exact = with_rate(name, place, rate)
    return turning(what, m, times, exact, {name: size, f"{name}.rate": size * frequency}, frequency)


def free_four_bar(rng: Rng) -> KnownMotion:
    """A four-bar well away from singular positions, whose period is the energy integral's."""
    linkage = four_bar(rng, space=bool(rng.random() < 0.3), margins=(-0.7, 0.0))
    start = float(rng.uniform(0.0, 2.0 * np.pi))
    (inertia,), (here,) = linkage.landscape(np.array([start]))
    _, _, potential = linkage.survey
    energy = float(potential.max() + 10.0 ** rng.uniform(-0.5, 2.0) * np.ptp(potential))
    rate = float(rng.choice([-1.0, 1.0]) * np.sqrt(2.0 * (energy - here) / inertia))
    times = random_times(rng, 2.0 * np.pi * float(10.0 ** rng.uniform(2.0, 3.5)) / abs(rate))
    return replace(free(linkage, start, rate, times), growth=1.0, floor=ROUNDING * (1.0 + abs(rate) * times))


SUITE = Cases(
    "long-runs",
    {
        "flywheels": (1, flywheel),
        "pendulums": (2, pendulum),
        "spherical pendulums": (2, spherical_pendulum),
        "symmetric tops": (1, lambda rng: top(rng, symmetric=True)),
        "tops": (1, lambda rng: top(rng, symmetric=False)),
        "balls between walls": (1, bouncing_ball),
        "oscillators": (1, oscillator),
        "four-bars": (1, free_four_bar),
    },
    factor=10.0,
)
