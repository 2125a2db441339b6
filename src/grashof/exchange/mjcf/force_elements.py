"""Forces as elements of an MJCF document: springs of joints and tendons, armature, dry friction, constant actuators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from grashof.exchange.mjcf.document import MjcfDocument, row
from grashof.exchange.pulls import spring_of
from grashof.exchange.stages import coordinate, reading
from grashof.model.bodies import GROUND
from grashof.model.forces import Force, Friction, Inerter, PointForce, Pull, SpringDamper, Torque, TorsionSpring
from grashof.model.laws import Law


class ForceElements:
    """Adds forces to a document."""

    def __init__(self, document: MjcfDocument) -> None:
        self.document, self.situation = document, document.situation

    def push(self, force: Force) -> bool:
        """Adds a force as an equivalent MuJoCo element; returns whether there is one."""
        elements: dict[type, Callable[[Any], bool]] = {
            SpringDamper: self._spring,
            Friction: self._friction,
            Inerter: self._armature,
            PointForce: self._push_at_point,
            TorsionSpring: self._torsion_spring,
            Pull: self._pull,
            Torque: lambda torque: self._drive(torque, torque.angle, torque.torque),
        }
        element = elements.get(type(force))
        return element is not None and force.active and element(force)

    def _spring(self, force: SpringDamper) -> bool:
        if force.varies:
            return False
        k, length, c = (float(force.number(law)) for law in force.laws())
        _, spring = self.document.tendon(force.name, force.a, force.b)
        spring.element.attrib |= {"stiffness": repr(k), "damping": repr(c), "springlength": repr(length)}
        return True

    def _armature(self, force: Inerter) -> bool:
        found = coordinate(self.situation, self.situation.model.quantities[force.measure])
        if found is None:
            return False
        attributes = self.document.joints[found.link, found.freedom][1].element.attrib
        attributes["armature"] = repr(float(attributes.get("armature", "0")) + float(force.inertance))
        return True

    def _friction(self, force: Friction) -> bool:
        """Dry friction of a joint with one freedom, of a given size."""
        links = [k for k, link in enumerate(self.situation.tree) if link.joint and link.joint.name == force.joint]
        if force.varies or force.bearings() or len(links) != 1 or (links[0], 0) not in self.document.joints:
            return False
        if len(self.situation.tree[links[0]].freedoms) != 1 or force.number(force.viscous):
            return False
        if force.number(force.static):
            return False
        attributes = self.document.joints[links[0], 0][1].element.attrib
        if attributes["type"] not in ("hinge", "slide") or "frictionloss" in attributes:
            return False
        attributes["frictionloss"] = repr(float(force.number(force.coulomb)))
        return True

    def _push_at_point(self, force: PointForce) -> bool:
        if force.varies:
            return False
        components = [float(force.number(x)) for x in force.force]
        world = {"refsite": self._world()} if force.axes == "world" else {}
        self._actuator(force.name, [*components, 0.0, 0.0, 0.0], site=self.document.sites[force.point], **world)
        return True

    def _torsion_spring(self, force: TorsionSpring) -> bool:
        if force.varies:
            return False
        k, rest, c = (float(force.number(law)) for law in force.laws())
        return self._coil(force.angle, k, rest, c)

    def _pull(self, force: Pull) -> bool:
        if sizes := spring_of(force):
            return self._coil(force.measure, *sizes)
        return self._drive(force, force.measure, force.force)

    def _coil(self, name: str, k: float, rest: float, c: float) -> bool:
        """The spring and damper of a joint along a measure, if the joint has none yet."""
        s, document = self.situation, self.document
        measure = s.model.quantities[name]
        found = coordinate(s, measure)
        if found is None:
            return False
        called, joint = document.joints[found.link, found.freedom]
        if "stiffness" in joint.element.attrib:
            return False
        slot = document.hung[found.link].slots[found.freedom]
        if slot.name != name:
            rest = slot.value + found.sign * (rest - reading(s, measure))
        told = ""
        if called in document.springs:
            # measures of several joints of one body count from the reference position
            (reference, position, _), (known, text) = document.starts[id(joint.element)], document.springs[called]
            asked = next((x.value for x in s.original.start.wants if x.quantity == name), position[0])
            shift = 0.0 if asked == position[0] else reference[0]
            told = text if known - shift == rest else ""
            rest += shift
        turning = joint.element.attrib["type"] == "hinge"
        rested = told or repr(document.angle(rest, turning))
        joint.element.attrib |= {"stiffness": repr(k), "damping": repr(c), "springref": rested}
        return True

    def _drive(self, force: Force, target: str, law: Law) -> bool:
        """A constant force or torque along a joint, along a tendon or, if the axis is fixed in both bodies, about that
        axis.
        """
        if force.varies:
            return False
        s = self.situation
        measure, effort = s.model.quantities[target], float(force.number(law))
        found = coordinate(s, measure)
        if found is not None:
            self._actuator(force.name, [found.sign * effort], joint=self.document.joints[found.link, found.freedom][0])
            return True
        if measure.motion is None or not s.coaxial(measure):
            return False
        axis = effort * s.axis_of(measure.motion, *measure.bodies)
        for body, sign in zip(measure.bodies[::-1], (1.0, -1.0), strict=True):
            if body != GROUND:
                site = self.document.mark(body, np.zeros(3), f"{force.name} {body}")
                self._actuator(f"{force.name} {body}", [0.0, 0.0, 0.0, *(sign * (s.pose(body)[1].T @ axis))], site=site)
        return True

    def _world(self) -> str:
        if "world axes" not in self.document.sites:
            self.document.sites["world axes"] = self.document.mark(GROUND, np.zeros(3), "world axes")
        return self.document.sites["world axes"]

    def _actuator(self, name: str, gear: Sequence[float], **where: str) -> None:
        """A constant force that does not depend on the control."""
        constant = {"gaintype": "fixed", "gainprm": "0", "biastype": "affine", "biasprm": "1 0 0"}
        self.document.actuators.add("general", name=name, gear=row(gear), **constant, **where)
