"""What of a mechanism is translated for other engines. Anything else is refused by name, not left out."""

from __future__ import annotations

import msgspec

from grashof.model import joints as kinds
from grashof.model.model import Model

JOINTS = (
    *(kinds.Cylindrical, kinds.Distance, kinds.PinInSlot, kinds.Plane, kinds.Revolute, kinds.Slider),
    *(kinds.Spherical, kinds.Universal, kinds.Weld),
)

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
"""What mechanisms are made of. Forces of any kind are known by their loads; which motors are, each engine says; of events, those that only
record what happens."""


def unknown(
    model: Model, engine: str, any_joint: bool = False, couplings: bool = False, more: tuple[type, ...] = ()
) -> str | None:
    """Why an engine cannot be told of a mechanism, as a sentence; None if all that it is made of is known.

    any_joint  whether the engine takes joints by their equations, so that it knows every kind
    couplings  whether it can be told of some couplings; which, it says itself
    more       further kinds of joints that it knows
    """
    for part in model.__struct_fields__:
        if part not in (PARTS | {"couplings"} if couplings else PARTS) and (found := getattr(model, part)):
            name = getattr(next(iter(found)), "name", "") if isinstance(found, tuple) else ""
            which = f" ('{name}')" if name else ""
            return f"The mechanism has {part}{which}, and it is not known what they are in {engine}."
    for force in model.forces:
        if not force.active:
            return f"Force '{force.name}': it is not known how to leave a force that is not active to be switched on in {engine}."
    for event in model.all_events:
        if event.does not in ("record", "restart"):
            return f"Event '{event.name}': it is not known how to {event.does} at an event in {engine}."
    for force in model.forces:
        if force.integrals():
            return f"Force '{force.name}': it integrates along the motion, and {engine} has no state for that."
    for motor in model.motors:
        if motor.integrates:
            return f"Motor '{motor.name}': its speed is not constant, and {engine} has to be given positions."
    for force in model.forces:
        if force.bearings() or (not any_joint and force.uses(model.joints_by_name)):
            return f"Force '{force.name}': it is not known what a force of type '{_tag(force)}' is in {engine}."
    for joint in model.joints:
        if not any_joint and type(joint) not in (*JOINTS, *more):
            return f"Joint '{joint.name}': it is not known what a joint of type '{_tag(joint)}' is in {engine}."
        for field in msgspec.structs.fields(type(joint)):
            known = field.name in FIELDS or (any_joint and type(joint) not in JOINTS)
            if not known and getattr(joint, field.name) != field.default:
                return f"Joint '{joint.name}': it is not known what its {field.name} is in {engine}."
    return None


def _tag(part: msgspec.Struct) -> object:
    return part.__struct_config__.tag or type(part).__name__
