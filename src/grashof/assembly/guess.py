"""Turns guessed poses into starting coordinates; bodies without a guess are placed by their joints.

A body that is not part of a loop can be placed wherever its joint allows: by default its axes are parallel to those of
the ground, as far as the directions of the joint permit. Each body in a loop gets an attitude of its own, because loops
that start stretched out could close to either side.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grashof.formulation.natural.forms import Expression, Form
from grashof.formulation.natural.kkt import make_kkt
from grashof.formulation.natural.system import System
from grashof.model.bodies import GROUND
from grashof.model.fields import body_of, dot, perpendicular
from grashof.model.joints import Joint
from grashof.model.loops import outward
from grashof.model.model import Model
from grashof.model.rotations import rotation_matrix
from grashof.model.start import Pose
from grashof.scalar import cos, sin
from grashof.scalar.algebra import plain, product

UNSURE = 1e-3
"""Weight of a default placement, relative to a given guess."""

HOLD, ROUNDS = 1e-6, 3
"""Damping and number of the steps that return what is given to where it was given: each leaves about this fraction
of the distance."""

RANDOM = 2
"""The first attempt with pseudo-random attitudes."""

Placement = tuple[np.ndarray, np.ndarray]
"""Origin and axes (as columns) of a body."""


def starting_coordinates(system: System, attempt: int = 0) -> np.ndarray:
    """The coordinates nearest to the guesses, (n,): least squares over all points and directions. Default placements
    of other bodies decide only what the guesses leave open."""
    placements = place_bodies(system.model, attempt)
    bodies = [name for name in system.frames if name != GROUND]
    sure = [name for name in bodies if name in system.model.start.guesses and attempt < RANDOM]
    normal, right = _misfit(system, {name: (placements[name], 1.0 if name in sure else UNSURE) for name in bodies})
    equations = make_kkt(system.n, normal, (), system.groups)
    q = np.array(equations.solve(equations.factor([]), right))
    return (
        _nearest_coordinates(system, {name: placements[name] for name in sure}, q) if 0 < len(sure) < len(bodies) else q
    )


def guess_rows(system: System) -> list[Expression]:
    """What is zero where all guessed bodies are where their guesses put them, m."""
    placements = place_bodies(system.model)
    return [
        form - value for name in system.model.start.guesses for form, value in _targets(system, name, placements[name])
    ]


def _nearest_coordinates(system: System, placements: dict[str, Placement], q: np.ndarray) -> np.ndarray:
    """The coordinates nearest to q at which bodies are as close to these placements as they can be: least squares,
    by damped steps."""
    normal, right = _misfit(system, {name: (placement, 1.0) for name, placement in placements.items()})
    damped = dict(normal)
    for i in range(system.n):
        damped[i, i] = normal[i, i] * (1.0 + HOLD) if (i, i) in normal else 1.0
    equations = make_kkt(system.n, damped, (), system.groups)
    factors = equations.factor([])
    for _ in range(ROUNDS):
        left = list(right)
        for (i, j), a in normal.items():
            left[i] -= a * q[j]
            if i != j:
                left[j] -= a * q[i]
        q = q + np.array(equations.solve(factors, left))
    return q


def _misfit(
    system: System, placements: dict[str, tuple[Placement, float]]
) -> tuple[dict[tuple[int, int], float], list[float]]:
    """The normal equations of the distances from weighted placements: the lower triangle of the matrix, and the
    right-hand side."""
    normal: dict[tuple[int, int], float] = {}
    right = [0.0] * system.n
    for name, (placement, weight) in placements.items():
        for form, value in _targets(system, name, placement):
            for i, a in form.terms.items():
                right[i] += weight * a * (value - form.constant)
                for j, b in form.terms.items():
                    if j <= i:
                        normal[i, j] = normal.get((i, j), 0.0) + weight * a * b
    return normal, right


def _targets(system: System, name: str, placement: Placement) -> Iterator[tuple[Form, float]]:
    """The coordinates of a body's points and directions, and their values where it is placed, m."""
    frame = system.frames[name]
    origin, axes = placement
    yield from zip(frame.origin, map(plain, origin + product(axes, frame.origin_local)), strict=True)
    for direction, local in zip(frame.directions, frame.directions_local, strict=True):
        yield from zip(direction, map(plain, product(axes, local)), strict=True)


