"""Numbers with a unit, as strings: "30 deg", "120 mm", "300 rpm", "2 kN", "5 N mm".

Where a number is expected, such a string is converted to SI units, and refused if its unit is of another kind, such as
an angle where a length is expected.

>>> si("Bar 'rod': length", "120 mm", "m"), si("Force 'f'", "5 N mm", "N m"), si("speed", "300 rpm", "rad/s")
(0.12, 0.005, 31.41592653589793)
"""

from __future__ import annotations

import math
import re
import reprlib
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated

from msgspec import Meta

from grashof.common.errors import ModelError, did_you_mean


@dataclass(frozen=True)
class Unit:
    """A unit: factor · πᵏ in SI units, with the exponents of m, kg, s and rad."""

    factor: Fraction
    pi: int
    exponents: tuple[int, int, int, int]

    def __mul__(self, other: Unit) -> Unit:
        m, kg, s, rad = (a + b for a, b in zip(self.exponents, other.exponents, strict=True))
        return Unit(self.factor * other.factor, self.pi + other.pi, (m, kg, s, rad))

    def __pow__(self, n: int) -> Unit:
        m, kg, s, rad = (n * a for a in self.exponents)
        return Unit(self.factor**n, n * self.pi, (m, kg, s, rad))

    def fits(self, expected: Unit) -> bool:
        """Whether it is of the expected kind; rad may be omitted, as rad = 1."""
        *given, angle = self.exponents
        *wanted, right = expected.exponents
        return given == wanted and angle in (right, 0)


def _units() -> dict[str, Unit]:
    one = Fraction(1)
    base = {
        "m": Unit(one, 0, (1, 0, 0, 0)),
        "g": Unit(Fraction(1, 1000), 0, (0, 1, 0, 0)),
        "s": Unit(one, 0, (0, 0, 1, 0)),
        "rad": Unit(one, 0, (0, 0, 0, 1)),
        "N": Unit(one, 0, (1, 1, -2, 0)),
        "J": Unit(one, 0, (2, 1, -2, 0)),
        "W": Unit(one, 0, (2, 1, -3, 0)),
        "Pa": Unit(one, 0, (-1, 1, -2, 0)),
    }
    prefixes = {"": 0, "k": 3, "M": 6, "G": 9, "c": -2, "m": -3, "µ": -6, "u": -6}
    found = {
        prefix + name: Unit(unit.factor * Fraction(10) ** power, unit.pi, unit.exponents)
        for name, unit in base.items()
        for prefix, power in prefixes.items()
    }
    found |= {
        "deg": Unit(Fraction(1, 180), 1, (0, 0, 0, 1)),
        "°": Unit(Fraction(1, 180), 1, (0, 0, 0, 1)),
        "rev": Unit(Fraction(2), 1, (0, 0, 0, 1)),
        "rpm": Unit(Fraction(1, 30), 1, (0, 0, -1, 1)),
        "min": Unit(Fraction(60), 0, (0, 0, 1, 0)),
        "h": Unit(Fraction(3600), 0, (0, 0, 1, 0)),
        "t": Unit(Fraction(1000), 0, (0, 1, 0, 0)),
        "lb": Unit(Fraction(45359237, 100000000), 0, (0, 1, 0, 0)),
        "lbf": Unit(Fraction(44482216152605, 10**13), 0, (1, 1, -2, 0)),
        "in": Unit(Fraction(254, 10000), 0, (1, 0, 0, 0)),
        "ft": Unit(Fraction(3048, 10000), 0, (1, 0, 0, 0)),
    }
    return found


UNITS = _units()
"""All units by their symbols."""

KINDS = {
    "m": ("a length", "120 mm"),
    "kg": ("a mass", "250 g"),
    "s": ("a time", "20 ms"),
    "rad": ("an angle", "30 deg"),
    "N": ("a force", "2 kN"),
    "N m": ("a torque", "5 N mm"),
    "N/m": ("a stiffness", "10 N/mm"),
    "N s/m": ("a damping", "3 N s/m"),
    "N m/rad": ("a torsional stiffness", "2 N m/deg"),
    "N m s/rad": ("a torsional damping", "0.1 N m s/rad"),
    "m/s": ("a speed", "30 mm/s"),
    "rad/s": ("an angular speed", "300 rpm"),
    "m/s2": ("an acceleration", "9.81 m/s2"),
    "kg m2": ("a moment of inertia", "50 kg mm2"),
    "kg/m3": ("a density", "7850 kg/m3"),
}
"""Kinds of quantities by their SI unit: a description, and an example."""

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?"
_FACTOR = r"(?!(?:and|or|if|else)\b)[A-Za-zµ°]+(?:(?:\^|\*\*)?-?\d)?"
_PRODUCT = rf"{_FACTOR}(?:\s*[/*·]\s*{_FACTOR}|\s+{_FACTOR})*"
_QUANTITY = re.compile(rf"\s*((?>{_NUMBER}))\s*({_PRODUCT})\s*")  # the e of 1e3 is not a unit
_UNIT = re.compile(rf"\s*(?:1\s*/\s*)?{_PRODUCT}\s*")
_LONGEST = 100
_SUPERSCRIPTS = str.maketrans("²³μ", "23µ")  # the Greek letter mu is read as the micro sign


def is_quantity(text: str) -> bool:
    """Whether a string is a number with a unit; expressions are not."""
    return _match(text) is not None


def has_unit(text: str, unit: str) -> bool:
    """Whether a number with a unit is of this kind: "60 rpm" is of the kind rad/s."""
    found = _match(text)
    return found is not None and read("It", found[2]).fits(read("It", unit))


def _match(text: str) -> re.Match[str] | None:
    return _QUANTITY.fullmatch(text.translate(_SUPERSCRIPTS)) if len(text) <= _LONGEST else None


