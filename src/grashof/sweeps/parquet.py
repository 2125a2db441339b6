"""Tables as Arrow and as Parquet files, which are written and read in pieces.

Each column has its own name; a field's metadata holds its unit and, for a trajectory, the times. The description of the
table is in the file's metadata under "grashof", as JSON. The same rows give the same bytes.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from grashof.common.errors import ModelError
from grashof.sweeps.statuses import NAMES
from grashof.sweeps.study import StudyRows
from grashof.sweeps.table import STATUS, About, Sweep, TableColumn, import_extra

Array = np.ndarray

AT_ONCE = 2**22
"""Approximate number of values in a row group: 32 MB."""

_ABOUT = b"grashof"


def check(path: Path) -> None:
    """Refuses a file that could not be written, before time is spent on its content."""
    if path.suffix.lower() not in (".parquet", ".csv"):
        raise ModelError(f"{path}: the name of a sweep's table must end in .parquet or .csv.")
    if not path.absolute().parent.is_dir():
        raise ModelError(f"{path}: its folder does not exist; create it first.")
    if path.suffix.lower() == ".parquet":
        _arrow()


def write(path: Path, about: About, parts: Iterable[tuple[Array, StudyRows]]) -> None:
    """Writes a table from numbers (B, P) and rows, batch by batch; a reader sees either the old file or the complete
    new one."""
    schema = _schema(about)
    _write(path, schema, _groups(about, schema, parts))


def save(sweep: Sweep, path: Path) -> None:
    """Writes an existing table."""
    check(path)
    table = arrow_table(sweep)
    size = _group_rows(sweep.about)
    _write(path, table.schema, (table.slice(first, size) for first in range(0, len(table), size)))


def read(path: Path) -> Sweep:
    """A table in a file; columns are read when they are needed."""
    about = _about_of(path)
    if about is None:
        raise ModelError(f"{path} is not a table of a sweep, or was written by another version of Grashof.")
    return Sweep(about, _InFile(path, _file(path).metadata.num_rows))


def fingerprint(path: Path) -> str | None:
    """The fingerprint of the sweep whose table is in a file; None if there is none."""
    about = _about_of(path) if path.exists() else None
    return None if about is None else about.fingerprint


def arrow_table(sweep: Sweep) -> Any:
    """The whole table as Arrow."""
    columns = [sweep[column.name] for column in sweep.about.columns]
    return _table(_schema(sweep.about), columns, sweep.codes)


@dataclass(frozen=True)
class _InFile:
    path: Path
    count: int

    def column(self, name: str) -> Array:
        found = _file(self.path).read([name]).column(name).combine_chunks()
        return _numbers(found)

    def pieces(self, name: str) -> Iterator[Array]:
        file = _file(self.path)
        for group in range(file.num_row_groups):
            yield _numbers(file.read_row_group(group, [name]).column(name).combine_chunks())

    def codes(self) -> Array:
        words = _file(self.path).read([STATUS]).column(STATUS).unify_dictionaries().combine_chunks()
        numbers = np.array([NAMES.index(word) for word in words.dictionary.to_pylist()], np.uint8)
        codes: Array = numbers[words.indices.to_numpy()]
        return codes


def _numbers(column: Any) -> Array:
    """An Arrow array of numbers, or of rows of as many numbers each."""
    if not _arrow().types.is_fixed_size_list(column.type):
        plain: Array = column.to_numpy()
        return plain
    rows: Array = column.flatten().to_numpy().reshape(-1, column.type.list_size)
    return rows


def _arrow() -> Any:
    return import_extra("pyarrow", "A table as Arrow or Parquet")


def _file(path: Path) -> Any:
    parquet = import_extra("pyarrow.parquet", "A Parquet file")
    return parquet.ParquetFile(path, memory_map=True)


def _about_of(path: Path) -> About | None:
    try:
        return msgspec.json.decode(_file(path).schema_arrow.metadata[_ABOUT], type=About)
    except (KeyError, TypeError, msgspec.MsgspecError, _arrow().ArrowInvalid):
        return None


def _schema(about: About) -> Any:
    fields = [_field(column) for column in about.columns]
    fields.append(_arrow().field(STATUS, _arrow().dictionary(_arrow().int8(), _arrow().string())))
    return _arrow().schema(fields, metadata={_ABOUT: msgspec.json.encode(about)})


def _field(column: TableColumn) -> Any:
    arrow = _arrow()
    kind = arrow.list_(arrow.float64(), len(column.times)) if column.times else arrow.float64()
    metadata = {"unit": column.unit, "role": column.role}
    if column.times:
        metadata["times [s]"] = msgspec.json.encode(column.times).decode()
    return arrow.field(column.name, kind, metadata=metadata)


def _table(schema: Any, columns: list[Array], codes: Array) -> Any:
    arrow = _arrow()
    arrays = []
    for field, numbers in zip(schema, columns, strict=False):
        flat = arrow.array(np.ascontiguousarray(numbers, float).reshape(-1))
        many = arrow.types.is_fixed_size_list(field.type)
        arrays.append(arrow.FixedSizeListArray.from_arrays(flat, type=field.type) if many else flat)
    arrays.append(arrow.DictionaryArray.from_arrays(codes.astype(np.int8), list(NAMES)))
    return arrow.Table.from_arrays(arrays, schema=schema)


def _group_rows(about: About) -> int:
    return max(1, AT_ONCE // sum(max(1, len(column.times)) for column in about.columns))


def _groups(about: About, schema: Any, parts: Iterable[tuple[Array, StudyRows]]) -> Iterator[Any]:
    """Tables of as many rows as a row group has, from batches in order."""
    size, waiting, count = _group_rows(about), [], 0
    for numbers, rows in parts:
        codes, columns = rows.arrays()
        waiting.append(_table(schema, [*numbers.T, *columns], codes))
        count += len(codes)
        if count >= size:
            together = _arrow().concat_tables(waiting)
            whole = count // size * size
            yield from (together.slice(first, size) for first in range(0, whole, size))
            waiting, count = [together.slice(whole)] if whole < count else [], count - whole
    if waiting:
        yield _arrow().concat_tables(waiting)


def _write(path: Path, schema: Any, groups: Iterable[Any]) -> None:
    parquet = import_extra("pyarrow.parquet", "A Parquet file")
    temporary = path.with_name(f".{path.name}.part")  # if the process is killed, the next attempt uses the same name
    try:
        # numbers hardly ever repeat, so dictionaries of them would only cost time
        with parquet.ParquetWriter(temporary, schema, use_dictionary=[STATUS]) as writer:
            for group in groups:
                writer.write_table(group.combine_chunks(), row_group_size=max(1, len(group)))
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
