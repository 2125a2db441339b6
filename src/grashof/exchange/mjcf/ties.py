"""Equality constraints of MJCF documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from grashof.exchange.frames import column
from grashof.exchange.mjcf.parts import UNTURNED, End, axes_of
from grashof.exchange.parsing import numbers, truth
from grashof.exchange.torques import NotOurs
from grashof.exchange.xml import Element, xml_text
from grashof.model import joints as kinds
from grashof.model.couplings.equation import Equation
from grashof.model.couplings.linear import Linear
from grashof.model.fields import Vector
from grashof.model.joints import Joint
from grashof.model.rotations import quaternion

if TYPE_CHECKING:
    from grashof.exchange.mjcf.reader import MjcfReader


def add_equality(reader: MjcfReader, part: Element) -> None:
    """One constraint, unless it is switched off."""
    draft, given = reader.draft, reader.defaults.given(part, tag="equality")
    name = part.name or f"{part.tag}{len(draft.joints)}"
    if not truth(part, "active", given.get("active", ""), True):
        return
    match part.tag:
        case "connect" | "weld":
            (a, place_a, q_a), (b, place_b, q_b) = _ends(reader, part)
            ends = {
                "a": draft.point(a, f"{name}_1", place_a, any_name=True),
                "b": draft.point(b, f"{name}_2", place_b, any_name=True),
            }
            if part.tag == "connect":
                joint: Joint = draft.join(kinds.Spherical(name=name, **ends))
            else:
                axes_a, axes_b = axes_of(q_a), axes_of(q_b)
                x_a, y_a, x_b, y_b = column(axes_a, 0), column(axes_a, 1), column(axes_b, 0), column(axes_b, 1)
                weld = kinds.Weld(name=name, **ends, axis_a=x_a, axis_b=x_b, normal_a=y_a, normal_b=y_b)
                joint = draft.join(weld)
            told = draft.source[f"joint {joint.name}"] = {"closes": "a loop"}
            if "site1" not in part.attributes:
                told |= {"between": "bodies"} | {word: x for word, x in given.items() if word in ("anchor", "relpose")}
            elif part.tag == "weld":
                told |= {"quat_a": xml_text(q_a), "quat_b": xml_text(q_b)}
        case "joint":
            _tie_joints(reader, part, given, name)
        case "tendon":
            _hold(reader, part, given, name)
        case _:
            raise NotOurs(f"{part.tag} is not supported")


def _ends(reader: MjcfReader, part: Element) -> tuple[End, End]:
    """The two frames that an equality makes coincide: those of sites, or of bodies in the reference position."""
    given = part.attributes
    if "site1" in given:
        return reader.site(given["site1"]), reader.site(given.get("site2", ""))
    a, b = reader.body(part, "body1"), reader.body(part, "body2")
    anchor = numbers(part, "anchor", given.get("anchor", "0 0 0"), 3)
    (origin_a, axes_a), (origin_b, axes_b) = reader.reference[a], reader.reference[b]
    if part.tag == "weld":
        # the anchor of a weld is fixed in the second body
        pose = numbers(part, "relpose", given.get("relpose", "0 1 0 0 0 0 0"), 7)
        turned: Vector = pose[3:]
        offset = np.array(pose[:3])
        if not any(turned):
            turned = quaternion(axes_a.T @ axes_b)
            offset = axes_a.T @ (np.array(origin_b) - np.array(origin_a))
        place = tuple(map(float, offset + axes_of(turned) @ np.array(anchor)))
        return (a, place, turned), (b, anchor, UNTURNED)
    there = axes_b.T @ (np.array(origin_a) + axes_a @ np.array(anchor) - np.array(origin_b))
    return (a, anchor, UNTURNED), (b, tuple(map(float, there)), UNTURNED)


def _tie_joints(reader: MjcfReader, part: Element, given: dict[str, str], name: str) -> None:
    """q₁ = a₀ + a₁ q₂ + … + a₄ q₂⁴, both counted from the reference position."""
    coefficients = (*numbers(part, "polycoef", given.get("polycoef", "0 1 0 0 0")), 0.0, 0.0, 0.0, 0.0, 0.0)[:5]
    called = reader.draft.work_name(name)
    if any(coefficients[2:]) and "joint2" in given:
        first, second = (
            f"(`{measure}` + ({offset - reader.references.get(given[word], 0.0)!r}))"
            for word in ("joint1", "joint2")
            for measure, offset in [reader.measure(given.get(word, ""))]
        )
        powers = " + ".join(f"{a!r}*{second}**{k}" if k else repr(a) for k, a in enumerate(coefficients) if a)
        reader.draft.couplings.append(Equation(name=called, expression=f"{first} - ({powers})"))
        return
    terms, law = {}, coefficients[0]
    reader.draft.source[f"coupling {called}"] = {"polycoef": xml_text(coefficients[:2])}
    for attribute, factor in (("joint1", 1.0), ("joint2", -coefficients[1])):
        joint = given.get(attribute, "")
        if attribute == "joint2" and not joint:
            continue
        measure, offset = reader.measure(joint)
        if factor:
            terms[measure] = factor
            law += factor * (reader.references.get(joint, 0.0) - offset)
    reader.draft.couplings.append(Linear(name=called, terms=terms, law=law))


def _hold(reader: MjcfReader, part: Element, given: dict[str, str], name: str) -> None:
    """A tendon of constant length, which is that of the reference position unless `polycoef` adds to it: a sum of
    joint coordinates, or a rod."""
    tendon, draft = reader.tendons.get(given.get("tendon1", "")), reader.draft
    if tendon is None or "tendon2" in given:
        raise NotOurs("this equality of tendons is not supported")
    more, *_ = (*numbers(part, "polycoef", given.get("polycoef", "0")), 0.0)
    if tendon.tag == "fixed":
        terms, law = reader.fixed_tendon(tendon)
        key = f"coupling {draft.work_name(name)}"
        draft.couplings.append(Linear(name=key.removeprefix("coupling "), terms=terms, law=law + more))
    else:
        a, b, length = reader.straight_tendon(tendon)
        key = f"joint {draft.join(kinds.Distance(name=name, a=a, b=b, length=length + more)).name}"
    if more:
        draft.source[key] = {"polycoef": xml_text((more,))}
