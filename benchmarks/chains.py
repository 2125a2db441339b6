"""Chains in space, with links of 1 m and 1 kg along a helix, at rest, to measure how cost grows with the size of
spatial mechanisms."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from grashof import Mechanism
from grashof.model.handles import Handle, Point

GRAVITY = (0.0, 0.0, -9.81)


def pendulums(count: int) -> Mechanism:
    """Slender bars connected by ball joints."""
    m = Mechanism(f"{count} spherical pendulums", gravity=GRAVITY)
    places = _helix(count)
    links = [m.bar(f"link{k}", mass=1.0, start=places[k], end=places[k + 1]) for k in range(count)]
    for before, link in _pairs(m, links):
        m.spherical(before, link.start)
    return m


def revolutes(count: int) -> Mechanism:
    """Slender bars connected by pins whose axes are alternately along y and z."""
    m = Mechanism(f"{count} bars with crossed pins", gravity=GRAVITY)
    places = _helix(count)
    links = [m.bar(f"link{k}", mass=1.0, start=places[k], end=places[k + 1]) for k in range(count)]
    for k, (before, link) in enumerate(_pairs(m, links)):
        m.revolute(before, link.start, axis=((0, 1, 0), (0, 0, 1))[k % 2])
    return m


def ring(count: int) -> Mechanism:
    """Bodies with ball joints between two points of the ground: a closed chain. They spin, each with its own
    inertia."""
    m = Mechanism(f"ring of {count} bodies", gravity=GRAVITY)
    places = _helix(count)
    links = []
    for k in range(count):
        along = places[k + 1] - places[k]
        points: dict[str, Sequence[float]] = {"start": (0.0, 0.0, 0.0), "end": tuple(along)}
        center = 0.5 * along + (0.0, 0.0, 0.1)
        inertia = (0.08, 0.09 + 0.01 * (k % 3), 0.1)
        links.append(m.body(f"link{k}", mass=1.0, center=center, inertia=inertia, points=points, position=places[k]))
    for before, link in _pairs(m, links):
        m.spherical(before, link.start)
    m.spherical(links[-1].end, m.ground.at(*places[-1]))
    return m


def _helix(count: int) -> np.ndarray:
    """Corners of a line of unit steps around the x axis."""
    angles = 0.9 * np.arange(count)
    steps = np.array([np.ones(count), 0.6 * np.sin(angles), 0.6 * np.cos(angles)]).T
    return np.vstack([np.zeros(3), np.cumsum(steps / np.linalg.norm(steps, axis=1, keepdims=True), axis=0)])


def _pairs(m: Mechanism, links: list[Handle]) -> list[tuple[Point, Handle]]:
    """Each link, and the point from which it hangs."""
    return list(zip([m.ground.at(0, 0, 0), *(link.end for link in links)], links, strict=False))


def planar_chain(count: int) -> Mechanism:
    """Bars in the plane, connected by pins, which hang on the ground and start horizontally."""
    m = Mechanism(f"planar chain of {count} bars", gravity=(0.0, -9.81))
    before = m.ground.at(0.0, 0.0)
    for k in range(count):
        bar = m.bar(f"bar{k}", length=0.3, mass=1.0)
        m.revolute(before, bar.start)
        m.need(bar.angle, value=0.0)
        before = bar.end
    return m


def gear_train(count: int) -> Mechanism:
    """Wheels on pins in a line, each of which meshes with the next; the first is driven, and a spring turns the last
    one back."""
    m = Mechanism(f"gear train of {count} wheels")
    wheels = [m.body(f"wheel{k}", mass=1.0, inertia=0.02 * (1 + k % 2), position=(k, 0)) for k in range(count)]
    for k, wheel in enumerate(wheels):
        m.revolute(m.ground.at(k, 0), wheel.at(0, 0), name=f"pin{k}")
    for k, (one, other) in enumerate(pairwise(wheels)):
        m.gear(one, other, teeth=((20, 31), (31, 20))[k % 2], name=f"mesh{k}")
    m.torque(wheels[0], "5*sin(3*t)")
    m.torsion_spring(wheels[-1].angle, stiffness=2.0, name="spring")
    m.need(wheels[0].angle, value=0.0, rate=20.0)
    return m
