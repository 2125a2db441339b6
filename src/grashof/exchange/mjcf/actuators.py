"""Actuators of MJCF documents: what their elements and default classes say about their laws."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from grashof.exchange.mjcf.limits import is_limited
from grashof.exchange.mjcf.parts import axes_of
from grashof.exchange.parsing import number, numbers
from grashof.exchange.torques import NotOurs, twist
from grashof.exchange.xml import Element
from grashof.model.bodies import GROUND
from grashof.model.forces import Actuator, Inerter, PointForce

if TYPE_CHECKING:
    from grashof.exchange.mjcf.reader import MjcfReader

KINDS = ("general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder")
"""The elements whose law is affine in the control."""
OTHERS = ("muscle", "adhesion", "dcmotor", "pid", "orientation", "plugin")


@dataclass
class ActuatorLaw:
    """The law of an actuator, as its default classes and its element give it one after another: gains and biases as in
    `Actuator`. A positive third bias is a damping ratio."""

    gain: list[float] = field(default_factory=lambda: [1.0, 0.0, 0.0])
    bias: list[float] = field(default_factory=lambda: [0.0, 0.0, 0.0])
    gear: list[float] = field(default_factory=lambda: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    time: float = 1.0
    gaintype: str = "fixed"
    biastype: str = "none"
    dyntype: str = "none"
    inherits: float = 0.0
    given: dict[str, str] = field(default_factory=dict)

    def say(self, part: Element, tag: str, given: dict[str, str]) -> None:
        """Changes it by what an element says."""
        self.given |= given
        for word, values in (("gainprm", self.gain), ("biasprm", self.bias), ("gear", self.gear)):
            said = numbers(part, word, given.get(word, ""))[: len(values)]
            values[: len(said)] = said
        if said := numbers(part, "dynprm", given.get("dynprm", "")):
            self.time = said[0]
        for word in ("gaintype", "biastype", "dyntype"):
            setattr(self, word, given.get(word, getattr(self, word)))

        def told(word: str, otherwise: float) -> float:
            return number(part, word, given[word]) if word in given else otherwise

        self.inherits = told("inheritrange", self.inherits)
        match tag:
            case "motor":
                self.gain[0] = 1.0
                self.gaintype, self.biastype, self.dyntype = "fixed", "none", "none"
            case "position" | "intvelocity":
                self.gain[0] = told("kp", self.gain[0])
                self.bias[1] = -self.gain[0]
                self.bias[2] = told("dampratio", -told("kv", -self.bias[2]))
                if "timeconst" in given:
                    self.time = told("timeconst", 0.0)
                    self.dyntype = "filterexact" if self.time else "none"
                self.gaintype, self.biastype = "fixed", "affine"
                if tag == "intvelocity":
                    self.dyntype = "integrator"
            case "velocity":
                self.gain[0] = told("kv", self.gain[0])
                self.bias[:] = [0.0, 0.0, -self.gain[0]]
                self.gaintype, self.biastype, self.dyntype = "fixed", "affine", "none"
            case "damper":
                inherited = -self.gain[2] if self.gaintype == "affine" else 0.0
                self.gain[:] = [0.0, 0.0, -told("kv", inherited)]
                self.gaintype, self.biastype, self.dyntype = "affine", "none", "none"
                self.given |= {"ctrllimited": "true"}
            case "cylinder":
                self.time = told("timeconst", self.time)
                self.gain[0] = told("area", self.gain[0])
                if "diameter" in given:
                    self.gain[0] = math.pi / 4.0 * told("diameter", 0.0) ** 2
                said = numbers(part, "bias", given.get("bias", ""))[:3]
                self.bias[: len(said)] = said
                self.gaintype, self.biastype, self.dyntype = "fixed", "affine", "filter"

    def range(self, reader: MjcfReader, part: Element, word: str) -> tuple[float, float] | None:
        """The limits of the control or of the force; None if there are none."""
        if not is_limited(reader, self.given, f"{word}limited", f"{word}range"):
            return None
        lower, upper = numbers(part, f"{word}range", self.given.get(f"{word}range", "0 0"), 2)
        return lower, upper


def add_actuator(reader: MjcfReader, part: Element) -> None:
    """An actuator with its control, which is that of the keyframe, or zero."""
    law = ActuatorLaw()
    forms = reader.defaults.forms(part, (*KINDS, *OTHERS))
    for tag, given in (*forms, (part.tag, part.attributes)):
        law.say(part, tag, given)
    control = next(reader.controls, 0.0)
    name = part.name or f"actuator{reader.count_actuator()}"
    if part.tag not in KINDS:
        raise NotOurs(f"actuators of kind {part.tag} are not supported")
    if law.gaintype not in ("fixed", "affine") or law.biastype not in ("none", "affine"):
        raise NotOurs(f"its gain '{law.gaintype}' and bias '{law.biastype}' are not supported")
    if law.dyntype != "none":
        raise NotOurs(f"an activation with a state of its own ('{law.dyntype}') is not supported")
    if law.gaintype == "fixed":
        law.gain[1:] = [0.0, 0.0]
    if law.biastype == "none":
        law.bias[:] = [0.0, 0.0, 0.0]
    if "site" in law.given:
        _push_site(reader, part, name, law, control)
        return
    terms, offset, row = transmission(reader, part, law)
    if law.gain[0] == -law.bias[1] and law.bias[2] > 0.0:
        mobility = reader.mobility(row)
        law.bias[2] *= -2.0 * math.sqrt(law.gain[0] / mobility) if law.gain[0] > 0.0 < mobility else 0.0
    limits = law.range(reader, part, "ctrl")
    if law.inherits and limits is None:
        limits = _inherited(reader, part, law)
    drag = number(part, "damping", law.given.get("damping", "0").split(maxsplit=1)[0])
    if drag and "damper" not in reader.settings.disabled:
        # along the joint, where neither the control nor the limits of the force matter
        reader.draft.push(Actuator(name=f"damping {name}", terms=terms, gain=(0.0,) * 3, bias=(0.0, 0.0, -drag)))
    if "clampctrl" in reader.settings.disabled:
        limits = None
    reader.draft.push(
        Actuator(
            name=name,
            terms=terms,
            control=control,
            gain=(law.gain[0] + law.gain[1] * offset, law.gain[1], law.gain[2]),
            bias=(law.bias[0] + law.bias[1] * offset, law.bias[1], law.bias[2]),
            control_range=limits,
            force_range=law.range(reader, part, "force"),
        )
    )


def transmission(reader: MjcfReader, part: Element, law: ActuatorLaw) -> tuple[dict[str, float], float, np.ndarray]:
    """The factors of the measures whose sum is the length of an actuator, by how much the length is larger, and its
    gradient in the reference position."""
    given, gear = law.given, law.gear[0]
    joint = given.get("joint", given.get("jointinparent", ""))
    if joint:
        measure, offset = reader.measure(joint)
        row, terms = reader.row({joint: gear}), {measure: gear}
        offset *= gear
    elif "tendon" in given:
        tendon = reader.tendons.get(given["tendon"])
        if tendon is None:
            raise NotOurs(f"there is no tendon '{given['tendon']}'")
        coefficients, offset, row = reader.tendon_terms(tendon)
        terms = {name: gear * factor for name, factor in coefficients.items()}
        row, offset = gear * row, gear * offset
    else:
        raise NotOurs("a transmission to anything but a joint, a tendon or a site is not supported")
    if not gear:
        raise NotOurs("its gear is zero")
    return terms, offset, row


def add_rotor(reader: MjcfReader, part: Element) -> None:
    """The inertia that an actuator adds to the joint or tendon that it acts on."""
    law = ActuatorLaw()
    for tag, given in (*reader.defaults.forms(part, (*KINDS, *OTHERS)), (part.tag, part.attributes)):
        law.say(part, tag, given)
    size = number(part, "armature", law.given.get("armature", "0"))
    if not size:
        return
    terms, _, _ = transmission(reader, part, law)
    if len(terms) > 1:
        raise NotOurs("its armature on several joints is not supported")
    ((measure, factor),) = terms.items()
    joint = law.given.get("joint", law.given.get("jointinparent", ""))
    if joint in reader.inertia.numbers:
        reader.inertia.armatures[reader.inertia.numbers[joint]] += size * factor**2
    name = f"armature {part.name or measure}"
    reader.draft.push(Inerter(name=name, measure=measure, inertance=size * factor**2))


def _inherited(reader: MjcfReader, part: Element, law: ActuatorLaw) -> tuple[float, float] | None:
    """The range of the control, from that of the joint or tendon."""
    names = {law.given.get(word) for word in ("joint", "jointinparent", "tendon")}
    for one in reader.limits:
        if one.part.name in names:
            lower, upper = numbers(one.part, "range", one.given.get("range", "0 0"), 2)
            if one.turns:
                lower, upper = map(reader.settings.angle, (lower, upper))
            middle, half = 0.5 * (lower + upper), 0.5 * (upper - lower) * law.inherits
            return middle - half, middle + half
    return None


def _push_site(reader: MjcfReader, part: Element, name: str, law: ActuatorLaw, control: float) -> None:
    """A force or a torque at a site, of constant size: its control is a part of it."""
    if law.gain[1] or law.gain[2] or law.bias[1] or law.bias[2]:
        raise NotOurs("a servo at a site is not supported")
    limits = law.range(reader, part, "ctrl")
    control = control if limits is None else min(max(control, limits[0]), limits[1])
    size = law.gain[0] * control + law.bias[0]
    limits = law.range(reader, part, "force")
    size = size if limits is None else min(max(size, limits[0]), limits[1])
    if law.gain[0]:
        reader.leave_out(part, f"an actuator at a site has a constant control here, {control:g}, and its input")
    gear = size * np.array(law.gear)
    draft = reader.draft
    body, place, attitude = reader.site(law.given["site"])
    reference = law.given.get("refsite")
    if reference is not None and reader.site(reference)[0] != GROUND:
        raise NotOurs("its reference site is not on the ground, which is not supported")
    turned = axes_of(attitude if reference is None else reader.site(reference)[2])
    force, torque = turned @ gear[:3], turned @ gear[3:]
    if force.any():
        point = draft.point(body, f"{name}_point", place, any_name=True)
        components = tuple(map(float, force))
        draft.push(PointForce(name=name, point=point, force=components, axes="body" if reference is None else "world"))
    if torque.any():
        along = draft.placed[body].axes @ torque if reference is None else torque
        length = float(np.linalg.norm(along))
        axis = along / length
        if np.count_nonzero(np.abs(axis) > 1e-12) == 1:
            k = int(np.argmax(np.abs(axis)))
            length, axis = float(np.copysign(length, along[k])), np.eye(3)[k]
        twist(draft, name, body, GROUND, axis, length)
