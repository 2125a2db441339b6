"""The unit that a heading states for its column: `x_F [mm]`, `x_F (mm)` and `x_F/mm` are in millimetres."""

from __future__ import annotations

import re

from grashof.common.errors import ModelError
from grashof.model.units import UNITS, Unit, read, value_in_si

BRACKETED = re.compile(r"\[[^][]*\]|\([^()]*\)")  # takes time in proportion to the text, which anybody may have written

_LONGEST = 30
"""Characters of a unit; anything longer in brackets is a comment."""
_DIMENSIONLESS = ("", "1", "-", "–", "−")
_WORDS = {
    "s": "sec second seconds",
    "ms": "msec millisecond milliseconds",
    "min": "minute minutes",
    "m": "meter meters metre metres",
    "mm": "millimeter millimeters millimetre millimetres",
    "rad": "radian radians",
    "deg": "degree degrees",
    "rev": "turn turns revolution revolutions",
    "J": "joule joules",
    "N m": "nm",  # an energy or a torque: no result is in nanometres
}
"""What other tools write, in lower case."""
_SYMBOLS = {word: symbol for symbol, words in _WORDS.items() for word in words.split()}
_SIGNS = str.maketrans({"⁻": "-", "¹": "1", "˚": "°", "º": "°", "⋅": "·"})


def known_unit(text: str) -> Unit | None:
    """The unit that a text stands for; None if it is not one.

    >>> known_unit("mm") == known_unit("millimetres"), known_unit("mm s⁻¹") == known_unit("mm/s"), known_unit("left")
    (True, True, None)
    """
    text = text.strip().translate(_SIGNS)
    if not 0 < len(text) <= _LONGEST:
        return None
    for attempt in (text, re.sub(r"[A-Za-z]+", _symbol, text)):
        try:
            return read("", attempt)
        except ModelError:
            continue
    return None


def _symbol(word: re.Match[str]) -> str:
    """The symbol for a unit that is written as a word, or in capitals."""
    small = word[0].lower()
    return _SYMBOLS.get(small) or (small if small in UNITS and word[0] not in UNITS else word[0])


def conversion(column: str, own: str, text: str) -> tuple[float, str]:
    """What the numbers of a column are to be multiplied by to be in its own unit, and a sentence if its stated unit is
    ignored.

    >>> conversion("x_F", "m", "mm"), conversion("x_F", "m", "furlong")
    ((0.001, ''), (1.0, "'furlong', stated for x_F, is not a known unit: its numbers are read as m."))
    """
    text = text.strip()
    if text in _DIMENSIONLESS or text == own:
        return 1.0, ""
    stated = known_unit(text)
    if stated is None:
        return 1.0, f"'{text[:_LONGEST]}', stated for {column}, is not a known unit: its numbers are read as {own}."
    if not stated.fits(read(column, own)):
        return (
            1.0,
            f"'{text}', stated for {column}, is not a unit of the same kind as {own}: its numbers are read as {own}.",
        )
    return value_in_si("1", stated), ""
