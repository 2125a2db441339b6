"""Mechanisms for live pages."""

from __future__ import annotations

import math

import numpy as np

from grashof.model.mechanism import Mechanism


def slider_crank() -> Mechanism:
    """A motor turns the crank; its radius is a parameter."""
    m = Mechanism("slider crank", gravity=(0, -9.81))
    r = m.parameter("r", "80 mm", bounds=("60 mm", "200 mm"))
    crank = m.bar("crank", length=r, mass=1.0)
    rod = m.bar("rod", length=0.25, mass=0.5)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0, 0), (1, 0)), rod.end)
    m.motor(crank, speed=12.0, name="motor")
    m.need(crank.angle, value=0.3)
    return m


def sprung_four_bar() -> Mechanism:
    """A four-bar with a spring and a damper."""
    m = Mechanism("sprung four-bar", gravity=(0, -9.81))
    crank, rod, rocker = (m.bar(n, length=l, mass=l) for n, l in (("crank", 0.3), ("rod", 1.0), ("rocker", 0.8)))
    m.revolute(m.ground.at(0, 0, name="A"), crank.start)
    m.revolute(crank.end, rod.start)
    m.revolute(rod.end, rocker.end)
    m.revolute(m.ground.at(0.9, 0, name="B"), rocker.start)
    m.spring(rod.end, m.ground.at(0.5, 1.5, name="C"), stiffness=20.0, length=0.5, damping=0.1, name="spring")
    m.need(crank.angle, value=0.4, rate=3.0)
    return m


def four_bar() -> Mechanism:
    """A crank whose rod cannot reach for some lengths."""
    m = Mechanism("four-bar", gravity=(0, -9.81))
    a = m.parameter("a", "0.3 m", bounds=("0.1 m", "3 m"))
    crank = m.bar("crank", length=a, mass=0.4)
    rod = m.bar("rod", length=1.0, mass=1.0)
    rocker = m.bar("rocker", length=0.8, mass=0.7)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.revolute(rod.end, rocker.end)
    m.revolute(m.ground.at(0.9, 0), rocker.start)
    m.need(crank.angle, value=0.4, rate=3.0)
    return m


def spherical_pendulum() -> Mechanism:
    """A bar on a ball joint, thrown sideways."""
    m = Mechanism("spherical pendulum", gravity=(0, 0, -9.81))
    rod = m.bar("rod", start=(0, 0, 0), end=(0.6, 0, -0.8), mass=2.0)
    m.spherical(m.ground.at(0, 0, 0), rod.start)
    m.need("rod.end.x", value=0.6, rate=0.0)
    m.need("rod.end.y", value=0.0, rate=1.5)
    return m


def spinning_top() -> Mechanism:
    """A top whose angular velocity is given in its own axes, and can be changed."""
    m = Mechanism("top", gravity=(0, 0, -9.81))
    points = {"tip": (0, 0, 0), "apex": (0, 0, 0.15)}
    top = m.body("top", mass=0.5, center=(0, 0, 0.1), inertia=(0.002, 0.002, 0.001), points=points)
    m.spherical(m.ground.at(0, 0, 0), top.tip)
    m.guess(top, (0, 0, 0), rotation=(math.cos(0.15), math.sin(0.15), 0, 0))
    m.need(top, angular_velocity=(0.5, 0, 60), axes="body")
    return m


def random_chain(seed: int) -> Mechanism:
    """A chain of two to four bars in the plane, with springs to the ground, from anywhere."""
    rng = np.random.default_rng(seed)
    m = Mechanism(f"chain {seed}", gravity=(0, -9.81))
    last, place = m.ground.at(0, 0), np.zeros(2)
    for k in range(int(rng.integers(2, 5))):
        length, angle = float(rng.uniform(0.2, 1.0)), float(rng.uniform(-math.pi, math.pi))
        end = place + length * np.array([math.cos(angle), math.sin(angle)])
        bar = m.bar(f"b{k}", start=tuple(place), end=tuple(end), mass=float(rng.uniform(0.2, 2.0)))
        m.revolute(last, bar.start)
        m.need(bar.angle, value=angle, rate=float(rng.uniform(-2, 2)))
        anchor = m.ground.at(*(2 * rng.normal(size=2)))
        m.spring(bar.end, anchor, stiffness=float(rng.uniform(1, 60)), length=0.4, damping=float(rng.uniform(0, 1)))
        last, place = bar.end, end
    return m


def robot_arm(links: int, pull: tuple[str, ...] = ()) -> Mechanism:
    """An arm in space whose joints turn about slanted axes, with a motor of given speed at its base.

    pull   a force at its end
    """
    rng = np.random.default_rng(links)
    m = Mechanism(f"arm of {links} links", gravity=(0, 0, -9.81))
    before, axis = m.ground.at(0, 0, 0), (0.0, 0.0, 1.0)
    for k in range(links):
        link = m.body(
            f"link{k}", mass=2.0 / (k + 2), inertia=(0.01, 0.012, 0.008), points={"a": (0, 0, 0), "b": (0.3, 0, 0)}
        )
        m.revolute(before, link.a, axis=axis)
        if k == 0:
            m.motor(m.angle("heading", link, axis=axis), speed=1.5, name="base")
        before, axis = link.b, tuple(rng.normal(size=3).tolist())
    if pull:
        m.force(before, pull)
    return m


