"""Andrews' squeezer as the OpenSim benchmark pages tell it, audited against the IFToMM document.

Two documents of the Rehabilitation Engineering Group, University of Padua, describe the mechanism that OpenSim ran
as "MBS Benchmark A03": the page of the project's manual ("003" here) and a printed sheet ("004"). They tell every
body in a frame of its own, and they contain errors. This module keeps their tables as they were written, tells the
IFToMM data in their frames, and finds by calculation where they contradict it, themselves, or each other.

    frames      z = origin + i^turns · z′, z′ in the OpenSim frame, z in that of `reference.Rod` or `.Triangle`
    angles      PQR is the one at Q between the directions to P and to R, in [0, π]
    rounding    a number written with decimals stands for all that round to it; one without ("0") claims to be exact
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from math import acos, exp, hypot, pi, sqrt
from typing import Literal

import numpy as np

from grashof.problems.andrews.reference import IFTOMM, Pair, Rod, Squeezer, Triangle, pose
from grashof.wording import listed

Seed = Literal["003", "004"]
SEEDS: tuple[Seed, ...] = ("003", "004")


@dataclass(frozen=True)
class Written:
    """A number as it is written, its unit, and where it is written."""

    value: str
    unit: str
    table: str

    @property
    def plain(self) -> str:
        """The number that is meant, in plain notation: 2.194e-6 for 2.194e^{-6}."""
        return self.value.replace("^{", "").replace("}", "")

    @property
    def number(self) -> Decimal:
        """The number that is meant."""
        return Decimal(self.plain)

    @property
    def half_unit(self) -> Decimal:
        """Half a unit of the last decimal; zero for a number without decimals, which claims to be exact."""
        exponent = int(self.number.as_tuple().exponent)
        return Decimal(5).scaleb(exponent - 1) if exponent < 0 else Decimal(0)

    def __str__(self) -> str:
        return f"{self.value} {self.unit}"

    def fits(self, value: float) -> bool:
        """Whether the value rounds to what is written."""
        return abs(float(self.number) - value) <= float(self.half_unit)


Telling = Mapping[str, Written]
"""All numbers of a document by item."""


@dataclass(frozen=True)
class Finding:
    """An item that cannot stand as written; as text, one sentence."""

    item: str
    written: Written
    expected: Written
    evidence: str
    correction: str

    def __str__(self) -> str:
        return f"{self.written.table}: {self.item} is written {self.written}, but {self.evidence}; {self.correction}."


@dataclass(frozen=True)
class TableFrame:
    """An OpenSim frame: the link's name in `reference`, and there the place of the origin [m] and the quarter turns."""

    link: str
    origin: Pair
    turns: int

    def told(self, z: Pair) -> tuple[Decimal, Decimal]:
        """The coordinates z′ of a point with the coordinates z in `reference`."""
        x, y = (Decimal(str(a)) - Decimal(str(b)) for a, b in zip(z, self.origin, strict=True))
        return _turned(x, y, -self.turns)

    def local(self, x: Decimal, y: Decimal) -> Pair:
        """The coordinates z in `reference` of a point with the coordinates z′ = (x, y)."""
        u, v = _turned(x, y, self.turns)
        return float(u + Decimal(str(self.origin[0]))), float(v + Decimal(str(self.origin[1])))


def _turned(x: Decimal, y: Decimal, quarters: int) -> tuple[Decimal, Decimal]:
    return ((x, y), (-y, x), (-x, -y), (y, -x))[quarters % 4]


FRAMES = {
    "OF": TableFrame("OF", (0.0, 0.0), 0),  # origin O
    "FE": TableFrame("EF", (0.028, 0.0), 0),  # F
    "HE": TableFrame("HE", (0.02, 0.0), 0),  # E
    "EG": TableFrame("GE", (0.02, 0.0), 1),  # E
    "AG": TableFrame("AG", (0.0, 0.0), 0),  # A
    "AH": TableFrame("AH", (0.0, 0.0), 1),  # A
    "BDE": TableFrame("EBD", (0.0, 0.035), 0),  # B
}
"""Of two ends and four quarter turns for each rod, the only choice that puts its centre of mass where IFToMM has it."""


def _table(table: str, labels: str, units: str, rows: str) -> dict[str, Written]:
    """The numbers of a printed table: in each row a name, and a value for each of the labels."""
    return {
        f"{label} of {name}": Written(value, unit, table)
        for name, *values in map(str.split, rows.strip().splitlines())
        for label, unit, value in zip(labels.split(", "), units.split(", "), values, strict=True)
    }


_TRIANGLE_POINTS = """
    B  0      0
    D  0.02  -0.018
    E  0     -0.035
"""
_GROUND_POINTS = """
    O   0         0
    A  -0.06934  -0.00227
    B   0.03635   0.03273
    C   0.014     0.072
"""
_ANGLES = """
    β   -0.0620
    OFE  0
    FEB  2.088
    FEG  2.341
    EGA  1.792
    EHA  1.348
"""
_BODY, _BODY_UNITS = "CoM x, CoM y, mass, inertia", "m, m, kg, kg m²"

