"""Forces of MJCF documents: springs of tendons, and actuators whose force does not depend on a control."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from grashof.exchange.mjcf.parts import axes_of
from grashof.exchange.parsing import numbers
from grashof.exchange.torques import NotOurs, twist
from grashof.exchange.xml import Element
from grashof.model.bodies import GROUND
from grashof.model.forces import PointForce, Pull, SpringDamper, Torque

if TYPE_CHECKING:
    from grashof.exchange.mjcf.reader import MjcfReader


def add_tendon(reader: MjcfReader, tendon: Element) -> None:
    """A tendon's spring and damper, if it has any."""
    given, off = reader.defaults.given(tendon), reader.settings.disabled
    (k, *bent), (c, *thick) = (numbers(tendon, key, given.get(key, "0")) or (0.0,) for key in ("stiffness", "damping"))
    k, c = 0.0 if "spring" in off else k, 0.0 if "damper" in off else c
    if any(bent) or any(thick):
        reader.leave_out(tendon, "higher-degree terms of its stiffness and damping are not supported")
    for key in ("frictionloss", "armature"):
        if any(numbers(tendon, key, given.get(key, "0"))):
            reader.leave_out(tendon, f"{key} of a tendon is not supported")
    limited = given.get("limited", "auto")
    if limited == "true" or (limited == "auto" and reader.settings.limits and "range" in given):
        reader.leave_out(tendon, f"its range {given.get('range', '')} is not simulated")
    if not (k or c):
        return
    lengths = numbers(tendon, "springlength", given.get("springlength", "-1")) or (-1.0,)
    if len(lengths) > 1 and lengths[1] != lengths[0]:
        raise NotOurs("a spring with a dead band is not supported")
    if tendon.tag == "fixed":
        _fixed_tendon(reader, tendon, k, c, lengths[0])
        return
    a, b, apart = reader.straight_tendon(tendon)
    length = apart if lengths[0] < 0.0 else lengths[0]
    reader.draft.push(SpringDamper(name=tendon.name or "spring", a=a, b=b, stiffness=k, length=length, damping=c))


def _fixed_tendon(reader: MjcfReader, tendon: Element, k: float, c: float, length: float) -> None:
    """L = Σ c_i q_i: each joint feels −c_i (k (L − L₀) + c L̇)."""
    terms, at_reference = reader.fixed_tendon(tendon)
    offset = sum(
        float(term.attributes.get("coef", "0")) * reader.measure(term.attributes.get("joint", ""))[1]
        for term in tendon.all("joint")
    )
    rest = at_reference if length < 0.0 else length - offset
    total = " + ".join(f"{factor!r}*`{measure}`" for measure, factor in terms.items())
    rate = " + ".join(f"{factor!r}*`{measure}.rate`" for measure, factor in terms.items())
    for measure, factor in terms.items():
        law = f"{-factor!r}*({k!r}*({total} - ({rest!r})) + {c!r}*({rate}))"
        _along(reader, f"{tendon.name or 'tendon'} {measure}", measure, law)


def add_actuator(reader: MjcfReader, part: Element) -> None:
    """Reads actuators whose force does not depend on a control; controls are not part of a document."""
    draft, given, name = reader.draft, reader.defaults.given(part), part.name or f"actuator{len(reader.draft.forces)}"
    bias = (*numbers(part, "biasprm", given.get("biasprm", "0")), 0.0, 0.0, 0.0)
    constant = part.tag == "general" and given.get("biastype") == "affine" and not any(bias[1:3])
    gain = numbers(part, "gainprm", given.get("gainprm", "1")) or (1.0,)
    if not constant or gain[0]:
        raise NotOurs("its force depends on a control, which the document does not give")
    listed = numbers(part, "gear", given.get("gear", "1 0 0 0 0 0"))
    gear = [bias[0] * x for x in (*listed, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)[:6]]
    if "joint" in given:
        _along(reader, name, reader.measure(given["joint"])[0], gear[0])
        return
    body, place, attitude = reader.site(part, "site")
    world = "refsite" in given
    if world and reader.site(part, "refsite")[0] != GROUND:
        raise NotOurs("its reference site is not on the ground, which is not supported")
    turned = axes_of(reader.site(part, "refsite")[2] if world else attitude)
    force, torque = turned @ np.array(gear[:3]), turned @ np.array(gear[3:])
    if force.any():
        point = draft.point(body, f"{name}_point", place, any_name=True)
        draft.push(
            PointForce(name=name, point=point, force=tuple(map(float, force)), axes="world" if world else "body")
        )
    if torque.any():
        along = torque if world else draft.placed[body].axes @ torque
        size = float(np.linalg.norm(along))
        axis = along / size
        if np.count_nonzero(np.abs(axis) > 1e-12) == 1:
            k = int(np.argmax(np.abs(axis)))
            size, axis = float(np.copysign(size, along[k])), np.eye(3)[k]
        twist(draft, name, body, GROUND, axis, size)


def _along(reader: MjcfReader, name: str, measure: str, effort: float | str) -> None:
    if reader.draft.measures[measure].winds:
        reader.draft.push(Torque(name=name, angle=measure, torque=effort))
    else:
        reader.draft.push(Pull(name=name, measure=measure, force=effort))
