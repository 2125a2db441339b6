"""Trajectories as files: CSV, Parquet, text columns, and the official result file of a benchmark problem."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path

import msgspec
import numpy as np

from grashof.errors import ModelError
from grashof.exchange import storage
from grashof.problems.base import Case
from grashof.trajectory import Trajectory
from grashof.writing import write_atomically

AT_ONCE = 10_000
"""Rows that are made into text at once, which bounds the memory beyond that of the text."""


def save_table(run: Trajectory, path: str | os.PathLike[str], names: Sequence[str] | None = None) -> None:
    """Writes quantities (all unless named) over time; the path's suffix chooses the form. Nothing is rounded.

    .csv      a header of `name [unit]`, commas, shortest numbers that read back as the same doubles
    .txt      a comment line of `name [unit]`, then columns of 17 significant digits
    .sto      OpenSim's table: a header, names, numbers between tabs; angles in rad. So is .mot
    .parquet  columns called by their names, the unit in each column's metadata; needs the extra `grashof[tables]`

    A run that is not whole is written as far as it went: `run.status` tells, and whoever calls this must too.
    """
    check_table(path)
    chosen = ["t", *(name for name in names or run.names if name != "t")]
    columns = [run[name] for name in chosen]
    units = [run.unit(name) for name in chosen]
    write_atomically(path, _FORMS[Path(path).suffix.lower()](chosen, units, columns))


def check_table(path: str | os.PathLike[str]) -> None:
    """Refuses a table that `save_table` could not write, before time is spent on its content."""
    suffix = Path(path).suffix.lower()
    if suffix not in _FORMS:
        raise ModelError(f"{os.fspath(path)}: a table's name must end in {', '.join(_FORMS)}, which chooses its form.")
    if suffix == ".parquet" and find_spec("pyarrow") is None:
        raise ModelError("Parquet needs pyarrow: install grashof[tables], or choose a name that ends in .csv.")


def official_text(case: Case, run: Trajectory) -> str:
    """The result file as the problem's document defines it: its columns at its times, under one comment line."""
    names = [column.name for column in case.columns]
    return _text(names, [column.unit for column in case.columns], [column.value(run) for column in case.columns])


def _labels(names: Sequence[str], units: Sequence[str]) -> list[str]:
    return [f"{name} [{unit}]" for name, unit in zip(names, units, strict=True)]


def _csv(names: Sequence[str], units: Sequence[str], columns: Sequence[np.ndarray]) -> bytes:
    header = io.StringIO()
    csv.writer(header, lineterminator="\n").writerow(_labels(names, units))
    parts = [header.getvalue().encode()]
    for first in range(0, len(columns[0]), AT_ONCE):
        rows = np.column_stack([column[first : first + AT_ONCE] for column in columns])
        parts.append(_lines(rows))
    return b"".join(parts)


def _lines(rows: np.ndarray) -> bytes:
    """Rows of numbers as lines of text: JSON's numbers, which are the shortest, but for its brackets; it has no infinite ones."""
    if not np.all(np.isfinite(rows)):
        return b"".join(b",".join(repr(x).encode() for x in row) + b"\n" for row in rows.tolist())
    return msgspec.json.encode(rows.tolist())[2:-2].replace(b"],[", b"\n") + b"\n"


def _text(names: Sequence[str], units: Sequence[str], columns: Sequence[np.ndarray]) -> str:
    text = io.StringIO()
    np.savetxt(text, np.column_stack(columns), fmt="%24.16e", header="  ".join(_labels(names, units)))
    return text.getvalue()


def _parquet(names: Sequence[str], units: Sequence[str], columns: Sequence[np.ndarray]) -> bytes:
    import pyarrow  # type: ignore[import-untyped]
    from pyarrow import parquet

    fields = [pyarrow.field(n, pyarrow.float64(), metadata={"unit": u}) for n, u in zip(names, units, strict=True)]
    table = pyarrow.Table.from_arrays([pyarrow.array(x) for x in columns], schema=pyarrow.schema(fields))
    target = io.BytesIO()
    parquet.write_table(table, target)
    return target.getvalue()


def _storage(names: Sequence[str], units: Sequence[str], columns: Sequence[np.ndarray]) -> str:
    return storage.text_of(names, columns)


_FORMS: dict[str, Callable[..., str | bytes]] = {
    ".csv": _csv,
    ".parquet": _parquet,
    ".txt": _text,
    ".sto": _storage,
    ".mot": _storage,
}
