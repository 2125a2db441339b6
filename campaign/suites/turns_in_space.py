"""Angles in space, including whole turns, of bodies that pass near the pole of the angle.

An angle about an axis is that of a direction's projection onto the plane perpendicular to the axis. Where the direction
passes the axis at a distance ρ, the angle changes by half a turn within about ρ of the time of a turn. The correct
angle is tracked continuously, at times so close together that no step exceeds a quarter of a turn. An error of position
divided by ρ is an error of the angle, so angle errors are multiplied by ρ before they are judged; where the pole is
passed nearer than ten times the error of the run's points, the side is undetermined, and whole turns are not compared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from scipy.interpolate import CubicSpline

import grashof as gr
from campaign.blocks import G, random_times
from campaign.case import KnownMotion
from campaign.chain import Chain
from campaign.closed_forms import SphericalPendulum, SymmetricTop, Top
from campaign.energy_integral import NotJudged
from campaign.engine import inertia_of, point_name
from campaign.matter import lump
from campaign.structure import Array, Solid
from campaign.suite import Cases, Rng
from campaign.suites.long_runs import spherical_bar, tip_of
from campaign.truth import ORDINARY
from grashof.model.mechanism import Mechanism

FINEST = 400_000
"""Largest number of times at which an angle is tracked."""

QUARTER = 0.5 * np.pi

UNJUDGED = 1e-6
"""Fraction of the length: a pole that is passed nearer than this is too near for any tolerance."""


def followed(shadow: Callable[[Array], Array], times: Array) -> tuple[Array, Array, float]:
    """The angle of a plane vector from t = 0 on, including whole turns; its length at the times, and its least
    length."""
    count = 2000
    while count <= FINEST:
        t = np.union1d(np.linspace(0.0, times[-1], count), times)
        x, y = shadow(t).T
        raw = np.arctan2(y, x)
        steps = np.diff(raw)
        steps -= 2.0 * np.pi * np.round(steps / (2.0 * np.pi))
        if np.max(np.abs(steps)) < QUARTER:
            angle = raw[0] + np.concatenate([[0.0], np.cumsum(steps)])
            at = np.searchsorted(t, times)
            rho = np.hypot(x, y)
            return angle[at], rho[at], float(rho.min())
        count *= 4
    raise NotJudged("the pole is passed too near for the angle to be followed")


def with_turns(case: KnownMotion, name: str, angle: Array, rho: Array, least: float) -> KnownMotion:
    """The case with an angle added."""
    if least < UNJUDGED:
        raise NotJudged("the pole is passed too near")
    return replace(
        case,
        exact=dict(case.exact) | {name: angle},
        scales=dict(case.scales) | {name: 1.0 / rho},
        poles=dict(case.poles) | {name: least},
        refused=lambda words: "is not defined" in words,
    )


def spherical_pendulum(rng: Rng) -> KnownMotion:
    """A spherical pendulum released sideways, level or inclined, and its azimuth."""
    length = float(10.0 ** rng.uniform(-1.0, 1.0))
    frequency = float(np.sqrt(1.5 * G / length))
    height = 0.0 if rng.random() < 0.5 else float(np.cos(rng.uniform(0.3, 2.8)))
    sideways = float(rng.choice([-1, 1])) * frequency * float(10.0 ** rng.uniform(-4.0, 0.5))
    motion = SphericalPendulum(frequency, height, sideways)
    times = random_times(rng, motion.period * float(rng.uniform(1.0, 12.0)))
    mass = float(rng.uniform(0.1, 10.0))

    def describe() -> Mechanism:
        m, bar = spherical_bar(length, motion, mass)
        m.angle("azimuth", bar, axis=(0, 0, 1))
        return m

    exact, scales = tip_of(motion, length, times)
    case = KnownMotion(
        f"least radius {motion.least:.1e}", describe, times, exact, scales, 1.0 / max(frequency, abs(motion.speed))
    )
    place, _, phi = motion.at(times)
    return with_turns(case, "azimuth", phi, np.hypot(place[:, 0], place[:, 1]), motion.least)


def free_top(rng: Rng) -> KnownMotion:
    """A torque-free body, and the angle of one of its directions about a random axis."""
    moments = np.sort(rng.uniform(0.3, 1.0, 3))
    symmetric = bool(rng.random() < 0.3)
    if symmetric:
        moments[1] = moments[2]
    one, two, three = (float(x) for x in moments.sum() - moments[::-1])
    rate = float(10.0 ** rng.uniform(-0.5, 1.0))
    limit = 1.5 if symmetric else min(1.5, np.sqrt(three * (three - two) / (one * (two - one))))
    kind = SymmetricTop if symmetric else Top
    motion = kind((one, two, three), rate * float(rng.uniform(0.1, 0.9) * limit), rate)
    times = random_times(rng, 2.0 * np.pi / rate * float(rng.uniform(1.0, 15.0)))
    axis, own = _measured(rng)

    def describe() -> Mechanism:
        m = gr.Mechanism("top", dimension=3)
        body = m.body(
            "top",
            mass=1.0,
            inertia=(one, two, three),
            points={"o": (0.0, 0.0, 0.0), "p": (1.0, 0.0, 0.0), "q": (0.0, 1.0, 0.0)},
            position=(0.0, 0.0, 0.0),
        )
        m.spherical(m.ground.at(0, 0, 0), body.o)
        for quantity, need in (("top.p.y", motion.third), ("top.p.z", 0.0), ("top.q.z", motion.first)):
            m.need(quantity, rate=need)
        m.angle("turn", body, axis=tuple(axis), direction=tuple(own))
        return m

    attitude = motion.attitude(times)
    exact = {f"top.{point}.{x}": attitude[:, k, j] for j, point in enumerate("pq") for k, x in enumerate("xyz")}
    angle, rho, least = followed(lambda t: _shadow(motion.attitude(t), axis, own), times)
    case = KnownMotion(f"least radius {least:.1e}", describe, times, exact, dict.fromkeys(exact, 1.0), 1.0 / rate)
    return with_turns(case, "turn", angle, rho, least)


def _across(rng: Rng) -> tuple[Array, Array]:
    """A random axis, and a direction perpendicular to it."""
    axis, own = rng.normal(size=(2, 3))
    axis /= np.linalg.norm(axis)
    own -= axis * (axis @ own)
    return axis, own / np.linalg.norm(own)


def _measured(rng: Rng) -> tuple[Array, Array]:
    """A random axis, and a direction perpendicular or inclined to it."""
    axis, across = _across(rng)
    lean = 0.0 if rng.random() < 0.5 else float(rng.uniform(-1.2, 1.2))
    return axis, np.cos(lean) * across + np.sin(lean) * axis


def _shadow(attitude: Array, axis: Array, own: Array) -> Array:
    """A direction of the body projected along the axis, relative to that at the start: (k, 2)."""
    zero = own - axis * (axis @ own)
    zero /= np.linalg.norm(zero)
    there = attitude @ own
    return np.stack([there @ zero, there @ np.cross(axis, zero)], axis=-1)


def universal_chain(rng: Rng) -> KnownMotion:
    """One or two bodies on universal joints with an initial velocity, and the angle of each about a random axis."""
    count, size = int(rng.integers(1, 3)), float(10.0 ** rng.uniform(-0.5, 0.5))
    chain = Chain([_body(rng, k, size) for k in range(count)], [_across(rng) for _ in range(count)], _down(rng))
    pace = float(np.sqrt(G / size))
    rates = pace * rng.normal(scale=1.5, size=2 * count)
    times = random_times(rng, float(rng.uniform(3.0, 8.0)) / pace)
    nudge = 1e-6
    dense = np.union1d(np.linspace(0.0, times[-1], 4000), times)
    path = chain.moving(rates, dense)
    neighbour = chain.moving(rates * (1.0 + nudge), times)
    at = np.searchsorted(dense, times)
    places = _ends(chain, path[at])
    parted = np.max(np.linalg.norm(places - _ends(chain, neighbour), axis=-1), axis=-1) / (size * nudge)
    growth = np.maximum(1.0, np.maximum.accumulate(parted) / ORDINARY)
    measured = [_measured(rng) for _ in range(count)]

    def describe() -> Mechanism:
        m = gr.Mechanism("universal joints", gravity=tuple(chain.gravity))
        before, socket, foot = None, m.ground.at(0, 0, 0), np.zeros(3)
        for k, (solid, (a, b), (axis, own)) in enumerate(zip(chain.solids, chain.arms, measured, strict=True)):
            body = m.body(
                solid.name,
                mass=solid.mass,
                center=tuple(solid.center),
                inertia=inertia_of(solid),
                points={point_name(solid, i): tuple(x) for i, x in enumerate(solid.watched)},
                position=tuple(foot),
            )
            m.universal(socket, body.start, axis_a=tuple(a), axis_b=tuple(b))
            for arm, direction, rate in (("a", a, rates[2 * k]), ("b", b, rates[2 * k + 1])):
                m.angle(f"{arm}{k}", body, reference=before, axis=tuple(direction), direction=tuple(np.cross(a, b)))
                m.need(f"{arm}{k}", rate=float(rate))
            m.angle(f"turn{k}", body, axis=tuple(axis), direction=tuple(own))
            before, socket, foot = body, body.end, foot + solid.pins["end"]
        return m

    exact = {f"{s.name}.end.{x}": places[:, k, i] for k, s in enumerate(chain.solids) for i, x in enumerate("xyz")}
    case = KnownMotion(f"{count} bodies", describe, times, exact, dict.fromkeys(exact, size), 1.0 / pace, growth)
    attitudes = chain.attitudes(path)
    for k, (axis, own) in enumerate(measured):
        angle, rho, least = followed(CubicSpline(dense, _shadow(attitudes[:, k], axis, own)), times)
        case = with_turns(case, f"turn{k}", angle, rho, least)
    return case


def _body(rng: Rng, k: int, size: float) -> Solid:
    end = rng.normal(size=3)
    pins = {"start": np.zeros(3), "end": size * end / np.linalg.norm(end)}
    return lump(rng, f"body{k}", pins, rng.uniform(0.2, 2.0), size)


def _down(rng: Rng) -> Array:
    down = rng.normal(size=3)
    result: Array = G * down / np.linalg.norm(down)
    return result


def _ends(chain: Chain, q: Array) -> Array:
    """The ends of the bodies, (k, bodies, 3)."""
    found = []
    for x in q:
        origins, turns, _, _ = chain.poses(x)
        found.append([o + r @ solid.pins["end"] for o, r, solid in zip(origins, turns, chain.solids, strict=True)])
    return np.array(found)


SUITE = Cases(
    "turns-in-space",
    {
        "spherical pendulums": (3, spherical_pendulum),
        "tops": (2, free_top),
        "universal joints": (2, universal_chain),
    },
)
