"""Writes a mechanism as MuJoCo's MJCF: nested bodies with joints, equality constraints that close the loops, springs,
and the start.

MuJoCo's reference position is the start, so that the loops are closed when the file is opened; speeds are in the
keyframe `start`. Joint coordinates are the declared measures, if there are any. MuJoCo's constraints are soft; their
stiffness depends on the time step and is best set together with it.

A mechanism that was read from an MJCF document is written in the forms of that document, if these still describe it
(`mjcf_told`).
"""

from __future__ import annotations

from grashof.common.errors import ModelError
from grashof.exchange.mjcf import reader
from grashof.exchange.mjcf.document import MjcfDocument
from grashof.exchange.mjcf.force_elements import ForceElements
from grashof.exchange.source import Source, closing, is_from
from grashof.exchange.xml import parse
from grashof.model.model import Model
from grashof.situation import Situation, situation


def write(model: Model) -> tuple[str, list[str]]:
    """The document, and sentences about the parts of the mechanism that were left out."""
    s = situation(model)
    if is_from(model, "MJCF"):
        text, left_out = _write_document(s.cut_at(closing(model)), model.source)
        if _is(model, text):
            return text, left_out
    return _write_document(s, {})


def _is(model: Model, text: str) -> bool:
    """Whether reading a document gives the mechanism back, to the last bit."""
    try:
        read, _ = reader.read(parse(text.encode()))
    except ModelError:
        return False
    if (read.ground, read.start.guesses) != (model.ground, model.start.guesses):
        return False
    if model.start.needs or model.start.time or set(read.start.wants) != set(model.start.wants):
        return False
    lists = ("bodies", "joints", "measures", "couplings")
    return all(
        {x.name: x for x in getattr(read, field)} == {x.name: x for x in getattr(model, field)} for field in lists
    )


def _write_document(s: Situation, source: Source) -> tuple[str, list[str]]:
    document, left_out = MjcfDocument(s, source=source), []
    forces = ForceElements(document)
    for force in s.model.forces:
        if not forces.push(force):
            why = "MuJoCo has no element that follows the same law."
            if force.varies:
                why = "its law depends on time or on the motion, and MJCF only has constant forces and linear springs."
            elif not force.active:
                why = "it is not active at the start, and MJCF has no events that switch it on."
            left_out.append(f"Force '{force.name}': {why}")
    for motor in s.model.motors:
        left_out.append(f"Motor '{motor.name}': MJCF has no joints whose motion is prescribed as a function of time.")
    for coupling in s.model.couplings:
        if not document.couple(coupling):
            left_out.append(
                f"Coupling '{coupling.name}': MJCF can only couple joint coordinates linearly with constant factors."
            )
    for body in document.weightless():
        left_out.append(
            f"Body '{body}': it moves and has no mass, which MuJoCo refuses; give it a small mass and inertia."
        )
    for event in s.original.events:
        left_out.append(f"Event '{event.name}': MJCF has no events.")
    return document.text(), left_out
