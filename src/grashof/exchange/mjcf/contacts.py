"""Contact of simple geoms with planes in MJCF documents.

As limits of joints (`limits.py`), contacts are soft constraints in MuJoCo: at a depth r a contact pulls back with the
reference acceleration −B ṙ − d K r, and other forces are reduced to the fraction 1 − d. Under the load m g, where m is
the inertia of the contact, a body rests at the depth w with (1 − d) g = d² K w. The contact here has the same inertia,
that of the place in the reference position along the normal, the same depth under this load, and the same damping in
relation to critical damping, which is engaged over this depth:

    f = m (g/w r + d B/√(1 − d) φ(r/w) ṙ), never negative
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from grashof.exchange.mjcf.limits import SOLIMP, SOLREF, impedance, reference_law
from grashof.exchange.mjcf.parts import ElementPart
from grashof.exchange.mjcf.shapes import shape_of
from grashof.exchange.parsing import number, numbers
from grashof.exchange.surfaces import EARTH, SHAPES, TouchingPlane, add_contact, is_still, toes
from grashof.exchange.torques import NotOurs
from grashof.exchange.xml import Element
from grashof.model.fields import Vector

if TYPE_CHECKING:
    from grashof.exchange.mjcf.reader import MjcfReader

HALVINGS = 50
FRICTION = (1.0, 0.005, 0.0001)
"""Of sliding, drilling and rolling."""


@dataclass(frozen=True)
class Geom:
    """A geom of a body."""

    body: str
    part: ElementPart

    @property
    def element(self) -> Element:
        return self.part.element

    @property
    def kind(self) -> str:
        return self.part.given.get("type", "sphere")

    @property
    def called(self) -> str:
        """Its name, or that of its body."""
        return self.element.name or self.body

    def value(self, word: str, usual: str) -> float:
        return number(self.element, word, self.part.given.get(word, usual))

    def values(self, word: str, usual: tuple[float, ...]) -> tuple[float, ...]:
        """Several numbers, the last of which may be left out."""
        said = numbers(self.element, word, self.part.given.get(word, ""))
        return (*said, *usual[len(said) :])[: len(usual)]

    def bits(self, word: str) -> int:
        return int(self.value(word, "1"))


@dataclass(frozen=True)
class Law:
    """How two geoms touch: the coefficient of friction, and `solref` and `solimp`."""

    mu: float
    solref: tuple[float, ...]
    solimp: tuple[float, ...]


def add_contacts(reader: MjcfReader, geoms: list[Geom]) -> None:
    """Contacts of all geoms that meet planes, alone or as explicit pairs; everything else is listed."""
    planes = [geom for geom in geoms if geom.kind == "plane"]
    excluded = {frozenset((reader.body(x, "body1"), reader.body(x, "body2"))) for x in _section(reader, "exclude")}
    solid = [geom for geom in geoms if geom.kind != "plane"]
    meshes: dict[str, int] = {}
    for geom in solid:
        for plane in planes:
            if not (_may_meet(plane, geom) and frozenset((plane.body, geom.body)) not in excluded):
                continue
            if is_still(reader.draft, geom.body):
                continue
            if geom.kind in SHAPES:
                _touch(reader, plane, geom, _mix(plane, geom))
            else:
                meshes[geom.kind] = meshes.get(geom.kind, 0) + 1
    for kind, count in meshes.items():
        reader.draft.left_out.append(f"{count} geoms of type {kind}: their contact is not supported; it is left out.")
    _add_pairs(reader, geoms)
    moving = {geom.body for geom in solid if geom.bits("contype") or geom.bits("conaffinity")}
    if len(moving) > 1:
        reader.draft.left_out.append(
            f"{len(moving)} bodies: their contact with each other is left out, so they can pass through each other."
        )
    if not planes:
        reader.draft.left_out.append(
            "contact: the document has no plane, and contact with other shapes is not supported; load the scene that "
            "includes the robot."
        )


def _section(reader: MjcfReader, tag: str) -> list[Element]:
    return [part for group in reader.root.all("contact") for part in group.all(tag)]


def _may_meet(a: Geom, b: Geom) -> bool:
    """Whether the masks of two geoms of different bodies let them touch."""
    masks = (a.bits("contype") & b.bits("conaffinity")) or (b.bits("contype") & a.bits("conaffinity"))
    return a.body != b.body and bool(masks)


def _mix(a: Geom, b: Geom) -> Law:
    """The numbers of the geom with the higher priority; otherwise the larger friction, and weighted means."""
    first, second = a.value("priority", "0"), b.value("priority", "0")
    if first != second:
        above = a if first > second else b
        law = Law(above.values("friction", FRICTION)[0], above.values("solref", SOLREF), above.values("solimp", SOLIMP))
        return law if above.value("condim", "3") > 1 else Law(0.0, law.solref, law.solimp)
    weights = a.value("solmix", "1"), b.value("solmix", "1")
    share = weights[0] / sum(weights) if sum(weights) > 0.0 else 0.5

    def mean(x: tuple[float, ...], y: tuple[float, ...]) -> tuple[float, ...]:
        return tuple(share * p + (1.0 - share) * q for p, q in zip(x, y, strict=True))

    refs = a.values("solref", SOLREF), b.values("solref", SOLREF)
    # direct stiffness and damping are not averaged
    solref = (
        mean(*refs) if min(refs[0][0], refs[1][0]) > 0.0 else (min(refs[0][0], refs[1][0]), min(x[1] for x in refs))
    )
    mu = max(geom.values("friction", FRICTION)[0] for geom in (a, b))
    slides = max(geom.value("condim", "3") for geom in (a, b)) > 1
    return Law(mu if slides else 0.0, solref, mean(a.values("solimp", SOLIMP), b.values("solimp", SOLIMP)))


def _add_pairs(reader: MjcfReader, geoms: list[Geom]) -> None:
    by_name = {geom.element.name: geom for geom in geoms if geom.element.name}
    for pair in _section(reader, "pair"):
        given = reader.defaults.given(pair)
        found = [by_name.get(given.get(word, "")) for word in ("geom1", "geom2")]
        known = sorted((geom for geom in found if geom is not None), key=lambda geom: geom.kind != "plane")
        if len(known) != 2 or known[0].kind != "plane" or known[1].kind not in SHAPES:
            reader.leave_out(pair, "contact of such a pair is not supported")
            continue
        plane, geom = known
        mixed = _mix(plane, geom)
        law = Law(
            numbers(pair, "friction", given["friction"])[0] if "friction" in given else mixed.mu,
            numbers(pair, "solref", given["solref"]) if "solref" in given else mixed.solref,
            numbers(pair, "solimp", given["solimp"]) if "solimp" in given else mixed.solimp,
        )
        _touch(reader, plane, geom, law)


def _touch(reader: MjcfReader, plane: Geom, geom: Geom, law: Law) -> None:
    """The contacts of a geom with a plane."""
    try:
        shape = shape_of(geom.element, geom.part.given, reader.settings).moved(geom.part.frame)
    except NotOurs as problem:
        reader.leave_out(geom.element, f"its contact: {problem}")
        return
    at, axes = plane.part.pose(reader.settings)
    touching = TouchingPlane(plane.body, at, tuple(map(float, axes[:, 2])))
    depth, stiffness, damping = _at_rest(reader, law)
    normal = reader.reference[plane.body][1] @ axes[:, 2]
    for k, toe in enumerate(toes(shape)):
        mobility = reader.mobility(normal @ _rates(reader, geom.body, toe.place))
        if not mobility > 0.0:
            reader.leave_out(geom.element, "its contact: no mass resists its motion in the reference position")
            return
        add_contact(
            reader.draft,
            f"contact {geom.called}" + (f" {k + 1}" if k or shape.kind != "sphere" else ""),
            touching,
            geom.body,
            toe,
            stiffness=stiffness / mobility,
            exponent=1.0,
            viscous=damping / mobility,
            width=depth,
            mu=law.mu,
        )


def _at_rest(reader: MjcfReader, law: Law) -> tuple[float, float, float]:
    """The depth w under the load m g, and stiffness and damping for each kg of m."""
    stiffness, damping = reference_law(law.solref, law.solimp, reader)
    load = math.hypot(*reader.draft.gravity) or EARTH
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):  # d² K w − (1 − d) g grows with w
        depth = 0.5 * (low + high)
        d = impedance(law.solimp, depth)
        low, high = (low, depth) if d * d * stiffness * depth > (1.0 - d) * load else (depth, high)
    depth = max(0.5 * (low + high), 1e-6)
    d = impedance(law.solimp, depth)
    return depth, load / depth, d * damping / math.sqrt(1.0 - d)


def _rates(reader: MjcfReader, body: str, place: Vector) -> np.ndarray:
    """The velocity of a place of a body by the rates of all coordinates, in the reference position."""
    origin, axes = reader.reference[body]
    return reader.inertia.rates(body, np.array(origin) + axes @ np.array(place))
