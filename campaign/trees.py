"""Random trees with every kind of joint, in the plane and in space, hung from either side, with many forces and
events."""

from __future__ import annotations

from typing import Literal

import numpy as np

import grashof as gr
from grashof.geometry.poses import poses_at
from grashof.model.handles import Handle, Point
from grashof.model.rotations import rotation_matrix

SPATIAL = ("revolute", "prismatic", "cylindrical", "spherical", "universal", "planar", "weld", "point_on_line", "free")
PLANAR = ("revolute", "prismatic", "slider", "weld", "free")


def random_tree(
    seed: int,
    dimension: int,
    bodies: int = 6,
    forces: bool = True,
    *,
    moving: bool = False,
    events: Literal["none", "stops", "switches"] = "none",
    loops: int = 0,
    links: int = 0,
    rubbing: bool = False,
) -> gr.Mechanism:
    """A tree whose first joint is of the kind `seed` modulo the number of kinds, so that all of them occur.

    moving   whether it has velocities at the start
    events   compliant stops and events that change nothing; or also a spring that is switched off
    loops    how many further joints close loops, as far as the tree remains movable
    links    how many bars, most of them without mass, close loops
    rubbing  whether joints rub in proportion to the forces that they transmit
    """
    rng = np.random.default_rng(seed)
    kinds = SPATIAL if dimension == 3 else PLANAR
    m = gr.Mechanism(f"tree {seed}", gravity=tuple(rng.normal(size=dimension) * 5.0))
    points: list[Point] = [m.ground.at(*rng.normal(size=dimension))]
    made: list[Handle] = []
    for k in range(bodies):
        kind = kinds[seed % len(kinds)] if k == 0 else str(rng.choice(kinds))
        made.append(random_body(m, rng, k, dimension))
        base = points[int(rng.integers(len(points)))]
        _join(m, rng, kind, base, made[-1].near, dimension)
        points += [made[-1].far, made[-1].side]
    if loops or links:
        _close_loops(m, rng, made, loops, links)
    if forces:
        _load(m, rng, made, points, dimension)
    if rubbing:
        _rub(m, rng, dimension)
    if moving:
        _set_in_motion(m, rng, made, dimension)
    if events != "none":
        _happen(m, rng, made, dimension, switch=events == "switches")
    return m


def random_body(m: gr.Mechanism, rng: np.random.Generator, k: int, dimension: int) -> Handle:
    """A body with random mass properties and the points near, far and side, at a random guess."""
    places = {name: tuple(rng.normal(size=dimension) * 0.5) for name in ("near", "far", "side")}
    center = tuple(rng.normal(size=dimension) * 0.2)
    if dimension == 2:
        inertia: float | tuple[float, ...] = float(rng.uniform(0.05, 0.5))
    else:
        a = rng.normal(size=(3, 3)) * 0.2
        second = a @ a.T + 0.02 * np.eye(3)
        i = np.trace(second) * np.eye(3) - second
        inertia = tuple(float(x) for x in (i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2]))
    turn = {"angle": float(rng.uniform(-3, 3))} if dimension == 2 else {"rotation": tuple(rng.normal(size=4))}
    body = m.body(f"b{k}", mass=float(rng.uniform(0.5, 2.0)), center=center, inertia=inertia, points=places)
    m.guess(body, position=tuple(rng.normal(size=dimension)), **turn)
    return body


def _join(m: gr.Mechanism, rng: np.random.Generator, kind: str, a: Point, b: Point, dimension: int) -> None:
    if kind == "free":
        return
    axis = tuple(rng.normal(size=dimension))
    if rng.random() < 0.5 and kind != "slider":
        a, b = b, a
    if kind == "slider":
        m.slider(m.ground.line((0.1, 0.2), tuple(x + y for x, y in zip((0.1, 0.2), axis, strict=True))), b)
    elif kind == "universal":
        second = np.cross(axis, rng.normal(size=3))
        m.universal(a, b, axis_a=axis, axis_b=tuple(second))
    elif kind == "planar":
        m.planar(a, b, normal=axis)
    elif kind in ("spherical", "weld") or (kind == "revolute" and dimension == 2):
        getattr(m, kind)(a, b)
    else:
        getattr(m, kind)(a, b, axis=axis)


CLOSING = {
    2: {"revolute": 2, "distance": 1, "pin_in_slot": 1},
    3: {"spherical": 3, "universal": 4, "revolute": 5, "distance": 1, "cylindrical": 4},
}
"""Joints that close loops, by the dimension, and the numbers of their equations."""