TELLINGS: dict[Seed, Telling] = {
    "003": {
        "spring coefficient": Written("4530", "N/m", "003, System Properties and Configuration"),
        "spring rest length": Written("0.07785", "m", "003, System Properties and Configuration"),
        "motor torque": Written("0.033", "N/m", "003, System Properties and Configuration"),
        "simulated time": Written("0.05", "s", "003, Results"),
        **_table(
            "003, Rod Elements Properties",
            f"{_BODY}, length",
            f"{_BODY_UNITS}, m",
            """
            OF   0.00092   0        0.04325  2.194e-6  0.007
            FE  -0.0115    0        0.00365  4.410e-7  0.028
            EG   0         0.01421  0.00706  5.667e-7  0.02
            AG   0.02308   0.00916  0.0705   1.169e-5  0.04
            AH  -0.00449  -0.01228  0.05498  1.912e-5  0.04
            HE  -0.01421   0        0.00706  5.667e-7  0.02
            """,
        ),
        **_table("003, Triangular Element Properties", _BODY, _BODY_UNITS, "BDE 0.01043 -0.0187 0.02372 5.255e-6"),
        **_table("003, Triangular Element Properties", "BDE x, BDE y", "m, m", _TRIANGLE_POINTS),
        **_table("003, Points in ground", "x, y", "m, m", _GROUND_POINTS),
        **_table("003, Initial Joints Position", "angle", "rad", _ANGLES),
    },
    "004": {
        "spring coefficient": Written("4530", "N/ m", "004, table 1"),
        "spring rest length": Written("0.07785", "m", "004, table 1"),
        "motor torque": Written("0.033", "N m ⁻¹", "004, table 1"),
        "simulated time": Written("0.5", "s", "004, text of the results"),
        "time in figure 3": Written("0.05", "s", "004, figure 3"),
        **_table(
            "004, table 2",
            f"{_BODY}, length",
            f"{_BODY_UNITS}, m",
            """
            OF   0.00092   0        0.04325  2.194e^{-6}  0.007
            FE  -0.0115    0        0.00365  4.41e^{-7}   0.028
            EG   0         0.01421  0.00706  5.667e^{-7}  0.02
            AG   0.02308   0.00916  0.0705   1.169e^{-5}  0.04
            AH  -0.00449  -0.01228  0.05498  1.912e^{-5}  0.04
            HE  -0.01421   0        0.00706  5.667e^{-7}  0.02
            """,
        ),
        **_table("004, table 3", _BODY, _BODY_UNITS, "BDE 0.01043 -0.01874 0.02373 5.255e^{-6}"),
        **_table("004, table 3", "BDE x, BDE y", "m, m", _TRIANGLE_POINTS),
        **_table("004, table 4", "x, y", "m, m", _GROUND_POINTS),
        **_table("004, table 5", "angle", "rad", _ANGLES),
    },
}
"""Both documents, number for number as written."""


def expected(data: Squeezer = IFTOMM) -> dict[str, Decimal]:
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
        if isinstance(link, Rod):
            result[f"length of {name}"] = Decimal(str(link.length))
    for point, place in {"B": data.triangle.b, "D": data.triangle.d, "E": (0.0, 0.0)}.items():
        result[f"BDE x of {point}"], result[f"BDE y of {point}"] = FRAMES["BDE"].told(place)
    return result


