"""Which column of a file is which official one, and in which unit: by the headings, or else by the order of the
columns."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from grashof.common.wording import quote_each, some
from grashof.judge.dialect import Dialect
from grashof.judge.units import BRACKETED, known_unit
from grashof.problems.base import Column

_SHOWN = 12
"""Skipped columns that are named."""

_LONGEST = 100
"""Characters of a name; a longer one is not that of an official column."""

# every pattern here takes time in proportion to the text: it comes from a file that may be made to take for ever
_SPLITS = (";", ",", r"\t", r"\s{2,}", r"\s+")
_BEGINS, _SPACE = "\x01", "\x02"
"""Marks of the beginning of brackets, and of spaces inside of them, while a header is split at spaces."""


@dataclass(frozen=True)
class Assigned:
    """Where the official columns are in a file.

    places   their places in a row, from 0, by name
    units    the units that the header states for them, as they are written there
    remarks  sentences on how the header was interpreted
    """

    places: dict[str, int]
    units: dict[str, str]
    remarks: list[str]


def plain(name: str) -> str:
    """A name without units, signs and accents; a letter keeps its case when it is alone.

    >>> plain("φ̇₁ [rad/s]"), plain("X_F (m)"), plain("T"), plain("E − E₀")
    ('phidot1', 'xf', 'T', 'ee0')
    """
    text = unicodedata.normalize("NFKD", BRACKETED.sub("", name)).replace("φ", "phi").replace("Δ", "delta")
    text = text.replace("\u0307", "dot").replace("ω", "omega")
    text = "".join(sign for sign in text if sign.isascii() and sign.isalnum())
    return text if len(text) == 1 else text.lower()


def official(name: str, columns: Sequence[Column]) -> tuple[str | None, str]:
    """The official column that a heading names, or None, and the unit that it states, or "".

    A unit stands in brackets, or after a slash if what is before it is a name: dx/dt is a name, x/mm has a unit.
    """
    if len(name) > _LONGEST:
        return None, ""
    brackets = BRACKETED.findall(name)
    unit = brackets[-1][1:-1] if brackets else ""
    found = _column_called(name, columns)
    if found is None:
        for slash in re.finditer("/", name):
            found = _column_called(name[: slash.start()], columns)
            if found is not None:
                return found, name[slash.end() :].strip()
    return found, unit


def _column_called(name: str, columns: Sequence[Column]) -> str | None:
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
            spaced = BRACKETED.sub(_mark, attempt) if split == r"\s+" else attempt
            names = [name.strip().strip("\"'") for name in re.split(split, spaced.strip().rstrip(",;"))]
            names = _with_brackets(names) if split == r"\s+" else names
            if len(names) == dialect.count and any(any(map(str.isalpha, name)) for name in names):
                return names
    return None


def _mark(brackets: re.Match[str]) -> str:
    return f" {_BEGINS}{_SPACE.join(brackets[0].split())}"


def _with_brackets(pieces: Sequence[str]) -> list[str]:
    """Puts marked brackets back to the names that they follow; a line that begins with brackets is one of units
    alone."""
    names: list[str] = []
    for piece in pieces:
        text = piece.removeprefix(_BEGINS).replace(_SPACE, " ")
        if piece.startswith(_BEGINS) and not pieces[0].startswith(_BEGINS):
            names[-1] += text
        else:
            names.append(text)
    return names


def assign(header: Sequence[bytes], dialect: Dialect, columns: Sequence[Column]) -> Assigned:
    """Finds the official columns by the lines above the first row of numbers.

    The header line that names the most official columns decides. Names that are not understood are taken for the
    official ones at their places if all names that are understood stand at theirs; else these columns are skipped.
    Units are those in the headings or, if these have none, those of a line that consists of units.
    """
    lines = [names for line in header if (names := names_in(line, dialect)) is not None]
    best: list[str] = []
    known: Sequence[str | None] = ()
    units: Sequence[str] = ()
    for names in lines:
        found, stated = zip(*(official(name, columns) for name in names), strict=True)
        if "t" not in found and names[0] == "T":  # all in capitals
            found = ("t", *found[1:])
        if sum(x is not None for x in found) > sum(x is not None for x in known):
            best, known, units = names, found, stated
    if not any(units):
        units = next((texts for names in lines if names is not best and (texts := _units(names))), units)
    in_order = all(name is None or (k < len(columns) and columns[k].name == name) for k, name in enumerate(known))
    remarks = []
    if not known or (in_order and len(known) <= len(columns)):
        places = {column.name: k for k, column in enumerate(columns[: dialect.count])}
        strange = [name for name, meant in zip(best, known, strict=True) if meant is None]
        if not known:
            remarks.append("No heading names an official column: the columns are taken in the official order.")
        elif strange:
            unknown = ", ".join(quote_each(strange))
            remarks.append(
                f"Unknown headings: {unknown}; these columns are taken for the official ones at their places."
            )
        extra = [f"column {k + 1}" for k in range(len(columns), dialect.count)]
    else:
        places = {}
        extra, again = [], []
        for k, (name, meant) in enumerate(zip(best, known, strict=True)):
            if meant is None or (meant in places and plain(name) != plain(meant)):
                extra.append(f"column {k + 1} '{name}'")
            elif meant in places:
                again.append(f"column {k + 1} '{name}'")
            else:
                places[meant] = k
        if again:
            remarks.append(f"Skipped, because an earlier column has the same name: {some(again, _SHOWN)}.")
    if len(extra) > _SHOWN and len(places) == len(columns) and not in_order:
        remarks.append(f"{len(extra)} further columns are not needed for the verdict.")
    elif extra:
        remarks.append(f"Skipped, because they are not official columns: {some(extra, _SHOWN)}.")
    return Assigned(places, {name: units[k] for name, k in places.items() if k < len(units) and units[k]}, remarks)


def _units(names: Sequence[str]) -> list[str]:
    """The units in a line that consists of them, with or without brackets; none if it has anything else."""
    texts = [name.strip("[]() ") for name in names]
    return texts if all(text in ("", "-", "1") or known_unit(text) for text in texts) else []