def _close_loops(m: gr.Mechanism, rng: np.random.Generator, made: list[Handle], loops: int, links: int) -> None:
    """Joins bodies where they are, with joints of random kinds at random places, and with bars between two pins or
    ball joints."""
    program, dimension = gr.build(m, formulation="natural"), m.dimension
    poses = poses_at(program.system, program.assembly.q)
    for body, pose in zip(made, poses.values(), strict=True):
        turn = {"angle": pose.angle} if dimension == 2 else {"rotation": pose.rotation}
        m.guess(body, position=pose.position, **turn)

    def local(k: int, place: np.ndarray) -> list[float]:
        """A place in the axes of body k; 0 is the ground."""
        if k == 0:
            return [float(x) for x in place]
        pose = list(poses.values())[k - 1]
        c, s = np.cos(pose.angle), np.sin(pose.angle)
        turn = np.array([[c, -s], [s, c]]) if dimension == 2 else rotation_matrix(pose.rotation)
        return [float(x) for x in turn.T @ (place - np.array(pose.position))]

    left, bodies = program.freedom - 1, [m.ground, *made]
    for _ in range(loops):
        kind = str(rng.choice(list(CLOSING[dimension])))
        a, b = (int(k) for k in rng.choice(len(bodies), size=2, replace=False))
        place, axis, way = (rng.normal(size=dimension) * 0.5 for _ in range(3))
        if CLOSING[dimension][kind] > left:
            continue
        left -= CLOSING[dimension][kind]
        one, other = bodies[a].at(*local(a, place)), bodies[b].at(*local(b, place))
        if kind == "distance":
            m.distance(one, bodies[b].at(*local(b, place + way)), float(np.linalg.norm(way)))
        elif kind == "pin_in_slot":
            m.pin_in_slot(bodies[a].line(tuple(local(a, place)), tuple(local(a, place + way))), other)
        elif kind == "universal":
            m.universal(one, other, axis_a=tuple(axis), axis_b=tuple(np.cross(axis, way)))
        elif kind == "spherical" or dimension == 2:
            getattr(m, kind)(one, other)
        else:
            getattr(m, kind)(one, other, axis=tuple(axis))
    for number in range(min(links, left)):
        a, b = (int(k) for k in rng.choice(len(bodies), size=2, replace=False))
        place, way = (rng.normal(size=dimension) * 0.5 for _ in range(2))
        mass = float(rng.choice([0.0, 0.0, 0.7]))
        bar = m.bar(f"link{number}", length=float(np.linalg.norm(way)), mass=mass)
        # in space, a bar that begins along x is turned about the axis across both directions
        along = way / np.linalg.norm(way)
        if dimension == 2:
            m.guess(bar, position=tuple(place), angle=float(np.arctan2(way[1], way[0])))
        else:
            m.guess(bar, position=tuple(place), rotation=_turn_to(along))
        pin = m.revolute if dimension == 2 else m.spherical
        ends = [(bodies[a].at(*local(a, place)), bar.start), (bodies[b].at(*local(b, place + way)), bar.end)]
        for one, other in ends if rng.random() < 0.5 else ends[::-1]:
            pin(one, other)


def _turn_to(along: np.ndarray) -> tuple[float, ...]:
    """A quaternion that turns the x axis to a unit vector."""
    found = np.array([1.0 + along[0], 0.0, -along[2], along[1]])
    return tuple(float(x) for x in found / np.linalg.norm(found))


def _load(m: gr.Mechanism, rng: np.random.Generator, made: list[Handle], points: list[Point], dimension: int) -> None:
    first, last = made[0], made[-1]
    m.spring(points[0], last.far, stiffness=30.0, length=0.4, damping=0.5)
    m.spring(first.side, last.side, stiffness=12.0, length=0.1)
    m.force(first.far, tuple(rng.normal(size=dimension)))
    m.force(last.far, tuple(rng.normal(size=dimension)), axes="body")
    gap = m.separation("gap", first.far, points[0])
    m.pull(gap, "-0.3*gap.rate + 0.2*sin(3*t)")
    if dimension == 2:
        m.torsion_spring(first, stiffness=2.0, damping=0.1)
        m.torque(last, "0.4*cos(2*t) - 0.1*sin(b0.angle)")
    for joint in m.model.joints:
        if joint.freedoms("x"):
            m.friction(joint, coulomb=0.2, slip_speed=0.1, viscous=0.05)


def _rub(m: gr.Mechanism, rng: np.random.Generator, dimension: int) -> None:
    """Friction in proportion to the forces that joints transmit, in those with one freedom or more."""
    for joint in m.model.joints:
        if joint.freedoms("x") and joint.bearing(dimension):
            around = {"radius": 0.03} if "turn" in {x.kind for x in joint.motions or ()} else {}
            mu, slip = float(rng.uniform(0.02, 0.2)), float(10.0 ** rng.uniform(-2.0, -0.5))
            m.friction(joint, mu=mu, slip_speed=slip, **around, name=f"mu {joint.name}")


def _set_in_motion(m: gr.Mechanism, rng: np.random.Generator, made: list[Handle], dimension: int) -> None:
    """Velocities of some points at the start, as far as the joints allow them."""
    names = [f"b{k}.far.{x}" for k in range(len(made)) for x in "xyz"[:dimension]]
    for name in rng.choice(names, size=min(4, len(names)), replace=False).tolist():
        m.want(name, rate=float(rng.normal()))


def _happen(m: gr.Mechanism, rng: np.random.Generator, made: list[Handle], dimension: int, *, switch: bool) -> None:
    """A compliant stop, events that are recorded or end a step, and one that switches a spring off, if asked for."""
    names = [f"b{k}.{point}.{x}" for k in range(len(made)) for point in ("near", "side") for x in "xy"]
    first, second, third = rng.choice(names, size=3, replace=False).tolist()
    m.event(first, crosses=float(0.5 * rng.normal()), does="restart", name="passing")
    m.event(third, does="record", name="zero")
    reach = m.separation("reach", m.ground.at(*[0.0] * dimension), made[-1].far)
    begin = float(gr.simulate(m, 1e-6)["reach"][0])
    stiffness, damping = float(10.0 ** rng.uniform(2.0, 3.5)), float(rng.choice([0.0, 3.0]))
    m.stop(reach, lower=0.9 * begin, upper=1.1 * begin, stiffness=stiffness, damping=damping)
    if switch:
        m.spring(m.ground.at(*[0.5] * dimension), made[-1].side, stiffness=20.0, length=0.2, name="extra")
        m.event(second, crosses=float(0.3 * rng.normal()), does="switch extra off", name="release")
