"""Joints of OpenSim's documents as sequences of moves."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace

import numpy as np

from grashof.exchange.frames import rotation
from grashof.exchange.moves import Move
from grashof.exchange.opensim.curves import Curve, read_curve
from grashof.exchange.opensim.functions import function_of_axis, linear
from grashof.exchange.parsing import child_number, child_vector, direction
from grashof.exchange.xml import Element
from grashof.model.fields import Vector

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
_MOVES: dict[str, list[tuple[str, Vector, int]]] = {
    "WeldJoint": [],
    "PinJoint": [("turn", Z, 0)],
    "SliderJoint": [("slide", X, 0)],
    "UniversalJoint": [("turn", X, 0), ("turn", Y, 1)],
    "BallJoint": [("turn", X, 0), ("turn", Y, 1), ("turn", Z, 2)],
    "GimbalJoint": [("turn", X, 0), ("turn", Y, 1), ("turn", Z, 2)],
    "PlanarJoint": [("slide", X, 1), ("slide", Y, 2), ("turn", Z, 0)],
    "FreeJoint": [("slide", X, 3), ("slide", Y, 4), ("slide", Z, 5), ("turn", X, 0), ("turn", Y, 1), ("turn", Z, 2)],
}
"""The moves of each joint, with the place of its coordinate in the joint's own list."""
LOOSE = ("BallJoint", "GimbalJoint", "FreeJoint")
"""Joints whose coordinates cannot be measures."""


@dataclass
class Transform:
    """The motion that a joint allows.

    moves         from its first frame to its second
    coordinates   for each coordinate, the name of its move and the ratio of the move to the coordinate
    ties          moves that are a constant multiple of another one
    curves        moves that are a function of a coordinate
    """

    moves: list[Move] = field(default_factory=list)
    coordinates: dict[str, tuple[str, float]] = field(default_factory=dict)
    ties: dict[str, tuple[str, float]] = field(default_factory=dict)
    curves: dict[str, tuple[str, Curve]] = field(default_factory=dict)


def moves_of(joint: Element, coordinates: list[Element], coupled: Collection[str] = ()) -> Transform | None:
    """The transform of a joint; None if it is not supported. Coordinates that are `coupled` to others need no move of
    their own."""
    if joint.tag == "CustomJoint":
        return _custom(joint, coordinates, coupled)
    if joint.tag not in _MOVES:
        return None
    found = Transform()
    for kind, axis, place in _MOVES[joint.tag]:
        # a coordinate that the document does not list has its default values
        coordinate = (
            coordinates[place]
            if place < len(coordinates)
            else Element("Coordinate", {"name": f"{joint.name}_coord_{place}"})
        )
        name = coordinate.name or "q"
        found.moves.append(_move(kind, axis, coordinate, 1.0, name))
        found.coordinates[name] = name, 1.0
    if joint.tag in ("BallJoint", "FreeJoint"):
        found.moves = _spinning(found.moves)
    return found


def _spinning(moves: list[Move]) -> list[Move]:
    """The speeds of a ball are not the rates of its angles but the components of its angular velocity ω in the axes of
    the parent: ω = α̇ x + β̇ R_x y + γ̇ R_x R_y z.
    """
    *slides, a, b, c = moves
    spin = np.array([a.rate, b.rate, c.rate])
    if not spin.any():
        return moves
    axes = np.column_stack([X, rotation((a.value, 0.0, 0.0))[:, 1], rotation((a.value, b.value, 0.0))[:, 2]])
    rates = np.linalg.lstsq(axes, spin, rcond=None)[0]
    return [*slides, *(replace(move, rate=float(x)) for move, x in zip((a, b, c), rates, strict=True))]


def _move(kind: str, axis: Vector, coordinate: Element, factor: float, name: str) -> Move:
    value, rate = (child_number(coordinate, f"default_{what}", 0.0) for what in ("value", "speed_value"))
    return Move("turn" if kind == "turn" else "slide", axis, factor * value, factor * rate, name)


def _custom(joint: Element, coordinates: list[Element], coupled: Collection[str]) -> Transform | None:
    """Translations along axes of the parent frame, then turns; each is constant, slope · coordinate + offset, or a
    curve over a coordinate that another one is linear in, or that is coupled to a coordinate of another joint (as the
    kneecap's is to that of the knee).

    A move with the slope ±1 is the coordinate itself, along the axis or against it; one with another slope has a name
    of its own, COORDINATE_AXIS. Where one coordinate moves along several axes, the others are tied to the first.
    """
    transform = joint.first("SpatialTransform")
    axes = [] if transform is None else transform.all("TransformAxis")
    ordered = [
        *(("slide", axis) for axis in axes if axis.name.startswith("translation")),
        *(("turn", axis) for axis in axes if axis.name.startswith("rotation")),
    ]
    known, found = {c.name: c for c in coordinates}, Transform()
    driven: dict[str, list[tuple[str, float]]] = {}
    for kind, axis in ordered:
        along = direction(axis, "axis", child_vector(axis, "axis", X))
        names = axis.value("coordinates").split()
        line = linear(axis)
        if len(names) > 1 or (names and names[0] not in known):
            return None
        if line is None:
            function = function_of_axis(axis)
            curve = None if function is None or not names else read_curve(function)
            if curve is None:
                return None
            value, rate = (child_number(known[names[0]], f"default_{x}", 0.0) for x in ("value", "speed_value"))
            height, steepness = curve.at(value)
            name = f"{names[0]}_{axis.name}"
            found.moves.append(Move("turn" if kind == "turn" else "slide", along, height, steepness * rate, name))
            found.curves[name] = names[0], curve
            continue
        slope, offset = line
        fixed = not names or slope == 0.0
        if fixed or offset:
            found.moves.append(Move("turn" if kind == "turn" else "slide", along, offset))
        if fixed:
            continue
        (coordinate,), factor = names, abs(slope)
        along = along if slope > 0.0 else tuple(-x for x in along)
        itself = factor == 1.0 and coordinate not in (name for name, _ in driven.get(coordinate, ()))
        name = coordinate if itself else f"{coordinate}_{axis.name}"
        found.moves.append(_move(kind, along, known[coordinate], factor, name))
        driven.setdefault(coordinate, []).append((name, factor))
    for coordinate, moves in driven.items():
        (first, scale), *others = sorted(moves, key=lambda move: move[0] != coordinate)
        found.coordinates[coordinate] = first, scale
        found.ties |= {name: (first, factor / scale) for name, factor in others}
    return found if all(x in found.coordinates or x in coupled for x, _ in found.curves.values()) else None
