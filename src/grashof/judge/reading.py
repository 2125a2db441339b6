"""Reads result files of any tool, also from a pipe, in one pass and any dialect; errors name their line and column."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import select
import stat
import sys
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from grashof.common.errors import ModelError
from grashof.exchange import storage
from grashof.judge.dialect import Dialect, find_dialect, is_row
from grashof.judge.headings import assign
from grashof.judge.units import conversion
from grashof.problems.base import Case, Column

_SAMPLE = 100
"""Number of rows from which the dialect is determined."""
_LONGEST_HEADER = 10_000
"""Number of lines within which the first row of numbers must appear."""
_BLOCK = 1 << 22
"""Bytes read at a time. The header lies within the first block, and a longer line cannot be part of a table."""
MOST_BYTES = 1 << 30
"""Most bytes of text that are read, counted after decompression: a small compressed file can expand to any length."""
MOST_NUMBERS = 20_000_000
"""Most numbers that are kept; judging takes about 50 bytes for each."""
WAIT = 60.0
"""Seconds to wait for data from a pipe."""
_NUMBERS = msgspec.json.Decoder(list[float])


@dataclass(frozen=True)
class ResultTable:
    """The content of a result file.

    columns  values by official column name, always including "t", in the units of the official columns
    lines    the line of the file that each row stands in, from 1
    remarks  sentences on how it was interpreted and what was skipped
    """

    columns: Mapping[str, np.ndarray]
    lines: np.ndarray
    remarks: tuple[str, ...]


def read_table(path: str | os.PathLike[str], case: Case, wait: float = WAIT) -> ResultTable:
    """Reads a result file of a problem, plain or compressed by gzip; `dialect` describes the accepted formats.

    The path may be that of a pipe, and "-" is standard input; `wait` is how long to wait for data from these, in s.
    Blocks of plain rows are read at once, others line by line; only the numbers of official columns are kept.
    """
    name = os.fspath(path)
    if name == "-":
        descriptor, name = os.dup(sys.stdin.fileno()), "standard input"
    else:
        if Path(name).is_dir():
            raise ModelError(f"{name} is a folder; give a result file.")
        try:
            # without O_NONBLOCK, opening a pipe that nobody writes to would block for ever
            descriptor = os.open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        except FileNotFoundError:
            raise ModelError(f"{name}: there is no such file.") from None
        except OSError as problem:
            raise ModelError(f"{name}: the file cannot be read ({problem.strerror}).") from None
    try:
        with _Source(descriptor, name, wait) as source:
            return _read(_uncompress(source, name), name, case.columns)
    except (EOFError, zlib.error, gzip.BadGzipFile) as problem:
        raise ModelError(f"{name} is damaged: the gzip data ends too early or is corrupt ({problem}).") from None
    except OSError as problem:
        raise ModelError(f"{name}: the file cannot be read ({problem.strerror}).") from None


class _Source(io.RawIOBase):
    """An open file or pipe, with a limit on how long to wait for data; `again` holds bytes to be read once more."""

    def __init__(self, descriptor: int, name: str, wait: float) -> None:
        self.descriptor, self.name, self.wait = descriptor, name, wait
        self.waits = os.name != "nt" and not stat.S_ISREG(os.fstat(descriptor).st_mode)
        self.again = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self.again:
            if self.waits and not select.select([self.descriptor], [], [], self.wait)[0]:
                raise ModelError(f"{self.name}: no data arrived for {self.wait:g} s; is anything being written to it?")
            self.again = os.read(self.descriptor, len(buffer))
        count = min(len(buffer), len(self.again))
        buffer[:count] = self.again[:count]
        self.again = self.again[count:]
        return count

    def close(self) -> None:
        if not self.closed:
            os.close(self.descriptor)
        super().close()


def _uncompress(source: _Source, name: str) -> io.BufferedIOBase:
    start = b""
    while len(start) < 2 and (more := source.read(2 - len(start))):
        start += more
    source.again = start + source.again
    if start in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        raise ModelError(f"{name} is written in UTF-16; save it as UTF-8 or plain text.")
    file = io.BufferedReader(source)
    return gzip.GzipFile(fileobj=file) if start == b"\x1f\x8b" else file


def _read(file: io.BufferedIOBase, name: str, official: Sequence[Column]) -> ResultTable:
    blocks = _blocks(file, name)
    start = next(blocks, b"").removeprefix(codecs.BOM_UTF8)
    head = start.split(b"\n", _LONGEST_HEADER)[:_LONGEST_HEADER]
    sample = list(islice(filter(is_row, head), _SAMPLE))
    if not sample:
        begin = head[0][:40].decode("ascii", "replace").strip()
        found = f"line 1, column 1 begins with '{begin}'" if start else "the file is empty"
        raise ModelError(f"{name}: no row of numbers was found; {found}. Give a text file with one row per time.")
    dialect = find_dialect(sample)
    first = next(k for k, line in enumerate(head) if is_row(line) and len(dialect.fields(line)) == dialect.count)
    assigned = assign(head[:first], dialect, official)
    if "t" not in assigned.places:
        raise ModelError(f"{name}: line {first}: no heading names the time; call that column t.")
    labels = {place: column for column, place in assigned.places.items()}
    below = start.split(b"\n", first)[first]
    rows, lines = _numbers(chain([below], blocks), dialect, first + 1, name, labels)
    columns = {labels[place]: values for place, values in zip(sorted(labels), rows, strict=True)}
    remarks = list(assigned.remarks)
    if storage.in_degrees(head[:first]):
        angles = [
            column.name
            for column in official
            if column.unit in ("rad", "rad/s") and column.name in columns and column.name not in assigned.units
        ]
        columns |= {name: storage.radians(columns[name]) for name in angles}
        remarks.append(f"The header says inDegrees=yes: {', '.join(angles) or 'no column'} was read in degrees.")
    return ResultTable(columns | _convert_units(columns, assigned.units, official, remarks), lines, tuple(remarks))


@np.errstate(over="ignore")  # what is not finite then is named by the judge
def _convert_units(
    columns: Mapping[str, np.ndarray], units: Mapping[str, str], official: Sequence[Column], remarks: list[str]
) -> dict[str, np.ndarray]:
    """The columns whose headings state another unit, in their own; adds sentences on that."""
    found, changes = {}, []
    for column in official:
        if column.name in columns and column.name in units:
            factor, sentence = conversion(column.name, column.unit, units[column.name])
            if sentence:
                remarks.append(sentence)
            elif factor != 1.0:
                found[column.name] = factor * columns[column.name]
                changes.append(f"{column.name} from {units[column.name]} to {column.unit}")
    if changes:
        remarks.append(f"Converted as the header states: {', '.join(changes)}.")
    return found


def _blocks(file: io.BufferedIOBase, name: str) -> Iterator[bytes]:
    """The file in blocks of whole lines."""
    count = 0
    while block := file.read(_BLOCK):
        rest = file.readline(_BLOCK)
        count += len(block) + len(rest)
        if len(rest) == _BLOCK and not rest.endswith(b"\n"):
            raise ModelError(
                f"{name}: no line ends in the {_BLOCK:,} bytes before byte {count:,}. "
                "Give a text file with one row per time."
            )
        if count > MOST_BYTES:
            raise ModelError(
                f"{name} is longer than the limit of {MOST_BYTES:,} bytes of text. "
                "Write fewer rows, for example only the official times."
            )
        yield block + rest


def _numbers(
    blocks: Iterator[bytes], dialect: Dialect, first: int, name: str, labels: Mapping[int, str]
) -> tuple[np.ndarray, np.ndarray]:
    """The columns that have labels (len(labels), n) of blocks of whole lines, by their places, and the line of each
    row."""
    rows, lines, wanted = [], [], sorted(labels)
    left = MOST_NUMBERS
    for block in blocks:
        bare = dialect.bare(block)
        kept = [k for k, line in enumerate(bare) if line]
        found = _plainly([bare[k] for k in kept], dialect)
        if found is None:
            raw = block.split(b"\n")
            careful = [_carefully(raw[k], bare[k], dialect, f"{name}: line {first + k}", labels) for k in kept]
            found = np.array(careful)
        left -= found.size
        if left < 0:
            raise ModelError(
                f"{name} has more than {MOST_NUMBERS:,} numbers, which is the limit. "
                "Write fewer rows, for example only the official times."
            )
        rows.append(found.reshape(-1, dialect.count).T[wanted])
        lines.append(first + np.array(kept, int))
        first += block.count(b"\n")
    return np.concatenate(rows, axis=1), np.concatenate(lines)


def _plainly(lines: Sequence[bytes], dialect: Dialect) -> np.ndarray | None:
    """The rows, by a fast reader, if all numbers are written as in JSON (a plus sign is allowed); else None."""
    if dialect.separator is None:
        lines = [b",".join(line.split()) for line in lines]
    elif dialect.separator != b",":
        lines = [line.replace(dialect.separator, b",") for line in lines]
    if any(line.count(b",") != dialect.count - 1 for line in lines):
        return None
    text = b"[" + b",".join(lines) + b"]"
    numbers = _decode_text(text)
    if numbers is None and b"+-" not in text:  # which would lose its first sign
        numbers = _decode_text(text.replace(b"[+", b"[").replace(b",+", b",").replace(b" +", b" "))
    return None if numbers is None else np.array(numbers, float).reshape(-1, dialect.count)


def _decode_text(text: bytes) -> list[float] | None:
    try:
        return _NUMBERS.decode(text)
    except msgspec.DecodeError:
        return None


def _carefully(line: bytes, bare: bytes, dialect: Dialect, where: str, labels: Mapping[int, str]) -> list[float]:
    """The numbers of a line; errors name their position in it."""
    try:
        row = [float(field) for field in bare.split(dialect.separator)]
        if len(row) == dialect.count and b"_" not in bare:  # which `float` accepts between digits
            return row
    except ValueError:
        pass  # an error to be located, or an exponent without its letter
    fields = dialect.fields(line)
    row = []
    for k, (place, field) in enumerate(fields):
        value = dialect.number(field)
        if value is None:
            found = f"found '{field[:40].decode('utf-8', 'replace')}'" if field else "found nothing"
            hint = " (Fortran prints stars if a number does not fit its format)" if field.startswith(b"**") else ""
            column = f" ({labels[k]})" if k in labels else ""
            raise ModelError(
                f"{where}, column {place + 1}: {found} where number {k + 1} of the row{column} should be{hint}. "
                "Correct it, or turn the line into a comment with #."
            )
        row.append(value)
    if len(row) != dialect.count:
        place = fields[min(len(row), dialect.count + 1) - 1][0] + 1
        raise ModelError(
            f"{where}, column {place}: the row has {len(row)} numbers, but the others have {dialect.count}. "
            "Correct it, or turn the line into a comment with #."
        )
    return row
