"""The tables of two documents that describe Andrews' squeezer for OpenSim, number for number as they were written, and
the frames in which they give each body.

frames      z = origin + i^turns · z′, z′ in the OpenSim frame, z in that of `reference.ReferenceRod` or `.Triangle`
angles      PQR is the one at Q between the directions to P and to R, in [0, π]
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal, TypeVar

from grashof.model.formula import Formula
from grashof.problems.andrews.reference import Pair

Signed = TypeVar("Signed", Decimal, Formula)
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

    def __str__(self) -> str:
        return f"{self.value} {self.unit}"


Telling = Mapping[str, Written]
"""All numbers of a document by item."""


@dataclass(frozen=True)
class TableFrame:
    """The OpenSim frame of a link: the link's name in `reference` and, in the axes used there, the place of its
    origin [m] and its quarter turns."""

    link: str
    origin: Pair
    turns: int

    def told(self, z: Pair) -> tuple[Decimal, Decimal]:
        """The coordinates z′ of a point with the coordinates z in `reference`."""
        x, y = (Decimal(str(a)) - Decimal(str(b)) for a, b in zip(z, self.origin, strict=True))
        return rotate_quarters(x, y, -self.turns)

    def local(self, x: Decimal, y: Decimal) -> Pair:
        """The coordinates z in `reference` of a point with the coordinates z′ = (x, y)."""
        u, v = rotate_quarters(x, y, self.turns)
        return float(u + Decimal(str(self.origin[0]))), float(v + Decimal(str(self.origin[1])))


def rotate_quarters(x: Signed, y: Signed, quarters: int) -> tuple[Signed, Signed]:
    """A vector rotated by a number of quarter turns."""
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