def si(what: str, text: str, unit: str) -> float:
    """The value of a string with a unit, in SI units; refused, naming `what`, if it is not a number of this kind."""
    kind, example = KINDS.get(unit, (f"a number in {unit}", f"5 {unit}"))
    found = _match(text)
    if found is None:
        raise ModelError(
            f"{what} is {reprlib.repr(text)}; it must be a number, or a text with its unit such as '{example}'."
        )
    given = read(what, found[2])
    if not given.fits(read(what, unit)):
        other = next(
            (words for name, (words, _) in KINDS.items() if read(what, name).exponents == given.exponents), None
        )
        told = f"which is {other}" if other else "whose unit is of another kind"
        raise ModelError(f"{what} is {text!r}, {told}; it must be {kind}, such as '{example}'.")
    try:
        return value_in_si(found[1], given)
    except OverflowError:
        raise ModelError(f"{what} is {text!r}; it must be finite.") from None


def si_unit(what: str, text: str) -> str:
    """The SI unit for a string with a unit, such as "m" for "120 mm"; refused, naming `what`, if it has no symbol."""
    found = _match(text)
    exponents = read(what, found[2]).exponents if found else ()
    for unit in KINDS:
        if read(what, unit).exponents == exponents:
            return unit
    raise ModelError(f"{what} is {text!r}; give its SI unit, too, such as unit = 'N m'.")


def value_in_si(number: str, unit: Unit) -> float:
    """A number in SI units, with a single rounding apart from that of π."""
    return float(Fraction(number) * unit.factor) * math.pi**unit.pi


def read(what: str, text: str) -> Unit:
    """A product of units, such as N m/rad; anything else is refused, naming `what`."""
    if not _UNIT.fullmatch(text.translate(_SUPERSCRIPTS)):
        raise ModelError(f"{what}: {reprlib.repr(text)} is not a unit; write it as a product such as 'N m/rad'.")
    unit = Unit(Fraction(1), 0, (0, 0, 0, 0))
    for sign, symbol, power in re.findall(
        r"([/*·]?)\s*([A-Za-zµ°]+)(?:\^|\*\*)?(-?\d)?", text.translate(_SUPERSCRIPTS)
    ):
        if symbol not in UNITS:
            raise ModelError(f"{what}: there is no unit '{symbol}'; {did_you_mean(symbol, UNITS)}")
        unit = unit * UNITS[symbol] ** (int(power or 1) * (-1 if sign == "/" else 1))
    return unit


def split_units(units: str | Iterable[str]) -> list[str]:
    """Units given in one text, separated by commas, or one by one; refused if one of them does not exist."""
    wanted = [part.strip() for part in units.split(",") if part.strip()] if isinstance(units, str) else list(units)
    for unit in wanted:
        read("units", unit)
    return wanted


def change_unit(unit: str, wanted: Iterable[str]) -> tuple[str, float]:
    """The unit in which a quantity is to be given, and the factor from its SI unit: the first of the wanted units of
    its kind. A wanted length or angle also replaces m and rad in speeds and accelerations.

    >>> change_unit("m", ["mm", "deg"]), change_unit("rad/s", ["rpm", "deg"])[0], change_unit("m/s²", ["mm"])
    (('mm', 1000.0), 'rpm', ('mm/s²', 1000.0))
    """
    units = {symbol: read("units", symbol) for symbol in wanted}
    own = read("units", unit) if unit else None
    for symbol, other in units.items():
        if own is not None and other.exponents == own.exponents:
            return symbol, float(own.factor / other.factor) * math.pi ** (own.pi - other.pi)
    base, slash, per = unit.partition("/")
    if slash and base in ("m", "rad"):
        symbol, factor = change_unit(base, units)
        return f"{symbol}/{per}", factor
    return unit, 1.0


FIXED = Meta(extra={"is_number": False}, extra_json_schema={"fixed": True})
"""Marks numbers that are never varied and cannot be given by an expression."""

BOUND = Meta(extra={"is_number": False})
"""Marks bounds of parameters, which are never varied, but may be given as strings with a unit."""


def component_names(*components: str) -> Meta:
    """The names of the numbers of a row in their paths (see `parameters`), if they are not x, y and z."""
    return Meta(extra={"components": components})


NUMBERED = Meta(extra={"numbered": True})
"""Marks rows whose numbers are called 1, 2 and so on in their paths."""


def _of(unit: str) -> Meta:
    return Meta(extra={"unit": unit}, extra_json_schema={"unit": unit})


Length = Annotated[float, _of("m")]
Mass = Annotated[float, _of("kg")]
Time = Annotated[float, _of("s")]
Angle = Annotated[float, _of("rad")]
AngularSpeed = Annotated[float, _of("rad/s")]
Acceleration = Annotated[float, _of("m/s2")]
Inertia = Annotated[float, _of("kg m2")]
Stiffness = Annotated[float, _of("N/m")]
Damping = Annotated[float, _of("N s/m")]
TorsionStiffness = Annotated[float, _of("N m/rad")]
TorsionDamping = Annotated[float, _of("N m s/rad")]
Place = tuple[Length, ...]
ForceLaw = Annotated[float | str, _of("N")]
TorqueLaw = Annotated[float | str, _of("N m")]
LengthLaw = Annotated[float | str, _of("m")]
AngleLaw = Annotated[float | str, _of("rad")]
StiffnessLaw = Annotated[float | str, _of("N/m")]
DampingLaw = Annotated[float | str, _of("N s/m")]
TorsionLaw = Annotated[float | str, _of("N m/rad")]
TorsionDampingLaw = Annotated[float | str, _of("N m s/rad")]
