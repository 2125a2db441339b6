"""Trajectories as files: CSV, Parquet, text columns, and the official result file of a benchmark problem."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from grashof.errors import ModelError
from grashof.problems.base import Case
from grashof.trajectory import Trajectory
from grashof.writing import write_atomically

SUFFIXES = (".csv", ".parquet", ".txt")


def save_table(run: Trajectory, path: str | os.PathLike[str], names: Sequence[str] | None = None) -> None:
    """Writes quantities (all unless named) over time; the path's suffix chooses the form. Nothing is rounded.

    .csv      a header of `name [unit]`, commas, shortest numbers that read back as the same doubles
    .txt      a comment line of `name [unit]`, then columns of 17 significant digits
    .parquet  columns called by their names, the unit in each column's metadata; needs the extra `grashof[tables]`

    A run that is not whole is written as far as it went: `run.status` tells, and whoever calls this must too.
    """
    chosen = ["t", *(name for name in names or run.names if name != "t")]
    columns = [run[name] for name in chosen]
    units = [run.unit(name) for name in chosen]
    suffix = Path(path).suffix.lower()
    if suffix == ".csv":
        write_atomically(path, _csv(chosen, units, columns))
    elif suffix == ".txt":
        write_atomically(path, _text(chosen, units, columns))
    elif suffix == ".parquet":
        write_atomically(path, _parquet(chosen, units, columns))
    else:
        raise ModelError(
            f"{os.fspath(path)}: a table's name must end in {', '.join(SUFFIXES)}, which chooses its form."
        )


def official_text(case: Case, run: Trajectory) -> str:
    """The result file as the problem's document defines it: its columns at its times, under one comment line."""
    names = [column.name for column in case.columns]
    return _text(names, [column.unit for column in case.columns], [column.value(run) for column in case.columns])


def _labels(names: Sequence[str], units: Sequence[str]) -> list[str]:
    return [f"{name} [{unit}]" for name, unit in zip(names, units, strict=True)]


def _csv(names: Sequence[str], units: Sequence[str], columns: Sequence[np.ndarray]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_labels(names, units))
    writer.writerows(np.column_stack(columns).tolist())
    return text.getvalue()


def _text(names: Sequence[str], units: Sequence[str], columns: Sequence[np.ndarray]) -> str:
    text = io.StringIO()
    np.savetxt(text, np.column_stack(columns), fmt="%24.16e", header="  ".join(_labels(names, units)))
    return text.getvalue()


def _parquet(names: Sequence[str], units: Sequence[str], columns: Sequence[np.ndarray]) -> bytes:
    try:
        import pyarrow  # type: ignore[import-untyped]
        from pyarrow import parquet
    except ImportError:
        raise ModelError(
            "Parquet needs pyarrow: install grashof[tables], or choose a name that ends in .csv."
        ) from None
    fields = [pyarrow.field(n, pyarrow.float64(), metadata={"unit": u}) for n, u in zip(names, units, strict=True)]
    table = pyarrow.Table.from_arrays([pyarrow.array(x) for x in columns], schema=pyarrow.schema(fields))
    target = io.BytesIO()
    parquet.write_table(table, target)
    return target.getvalue()
