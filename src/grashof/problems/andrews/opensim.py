"""Andrews' squeezer as the OpenSim benchmark pages describe it, audited against the IFToMM document.

Two documents of the Rehabilitation Engineering Group, University of Padua, describe the mechanism that OpenSim ran as
"MBS Benchmark A03": the page of the project's manual ("003" here) and a printed sheet ("004"). They give every body in
a frame of its own, and they contain errors. This module expresses the IFToMM data in their frames and makes a
description of each document's tables (`opensim_tables`), which `grashof.exchange.auditing` compares with itself and
with the IFToMM data. Only what concerns the printed documents is checked here: units, notation, and which of them
agree.
"""

from __future__ import annotations

from cmath import phase
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from math import exp, sqrt

from grashof.common.wording import join_words
from grashof.exchange import auditing
from grashof.model.formula import Formula
from grashof.model.given import Number
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.problems.andrews.opensim_tables import (
    FRAMES,
    SEEDS,
    TELLINGS,
    Seed,
    TableFrame,
    Telling,
    Written,
    rotate_quarters,
)
from grashof.problems.andrews.reference import IFTOMM, Pair, ReferenceRod, Squeezer, Triangle

__all__ = ["SEEDS", "as_written", "audit", "correct_document", "description", "expected_values"]


@dataclass(frozen=True)
class DocumentFinding:
    """An item that cannot be right as written; as text, one sentence."""

    item: str
    written: Written
    expected: Written
    evidence: str
    correction: str

    def __str__(self) -> str:
        return f"{self.written.table}: {self.item} {self.evidence}; {self.correction}."


def expected_values(data: Squeezer = IFTOMM) -> dict[str, Decimal]:
    """The data in the words and frames of the OpenSim documents."""
    plain: dict[str, float] = {
        "spring coefficient": data.stiffness,
        "spring rest length": data.rest_length,
        "motor torque": data.torque,
        "simulated time": data.duration,
        "angle of β": data.beta0,
    }
    places = {"A": data.a, "B": data.b, "C": data.c}
    items = {f"{axis} of {point}": place[k] for point, place in places.items() for k, axis in enumerate("xy")}
    result = {item: Decimal(str(value)) for item, value in (plain | items).items()}
    for name, frame in FRAMES.items():
        link = data.triangle if name == "BDE" else data.rod(frame.link)
        result[f"CoM x of {name}"], result[f"CoM y of {name}"] = frame.told(link.com)
        result[f"mass of {name}"], result[f"inertia of {name}"] = Decimal(str(link.mass)), Decimal(str(link.inertia))
        if isinstance(link, ReferenceRod):
            result[f"length of {name}"] = Decimal(str(link.length))
    for point, place in {"B": data.triangle.b, "D": data.triangle.d, "E": (0.0, 0.0)}.items():
        result[f"BDE x of {point}"], result[f"BDE y of {point}"] = FRAMES["BDE"].told(place)
    return result


def squeezer(telling: Telling) -> Squeezer:
    """The data of a document, in the frames of `reference`."""

    def number(item: str) -> float:
        return float(telling[item].number)

    def place(label: str, name: str, frame: TableFrame) -> Pair:
        return frame.local(telling[f"{label} x of {name}"].number, telling[f"{label} y of {name}"].number)

    rods = tuple(
        ReferenceRod(
            start=frame.link[0],
            end=frame.link[1],
            length=number(f"length of {name}"),
            mass=number(f"mass of {name}"),
            com=place("CoM", name, frame),
            inertia=number(f"inertia of {name}"),
        )
        for name, frame in FRAMES.items()
        if name != "BDE"
    )
    own = FRAMES["BDE"]
    triangle = Triangle(
        b=place("BDE", "B", own),
        d=place("BDE", "D", own),
        mass=number("mass of BDE"),
        com=place("CoM", "BDE", own),
        inertia=number("inertia of BDE"),
    )
    a, b, c = ((number(f"x of {point}"), number(f"y of {point}")) for point in "ABC")
    return Squeezer(
        rods=rods,
        triangle=triangle,
        a=a,
        b=b,
        c=c,
        stiffness=number("spring coefficient"),
        rest_length=number("spring rest length"),
        torque=number("motor torque"),
        beta0=number("angle of β"),
        duration=number("simulated time"),
    )


