"""Simple shapes of bodies that touch planes, as contacts of their balls, corners and rims."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from grashof.exchange.draft import Draft
from grashof.exchange.draft_parts import Parts
from grashof.exchange.moves import Frame
from grashof.model.bodies import GROUND
from grashof.model.fields import Vector, unit
from grashof.model.forces import SpatialContact

EARTH = 9.81
"""m/s²: the load for which contacts are made where there is no gravity."""
DEPTH = 1e-3
"""In m; see `standing_law`."""
SHAPES = ("sphere", "capsule", "cylinder", "box")


@dataclass(frozen=True)
class Shape:
    """A shape in the axes of its body: a sphere (radius), a capsule or a cylinder along z (radius, half length; for a
    capsule without its ends), or a box (half sides)."""

    kind: str
    size: tuple[float, ...]
    frame: Frame

    def moved(self, frame: Frame | None) -> Shape:
        """The same in a frame."""
        if frame is None:
            return self
        place, axes = np.array(frame[0]), frame[1]
        at = tuple(map(float, place + axes @ np.array(self.frame[0])))
        return Shape(self.kind, self.size, (at, axes @ self.frame[1]))


@dataclass(frozen=True)
class TouchingPlane:
    """A plane of a body, in the axes of the body; the normal points to its free side."""

    body: str
    place: Vector
    normal: Vector


@dataclass(frozen=True)
class Toe:
    """A part of a shape with which it touches planes: a corner (radius 0), a ball, or a rim with an axis."""

    place: Vector
    radius: float
    axis: Vector = ()


def toes(shape: Shape) -> Iterator[Toe]:
    """The parts of a shape, one of which is the lowest above any plane."""
    origin, axes = np.array(shape.frame[0]), shape.frame[1]

    def at(x: float, y: float, z: float) -> Vector:
        return tuple(map(float, origin + axes @ np.array([x, y, z])))

    if shape.kind == "box":
        for signs in product((-1.0, 1.0), repeat=3):
            yield Toe(at(*(sign * half for sign, half in zip(signs, shape.size, strict=True))), 0.0)
    elif shape.kind == "sphere":
        yield Toe(at(0.0, 0.0, 0.0), shape.size[0])
    else:
        radius, half = shape.size
        axis = unit(tuple(map(float, axes[:, 2]))) if shape.kind == "cylinder" else ()
        yield from (Toe(at(0.0, 0.0, side * half), radius, axis) for side in (-1.0, 1.0))


def is_still(draft: Draft, body: str) -> bool:
    """Whether a body is fixed to the ground."""
    while body != GROUND:
        above, joint = draft.parents.get(body, ("", None))
        if not above or joint is None or joint.motions != ():
            return False
        body = above
    return True


def standing_law(draft: Draft) -> dict[str, float]:
    """The law of contacts whose file does not say one: if a single one carried all bodies that move, it would be 1 mm
    deep, and critically damped."""
    mass = sum(body.mass for body in draft.bodies.values() if not is_still(draft, body.name))
    stiffness = mass * (math.hypot(*draft.gravity) or EARTH) / DEPTH
    return {"stiffness": stiffness, "exponent": 1.0, "viscous": 2.0 * math.sqrt(stiffness * mass), "width": DEPTH}


def add_contact(parts: Parts, name: str, plane: TouchingPlane, body: str, toe: Toe, **law: Any) -> None:
    """The contact of a part of a shape with a plane; `law` are further fields of the contact."""
    called = name.replace(".", "_")
    parts.push(
        SpatialContact(
            name=called,
            a=parts.point(plane.body, "floor", plane.place, any_name=True),
            b=parts.point(body, called, toe.place, any_name=True),
            normal_a=unit(plane.normal),
            radius_b=toe.radius,
            axis_b=toe.axis,
            **law,
        )
    )
