"""Random trees of turns and slides with couplings, motors and rigid stops, described twice: for the engine and in the
coordinates of their joints (`joint_coordinates.py`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

import grashof as gr
from campaign.blocks import random_times
from campaign.case import KnownMotion
from campaign.energy_integral import NotJudged
from campaign.joint_coordinates import Along, Distance, Limb, Row, Spot, Stop, Sum, Tree
from campaign.maximal import Profile
from campaign.structure import Array
from campaign.suite import Rng
from grashof.model.handles import Handle

OFF = 1e-7
"""Perturbation of the start of the neighbouring motion."""

MOST_APART = 1e3
"""Mechanisms whose neighbouring motions diverge by more than this are drawn again."""

INERTED = 0.3
"""The fraction of joints with an inerter."""


@dataclass
class TiedTree:
    """A tree in both descriptions.

    names   the measures of the joints, which are zero at the start
    tied    the joints whose motion follows from that of others, or from a motor
    """

    m: gr.Mechanism
    tree: Tree
    space: bool
    handles: list[Handle] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    tied: set[int] = field(default_factory=set)

    def vector(self, values: Array) -> tuple[float, ...]:
        """In the dimension of the mechanism."""
        return tuple(float(x) for x in values[: 3 if self.space else 2])


def draw_tree(rng: Rng, space: bool, bodies: int) -> TiedTree:
    """A tree in the position in which all its bodies have the axes of the ground."""
    gravity = rng.normal(size=3) * 4.0 * np.array([1.0, 1.0, 1.0 if space else 0.0])
    found = TiedTree(gr.Mechanism("tied tree", gravity=gravity[: 3 if space else 2]), Tree(gravity), space)
    for k in range(bodies):
        _add_limb(rng, found, k)
    spot = Spot(bodies - 1, _far(found.tree, bodies - 1))
    hook, stiffness = rng.normal(size=3) * np.array([1.0, 1.0, 1.0 if space else 0.0]), float(rng.uniform(1.0, 20.0))
    found.m.spring(found.m.ground.at(*found.vector(hook)), found.handles[-1].far, stiffness=stiffness, length=0.0)
    found.tree.springs.append((spot, hook, stiffness))
    return found


def _far(tree: Tree, k: int) -> Array:
    limb = tree.limbs[k]
    return np.asarray(2.0 * limb.center - limb.anchor)


def _add_limb(rng: Rng, found: TiedTree, k: int) -> None:
    flat = np.array([1.0, 1.0, 1.0 if found.space else 0.0])
    parent = None if k == 0 else int(rng.integers(max(0, k - 2), k))
    turns = bool(rng.random() < 0.7)
    anchor = rng.normal(size=3) * 0.5 * flat if parent is None else _far(found.tree, parent)
    axis = np.array([0.0, 0.0, 1.0]) if turns and not found.space else rng.normal(size=3) * flat
    axis = axis / np.sqrt(axis @ axis)
    center = anchor + rng.normal(size=3) * 0.3 * flat
    mass, drag = float(rng.uniform(0.5, 2.0)), float(rng.choice([0.0, 0.3]))
    inertance = float(rng.uniform(0.05, 0.5)) if rng.random() < INERTED else 0.0
    if found.space:
        a = rng.normal(size=(3, 3)) * 0.2
        second = a @ a.T + 0.02 * np.eye(3)
        inertia = np.trace(second) * np.eye(3) - second
        given: object = [float(inertia[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]
    else:
        given = float(rng.uniform(0.05, 0.4))
        inertia = np.diag([0.0, 0.0, given])
    limb = Limb(parent, turns, axis, anchor, mass, center, inertia, drag, inertance)
    found.tree.limbs.append(limb)
    body = found.m.body(
        f"b{k}",
        mass=mass,
        center=found.vector(center - anchor),
        inertia=given,  # type: ignore[arg-type]
        points={"near": found.vector(0.0 * anchor), "far": found.vector(2.0 * (center - anchor))},
        position=found.vector(anchor),
    )
    base = found.m.ground if parent is None else found.handles[parent]
    there = found.m.ground.at(*found.vector(anchor)) if parent is None else base.far
    ends = (there, body.near) if rng.random() < 0.5 else (body.near, there)
    name = f"j{k}"
    if turns:
        about = tuple(axis) if found.space else None
        found.m.revolute(*ends, axis=about)
        found.m.angle(name, body, reference=None if parent is None else base, axis=about)
        found.m.torque(name, f"-{drag!r}*{name}.rate")
    else:
        found.m.prismatic(*ends, axis=found.vector(axis))
        found.m.coordinate(name, body.near, found.vector(axis), origin=there)
        found.m.pull(name, f"-{drag!r}*{name}.rate")
    if inertance:
        found.m.inerter(name, inertance)
    found.handles.append(body)
    found.names.append(name)


# -- ties


def couple(rng: Rng, found: TiedTree) -> str:
    """A sum with constant factors, or a joint that follows a wave of another one."""
    i = _untied(rng, found)
    k = int(rng.choice([k for k in range(len(found.names)) if k != i]))
    factor, wave, size = (float(x) for x in rng.uniform([0.3, 0.5, 0.05], [2.5, 2.0, 0.4]))
    if rng.random() < 0.5:
        found.m.coupling({found.names[i]: 1.0, found.names[k]: -factor})
        found.tree.rows.append(Sum({i: 1.0, k: -factor}))
        what = "sum"
    else:
        found.m.coupling(f"{found.names[i]} - {factor!r}*{found.names[k]} - {size!r}*sin({wave!r}*{found.names[k]})")

        def profile(x: float) -> tuple[float, float, float]:
            s, c = np.sin(wave * x), np.cos(wave * x)
            return factor * x + size * s, factor + size * wave * c, -size * wave * wave * s

        found.tree.rows.append(Sum({i: 1.0}, k, profile))
        what = "wave"
    found.tied.add(i)
    return what


def _law(rng: Rng) -> tuple[str, Profile]:
    """A function of time that begins at zero."""
    size, pace = (float(x) for x in rng.uniform([0.05, 0.5], [0.3, 5.0]))

    def law(t: float) -> tuple[float, float, float]:
        s, c = np.sin(pace * t), np.cos(pace * t)
        return size * s, size * pace * c, -size * pace * pace * s

    return f"{size!r}*sin({pace!r}*t)", law


def drive(rng: Rng, found: TiedTree) -> str:
    """A motor on a joint."""
    k = _untied(rng, found)
    text, law = _law(rng)
    found.m.motor(found.names[k], text)
    found.tree.rows.append(Sum({k: 1.0}, law=law))
    found.tied.add(k)
    return "motor"


def guide(rng: Rng, found: TiedTree) -> str:
    """A motor on a coordinate of a point."""
    last = len(found.names) - 1
    if last in found.tied or len(found.tied) + 1 >= len(found.names):
        raise NotJudged("nothing would remain to be simulated")
    axis, place = int(rng.integers(3 if found.space else 2)), _far(found.tree, last)
    text, law = _law(rng)
    begin = float(place[axis])

    def target(t: float) -> tuple[float, float, float]:
        value, speed, acceleration = law(t)
        return begin + value, speed, acceleration

    found.m.motor(f"b{last}.far.{'xyz'[axis]}", position=f"{begin!r} + {text}")
    found.tree.rows.append(Along(Spot(last, place), np.eye(3)[axis], target))
    found.tied.add(last)
    return "guided point"


def _untied(rng: Rng, found: TiedTree) -> int:
    free = [k for k in range(len(found.names)) if k not in found.tied]
    if len(free) < 2:
        raise NotJudged("nothing would remain to be simulated")
    return int(rng.choice(free))


# -- stops


def limit(rng: Rng, found: TiedTree) -> str:
    """A rigid stop on a joint, on a coordinate of a point, or on the distance of a point from the ground."""
    kind, e = str(rng.choice(["joint", "coordinate", "distance"])), float(rng.uniform(0.3, 1.0))
    k, gap = int(rng.integers(len(found.names))), float(rng.uniform(0.05, 0.5))
    spot, sign = Spot(k, _far(found.tree, k)), float(rng.choice([-1.0, 1.0]))
    row: Row
    if kind == "joint":
        name, row, begin = found.names[k], Sum({k: 1.0}), 0.0
    elif kind == "coordinate":
        name, row, begin = f"b{k}.far.y", Along(spot, np.eye(3)[1]), float(spot.place[1])
    else:
        origin = np.zeros(3)
        name, row = f"reach{k}", Distance(spot, origin)
        found.m.separation(name, found.m.ground.at(*found.vector(origin)), found.handles[k].far)
        begin = float(np.sqrt(spot.place @ spot.place))
        if begin < 0.3 or begin - gap < 0.1:
            raise NotJudged("too near to the origin")
    place = begin - sign * gap
    found.m.stop(
        name,
        restitution=e,
        lower=place if sign > 0.0 else None,
        upper=place if sign < 0.0 else None,
        name=f"stop {len(found.tree.stops)}",
    )
    found.tree.stops.append(Stop(row, sign, place, e))
    return f"stop on a {kind}"


TIES: dict[str, tuple[Callable[[Rng, TiedTree], str], ...]] = {
    "couplings": (couple,),
    "motors": (drive,),
    "guided points": (guide,),
    "rigid stops": (limit,),
    "couplings and stops": (couple, limit),
    "motors and couplings": (drive, couple),
}


def draw_tied_tree(rng: Rng, space: bool, ties: str) -> tuple[gr.Mechanism, KnownMotion]:
    """A mechanism and its motion."""
    found = draw_tree(rng, space, int(rng.integers(3, 6)))
    words = [kind(rng, found) for kind in TIES[ties]]
    if len(found.names) > 4 and ties != "guided points":
        words.append(TIES[ties][0](rng, found))
    n = len(found.names)
    known: dict[int, float] = {}
    for k in range(n):
        if k not in found.tied:
            known[k] = float(rng.uniform(-3.0, 3.0))
            found.m.need(found.names[k], value=0.0, rate=known[k])
    tree, q = found.tree, np.zeros(n)
    v = tree.velocities(0.0, q, known)
    times = random_times(rng, float(rng.uniform(0.3, 1.2)))
    places, speeds, hits = tree.motion(q, v, times)
    _, jacobian, _, _ = tree.system(0.0, q, v, tree.poses(q, v))
    ways = np.linalg.svd(jacobian)[2] if len(jacobian) else np.eye(n)
    near, _, others = tree.motion(q, v + OFF * ways[-1], times)
    if hits != others:
        raise NotJudged("the number of impacts depends on the last digits")
    pace = 1.0 + float(np.max(np.abs(speeds)))
    growth = np.maximum.accumulate(np.maximum(1.0, np.max(np.abs(near - places), axis=1) / OFF / (1.0 + pace * times)))
    if growth[-1] > MOST_APART:
        raise NotJudged("neighbouring motions part")
    exact, scales = {}, {}
    for k, name in enumerate(found.names):
        exact[name], scales[name] = places[:, k], 1.0
        if not tree.stops:
            exact[f"{name}.rate"], scales[f"{name}.rate"] = speeds[:, k], pace
    what = f"{n} bodies, {', '.join(words)}, {hits} impacts"
    floor = 1e-9 * (1.0 + pace * times)
    return found.m, KnownMotion(what, lambda: found.m, times, exact, scales, 1.0 / pace, growth=growth, floor=floor)
