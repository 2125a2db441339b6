"""The parts of a mechanism that can be translated for other engines. All others are refused by name, never left out."""

from __future__ import annotations

import msgspec

from grashof.model.model import Model
from grashof.situation import can_carry

FIELDS = frozenset({"name", "a", "b", "axis_a", "axis_b", "normal_a", "normal_b", "length"})
"""What joints say of themselves."""

PARTS = frozenset(
    {
        "name",
        "dimension",
        "gravity",
        "ground",
        "bodies",
        "joints",
        "forces",
        "motors",
        "measures",
        "events",
        "start",
        "tables",
        "parameters",
        "defined",
        "source",
    }
)
"""The fields of a model that can be translated. Forces of any kind are translated through their loads. Each engine
decides which motors it supports. Only events that record what happens are supported.
"""


def unknown(
    model: Model,
    engine: str,
    any_joint: bool = False,
    couplings: bool = False,
    points_on_lines: bool = False,
    inerters: bool = False,
) -> str | None:
    """A sentence that says why a mechanism cannot be translated for an engine; None if it can be.

    any_joint  whether the engine uses the joints' equations, so that it supports every kind of joint
    couplings  whether it supports some couplings; the engine checks which
    points_on_lines   whether it can keep a point on a line in space
    inerters   whether it supports some inerters; the engine checks which
    """
    for part in model.__struct_fields__:
        if part not in (PARTS | {"couplings"} if couplings else PARTS) and (found := getattr(model, part)):
            name = getattr(next(iter(found)), "name", "") if isinstance(found, tuple) else ""
            which = f" ('{name}')" if name else ""
            return f"The mechanism has {part}{which}, which cannot be translated for {engine}."
    for force in model.forces:
        if not force.active:
            return f"Force '{force.name}': it is not active at the start, and forces cannot be switched on in {engine}."
    for grip in model.grips:
        return (
            f"Force '{grip.name}': exact friction (slip_speed = 0) cannot be translated for {engine}; give it a "
            "positive slip_speed."
        )
    for event in model.all_events:
        if event.does not in ("record", "restart"):
            return f"Event '{event.name}': the action '{event.does}' cannot be translated for {engine}."
    for force in model.forces:
        if force.integrals():
            return (
                f"Force '{force.name}': it contains an integral along the motion, and {engine} has no state for that."
            )
        if force.period is not None:
            return f"Force '{force.name}': it is sampled, and cannot be translated for {engine}; leave `every` out."
    for motor in model.motors:
        if motor.integrates:
            return (
                f"Motor '{motor.name}': its speed is not constant, and {engine} needs the position as a function "
                "of time."
            )
    for force in model.forces:
        if force.resists and not inerters:
            return f"Force '{force.name}': {engine} has no inertia that resists the motion of a joint alone."
        if force.bearings() or (not any_joint and force.uses(model.joints_by_name)):
            return f"Force '{force.name}': a force of type '{_tag(force)}' cannot be translated for {engine}."
    for joint in model.joints:
        if joint.slip_count:
            return (
                f"Joint '{joint.name}': it restricts velocities, not positions, and cannot be translated for {engine}."
            )
        known = joint.rod is not None or can_carry(joint)
        if not (known or any_joint or (points_on_lines and joint.motions is not None)):
            return f"Joint '{joint.name}': a joint of type '{_tag(joint)}' cannot be translated for {engine}."
        for field in msgspec.structs.fields(type(joint)):
            if field.name not in FIELDS and (known or not any_joint) and getattr(joint, field.name) != field.default:
                return f"Joint '{joint.name}': its {field.name} cannot be translated for {engine}."
    return None


def _tag(part: msgspec.Struct) -> object:
    return part.__struct_config__.tag or type(part).__name__
