"""The kinds of symbols: what each represents, and how it is drawn on paper and made as a solid."""

from grashof.scene.kinds.base import Joining, Kind
from grashof.scene.kinds.forces import Coil, Cylinder, Drive, Load, Mount, Spring
from grashof.scene.kinds.joints import Ball, Cross, Face, Guide, Pin, Rod, Seam
from grashof.scene.kinds.stops import Bumper, Peg, Wall
from grashof.scene.kinds.wheels import Band, Outline, Rope, Sphere, Wheel

__all__ = [
    "Ball",
    "Band",
    "Bumper",
    "Coil",
    "Cross",
    "Cylinder",
    "Drive",
    "Face",
    "Guide",
    "Joining",
    "Kind",
    "Load",
    "Mount",
    "Outline",
    "Peg",
    "Pin",
    "Rod",
    "Rope",
    "Seam",
    "Sphere",
    "Spring",
    "Wall",
    "Wheel",
]
