"""Measures: named angles, distances and coordinates. Torques, springs, motors, couplings, needs and outputs all refer to them."""

from grashof.model.measures.angle import Angle
from grashof.model.measures.base import MeasureBase
from grashof.model.measures.coordinate import Coordinate
from grashof.model.measures.separation import Separation

Measure = Angle | Separation | Coordinate

__all__ = ["Angle", "Coordinate", "Measure", "MeasureBase", "Separation"]
