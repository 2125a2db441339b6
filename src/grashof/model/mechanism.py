"""The builder: describe a mechanism in Python, a line a thing.

>>> m = Mechanism("pendulum", gravity=(0, -9.81))
>>> rod = m.bar("rod", length=1.0, mass=1.0)
>>> pin = m.revolute(m.ground.at(0, 0), rod.start)
>>> m.need(rod.angle, value=0.0)
>>> [joint.name for joint in m.model.joints]
['ground.p1~rod.start']
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from grashof.errors import ModelError
from grashof.model import joints as kinds
from grashof.model.bodies import GROUND, Bar, Body, RigidBody
from grashof.model.check import check
from grashof.model.fields import Vector, perpendicular, unit
from grashof.model.forces import Force, PointForce, SpringDamper, Torque, TorsionSpring, UserForce
from grashof.model.forces.user_force import Law, register
from grashof.model.handles import Handle, Line, Point
from grashof.model.joints import Joint
from grashof.model.measures import Angle, Measure, Separation
from grashof.model.model import Model
from grashof.model.motors import Motor
from grashof.model.rotations import quaternion, rotation_matrix
from grashof.model.start import Condition, Pose, Start


class Mechanism:
    """Collects bodies, joints, forces and a start; `.model` is the frozen description."""

    def __init__(self, name: str, gravity: Sequence[float] | None = None, dimension: int | None = None) -> None:
        if dimension is None:
            dimension = 2 if gravity is None else len(gravity)
        if dimension not in (2, 3):
            raise ModelError(f"Mechanism '{name}': dimension is {dimension}; it must be 2 (plane) or 3 (space).")
        self.name = name
        self.dimension = dimension
        self.gravity = tuple(float(x) for x in gravity) if gravity is not None else (0.0,) * dimension
        self.ground = Handle(self, GROUND)
        self._points: dict[str, dict[str, Vector]] = {GROUND: {}}
        self._bodies: dict[str, Body] = {}
        self._joints: list[Joint] = []
        self._forces: list[Force] = []
        self._motors: list[Motor] = []
        self._measures: list[Measure] = []
        self._guesses: dict[str, Pose] = {}
        self._needs: list[Condition] = []
        self._wants: list[Condition] = []
        self.time = 0.0

    # -- the description

    @property
    def model(self) -> Model:
        """The frozen description, checked."""
        bodies: list[Body] = []
        for body in self._bodies.values():
            points = self._points[body.name]
            if isinstance(body, Bar):
                own = {name: place for name, place in points.items() if name not in ("start", "end")}
                bodies.append(Bar(body.name, body.length, body.mass, own))
            else:
                bodies.append(RigidBody(body.name, body.mass, body.center, body.inertia, dict(points)))
        model = Model(
            name=self.name,
            dimension=2 if self.dimension == 2 else 3,
            gravity=self.gravity,
            ground=dict(self._points[GROUND]),
            bodies=tuple(bodies),
            joints=tuple(self._joints),
            forces=tuple(self._forces),
            motors=tuple(self._motors),
            measures=tuple(self._measures),
            start=Start(self.time, dict(self._guesses), tuple(self._needs), tuple(self._wants)),
        )
        check(model)
        return model

    # -- bodies

    def body(
        self,
        name: str,
        *,
        mass: float = 0.0,
        center: Sequence[float] | None = None,
        inertia: float | Sequence[float] | None = None,
        points: dict[str, Sequence[float]] | None = None,
        position: Sequence[float] | None = None,
        angle: float = 0.0,
        rotation: Sequence[float] | None = None,
    ) -> Handle:
        """A general rigid body (see RigidBody); position, angle or rotation are the guess of where it starts."""
        self._refuse_second(name)
        zero = (0.0,) * self.dimension
        if inertia is None:
            inertia = 0.0 if self.dimension == 2 else (0.0, 0.0, 0.0)
        moments = float(inertia) if isinstance(inertia, (int, float)) else tuple(float(x) for x in inertia)
        place = zero if center is None else tuple(float(x) for x in center)
        self._points[name] = {key: tuple(float(x) for x in at) for key, at in (points or {}).items()}
        self._bodies[name] = RigidBody(name, float(mass), place, moments)
        if position is not None or angle != 0.0 or rotation is not None:
            self.guess(name, zero if position is None else position, angle=angle, rotation=rotation)
        return Handle(self, name)

    def bar(
        self,
        name: str,
        *,
        mass: float = 0.0,
        length: float | None = None,
        start: Sequence[float] | None = None,
        end: Sequence[float] | None = None,
    ) -> Handle:
        """A slender uniform bar: give its length, or where its two ends are (which is also the guess)."""
        self._refuse_second(name)
        if (start is None) != (end is None):
            raise ModelError(f"Bar '{name}': one of its ends is given; give both or neither.")
        zero = (0.0,) * self.dimension
        if start is not None and end is not None:
            span = np.subtract(end, start)
            length = float(np.linalg.norm(span)) if length is None else length
            self._guesses[name] = _pose_along(tuple(map(float, start)), span, name)
        if length is None:
            raise ModelError(f"Bar '{name}': give its length, or both its start and its end.")
        self._points[name] = {"start": zero, "end": (float(length), *zero[1:])}
        self._bodies[name] = Bar(name, float(length), float(mass))
        return Handle(self, name)

    def points_of(self, body: str) -> dict[str, Vector]:
        """The points of a body so far."""
        return self._points[body]

    def add_point(self, body: str, name: str, place: Vector) -> None:
        """Names a point of a body."""
        if self._points[body].get(name, place) != place:
            raise ModelError(
                f"Body '{body}' has a point '{name}' at {self._points[body][name]} already; choose another name."
            )
        self._points[body][name] = place

    # -- joints

    def revolute(self, a: Point, b: Point, *, axis: Sequence[float] | None = None, name: str | None = None) -> Joint:
        """A pin; in space about `axis`, given in world axes at the guessed position."""
        return self._join(kinds.Revolute, a, b, name, axis=axis)

    def slider(self, a: Line, b: Line | Point, *, name: str | None = None) -> Joint:
        """Line b slides along line a without turning (plane); a point b only stays on the line: a pin in a slot."""
        if isinstance(b, Point):
            return self.pin_in_slot(a, b, name=name)
        line_b = self._local(b.point.body, b.direction)
        return self._add(
            kinds.Slider(
                name=self._joint_name(name, a.point, b.point),
                a=str(a.point),
                b=str(b.point),
                axis_a=self._local(a.point.body, a.direction),
                axis_b=line_b,
            )
        )

    def pin_in_slot(self, slot: Line, pin: Point, *, name: str | None = None) -> Joint:
        """A point of one body stays on a line of another (plane)."""
        axis = self._local(slot.point.body, slot.direction)
        return self._add(
            kinds.PinInSlot(name=self._joint_name(name, slot.point, pin), a=str(slot.point), b=str(pin), axis_a=axis)
        )

    def prismatic(self, a: Point, b: Point, *, axis: Sequence[float], name: str | None = None) -> Joint:
        """Slides along `axis` (world axes at the guessed position) without turning."""
        normal = None if self.dimension == 2 else perpendicular(unit(tuple(map(float, axis))))
        return self._join(kinds.Slider, a, b, name, axis=axis, normal=normal)

    def cylindrical(self, a: Point, b: Point, *, axis: Sequence[float], name: str | None = None) -> Joint:
        """Turns about and slides along `axis` (world axes at the guessed position; space)."""
        return self._join(kinds.Cylindrical, a, b, name, axis=axis)

    def spherical(self, a: Point, b: Point, *, name: str | None = None) -> Joint:
        """A ball joint (space)."""
        return self._join(kinds.Spherical, a, b, name)

    def universal(
        self, a: Point, b: Point, *, axis_a: Sequence[float], axis_b: Sequence[float], name: str | None = None
    ) -> Joint:
        """A cross whose arms are axis_a in a's body and axis_b in b's (world axes at the guessed position; space)."""
        return self._add(
            kinds.Universal(
                name=self._joint_name(name, a, b),
                a=str(a),
                b=str(b),
                axis_a=self._local(a.body, axis_a),
                axis_b=self._local(b.body, axis_b),
            )
        )

    def planar(self, a: Point, b: Point, *, normal: Sequence[float], name: str | None = None) -> Joint:
        """A face on a face with this normal (world axes at the guessed position; space)."""
        return self._join(kinds.Plane, a, b, name, normal=normal)

    def weld(self, a: Point, b: Point, *, name: str | None = None) -> Joint:
        """Joins two bodies rigidly, in the relative attitude of their guesses."""
        first: Vector = (1.0, 0.0) if self.dimension == 2 else (1.0, 0.0, 0.0)
        normal = None if self.dimension == 2 else (0.0, 1.0, 0.0)
        return self._join(kinds.Weld, a, b, name, axis=first, normal=normal)

    def distance(self, a: Point, b: Point, length: float, *, name: str | None = None) -> Joint:
        """A massless rod of this length (m) between two points."""
        return self._add(kinds.Distance(name=self._joint_name(name, a, b), a=str(a), b=str(b), length=float(length)))

    # -- measures

    def angle(
        self,
        name: str,
        body: Handle,
        *,
        reference: Handle | None = None,
        axis: Sequence[float] | None = None,
        zero: Sequence[float] | None = None,
        direction: Sequence[float] | None = None,
    ) -> str:
        """Names the angle of a body against another (ground by default).

        In space, about `axis`, from `zero` to the body's `direction`, all in world axes at the guessed position; by default
        the direction is the body's x axis (as seen along the axis), and the angle is zero where it starts.
        """
        other = GROUND if reference is None else reference.name
        if self.dimension == 2:
            self._measures.append(Angle(name, body.name, other))
            return name
        if axis is None:
            raise ModelError(f"Angle '{name}': give the axis it turns about.")
        about = np.array(unit(tuple(map(float, axis))))
        own = np.array(self.rotation_of(body.name)[:, 0] if direction is None else direction, float)
        seen = own - about * (about @ own)
        if np.linalg.norm(seen) < 1e-6 * np.linalg.norm(own):
            seen = np.array(perpendicular(tuple(about)))
        start = seen if zero is None else np.array(zero, float)
        self._measures.append(
            Angle(
                name,
                body.name,
                other,
                axis=self._local(other, about),
                zero=self._local(other, start),
                direction=self._local(body.name, seen),
            )
        )
        return name

    def separation(self, name: str, a: Point, b: Point) -> str:
        """Names the distance between two points."""
        self._measures.append(Separation(name, str(a), str(b)))
        return name

    # -- forces and motors

    def spring(
        self,
        a: Point,
        b: Point,
        *,
        stiffness: float,
        length: float,
        damping: float = 0.0,
        name: str | None = None,
    ) -> None:
        """A spring-damper between two points (N/m, m, N s/m)."""
        self._forces.append(
            SpringDamper(
                name=name or f"spring {a}~{b}",
                a=str(a),
                b=str(b),
                stiffness=float(stiffness),
                length=float(length),
                damping=float(damping),
            )
        )

    def torsion_spring(
        self, angle: Handle | str, *, stiffness: float, rest: float = 0.0, damping: float = 0.0, name: str | None = None
    ) -> None:
        """A spring-damper on an angle (N m/rad, rad, N m s/rad)."""
        target = self._angle_name(angle)
        self._forces.append(
            TorsionSpring(
                name=name or f"torsion spring {target}",
                angle=target,
                stiffness=float(stiffness),
                rest=float(rest),
                damping=float(damping),
            )
        )

    def torque(self, angle: Handle | str, torque: float, *, name: str | None = None) -> None:
        """A constant torque (N m) on a body (plane), or along a named angle."""
        target = self._angle_name(angle)
        self._forces.append(Torque(name=name or f"torque {target}", angle=target, torque=float(torque)))

    def force(self, point: Point, force: Sequence[float], *, axes: Any = "world", name: str | None = None) -> None:
        """A constant force (N) at a point, in world axes or turning with the body (axes="body")."""
        components = tuple(float(x) for x in force)
        self._forces.append(PointForce(name=name or f"force {point}", point=str(point), force=components, axes=axes))

    def user_force(self, function: Law, on: Sequence[Point | Handle | str], *, name: str | None = None) -> None:
        """A force written in Python: see UserForce."""
        targets = tuple(self._angle_name(x) if isinstance(x, Handle) else str(x) for x in on)
        self._forces.append(UserForce(name=name or function.__name__, on=targets, function=register(function)))

    def motor(
        self,
        target: Handle | str,
        law: str | float | None = None,
        *,
        torque: float | None = None,
        name: str | None = None,
    ) -> None:
        """Drives an angle or a distance along a law of time, such as "2*pi*t"; or, with `torque`, by a constant torque."""
        if (law is None) == (torque is None):
            raise ModelError("A motor takes either a law of time or a torque.")
        if torque is not None:
            self.torque(target, torque, name=name)
            return
        goal = self._angle_name(target)
        self._motors.append(Motor(name or f"motor {goal}", goal, str(law)))

    # -- the start

    def guess(
        self,
        body: Handle | str,
        position: Sequence[float],
        *,
        angle: float = 0.0,
        rotation: Sequence[float] | None = None,
    ) -> None:
        """Where a body roughly starts: its origin, and its angle (plane) or quaternion w, x, y, z (space)."""
        place = tuple(float(x) for x in position)
        w, x, y, z = (1.0, 0.0, 0.0, 0.0) if rotation is None else (float(c) for c in rotation)
        self._guesses[str(body)] = Pose(place, float(angle), (w, x, y, z))

    def need(self, quantity: str, *, value: float | None = None, rate: float | None = None) -> None:
        """What must hold exactly at the start: a value (m, rad) or a rate (m/s, rad/s)."""
        self._needs.append(_condition(quantity, value, rate))

    def want(self, quantity: str, *, value: float | None = None, rate: float | None = None) -> None:
        """What should hold as nearly as possible at the start."""
        self._wants.append(_condition(quantity, value, rate))

    # -- inside

    def rotation_of(self, body: str) -> np.ndarray:
        """The body's axes at the guessed position, as columns."""
        pose = self._guesses.get(body, Pose())
        if self.dimension == 2:
            c, s = math.cos(pose.angle), math.sin(pose.angle)
            return np.array([[c, -s], [s, c]])
        return rotation_matrix(pose.rotation)

    def _refuse_second(self, name: str) -> None:
        if name in self._points:
            raise ModelError(f"Body '{name}' is there already; give each body a name of its own.")

    def _local(self, body: str, direction: Sequence[float] | np.ndarray) -> Vector:
        if len(direction) != self.dimension or not np.linalg.norm(direction) > 0:
            raise ModelError(
                f"The direction {tuple(direction)} on body '{body}' must be {self.dimension} numbers, not all zero."
            )
        return unit(tuple(float(x) for x in self.rotation_of(body).T @ np.asarray(direction, float)))

    def _join(self, kind: Any, a: Point, b: Point, name: str | None, **directions: Sequence[float] | None) -> Joint:
        fields = {}
        for field, direction in directions.items():
            if direction is not None:
                fields[f"{field}_a"] = self._local(a.body, direction)
                fields[f"{field}_b"] = self._local(b.body, direction)
        return self._add(kind(name=self._joint_name(name, a, b), a=str(a), b=str(b), **fields))

    def _joint_name(self, name: str | None, a: Point, b: Point) -> str:
        return name or f"{a}~{b}"

    def _add(self, joint: Joint) -> Joint:
        self._joints.append(joint)
        return joint

    def _angle_name(self, target: Handle | str) -> str:
        return target.angle if isinstance(target, Handle) else str(target)


def _condition(quantity: str, value: float | None, rate: float | None) -> Condition:
    if value is None and rate is None:
        raise ModelError(f"A condition on '{quantity}' needs a value or a rate.")
    return Condition(str(quantity), None if value is None else float(value), None if rate is None else float(rate))


def _pose_along(start: Vector, span: np.ndarray, name: str) -> Pose:
    """A pose whose x axis points along `span`."""
    if len(start) == 2:
        return Pose(start, math.atan2(span[1], span[0]))
    length = float(np.linalg.norm(span))
    if not length > 0:
        raise ModelError(f"Bar '{name}': its start and its end are the same point.")
    x = np.array(unit(tuple(span)))
    y = np.array(perpendicular(tuple(x)))
    return Pose(start, 0.0, quaternion(np.column_stack([x, y, np.cross(x, y)])))
