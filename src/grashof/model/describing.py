"""A description of a mechanism in words: its parts, by name."""

from __future__ import annotations

from grashof.common.wording import count_of, some
from grashof.model.model import Model
from grashof.model.start import Condition

MOST = 12
"""How many names of each kind are listed; the rest are only counted."""


def describe_parts(model: Model) -> str:
    """The parts of a mechanism, one line per kind, and what its motors do, one line each.

    The mechanism may still be incomplete.
    """
    where = "in the plane" if model.dimension == 2 else "in space"
    pull = f"gravity ({', '.join(f'{x:g}' for x in model.gravity)}) m/s²" if any(model.gravity) else "no gravity"
    lines = [f"{model.name}: a mechanism {where}, {pull}."]
    groups = {
        ("body", "bodies"): model.bodies,
        ("joint", "joints"): model.joints,
        ("coupling", "couplings"): model.couplings,
        ("force", "forces"): model.forces,
        ("event", "events"): model.events,
        ("parameter", "parameters"): model.parameters,
    }
    for (one, several), parts in groups.items():
        if parts:
            lines.append(f"{count_of(len(parts), one, several)}: {some([part.name for part in parts], MOST)}")
    lines += [f"Motor '{name}' {what}." for name, what in motors_in_words(model)]
    for word, conditions in (("needs", model.start.needs), ("wants", model.start.wants)):
        if conditions:
            lines.append(f"The start {word} {some([_condition(x) for x in conditions], MOST)}.")
    return "\n".join(lines)


def _condition(condition: Condition) -> str:
    return f"the angular velocity of {condition.quantity}" if condition.angular_velocity else condition.quantity


def motors_in_words(model: Model, *, holding: bool = False) -> list[tuple[str, str]]:
    """The motors and what each does; with `holding`, only those that hold their target at a constant value."""
    found = []
    for motor in model.motors:
        measure = model.quantities.get(motor.target)
        unit = measure.unit if measure else "rad" if motor.target.endswith(".angle") else "m"
        if not holding or motor.held is not None:
            found.append((motor.name, motor.in_words(unit)))
    return found
