"""Writes a mechanism as a model of OpenSim 4.

A mechanism that was read from a file of OpenSim is written in the forms and with the values of that file, as far as
they still describe it (`opensim_told`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grashof.common.errors import ModelError
from grashof.exchange.opensim import reader
from grashof.exchange.opensim.document import OpenSimDocument, joint_refusal
from grashof.exchange.opensim.forces import force_refusal, motor_refusal, prescribed_function, push
from grashof.exchange.opensim.kept_parts import Told, all_told
from grashof.exchange.opensim.rewriting import add_as_told
from grashof.exchange.source import Source, closing, is_from
from grashof.exchange.stages import AS_GIVEN
from grashof.exchange.xml import parse
from grashof.model.model import Model
from grashof.situation import Situation, closes_easily, situation
from grashof.situation.known import unknown

MASSLESS = (
    "it can move, but neither it nor a body attached directly to it has mass, which OpenSim refuses; give it a "
    "small mass and inertia."
)


def write(model: Model) -> tuple[str, list[str]]:
    """The document, and sentences about the parts of the mechanism that were left out."""
    s = situation(model)
    if not is_from(model, "OpenSim"):
        return _write_document(s, {}, (), as_told=False)
    told = all_told(model)
    found = _write_document(s.cut_at(_cut(model, told)), model.source, told, as_told=True)
    if _starts_as(model, found[0]):
        return found
    return _write_document(s.cut_at(_cut(model, ())), model.source, told, as_told=False)


def _write_document(s: Situation, source: Source, told: Sequence[Told], as_told: bool) -> tuple[str, list[str]]:
    left_out = []
    forces, motors = list(s.model.forces), list(s.model.motors)
    for force in s.model.forces:
        if reason := force_refusal(s, force):
            left_out.append(f"Force '{force.name}': {reason}")
            forces.remove(force)
    for motor in s.model.motors:
        if reason := motor_refusal(s, motor):
            left_out.append(f"Motor '{motor.name}': {reason}")
            motors.remove(motor)
    for event in s.original.events:
        left_out.append(f"Event '{event.name}': OpenSim's documents have no events.")
    if s.time != 0.0:
        left_out.append(
            f"The start is at t = {s.time:g} s, but OpenSim starts at 0 by default; set the initial time there."
        )
    document = OpenSimDocument(s, source=source, told=told, as_told=as_told)
    for coupling in s.model.couplings:
        if not document.couple(coupling):
            left_out.append(
                f"Coupling '{coupling.name}': OpenSim can only couple joint coordinates linearly with constant factors."
            )
    left_out += [f"Body '{body}': {MASSLESS}" for body in massless(s) if body in document.bodies]
    for force in forces:
        form = next((one for one in document.told if force.name in one.forces), None)
        if form is None:
            push(document, force)
        else:
            add_as_told(document, form)
    for motor in motors:
        document.drive(motor.target, prescribed_function(motor))
    return document.text(), left_out


def _cut(model: Model, told: Sequence[Told]) -> list[str]:
    """The joints that close loops in the file that the mechanism was read from, if they can do so here."""
    shown = {name for one in told for name in one.joints}
    easy = {joint.name for joint in model.joints if closes_easily(joint)}
    return [name for name in closing(model) if name in shown | easy]


def _starts_as(model: Model, text: str) -> bool:
    """Whether reading a document gives exactly the values and rates of a mechanism's start, and its poses up to
    round-off."""
    try:
        start = reader.read(parse(text.encode()))[0].start
    except ModelError:
        return False
    asked = model.start
    if asked.needs or asked.time or asked.guesses.keys() != start.guesses.keys():
        return False
    for name, pose in asked.guesses.items():
        ours, theirs = (np.array([*x.position, *x.rotation]) for x in (pose, start.guesses[name]))
        if ours.shape != theirs.shape or np.abs(ours - theirs).max() > AS_GIVEN * max(1.0, np.abs(ours).max()):
            return False
    return {x.quantity: x for x in asked.wants} == {x.quantity: x for x in start.wants}


def refusal(s: Situation) -> str | None:
    """Why a mechanism cannot be written completely as an OpenSim model, or None if it can."""
    if reason := unknown(s.original, "OpenSim", points_on_lines=True):
        return reason
    if reason := joint_refusal(s):
        return reason
    for body in massless(s):
        return f"Body '{body}': {MASSLESS}"
    for force in s.model.forces:
        if reason := force_refusal(s, force):
            return f"Force '{force.name}': {reason}"
    for motor in s.model.motors:
        if reason := motor_refusal(s, motor):
            return f"Motor '{motor.name}': {reason}"
    return None


def massless(s: Situation) -> list[str]:
    """Bodies without mass that move against their parent and carry no body with mass: OpenSim does not look further."""
    carrying = {body for body, mass in zip(s.bodies, s.masses, strict=True) if mass}
    carrying |= {link.parent for link in s.tree if link.body in carrying}
    return [link.body for link in s.tree if link.body not in carrying and link.freedoms]
