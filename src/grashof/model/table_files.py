"""Tables of numbers in a CSV file next to that of a mechanism, with or without a header.

    angle [deg], lift [mm]
    0,           0
    90,          12.5

Numbers are separated by commas, semicolons, tabs or blanks; text after # is ignored. A header names the columns, each
with its unit in brackets or parentheses if it is not in SI units.
"""

from __future__ import annotations

import math
import os
import re
from pathlib import Path

import msgspec

from grashof.common.errors import ModelError, did_you_mean
from grashof.common.writing import read_at_most
from grashof.model.fields import Vector
from grashof.model.tables import Table
from grashof.model.units import read, value_in_si

LARGEST = 32 * 2**20
"""The largest size of a file, bytes."""


def with_points(table: Table, folder: str | os.PathLike[str] | None) -> Table:
    """The table with the points read from its file in this folder; a table without a file is returned unchanged."""
    if not table.file:
        return table
    owner = f"Table '{table.name}'"
    if table.x or table.y:
        raise ModelError(f"{owner}: it has a file and numbers of its own; leave out one of them.")
    if folder is None:
        raise ModelError(
            f"{owner}: its file '{table.file}' is beside that of the mechanism, and this one has none; load it "
            "from a file."
        )
    home = Path(folder).resolve()
    try:
        path = (home / table.file).resolve()
    except (OSError, ValueError) as problem:
        raise ModelError(f"{owner}: its file {table.file!r} cannot be found ({problem}).") from None
    if not path.is_relative_to(home):
        raise ModelError(f"{owner}: its file '{table.file}' is not in the folder of the mechanism; put it there.")
    try:
        text = read_at_most(path, LARGEST).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        raise ModelError(f"{owner}: its file '{table.file}' cannot be read ({problem}).") from None
    x, y = columns(f"{owner}: file '{table.file}'", text, table.columns)
    return msgspec.structs.replace(table, x=x, y=y, file="", columns=())


def columns(owner: str, text: str, wanted: tuple[str, ...]) -> tuple[Vector, Vector]:
    """The two columns with these names, or the first two, in SI units."""
    lines = [(k, line.partition("#")[0].strip()) for k, line in enumerate(text.splitlines(), 1)]
    rows = [(k, _cells(line)) for k, line in lines if line]
    if not rows:
        raise ModelError(f"{owner}: it has no numbers.")
    heading = [] if _number(rows[0][1][0]) is not None else rows.pop(0)[1]
    if heading and rows and len(heading) != len(rows[0][1]):
        raise ModelError(
            f"{owner}: its heading has {len(heading)} columns and line {rows[0][0]} has {len(rows[0][1])}; "
            "give each column one heading."
        )
    names = [re.sub(r"\s*[\[(].*", "", cell) for cell in heading]
    units = [inside[1].strip() if (inside := re.search(r"[\[(](.*)[\])]", cell)) else "" for cell in heading]
    chosen = [_place(owner, name, names) for name in wanted] if wanted else [0, 1]
    if len(chosen) != 2:
        raise ModelError(f"{owner}: columns are {list(wanted)}; name two of them, x and y.")
    found: tuple[list[float], list[float]] = [], []
    for k, cells in rows:
        for values, place in zip(found, chosen, strict=True):
            number = _number(cells[place]) if place < len(cells) else None
            if number is None:
                raise ModelError(f"{owner}: line {k} has no number in column {place + 1}.")
            unit = units[place] if heading else ""
            values.append(number if unit in ("", "-", "1") else _in_si(f"{owner}: line {k}", number, unit))
    return tuple(found[0]), tuple(found[1])


def _cells(line: str) -> list[str]:
    """The cells of a line; if blanks separate them, a unit in brackets belongs to the name before it."""
    separator = next((mark for mark in (";", "\t", ",") if mark in line), None)
    words = r"[^\s\[(]+(?:\s*[\[(][^\[\]()]*[\])])?"
    cells = (re.findall(words, line) or [line]) if separator is None else line.split(separator)
    return [cell.strip().strip('"') for cell in cells]


def _in_si(owner: str, number: float, unit: str) -> float:
    try:
        return value_in_si(str(number), read(owner, unit))
    except OverflowError:
        raise ModelError(f"{owner}: {number} {unit} is too large to compute with.") from None


def _number(cell: str) -> float | None:
    try:
        number = float(cell)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _place(owner: str, name: str, names: list[str]) -> int:
    if name not in names:
        raise ModelError(f"{owner}: there is no column '{name}'; {did_you_mean(name, names)}")
    return names.index(name)
