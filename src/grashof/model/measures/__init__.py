"""Measures: named angles, distances, coordinates and path lengths.

Torques, springs, motors, couplings, initial conditions and outputs all refer to them.
"""

from grashof.model.measures.angle import Angle
from grashof.model.measures.base import MeasureBase
from grashof.model.measures.coordinate import Coordinate
from grashof.model.measures.path import Path
from grashof.model.measures.separation import Separation

Measure = Angle | Separation | Coordinate | Path

__all__ = ["Angle", "Coordinate", "Measure", "MeasureBase", "Path", "Separation"]
