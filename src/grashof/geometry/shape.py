"""The joints of a mechanism as functions of the poses of its bodies and of its geometry: points, directions, lengths.

Twists and changes of the geometry are relative to ℓ, the mechanism's length, and in rad.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import msgspec
import numpy as np

from grashof.formulation.natural.system import length_scale
from grashof.model.bodies import GROUND
from grashof.model.fields import Vector, body_of, unit
from grashof.model.joints import Joint
from grashof.model.model import Model
from grashof.scalar.jet import Jet

EXACT = 1e-14
"""Relative to ℓ, smaller numbers are round-off."""


@dataclass(frozen=True)
class GeometryChange:
    """What was changed, by how much, and the unit: a point or length in m, a direction in rad."""

    what: str
    amount: float
    unit: str

    def __str__(self) -> str:
        verb = "turned" if self.unit == "rad" else "moved"
        return f"{self.what} {verb} by {self.amount:.2g} {self.unit}"


@dataclass(frozen=True)
class BodyPose:
    origin: np.ndarray
    axes: np.ndarray


class Shape:
    """A mechanism whose geometry can be changed.

    points, joints  their present values
    columns         for each point, each side of a joint's directions and each length: the indices of its parameters
    change          all parameters: the change of each so far
    turned          directions that have been aligned, and by what angle
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.size_of_twist = 3 if model.dimension == 2 else 6
        self.turns = 1 if model.dimension == 2 else 3
        self.length = length_scale(model)
        self.turned: dict[tuple[str, str], float] = {}
        self.bodies = [body.name for body in model.bodies]
        self.points: dict[str, np.ndarray] = {name: np.array(x) for name, x in model.points.items()}
        self.joints: list[Joint] = list(model.joints)
        self.columns: dict[tuple[str, str], slice] = {}
        self.count = 0
        ends = {f"{body.name}.{name}": k for body in model.bodies for k, name in enumerate(body.ends(model.dimension))}
        for joint in model.joints:
            for reference in (joint.a, joint.b):
                # the ends of a bar lie on its axis, the first at its origin: only its length can change
                self._allot("point", reference, ends.get(reference, model.dimension))
            for side in "ab":
                if any(field.endswith(side) and direction for field, direction in joint.directions()):
                    self._allot(side, joint.name, self.turns)
            if joint.rod is not None:
                self._allot("length", joint.name, 1)
        self.change = np.zeros(self.count)

    def _allot(self, kind: str, name: str, count: int) -> None:
        if (kind, name) not in self.columns:
            self.columns[kind, name] = slice(self.count, self.count + count)
            self.count += count

    @property
    def size(self) -> float:
        """The largest change of a point or length, relative to ℓ, or of a direction, rad."""
        moved = [float(np.linalg.norm(self.change[where])) for where in self.columns.values()]
        return max([0.0, *moved, *self.turned.values()])

    def evaluate(self, poses: dict[str, BodyPose]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The residuals of all joints, relative to ℓ, and their derivatives with respect to twists of the bodies and
        to the geometry."""
        residuals, by_pose, by_shape = [], [], []
        twist = self.size_of_twist
        place = {name: slice(twist * k, twist * k + twist) for k, name in enumerate(self.bodies)}
        for joint in self.joints:
            fields = _Local(self, joint, poses)
            rows = [x if isinstance(x, Jet) else Jet(x, np.zeros(fields.count), 0.0) for x in fields.equations()]
            rates = np.array([row.first for row in rows]).reshape(len(rows), fields.count) / self.length
            residuals += [row.value / self.length for row in rows]
            moved, shaped = np.zeros((len(rows), twist * len(self.bodies))), np.zeros((len(rows), self.count))
            for key, where in fields.columns.items():
                if key[0] == "body" and key[1] != GROUND:
                    moved[:, place[key[1]]] += rates[:, where]
                elif key in self.columns:
                    shaped[:, self.columns[key]] += rates[:, where]
            by_pose.append(moved)
            by_shape.append(shaped)
        return np.array(residuals), np.vstack(by_pose), np.vstack(by_shape)

    def moved(self, poses: dict[str, BodyPose], twists: np.ndarray) -> dict[str, BodyPose]:
        parts = twists.reshape(len(self.bodies), -1)
        dimension = self.model.dimension
        moved = {GROUND: poses[GROUND]}
        for name, twist in zip(self.bodies, parts, strict=True):
            pose = poses[name]
            turn = rotation(twist[dimension:])
            moved[name] = BodyPose(pose.origin + self.length * twist[:dimension], turn @ pose.axes)
        return moved

    def move(self, change: np.ndarray) -> None:
        """Changes points, directions and lengths by `change`."""
        self.change += change
        for (kind, name), where in self.columns.items():
            if kind == "point":
                x = self.points[name]
                x[: where.stop - where.start] += self.length * change[where]
        joints = []
        for joint in self.joints:
            fields: dict[str, Vector | float] = {}
            for field, direction in joint.directions():
                where_turned = self.columns.get((field[-1], joint.name))
                if direction and where_turned:
                    turned = rotation(change[where_turned]) @ np.array(direction)
                    fields[field] = unit(tuple(turned.tolist()))
            if joint.rod is not None:
                fields["length"] = joint.rod + self.length * float(change[self.columns["length", joint.name]][0])
            joints.append(msgspec.structs.replace(joint, **fields))
        self.joints = joints

    def fitted_model(self) -> Model:
        """The description with this geometry."""
        named: dict[str, dict[str, Vector]] = {name: {} for name in (GROUND, *self.bodies)}
        for reference, place in self.points.items():
            named[body_of(reference)][reference.rpartition(".")[2]] = tuple(place.tolist())
        bodies = tuple(body.with_points(named[body.name]) for body in self.model.bodies)
        return msgspec.structs.replace(self.model, ground=named[GROUND], bodies=bodies, joints=tuple(self.joints))

    def changes(self) -> tuple[GeometryChange, ...]:
        """All changes larger than round-off, largest first."""
        return tuple(sorted(self._each_change(), key=lambda change: -change.amount))

    def _each_change(self) -> Iterator[GeometryChange]:
        moved = {key: float(np.linalg.norm(self.change[where])) for key, where in self.columns.items()}
        joints = {joint.name: joint for joint in self.joints}
        for (kind, name), amount in (self.turned | moved).items():
            if amount <= 10.0 * EXACT:
                continue
            if kind in "ab":
                body = body_of(getattr(joints[name], kind))
                yield GeometryChange(f"the direction of joint '{name}' in '{body}'", amount, "rad")
            else:
                what = f"point '{name}'" if kind == "point" else f"the length of joint '{name}'"
                yield GeometryChange(what, amount * self.length, "m")


class _Local:
    """The fields of one joint: jets with derivatives with respect to the twists of its two bodies and to its
    geometry."""

    def __init__(self, shape: Shape, joint: Joint, poses: dict[str, BodyPose]) -> None:
        self.shape, self.joint, self.poses = shape, joint, poses
        self.dimension, self.length = shape.model.dimension, shape.length
        a, b = joint.bodies
        sizes = {
            ("body", a): shape.size_of_twist,
            ("body", b): shape.size_of_twist,
            ("point", joint.a): self.dimension,
            ("point", joint.b): self.dimension,
            ("a", joint.name): shape.turns,
            ("b", joint.name): shape.turns,
            ("length", joint.name): 1,
        }
        self.columns: dict[tuple[str, str], slice] = {}
        self.count = 0
        for key, size in sizes.items():
            # the ends of a bar have fewer parameters than coordinates
            size = min(size, shape.columns[key].stop - shape.columns[key].start) if key in shape.columns else size
            self.columns[key] = slice(self.count, self.count + size)
            self.count += size

    def equations(self) -> list[Jet]:
        joint = self.joint
        if joint.rod is not None:
            rates = np.zeros(self.count)
            rates[self.columns["length", joint.name]] = self.length
            joint = msgspec.structs.replace(joint, length=Jet(joint.rod, rates, 0.0))
        return joint.equations(self)

    def point(self, reference: str) -> list[Jet]:
        body = body_of(reference)
        pose = self.poses[body]
        arm = pose.axes @ self.shape.points[reference]
        rates = np.zeros((self.dimension, self.count))
        own = self.columns["body", body]
        rates[:, own.start : own.start + self.dimension] = self.length * np.eye(self.dimension)
        rates[:, own.start + self.dimension : own.stop] = turning(arm)
        moved = self.columns["point", reference]
        rates[:, moved] = self.length * pose.axes[:, : moved.stop - moved.start]
        return [Jet(x, rate, 0.0) for x, rate in zip(pose.origin + arm, rates, strict=True)]

    def arrow(self, body: str, direction: Vector) -> list[Jet]:
        pose = self.poses[body]
        drawn = self.length * (pose.axes @ np.array(direction))
        rates = np.zeros((self.dimension, self.count))
        own = self.columns["body", body]
        rates[:, own.start + self.dimension : own.stop] = turning(drawn)
        side = "a" if body == self.joint.bodies[0] else "b"
        rates[:, self.columns[side, self.joint.name]] = pose.axes @ turning(self.length * np.array(direction))
        return [Jet(x, rate, 0.0) for x, rate in zip(drawn, rates, strict=True)]


def turning(arm: np.ndarray) -> np.ndarray:
    """The velocity of the tip of an arm for unit rotations: ω × r, as columns."""
    if len(arm) == 2:
        return np.array([[-arm[1]], [arm[0]]])
    x, y, z = arm
    return np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])


def rotation(turn: np.ndarray) -> np.ndarray:
    """The rotation matrix of a rotation vector: 1 + sin φ K + (1 − cos φ) K²; one angle in the plane."""
    if len(turn) == 1:
        c, s = np.cos(turn[0]), np.sin(turn[0])
        return np.array([[c, -s], [s, c]])
    angle = float(np.linalg.norm(turn))
    if angle == 0.0:
        return np.eye(3)
    x, y, z = turn / angle
    k = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + np.sin(angle) * k + 2.0 * np.sin(0.5 * angle) ** 2 * (k @ k))