def place_bodies(model: Model, attempt: int = 0) -> dict[str, Placement]:
    """The pose of every body: guessed, or attached by a joint to a body placed before, with an attitude of its own.

    attempt  0: bodies that are not part of a loop have the axes of the ground; 1: all bodies without a guess have
             attitudes of their own; from RANDOM on: pseudo-random attitudes regardless of guesses, except for those
             determined by needs, wants and motors
    """
    size = model.dimension
    placed: dict[str, Placement] = {GROUND: (np.zeros(size), np.eye(size))}
    for name, pose in model.start.guesses.items() if attempt < RANDOM else ():
        placed[name] = (np.array(pose.position or (0.0,) * size), _axes(pose, size))
    given = _given_attitudes(model, wants=attempt >= RANDOM)
    open_bodies = _outside_loops(model) if attempt == 0 else set()
    rng = np.random.default_rng(attempt)
    joints = {joint.name: joint for joint in model.joints}
    waiting = {name: k for k, name in enumerate(outward(model))} if len(placed) <= len(model.bodies) else {}
    around: dict[str, list[str]] = {}
    for name in waiting:
        for body in joints[name].bodies:
            around.setdefault(body, []).append(name)
    near = {name for body in placed for name in around.get(body, ())}
    depth = dict.fromkeys(placed, 0)
    while ready := sorted(near, key=waiting.__getitem__):
        # joints whose points coincide determine where a body is; sliding joints only a line on which it lies
        meeting = [name for name in ready if joints[name].points_meet]
        ready = meeting or ready[:1]
        for name in ready:
            joint = joints[name]
            a, b = joint.bodies
            if (a in placed) != (b in placed):
                known, new = (joint.a, joint.b) if a in placed else (joint.b, joint.a)
                origin, axes = placed[body_of(known)]
                where = origin + product(axes, model.points[known])
                body = body_of(new)
                depth[body] = depth[body_of(known)] + 1
                if body in given:
                    turned = given[body]
                elif attempt >= RANDOM:
                    turned = _random(rng, size)
                elif body in open_bodies:
                    turned = _as_described(joint, body == b, axes)
                    where = where + _hanging(model, joint)
                else:
                    turned = _default_attitude(depth[body], len(placed), size)
                placed[body] = (where - product(turned, model.points[new]), turned)
                near.update(x for x in around[body] if x in waiting)
        for name in ready:
            del waiting[name]
        near -= set(ready)
    for other in model.bodies:
        if other.name not in placed:
            placed[other.name] = (np.zeros(size), given.get(other.name, np.eye(size)))
    return placed


def default_attitudes(model: Model) -> dict[str, str]:
    """The bodies that are placed neither by a guess nor by a needed, wanted or driven value of their angle, and how
    they are placed."""
    given = _given_attitudes(model, wants=True).keys() | model.start.guesses.keys()
    outside = _outside_loops(model) | {body.name for body in model.bodies} - _jointed_bodies(model)
    along, closed = "along the axes of the ground, as far as joints allow", "where loops close from default attitudes"
    return {body.name: along if body.name in outside else closed for body in model.bodies if body.name not in given}


def _jointed_bodies(model: Model) -> set[str]:
    return {body for joint in model.joints for body in joint.bodies}


def _outside_loops(model: Model) -> set[str]:
    """Bodies that are not part of a loop: their joints can be removed one after another, beginning at the free ends."""
    around: dict[str, list[str]] = {body.name: [] for body in model.bodies}
    for joint in model.joints:
        a, b = joint.bodies
        for one, other in ((a, b), (b, a)):
            if one != GROUND:
                around[one].append(other)
    ends = [name for name, others in around.items() if len(others) == 1]
    outside = set()
    while ends:
        end = ends.pop()
        outside.add(end)
        for other in around[end]:
            if other != GROUND and other not in outside:
                around[other].remove(end)
                if len(around[other]) == 1:
                    ends.append(other)
    return outside