def squeezer(telling: Telling) -> Squeezer:
    """The data of a telling, in the frames of `reference`."""

    def number(item: str) -> float:
        return float(telling[item].number)

    def place(label: str, name: str, frame: TableFrame) -> Pair:
        return frame.local(telling[f"{label} x of {name}"].number, telling[f"{label} y of {name}"].number)

    rods = tuple(
        Rod(
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


def corrected(seed: Seed = "004") -> Squeezer:
    """The mechanism of a document with every finding put right; the same from both."""
    return squeezer({**TELLINGS[seed], **{finding.item: finding.expected for finding in audit(seed)}})


def audit(seed: Seed) -> tuple[Finding, ...]:
    """All that cannot stand as written in a document, each with its evidence."""
    telling = TELLINGS[seed]
    return (*_mirrored(telling), *_data(seed, telling), *_units(telling), *_notation(telling), *_angles(telling))


def corner(data: Squeezer) -> float:
    """The angle FEB [rad] that the lengths EF and EB and the distance FB at β₀ leave."""
    ef, eb = data.rod("EF").length, hypot(*data.triangle.b)
    fb = abs(data.rod("OF").length * np.exp(1j * data.beta0) - complex(*data.b))
    return acos((ef**2 + eb**2 - fb**2) / (2 * ef * eb))


def _mirrored(telling: Telling) -> Iterator[Finding]:
    """The sign of B's x: only one fits the table's own angle FEB."""
    written, data = telling["x of B"], squeezer(telling)
    there = replace(data, b=(-data.b[0], data.b[1]))
    if telling["angle of FEB"].fits(corner(data)) or not telling["angle of FEB"].fits(corner(there)):
        return
    near = abs(complex(*data.a) - complex(*data.b)) - hypot(*data.triangle.b)
    reach = data.rod("AG").length + data.rod("GE").length
    yield Finding(
        "x of B",
        written,
        replace(written, value=str(-written.number)),
        f"there it makes angle FEB {corner(data):.4f} rad, not the {telling['angle of FEB']} of the joint table, and "
        f"keeps E at least {near:.4f} m from A where AG and GE reach {reach:.4f} m, while {-written.number} m makes "
        f"FEB {corner(there):.4f} rad",
        f"use {-written.number} m",
    )


def _data(seed: Seed, telling: Telling) -> Iterator[Finding]:
    """Masses, lengths, places and times that are not those of IFToMM (x of B has better evidence: see `_mirrored`)."""
    other_seed: Seed = "003" if seed == "004" else "004"
    for item, value in expected().items():
        written, other = telling[item], TELLINGS[other_seed][item]
        if written.number == value or item == "x of B":
            continue
        should = replace(written, value=str(value))
        frame = ", told in this frame," if item.startswith("CoM") else ""
        grounds = [f"the IFToMM document{frame} has {should}"]
        if other.number == value:
            grounds.append(f"so does document {other_seed}")
        if item == "simulated time" and "time in figure 3" in telling:
            grounds.append(f"this document's own figure 3 ends at {telling['time in figure 3']}")
        if written.fits(float(value)):
            grounds.append("a digit was rounded away")
        yield Finding(item, written, should, listed(grounds), f"use {should}")


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


def _units(telling: Telling) -> Iterator[Finding]:
    """A torque is a force times a length."""
    written, spring = telling["motor torque"], telling["spring coefficient"]
    if exponents(written.unit) == {"N": 1, "m": 1}:
        return
    same = ", the unit of the spring coefficient" if exponents(written.unit) == exponents(spring.unit) else ""
    yield Finding(
        "motor torque",
        written,
        replace(written, unit="N m"),
        f"that is force per length{same}, and a torque is force times length",
        f"read {written.value} N m",
    )


def _notation(telling: Telling) -> Iterator[Finding]:
    """Powers of ten that are printed as powers of e."""
    written, mass, length = (telling[f"{what} of OF"] for what in ("inertia", "mass", "length"))
    if "e^" not in written.value:
        return
    coefficient, power = written.value.removesuffix("}").split("e^{")
    literal = float(coefficient) * exp(float(power))
    yield Finding(
        "inertia of OF",
        written,
        replace(written, value=written.plain),
        f"taken literally this and the other inertias are powers of e = 2.718…, {literal:.3e} kg m² here, a radius of "
        f"gyration of {sqrt(literal / float(mass.number)):.3f} m in a rod of {length}",
        f"read powers of ten, {written.plain} kg m² here",
    )


LOOPS = {"OFE": "B", "FEB": "B", "FEG": "A", "EGA": "A", "EHA": "A"}
"""The ground point that closes the loop in which each angle stands."""


def closing_angles(data: Squeezer = IFTOMM) -> dict[str, float]:
    """The joint angles [rad] at β₀ that close the loops, each in [0, π]."""
    at = {name: complex(place.z) for name, place in pose(data.beta0, data).items()}
    return {
        name: abs(float(np.angle((at[p] - at[q]) / (at[r] - at[q])))) for name in LOOPS for p, q, r in [tuple(name)]
    }


def gap(name: str, angle: float, data: Squeezer = IFTOMM) -> float:
    """How far [m] the loop of angle PQR stays open when R is placed by this angle and all else as it closes."""
    at = {point: complex(place.z) for point, place in pose(data.beta0, data).items()}
    p, q, r = (at[point] for point in name)
    side = np.sign(np.angle((r - q) / (p - q)))
    placed = q + abs(r - q) * (p - q) / abs(p - q) * np.exp(1j * side * angle)
    ground = at[LOOPS[name]]
    return float(abs(abs(placed - ground) - abs(r - ground)))


def _angles(telling: Telling) -> Iterator[Finding]:
    """Joint angles that do not close the loops, beyond what their rounding explains."""
    for name, closing in closing_angles().items():
        written = telling[f"angle of {name}"]
        if written.fits(closing):
            continue
        should = replace(written, value=f"{closing:.5g}")
        grounds = [f"the loops close at {should}"]
        if written.fits(pi - closing):
            grounds.append(f"the supplement of that is {pi - closing:.5g} rad")
        grounds.append(
            f"as written the loop through {LOOPS[name]} stays open by {gap(name, float(written.number)):.1e} m"
        )
        yield Finding(
            f"angle of {name}", written, should, listed(grounds), f"use {should}, or β alone and close the loops"
        )
