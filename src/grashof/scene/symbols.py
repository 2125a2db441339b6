"""The symbols with which a mechanism is drawn, from its description."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from grashof.model import forces as acting
from grashof.model import joints as jointed
from grashof.model.couplings import Rack
from grashof.model.fields import body_of
from grashof.model.measures import Angle, Coordinate, Separation
from grashof.scene import types
from grashof.scene.couplings import Couplings, Facts
from grashof.scene.start import AXIS, Start, perpendicular, space


@dataclass(frozen=True)
class Symbols:
    """Makes the symbols of a mechanism."""

    start: Start

    def all(self) -> Iterator[types.AnySymbol]:
        """The symbols of joints, forces, couplings and motors."""
        for joint in self.start.model.joints:
            yield self.joint(joint)
        for force in self.start.model.forces:
            yield from self.force(force)
        yield from Couplings(self.start).all()
        for motor in self.start.model.motors:
            law = motor.law if motor.law is not None else f"speed {motor.speed}"
            yield from self.drive(motor.name, motor.target, True, (("type", "motor"), ("law", str(law))))

    def joint(self, joint: jointed.Joint) -> types.AnySymbol:
        """The symbol of a joint."""
        a, b = self.start.spot(joint.a), self.start.spot(joint.b)
        facts: Facts = (("type", str(joint.__struct_config__.tag)), ("joins", f"{joint.a} and {joint.b}"))
        name = joint.name
        match joint:
            case jointed.Revolute():
                axis = space(joint.axis_a) if joint.axis_a else AXIS
                return types.Pin(name=name, facts=facts, a=a, b=b, axis=axis)
            case jointed.Spherical():
                return types.Ball(name=name, facts=facts, a=a, b=b)
            case jointed.Universal():
                return types.Cross(
                    name=name, facts=facts, a=a, b=b, arm_a=space(joint.axis_a), arm_b=space(joint.axis_b)
                )
            case jointed.Plane():
                return types.Face(name=name, facts=facts, a=a, b=b, normal=space(joint.normal_a))
            case jointed.Distance():
                length = (("length", f"{joint.length:.6g} m"),)
                return types.Rod(name=name, facts=(*facts, *length), a=a, b=b)
            case jointed.Weld():
                return types.Weld(name=name, facts=facts, a=a, b=b)
            case jointed.Slider() | jointed.PinInSlot() | jointed.PointOnLine() | jointed.Cylindrical():
                axis = space(joint.axis_a)
                lower, upper = self.start.travel(a, b, a.body, axis)
                if name in self.start.tracks:
                    return self._track(joint, facts, lower, upper)
                block = {jointed.Slider: "block", jointed.Cylindrical: "sleeve"}.get(type(joint), "pin")
                if body_of(joint.b) in self.start.contacts:
                    block = "none"
                given = joint.normal_a if isinstance(joint, jointed.Slider) else ()
                across = AXIS if self.start.model.dimension == 2 else space(perpendicular(np.array(axis)))
                normal = space(given) if given else across
                return types.Guide(
                    name=name, facts=facts, a=a, b=b, axis=axis, normal=normal, lower=lower, upper=upper, block=block
                )

    def _track(self, joint: jointed.Joint, facts: Facts, lower: float, upper: float) -> types.AnySymbol:
        """The line on which a wheel rolls: one radius below the slot in which its centre moves."""
        assert isinstance(joint, jointed.PinInSlot)
        rack = next(x for x in self.start.model.couplings if isinstance(x, Rack) and x.name == joint.name)
        base, along = np.array(self.start.spot(joint.a).at), np.array(space(joint.axis_a))
        # x = r θ, where r is negative for a wheel on the left of the line
        below = base + float(rack.radius) * np.cross(AXIS, along)
        ends = tuple(space(below + reach * along) for reach in (lower, upper))
        body = self.start.numbers[joint.bodies[0]]
        return types.Outline(name=joint.name, facts=facts, body=body, corners=ends, closed=False)

    def force(self, force: acting.Force) -> Iterator[types.AnySymbol]:
        """The symbol of a force, if it acts at a definite place."""
        facts: Facts
        match force:
            case acting.SpringDamper():
                facts = (
                    ("type", "spring"),
                    ("stiffness", f"{_told(force.stiffness)} N/m"),
                    ("relaxed length", f"{_told(force.length)} m"),
                    ("damping", f"{_told(force.damping)} N s/m"),
                )
                relaxed = force.constant(force.length)
                yield types.Spring(
                    name=force.name,
                    facts=facts,
                    a=self.start.spot(force.a),
                    b=self.start.spot(force.b),
                    elastic=force.stiffness != 0.0,
                    damped=force.damping != 0.0,
                    length=0.0 if relaxed is None else float(relaxed),
                )
            case acting.Bushing():
                yield types.Bushing(
                    name=force.name,
                    facts=(("type", "bushing"),),
                    a=self.start.spot(force.a),
                    b=self.start.spot(force.b),
                )
            case acting.TorsionSpring():
                facts = (
                    ("type", "torsional spring"),
                    ("stiffness", f"{_told(force.stiffness)} N m/rad"),
                    ("damping", f"{_told(force.damping)} N m s/rad"),
                )
                pivot = self.start.pivot(self.start.model.all_measures.get(force.angle))
                if pivot is not None:
                    yield types.Coil(
                        name=force.name,
                        facts=facts,
                        a=pivot[0],
                        axis=pivot[1],
                        elastic=force.stiffness != 0.0,
                        damped=force.damping != 0.0,
                    )
            case acting.Torque():
                facts = (("type", "torque"), ("torque", f"{_told(force.torque)} N m"))
                yield from self.drive(force.name, force.angle, False, facts)
            case acting.Pull():
                facts = (("type", "pull"), ("force", f"{_told(force.force)} N"))
                yield from self.drive(force.name, force.measure, False, facts)
            case acting.PointForce():
                parts = [force.constant(part) for part in force.force]
                facts = (("type", "force"), ("force", f"({', '.join(_told(x) for x in force.force)}) N"))
                known = [0.0 if x is None else float(x) for x in parts]
                direction = (0.0, 0.0, 0.0) if None in parts else space(known)
                place, follows = self.start.spot(force.point), force.axes == "body"
                yield types.Load(name=force.name, facts=facts, a=place, direction=direction, follows=follows)
            case _:
                return

    def drive(self, name: str, target: str, prescribed: bool, facts: Facts) -> Iterator[types.AnySymbol]:
        """The symbol of a motor or torque, at the place of the measure it acts on."""
        measure = self.start.model.quantities.get(target)
        if isinstance(measure, Angle):
            pivot = self.start.pivot(measure)
            if pivot is not None:
                yield types.Drive(name=name, facts=facts, a=pivot[0], b=None, axis=pivot[1], prescribed=prescribed)
        elif isinstance(measure, Separation):
            a, b = self.start.spot(measure.a), self.start.spot(measure.b)
            yield types.Drive(name=name, facts=facts, a=a, b=b, axis=(0.0, 0.0, 0.0), prescribed=prescribed)
        elif isinstance(measure, Coordinate):
            a = self.start.spot(measure.origin) if measure.origin else types.Spot(0, (0.0, 0.0, 0.0))
            b = self.start.spot(measure.point)
            yield types.Drive(name=name, facts=facts, a=a, b=b, axis=space(measure.direction), prescribed=prescribed)


def _told(law: object) -> str:
    return f"{law:.6g}" if isinstance(law, int | float) else str(law)
