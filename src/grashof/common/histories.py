"""Named quantities over time, with units, and the tables that they can be turned into."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import pandas

Array = np.ndarray


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

    def table(self, names: str | Sequence[str] | None = None) -> dict[str, Array]:
        """Quantities as arrays by name; all by default."""
        chosen = [names] if isinstance(names, str) else names
        return {name: self[name] for name in chosen or self.names}

    def to_pandas(self, names: str | Sequence[str] | None = None) -> pandas.DataFrame:
        """Quantities (all by default) as a data frame, indexed by time; requires pandas."""
        from grashof.show.tables import data_frame

        return data_frame(self, names)

    def save(self, path: str | os.PathLike[str], names: str | Sequence[str] | None = None) -> None:
        """Writes quantities (all by default) over time as a table, in full precision.

        The suffix of the path selects the format: .csv, .txt, .sto or .parquet. To save the mechanism itself, use
        `gr.save(m, "crank.toml")`; a complete run, with its steps, can be pickled.
        """
        from grashof.show.tables import save_table

        save_table(self, path, names)

    def to_csv(
        self, path: str | os.PathLike[str] | None = None, names: str | Sequence[str] | None = None
    ) -> str | None:
        """Quantities (all by default) over time as CSV, written to the path or, without one, returned as a string."""
        from grashof.show.tables import to_csv

        return to_csv(self, path, names)
