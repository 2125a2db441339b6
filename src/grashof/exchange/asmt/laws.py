"""Functions of time as OndselSolver writes them: `2.0d*pi*time`, with comments in quotes and `<n>` for a new line."""

from __future__ import annotations

import math
import re

from grashof.common.errors import ModelError
from grashof.exchange.xml import Element
from grashof.model.expressions import Scope, parse

_TOKEN = re.compile(
    r"\s+|<n>|\"[^\"]*\"|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[de](?:[-+]?\d+)?)?)|(?P<word>[A-Za-z_]\w*)|(?P<sign>[-+*/^(),])"
)
WORDS = {
    "time": "t", "pi": "pi", "abs": "abs",
    "sin": "sin", "cos": "cos", "arctan": "atan", "asin": "asin", "arcsin": "asin",
}  # fmt: skip
"""What these words are called here."""


def read_law(part: Element, what: str, text: str) -> str:
    """A function of time as a law.

    >>> read_law(Element("RotationalMotion"), "RotationZ", "2.0d*pi*time + 1.5d-1")
    '2.0*pi*t+1.5e-1'
    """
    found, at = "", 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise ModelError(f"{part.place}: {what} contains '{text[at : at + 10]}', which is not understood.")
        at = token.end()
        number, word, sign = token["number"], token["word"], token["sign"]
        if number:
            mantissa, _, exponent = number.replace("d", "e").partition("e")
            found += f"{mantissa}e{exponent}" if exponent else mantissa
        elif word and word not in WORDS:
            raise ModelError(f"{part.place}: {what} contains '{word}', which is not supported.")
        elif word or sign:
            found += WORDS[word] if word else sign.replace("^", "**")
    found = found or "0"
    parse(found, part.place)
    return found


def law_at(part: Element, law: str, time: float) -> float:
    """The value of a law at a time."""
    read = parse(law, part.place)
    if not read.of_time and not read.is_constant:
        raise ModelError(f"{part.place}: '{law}' is not a function of time.")
    try:
        found = float(read.at(Scope(time)))
    except (ArithmeticError, ValueError):
        found = math.nan
    if not abs(found) < 1e6:
        raise ModelError(f"{part.place}: '{law}' is {found} at the start; it must be less than 1e6.")
    return found


def is_constant(part: Element, law: str) -> bool:
    """Whether a law never changes."""
    return parse(law, part.place).is_constant
