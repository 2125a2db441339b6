"""The kinds of symbols: what each represents, and how it is drawn on paper and made as a solid."""

from grashof.scene.kinds.base import Between, Kind
from grashof.scene.kinds.forces import Bushing, Coil, Drive, Load, Spring
from grashof.scene.kinds.joints import Ball, Cross, Face, Guide, Pin, Rod, Weld
from grashof.scene.kinds.wheels import Belt, Gear, Outline, Rope

__all__ = [
    "Ball",
    "Belt",
    "Between",
    "Bushing",
    "Coil",
    "Cross",
    "Drive",
    "Face",
    "Gear",
    "Guide",
    "Kind",
    "Load",
    "Outline",
    "Pin",
    "Rod",
    "Rope",
    "Spring",
    "Weld",
]
