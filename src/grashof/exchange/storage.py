"""Tables of OpenSim (.sto, .mot): a header of `key=value` lines up to `endheader`, a line of names, and rows of numbers
between tabs.

Angles are in degrees where the header says `inDegrees=yes`; here they are in rad. Numbers are written so that they read
back as the same doubles.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grashof.common.errors import ModelError
from grashof.common.writing import read_at_most

LARGEST = 512 * 2**20
"""Bytes of a file."""
_LONGEST_HEADER = 10_000
ENDS = b"endheader"
_DEGREES = re.compile(rb"^\s*indegrees\s*=\s*(yes|true|1|y)\s*$", re.IGNORECASE)


@dataclass(frozen=True)
class Storage:
    """A table: its name, its header, and its columns, including `time`, in the units of the file."""

    name: str
    header: dict[str, str]
    columns: dict[str, np.ndarray]

    @property
    def in_degrees(self) -> bool:
        """Whether angles are in degrees."""
        return in_degrees([f"{key}={value}".encode() for key, value in self.header.items()])


def in_degrees(lines: Sequence[bytes]) -> bool:
    """Whether a header says that angles are in degrees.

    >>> in_degrees([b"motion", b"inDegrees=yes"]), in_degrees([b"# inDegrees is no word of this file"])
    (True, False)
    """
    return any(_DEGREES.match(line) for line in lines)


def text_of(names: Sequence[str], columns: Sequence[np.ndarray], title: str = "results") -> str:
    """A table as text; the first column is the time. Blanks in names become underscores, since OpenSim splits there."""
    plain = ["time", *("_".join(name.split()) for name in names[1:])]
    rows = len(columns[0])
    header = [
        title,
        "inDegrees=no",
        f"nColumns={len(plain)}",
        f"nRows={rows}",
        "DataType=double",
        "version=3",
        "endheader",
    ]
    lines = ["\t".join(plain)]
    lines += ["\t".join(repr(float(x)) for x in row) for row in zip(*columns, strict=True)]
    return "\n".join([*header, *lines]) + "\n"


def read(path: str | os.PathLike[str]) -> Storage:
    """Reads a table from a file; an unreadable file is refused with a message that gives the line."""
    name = os.fspath(path)
    try:
        lines = read_at_most(path, LARGEST).decode("utf-8-sig", "replace").splitlines()
    except OSError as problem:
        raise ModelError(f"{name}: the file cannot be read ({problem.strerror}).") from None
    end = next((k for k, line in enumerate(lines[:_LONGEST_HEADER]) if line.strip().lower() == ENDS.decode()), None)
    if end is None or end + 1 >= len(lines):
        raise ModelError(
            f"{name}: there is no line 'endheader' followed by names and rows, so this is not an OpenSim table."
        )
    header = {}
    for line in lines[:end]:
        key, equals, value = line.partition("=")
        if equals:
            header[key.strip()] = value.strip()
    names = lines[end + 1].split()
    if not names or len(set(names)) < len(names):
        raise ModelError(f"{name}: line {end + 2}: the names of the columns are missing, or one of them occurs twice.")
    rows = []
    for k, line in enumerate(lines[end + 2 :], end + 3):
        words = line.split()
        if not words:
            continue
        try:
            row = [float(word) for word in words]
        except ValueError:
            raise ModelError(f"{name}: line {k}: '{line.strip()[:40]}' is not a row of numbers.") from None
        if len(row) != len(names):
            raise ModelError(f"{name}: line {k}: there are {len(row)} numbers for {len(names)} columns.")
        rows.append(row)
    table = np.array(rows).reshape(-1, len(names))
    return Storage(lines[0].strip() if "=" not in lines[0] else "", header, dict(zip(names, table.T, strict=True)))


def radians(values: np.ndarray) -> np.ndarray:
    """Degrees as rad."""
    found: np.ndarray = values * (math.pi / 180.0)
    return found
