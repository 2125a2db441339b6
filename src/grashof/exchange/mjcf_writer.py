"""Writes a mechanism as MuJoCo's MJCF: nested bodies with joints, equality constraints that close the loops, springs, and the start.

MuJoCo's reference position is the start, so that the loops are closed when the file is opened; speeds are in the keyframe `start`. Joint coordinates are the declared measures
where there are such. MuJoCo's constraints are soft: how stiff they are depends on the time step, and is best set with it.
"""

from __future__ import annotations

from grashof.errors import ModelError
from grashof.exchange import mjcf_reader
from grashof.exchange.mjcf_document import Document
from grashof.exchange.source import Source
from grashof.exchange.xml import parse
from grashof.model.model import Model
from grashof.situation import Situation, situation


def write(model: Model) -> tuple[str, list[str]]:
    """The document, and what of the mechanism is not in it, as sentences."""
    s = situation(model)
    if model.source:
        text, left_out = _written(s, model.source)
        if _is(model, text):
            return text, left_out
    return _written(s, {})


def _is(model: Model, text: str) -> bool:
    """Whether a document that is read is the mechanism, to the last bit."""
    try:
        read, _ = mjcf_reader.read(parse(text.encode()))
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


def _written(s: Situation, source: Source) -> tuple[str, list[str]]:
    document = Document(s, source=source)
    left_out = []
    for force in s.model.forces:
        if not document.push(force):
            why = "MuJoCo has no element that follows the same law."
            if force.varies:
                why = "its law changes with time or with the motion, and MJCF has constant forces and linear springs only."
            elif not force.active:
                why = "it is not active at the start, and MJCF has no events that switch it on."
            left_out.append(f"Force '{force.name}': {why}")
    for motor in s.model.motors:
        left_out.append(f"Motor '{motor.name}': MJCF has no joints whose motion is prescribed as a function of time.")
    for coupling in s.model.couplings:
        if not document.couple(coupling):
            left_out.append(
                f"Coupling '{coupling.name}': MJCF couples joint coordinates by sums with constant factors, and this is none."
            )
    for body in document.weightless():
        left_out.append(
            f"Body '{body}': it moves and has no mass, which MuJoCo refuses; give it a small mass and inertia."
        )
    for event in s.original.events:
        left_out.append(f"Event '{event.name}': MJCF has no events.")
    return document.text(), left_out
