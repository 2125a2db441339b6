"""Open trees to measure: arms, a quadruped and a humanoid."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from grashof import Mechanism
from grashof.model.handles import Point

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
GRAVITY = (0.0, 0.0, -9.81)


def arm(count: int) -> Mechanism:
    """An arm of bodies of 0.3 m in space with revolute joints about random axes, at rest: up to ten bodies form one
    chain, more form a tree with branches at random places."""
    rng = np.random.default_rng(3)
    m = Mechanism(f"arm of {count} bodies", gravity=GRAVITY)
    bodies: list[Any] = []
    ends, ways = [np.zeros(3)], [np.zeros(3)]
    for k in range(count):
        parent = k - 1
        if count > 10 and k >= 4:
            parent = k - 4 if k % 9 else int(rng.integers(0, k))
        way = _unit(rng.normal(size=3) + 1.5 * ways[parent + 1])
        body = m.body(
            f"link{k}",
            mass=1.0 + 0.2 * (k % 3),
            center=tuple(0.15 * way + 0.01 * rng.normal(size=3)),
            inertia=tuple(np.array([0.02, 0.025, 0.03]) * (1.0 + 0.1 * rng.random())),
            points={"start": (0.0, 0.0, 0.0), "end": tuple(0.3 * way)},
            position=tuple(ends[parent + 1]),
        )
        axis = rng.normal(size=3)
        m.revolute(
            m.ground.at(0, 0, 0) if parent < 0 else bodies[parent].end,
            body.start,
            axis=tuple(_unit(axis - 0.5 * way * (axis @ way))),
        )
        bodies.append(body)
        ends.append(ends[parent + 1] + 0.3 * way)
        ways.append(way)
    return m


def _unit(x: np.ndarray) -> np.ndarray:
    unit: np.ndarray = x / np.linalg.norm(x)
    return unit


class Robot:
    """A free trunk with limbs whose links hang on revolute joints, thrown with random velocities of its links."""

    def __init__(self, name: str, mass: float, size: tuple[float, float, float]) -> None:
        self.m = Mechanism(name, gravity=GRAVITY)
        self.rng = np.random.default_rng(8)
        self.trunk = self.m.body("trunk", mass=mass, inertia=_block(mass, size), points={"middle": (0.0, 0.0, 0.0)})
        self.links: list[str] = []

    def hang(self, name: str, place: Point, axis: tuple[float, ...], way: tuple[float, ...], mass: float) -> Point:
        """A link on a revolute joint at a place; returns its end."""
        reach = np.array(way)
        size = 0.06 + np.abs(reach)
        link = self.m.body(
            name,
            mass=mass,
            center=tuple(0.5 * reach),
            inertia=_block(mass, tuple(size)),
            points={"start": (0.0, 0.0, 0.0), "end": tuple(reach)},
        )
        self.m.revolute(place, link.start, axis=axis, name=f"{name} joint")
        self.links.append(name)
        end: Point = link.end
        return end

    def throw(self) -> Mechanism:
        """Gives the links their velocities."""
        for name in self.links:
            for x in "xyz":
                self.m.want(f"{name}.end.{x}", rate=float(self.rng.normal()))
        return self.m


def _block(mass: float, size: tuple[float, ...]) -> tuple[float, float, float]:
    x, y, z = (a * a for a in size)
    return mass / 12.0 * (y + z), mass / 12.0 * (x + z), mass / 12.0 * (x + y)


def quadruped() -> Mechanism:
    """A trunk and four legs of three bodies: 13 bodies, 18 degrees of freedom."""
    robot = Robot("quadruped", 20.0, (0.8, 0.3, 0.2))
    for number, (x, y) in enumerate([(0.3, 0.12), (0.3, -0.12), (-0.3, 0.12), (-0.3, -0.12)]):
        side = float(np.sign(y))
        place = robot.hang(f"hip{number}", robot.trunk.at(x, y, 0.0), X, (0.0, 0.08 * side, 0.0), 1.5)
        place = robot.hang(f"thigh{number}", place, Y, (-0.15, 0.0, -0.25), 2.0)
        robot.hang(f"shank{number}", place, Y, (0.12, 0.0, -0.28), 0.5)
    return robot.throw()


def humanoid() -> Mechanism:
    """A pelvis, a torso, a head, two arms and two legs of three bodies each: 15 bodies, 20 degrees of freedom."""
    robot = Robot("humanoid", 10.0, (0.2, 0.3, 0.15))
    neck = robot.hang("torso", robot.trunk.at(0.0, 0.0, 0.1), Z, (0.0, 0.0, 0.5), 25.0)
    robot.hang("head", neck, Y, (0.02, 0.0, 0.25), 5.0)
    for name, side in (("left", 1.0), ("right", -1.0)):
        place = robot.hang(f"{name} upper arm", neck, X, (0.0, 0.3 * side, -0.2), 2.5)
        place = robot.hang(f"{name} forearm", place, Y, (0.2, 0.0, -0.15), 1.5)
        robot.hang(f"{name} hand", place, Z, (0.1, 0.0, 0.0), 0.5)
        place = robot.hang(f"{name} thigh", robot.trunk.at(0.0, 0.1 * side, -0.05), X, (0.1, 0.0, -0.4), 8.0)
        place = robot.hang(f"{name} shank", place, Y, (-0.1, 0.0, -0.4), 4.0)
        robot.hang(f"{name} foot", place, Y, (0.15, 0.0, -0.05), 1.0)
    return robot.throw()


TREES: Mapping[str, Callable[[], Mechanism]] = {
    "arm of 7": lambda: arm(7),
    "arm of 30": lambda: arm(30),
    "arm of 100": lambda: arm(100),
    "quadruped": quadruped,
    "humanoid": humanoid,
}
