"""Measures: named angles, distances, coordinates and path lengths.

Torques, springs, motors, couplings, initial conditions and outputs all refer to them.
"""

from collections.abc import Iterable

from grashof.model.measures.angle import Angle
from grashof.model.measures.base import MeasureBase
from grashof.model.measures.between import Between
from grashof.model.measures.coordinate import Coordinate
from grashof.model.measures.path import Path
from grashof.model.measures.separation import Separation

Measure = Angle | Between | Separation | Coordinate | Path


def angles_between(measures: Iterable[Measure], body: str, reference: str) -> list[Angle]:
    """The angles of a body relative to another."""
    return [x for x in measures if isinstance(x, Angle) and (x.body, x.reference) == (body, reference)]


def coordinates_between(measures: Iterable[Measure], point: str, origin: str) -> list[Coordinate]:
    """The coordinates of a point relative to another."""
    return [x for x in measures if isinstance(x, Coordinate) and (x.point, x.origin) == (point, origin)]


__all__ = [
    "Angle",
    "Between",
    "Coordinate",
    "Measure",
    "MeasureBase",
    "Path",
    "Separation",
    "angles_between",
    "coordinates_between",
]
