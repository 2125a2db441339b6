"""Equality constraints of MJCF documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from grashof.exchange.draft import Frame
from grashof.exchange.frames import column
from grashof.exchange.lexis import numbers, truth
from grashof.exchange.torques import NotOurs
from grashof.exchange.xml import Element
from grashof.model import joints as kinds
from grashof.model.couplings.linear import Linear
from grashof.model.rotations import rotation_matrix

if TYPE_CHECKING:
    from grashof.exchange.mjcf_reader import Reader


def add_equality(reader: Reader, part: Element) -> None:
    """One constraint, unless it is switched off."""
    draft, given = reader.draft, reader.defaults.given(part)
    name = part.name or f"{part.tag}{len(draft.joints)}"
    # what the defaults of all equalities say holds for each of them
    if not truth(part, "active", given.get("active", ""), True):
        return
    match part.tag:
        case "connect" | "weld":
            (a, (place_a, axes_a)), (b, (place_b, axes_b)) = _ends(reader, part)
            ends = {
                "a": draft.point(a, f"{name}_1", place_a, any_name=True),
                "b": draft.point(b, f"{name}_2", place_b, any_name=True),
            }
            if part.tag == "connect":
                draft.join(kinds.Spherical(name=name, **ends))
            else:
                x_a, y_a, x_b, y_b = column(axes_a, 0), column(axes_a, 1), column(axes_b, 0), column(axes_b, 1)
                draft.join(kinds.Weld(name=name, **ends, axis_a=x_a, axis_b=x_b, normal_a=y_a, normal_b=y_b))
        case "joint":
            _tie_joints(reader, part, given, name)
        case "tendon":
            _hold(reader, part, given, name)
        case _:
            raise NotOurs(f"{part.tag} is not supported")


def _ends(reader: Reader, part: Element) -> tuple[tuple[str, Frame], tuple[str, Frame]]:
    """The two frames that an equality makes one: of sites, or of bodies in the reference position."""
    given = part.attributes
    if "site1" in given:
        (a, place_a, axes_a), (b, place_b, axes_b) = reader.site(part, "site1"), reader.site(part, "site2")
        return (a, (place_a, axes_a)), (b, (place_b, axes_b))
    a, b = reader.body(part, "body1"), reader.body(part, "body2")
    anchor = numbers(part, "anchor", given.get("anchor", "0 0 0"), 3)
    (origin_a, axes_a), (origin_b, axes_b) = reader.reference[a], reader.reference[b]
    if part.tag == "weld":
        # the anchor of a weld is fixed in the second body
        pose = numbers(part, "relpose", given.get("relpose", "0 1 0 0 0 0 0"), 7)
        relative = axes_a.T @ axes_b
        offset = axes_a.T @ (np.array(origin_b) - np.array(origin_a))
        if any(pose[3:]):
            relative, offset = rotation_matrix(pose[3:]), np.array(pose[:3])
        return (a, (tuple(map(float, offset + relative @ np.array(anchor))), relative)), (b, (anchor, np.eye(3)))
    there = axes_b.T @ (np.array(origin_a) + axes_a @ np.array(anchor) - np.array(origin_b))
    return (a, (anchor, np.eye(3))), (b, (tuple(map(float, there)), np.eye(3)))


def _tie_joints(reader: Reader, part: Element, given: dict[str, str], name: str) -> None:
    """q₁ = a₀ + a₁ q₂, both counted from the reference position."""
    coefficients = (*numbers(part, "polycoef", given.get("polycoef", "0 1 0 0 0")), 0.0, 0.0, 0.0, 0.0, 0.0)
    if any(coefficients[2:]):
        raise NotOurs("a polynomial of higher degree is not supported")
    terms, law = {}, coefficients[0]
    for attribute, factor in (("joint1", 1.0), ("joint2", -coefficients[1])):
        joint = given.get(attribute, "")
        if attribute == "joint2" and not joint:
            continue
        measure, offset = reader.measure(joint)
        if factor:
            terms[measure] = factor
            law += factor * (reader.references.get(joint, 0.0) - offset)
    reader.draft.couplings.append(Linear(name=reader.draft.work_name(name), terms=terms, law=law))


def _hold(reader: Reader, part: Element, given: dict[str, str], name: str) -> None:
    """A tendon of constant length: a sum of joint coordinates, or a rod."""
    tendon = reader.tendons.get(given.get("tendon1", ""))
    if tendon is None or "tendon2" in given or any(numbers(part, "polycoef", given.get("polycoef", "0"))[:1]):
        raise NotOurs("this equality of tendons is not supported")
    if tendon.tag == "fixed":
        terms, law = reader.fixed_tendon(tendon)
        reader.draft.couplings.append(Linear(name=reader.draft.work_name(name), terms=terms, law=law))
    else:
        a, b, length = reader.straight_tendon(tendon)
        reader.draft.join(kinds.Distance(name=name, a=a, b=b, length=length))
