"""Which column of a file is which official one: by the names in its header, or else by their order."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from grashof.judge.dialect import Dialect
from grashof.problems.base import Column
from grashof.wording import quoted, some

_SHOWN = 12
"""Skipped columns that are named."""

_LONGEST = 100
"""Characters of a name; a longer one is not that of an official column."""

# every pattern here takes time in proportion to the text: it comes from a file that may be made to take for ever
_UNIT = re.compile(r"\[[^][]*\]|\([^()]*\)")
_SPLITS = (";", ",", r"\t", r"\s{2,}", r"\s+")


def plain(name: str) -> str:
    """A name without units, signs and accents; a letter keeps its case when it is alone.

    >>> plain("φ̇₁ [rad/s]"), plain("X_F (m)"), plain("T"), plain("E − E₀")
    ('phidot1', 'xf', 'T', 'ee0')
    """
    text = unicodedata.normalize("NFKD", _UNIT.sub("", name)).replace("φ", "phi").replace("Δ", "delta")
    text = text.replace("\u0307", "dot").replace("ω", "omega")
    text = "".join(sign for sign in text if sign.isascii() and sign.isalnum())
    return text if len(text) == 1 else text.lower()


def official(name: str, columns: Sequence[Column]) -> str | None:
    """The official column that a heading names; None if it names none of these."""
    if len(name) > _LONGEST:
        return None
    called = plain(name)
    for column in columns:
        if called == plain(column.name) or called in column.also:
            return column.name
    return None


def names_in(line: bytes, dialect: Dialect) -> list[str] | None:
    """The names in a header line, if it has as many as a row has numbers."""
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        text = line.decode("latin-1")
    text = text.strip().lstrip("#%!/").strip()
    for attempt in (text, text.rpartition(":")[2]):
        for split in _SPLITS:
            spaced = _UNIT.sub("", attempt) if split == r"\s+" else attempt
            names = [name.strip().strip("\"'") for name in re.split(split, spaced.strip().rstrip(",;"))]
            if len(names) == dialect.count and any(any(map(str.isalpha, name)) for name in names):
                return names
    return None


def assign(header: Sequence[bytes], dialect: Dialect, columns: Sequence[Column]) -> tuple[dict[str, int], list[str]]:
    """Where the official columns are in a file (from 0), and sentences about what was not taken as it stands.

    The header line that names the most official columns decides. Names that are not understood are taken for the official
    ones at their places if all names that are understood stand at theirs; else these columns are skipped.
    """
    best: list[str] = []
    known: list[str | None] = []
    for line in header:
        names = names_in(line, dialect)
        if names is not None:
            found = [official(name, columns) for name in names]
            if "t" not in found and names[0] == "T":  # all in capitals
                found[0] = "t"
            if sum(x is not None for x in found) > sum(x is not None for x in known):
                best, known = names, found
    in_order = all(name is None or (k < len(columns) and columns[k].name == name) for k, name in enumerate(known))
    remarks = []
    if not known or (in_order and len(known) <= len(columns)):
        places = {column.name: k for k, column in enumerate(columns[: dialect.count])}
        strange = [name for name, meant in zip(best, known, strict=True) if meant is None]
        if not known:
            remarks.append("No header names an official column: the columns are taken in the official order.")
        elif strange:
            remarks.append(f"{', '.join(quoted(strange))} stand where the official columns do and are taken for them.")
        extra = [f"column {k + 1}" for k in range(len(columns), dialect.count)]
    else:
        places = {}
        extra = []
        for k, (name, meant) in enumerate(zip(best, known, strict=True)):
            if meant is None or meant in places:
                extra.append(f"column {k + 1} '{name}'")
            else:
                places[meant] = k
    if extra:
        remarks.append(f"Not an official column, or there twice, and skipped: {some(extra, _SHOWN)}.")
    return places, remarks
