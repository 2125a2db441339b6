"""Parts that a description keeps in the form of an OpenSim document (`opensim_forms`), as far as they still describe
the mechanism."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import msgspec

from grashof.common.errors import ModelError
from grashof.exchange.opensim.forms import GROUPS, element
from grashof.exchange.opensim.reader import OpenSimReader
from grashof.exchange.xml import Element
from grashof.model.bodies import GROUND
from grashof.model.fields import Vector, body_of
from grashof.model.model import Model


@dataclass(frozen=True)
class Told:
    """An element, and the parts of the description that it stands for.

    points       those of markers
    bodies       massless bodies between several joints
    coordinates  for each measure, the coordinate that determines it, and the ratio of the measure to the coordinate
    ends         the bodies that it connects
    """

    element: Element
    joints: frozenset[str]
    forces: frozenset[str]
    points: frozenset[str]
    bodies: frozenset[str]
    couplings: frozenset[str]
    coordinates: dict[str, tuple[str, float]]
    ends: frozenset[str]

    @property
    def measured(self) -> bool:
        """Whether all its coordinates are measures."""
        names = {coordinate for coordinate, _ in self.coordinates.values()}
        return all(one.name in names for one in _inside(self.element, "coordinates", "Coordinate"))


def all_told(model: Model) -> list[Told]:
    """The elements from which exactly the same parts would be read again."""
    found = []
    for key, lines in model.source.items():
        tag, _, name = key.partition(" ")
        if tag in GROUPS:
            try:
                one = _kept_table(element(tag, name, lines), model)
            except ModelError:
                continue
            if one is not None:
                found.append(one)
    return found


def _kept_table(part: Element, model: Model) -> Told | None:
    sockets = [one.text for one in part.walk() if one.tag.startswith("socket_")]
    ends = frozenset(text.rpartition("/")[2] for text in sockets if text.startswith((f"/{GROUND}", "/bodyset/")))
    known = {GROUND, *(body.name for body in model.bodies)}
    if not ends <= known:
        return None
    alone = Element("Model", {"name": "part"})
    bodies = [_body(name) for name in sorted(ends - {GROUND})]
    for group, members in (("BodySet", bodies), (GROUPS[part.tag], [part])):
        alone.children.append(Element(group, children=[Element("objects", children=members)]))
    reader = OpenSimReader(alone)
    read, left_out, _ = reader.model()
    between = frozenset(body.name for body in read.bodies) - ends
    names = {
        field: frozenset(x.name for x in getattr(read, field))
        for field in ("joints", "measures", "couplings", "forces")
    }
    if left_out or between & _used_bodies(model, names["joints"], names["measures"]):
        return None
    if any(_apart(read, field) != _apart(model, field, own) for field, own in names.items()):
        return None
    if part.tag == "Marker" and not read.points.items() <= model.points.items():
        return None
    if any(body.mass or body.inertia_matrix.any() for body in model.bodies if body.name in between):
        return None
    coordinates = _coordinates(reader, read)
    listed = {one.name for one in _inside(part, "coordinates", "Coordinate")}
    if any(name not in listed for name, _ in coordinates.values()):
        return None
    points = frozenset(read.points) if part.tag == "Marker" else frozenset()
    own = (names["joints"], names["forces"], points, between, names["couplings"])
    return Told(part, *own, coordinates, ends)


def _coordinates(reader: OpenSimReader, read: Model) -> dict[str, tuple[str, float]]:
    found = {
        measure: (coordinate, reader.factors[coordinate])
        for coordinate, measure in reader.coordinates.items()
        if measure
    }
    for coupling in read.couplings:
        assert coupling.as_sum is not None
        (dependent, _), (independent, factor) = coupling.as_sum.factors().items()
        coordinate, scale = found[independent]
        found[dependent] = coordinate, -factor * scale
    return found


def _body(name: str) -> Element:
    return Element("Body", {"name": name}, children=[Element("mass", pieces=["1"])])


def _apart(model: Model, field: str, names: Iterable[str] | None = None) -> dict[str, tuple[type, dict[str, object]]]:
    """Parts of a description by name, with the places of their points instead of the points' names."""

    def placed(value: object) -> object:
        if isinstance(value, str) and value in model.points:
            place: Vector = model.points[value]
            return body_of(value), place
        return value

    return {
        part.name: (type(part), {key: placed(value) for key, value in msgspec.structs.asdict(part).items()})
        for part in getattr(model, field)
        if names is None or part.name in names
    }


def _used_bodies(model: Model, joints: frozenset[str], measures: frozenset[str]) -> set[str]:
    """The bodies that other parts of the description refer to."""
    found = {body for joint in model.joints if joint.name not in joints for body in joint.bodies}
    found |= {body for measure in model.measures if measure.name not in measures for body in measure.bodies}
    return found | {body_of(x) for force in model.forces for x in force.targets() if x in model.points}


def _inside(part: Element, *tags: str) -> list[Element]:
    found = [part]
    for tag in tags:
        found = [child for one in found for child in one.all(tag)]
    return found
