"""Checks that events watch existing quantities and that their actions are possible."""

from __future__ import annotations

import math

from grashof.common.errors import ModelError, did_you_mean
from grashof.model.check.laws import check_expression
from grashof.model.events import Event
from grashof.model.model import Model

KNOWN = "it must be 'record', 'stop', 'restart', 'switch NAME on', 'switch NAME off', 'reset NAME' or 'bounce E'."


def check_event(event: Event, model: Model) -> None:
    """Checks one event: its quantity, its value, and its action."""
    owner = f"Event '{event.name}'"
    if event.bounces is not None:
        _check_bounce(owner, event, model)
    expression = event.expression
    check_expression(owner, expression, model)
    if expression.is_constant:
        raise ModelError(f"{owner}: '{event.quantity}' never changes; write a quantity of the motion, or t.")
    if event.is_condition and event.crosses != 0.0:
        raise ModelError(
            f"{owner}: '{event.quantity}' is a condition, which becomes true instead of crossing a value; "
            f"leave out crosses = {event.crosses:g}."
        )
    if not math.isfinite(event.crosses):
        raise ModelError(f"{owner}: crosses is {event.crosses}; it must be finite.")
    if event.direction not in (None, "up", "down", "either"):
        raise ModelError(f"{owner}: direction is {event.direction!r}; it must be 'up', 'down' or 'either'.")
    if not event.understood and (not event.sticks or event in model.events):
        raise ModelError(f"{owner}: does is {event.does!r}; {KNOWN}")
    if event.switches:
        name, _ = event.switches
        forces = [force.name for force in model.forces]
        if name not in forces:
            raise ModelError(f"{owner}: there is no force '{name}' to switch; {did_you_mean(name, forces)}")
        if model.forces[forces.index(name)].events():
            raise ModelError(
                f"{owner}: '{name}' is a stop or exact friction, which cannot be switched; switch another force."
            )
    if event.resets:
        _check_reset(owner, event.resets, model)


def _check_reset(owner: str, name: str, model: Model) -> None:
    if name in model.integrals:
        return
    angles = [known for known, measure in model.all_measures.items() if measure.winds]
    if name not in angles:
        known = [*model.integrals, *angles]
        raise ModelError(f"{owner}: there is no angle and no integral '{name}' to reset; {did_you_mean(name, known)}")
    for force in model.forces:
        if name in force.tracked():
            raise ModelError(
                f"{owner}: force '{force.name}' depends on the whole turns of '{name}', and would jump; reset "
                "another angle."
            )
    for coupling in model.all_couplings:
        if name in {measure.name for measure in coupling.measures(model.quantities)}:
            raise ModelError(f"{owner}: '{coupling.name}' holds '{name}' with its whole turns; reset another angle.")


def _check_bounce(owner: str, event: Event, model: Model) -> None:
    if not 0.0 <= (event.bounces or 0.0) <= 1.0:
        raise ModelError(f"{owner}: the restitution in '{event.does}' must be a number between 0 and 1.")
    if event.quantity not in model.quantities:
        raise ModelError(
            f"{owner}: '{event.quantity}' cannot bounce; only a measure or a coordinate such as ball.center.y "
            "can, with `crosses`."
        )
    if event.name in {part.name for part in (*model.forces, *model.all_couplings)}:
        raise ModelError(
            f"{owner}: a force or motor has this name, so their works would have the same name; rename one of them."
        )
