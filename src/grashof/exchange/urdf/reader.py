"""Reads URDF, the robots of ROS: links with inertials, joints with damping, friction and limits, mimic joints.

URDF has no loops, no gravity and no start. A file beside it, `robot.loops.toml` for `robot.urdf`, adds what a
mechanism's own file would say: joints that close loops and the points they are at, gravity, forces, motors, needs and
wants (docs/exchange.md). Without it gravity is 9.81 m/s² along −z.
"""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from grashof.common.errors import ModelError, did_you_mean
from grashof.common.wording import quote_first
from grashof.common.writing import read_at_most
from grashof.exchange.draft import Draft
from grashof.exchange.names import Names
from grashof.exchange.passive import add_damping, add_limits
from grashof.exchange.urdf.contacts import add_contacts
from grashof.exchange.urdf.idle import JointOutline, find_idle_joints
from grashof.exchange.urdf.joints import ORIGIN, SINGLE, UrdfJoint, attribute, read_joint, read_origin
from grashof.exchange.xml import Element
from grashof.model import files
from grashof.model.bodies import GROUND
from grashof.model.couplings.linear import Linear
from grashof.model.fields import Vector
from grashof.model.model import Model

GRAVITY: Vector = (0.0, 0.0, -9.81)
_MECHANICAL = ("_joint", ":joint", "constraint", "bushing", "spring", "actuator", "force")
"""Words in the names of elements with which some programs extend URDF by parts of a mechanism."""
_SKIPPED = frozenset({"link", "joint", "material", "gazebo", "transmission"})


def read(
    root: Element, path: Path | None = None, limits: str = "compliant", contact: bool = False
) -> tuple[Model, list[str], list[str]]:
    """The mechanism, sentences about the parts of the document that were left out, and remarks; `limits` and `contact`
    as in `load`."""
    if root.tag != "robot":
        raise ModelError(f"the root element is <{root.tag}>; that of a URDF document is <robot>.")
    beside = None if path is None else path.with_name(f"{path.stem.removesuffix('.urdf')}.loops.toml")
    more = ""
    if beside is not None and beside.exists():
        try:
            more = read_at_most(beside, files.LARGEST).decode("utf-8-sig")
        except (OSError, UnicodeDecodeError) as problem:
            raise ModelError(f"{beside}: the file cannot be read ({problem}).") from None
    reader = UrdfReader(root, more, limits, contact)
    model = reader.model()
    if more:
        model = with_loops(model, more, str(beside))
    return model, reader.draft.left_out, reader.remarks


