"""What of a description the workbench draws between links and points that are there: gears, belts, racks, cams by
points, cylinders, stops, ropes and friction. Each is found by the type that its table has in a file."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from grashof.model.fields import body_of
from grashof.model.model import Model

LIMITS = ("lower", "upper")

SAME = 1e-5
"""Degrees by which the direction of a slider, which has six decimals, may differ from that of a rack."""


def ends_of(model: Model) -> list[str]:
    """The points between which distances are driven or limited."""
    wanted = {motor.target for motor in model.motors} | {getattr(force, "measure", None) for force in model.forces}
    distances = [measure for measure in model.measures if measure.name in wanted and _tag(measure) == "distance"]
    return [end for measure in distances for end in measure.ends or ()]


@dataclass(frozen=True)
class Drawn:
    """What the sketch has already: names of its links, of its points by those of the description, and of the points
    at which its joints are, with the directions of sliders in degrees."""

    model: Model
    links: frozenset[str]
    points: Mapping[str, str]
    joints: Mapping[str, str]
    sliders: Mapping[str, float]

    def all(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """The list in which each stands, and the device."""
        lists = {"couplings": self.model.couplings, "forces": self.model.forces, "motors": self.model.motors}
        for name, parts in lists.items():
            for part in parts:
                kind = "motor" if name == "motors" else _tag(part)
                found = KINDS[kind](self, part) if kind in KINDS else None
                if found is not None:
                    yield name, {"name": part.name, "own": {}, "links": [], "points": [], **found}

    def link_of(self, angle: str) -> str | None:
        """The link whose angle this is."""
        body, _, last = angle.rpartition(".")
        return body if last == "angle" and body in self.links else None

    def measure(self, name: str) -> Any:
        """The measure of this name, if the description has one."""
        return next((found for found in self.model.measures if found.name == name), None)

    def distance(self, name: str) -> list[str] | None:
        """The points of the sketch between which a distance is measured."""
        measure = self.measure(name)
        if measure is None or _tag(measure) != "distance":
            return None
        ends = [self.points.get(end) for end in measure.ends or ()]
        return [end for end in ends if end is not None] if None not in ends and ends[0] != ends[1] else None


def _tag(part: Any) -> str:
    return str(part.__struct_config__.tag)


def _wheels(field: str, flag: str) -> Callable[[Drawn, Any], dict[str, Any] | None]:
    def found(drawn: Drawn, part: Any) -> dict[str, Any] | None:
        links = [
            drawn.link_of(angle) for angle in (part.a, part.b, *([] if part.carrier == "ground" else [part.carrier]))
        ]
        if None in links or links[0] == links[1]:
            return None
        a, b = map(float, getattr(part, field))
        return {"type": _tag(part), "links": links, "values": {"a": a, "b": b, flag: bool(getattr(part, flag))}}

    return found


def _rack(drawn: Drawn, part: Any) -> dict[str, Any] | None:
    pinion = drawn.link_of(part.pinion)
    point, _, axis = part.rack.rpartition(".")
    angle = {"x": 0.0, "y": 90.0}.get(axis)
    measure: Any = drawn.measure(part.rack)
    if measure is not None and _tag(measure) == "coordinate" and not measure.origin:
        point, angle = measure.point, math.degrees(math.atan2(measure.direction[1], measure.direction[0]))
    slides = drawn.points.get(point, "")
    if pinion is None or angle is None or abs(drawn.sliders.get(slides, math.inf) - angle) > SAME:
        return None
    return {
        "type": "rack",
        "links": [pinion],
        "points": [slides],
        "values": {"radius": float(part.radius)},
        "own": {"rack": part.rack},
    }


def _cam(drawn: Drawn, part: Any) -> dict[str, Any] | None:
    link = body_of(part.origin)
    if not part.points or not part.closed or link not in drawn.links:
        return None
    ends = [drawn.points.get(part.point), drawn.points.get(part.origin)]
    if None in ends:
        return None
    places = ", ".join(f"{float(x)!r} {float(y)!r}" for x, y in part.points)
    return {"type": "cam", "links": [link], "points": ends, "values": {"points": places}}


def _cylinder(drawn: Drawn, part: Any) -> dict[str, Any] | None:
    ends = drawn.distance(part.target)
    if ends is None:
        return None
    speed = {} if part.speed is None else {"speed": str(part.speed)}
    return {"type": "cylinder", "points": ends, "values": speed, "own": {"measure": part.target}}


def _stop(drawn: Drawn, part: Any) -> dict[str, Any] | None:
    limits = {key: "" if getattr(part, key) is None else float(getattr(part, key)) for key in LIMITS}
    bounce = {"restitution": 0.5 if part.restitution is None else float(part.restitution)}
    stiff = {"stiffness": float(part.stiffness) if part.stiffness else ""}
    ends = drawn.distance(part.measure)
    if ends is not None:
        if part.lower is not None or not part.rigid:
            return None
        values = {"upper": limits["upper"], **bounce}
        return {"type": "rope", "points": ends, "values": values, "own": {"measure": part.measure}}
    link = drawn.link_of(part.measure)
    if link is not None:
        return {"type": "stop", "links": [link], "values": {**limits, **bounce, **stiff}}
    point, _, axis = part.measure.rpartition(".")
    if axis not in ("x", "y") or point not in drawn.points:
        return None
    return {"type": "stop", "points": [drawn.points[point]], "values": {**limits, **bounce, **stiff, "along": axis}}


def _friction(drawn: Drawn, part: Any) -> dict[str, Any] | None:
    given = {key: getattr(part, key) for key in ("viscous", "coulomb", "mu", "radius")}
    if part.joint not in drawn.joints or not all(isinstance(x, int | float) for x in given.values()):
        return None
    values = {key: float(x) for key, x in given.items()}
    return {"type": "friction", "points": [drawn.joints[part.joint]], "values": values, "own": {"joint": part.joint}}


KINDS: dict[str, Callable[[Drawn, Any], dict[str, Any] | None]] = {
    "gear": _wheels("teeth", "internal"),
    "belt": _wheels("radii", "crossed"),
    "rack": _rack,
    "curve": _cam,
    "motor": _cylinder,
    "stop": _stop,
    "friction": _friction,
}
