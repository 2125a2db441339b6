"""Events are about quantities that there are, and do what can be done."""

from __future__ import annotations

import math

from grashof.errors import ModelError
from grashof.model.check.laws import check_expression
from grashof.model.events import Event, understood
from grashof.model.model import Model


def check_event(event: Event, model: Model) -> None:
    """One event: its quantity, its value, and what it does."""
    owner = f"Event '{event.name}'"
    expression = event.expression
    check_expression(owner, expression, model)
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
