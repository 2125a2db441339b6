"""Turns guessed poses into starting coordinates; bodies without a guess are placed by their joints."""

from __future__ import annotations

import math

import numpy as np

from grashof.analysis.loops import outward
from grashof.dynamics.kkt import make_kkt
from grashof.model.bodies import GROUND
from grashof.model.fields import body_of
from grashof.model.measures import Angle
from grashof.model.model import Model
from grashof.model.rotations import rotation_matrix
from grashof.model.start import Pose
from grashof.system.system import System

UNSURE = 1e-3
"""Weight of a placement nobody gave, beside a given guess."""

Placement = tuple[np.ndarray, np.ndarray]
"""Origin and axes (as columns) of a body."""


def starting_coordinates(system: System) -> np.ndarray:
    """The coordinates nearest to the guesses, (n,): weighted least squares over all points and directions."""
    placements = place_bodies(system.model)
    normal: dict[tuple[int, int], float] = {}
    right = [0.0] * system.n
    for name, frame in system.frames.items():
        if name == GROUND:
            continue
        origin, axes = placements[name]
        weight = 1.0 if name in system.model.start.guesses else UNSURE
        targets = [(frame.origin, origin + axes @ np.array(frame.origin_local))]
        targets += [
            (direction, axes @ local) for direction, local in zip(frame.directions, frame.directions_local, strict=True)
        ]
        for forms, values in targets:
            for form, value in zip(forms, values, strict=True):
                for i, a in form.terms.items():
                    right[i] += weight * a * (float(value) - form.constant)
                    for j, b in form.terms.items():
                        if j <= i:
                            normal[i, j] = normal.get((i, j), 0.0) + weight * a * b
    equations = make_kkt(system.n, normal, (), system.groups)
    return np.array(equations.solve(equations.factor([]), right))


def place_bodies(model: Model) -> dict[str, Placement]:
    """Every body's pose: guessed, or hung on a joint of a body placed before, at an attitude of its own."""
    size = model.dimension
    placed: dict[str, Placement] = {GROUND: (np.zeros(size), np.eye(size))}
    for name, pose in model.start.guesses.items():
        placed[name] = (np.array(pose.position or (0.0,) * size), _axes(pose, size))
    given = _given_attitudes(model)
    joints = {joint.name: joint for joint in model.joints}
    waiting = list(outward(model)) if len(placed) <= len(model.bodies) else []
    depth = dict.fromkeys(placed, 0)
    while ready := [name for name in waiting if any(body in placed for body in joints[name].bodies)]:
        # joints whose points meet say where a body is; sliding ones only that it is somewhere along a line
        meeting = [name for name in ready if joints[name].points_meet]
        ready = meeting or ready[:1]
        for name in ready:
            joint = joints[name]
            a, b = joint.bodies
            if (a in placed) != (b in placed):
                known, new = (joint.a, joint.b) if a in placed else (joint.b, joint.a)
                origin, axes = placed[body_of(known)]
                where = origin + axes @ np.array(model.points[known])
                depth[body_of(new)] = depth[body_of(known)] + 1
                turned = given.get(body_of(new), _turned(depth[body_of(new)], len(placed), size))
                placed[body_of(new)] = (where - turned @ np.array(model.points[new]), turned)
        waiting = [name for name in waiting if name not in ready]
    for body in model.bodies:
        if body.name not in placed:
            placed[body.name] = (np.zeros(size), given.get(body.name, np.eye(size)))
    return placed


def _given_attitudes(model: Model) -> dict[str, np.ndarray]:
    """Attitudes that a need or a motor gives to bodies in the plane."""
    start = model.start
    values = {need.quantity: need.value for need in start.needs if need.value is not None}
    values |= {motor.target: motor.value(start.time) for motor in model.motors}
    attitudes = {}
    for name, value in values.items():
        measure = model.all_measures.get(name)
        if model.dimension == 2 and isinstance(measure, Angle) and measure.reference == GROUND:
            attitudes[measure.body] = _axes(Pose(angle=value), 2)
    return attitudes


def _axes(pose: Pose, size: int) -> np.ndarray:
    if size == 3:
        return rotation_matrix(pose.rotation)
    c, s = math.cos(pose.angle), math.sin(pose.angle)
    return np.array([[c, -s], [s, c]])


def _turned(depth: int, count: int, size: int) -> np.ndarray:
    """An attitude for a body nobody placed: upwards from the ground, then down and up again, as linkages are drawn, and no
    two in line by accident."""
    angle = 0.9 * (-0.5) ** (depth - 1) + 0.2 * (0.618 * count % 1.0)
    c, s = math.cos(angle), math.sin(angle)
    turn = np.eye(size)
    turn[:2, :2] = [[c, -s], [s, c]]
    if size == 3:
        tilt = np.array([[1.0, 0.0, 0.0], [0.0, math.cos(0.4), -math.sin(0.4)], [0.0, math.sin(0.4), math.cos(0.4)]])
        turn = turn @ tilt
    return turn
