"""The names of the quantities that a motion has."""

from __future__ import annotations

from grashof.model.bodies import GROUND
from grashof.model.fields import body_of
from grashof.model.model import Model
from grashof.model.state import RATE


def moving_names(model: Model) -> list[str]:
    """Coordinates of the points that may move and all measures, then the same with `.rate`."""
    axes = "xyz"[: model.dimension]
    names = [f"{point}.{axis}" for point in model.points if body_of(point) != GROUND for axis in axes]
    names += model.all_measures
    return [*names, *(f"{name}{RATE}" for name in names)]
