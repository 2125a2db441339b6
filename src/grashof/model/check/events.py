"""Events are about quantities that there are, and do what can be done."""

from __future__ import annotations

import math

from grashof.errors import ModelError, did_you_mean
from grashof.model.events import Event, understood
from grashof.model.model import Model
from grashof.model.quantities import moving_names


def check_event(event: Event, model: Model) -> None:
    """One event: its quantity, its value, and what it does."""
    owner = f"Event '{event.name}'"
    expression = event.expression
    known = moving_names(model)
    for name in expression.quantities:
        if name not in known:
            raise ModelError(
                f"{owner}: it depends on '{name}', which is no measure, no coordinate body.point.x and no rate of one; "
                f"{did_you_mean(name, known)}"
            )
    if expression.is_constant:
        raise ModelError(f"{owner}: '{event.quantity}' never changes; write a quantity of the motion, or t.")
    if event.is_condition and event.crosses != 0.0:
        raise ModelError(
            f"{owner}: '{event.quantity}' is a condition, which comes true; leave out crosses = {event.crosses:g}."
        )
    if not math.isfinite(event.crosses):
        raise ModelError(f"{owner}: crosses is {event.crosses}; it must be finite.")
    if event.direction not in (None, "up", "down", "either"):
        raise ModelError(f"{owner}: direction is {event.direction!r}; it must be 'up', 'down' or 'either'.")
    if not understood(event.does):
        raise ModelError(f"{owner}: does is {event.does!r}; it must be 'record' or 'stop'.")
