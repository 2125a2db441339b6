"""Contact of the collision shapes of a robot with the ground, the plane z = 0."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grashof.exchange.draft import Draft
from grashof.exchange.parsing import number, numbers
from grashof.exchange.surfaces import SHAPES, Shape, TouchingPlane, add_contact, is_still, standing_law, toes
from grashof.exchange.urdf.joints import read_origin
from grashof.exchange.xml import Element
from grashof.model.bodies import GROUND
from grashof.model.fields import Vector

FLOOR = TouchingPlane(GROUND, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
MU = 1.0
"""The format has no friction of surfaces; this is the default of Gazebo."""


def add_contacts(draft: Draft, links: Iterator[tuple[str, Element]]) -> list[str]:
    """Contacts of all simple shapes of links that move; sentences about the others.

    A robot that is fixed to the ground may have shapes that are in the plane from the beginning, such as those of its
    first links; these do not touch it.
    """
    law, left_out = standing_law(draft), []
    fixed = any(joint is not None and parent == GROUND for parent, joint in draft.parents.values())
    for body, link in links:
        for k, collision in enumerate(link.all("collision") if not is_still(draft, body) else (), 1):
            shape = _shape(collision)
            if shape is None:
                left_out.append(f"{collision.place}: contact of such a shape is not supported; it is left out.")
                continue
            found = list(toes(shape))
            if fixed and any(_height(draft, body, toe.place) < toe.radius for toe in found):
                left_out.append(f"{collision.place}: it is in the ground at the start; its contact is left out.")
                continue
            for i, toe in enumerate(found, 1):
                add_contact(draft, f"contact {body} {k} {i}", FLOOR, body, toe, mu=MU, **law)
    return left_out


def _shape(collision: Element) -> Shape | None:
    geometry = collision.first("geometry")
    part = next((x for x in (geometry.children if geometry else ()) if x.tag in SHAPES), None)
    if part is None:
        return None
    if part.tag == "box":
        size: Vector = tuple(0.5 * x for x in numbers(part, "size", part.attributes.get("size", ""), 3))
    else:
        words = ("radius",) if part.tag == "sphere" else ("radius", "length")
        size = tuple(number(part, word, part.attributes.get(word, "")) for word in words)
        size = (size[0], *(0.5 * x for x in size[1:]))
    return Shape(part.tag, size, read_origin(collision))


def _height(draft: Draft, body: str, place: Vector) -> float:
    placed = draft.placed[body]
    return float((placed.origin + placed.axes @ np.array(place))[2])
