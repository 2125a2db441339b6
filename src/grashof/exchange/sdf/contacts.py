"""Contact of the collision shapes of links with planes."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from grashof.exchange.draft import Draft
from grashof.exchange.moves import Frame
from grashof.exchange.parsing import child_number, child_vector
from grashof.exchange.sdf.poses import read_pose
from grashof.exchange.surfaces import Shape, TouchingPlane, add_contact, is_still, standing_law, toes
from grashof.exchange.xml import Element
from grashof.model.fields import unit


@dataclass
class Surfaces:
    """The shapes and planes of all models, each with its coefficient of friction."""

    shapes: list[tuple[str, str, Shape, float]] = field(default_factory=list)
    planes: list[tuple[TouchingPlane, float]] = field(default_factory=list)

    def add(self, body: str, link: Element) -> list[str]:
        """Adds the collisions of a link; sentences about those that are not supported."""
        left_out = []
        for collision in link.all("collision"):
            at, mu = read_pose(collision), _friction(collision)
            geometry = collision.first("geometry") or Element("geometry")
            part = next(iter(geometry.children), Element("geometry"))
            if (collision.first("pose") or collision).attributes.get("relative_to"):
                left_out.append(f"{collision.place}: its pose is relative to another frame; it is left out.")
            elif part.tag == "plane":
                normal = at[1] @ np.array(child_vector(part, "normal", (0.0, 0.0, 1.0)))
                self.planes.append((TouchingPlane(body, at[0], unit(tuple(map(float, normal)))), mu))
            elif (shape := _shape(part, at)) is not None:
                self.shapes.append((body, collision.name, shape, mu))
            else:
                left_out.append(f"{collision.place}: contact of a {part.tag} is not supported; it is left out.")
        return left_out

    def touch(self, draft: Draft) -> None:
        """Contacts of all shapes with all planes; of two coefficients of friction the smaller one counts, as in ODE."""
        law = standing_law(draft)
        for plane, mu in self.planes:
            for body, name, shape, own in self.shapes:
                if body != plane.body and not (is_still(draft, body) and is_still(draft, plane.body)):
                    for k, toe in enumerate(toes(shape), 1):
                        add_contact(draft, f"contact {body} {name} {k}", plane, body, toe, mu=min(mu, own), **law)


def _shape(part: Element, at: Frame) -> Shape | None:
    match part.tag:
        case "sphere":
            return Shape(part.tag, (child_number(part, "radius", 1.0),), at)
        case "capsule" | "cylinder":
            usual = (0.5, 1.0) if part.tag == "capsule" else (1.0, 1.0)
            radius, length = (child_number(part, x, y) for x, y in zip(("radius", "length"), usual, strict=True))
            return Shape(part.tag, (radius, 0.5 * length), at)
        case "box":
            return Shape(part.tag, tuple(0.5 * x for x in child_vector(part, "size", (1.0, 1.0, 1.0))), at)
    return None


def _friction(collision: Element) -> float:
    """The first coefficient of friction for ODE, 1 by default."""
    part = collision
    for tag in ("surface", "friction", "ode"):
        part = part.first(tag) or Element(tag)
    return child_number(part, "mu", 1.0)