class UrdfReader:
    """One document; `more` is the text of the file beside it."""

    def __init__(self, root: Element, more: str = "", limits: str = "compliant", contact: bool = False) -> None:
        self.has_contact = contact
        self.root, self.more, self.limits, self.draft = root, more, limits, Draft(root.name, GRAVITY)
        self.remarks: list[str] = []
        self.joints: dict[str, UrdfJoint] = {}
        """By their names in the document."""
        self.measures: dict[str, str] = {}
        self.inertias: dict[str, float] = {}

    def model(self) -> Model:
        """The mechanism."""
        bodies = self._name_links()
        below: dict[str, list[UrdfJoint]] = {}
        children: set[str] = set()
        for element in self.root.all("joint"):
            joint = read_joint(element, *(self._end(element, tag, bodies) for tag in ("parent", "child")))
            if joint.child in children:
                raise ModelError(
                    f"{element.place}: link '{joint.child}' has two parents; URDF has no loops, so close them in the "
                    ".loops.toml file."
                )
            if self.limits == "none":
                joint = replace(joint, limits=None)
            children.add(joint.child)
            below.setdefault(joint.parent, []).append(joint)
            self.joints.setdefault(joint.key, joint)
        roots = [name for name in bodies.values() if name not in children]
        if bodies and not roots:
            raise ModelError(
                "every link is the child of another one, in a ring; URDF has no loops, so close them in the "
                ".loops.toml file."
            )
        for link in self.root.all("link"):
            self._add_link(bodies[link.name], link)
        for name in roots:
            # what the robot stands on; links of their own float
            if below.get(name) or len(bodies) == 1:
                self.draft.hang(
                    f"{name} to ground", GROUND, (ORIGIN, np.eye(3)), name, (ORIGIN, np.eye(3)), [], (name, "origin")
                )
        idle = self._find_idle(roots, below)
        waiting = list(reversed(roots))
        while waiting:
            for joint in below.get(waiting.pop(), ()):
                self._hang(joint, joint.name in idle)
                waiting.append(joint.child)
        for own in (joint for joints in below.values() for joint in joints):
            self._mimic(own)
        if self.has_contact:
            self.draft.left_out += add_contacts(self.draft, ((bodies[x.name], x) for x in self.root.all("link")))
        for part in self.root.children:
            if any(word in part.tag.lower() for word in _MECHANICAL):
                self.leave_out(part)
            elif part.tag not in _SKIPPED:
                self.remarks.append(f"{part.place}: URDF has no such element, so it has no effect.")
        return self.draft.finish()

    def leave_out(self, part: Element, why: str = "") -> None:
        """Records a part of the document that is left out."""
        self.draft.left_out.append(f"{part.place}: {why or f'{part.tag} is not supported'}; it is left out.")

    def _name_links(self) -> dict[str, str]:
        """The body of each link: its name without dots."""
        names = Names(r".\x00-\x1f\x7f")
        names.new(GROUND)
        found: dict[str, str] = {}
        for link in self.root.all("link"):
            if link.name in found:
                raise ModelError(f"{link.place}: there are two links of that name; give each link a unique name.")
            found[link.name] = names.new(link.name)
            if link.name == GROUND:
                self.remarks.append(
                    f"{link.place}: the ground has that name in a mechanism, so the link is called "
                    f"'{found[link.name]}'."
                )
        return found

    def _end(self, joint: Element, tag: str, links: dict[str, str]) -> str:
        end = joint.first(tag)
        name = "" if end is None else end.attributes.get("link", "")
        if name not in links:
            raise ModelError(
                f"{joint.place}: its {tag} is '{name}', and there is no such link; {did_you_mean(name, links)}"
            )
        return links[name]

    def _add_link(self, name: str, link: Element) -> None:
        inertial = link.first("inertial")
        mass, place = 0.0, ORIGIN
        entries: Vector = (0.0, 0.0, 0.0)
        if inertial is not None:
            place, axes = read_origin(inertial)
            mass = attribute(inertial, "mass", "value", 0.0)
            xx, yy, zz, xy, xz, yz = (
                attribute(inertial, "inertia", f"i{x}", 0.0) for x in ("xx", "yy", "zz", "xy", "xz", "yz")
            )
            matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            if not np.array_equal(axes, np.eye(3)):
                matrix = axes @ matrix @ axes.T
            (xx, xy, xz), (_, yy, yz), (_, _, zz) = matrix.tolist()
            entries = (xx, yy, zz, xy, xz, yz) if xy or xz or yz else (xx, yy, zz)
        try:
            self.draft.body(name, mass, place, entries)
        except ModelError as problem:
            raise ModelError(f"{link.place}: {problem}") from None
        self.draft.point(name, "origin", ORIGIN)

    def _find_idle(self, roots: list[str], below: dict[str, list[UrdfJoint]]) -> set[str]:
        """The joints that are held because they move nothing with mass."""
        mimicking = {joint.mimic.other for joint in self.joints.values() if joint.mimic}
        outlines = {
            parent: [
                JointOutline(
                    joint.name, joint.kind, joint.child, joint.at, joint.axis,
                    joint.mimic is not None or joint.key in mimicking
                    or any(name and name in self.more for name in (joint.key, joint.child)),
                )
                for joint in joints
            ]
            for parent, joints in below.items()
        }  # fmt: skip
        idle, self.inertias = find_idle_joints(roots, outlines, self.draft.bodies)
        if idle:
            names = [joint.name for joints in below.values() for joint in joints if joint.name in idle]
            many = len(names) > 1
            self.remarks.append(
                f"Joint{'s' * many} {quote_first(names)}: nothing that {'they move' if many else 'it moves'} has mass, "
                f"so {'they are' if many else 'it is'} held at zero."
            )
        return idle

    def _start(self, joint: UrdfJoint, depth: int = 0) -> float:
        """The coordinate of a joint at the start; that of a mimic joint follows from the other one."""
        other = self.joints.get(joint.mimic.other) if joint.mimic else None
        if other is None or joint.mimic is None or depth > len(self.joints):
            return joint.start
        followed = self._start(other, depth + 1) if other.kind in SINGLE else 0.0
        return joint.mimic.factor * followed + joint.mimic.offset

    def _hang(self, joint: UrdfJoint, held: bool) -> None:
        start = 0.0 if held else self._start(joint)
        moves = [] if held else joint.moves(start)
        try:
            shown = self.draft.hang(
                joint.name, joint.parent, joint.at, joint.child, (ORIGIN, np.eye(3)), moves, (joint.name, "origin")
            )
        except ModelError as problem:
            raise ModelError(f"{joint.element.place}: {problem}") from None
        if joint.kind in SINGLE and not held:
            self.measures[joint.key] = shown[0]
            self._passive(joint, shown[0])

    def _passive(self, joint: UrdfJoint, measure: str) -> None:
        """Damping, friction and limits."""
        name = joint.name
        add_damping(self.draft, name, measure, joint.damping)
        if joint.friction:
            self.draft.rub(f"friction {name}", self.draft.joints[-1].name, joint.friction)
        if joint.limits is None or (joint.mimic and self.joints.get(joint.mimic.other, joint).limits):
            return  # a mimic joint reaches its limits when the other one does
        low, high = joint.limits
        if not low < high:
            self.remarks.append(
                f"{joint.element.place}: its limits are {low:g} and {high:g}, which leave no room, so it has none."
            )
            return
        if joint.start and not joint.mimic:
            self.remarks.append(
                f"{joint.element.place}: zero is outside its limits, {low:g} and {high:g}, so it starts between them, "
                f"at {joint.start:g}."
            )
        add_limits(self.draft, name, measure, (low, high), self.inertias[name], self.limits)

    def _mimic(self, joint: UrdfJoint) -> None:
        mimic = joint.mimic
        if mimic is None:
            return
        there, own = self.joints.get(mimic.other), self.measures.get(joint.key)
        if there is None or there is joint or (there.kind not in SINGLE and there.kind != "fixed"):
            self.leave_out(
                mimic.element,
                f"it mimics the joint '{mimic.other}', but there is no revolute or prismatic joint of that name",
            )
            return
        other = self.measures.get(mimic.other)
        terms = {own: 1.0} | ({other: -mimic.factor} if other and mimic.factor else {}) if own else {}
        if terms:
            self.draft.couplings.append(
                Linear(name=self.draft.work_name(f"mimic {joint.name}"), terms=terms, law=mimic.offset)
            )


