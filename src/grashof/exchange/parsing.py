"""Parses numbers, words and truth values in XML files; invalid text is refused with a message that gives its
location.
"""

from __future__ import annotations

import math

from grashof.common.errors import ModelError
from grashof.exchange.xml import Element
from grashof.model.fields import Vector

MOST = 1e100
"""Larger numbers are refused: products of a few of them would not be finite."""


def numbers(element: Element, what: str, text: str, count: int | None = None) -> Vector:
    """Numbers separated by blanks or commas; `count` of them, if given."""
    words = text.replace(",", " ").split()
    try:
        found = tuple(float(word) for word in words)
    except ValueError:
        raise ModelError(f"{element.place}: {what} is '{_short(text)}'; it must be numbers.") from None
    if count is not None and len(found) != count:
        raise ModelError(f"{element.place}: {what} is '{_short(text)}'; it must be {count} number{'s' * (count > 1)}.")
    for x in found:
        if not abs(x) <= MOST:
            raise ModelError(
                f"{element.place}: {what} contains the number {x}; numbers must be finite and at most {MOST:g} "
                "in magnitude."
            )
    return tuple(x + 0.0 for x in found)


def number(element: Element, what: str, text: str) -> float:
    """One number."""
    return numbers(element, what, text, 1)[0]


def child_number(element: Element, tag: str, default: float) -> float:
    """The number in a child."""
    text = element.value(tag)
    return number(element, tag, text) if text else default


def child_vector(element: Element, tag: str, default: Vector = (0.0, 0.0, 0.0), count: int = 3) -> Vector:
    """The numbers in a child."""
    text = element.value(tag)
    return numbers(element, tag, text, count) if text else default


def truth(element: Element, what: str, text: str, default: bool) -> bool:
    """true or false."""
    word = text.strip().lower()
    if not word:
        return default
    if word not in ("true", "false", "1", "0"):
        raise ModelError(f"{element.place}: {what} is '{_short(text)}'; it must be true or false.")
    return word in ("true", "1")


def child_truth(element: Element, tag: str, default: bool) -> bool:
    """The truth value in a child."""
    return truth(element, tag, element.value(tag), default)


def direction(element: Element, what: str, given: Vector) -> Vector:
    """A direction, which must have a length."""
    if not math.hypot(*given) > 1e-50:
        raise ModelError(
            f"{element.place}: {what} is {given}, which has no direction; its numbers must not all be zero."
        )
    return given


def _short(text: str) -> str:
    plain = " ".join(text.split())
    return plain if len(plain) <= 40 else plain[:40] + "…"
