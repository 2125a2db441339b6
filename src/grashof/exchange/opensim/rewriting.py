"""Writes parts for OpenSim in the form that they had in a file, with the values of the start where these are others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grashof.exchange.opensim.forms import GROUPS
from grashof.exchange.opensim.kept_parts import Told
from grashof.exchange.parsing import child_number
from grashof.exchange.stages import coordinate, nearest_requested, reading
from grashof.exchange.xml import Element, Maker
from grashof.situation import Situation

if TYPE_CHECKING:
    from grashof.exchange.opensim.document import OpenSimDocument


def is_start_known(s: Situation, told: Told) -> bool:
    """Whether the values and speeds of all coordinates of an element at the start are known."""
    return told.measured and all(coordinate(s, s.model.quantities[x]) for x in told.coordinates)


def add_as_told(document: OpenSimDocument, told: Told) -> None:
    """Adds an element to its set."""
    part = told.element
    names, group = document.groups[GROUPS[part.tag]]
    made = group.add(part.tag, name=names.new(part.name))
    for child in sorted(part.children, key=lambda child: child.tag == "SpatialTransform"):
        _copy(document, made, child, told)


def _copy(document: OpenSimDocument, owner: Maker, part: Element, told: Told) -> None:
    """An element with the names that bodies and coordinates have in the document."""
    text, named = part.text, {"name": part.name} if part.name else {}
    if part.tag == "Coordinate":
        _coordinate(document, owner, part, told)
        return
    if part.tag.startswith("socket_") and text.startswith("/bodyset/"):
        text = document.bodies[text.rpartition("/")[2]]
    if part.tag == "coordinates" and not part.children:  # those of an axis
        text = " ".join(
            document.told_coordinates[name][0] for name in text.split() if name in document.told_coordinates
        )
    made = owner.add(part.tag, None if part.children else text, **named)
    for child in part.children:
        _copy(document, made, child, told)


def _coordinate(document: OpenSimDocument, owner: Maker, part: Element, told: Told) -> None:
    """A coordinate with its value and speed at the start."""
    called = document.coordinate_names.new(part.name)
    made = owner.add("Coordinate", name=called)
    document.told_coordinates[part.name] = called, made
    value, rate = (child_number(part, tag, 0.0) for tag in ("default_value", "default_speed_value"))
    for measure, (name, factor) in told.coordinates.items():
        if name == part.name:
            now = value_now(document, measure), _rate_now(document, measure, factor * rate)
            value, rate = (x if factor * x == y else y / factor for x, y in zip((value, rate), now, strict=True))
            break
    made.add("default_value", value)
    made.add("default_speed_value", rate)
    made.add("range", (-1e6, 1e6))


def value_now(document: OpenSimDocument, measure: str) -> float:
    """The value of a measure at the start."""
    s = document.situation
    return nearest_requested(s, measure, "value", reading(s, s.model.quantities[measure]), document.near)


def _rate_now(document: OpenSimDocument, measure: str, told: float) -> float:
    """The rate of a measure at the start; as in the file if it is not known."""
    s = document.situation
    found = coordinate(s, s.model.quantities[measure])
    if found is None:
        return told
    return nearest_requested(
        s, measure, "rate", found.sign * document.hung[found.link].slots[found.freedom].rate, document.near
    )
