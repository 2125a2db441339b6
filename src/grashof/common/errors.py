"""Errors as sentences and as data: invalid input, unknown names, numbers that are not finite."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable


class ModelError(ValueError):
    """The one exception for bad input: its text is a sentence that names the thing, the value and what to do."""


def did_you_mean(wrong: str, known: Iterable[str], at_most: int = 1) -> str:
    """The end of a sentence about an unknown word: the nearest known words, or a list of those that exist.

    >>> did_you_mean("crank.angel", ["crank.angle", "rod.end"])
    "did you mean 'crank.angle'?"
    >>> did_you_mean("abacus", ["crank.angle", "rod.end"])
    "known: 'crank.angle', 'rod.end'."
    """
    known = list(known)
    near = [f"'{word}'" for word in difflib.get_close_matches(wrong, known, at_most)]
    if near:
        return f"did you mean {' or '.join(near)}?"
    if not known:
        return "none are known."
    shown = ", ".join(f"'{word}'" for word in known[:12])
    return f"known: {shown}{' and so on' if len(known) > 12 else ''}."


def finite(x: float) -> float | None:
    """The number, or None if it is not finite: JSON has neither NaN nor infinity."""
    return float(x) if math.isfinite(x) else None