def as_written(seed: Seed) -> Squeezer:
    """The mechanism of a document with all its errors. It does not assemble: B lies out of reach."""
    return squeezer(TELLINGS[seed])


def correct_document(seed: Seed = "004") -> Squeezer:
    """The mechanism of a document with every finding corrected; it is the same for both documents."""
    return squeezer({**TELLINGS[seed], **{finding.item: finding.expected for finding in audit(seed)}})


_LINKS = {
    "OF": ("O", "F", 1, 0),
    "FE": ("F", "E", -1, 0),
    "HE": ("E", "H", 1, 2),
    "EG": ("E", "G", 1, 3),
    "AG": ("A", "G", 1, 0),
    "AH": ("A", "H", 1, 1),
    "BDE": ("B", "E", -1, 3),
}
"""For each link the point at its origin, another point on its x axis and the direction of that, after its table's frame
has been rotated by some quarter turns.

The axes are chosen such that the angle between two links is the one of the joint table.
"""
_PINS = "ground-OF-O OF-FE-F FE-BDE-E HE-BDE-E EG-BDE-E EG-AG-G HE-AH-H ground-AG-A ground-AH-A ground-BDE-B"
_ANGLED = {
    "OFE": ("OF", "FE", 1),
    "FEB": ("FE", "BDE", 1),
    "FEG": ("FE", "EG", 1),
    "EGA": ("EG", "AG", -1),
    "EHA": ("HE", "AH", 1),
}
"""The links between which each angle is measured, and its sign, which the tables do not give."""
_ROUGHLY = {
    "O": 0.0,
    "F": 0.007,
    "E": -0.021 + 0.001j,
    "G": -0.034 + 0.016j,
    "H": -0.031 - 0.016j,
    "A": -0.069 - 0.002j,
    "B": -0.036 + 0.033j,
}
"""Approximate positions of the points at β₀ [m]."""


def description(telling: Telling) -> Model:
    """A document as a mechanism whose parameters are the items of the tables, and whose start wants their joint
    angles."""
    m = Mechanism("Andrews' squeezer in OpenSim")
    n: dict[str, Formula] = {}
    for item in expected_values():
        unit = "N m" if item == "motor torque" else telling[item].unit.replace("/ ", "/")
        n[item] = m.parameter(item, float(telling[item].number), unit=unit)
    m.ground.at(0.0, 0.0, name="O")
    for point in "ABC":
        m.ground.at(n[f"x of {point}"], n[f"y of {point}"], name=point)
    links = {"ground": m.ground}
    for name, (origin, end, side, quarters) in _LINKS.items():
        if name == "BDE":
            points: dict[str, tuple[Number, Number]] = {
                point: rotate_quarters(n[f"BDE x of {point}"], n[f"BDE y of {point}"], quarters) for point in name
            }
        else:
            points = {origin: (0.0, 0.0), end: (side * n[f"length of {name}"], 0.0)}
        links[name] = m.body(
            name,
            mass=n[f"mass of {name}"],
            center=rotate_quarters(n[f"CoM x of {name}"], n[f"CoM y of {name}"], quarters),
            inertia=n[f"inertia of {name}"],
            points=points,
            position=(_ROUGHLY[origin].real, _ROUGHLY[origin].imag),
            angle=phase(side * (_ROUGHLY[end] - _ROUGHLY[origin])),
        )
    for first, second, point in (pin.split("-") for pin in _PINS.split()):
        ends = (getattr(links[link], point) for link in (first, second))
        m.revolute(*ends, name=f"{point} of {first} and {second}")
    stiffness, length = n["spring coefficient"], n["spring rest length"]
    m.spring(m.ground.C, links["BDE"].D, stiffness=stiffness, length=length, name="spring")
    m.torque(links["OF"], n["motor torque"], name="motor")
    m.need(links["OF"].angle, value=n["angle of β"])
    for name, (reference, link, sign) in _ANGLED.items():
        angle = m.angle(f"angle of {name}", links[link], reference=links[reference])
        m.want(angle, value=sign * float(telling[angle].number))
    return m.model


