"""Writes a mechanism as URDF: a tree of links and joints with limits, damping, dry friction and mimic joints.

URDF has no gravity, no loops, no start and no springs. The frame of a link is that of the joint above it, as the format
wants it; joints are at zero where the declared coordinates of the mechanism are, and others where they start. Joints
with several coordinates, apart from floating and planar ones, become several joints with links without mass between
them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from grashof.exchange.moves import Frame, Move, move_frame
from grashof.exchange.names import Names
from grashof.exchange.passive import damping_of
from grashof.exchange.stages import Stage, coordinate, hang, linear_combination, reading
from grashof.exchange.urdf.joints import ORIGIN, UNLIMITED
from grashof.exchange.urdf.reader import GRAVITY
from grashof.exchange.xml import Maker, xml_text
from grashof.model.bodies import GROUND
from grashof.model.couplings import Coupling
from grashof.model.fields import Vector
from grashof.model.forces import Force, Friction, Pull, Stop, TorsionSpring
from grashof.model.model import Model
from grashof.situation import Situation, situation

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
BALL = (X, Y, Z)
AXES = {"PinJoint": (Z,), "SliderJoint": (X,), "UniversalJoint": (X, Y), "BallJoint": BALL, "GimbalJoint": BALL}
"""The axes of the coordinates of joints, in the axes of their frames."""
WHOLE = {"WeldJoint": "fixed", "PlanarJoint": "planar", "FreeJoint": "floating"}
"""Kinds that have an equivalent in URDF, whatever the number of their coordinates."""
AT_REST = 1e-12
IDENTITY: Frame = (ORIGIN, np.eye(3))


def write(model: Model) -> tuple[str, list[str]]:
    """The document, and sentences about the parts of the mechanism that were left out."""
    document = UrdfDocument(situation(model))
    return document.text(), document.left_out


@dataclass
class WrittenJoint:
    """A joint with one coordinate: its element and all that acts along it; `at_start` is the coordinate there."""

    element: Maker
    name: str
    at_start: float
    damping: float = 0.0
    friction: float = 0.0
    limits: tuple[float, float] | None = None
    mimic: tuple[str, float, float] | None = None


@dataclass
class UrdfDocument:
    """The document of a situation.

    frames   of the links, in the axes of their bodies
    single   the joints with one coordinate, by link and coordinate of the tree
    """

    situation: Situation
    left_out: list[str] = field(default_factory=list)
    frames: dict[str, Frame] = field(default_factory=lambda: {GROUND: IDENTITY})
    single: dict[tuple[int, int], WrittenJoint] = field(default_factory=dict)

    def __post_init__(self) -> None:
        s = self.situation
        self.root = Maker("robot", name=s.original.name)
        self._links, self._joints = Names(r"\x00-\x1f\x7f"), Names(r"\x00-\x1f\x7f")
        self.links = {body: self._links.new(body) for body in s.bodies}
        self.links[GROUND] = self._links.new("world")
        self.root.add("link", name=self.links[GROUND])
        for k, hung in enumerate(hang(s)):
            self._hang(k, hung.link.body, hung.link.parent, hung.stages)
        for force in s.model.forces:
            if not self._push(force):
                self.left_out.append(f"Force '{force.name}': URDF has no element that follows the same law.")
        for coupling in s.model.couplings:
            if not self._couple(coupling):
                self.left_out.append(
                    f"Coupling '{coupling.name}': URDF only has joints that mimic one other, linearly."
                )
        for motor in s.model.motors:
            self.left_out.append(f"Motor '{motor.name}': URDF has no joints whose motion is prescribed.")
        for joint in s.closures:
            self.left_out.append(f"Joint '{joint.name}': it closes a loop, and URDF has trees only.")
        for event in s.original.events:
            self.left_out.append(f"Event '{event.name}': URDF has no events.")
        if tuple(s.gravity) != GRAVITY:
            self.left_out.append("Gravity: URDF has none, and programs take 9.81 m/s² along −z.")
        if any(abs(joint.at_start) > AT_REST for joint in self.single.values()) or np.any(s.velocities):
            self.left_out.append("Start: URDF has none; robots start at rest, with all joints at zero.")

    def text(self) -> str:
        for joint in self.single.values():
            self._finish(joint)
        return self.root.document()

    # -- links and joints

    def _hang(self, k: int, body: str, parent: str, stages: Sequence[Stage]) -> None:
        s, above, count = self.situation, self.links[parent], 0
        frame = self.frames[parent]
        for number, stage in enumerate(stages):
            last = number + 1 == len(stages)
            at = stage.parent
            below = self.links[body] if last else self._links.new(f"{body} between")
            if stage.kind == "FreeJoint":
                (base, base_axes), (origin, axes) = s.pose(parent), s.pose(body)
                at, on = (_vector(base_axes.T @ (origin - base)), base_axes.T @ axes), IDENTITY
            else:
                on = stage.child
            if last:
                self._add_link(body, on)
            self._chain(k, count, stage, above, _seen_from(frame, at), below)
            count += len(stage.slots)
            above, frame = below, on
            if not last:
                self.root.add("link", name=below)
        self.frames[body] = frame

    def _chain(self, k: int, count: int, stage: Stage, above: str, at: Frame, below: str) -> None:
        """The joints of a stage, whose frame on the link above is given."""
        joint = self.situation.tree[k].joint
        called = joint.name if joint is not None else f"{below} free"
        if stage.kind in WHOLE:
            made = self._joint(self._joints.new(called), WHOLE[stage.kind], above, below, at)
            if stage.kind == "PlanarJoint":
                made.add("axis", xyz=xml_text(Z))
            return
        if stage.kind == "BallJoint":
            self.left_out.append(
                f"Joint '{called}': URDF has no ball joints; it is written as three revolute joints, the second of "
                "which must not reach 90°."
            )
        along = (X, Y, Z)[stage.along]
        axes = AXES.get(stage.kind, (along, Z))
        for i, (slot, axis) in enumerate(zip(stage.slots, axes, strict=True)):
            end = i + 1 == len(axes)
            link = below if end else self._links.new(f"{below} between")
            kind = "prismatic" if slot.freedom.kind == "slide" else "continuous"
            name = self._joints.new(slot.name if slot.measured or len(axes) > 1 else called)
            begin = 0.0 if slot.measured else slot.value  # nothing else counts it, so that it may be zero at the start
            at = move_frame(at, [Move("slide" if kind == "prismatic" else "turn", axis, begin)])
            made = self._joint(name, kind, above, link, at)
            made.add("axis", xyz=xml_text(axis))
            self.single[k, count + i] = WrittenJoint(made, name, slot.value - begin)
            if not end:
                self.root.add("link", name=link)
            above, at = link, IDENTITY

    def _joint(self, name: str, kind: str, above: str, below: str, at: Frame) -> Maker:
        made = self.root.add("joint", name=name, type=kind)
        made.add("parent", link=above)
        made.add("child", link=below)
        made.add("origin", xyz=xml_text(at[0]), rpy=xml_text(roll_pitch_yaw(at[1])))
        return made

    def _add_link(self, body: str, frame: Frame) -> None:
        """A link with its mass, in the axes of its frame."""
        s, (place, axes) = self.situation, frame
        k = s.index[body]
        made = self.root.add("link", name=self.links[body])
        if not s.masses[k]:
            return
        inertial = made.add("inertial")
        inertial.add("origin", xyz=xml_text(_vector(axes.T @ (s.centers[k] - np.array(place)))), rpy="0 0 0")
        inertial.add("mass", value=xml_text(float(s.masses[k])))
        inertia = axes.T @ s.inertias[k] @ axes
        names = {"ixx": (0, 0), "iyy": (1, 1), "izz": (2, 2), "ixy": (0, 1), "ixz": (0, 2), "iyz": (1, 2)}
        inertial.add("inertia", **{name: xml_text(float(inertia[at])) for name, at in names.items()})

    def _finish(self, joint: WrittenJoint) -> None:
        """Adds limits, damping, friction and mimic to the element of a joint."""
        made, sliding = joint.element, joint.element.element.attrib["type"] == "prismatic"
        if joint.limits is not None or sliding:
            lower, upper = joint.limits or (-UNLIMITED, UNLIMITED)
            made.element.attrib["type"] = "prismatic" if sliding else "revolute"
            made.add("limit", lower=xml_text(lower), upper=xml_text(upper), effort="0", velocity="0")
        if joint.damping or joint.friction:
            made.add("dynamics", damping=xml_text(joint.damping), friction=xml_text(joint.friction))
        if joint.mimic is not None:
            other, factor, offset = joint.mimic
            made.add("mimic", joint=other, multiplier=xml_text(factor), offset=xml_text(offset))

    # -- what acts along joints

    def _push(self, force: Force) -> bool:
        """Adds a force to a joint; returns whether URDF has it."""
        kinds: dict[type, Callable[[Any], bool]] = {
            TorsionSpring: self._damp,
            Pull: self._damp,
            Friction: self._rub,
            Stop: self._limit,
        }
        add = kinds.get(type(force))
        return add is not None and force.active and add(force)

    def _along(self, measure: str) -> tuple[WrittenJoint, float, float] | None:
        """The joint whose coordinate is q = sign · measure + offset, with its sign and offset."""
        found = coordinate(self.situation, self.situation.model.quantities.get(measure))
        joint = None if found is None else self.single.get((found.link, found.freedom))
        if found is None or joint is None:
            return None
        now = reading(self.situation, self.situation.model.quantities[measure])
        return joint, found.sign, joint.at_start - found.sign * now

    def _damp(self, force: TorsionSpring | Pull) -> bool:
        found, damping = self._along(force.targets()[0]), damping_of(force)
        if found is None or damping is None:
            return False
        found[0].damping += damping
        return True

    def _rub(self, force: Friction) -> bool:
        keys = [(k, 0) for k, link in enumerate(self.situation.tree) if link.joint and link.joint.name == force.joint]
        if force.varies or force.bearings() or not keys or len(self.situation.tree[keys[0][0]].freedoms) != 1:
            return False
        if force.number(force.static):
            return False
        joint = self.single[keys[0]]
        joint.friction += float(force.number(force.coulomb))
        joint.damping += float(force.number(force.viscous))
        return True

    def _limit(self, stop: Stop) -> bool:
        found = self._along(stop.measure)
        if found is None:
            return False
        joint, sign, offset = found
        given = [(which, sign * float(limit) + offset) for which, limit in stop.limits]
        ends = {which if sign > 0.0 else {"lower": "upper", "upper": "lower"}[which]: limit for which, limit in given}
        joint.limits = ends.get("lower", -UNLIMITED), ends.get("upper", UNLIMITED)
        return True

    def _couple(self, coupling: Coupling) -> bool:
        terms = linear_combination(self.situation, coupling)
        if terms is None or len(terms) != 2:
            return False
        (first, a), (second, b) = terms
        one, other = (self.single.get((x.link, x.freedom)) for x in (first, second))
        if one is None or other is None or one.mimic or not a:
            return False
        factor = -float(b) / float(a)
        one.mimic = other.name, factor, one.at_start - factor * other.at_start
        return True


def roll_pitch_yaw(axes: np.ndarray) -> Vector:
    """The angles about the fixed axes x, y, z of a rotation.

    >>> roll_pitch_yaw(np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]))
    (0.0, 0.0, 1.5707963267948966)
    """
    level = math.hypot(axes[0, 0], axes[1, 0])
    pitch = math.atan2(-axes[2, 0], level)
    if level > 1e-9:
        found = math.atan2(axes[2, 1], axes[2, 2]), pitch, math.atan2(axes[1, 0], axes[0, 0])
    else:  # roll and yaw are about the same axis
        found = 0.0, pitch, math.atan2(-axes[0, 1], axes[1, 1])
    return tuple(x + 0.0 for x in found)


def _seen_from(frame: Frame, other: Frame) -> Frame:
    """A frame of the same body in the axes of another one."""
    place, axes = np.array(frame[0]), frame[1]
    return _vector(axes.T @ (np.array(other[0]) - place)), axes.T @ other[1]


def _vector(x: np.ndarray) -> Vector:
    return tuple(float(value) + 0.0 for value in x)
