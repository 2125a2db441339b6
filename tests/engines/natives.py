"""Random mechanisms: trees and loops in the plane and in space, with joints of all kinds, springs, forces, couplings
and velocities.

Bodies are placed first and joined where they are, so that every mechanism is assembled at its start.
"""

from __future__ import annotations

import random

import numpy as np

from grashof.common.errors import ModelError
from grashof.model import joints as kinds
from grashof.model.bodies import GROUND, RigidBody
from grashof.model.check import check
from grashof.model.couplings.linear import Linear
from grashof.model.fields import Vector, cross, perpendicular, unit
from grashof.model.forces import Force, PointForce, Pull, SpringDamper, Torque, TorsionSpring
from grashof.model.joints import Joint
from grashof.model.measures import Angle, Coordinate, Measure, Separation
from grashof.model.model import Model
from grashof.model.rotations import rotation_matrix
from grashof.model.start import Condition, Pose, Start

FREEDOMS = {
    2: {"revolute": 1, "slider": 1, "pin in slot": 2, "weld": 0},
    3: {
        **{"revolute": 1, "slider": 1, "cylindrical": 2, "universal": 2, "spherical": 3, "planar": 3, "weld": 0},
        **{"distance": 5, "point on line": 4},
    },
}
"""Degrees of freedom that a joint leaves."""
LOOSE = {2: 3, 3: 6}


class Builder:
    """A mechanism under construction."""

    def __init__(self, draw: random.Random, dimension: int) -> None:
        self.draw, self.dimension = draw, dimension
        self.poses: dict[str, tuple[np.ndarray, np.ndarray]] = {GROUND: (np.zeros(3), np.eye(3))}
        self.points: dict[str, dict[str, Vector]] = {GROUND: {}}
        self.guesses: dict[str, Pose] = {}
        self.joints: list[Joint] = []
        self.measures: list[Measure] = []
        self.single: list[Measure] = []
        """The coordinates of revolutes and sliders."""

    def row(self, size: float = 1.0, count: int = 0) -> Vector:
        return tuple(self.draw.uniform(-size, size) for _ in range(count or self.dimension))

    def place(self, name: str) -> None:
        where = self.row(1.5)
        if self.dimension == 2:
            angle = self.draw.uniform(-3.0, 3.0)
            c, s = np.cos(angle), np.sin(angle)
            self.poses[name] = (np.array([*where, 0.0]), np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]))
            self.guesses[name] = Pose(where, angle)
        else:
            turned = unit(self.row(1.0, 4))
            self.poses[name] = (np.array(where), rotation_matrix(turned))
            self.guesses[name] = Pose(where, 0.0, turned)  # type: ignore[arg-type]
        self.points[name] = {}

    def point(self, body: str, name: str, world: np.ndarray) -> str:
        origin, axes = self.poses[body]
        self.points[body][name] = tuple(float(x) for x in (axes.T @ (world - origin))[: self.dimension])
        return f"{body}.{name}"

    def local(self, body: str, world: Vector) -> Vector:
        return unit(tuple(float(x) for x in (self.poses[body][1].T @ np.array((*world, 0.0)[:3]))[: self.dimension]))

    def join(self, kind: str, name: str, a: str, b: str) -> None:
        draw, flat = self.draw, self.dimension == 2
        here = np.array((*self.row(1.2), 0.0)[:3])
        axis = unit(self.row())
        side = (-axis[1], axis[0]) if flat else perpendicular(axis)
        there = here
        if kind in ("slider", "pin in slot", "cylindrical", "point on line"):
            there = here + draw.uniform(-0.5, 0.5) * np.array((*axis, 0.0)[:3])
        elif kind == "planar":
            first, second = np.array(side), np.array(cross(axis, side))
            there = here + draw.uniform(-0.5, 0.5) * first + draw.uniform(-0.5, 0.5) * second
        elif kind == "distance":
            there = here + np.array((*self.row(0.8), 0.0)[:3])
        ends = {"a": self.point(a, f"{name} a", here), "b": self.point(b, f"{name} b", there)}
        (x_a, x_b), (y_a, y_b) = ((self.local(a, way), self.local(b, way)) for way in (axis, side))
        match kind:
            case "revolute":
                self.joints.append(
                    kinds.Revolute(name=name, **ends, **({} if flat else {"axis_a": x_a, "axis_b": x_b}))
                )
                zero = {} if flat else {"axis": x_a, "zero": y_a, "direction": y_b}
                if draw.random() < 0.6:
                    self.single.append(Angle(f"{name} angle", b, a, **zero))
            case "slider":
                sides = {} if flat else {"normal_a": y_a, "normal_b": y_b}
                self.joints.append(kinds.Slider(name=name, **ends, axis_a=x_a, axis_b=x_b, **sides))
                if draw.random() < 0.6:
                    self.single.append(Coordinate(f"{name} way", ends["b"], x_a, ends["a"]))
            case "pin in slot":
                self.joints.append(kinds.PinInSlot(name=name, **ends, axis_a=x_a))
            case "weld":
                sides = {} if flat else {"normal_a": y_a, "normal_b": y_b}
                self.joints.append(kinds.Weld(name=name, **ends, axis_a=x_a, axis_b=x_b, **sides))
            case "cylindrical":
                self.joints.append(kinds.Cylindrical(name=name, **ends, axis_a=x_a, axis_b=x_b))
            case "universal":
                self.joints.append(kinds.Universal(name=name, **ends, axis_a=x_a, axis_b=y_b))
            case "planar":
                self.joints.append(kinds.Plane(name=name, **ends, normal_a=x_a, normal_b=x_b))
            case "spherical":
                self.joints.append(kinds.Spherical(name=name, **ends))
            case "distance":
                length = float(np.linalg.norm(there - here))
                self.joints.append(kinds.Distance(name=name, **ends, length=length))
            case "point on line":
                self.joints.append(kinds.PointOnLine(name=name, **ends, axis_a=x_a))

    def anywhere(self, body: str, name: str) -> str:
        return self.point(body, name, self.poses[body][0] + np.array((*self.row(0.6), 0.0)[:3]))