def _as_described(joint: Joint, is_b: bool, axes: np.ndarray) -> np.ndarray:
    """The attitude nearest to the axes of the ground for which the joint's directions on both bodies coincide."""
    size = len(axes)
    directions = dict(joint.directions())
    mine, other = ("b", "a") if is_b else ("a", "b")
    pairs = [
        (np.array(directions[f"{word}_{mine}"]), product(axes, directions[f"{word}_{other}"]))
        for word in ("axis", "normal")
        if directions.get(f"{word}_{mine}") and directions.get(f"{word}_{other}")
    ]
    if not pairs or not joint.directions_coincide:
        return np.eye(size)
    own, there = pairs[0]
    if size == 2:
        c, s = dot(own, there), own[0] * there[1] - own[1] * there[0]
        return np.array([[c, -s], [s, c]])
    if len(pairs) == 2:
        triads = [np.column_stack([e, n, np.cross(e, n)]) for e, n in zip(*pairs, strict=True)]
        return product(triads[1], triads[0].T)
    return _shortest_turn(own, there)


def _hanging(model: Model, joint: Joint) -> np.ndarray:
    """The vector from the known end of a rod to its other end: the rod hangs along gravity, or along the last axis.
    For other joints it is zero."""
    if joint.rod is None:
        return np.zeros(model.dimension)
    down = np.array(model.gravity) if any(model.gravity) else -np.eye(model.dimension)[-1]
    return np.asarray(joint.rod * down / np.sqrt(dot(down, down)))


def _shortest_turn(own: np.ndarray, there: np.ndarray) -> np.ndarray:
    """The rotation by the smallest angle that takes one unit vector to another: 1 + [u]ₓ + [u]ₓ²/(1 + c), u = own ×
    there."""
    cosine = dot(own, there)
    if cosine < -1.0 + 1e-12:  # half a turn about any perpendicular axis
        across = np.array(perpendicular(tuple(own)))
        return 2.0 * np.outer(across, across) - np.eye(3)
    x, y, z = np.cross(own, there)
    u = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + u + product(u, u) / (1.0 + cosine))


def _given_attitudes(model: Model, wants: bool) -> dict[str, np.ndarray]:
    """Attitudes of bodies in the plane that are determined by needs, by motors or, with `wants`, by wants."""
    start = model.start
    values = {want.quantity: want.value for want in start.wants if want.value is not None} if wants else {}
    values |= {need.quantity: need.value for need in start.needs if need.value is not None}
    values |= {motor.target: motor.value(start.time) for motor in model.motors if not motor.open}
    attitudes = {}
    for name, value in values.items():
        measure = model.quantities.get(name)
        if (
            model.dimension == 2
            and measure is not None
            and measure.motion
            and measure.winds
            and measure.bodies[0] == GROUND
        ):
            attitudes[measure.bodies[1]] = _axes(Pose(angle=value), 2)
    return attitudes


def _random(rng: np.random.Generator, size: int) -> np.ndarray:
    return (
        rotation_matrix(rng.normal(size=4).tolist()) if size == 3 else _axes(Pose(angle=rng.uniform(-np.pi, np.pi)), 2)
    )


def _axes(pose: Pose, size: int) -> np.ndarray:
    if size == 3:
        return rotation_matrix(pose.rotation)
    c, s = cos(pose.angle), sin(pose.angle)
    return np.array([[c, -s], [s, c]])


def _default_attitude(depth: int, count: int, size: int) -> np.ndarray:
    """An attitude for a body that is not placed otherwise: upwards from the ground, then alternately down and up, as
    linkages are usually drawn, and such that no two bodies are collinear by accident."""
    angle = 0.9 * (-0.5) ** (depth - 1) + 0.2 * (0.618 * count % 1.0)
    c, s = cos(angle), sin(angle)
    turn = np.eye(size)
    turn[:2, :2] = [[c, -s], [s, c]]
    if size == 3:
        tilt = np.array([[1.0, 0.0, 0.0], [0.0, cos(0.4), -sin(0.4)], [0.0, sin(0.4), cos(0.4)]])
        turn = product(turn, tilt)
    return turn
