"""Joints, one per file. A new one is a file here and a name in `Joint`."""

from typing import get_args

from grashof.model.joints.base import JointBase
from grashof.model.joints.cylindrical import Cylindrical
from grashof.model.joints.distance import Distance
from grashof.model.joints.knife_edge import KnifeEdge
from grashof.model.joints.pin_in_slot import PinInSlot
from grashof.model.joints.plane import Plane
from grashof.model.joints.point_on_line import PointOnLine
from grashof.model.joints.revolute import Revolute
from grashof.model.joints.rolling_ball import RollingBall
from grashof.model.joints.rolling_wheel import RollingWheel
from grashof.model.joints.slider import Slider
from grashof.model.joints.slot import Slot
from grashof.model.joints.spherical import Spherical
from grashof.model.joints.universal import Universal
from grashof.model.joints.weld import Weld

Joint = (
    Cylindrical
    | Distance
    | KnifeEdge
    | PinInSlot
    | Plane
    | PointOnLine
    | Revolute
    | RollingBall
    | RollingWheel
    | Slider
    | Slot
    | Spherical
    | Universal
    | Weld
)

PLANAR, SPATIAL = (tuple(kind for kind in get_args(Joint) if dimension in kind.dimensions) for dimension in (2, 3))

__all__ = [
    "PLANAR",
    "SPATIAL",
    "Cylindrical",
    "Distance",
    "Joint",
    "JointBase",
    "KnifeEdge",
    "PinInSlot",
    "Plane",
    "PointOnLine",
    "Revolute",
    "RollingBall",
    "RollingWheel",
    "Slider",
    "Slot",
    "Spherical",
    "Universal",
    "Weld",
]
