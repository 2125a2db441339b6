"""The names of the quantities of a motion."""

from __future__ import annotations

from grashof.model.model import Model
from grashof.model.state import RATE


def moving_names(model: Model) -> list[str]:
    """The coordinates of points that can move and all measures, their rates (`.rate`), and the states of forces."""
    return [*model.quantities, *(f"{name}{RATE}" for name in model.quantities), *model.force_states]
