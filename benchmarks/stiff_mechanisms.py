"""Stiff mechanisms that people have: hard springs and dampers, bushings, stops, friction."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from benchmarks.robots import arm
from grashof import Mechanism


@dataclass(frozen=True)
class StiffProblem:
    """A mechanism, the time it is run, and values at the end that are known from elsewhere, by the name of a
    quantity."""

    title: str
    make: Callable[[], Mechanism]
    t_end: float = 10.0
    formulation: str = "auto"
    published: Mapping[str, float] = field(default_factory=dict)


def governor(harder: float = 1.0) -> Mechanism:
    """The flyball governor of the Library of Computational Benchmark Problems of IFToMM, whose springs and dampers are
    harder by a factor."""
    m = Mechanism("governor", gravity=(0, 0, -9.81))
    side, density = 0.01, 3000.0
    bar = density * side**2
    across, along = bar * (1.0 + side**2) / 12.0, bar * side**2 / 6.0
    shaft = m.body(
        "shaft",
        mass=bar,
        center=(0, 0, 0.5),
        inertia=(across, across, along),
        points={"o": (0, 0, 0), "left": (-0.05, 0, 1), "right": (0.05, 0, 1)},
        position=(0, 0, 0),
    )
    cube = density * 0.1**3
    slider = m.body(
        "slider",
        mass=cube,
        inertia=(cube * 0.1**2 / 6.0,) * 3,
        points={"c": (0, 0, 0), "left": (-0.05, 0, 0), "right": (0.05, 0, 0)},
        position=(0, 0, 0.5),
    )
    m.angle("spin", shaft, axis=(0, 0, 1))
    m.revolute(m.ground.at(0, 0, 0), shaft.o, axis=(0, 0, 1))
    m.prismatic(shaft.o, slider.c, axis=(0, 0, 1))
    mass = bar + 5.0
    center = (0.5 * bar + 5.0) / mass
    inertia = across + bar * (center - 0.5) ** 2 + 5.0 * (1.0 - center) ** 2
    for sign, name in ((1.0, "right"), (-1.0, "left")):
        turn = math.radians(30.0 if sign > 0.0 else 150.0) / 2.0
        rod = m.body(
            f"rod {name}",
            mass=mass,
            center=(center, 0, 0),
            inertia=(along, inertia, inertia),
            points={"hinge": (0, 0, 0), "middle": (0.5, 0, 0), "tip": (1, 0, 0)},
            position=(sign * 0.05, 0, 1),
            rotation=(math.cos(turn), 0, math.sin(turn), 0),
        )
        m.revolute(shaft.point(name), rod.hinge, axis=(0, 1, 0))
        m.spring(
            slider.point(name),
            rod.middle,
            stiffness=8e5 * harder,
            damping=4e4 * harder,
            length=0.5,
            name=f"spring {name}",
        )
    m.need("spin", value=0.0, rate=2.0 * math.pi)
    m.want("slider.c.z", rate=0.0)
    return m


def bushing(stiffness: float = 1e7, damping: float = 2e4) -> Mechanism:
    """A slider-crank with a bushing between crank and rod."""
    m = Mechanism("slider-crank on a bushing", gravity=(0, -9.81))
    crank = m.bar("crank", mass=1.0, start=(0, 0), end=(0.2, 0))
    rod = m.bar("rod", mass=0.5, start=(0.2, 0), end=(0.7, 0))
    m.revolute(m.ground.at(0, 0), crank.start)
    m.bushing(crank.end, rod.start, stiffness=stiffness, damping=damping, name="bushing")
    m.slider(m.ground.line((0, 0), (1, 0)), rod.end)
    m.torque(crank, "0.3 - 0.05*crank.angle.rate")
    m.need(crank.angle, value=0.3)
    return m


def stop(stiffness: float = 1e9) -> Mechanism:
    """A pendulum that falls on a compliant stop, bounces, and comes to rest there."""
    m = Mechanism("pendulum on a stop", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.stop(rod, lower=-0.5, stiffness=stiffness, damping=1.0, name="stop")
    m.need(rod.angle, value=0.5)
    return m


def friction(slip_speed: float = 1e-6) -> Mechanism:
    """A block on a spring that slides, sticks and slides, with friction that changes its sign within a small speed."""
    m = Mechanism("block with friction", gravity=(0, -9.81))
    block = m.body("block", mass=1.0, inertia=0.1, points={"c": (0, 0)})
    guide = m.prismatic(m.ground.at(0, 0), block.c, axis=(1, 0), name="guide")
    m.spring(m.ground.at(-2, 0), block.c, stiffness=100.0, length=2.0, name="spring")
    m.force(block.c, ("8*sin(2*t)", 0.0))
    m.friction(guide, coulomb=5.0, slip_speed=slip_speed)
    m.need("block.c.x", value=0.0)
    return m


def hunt_crossley(stiffness: float = 1e8) -> Mechanism:
    """A double pendulum whose first bar bounces on a stop after Hunt and Crossley, f = δ^1.5 (k + c δ̇)."""
    m = Mechanism("double pendulum on a stop", gravity=(0, -9.81))
    one, two = m.bar("one", length=1.0, mass=1.0), m.bar("two", length=0.7, mass=0.5)
    m.revolute(m.ground.at(0, 0), one.start)
    m.revolute(one.end, two.start)
    m.stop(one, lower=-1.7, stiffness=stiffness, damping=0.5, name="stop")
    m.need(one.angle, value=-0.5)
    m.need(two.angle, value=-1.0)
    return m


def rough_arm(count: int, slip_speed: float = 1e-3) -> Mechanism:
    """An arm of `benchmarks.robots` that falls, with friction in its joints that changes its sign within a small
    angular velocity."""
    m = arm(count)
    for joint in m.model.joints:
        m.friction(joint.name, coulomb=0.5, viscous=0.1, slip_speed=slip_speed)
    return m


def car_axis() -> Mechanism:
    """The car axis of the Test Set for Initial Value Problem Solvers (Mazzia, Magherini 2008), in SI units: ε = 0.01,
    M = 10, L = 1, L₀ = ½, g = 1."""
    m = Mechanism("car axis", gravity=(0, -1))
    road = m.body("road", mass=1.0, inertia=1.0, points={"o": (0, 0), "right": (1, 0)})
    axle = m.body("axle", mass=10.0, center=(0.5, 0), inertia=2.5, points={"left": (0, 0), "right": (1, 0)})
    m.revolute(m.ground.at(0, 0), road.o)
    m.motor(road, "asin(0.1*sin(10*t))")
    m.pin_in_slot(road.line((0, 0), (0, 1)), axle.left)
    m.spring(m.ground.at(0, 0), axle.left, stiffness=1e4, length=0.5, name="left")
    m.spring(road.right, axle.right, stiffness=1e4, length=0.5, name="right")
    m.need("axle.left.y", value=0.5, rate=0.0)
    m.need(axle.angle, value=0.0, rate=0.0)
    return m


PUBLISHED = {
    "axle.left.x": 0.0493455784275402809,
    "axle.left.y": 0.496989460230171154,
    "axle.right.x": 1.04174252488542152,
    "axle.right.y": 0.373911027265361257,
    "axle.left.x.rate": -0.0770583684040972,
    "axle.left.y.rate": 0.00744686658723779,
    "axle.right.x.rate": 0.0175568157537232,
    "axle.right.y.rate": 0.770341043779252,
}
"""The car axis after 3 s, from the report of the test set."""

PROBLEMS = (
    StiffProblem("governor", governor, formulation="relative"),
    StiffProblem("governor, K and C × 100", lambda: governor(1e2), formulation="relative"),
    StiffProblem("governor, K and C × 10,000", lambda: governor(1e4), formulation="relative"),
    StiffProblem("governor in natural coordinates", governor, formulation="natural"),
    StiffProblem("bushing, 1e7 N/m", bushing),
    StiffProblem("compliant stop, 1e9", stop),
    StiffProblem("friction, 1e-6 m/s", friction),
    StiffProblem("Hunt-Crossley stop, 1e8", hunt_crossley, 3.0),
    StiffProblem("arm of 7 with friction, 1e-3 rad/s", lambda: rough_arm(7), 3.0),
    StiffProblem("arm of 15 with friction, 1e-3 rad/s", lambda: rough_arm(15), 1.0),
    StiffProblem("car axis", car_axis, 3.0, published=PUBLISHED),
)
