"""Named quantities over time, with units, and the tables that they can be turned into."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from grashof.common.provided import provided
from grashof.model.units import change_unit, split_units

if TYPE_CHECKING:
    import pandas

Array = np.ndarray

Names = str | Sequence[str]
"""One name, or several."""

Place = str | os.PathLike[str]


class Histories(ABC):
    """Named quantities over time: a run, or its reactions. `found["rod.end.x"]` is an array; iterating gives the
    names."""

    t: Array
    """Times, s."""

    @property
    @abstractmethod
    def names(self) -> tuple[str, ...]:
        """The names of all quantities."""

    @abstractmethod
    def __getitem__(self, name: str) -> Array:
        """A quantity at all times."""

    @abstractmethod
    def unit(self, name: str) -> str:
        """The unit of a quantity."""

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def _ipython_key_completions_(self) -> list[str]:
        """The completions that an editor offers after `run[`."""
        return list(self.names)

    def in_units(self, units: Names) -> ConvertedHistories:
        """The same quantities in units of your choice: `run.in_units("mm, deg, rpm")["rod.end.x"]` is in mm.

        A length or an angle also replaces m and rad in speeds and accelerations (mm/s, deg/s²), unless their own unit
        is given, too. Quantities of other kinds keep their SI units.
        """
        return ConvertedHistories(self, units)

    def table(self, names: Names | None = None, *, units: Names = ()) -> dict[str, Array]:
        """Quantities as arrays by name; all by default. For `units` see `in_units`."""
        chosen = [names] if isinstance(names, str) else names
        found = self.in_units(units)
        return {name: found[name] for name in chosen or self.names}

    def to_pandas(self, names: Names | None = None, *, units: Names = ()) -> pandas.DataFrame:
        """Quantities (all by default) as a data frame, indexed by time; requires pandas. For `units` see `in_units`."""
        return provided("data_frame")(self.in_units(units), names)

    def save(self, path: str | os.PathLike[str], names: Names | None = None, *, units: Names = ()) -> None:
        """Writes quantities (all by default) over time as a table, in full precision. For `units` see `in_units`.

        The suffix of the path selects the format: .csv, .txt, .sto, .parquet or .xlsx. To save the mechanism itself,
        use `gr.save(m, "crank.toml")`; a complete run, with its steps, can be pickled.
        """
        provided("save_table")(self.in_units(units), path, names)

    def to_csv(
        self, path: str | os.PathLike[str] | None = None, names: Names | None = None, *, units: Names = ()
    ) -> str | None:
        """Quantities (all by default) over time as CSV, written to the path or, without one, returned as a string.
        For `units` see `in_units`."""
        text: str | None = provided("to_csv")(self.in_units(units), path, names)
        return text


class ConvertedHistories(Histories):
    """Named quantities over time in units of choice.

    original   the same quantities in SI units
    units      the units, each used for quantities of its kind
    """

    def __init__(self, original: Histories, units: Names) -> None:
        self.original = original
        self.units = split_units(units)
        self.t = self["t"]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all quantities."""
        return self.original.names

    def __getitem__(self, name: str) -> Array:
        values = self.original[name]
        _, factor = change_unit(self.original.unit(name), self.units)
        return values if factor == 1.0 else values * factor

    def unit(self, name: str) -> str:
        """The unit of a quantity."""
        return change_unit(self.original.unit(name), self.units)[0]


def parse_names(
    quantities: Sequence[Names | str | os.PathLike[str] | None],
    names: Names | None,
    path: str | os.PathLike[str] | None,
) -> tuple[Names | None, str | os.PathLike[str] | None]:
    """The names and the path that are passed to `plot`: names one by one, or one list, which the path may follow."""
    first, *rest = quantities or (names,)
    if not isinstance(first, str) and len(rest) == 1 and path is None:
        (path,), rest = rest, []  # type: ignore[assignment]
    if isinstance(first, str):
        return [first, *rest], path  # type: ignore[list-item]
    return first, path  # type: ignore[return-value]
