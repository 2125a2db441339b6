"""How a file of numbers is written: separators, decimal marks and comments.

Accepted are spaces, tabs, commas and semicolons between numbers; decimal points, and decimal commas unless commas
separate; exponents as in 1.0e-3, Fortran's 1.0D-3 and its 1.0-103, where the letter was dropped for lack of space;
quotes around a number; comments from #, %, ! or // to the end of the line.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

_SIGNS = (b"#", b"%", b"!", b"//")
_COMMENT = re.compile(b"|".join(_SIGNS))
_NUMBER = re.compile(rb"[+-]?(\d+(\.\d*)?|\.\d+)([eEdDqQ]?[+-]\d+|[eEdDqQ]\d+)?|[+-]?(nan|inf|infinity)", re.IGNORECASE)
_LOST_LETTER = re.compile(rb"^([+-]?[\d.]+)([+-]\d+)$")
_SPACES = re.compile(rb"[^\s\"']+")


def content(line: bytes) -> bytes:
    """A line without its comment."""
    comment = _COMMENT.search(line)
    return line[: comment.start()] if comment else line


def is_row(line: bytes) -> bool:
    """Whether a line holds numbers and nothing else, in any dialect."""
    pieces = re.split(rb"[\s,;\"']+", content(line).strip(b" \t\r\n,;\"'"))
    return all(_NUMBER.fullmatch(piece) for piece in pieces)


@dataclass(frozen=True)
class Dialect:
    """separator  between numbers; None: spaces or tabs
    decimal    the decimal mark
    count      numbers in a row
    """

    separator: bytes | None
    decimal: bytes
    count: int

    @cached_property
    def table(self) -> bytes:
        """For `bytes.translate`: every number becomes one that `float` reads, except those that lost a letter."""
        return bytes.maketrans(b"dDqQ\"'" + self.decimal, b"eeee  .")

    def bare(self, text: bytes) -> list[bytes]:
        """The lines of a text, translated by `table`, without comments, white space around them and a separator at
        the end."""
        lines = text.translate(self.table).split(b"\n")
        if any(sign in text for sign in _SIGNS):
            lines = [content(line) for line in lines]
        return [line.strip().removesuffix(self.separator or b"") for line in lines]

    def fields(self, line: bytes) -> list[tuple[int, bytes]]:
        """Each field of a line with the place where it begins, from 0; a separator at the end is no field."""
        text = content(line).rstrip()
        if self.separator is None:
            return [(found.start(), found.group()) for found in _SPACES.finditer(text)]
        found, place = [], 0
        for piece in text.removesuffix(self.separator).split(self.separator):
            bare = piece.strip(b" \t\"'")
            found.append((place + (piece.find(bare) if bare else 0), bare))
            place += len(piece) + 1
        return found

    def number(self, field: bytes) -> float | None:
        """The number in a field; None if there is none."""
        text = field.translate(self.table)
        return float(_LOST_LETTER.sub(rb"\1e\2", text)) if _NUMBER.fullmatch(text) else None


def find_dialect(rows: Sequence[bytes]) -> Dialect:
    """The dialect of rows of numbers (see `is_row`), of which there is at least one.

    A comma separates unless semicolons do, or unless there is no point in any number and spaces separate fields of at
    most one comma each, inside.

    >>> find_dialect([b"0 0", b"0,5 1,25"])
    Dialect(separator=None, decimal=b',', count=2)
    >>> find_dialect([b"0, 0", b"0.5, 1"])
    Dialect(separator=b',', decimal=b'.', count=2)
    """
    rows = [content(row) for row in rows]
    text = b"\n".join(rows)
    comma, point = b"," in text, b"." in text
    if b";" in text:
        separator, decimal = b";", b"," if comma else b"."
    elif comma and (point or not all(_decimal_commas(row) for row in rows)):
        separator, decimal = b",", b"."
    else:
        separator, decimal = None, b"," if comma else b"."
    counts = Counter(len(Dialect(separator, decimal, 0).fields(row)) for row in rows)
    return Dialect(separator, decimal, counts.most_common(1)[0][0])


def _decimal_commas(row: bytes) -> bool:
    fields = row.split()
    return len(fields) > 1 and all(field.count(b",") <= 1 and field.strip(b",") == field for field in fields)