def with_loops(model: Model, text: str, source: str) -> Model:
    """The robot with the additions from the .loops.toml file: the tables of Grashof's own format, and points of links
    as [points.LINK].
    """
    try:
        extra = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, ValueError, RecursionError) as problem:
        raise ModelError(f"{source}: this is not TOML: {problem}.") from None
    extra.pop("format", None)
    points = extra.pop("points", {})
    content = tomllib.loads(files.dumps(model))
    bodies = {body["name"]: body for body in content.get("bodies", [])}
    for name, own in (points if isinstance(points, dict) else {}).items():
        if name not in bodies or not isinstance(own, dict):
            raise ModelError(f"{source}: points: there is no link '{name}'; {did_you_mean(name, bodies)}")
        bodies[name]["points"] = bodies[name].get("points", {}) | own
    for section, value in extra.items():
        if section in ("bodies", "dimension"):
            raise ModelError(
                f"{source}: {section}: this file cannot change the bodies of the robot; it may contain joints, "
                "forces, motors and the start."
            )
        before = content.get(section)
        if isinstance(value, list) and isinstance(before, list) and section != "gravity":
            content[section] = before + value
        elif isinstance(value, dict) and isinstance(before, dict):
            content[section] = _merge_tables(before, value)
        else:
            content[section] = value
    return files.loads(tomli_w.dumps(content), source=source)


def _merge_tables(first: dict[str, Any], second: dict[str, Any]) -> dict[str, Any]:
    """Merges two tables: lists are concatenated, and nested tables are merged recursively."""
    found = dict(first)
    for key, value in second.items():
        before = found.get(key)
        if isinstance(before, list) and isinstance(value, list):
            found[key] = before + value
        elif isinstance(before, dict) and isinstance(value, dict):
            found[key] = before | value
        else:
            found[key] = value
    return found
