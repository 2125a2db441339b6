"""The table of a sweep: one row per run, with the varied numbers, the outputs, a status, and units."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import msgspec
import numpy as np

from grashof.common.errors import ModelError, did_you_mean
from grashof.common.notebook import MOST, report_html, table
from grashof.common.wording import count_of
from grashof.common.writing import write_atomically
from grashof.sweeps.statuses import GOOD, NAMES

if TYPE_CHECKING:
    import pandas
    import pyarrow  # type: ignore[import-untyped]
    import xarray
    from matplotlib.figure import Figure

Array = np.ndarray

STATUS = "status"
"""The name of the column with the status of each row."""


class TableColumn(msgspec.Struct, frozen=True):
    """A column of the table.

    role   "number" that was varied, or "output"
    times  of a trajectory, s; empty for one number per row
    """

    name: str
    unit: str
    role: str
    times: tuple[float, ...] = ()


class About(msgspec.Struct, frozen=True):
    """The description of a table, which is also written into its file.

    sample       how the rows were chosen
    grid         for a grid, the values of each number
    estimates    for each output the largest estimated error of all rows, in its unit
    facts        mechanism, version, seed, tolerance and so on, by name
    fingerprint  a hash of everything that determines the content of the table
    """

    columns: tuple[TableColumn, ...]
    sample: str
    grid: tuple[tuple[float, ...], ...]
    estimates: dict[str, float]
    facts: dict[str, str]
    fingerprint: str


class Source(Protocol):
    """Where the numbers are stored: in memory, or in a file."""

    @property
    def count(self) -> int:
        """The number of rows."""

    def column(self, name: str) -> Array:
        """A column, (rows,) or (rows, times)."""

    def pieces(self, name: str) -> Iterator[Array]:
        """A column in pieces, each of which fits into memory."""

    def codes(self) -> Array:
        """The status code of each row, (rows,): see `statuses.NAMES`."""


class Sweep:
    """The table of a sweep. `table["max rod.end.y"]` is an array with one value per row; `table.names` lists the
    columns.

    `table.status` has the status of each row: "success", "event", or the reason why its values are NaN, such as
    "not_assembled"; `table.ok` is true for rows with values. A table in a file is read one column at a time, when
    needed.
    """

    def __init__(self, about: About, source: Source) -> None:
        self.about = about
        self._source = source
        self._columns = {column.name: column for column in about.columns}

    def __len__(self) -> int:
        return self._source.count

    def __repr__(self) -> str:
        text = f"Sweep of '{self.about.facts['mechanism']}': {count_of(len(self), 'row')} ({self.summary})"
        remark = self.about.facts.get("engine, remark")
        return f"{text}. Run one by one: {remark}" if remark else text

    def _repr_html_(self) -> str:
        """The first rows, without trajectories, as a notebook shows them."""
        shown = [name for name in self.names if not self._columns[name].times]
        columns = [self._first(name) for name in shown]
        heads = ["row", *(f"{name} [{unit}]" if (unit := self.unit(name)) else name for name in shown), "status"]
        rows = [
            [str(k), *(f"{column[k]:.6g}" for column in columns), str(status)]
            for k, status in enumerate(np.array(NAMES)[self.codes[:MOST]])
        ]
        return report_html(repr(self)) + table(heads, rows, total=len(self))

    def _first(self, name: str) -> Array:
        """The first values of a column, as many as a notebook shows."""
        found: list[Array] = []
        for piece in self._source.pieces(name):
            found.append(piece)
            if sum(map(len, found)) >= MOST:
                break
        return np.concatenate(found)[:MOST] if found else np.zeros(0)

    @property
    def names(self) -> tuple[str, ...]:
        """The numbers that were varied, then the outputs."""
        return tuple(self._columns)

    @property
    def numbers(self) -> tuple[str, ...]:
        """The numbers that were varied."""
        return tuple(name for name, column in self._columns.items() if column.role == "number")

    @property
    def outputs(self) -> tuple[str, ...]:
        """The outputs of each run."""
        return tuple(name for name, column in self._columns.items() if column.role == "output")

    def __getitem__(self, name: str) -> Array:
        """A column, (rows,); of a trajectory (rows, times)."""
        return self._source.column(self._column(name).name)

    def unit(self, name: str) -> str:
        """The unit of a column."""
        return self._column(name).unit

    def times(self, name: str) -> Array:
        """The times of a trajectory, s."""
        return np.array(self._column(name).times)

    def _column(self, name: str) -> TableColumn:
        if name not in self._columns:
            raise ModelError(f"The table has no column '{name}'; {did_you_mean(name, self._columns, at_most=3)}")
        return self._columns[name]

    @cached_property
    def codes(self) -> Array:
        """The status of each row, as a number."""
        return self._source.codes()

    @property
    def status(self) -> Array:
        """The status of each row, as a word; docs/sweeps.md explains them."""
        words: Array = np.array(NAMES)[self.codes]
        return words

    @property
    def ok(self) -> Array:
        """Which rows have values: their runs are complete and trusted."""
        good: Array = np.isin(self.codes, GOOD)
        return good

    @property
    def counts(self) -> dict[str, int]:
        """How many rows have each status."""
        found = np.bincount(self.codes, minlength=len(NAMES))
        return {name: int(n) for name, n in zip(NAMES, found, strict=True) if n}

    @property
    def summary(self) -> str:
        """How many rows have each status, in words."""
        return ", ".join(f"{n:,} {name.replace('_', ' ')}" for name, n in self.counts.items()) or "empty"

    def range(self, name: str) -> tuple[float, float, float]:
        """The smallest value, the mean and the largest value of a column, ignoring NaN; a table in a file is read in
        pieces."""
        low, high, total, count = np.inf, -np.inf, 0.0, 0
        for piece in self._source.pieces(self._column(name).name):
            known = piece[np.isfinite(piece)]
            if known.size:
                low, high = min(low, float(known.min())), max(high, float(known.max()))
                total, count = total + float(known.sum()), count + known.size
        return (low, total / count, high) if count else (np.nan, np.nan, np.nan)

    # -- other forms

    def to_arrow(self) -> pyarrow.Table:
        """An Arrow table; units are in the metadata of its fields. Needs the extra `grashof[sweep]`."""
        from grashof.sweeps.parquet import arrow_table

        return arrow_table(self)

    def to_pandas(self) -> pandas.DataFrame:
        """A data frame with one row per run; units are in its `attrs`. Needs the extra `grashof[sweep]`."""
        frame = self.to_arrow().to_pandas()
        frame.attrs["units"] = {name: self.unit(name) for name in self.names}
        return frame

    def to_xarray(self) -> xarray.Dataset:
        """An xarray data set: for a grid with one dimension per number, otherwise with the dimension "row". Needs
        the extra `grashof[sweep]`."""
        from grashof.sweeps.exports import dataset

        found: xarray.Dataset = dataset(self)
        return found

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the table as a Parquet file (.parquet), which needs the extra `grashof[sweep]`, or as text (.csv)."""
        if Path(path).suffix.lower() == ".csv":
            self.to_csv(path)
            return
        from grashof.sweeps.parquet import save

        save(self, Path(path))

    def to_csv(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """The table as CSV, written to the path, or returned as text without one.

        Headings are `name [unit]`, numbers are the shortest that read back as the same doubles, and values that are
        missing are empty. A trajectory has one column per time.
        """
        from grashof.sweeps.exports import csv_of

        content = csv_of(self)
        if path is None:
            return content
        write_atomically(path, content)
        return None

    @staticmethod
    def read(path: str | os.PathLike[str]) -> Sweep:
        """A table from a Parquet file that a sweep has written."""
        from grashof.sweeps.parquet import read

        return read(Path(path))

    def plot(
        self, kind: str | None = None, names: Sequence[str] | None = None, path: str | os.PathLike[str] | None = None
    ) -> Figure:
        """A picture of the table, written to a file if a path is given.

        kind   scatter, histogram, parallel, heatmap or fan; by default what suits the table
        names  the columns to show; by default what suits the kind
        """
        from grashof.sweeps.pictures import plot

        return plot(self, kind, names, path)


@dataclass(frozen=True)
class InMemory:
    """Columns in memory."""

    columns: dict[str, Array]
    found: Array

    @property
    def count(self) -> int:
        return len(self.found)

    def column(self, name: str) -> Array:
        return self.columns[name]

    def pieces(self, name: str) -> Iterator[Array]:
        yield self.columns[name]

    def codes(self) -> Array:
        return self.found


def import_extra(package: str, what: str) -> Any:
    """A package of the extra `grashof[sweep]`; raises a ModelError that says what to install if it is missing."""
    from importlib import import_module

    try:
        return import_module(package)
    except ImportError as problem:
        raise ModelError(f"{what} needs {package.partition('.')[0]}: install grashof[sweep].") from problem
