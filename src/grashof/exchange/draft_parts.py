"""The parts of a mechanism that is being read: bodies, their points, joints, forces and measures, each with a unique
name.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TypeVar

import msgspec

from grashof.common.errors import ModelError
from grashof.exchange.names import Names
from grashof.model.bodies import GROUND, RigidBody
from grashof.model.check import MOST_BODIES
from grashof.model.couplings import Coupling, Motor
from grashof.model.fields import Vector
from grashof.model.forces import Force
from grashof.model.joints import Joint
from grashof.model.measures import Measure

Part = TypeVar("Part", bound=msgspec.Struct)


class Parts:
    """A mechanism that is being read; `left_out` collects sentences about the parts of the file that were left out.

    near   points of a body within this distance of each other, in m, are merged
    """

    def __init__(self, name: str, gravity: Vector, near: float = 0.0) -> None:
        self.name = printable(name) or "mechanism"
        self.gravity = gravity
        self.near = near
        self.left_out: list[str] = []
        self.bodies: dict[str, RigidBody] = {}
        self.points: dict[str, dict[str, Vector]] = {GROUND: {}}
        self.joints: list[Joint] = []
        self.forces: list[Force] = []
        self.motors: list[Motor] = []
        self.couplings: list[Coupling] = []
        self.measures: dict[str, Measure] = {}
        self.source: dict[str, dict[str, str]] = {}
        self._places: dict[tuple[str, Vector], str] = {}
        self._grid: dict[tuple[str | int, ...], str] = {}
        self._counts: dict[tuple[str, str], int] = {}
        self._joint_names, self._force_names = Names(r"\x00-\x1f\x7f"), Names(r"\x00-\x1f\x7f")

    def body(self, name: str, mass: float, center: Vector, inertia: Sequence[float]) -> None:
        """Adds a body; it floats until it is attached to another one."""
        if len(self.bodies) >= MOST_BODIES:
            raise ModelError(f"there are more than {MOST_BODIES} bodies; a mechanism cannot have more.")
        if name in self.points:
            raise ModelError(f"there are two bodies named '{name}'; give each body a unique name.")
        if "." in name or name != printable(name) or not name:
            raise ModelError(f"body {name!r}: its name is empty or contains dots or invisible characters; rename it.")
        self.bodies[name] = RigidBody(name, mass, center, tuple(inertia))
        self.points[name] = {}

    def point(self, body: str, wanted: str, place: Sequence[float], any_name: bool = False, alone: bool = False) -> str:
        """A named point of a body, as `body.point`; an existing point with this name and place is reused.

        any_name   a point with another name at this place is reused, too
        alone      no point with another name is reused, not even within `near`
        """
        own, at = self.points[body], tuple(float(x) for x in place)
        if any_name and (there := self._places.get((body, at))):
            return f"{body}.{there}"
        if self.near and not alone and (there := self._nearby(body, at)):
            return f"{body}.{there}"
        plain = printable(wanted).replace(".", "_") or "p"
        plain = "angle_" if plain == "angle" else plain
        found, count = plain, self._counts.get((body, plain), 1)
        if own.get(plain) == at:
            return f"{body}.{plain}"
        while own.get(found, at) != at:
            count += 1
            found = f"{plain}_{count}"
        self._counts[body, plain] = count
        own[found] = at
        self._places.setdefault((body, at), found)
        if self.near:
            self._grid.setdefault((body, *(round(x / (4.0 * self.near)) for x in at)), found)
        return f"{body}.{found}"

    def _nearby(self, body: str, at: Vector) -> str:
        """A point that is within `near`, or a little farther away; "" if there is none."""
        cell = [round(x / (4.0 * self.near)) for x in at]
        for step in product((0, -1, 1), repeat=3):
            name = self._grid.get((body, *(i + k for i, k in zip(cell, step, strict=True))), "")
            if name and max(abs(x - y) for x, y in zip(self.points[body][name], at, strict=True)) <= self.near:
                return name
        return ""

    def join(self, joint: Joint) -> Joint:
        """Adds a joint under a name that no other one has."""
        named = _rename_part(joint, self._joint_names.new(printable(joint.name)))
        self.joints.append(named)
        return named

    def push(self, force: Force) -> None:
        """Adds a force under a name that no other one has."""
        self.forces.append(_rename_part(force, self._force_names.new(printable(force.name))))

    def work_name(self, wanted: str) -> str:
        """A name for a motor or a coupling."""
        return self._force_names.new(printable(wanted))

    def measure(self, measure: Measure) -> str:
        """Adds a measure, under a name that no other one has."""
        wanted = printable(measure.name)
        own = measure.winds and wanted == f"{measure.bodies[-1]}.angle"
        plain = wanted if own else wanted.replace(".", "_")
        plain = f"{plain or 'q'}_" if plain in ("t", "kinetic", "potential", "energy", "balance", "") else plain
        found, count = plain, self._counts.get(("", plain), 1)
        while found in self.measures:
            count += 1
            found = f"{plain}_{count}"
        self._counts["", plain] = count
        self.measures[found] = _rename_part(measure, found)
        return found


def _rename_part(part: Part, name: str) -> Part:
    return msgspec.structs.replace(part, name=name)


def printable(text: str) -> str:
    return "".join(x for x in text if x.isprintable()).strip()