def random_four_bar(seed: int) -> Mechanism:
    """A closed loop with lengths drawn so that the crank turns all the way, started anywhere."""
    rng = np.random.default_rng(seed)
    m = Mechanism(f"loop {seed}", gravity=(0, -9.81))
    crank, ground = float(rng.uniform(0.1, 0.3)), float(rng.uniform(0.8, 1.0))
    rod, rocker = (float(rng.uniform(0.7, 1.0)) for _ in range(2))
    bars = [
        m.bar(n, length=l, mass=float(rng.uniform(0.3, 2))) for n, l in zip("abc", (crank, rod, rocker), strict=True)
    ]
    m.revolute(m.ground.at(0, 0), bars[0].start)
    m.revolute(bars[0].end, bars[1].start)
    m.revolute(bars[1].end, bars[2].end)
    m.revolute(m.ground.at(ground, 0), bars[2].start)
    m.need(bars[0].angle, value=float(rng.uniform(-3, 3)), rate=float(rng.uniform(-6, 6)))
    m.torque(bars[0], "0.4 - 0.1*a.angle.rate")
    return m


def pulsed_pendulum() -> Mechanism:
    """A pendulum that gets a short push at 0.5 s, and another one at 1.2 s."""
    m = Mechanism("pushed pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.torque(rod, "where(t - 0.5, where(0.501 - t, 400, 0), 0) + where(t - 1.2, where(1.25 - t, 5, 0), 0)")
    m.need(rod.angle, value=-1.5707963267948966)
    return m


def stopped_pendulum() -> Mechanism:
    """A pendulum between compliant stops, with Coulomb friction."""
    m = Mechanism("stopped pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    pin = m.revolute(m.ground.at(0, 0), rod.start)
    m.friction(pin, coulomb=0.05)
    m.stop("rod.angle", lower=-2.2, upper=-0.9, stiffness=2000.0)
    m.need(rod.angle, value=-1.5707963267948966, rate=4.0)
    return m


def arm_before_a_peg(radius: float, angle: float, stiffness: float = 1e8) -> Mechanism:
    """The end of an arm of 1 m moves at 1 m/s towards a thin round peg at this angle."""
    m = Mechanism("arm before a peg")
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=0.0, rate=1.0)
    m.separation("gap", rod.end, m.ground.at(math.cos(angle), math.sin(angle), name="peg"))
    m.stop("gap", lower=radius, stiffness=stiffness, name="peg")
    return m


def rubbing_crank() -> Mechanism:
    """Friction in proportion to the reactions of a guide and of a pin."""
    m = Mechanism("rubbing crank", gravity=(0, -9.81))
    crank, rod = m.bar("crank", length=0.2, mass=1.0), m.bar("rod", length=0.5, mass=0.5)
    piston = m.body("piston", mass=1.0, inertia=1e-3)
    pin = m.revolute(m.ground.at(0, 0), crank.start, name="pin")
    m.revolute(crank.end, rod.start)
    m.revolute(rod.end, piston.at(0, 0))
    guide = m.prismatic(m.ground.at(0, 0), piston.at(0, 0), axis=(1, 0), name="guide")
    m.friction(guide, mu=0.15, name="rub")
    m.friction(pin, mu=0.2, radius=0.01, name="wear")
    m.torque(crank, 2.0)
    m.need(crank.angle, value=0.3, rate=5.0)
    return m


def change_point_four_bar() -> Mechanism:
    """A kite: crank and ground of one length, rod and rocker of another; the position with the crank on the ground
    is singular."""
    m = Mechanism("kite", gravity=(0, -9.81))
    crank = m.bar("crank", length=0.5, mass=1.0)
    rod = m.bar("rod", length=1.0, mass=1.0)
    rocker = m.bar("rocker", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.revolute(rod.end, rocker.end)
    m.revolute(m.ground.at(0.5, 0), rocker.start)
    m.need(crank.angle, value=1.0, rate=6.0)
    return m


def rssr() -> Mechanism:
    """A crank and a rocker in space, whose axes are askew, with a rod on ball joints between them; a torque turns
    the crank."""
    m = Mechanism("RSSR", gravity=(0, 0, -9.81))
    crank = m.body("crank", mass=1.0, inertia=(0.01, 0.01, 0.02), center=(0.1, 0, 0))
    rod = m.bar("rod", length=1.0, mass=0.6)
    rocker = m.body("rocker", mass=0.8, inertia=(0.02, 0.02, 0.02), center=(0, 0.3, 0))
    m.revolute(m.ground.at(0, 0, 0), crank.at(0, 0, 0), axis=(0, 0, 1))
    m.spherical(crank.at(0.2, 0, 0), rod.start)
    m.spherical(rod.end, rocker.at(0, 0.6, 0))
    m.revolute(m.ground.at(0.9, 0.2, -0.1), rocker.at(0, 0, 0), axis=(1, 0, 0))
    m.torque(m.angle("turn", crank, axis=(0, 0, 1)), 0.5)
    return m


def coin() -> Mechanism:
    """A leaning coin that rolls on a plane; its start is given completely."""
    m = Mechanism("coin", gravity=(0, 0, -9.81))
    body = m.body("coin", mass=1.3, inertia=(0.022, 0.0406, 0.022))
    m.guess(body, (0, 0, 0.25), rotation=(math.cos(0.2), math.sin(0.2), 0, 0))
    m.rolling_wheel(
        m.ground.at(0, 0, 0),
        body.at(0, 0, 0, name="o"),
        radius=0.25,
        axis=(0, math.cos(0.4), math.sin(0.4)),
        name="roll",
    )
    body.at(0, 1, 0, name="axis")
    body.at(1, 0, 0, name="rim")
    for name, value in (("o.x", 0.0), ("o.y", 0.0), ("axis.x", 0.0), ("axis.y", math.cos(0.4)), ("rim.y", 0.0)):
        m.need(f"coin.{name}", value=value)
    m.need(body, angular_velocity=(0.7, -6.0, 0.5))
    return m
