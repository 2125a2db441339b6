"""Rigid contacts with friction in loops and chains, on tables that move, and of wheels with the links of loops.

Contacts are corners and circles against lines, circles and the insides of circles, with restitution and friction drawn
at random, beside one further feature of `pairs` or a sampled controller. Each mechanism is described twice, for the
engine and in maximal coordinates (`rough.py`); motions are compared, and the sequences of events decide which can be
judged: a slightly perturbed start must not change them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

import grashof as gr
from campaign.blocks import G, random_times
from campaign.case import KnownMotion
from campaign.energy_integral import NotJudged
from campaign.maximal import Motor, Place
from campaign.outlines import Outline
from campaign.rough import RoughPlane
from campaign.structure import Array
from campaign.suite import Cases, Rng
from campaign.suites.pairs import (
    FEATURES,
    MOST_APART,
    OFF,
    Link,
    Twin,
    five_bar,
    four_bar,
    pendulums,
    slider_crank,
)

Base = Callable[[Rng, Twin], None]

BESIDE = [name for name in FEATURES if name not in ("rubbing_by_reaction", "rigid_stop", "event")]
"""The features that the judge allows beside contacts."""


def _twin() -> tuple[Twin, RoughPlane]:
    plane = RoughPlane(G)
    twin = Twin(False, gr.Mechanism("rough contacts", gravity=(0.0, -G)), plane)
    twin.jumps = True
    return twin, plane


def sampled(rng: Rng, twin: Twin, plane: RoughPlane) -> str:
    """A sampled controller of an angle."""
    pinned = [turner for turner in twin.turners if turner.joint]
    link = pinned[int(rng.integers(len(pinned)))].link
    kp, ki, kd = float(rng.uniform(1.0, 30.0)), float(rng.uniform(0.0, 10.0)), float(rng.uniform(0.0, 2.0))
    period, target = float(10.0 ** rng.uniform(-2.3, -0.7)), float(rng.uniform(-2.0, 2.0))
    limit = float(rng.uniform(5.0, 40.0))
    twin.m.controller(twin.angle_of(link), target=target, kp=kp, ki=ki, kd=kd, every=period, limit=limit)
    k, held, integral = link.turn, [0.0], [0.0]

    def sample(count: int, q: Array, v: Array) -> None:
        if count == 0:
            integral[0] = 0.0
        miss = target - float(q[k])
        effort = kp * miss + ki * integral[0] - kd * float(v[k])
        held[0] = float(np.clip(effort, -limit, limit))
        if not (abs(effort) > limit and miss * effort > 0.0):
            integral[0] += period * miss

    def load(t: float, q: Array, v: Array, e: Array, force: Array) -> None:
        force[k] += held[0]

    plane.samplers.append((period, sample))
    plane.loads.append(load)
    return f"sampled every {period:.3f}"


def _beside(rng: Rng, twin: Twin, plane: RoughPlane) -> str:
    name = str(rng.choice([*BESIDE, "sampled"]))
    return sampled(rng, twin, plane) if name == "sampled" else FEATURES[name](rng, twin)


def _surface(rng: Rng) -> tuple[float, float]:
    """Restitution and coefficient of friction."""
    restitution = float(rng.choice([0.0, 0.0, rng.uniform(0.2, 0.9)]))
    return restitution, float(rng.choice([0.0, rng.uniform(0.05, 0.9), rng.uniform(0.05, 0.9)]))


def _obstacle(rng: Rng, twin: Twin, plane: RoughPlane, tip: tuple[Link, Place]) -> str:
    """A line, a circle or the inside of a circle on the ground, near the end of a link."""
    link, place = tip
    x, y, _, _ = place.at(np.array(plane.start))
    (restitution, mu), name = _surface(rng), f"contact {len(plane.contacts)}"
    facing, gap = float(rng.uniform(-np.pi, np.pi)), float(rng.uniform(0.02, 0.4))
    normal = np.array([np.cos(facing), np.sin(facing)])
    small = float(rng.choice([0.0, rng.uniform(0.02, 0.2)]))
    law = str(rng.choice(["newton", "newton", "poisson"]))
    tipped = link.handle.circle((link.length, 0.0), small) if small else link.handle.point("e")
    kind = str(rng.choice(["line", "line", "circle", "ring"]))
    how = {"restitution": restitution, "mu": mu, "impact": law, "name": name}
    foot, along, radius = np.array([x, y]) - (gap + small) * normal, None, 0.0
    if kind == "line":
        along = (float(normal[1]), -float(normal[0]))
        twin.m.contact(twin.m.ground.line(tuple(foot), tuple(foot + along)), tipped, **how)  # type: ignore[arg-type]
    else:
        radius = float(rng.uniform(0.05, 1.0)) + (2.0 * small + gap if kind == "ring" else 0.0)
        foot += radius * normal if kind == "ring" else -radius * normal
        ring = twin.m.ground.circle(tuple(foot), radius)
        twin.m.contact(ring, tipped, inside=kind == "ring", **how)  # type: ignore[arg-type]
    fixed = Place(None, *foot.tolist())
    plane.contacts.append(
        Outline(fixed, place, along, radius, small, kind == "ring", restitution, mu, law == "poisson")
    )
    return f"{kind} e {restitution:.2f} μ {mu:.2f} {law}"


def _loop(base: Base, obstacles: int) -> Callable[[Rng], KnownMotion]:
    def draw(rng: Rng) -> KnownMotion:
        twin, plane = _twin()
        base(rng, twin)
        assert twin.tip is not None
        tips = [(twin.tip[0], twin.tip[2]), *((turner.link, turner.link.end) for turner in twin.turners)]
        order = rng.permutation(len(tips))[:obstacles]
        what = [_obstacle(rng, twin, plane, tips[k]) for k in order]
        what.append(_beside(rng, twin, plane))
        return _judged(rng, twin, plane, ", ".join(what), _rates(rng, twin, 6.0))

    return draw


def _rates(rng: Rng, twin: Twin, fastest: float) -> dict[int, float]:
    """Rates of the freedoms of a base, which are made needs."""
    known: dict[int, float] = {}
    for turner in twin.turners[: twin.freedoms]:
        k = turner.link.turn
        if k not in twin.driven:
            known[k] = float(rng.uniform(-fastest, fastest))
            twin.m.need(twin.angle_of(turner.link), value=twin.plane.start[k], rate=known[k])
    return known


def _place(twin: Twin, link: Link, rates: tuple[float, float, float]) -> dict[int, float]:
    """Needs for the position and the velocity of a free body."""
    known = {3 * link.number + j: rate for j, rate in enumerate(rates)}
    for k, name in zip(known, (f"{link.name}.o.x", f"{link.name}.o.y", f"{link.name}.angle"), strict=True):
        twin.m.need(name, value=twin.plane.start[k], rate=known[k])
        twin.names[name] = k
    return known


def wheel_on_link(rng: Rng) -> KnownMotion:
    """A wheel falls on a link of a loop or of a chain, or rolls on it."""
    twin, plane = _twin()
    base = (four_bar, slider_crank, five_bar, pendulums)[int(rng.integers(4))]
    base(rng, twin)
    link = twin.turners[int(rng.integers(len(twin.turners)))].link
    q, radius = np.array(plane.start), float(rng.uniform(0.05, 0.2))
    angle, up = float(q[link.turn]), 1.0
    normal = np.array([-np.sin(angle), np.cos(angle)])
    if normal[1] < 0.0:
        normal, up = -normal, -1.0
    along = float(rng.uniform(-0.3, 0.3)) * link.length * np.array([np.cos(angle), np.sin(angle)])
    place = q[link.turn - 2 : link.turn] + along + (radius + float(rng.uniform(0.0, 0.2))) * normal
    mass = float(rng.uniform(0.1, 1.0))
    wheel = twin.link(
        "wheel", float(place[0]), float(place[1]), 0.0, mass, mass * radius**2 * float(rng.uniform(0.3, 1.0)), 0.0
    )
    (restitution, mu), ends = _surface(rng), [(0.0, 0.0), (link.length, 0.0)]
    line = link.handle.line(*(ends if up > 0.0 else ends[::-1]))
    twin.m.contact(line, wheel.handle.circle((0.0, 0.0), radius), restitution=restitution, mu=mu, name="tread")
    plane.contacts.append(
        Outline(Place(link.number, 0.0, 0.0), wheel.start, (up, 0.0), 0.0, radius, False, restitution, mu)
    )
    what = f"wheel e {restitution:.2f} μ {mu:.2f}, {_beside(rng, twin, plane)}"
    known = _rates(rng, twin, 2.0)
    x, y, turn = rng.uniform(-1.0, 1.0, size=3).tolist()
    return _judged(rng, twin, plane, what, known | _place(twin, wheel, (x, y, 3.0 * turn)))


def block_on_table(rng: Rng) -> KnownMotion:
    """A block stands on a table that is shaken, and slips, sticks, tips and falls back."""
    twin, plane = _twin()
    sideways = bool(rng.random() < 0.6)
    pace, phase = float(rng.uniform(2.0, 12.0)), float(rng.uniform(0.0, 6.0))
    swing = float(rng.uniform(0.02, 0.3)) if sideways else float(rng.uniform(0.3, 1.3)) * G / pace**2
    table = twin.slide("table", 0.0, 0.0, 2.0, along_x=sideways)
    k = 3 * table.number + (0 if sideways else 1)
    law = f"{swing!r}*(sin({pace!r}*t + {phase!r}) - {float(np.sin(phase))!r})"
    twin.m.motor(f"table.o.{'x' if sideways else 'y'}", position=law)

    def moved(t: float) -> tuple[float, float, float]:
        s, c = float(np.sin(pace * t + phase)), float(np.cos(pace * t + phase))
        return swing * (s - float(np.sin(phase))), swing * pace * c, -swing * pace**2 * s

    plane.rows.append(Motor(k, moved))
    half, height, mass = float(rng.uniform(0.05, 0.4)), float(rng.uniform(0.05, 0.8)), float(rng.uniform(0.3, 3.0))
    inertia = mass * (half**2 + height**2) / 3.0 * float(rng.uniform(0.5, 1.5))
    block = twin.link("block", 0.0, height, 0.0, mass, inertia, 0.0)
    mu, top = float(rng.uniform(0.05, 1.2)), table.handle.line((0.0, 0.0), (1.0, 0.0))
    for name, x in (("left", -half), ("right", half)):
        corner = block.handle.at(x, -height, name=name)
        twin.m.contact(top, corner, restitution=0.0, mu=mu, name=name)
        plane.contacts.append(Outline(table.start, Place(block.number, x, -height), (1.0, 0.0), restitution=0.0, mu=mu))
    rate = swing * pace * float(np.cos(phase))
    slip = float(rng.uniform(-2.0, 2.0))
    known = _place(twin, block, (slip + (rate if sideways else 0.0), 0.0 if sideways else rate, 0.0))
    what = f"block {half / height:.2f} μ {mu:.2f} {'shaken' if sideways else 'lifted'}"
    return _judged(rng, twin, plane, what, known | {k: rate}, [3 * block.number])


def _judged(
    rng: Rng, twin: Twin, plane: RoughPlane, what: str, known: dict[int, float], changed: Sequence[int] = ()
) -> KnownMotion:
    """The case, if a slightly perturbed start leads to the same events and to a motion nearby.

    changed   the rates that are perturbed, all of them unless given
    """
    q = np.array(plane.start)
    v = plane.velocities(0.0, q, known)
    times = random_times(rng, float(rng.uniform(0.4, 1.8)))
    places, speeds, _ = plane.motion(q, v, times)
    happened = plane.happened
    beside = {k: rate + (OFF if k in (changed or known) else 0.0) for k, rate in known.items()}
    near, *_ = plane.motion(q, plane.velocities(0.0, q, beside), times)
    if plane.happened != happened:
        raise NotJudged("other events happen to its neighbour")
    pace = 1.0 + float(np.max(np.abs(speeds)))
    apart = np.max(np.abs(near - places), axis=1) / OFF
    growth = np.maximum.accumulate(np.maximum(1.0, apart / (1.0 + pace * times)))
    if growth[-1] > MOST_APART:
        raise NotJudged("neighbouring motions part")
    exact = {name: places[:, k] for name, k in twin.names.items()}
    scales: dict[str, float | Array] = dict.fromkeys(exact, 1.0)
    floor = 1e-8 * (1.0 + pace * times)
    return KnownMotion(what, lambda: twin.m, times, exact, scales, 1.0 / pace, growth=growth, floor=floor)


SUITE = Cases(
    "rough-contacts",
    {
        "four-bars": (2, _loop(four_bar, 1)),
        "slider-cranks": (1, _loop(slider_crank, 2)),
        "five-bars": (2, _loop(five_bar, 2)),
        "double pendulums": (2, _loop(pendulums, 2)),
        "wheels on links": (2, wheel_on_link),
        "blocks on tables": (2, block_on_table),
    },
)
