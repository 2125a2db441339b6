"""The symbols with which a mechanism is drawn, from its description."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from grashof.model import forces as acting
from grashof.model import joints as jointed
from grashof.model.fields import body_of
from grashof.scene import kinds, types
from grashof.scene.couplings import Couplings, Facts
from grashof.scene.outlines import arc, circle
from grashof.scene.start import AXIS, SceneStart, perpendicular, space
from grashof.scene.stops import stop_symbols

BLOCKS = {"block": "block", "sleeve": "sleeve", "slot": "pin"}
"""What moves along a guide, by the symbol of the joint."""


@dataclass(frozen=True)
class Symbols:
    """Makes the symbols of a mechanism."""

    start: SceneStart

    def all(self) -> Iterator[kinds.Kind]:
        """The symbols of joints, forces, couplings and motors."""
        for joint in self.start.model.joints:
            yield self.joint(joint)
        for force in self.start.model.forces:
            yield from self.force(force)
            if force.stop is not None:
                yield from stop_symbols(self.start, force.name, force.stop)
        yield from self.outlines()
        yield from self.surfaces()
        yield from Couplings(self.start).all()
        for motor in self.start.model.motors:
            law = motor.law if motor.law is not None else f"speed {motor.speed}"
            yield from self.drive(motor.name, motor.target, True, (("type", "motor"), ("law", str(law))))

    def joint(self, joint: jointed.Joint) -> kinds.Kind:
        """The symbol of a joint."""
        facts: Facts = (
            ("type", str(joint.__struct_config__.tag)),
            ("joins", f"{joint.a} and {joint.b}"),
            *joint.properties(),
        )
        given = {field: space(direction) for field, direction in joint.directions() if direction}
        common: dict[str, Any] = {"name": joint.name, "facts": facts}
        common |= {"a": self.start.spot(joint.a), "b": self.start.spot(joint.b)}
        common["meets"] = (common["a"], common["b"]) if joint.points_meet else None
        match joint.symbol:
            case "pin":
                return kinds.Pin(**common, axis=given.get("axis_a", AXIS))
            case "ball":
                return kinds.Ball(**common)
            case "cross":
                return kinds.Cross(**common, arm_a=given["axis_a"], arm_b=given["axis_b"])
            case "face":
                return kinds.Face(**common, normal=given["normal_a"])
            case "rod":
                return kinds.Rod(**common)
            case "weld":
                return kinds.Seam(**common)
            case "wheel":
                facing = given.get("axis_b", AXIS)
                zero = space(perpendicular(np.array(facing)))
                whole: dict[str, Any] = {"radius": joint.rim, "teeth": 0, "internal": False, "zero": zero}
                return kinds.Wheel(name=joint.name, facts=facts, a=common["b"], axis=facing, **whole)
            case "blade":
                return self._blade(joint, space(joint.directions()[0][1]), facts)
        axis = given["axis_a"]
        lower, upper = joint.reach or self.start.travel(common["a"], common["b"], common["a"].body, axis)
        if joint.name in self.start.tracks:
            return self._track(joint, axis, facts, lower, upper)
        block = "none" if body_of(joint.b) in self.start.contacts else BLOCKS[joint.symbol]
        across = AXIS if self.start.model.dimension == 2 else space(perpendicular(np.array(axis)))
        normal = given.get("normal_a", across)
        return kinds.Guide(**common, axis=axis, normal=normal, lower=lower, upper=upper, block=block)

    def _blade(self, joint: jointed.Joint, across: types.Vec3, facts: Facts) -> kinds.Kind:
        """The edge of a knife: a line at its point, a third as long as its body is from there."""
        spot, (_, body) = self.start.spot(joint.b), joint.bodies
        along = np.cross(across, AXIS) if abs(across[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
        model = self.start.model
        others = [space(place) for name, place in model.points.items() if body_of(name) == body]
        others += [space(part.mass_center(model.dimension)) for part in model.bodies if part.name == body]
        far = max((float(np.linalg.norm(np.subtract(place, spot.at))) for place in others), default=0.0)
        reach = (far / 3.0 or 0.1) * along / np.linalg.norm(along)
        ends = tuple(space(np.array(spot.at) + sign * reach) for sign in (-1.0, 1.0))
        return kinds.Outline(name=joint.name, facts=facts, body=spot.body, corners=ends, closed=False)

    def _track(self, joint: jointed.Joint, axis: types.Vec3, facts: Facts, lower: float, upper: float) -> kinds.Kind:
        """The line on which a wheel rolls: one radius below the slot in which its centre moves."""
        base, along = np.array(self.start.spot(joint.a).at), np.array(axis)
        # x = r θ, where r is negative for a wheel on the left of the line
        below = base + self.start.tracks[joint.name] * np.cross(AXIS, along)
        ends = tuple(space(below + reach * along) for reach in (lower, upper))
        body = self.start.numbers[joint.bodies[0]]
        return kinds.Outline(name=joint.name, facts=facts, body=body, corners=ends, closed=False)

    def force(self, force: acting.Force) -> Iterator[kinds.Kind]:
        """The symbol of a force, if it acts at a definite place."""
        element = force.element()
        if element is None:
            return
        common: dict[str, Any] = {"name": force.name, "facts": element.facts}
        common |= dict(zip("ab", (self.start.spot(point) for point in element.points), strict=False))
        match element.kind:
            case "spring":
                yield kinds.Spring(**common, elastic=element.elastic, damped=element.damped, length=element.length)
            case "bushing":
                yield kinds.Mount(**common)
            case "load":
                yield kinds.Load(**common, direction=space(element.direction), follows=element.follows)
            case "coil":
                pivot = self.start.pivot(self.start.model.all_measures.get(element.measure))
                if pivot is not None:
                    spot, axis = pivot
                    yield kinds.Coil(**common, a=spot, axis=axis, elastic=element.elastic, damped=element.damped)
            case "drive":
                yield from self.drive(force.name, element.measure, False, element.facts)

    def outlines(self) -> Iterator[kinds.Kind]:
        """The outlines that forces define, each once: hatched lines, strips with round ends, and discs."""
        found: dict[tuple[object, ...], list[tuple[acting.Force, acting.ForceOutline]]] = {}
        for force in self.start.model.forces:
            for outline in force.outlines():
                found.setdefault(outline[:-1], []).append((force, outline))
        taken: set[str] = set()
        for group in found.values():
            force, outline = group[0]
            name = force.name if force.name not in taken else f"{force.name} {outline.point}"
            taken.add(name)
            facts: Facts = (("type", str(force.__struct_config__.tag)),)
            corners, closed = self._corners(outline, [other for _, (*_, other) in group])
            number = self.start.numbers[body_of(outline.point)]
            places, origin = tuple(map(space, corners)), self.start.spot(outline.point)
            yield kinds.Outline(name=name, facts=facts, body=number, corners=places, closed=closed, origin=origin)

    def _corners(self, outline: acting.ForceOutline, others: list[str]) -> tuple[np.ndarray, bool]:
        """The corners of an outline, along which these points move, and whether it is closed."""
        spot, radius, axis = self.start.spot(outline.point), float(outline.radius), space(outline.axis)
        middle, along = np.array(spot.at), np.array(axis)
        if not outline.axis:
            rim = circle(middle[:2], radius, 96)
            return (np.vstack([rim, rim[:1]]), False) if outline.hollow else (rim, True)
        ranges = [self.start.travel(spot, self.start.spot(other), spot.body, axis) for other in others]
        ranges = [(0.0, float(outline.length))] if outline.length else ranges
        ends = [middle + reach * along for reach in (min(x for x, _ in ranges), max(x for _, x in ranges))]
        if not radius:
            return np.array(ends), False
        begin = float(np.arctan2(along[1], along[0])) + 0.5 * np.pi
        first, last = (arc(end[:2], radius, begin + k * np.pi, begin + (k + 1) * np.pi) for k, end in enumerate(ends))
        return np.vstack([first, last]), True

    def surfaces(self) -> Iterator[kinds.Kind]:
        """The planes, balls and discs that forces define, each once."""
        found: dict[tuple[object, ...], list[tuple[acting.Force, acting.ForceSurface]]] = {}
        for force in self.start.model.forces:
            for surface in force.surfaces():
                found.setdefault(surface[:-1], []).append((force, surface))
        taken: set[str] = set()
        for group in found.values():
            force, surface = group[0]
            spot, axis = self.start.spot(surface.point), space(surface.axis)
            name = force.name if force.name not in taken else f"{force.name} {surface.point}"
            taken.add(name)
            common: dict[str, Any] = {"name": name, "facts": (("type", str(force.__struct_config__.tag)),)}
            if surface.axis and surface.radius:
                whole: dict[str, Any] = {"radius": float(surface.radius), "teeth": 0, "internal": False}
                yield kinds.Wheel(a=spot, axis=axis, zero=space(perpendicular(np.array(axis))), **whole, **common)
            elif surface.axis:
                ranges = self._met(spot, np.array(axis), [self.start.spot(other.other) for _, other in group])
                yield kinds.Wall(body=spot.body, at=spot.at, normal=axis, ranges=ranges, **common)
            elif surface.radius:
                yield kinds.Sphere(a=spot, radius=float(surface.radius), hollow=surface.hollow, **common)

    def _met(
        self, spot: types.Spot, normal: np.ndarray, others: list[types.Spot]
    ) -> tuple[tuple[types.Vec3, float, float], ...]:
        """The part of a plane above which these places move."""
        first = perpendicular(normal)
        found = []
        for along in (space(first), space(np.cross(normal, first))):
            ranges = [self.start.travel(spot, other, spot.body, along) for other in others]
            found.append((along, min(x for x, _ in ranges), max(x for _, x in ranges)))
        return tuple(found)

    def drive(self, name: str, target: str, prescribed: bool, facts: Facts) -> Iterator[kinds.Kind]:
        """The symbol of a motor or torque, at the place of the measure it acts on."""
        measure = self.start.model.quantities.get(target)
        if measure is None:
            return
        common: dict[str, Any] = {"name": name, "facts": facts, "prescribed": prescribed}
        if (pivot := self.start.pivot(measure)) is not None:
            reference = self.start.numbers[measure.bodies[0]]
            yield kinds.Drive(**common, a=pivot[0], b=None, axis=pivot[1], reference=reference, axle=pivot)
        elif measure.ends is not None:
            a, b = (self.start.spot(end) if end else types.Spot(0, (0.0, 0.0, 0.0)) for end in measure.ends)
            if measure.motion is None:
                closed, extended = self.start.spans(a, b)
                yield kinds.Cylinder(name=name, facts=facts, a=a, b=b, closed=closed, extended=extended)
                return
            yield kinds.Drive(**common, a=a, b=b, axis=space(measure.motion.axis_a or ()))
