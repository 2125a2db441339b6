"""The symbols by which a mechanism is drawn, from its description."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grashof.model import couplings as coupled
from grashof.model import forces as acting
from grashof.model import joints as jointed
from grashof.model.bodies import GROUND
from grashof.model.couplings.profile import OnCurve
from grashof.model.fields import body_of
from grashof.model.measures import Angle, Coordinate, Measure, Path, Separation
from grashof.model.model import Model
from grashof.scene import types

Travel = Callable[[jointed.Joint], tuple[float, float]]
"""From where to where a joint's second point moves along its line during the motion."""

Facts = tuple[tuple[str, str], ...]

AXIS = (0.0, 0.0, 1.0)
"""What everything in the plane turns about."""


def space(vector: Sequence[float]) -> types.Vec3:
    """Three components."""
    x, y, z = (*(float(c) for c in vector), 0.0, 0.0)[:3]
    return x, y, z


@dataclass(frozen=True)
class Symbols:
    """Makes the symbols of a mechanism.

    places   where the named points are at the start, in world axes
    """

    model: Model
    places: dict[str, np.ndarray]
    travel: Travel

    @cached_property
    def numbers(self) -> dict[str, int]:
        """The bodies' numbers."""
        return {GROUND: 0} | {body.name: k for k, body in enumerate(self.model.bodies, 1)}

    def spot(self, point: str) -> types.Spot:
        """A named point as a place on its body."""
        return types.Spot(self.numbers[body_of(point)], space(self.model.points[point]))

    def all(self) -> Iterable[types.AnySymbol]:
        """Joints, forces, couplings and motors."""
        for joint in self.model.joints:
            yield self.joint(joint)
        for force in self.model.forces:
            yield from self.force(force)
        for coupling in self.model.couplings:
            yield from self.coupling(coupling)
        for motor in self.model.motors:
            law = motor.law if motor.law is not None else f"speed {motor.speed}"
            yield from self.drive(motor.name, motor.target, True, (("type", "motor"), ("law", str(law))))

    def joint(self, joint: jointed.Joint) -> types.AnySymbol:
        """A joint."""
        a, b = self.spot(joint.a), self.spot(joint.b)
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
            case jointed.Slider() | jointed.PinInSlot() | jointed.Cylindrical():
                block = {jointed.Slider: "block", jointed.PinInSlot: "pin", jointed.Cylindrical: "sleeve"}[type(joint)]
                axis = space(joint.axis_a)
                given = joint.normal_a if isinstance(joint, jointed.Slider) else ()
                normal = space(given) if given else _across(axis, self.model.dimension)
                lower, upper = self.travel(joint)
                return types.Guide(
                    name=name, facts=facts, a=a, b=b, axis=axis, normal=normal, lower=lower, upper=upper, block=block
                )

    def force(self, force: acting.Force) -> Iterable[types.AnySymbol]:
        """A force, unless it has no place of its own."""
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
                    a=self.spot(force.a),
                    b=self.spot(force.b),
                    elastic=force.stiffness != 0.0,
                    damped=force.damping != 0.0,
                    length=0.0 if relaxed is None else float(relaxed),
                )
            case acting.Bushing():
                yield types.Bushing(
                    name=force.name, facts=(("type", "bushing"),), a=self.spot(force.a), b=self.spot(force.b)
                )
            case acting.TorsionSpring():
                facts = (
                    ("type", "torsional spring"),
                    ("stiffness", f"{_told(force.stiffness)} N m/rad"),
                    ("damping", f"{_told(force.damping)} N m s/rad"),
                )
                pivot = self.pivot(self.model.all_measures.get(force.angle))
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
            case acting.PointForce():
                parts = [force.constant(part) for part in force.force]
                facts = (("type", "force"), ("force", f"({', '.join(_told(x) for x in force.force)}) N"))
                direction = space([0.0 if x is None else float(x) for x in parts])
                yield types.Load(name=force.name, facts=facts, a=self.spot(force.point), direction=direction)
            case _:
                return

    def drive(self, name: str, target: str, prescribed: bool, facts: Facts) -> Iterable[types.AnySymbol]:
        """A motor or torque, where its measure is."""
        measure = self.model.quantities.get(target)
        if isinstance(measure, Angle):
            pivot = self.pivot(measure)
            if pivot is not None:
                yield types.Drive(name=name, facts=facts, a=pivot[0], b=None, axis=pivot[1], prescribed=prescribed)
        elif isinstance(measure, Separation):
            a, b = self.spot(measure.a), self.spot(measure.b)
            yield types.Drive(name=name, facts=facts, a=a, b=b, axis=AXIS, prescribed=prescribed)
        elif isinstance(measure, Coordinate):
            a = self.spot(measure.point)
            yield types.Drive(name=name, facts=facts, a=a, b=a, axis=space(measure.direction), prescribed=prescribed)

    def coupling(self, coupling: coupled.Coupling) -> Iterable[types.AnySymbol]:
        """A coupling, if it has a place."""
        kind = (("type", str(coupling.__struct_config__.tag)),)
        match coupling:
            case coupled.Gear():
                yield from self.gears(coupling, (*kind, ("teeth", " : ".join(f"{x:g}" for x in coupling.teeth))))
            case coupled.Belt():
                a, b = (self.pivot(self.model.all_measures.get(name)) for name in (coupling.a, coupling.b))
                if a and b:
                    radii = (float(coupling.radii[0]), float(coupling.radii[1]))
                    for (spot, axis), radius in zip((a, b), radii, strict=True):
                        yield types.Gear(
                            name=coupling.name, facts=kind, a=spot, axis=axis, radius=radius, teeth=0, internal=False
                        )
                    yield types.Belt(
                        name=coupling.name, facts=kind, a=a[0], b=b[0], radii=radii, crossed=coupling.crossed
                    )
            case coupled.Rack():
                pinion = self.pivot(self.model.all_measures.get(coupling.pinion))
                if pinion:
                    yield types.Gear(
                        name=coupling.name,
                        facts=kind,
                        a=pinion[0],
                        axis=pinion[1],
                        radius=abs(float(coupling.radius)),
                        teeth=0,
                        internal=False,
                    )
            case coupled.Linear():
                paths = [self.model.all_measures.get(name) for name in coupling.terms]
                for path in paths:
                    if isinstance(path, Path):
                        through = tuple(self.spot(point) for point in path.points)
                        yield types.Rope(name=coupling.name, facts=(("type", "rope"),), through=through)
            case OnCurve():
                corners = self.curve(coupling)
                if corners:
                    yield types.Outline(
                        name=coupling.name,
                        facts=kind,
                        body=self.numbers[coupling.body],
                        corners=corners,
                        closed=coupling.radius is not None or (bool(coupling.points) and coupling.closed),
                    )
            case _:
                return

    def gears(self, gear: coupled.Gear, facts: Facts) -> Iterable[types.AnySymbol]:
        """Two wheels, each about the pin of its body, as large as their distance makes them."""
        found = [self.wheel(name, gear.carrier) for name in (gear.a, gear.b)]
        if None in found:
            return
        here = [place for _, _, place in filter(None, found)]
        first, second = (float(z) for z in gear.teeth)
        apart = float(np.linalg.norm(np.subtract(here[1], here[0])))
        share = abs(second - first) if gear.internal else first + second
        if apart == 0.0 or share == 0.0:
            return
        for (spot, axis, _), own, other in zip(filter(None, found), (first, second), (second, first), strict=True):
            yield types.Gear(
                name=gear.name,
                facts=facts,
                a=spot,
                axis=axis,
                radius=apart * own / share,
                teeth=round(own) if own >= 6 and abs(own - round(own)) < 1e-9 else 0,
                internal=gear.internal and own > other,
            )

    def pivot(self, measure: Measure | None) -> tuple[types.Spot, types.Vec3] | None:
        """Where a body turns: at the pin that joins it to the reference of its angle, else at its first pin, else at its first point."""
        if not isinstance(measure, Angle):
            return None
        point, axis = self._pin(measure)
        if point is None:
            number = self.numbers[measure.body]
            own = next((name for name in self.model.points if body_of(name) == measure.body), None)
            at = space(self.model.points[own]) if own else (0.0, 0.0, 0.0)
            return types.Spot(number, at), axis
        return self.spot(point), axis

    def wheel(self, angle: str, carrier: str) -> tuple[types.Spot, types.Vec3, np.ndarray] | None:
        """The centre of a wheel, its axis, and where the centre is at the start; a wheel that stands still is about the pin of the carrier."""
        measure = self.model.all_measures.get(carrier if angle == GROUND else angle)
        point, axis = self._pin(measure) if isinstance(measure, Angle) else (None, AXIS)
        if point is None:
            return None
        place = self.places[point]
        return (types.Spot(0, space(list(place))) if angle == GROUND else self.spot(point)), axis, place

    def _pin(self, measure: Angle) -> tuple[str | None, types.Vec3]:
        own = [joint for joint in self.model.joints if measure.body in joint.bodies]
        turning = [joint for joint in own if isinstance(joint, jointed.Revolute | jointed.Cylindrical)]
        turning.sort(key=lambda joint: measure.reference not in joint.bodies)
        for joint in turning:
            first = joint.bodies[0] == measure.body
            axis = joint.axis_a if first else joint.axis_b
            return (joint.a if first else joint.b), space(axis) if axis else AXIS
        return None, space(measure.axis) if measure.axis else AXIS

    def curve(self, curve: OnCurve) -> tuple[types.Vec3, ...]:
        """Corners of the curve in the axes of its body; none of an implicit one."""
        if curve.implicit is not None:
            return ()
        base = self.model.points[curve.origin]
        if curve.radius is not None or (curve.points and curve.closed):
            around = np.linspace(-np.pi, np.pi, 181)[:-1]
            # g = r − R(φ): at radius 1, R = 1 − g
            radii = [1.0 - float(curve.g(float(np.cos(phi)), float(np.sin(phi)))) for phi in around]
            corners = [(r * np.cos(phi), r * np.sin(phi)) for r, phi in zip(radii, around, strict=True)]
        else:
            reach = [x for x, _ in curve.points] if curve.points else self._reach(curve)
            along = np.linspace(min(reach), max(reach), 121)
            corners = [(x, -float(curve.g(float(x), 0.0))) for x in along]
        return tuple(space([base[0] + x, base[1] + y]) for x, y in corners if np.isfinite(x) and np.isfinite(y))

    def _reach(self, curve: OnCurve) -> tuple[float, float]:
        """Where a curve that goes on for ever is drawn: about as far as the mechanism is large."""
        span = np.ptp(np.array(list(self.places.values())), axis=0)
        size = float(np.max(span)) or 1.0
        return -0.6 * size, 0.6 * size


def _across(axis: types.Vec3, dimension: int) -> types.Vec3:
    if dimension == 2:
        return AXIS
    other = np.eye(3)[int(np.argmin(np.abs(axis)))]
    normal = np.cross(axis, other)
    return space(list(normal / np.linalg.norm(normal)))


def _told(law: object) -> str:
    return f"{law:.6g}" if isinstance(law, int | float) else str(law)
