"""Words for lists, numbers of things and durations, as sentences need them."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

SHOWN = 3
"""How many names a list in a text has before it says how many more there are."""


def join_words(words: Sequence[str]) -> str:
    """Words with commas and an "and"; nothing if there are none.

    >>> join_words([]), join_words(["a"]), join_words(["a", "b", "c"])
    ('', 'a', 'a, b and c')
    """
    return "".join(words) if len(words) < 2 else f"{', '.join(words[:-1])} and {words[-1]}"


def some(words: Sequence[str], most: int) -> str:
    """The first words and how many more there are; one more is shown itself.

    >>> some(["a", "b", "c", "d"], most=2), some(["a", "b", "c"], most=2)
    ('a, b and 2 more', 'a, b and c')
    """
    return join_words(words if len(words) <= most + 1 else [*words[:most], f"{len(words) - most} more"])


def quote_first(names: Sequence[str], most: int = SHOWN) -> str:
    """The first names, in quotation marks, and how many more there are.

    >>> quote_first(["crank", "rod"])
    "'crank' and 'rod'"
    """
    return some(quote_each(names), most)


def quote_each(words: Sequence[str]) -> list[str]:
    """Each word in quotation marks."""
    return [f"'{word}'" for word in words]


def plain_line(value: object) -> str:
    """A text of a stranger in one line, without control characters.

    >>> plain_line(" two\\nlines\\x1b[2J ")
    'two lines [2J'
    """
    return " ".join("".join(" " if unicodedata.category(x) == "Cc" else x for x in str(value)).split())


def count_of(count: int, thing: str, things: str | None = None) -> str:
    """A number of things.

    >>> count_of(1, "joint"), count_of(-2, "degree of freedom", "degrees of freedom")
    ('1 joint', '−2 degrees of freedom')
    """
    return f"{signed_number(count)} {thing if count == 1 else things or thing + 's'}"


def signed_number(count: int) -> str:
    """A whole number with a minus sign that is as long as a plus sign."""
    return f"−{-count}" if count < 0 else str(count)


def two_digits(x: float) -> str:
    """A number with two digits, as people write it.

    >>> two_digits(1.23e-08), two_digits(0.1), two_digits(-250.0)
    ('1.2e−8', '0.1', '−250')
    """
    text = f"{x:.2g}" if abs(x) < 100.0 else f"{x:.3g}"
    mantissa, e, power = text.partition("e")
    return (f"{mantissa}e{int(power)}" if e else text).replace("-", "−")


def seconds(duration: float) -> str:
    """A duration with a unit that fits.

    >>> seconds(0.000231), seconds(0.0123), seconds(2.5)
    ('0.231 ms', '12.3 ms', '2.5 s')
    """
    return f"{duration * 1e3:.3g} ms" if duration < 0.9995 else f"{duration:.3g} s"