def native(seed: int, *, varying: bool, closing: frozenset[str]) -> Model | None:
    """A mechanism that can move; None if the one that was drawn is refused.

    varying   forces may depend on time and on the motion
    closing   the kinds of joints that may close loops
    """
    draw = random.Random(f"native {seed}")
    dimension = draw.choice((2, 3))
    make = Builder(draw, dimension)
    freedoms = FREEDOMS[dimension]
    tree = [kind for kind in freedoms if kind not in ("distance", "point on line")]
    names, free = [f"b{k}" for k in range(draw.randint(1, 5))], 0
    for k, name in enumerate(names):
        make.place(name)
        if draw.random() < 0.1:
            free += LOOSE[dimension]
            continue
        ends = [draw.choice([GROUND, *names[:k]]), name]
        kind = draw.choice(tree)
        make.join(kind, f"j{k}", *(ends if draw.random() < 0.7 else ends[::-1]))
        free += freedoms[kind]
    for k in range(draw.choice((0, 1, 1, 2))):
        kind = draw.choice(sorted(freedoms))
        costs = LOOSE[dimension] - freedoms[kind]
        if len(names) > 1 and kind in closing and free - costs >= 1:
            make.join(kind, f"loop{k}", *draw.sample([GROUND, *names], 2))
            free -= costs
    couplings = []
    if len(make.single) > 1 and free > 1 and draw.random() < 0.3:
        first, second = draw.sample(make.single, 2)
        couplings.append(Linear(name="tie", terms={first.name: 1.0, second.name: draw.uniform(-2.0, 2.0)}))
    forces: list[Force] = []
    if draw.random() < 0.6:
        a, b = draw.sample([GROUND, *names], 2)
        ends = {"a": make.anywhere(a, "spring a"), "b": make.anywhere(b, "spring b")}
        damping = draw.choice((0.0, draw.uniform(0.1, 1.0)))
        length = draw.uniform(0.1, 1.0)
        forces.append(
            SpringDamper(name="spring", **ends, stiffness=draw.uniform(5, 20), length=length, damping=damping)
        )
    if draw.random() < 0.4:
        laws = [f"{x!r}*sin(3*t)" if varying and draw.random() < 0.5 else x for x in make.row(3.0)]
        point, axes = make.anywhere(draw.choice(names), "pushed"), draw.choice(("world", "body"))
        forces.append(PointForce(name="push", point=point, force=tuple(laws), axes=axes))
    if draw.random() < 0.3:
        a, b = draw.sample([GROUND, *names], 2)
        make.measures.append(Separation("span", make.anywhere(a, "span a"), make.anywhere(b, "span b")))
        if varying:
            forces.append(Pull(name="pull", measure="span", force=draw.choice((1.5, "2*cos(2*t)", "1 - 3*span"))))
    for k, one in enumerate(make.single):
        turns, name = isinstance(one, Angle), one.name
        size = draw.uniform(-2.0, 2.0)
        law = draw.choice((size, f"{size!r}*sin(2*t)", f"-{abs(size)!r}*`{name}.rate`")) if varying else size
        match draw.choice(("", "spring", "effort")):
            case "spring" if turns:
                sizes = {"stiffness": draw.uniform(1, 9), "rest": draw.uniform(-9, 9), "damping": draw.uniform(0, 1)}
                forces.append(TorsionSpring(name=f"coil {k}", angle=name, **sizes))
            case "effort":
                forces.append(
                    Torque(name=f"effort {k}", angle=name, torque=law)
                    if turns
                    else Pull(name=f"effort {k}", measure=name, force=law)
                )
    moving = [f"{body}.{point}" for body in names for point in make.points[body]]
    rates = draw.sample(moving, min(len(moving), draw.randint(0, 3)))
    wants = tuple(Condition(f"{point}.{axis}", rate=draw.uniform(-1, 1)) for point in rates for axis in "xy")
    bodies = []
    for name in names:
        inertia = (
            draw.uniform(0.2, 0.6)
            if dimension == 2
            else (1.1 + draw.random(), 1.2 + draw.random(), 1.5, *make.row(0.1))
        )
        center = make.row(0.4)
        bodies.append(RigidBody(name, draw.uniform(0.5, 2.0), center, inertia, make.points[name]))
    model = Model(
        name=f"native {seed}",
        dimension=dimension,  # type: ignore[arg-type]
        gravity=draw.choice(((), make.row(9.81))),
        ground=make.points[GROUND],
        bodies=tuple(bodies),
        joints=tuple(make.joints),
        forces=tuple(forces),
        measures=(*make.measures, *make.single),
        couplings=tuple(couplings),
        start=Start(guesses=make.guesses, wants=wants),
    )
    try:
        check(model)
    except ModelError:
        return None
    return model
