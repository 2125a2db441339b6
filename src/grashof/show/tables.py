"""Trajectories as files: CSV, Parquet, text columns, and the official result file of a benchmark problem."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from grashof.common.errors import ModelError
from grashof.common.writing import write_atomically
from grashof.exchange import storage
from grashof.motion.histories import Histories, Names
from grashof.motion.trajectory import Trajectory
from grashof.problems.base import Case

if TYPE_CHECKING:
    import pandas

EXCEL_ROWS = 2**20
"""The number of rows of an Excel sheet."""

AT_ONCE = 10_000
"""The number of rows that are converted to text at a time, which limits the additional memory."""


def save_table(run: Histories, path: str | os.PathLike[str], names: Names | None = None) -> None:
    """Writes quantities (all by default) over time in full precision; the suffix of the path selects the format.

    .csv      a header of `name [unit]`, commas, the shortest numbers that read back as the same doubles
    .txt      a comment line of `name [unit]`, then columns of 17 significant digits
    .sto      OpenSim's table: a header, names, numbers separated by tabs, angles in rad; the same for .mot
    .xlsx     an Excel sheet with a row of names and a row of units; requires the extra `grashof[tables]`
    .parquet  columns with these names, the unit in the metadata of each; requires the extra `grashof[tables]`

    A run that did not finish is written up to the time it reached; see `run.status`.
    """
    check_table(path)
    _write(path, _FORMS[Path(path).suffix.lower()](*_columns(run, names)))


def to_csv(run: Histories, path: str | os.PathLike[str] | None = None, names: Names | None = None) -> str | None:
    """Quantities (all by default) over time as CSV, as in `save_table`: written to the path, or returned as a
    string."""
    content = _csv(*_columns(run, names))
    if path is None:
        return content.decode()
    _write(path, content)
    return None


def data_frame(run: Histories, names: Names | None = None) -> pandas.DataFrame:
    """Quantities (all by default) as a data frame, indexed by time."""
    try:
        import pandas
    except ImportError:
        raise ModelError(
            "to_pandas needs pandas, which is not installed: pip install pandas. `save('run.csv')` writes a "
            "table without it."
        ) from None
    labels, _, columns = _columns(run, names)
    return pandas.DataFrame(dict(zip(labels, columns, strict=True))).set_index("t", drop=True)


def _columns(run: Histories, names: Names | None) -> tuple[list[str], list[str], list[np.ndarray]]:
    """Names, units and values, time first."""
    wanted = [names] if isinstance(names, str) else names
    chosen = ["t", *(name for name in wanted or run.names if name != "t")]
    return chosen, [run.unit(name) for name in chosen], [run[name] for name in chosen]


def _write(path: str | os.PathLike[str], content: str | bytes) -> None:
    try:
        write_atomically(path, content)
    except OSError as problem:
        raise ModelError(f"{os.fspath(path)}: the table cannot be written ({problem.strerror}).") from problem


def check_table(path: str | os.PathLike[str]) -> None:
    """Refuses a table that `save_table` could not write, before its content is computed."""
    suffix = Path(path).suffix.lower()
    if suffix not in _FORMS:
        raise ModelError(
            f"{os.fspath(path)}: a table's name must end in {', '.join(_FORMS)}, which selects the format."
        )
    form, package = _PACKAGES.get(suffix, ("", ""))
    if package and find_spec(package) is None:
        raise ModelError(f"{form} needs {package}: install grashof[tables], or choose a name that ends in .csv.")


def official_text(case: Case, run: Trajectory) -> str:
    """The result file in the format of the problem's document: its columns at its times, after one comment line."""
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
    """Rows of numbers as lines of text, written as JSON, whose numbers are the shortest, without its brackets; infinite
    numbers do not exist in JSON and are written otherwise."""
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


def _excel(names: Sequence[str], units: Sequence[str], columns: Sequence[np.ndarray]) -> bytes:
    """A workbook with one sheet: a row of names, a row of units, then the numbers."""
    import xlsxwriter

    if len(columns[0]) > EXCEL_ROWS - 2:
        raise ModelError(
            f"An Excel sheet has {EXCEL_ROWS:,} rows, and the table {len(columns[0]):,} times; write it as .csv, or "
            "ask for fewer output times."
        )
    target = io.BytesIO()
    with xlsxwriter.Workbook(target, {"in_memory": True, "nan_inf_to_errors": True}) as book:
        sheet = book.add_worksheet()
        sheet.freeze_panes(2, 1)
        for k, (name, unit, column) in enumerate(zip(names, units, columns, strict=True)):
            sheet.write_string(0, k, name)
            sheet.write_string(1, k, unit)
            sheet.write_column(2, k, column.tolist())
    return target.getvalue()


def _storage(names: Sequence[str], units: Sequence[str], columns: Sequence[np.ndarray]) -> str:
    return storage.text_of(names, columns)


_FORMS: dict[str, Callable[..., str | bytes]] = {
    ".csv": _csv,
    ".xlsx": _excel,
    ".parquet": _parquet,
    ".txt": _text,
    ".sto": _storage,
    ".mot": _storage,
}

_PACKAGES = {".parquet": ("Parquet", "pyarrow"), ".xlsx": ("Excel", "xlsxwriter")}
"""Formats that need a package, and its name."""
