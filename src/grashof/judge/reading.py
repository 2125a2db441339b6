"""Reads result files of any tool: one pass, any dialect, and the line and column of what cannot be read."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

import msgspec
import numpy as np

from grashof.errors import ModelError
from grashof.judge.dialect import Dialect, find_dialect, is_row
from grashof.judge.headings import assign
from grashof.problems.base import Case

_SAMPLE = 100
"""Rows that tell the dialect."""
_LONGEST_HEADER = 10_000
"""Lines among which the first row of numbers must be."""
_BLOCK = 1 << 22
"""Bytes read at a time. The header is in the first ones, and a line that has more is none of a table."""
_NUMBERS = msgspec.json.Decoder(list[float])


@dataclass(frozen=True)
class Table:
    """What a file says.

    columns  values by official column name, "t" always among them
    lines    the line in the file that each row stands in, from 1
    remarks  sentences on how it was read and what was skipped
    """

    columns: Mapping[str, np.ndarray]
    lines: np.ndarray
    remarks: tuple[str, ...]


def read_table(path: str | os.PathLike[str], case: Case) -> Table:
    """Reads a result file of a problem, plain or compressed by gzip; see `dialect` for what is understood.

    Blocks of plain rows are read at once, others line by line; only numbers are kept.
    """
    name = os.fspath(path)
    if Path(name).is_dir():
        raise ModelError(f"{name} is a folder; give a result file.")
    if not Path(name).exists():
        raise ModelError(f"{name}: there is no such file.")
    try:
        with open(name, "rb") as file:
            return _read(_uncompressed(file, name), name, [column.name for column in case.columns])
    except (EOFError, zlib.error, gzip.BadGzipFile) as problem:
        raise ModelError(f"{name} is damaged: as a gzip file it ends or breaks off too early ({problem}).") from None


def _uncompressed(file: io.BufferedReader, name: str) -> io.BufferedIOBase:
    start = file.read(4)
    file.seek(0)
    if start[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        raise ModelError(f"{name} is written in UTF-16; save it as UTF-8 or plain text.")
    if start[:2] == b"\x1f\x8b":
        return gzip.GzipFile(fileobj=file)
    return file


def _read(file: io.BufferedIOBase, name: str, official: list[str]) -> Table:
    blocks = _blocks(file, name)
    start = next(blocks, b"").removeprefix(codecs.BOM_UTF8)
    head = start.split(b"\n", _LONGEST_HEADER)[:_LONGEST_HEADER]
    sample = list(islice(filter(is_row, head), _SAMPLE))
    if not sample:
        begin = head[0][:40].decode("ascii", "replace").strip()
        found = f"line 1, column 1 begins with '{begin}'" if start else "the file is empty"
        raise ModelError(f"{name}: no row of numbers was found; {found}. Give a text file with a row for each time.")
    dialect = find_dialect(sample)
    first = next(k for k, line in enumerate(head) if is_row(line) and len(dialect.fields(line)) == dialect.count)
    places, remarks = assign(head[:first], dialect, official)
    if "t" not in places:
        raise ModelError(f"{name}: line {first}: no name in the header is that of the time; call that column t.")
    labels = {place: column for column, place in places.items()}
    below = start.split(b"\n", first)[first]
    rows, lines = _numbers(chain([below], blocks), dialect, first + 1, name, labels)
    return Table({column: rows[:, place] for column, place in places.items()}, lines, tuple(remarks))


def _blocks(file: io.BufferedIOBase, name: str) -> Iterator[bytes]:
    """The file in blocks of whole lines."""
    while block := file.read(_BLOCK):
        rest = file.readline(_BLOCK)
        if len(rest) == _BLOCK and not rest.endswith(b"\n"):
            raise ModelError(
                f"{name}: no line ends in the {_BLOCK:,} bytes before byte {file.tell():,}. "
                "Give a text file with a row for each time."
            )
        yield block + rest


def _numbers(
    blocks: Iterator[bytes], dialect: Dialect, first: int, name: str, labels: Mapping[int, str]
) -> tuple[np.ndarray, np.ndarray]:
    """All rows (n, count) of blocks of whole lines, and the line of each."""
    rows, lines = [], []
    for block in blocks:
        bare = dialect.bare(block)
        kept = [k for k, line in enumerate(bare) if line]
        found = _plainly([bare[k] for k in kept], dialect)
        if found is None:
            raw = block.split(b"\n")
            careful = [_carefully(raw[k], bare[k], dialect, f"{name}: line {first + k}", labels) for k in kept]
            found = np.array(careful)
        rows.append(found)
        lines.append(first + np.array(kept, int))
        first += block.count(b"\n")
    return np.concatenate(rows), np.concatenate(lines)


def _plainly(lines: Sequence[bytes], dialect: Dialect) -> np.ndarray | None:
    """The rows, if all numbers are written as in JSON but for a plus, for which there is a quick reader."""
    if dialect.separator is None:
        lines = [b",".join(line.split()) for line in lines]
    elif dialect.separator != b",":
        lines = [line.replace(dialect.separator, b",") for line in lines]
    if any(line.count(b",") != dialect.count - 1 for line in lines):
        return None
    text = b"[" + b",".join(lines) + b"]"
    numbers = _decoded(text)
    if numbers is None and b"+-" not in text:  # which would become a number without its first sign
        numbers = _decoded(text.replace(b"[+", b"[").replace(b",+", b",").replace(b" +", b" "))
    return None if numbers is None else np.array(numbers, float).reshape(-1, dialect.count)


def _decoded(text: bytes) -> list[float] | None:
    try:
        return _NUMBERS.decode(text)
    except msgspec.DecodeError:
        return None


def _carefully(line: bytes, bare: bytes, dialect: Dialect, where: str, labels: Mapping[int, str]) -> list[float]:
    """The numbers of a line; its errors are told by their places in it."""
    try:
        row = [float(field) for field in bare.split(dialect.separator)]
        if len(row) == dialect.count and b"_" not in bare:  # an underscore means something to `float`
            return row
    except ValueError:
        pass  # to be told where, or a letter was lost
    fields = dialect.fields(line)
    row = []
    for k, (place, field) in enumerate(fields):
        value = dialect.number(field)
        if value is None:
            found = f"found '{field[:40].decode('utf-8', 'replace')}'" if field else "nothing is there"
            hint = " (Fortran writes stars where a number does not fit its format)" if field.startswith(b"**") else ""
            column = f" ({labels[k]})" if k in labels else ""
            raise ModelError(
                f"{where}, column {place + 1}: {found} where number {k + 1} of the row{column} should be{hint}. "
                "Correct it, or mark the line as a comment by #."
            )
        row.append(value)
    if len(row) != dialect.count:
        place = fields[min(len(row), dialect.count + 1) - 1][0] + 1
        raise ModelError(
            f"{where}, column {place}: the row has {len(row)} numbers, and the others have {dialect.count}. "
            "Correct it, or mark the line as a comment by #."
        )
    return row