def audit(seed: Seed) -> tuple[DocumentFinding, ...]:
    """All items of a document that cannot be right as written, each with its evidence."""
    telling = TELLINGS[seed]
    return (*_contradictions(telling), *_units(telling), *_notation(telling))


def _contradictions(telling: Telling) -> Iterator[DocumentFinding]:
    """Findings of the general audit in the tables, by themselves and compared with the IFToMM data."""
    right = _right(telling)
    for found in _find_contradictions(tuple(telling.items())):
        written, evidence = telling[found.item], found.evidence.replace("the other description", "the IFToMM document")
        if found.item in right:
            should = right[found.item]
            evidence += _agreeing(telling, found.item, should)
        else:  # an angle, which the tables give without its sign
            assert found.expected is not None
            should = replace(written, value=f"{abs(found.expected):.5g}")
            evidence = evidence.replace(" -", " ")
        yield DocumentFinding(found.item, written, should, evidence, f"use {should}")


def _right(telling: Telling) -> Telling:
    """The IFToMM data in the form of the document."""
    return {item: replace(telling[item], value=str(value)) for item, value in expected_values().items()}


@cache
def _find_contradictions(items: tuple[tuple[str, Written], ...]) -> tuple[auditing.AuditFinding, ...]:
    """The findings of the general audit, which takes about a second and is done once for each document."""
    telling = dict(items)
    return auditing.audit(description(telling), description({**telling, **_right(telling)})).findings


def _agreeing(telling: Telling, item: str, should: Written) -> str:
    """A remark that the other document, or this document's own figure, has the right number, if this is so."""
    others = {f"document {seed}": other[item] for seed, other in TELLINGS.items() if other is not telling}
    if item == "simulated time" and "time in figure 3" in telling:
        others["the end of this document's own figure 3"] = telling["time in figure 3"]
    names = [name for name, other in others.items() if other.number == should.number]
    return f", as it is in {join_words(names)}" if names else ""


def exponents(unit: str) -> dict[str, int]:
    """The powers in a product of units: "N/ m" and "N m ⁻¹" are both N¹ m⁻¹.

    >>> exponents("N m ⁻¹")
    {'N': 1, 'm': -1}
    """
    powers: dict[str, int] = {}
    for part, sign in zip(unit.split("/"), (1, -1), strict=False):
        for symbol in part.replace(" ⁻¹", "⁻¹").split():
            powers[symbol.removesuffix("⁻¹")] = -sign if symbol.endswith("⁻¹") else sign
    return powers


def _units(telling: Telling) -> Iterator[DocumentFinding]:
    """A torque is a force times a length."""
    written, spring = telling["motor torque"], telling["spring coefficient"]
    if exponents(written.unit) == {"N": 1, "m": 1}:
        return
    same = ", the unit of the spring coefficient" if exponents(written.unit) == exponents(spring.unit) else ""
    yield DocumentFinding(
        "motor torque",
        written,
        replace(written, unit="N m"),
        f"is written {written}, which is force per length{same}, and a torque is force times length",
        f"read {written.value} N m",
    )


def _notation(telling: Telling) -> Iterator[DocumentFinding]:
    """Powers of ten that are printed as powers of e."""
    written, mass, length = (telling[f"{what} of OF"] for what in ("inertia", "mass", "length"))
    if "e^" not in written.value:
        return
    coefficient, power = written.value.removesuffix("}").split("e^{")
    literal = float(coefficient) * exp(float(power))
    yield DocumentFinding(
        "inertia of OF",
        written,
        replace(written, value=written.plain),
        f"is written {written}, and taken literally this and the other inertias are powers of e = 2.718…, "
        f"{literal:.3e} kg m² here, a radius of "
        f"gyration of {sqrt(literal / float(mass.number)):.3f} m in a rod of {length}",
        f"read powers of ten, {written.plain} kg m² here",
    )
