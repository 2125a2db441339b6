"""Reads URDF, the robots of ROS: links with inertials, joints with damping, friction and limits, mimic joints.

URDF has no loops, no gravity and no start. A file beside it, `robot.loops.toml` for `robot.urdf`, adds what a
mechanism's own file would say: joints that close loops and the points they are at, gravity, forces, motors, needs and
wants (docs/exchange.md). Without it gravity is 9.81 m/s² along −z.
"""

from __future__ import annotations

import math
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w

from grashof.common.errors import ModelError, did_you_mean
from grashof.common.writing import read_at_most
from grashof.exchange.draft import Draft
from grashof.exchange.frames import across, rotation
from grashof.exchange.moves import Frame, Move
from grashof.exchange.parsing import direction, number, numbers
from grashof.exchange.xml import Element
from grashof.model import files
from grashof.model.bodies import GROUND
from grashof.model.couplings.linear import Linear
from grashof.model.fields import Vector, cross, unit
from grashof.model.forces import Friction, Pull, TorsionSpring
from grashof.model.model import Model

GRAVITY: Vector = (0.0, 0.0, -9.81)
_ORIGIN: Vector = (0.0, 0.0, 0.0)
_SKIPPED = frozenset({"link", "joint", "material", "gazebo", "transmission"})
_MOVES = {"revolute": "turn", "continuous": "turn", "prismatic": "slide"}


def read(root: Element, path: Path | None = None) -> tuple[Model, list[str]]:
    """The mechanism, and sentences about the parts of the document that were left out."""
    if root.tag != "robot":
        raise ModelError(f"the root element is <{root.tag}>; that of a URDF document is <robot>.")
    model, left_out = UrdfReader(root).model()
    beside = None if path is None else path.with_name(f"{path.stem}.loops.toml")
    if beside is not None and beside.exists():
        try:
            text = read_at_most(beside, files.LARGEST).decode("utf-8-sig")
        except (OSError, UnicodeDecodeError) as problem:
            raise ModelError(f"{beside}: the file cannot be read ({problem}).") from None
        model = with_loops(model, text, str(beside))
    return model, left_out


