"""The names of the quantities that a motion has."""

from __future__ import annotations

from grashof.model.model import Model
from grashof.model.state import RATE


def moving_names(model: Model) -> list[str]:
    """Coordinates of the points that may move and all measures, then the same with `.rate`, and what forces integrate."""
    return [*model.quantities, *(f"{name}{RATE}" for name in model.quantities), *model.integrals]