class UrdfReader:
    """One document."""

    def __init__(self, root: Element) -> None:
        self.root, self.draft = root, Draft(root.name, GRAVITY)
        self.measures: dict[str, str] = {}

    def model(self) -> tuple[Model, list[str]]:
        links = {link.name: link for link in self.root.all("link")}
        joints = self.root.all("joint")
        below: dict[str, list[Element]] = {}
        children: set[str] = set()
        for joint in joints:
            parent, child = (self._end(joint, tag, links) for tag in ("parent", "child"))
            if child in children:
                raise ModelError(
                    f"{joint.place}: link '{child}' has two parents; URDF has no loops, so close them in the "
                    ".loops.toml file."
                )
            children.add(child)
            below.setdefault(parent, []).append(joint)
        roots = [name for name in links if name not in children]
        if links and not roots:
            raise ModelError(
                "every link is the child of another one, in a ring; URDF has no loops, so close them in the "
                ".loops.toml file."
            )
        for name, link in links.items():
            self._link(name, link)
        for name in roots:
            # what the robot stands on; links of their own float
            if below.get(name) or len(links) == 1:
                self.draft.hang(
                    f"{name} to ground", GROUND, (_ORIGIN, np.eye(3)), name, (_ORIGIN, np.eye(3)), [], (name, "origin")
                )
        waiting = list(reversed(roots))
        while waiting:
            for joint in below.get(waiting.pop(), ()):
                self._hang(joint)
                waiting.append(self._end(joint, "child", links))
        for joint in joints:
            self._mimic(joint)
        for part in self.root.children:
            if part.tag not in _SKIPPED:
                self.leave_out(part)
        return self.draft.finish(), self.draft.left_out

    def leave_out(self, part: Element, why: str = "") -> None:
        """Records a part of the document that is left out."""
        self.draft.left_out.append(f"{part.place}: {why or f'{part.tag} is not supported'}; it is left out.")

    def _end(self, joint: Element, tag: str, links: dict[str, Element]) -> str:
        end = joint.first(tag)
        name = "" if end is None else end.attributes.get("link", "")
        if name not in links:
            raise ModelError(
                f"{joint.place}: its {tag} is '{name}', and there is no such link; {did_you_mean(name, links)}"
            )
        return name.replace(".", "_")

    def _link(self, name: str, link: Element) -> None:
        inertial = link.first("inertial")
        mass, place = 0.0, _ORIGIN
        entries: Vector = (0.0, 0.0, 0.0)
        if inertial is not None:
            place, axes = self._origin(inertial)
            mass = self._attribute(inertial, "mass", "value", 0.0)
            xx, yy, zz, xy, xz, yz = (
                self._attribute(inertial, "inertia", f"i{x}", 0.0) for x in ("xx", "yy", "zz", "xy", "xz", "yz")
            )
            matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            if not np.array_equal(axes, np.eye(3)):
                matrix = axes @ matrix @ axes.T
            (xx, xy, xz), (_, yy, yz), (_, _, zz) = matrix.tolist()
            entries = (xx, yy, zz, xy, xz, yz) if xy or xz or yz else (xx, yy, zz)
        try:
            self.draft.body(name.replace(".", "_"), mass, place, entries)
        except ModelError as problem:
            raise ModelError(f"{link.place}: {problem}") from None
        self.draft.point(name.replace(".", "_"), "origin", _ORIGIN)

    def _origin(self, part: Element) -> Frame:
        """Position and orientation: roll, pitch and yaw about the fixed axes x, y, z."""
        origin = part.first("origin")
        if origin is None:
            return _ORIGIN, np.eye(3)
        place = numbers(origin, "xyz", origin.attributes.get("xyz", "0 0 0"), 3)
        roll, pitch, yaw = numbers(origin, "rpy", origin.attributes.get("rpy", "0 0 0"), 3)
        if not (roll or pitch or yaw):
            return place, np.eye(3)
        return place, rotation((0.0, 0.0, yaw)) @ rotation((0.0, pitch, 0.0)) @ rotation((roll, 0.0, 0.0))

    def _attribute(self, part: Element, tag: str, name: str, default: float) -> float:
        found = part.first(tag)
        text = "" if found is None else found.attributes.get(name, "")
        return default if found is None or not text else number(found, name, text)

    def _hang(self, joint: Element) -> None:
        parent, child = (
            (joint.first(tag) or Element("")).attributes.get("link", "").replace(".", "_")
            for tag in ("parent", "child")
        )
        kind, at = joint.attributes.get("type", ""), self._origin(joint)
        axis: Vector = (1.0, 0.0, 0.0)
        if (told := joint.first("axis")) is not None:
            axis = numbers(told, "xyz", told.attributes.get("xyz", "1 0 0"), 3)
            axis = axis if math.hypot(*axis) == 1.0 else unit(direction(told, "xyz", axis))
        name = joint.name or f"{parent}_{child}"
        on: Frame = (_ORIGIN, np.eye(3))
        match kind:
            case "fixed":
                moves: list[Move] = []
            case "revolute" | "continuous" | "prismatic":
                moves = [Move("slide" if kind == "prismatic" else "turn", axis, 0.0, 0.0, name)]
            case "floating":
                moves = [
                    Move(x, tuple(float(i == k) for i in range(3)), 0.0, 0.0, f"{x}{k}")
                    for x in ("slide", "turn")
                    for k in range(3)
                ]
            case "planar":
                x, y = _beside(axis)
                moves = [
                    Move("slide", x, 0.0, 0.0, f"{name}_x"),
                    Move("slide", y, 0.0, 0.0, f"{name}_y"),
                    Move("turn", axis, 0.0, 0.0, f"{name}_turn"),
                ]
            case _:
                raise ModelError(
                    f"{joint.place}: type is '{kind}'; it must be revolute, continuous, prismatic, fixed, "
                    "floating or planar."
                )
        try:
            shown = self.draft.hang(name, parent, at, child, on, moves, (name, "origin"))
        except ModelError as problem:
            raise ModelError(f"{joint.place}: {problem}") from None
        if kind in _MOVES:
            self.measures[joint.name] = shown[0]
            self._passive(joint, name, shown[0], kind)

    def _passive(self, joint: Element, name: str, measure: str, kind: str) -> None:
        damping, friction = (self._attribute(joint, "dynamics", x, 0.0) for x in ("damping", "friction"))
        if damping and kind != "prismatic":
            self.draft.push(TorsionSpring(name=f"damping {name}", angle=measure, damping=damping))
        elif damping:
            self.draft.push(Pull(name=f"damping {name}", measure=measure, force=f"-{damping!r}*`{measure}.rate`"))
        if friction:
            self.draft.push(Friction(name=f"friction {name}", joint=self.draft.joints[-1].name, coulomb=friction))
        limit = joint.first("limit")
        if limit is not None and kind != "continuous" and ("lower" in limit.attributes or "upper" in limit.attributes):
            low, high = (number(limit, x, limit.attributes.get(x, "0")) for x in ("lower", "upper"))
            self.draft.left_out.append(
                f"{joint.place}: it is limited from {low:g} to {high:g}, and such limits are not simulated; "
                "the joint is free."
            )

    def _mimic(self, joint: Element) -> None:
        """q = multiplier · q_other + offset."""
        mimic = joint.first("mimic")
        if mimic is None:
            return
        other, own = self.measures.get(mimic.attributes.get("joint", "")), self.measures.get(joint.name)
        if not other or not own or other == own:
            raise ModelError(
                f"{mimic.place}: it mimics the joint '{mimic.attributes.get('joint', '')}', but there is no "
                "revolute or prismatic joint of that name."
            )
        factor, offset = (
            number(mimic, x, mimic.attributes.get(x, y)) for x, y in (("multiplier", "1"), ("offset", "0"))
        )
        terms = {own: 1.0} | ({other: -factor} if factor else {})
        self.draft.couplings.append(Linear(name=self.draft.work_name(f"mimic {joint.name}"), terms=terms, law=offset))


def _beside(axis: Vector) -> tuple[Vector, Vector]:
    """Two directions perpendicular to an axis and to each other."""
    first = across(axis)
    return first, unit(cross(axis, first))


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
