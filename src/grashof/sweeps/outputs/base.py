"""The interface of outputs, and the samples from which they are found."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from grashof.problems.base import Case

Array = np.ndarray


@dataclass(frozen=True)
class Samples:
    """Quantities of B runs at m times, by name.

    asked   the requested times, (m,)
    t       the same for each run, (B, m): times after its end are its end
    values  (B, m) each
    rates   their time derivatives, (B, m) each
    """

    asked: Array
    t: Array
    values: dict[str, Array]
    rates: dict[str, Array]

    def at(self, places: Array | slice, names: Sequence[str] | None = None) -> Samples:
        """A part of the samples: at some of the times and, if named, only some quantities."""
        chosen = self.values if names is None else names
        cut = [{name: part[name][:, places] for name in chosen} for part in (self.values, self.rates)]
        return Samples(self.asked[places], self.t[:, places], *cut)

    def of(self, name: str) -> tuple[Array, Array, Array]:
        """Times, values and rates of a quantity."""
        return self.t, self.values[name], self.rates[name]

    def until_end(self, name: str) -> Array:
        """Values of a quantity; NaN at times after the end of a run."""
        return np.where(self.t < self.asked, np.nan, self.values[name])


class Output(ABC):
    """An output, which is a column of the table. `str(output)` is its name there, which `read` understands."""

    forms: ClassVar[str]
    """How it is written, for error messages."""

    sampled: ClassVar[bool] = False
    """Whether it is found from samples over the whole run, so that its error can be estimated with half of them."""

    many: ClassVar[bool] = False
    """Whether it has one value for each of the chosen times, instead of a single one."""

    @classmethod
    @abstractmethod
    def read(cls, text: str) -> Output | None:
        """The output that a text describes; None if it is not of this kind."""

    @abstractmethod
    def quantities(self, case: Case | None) -> tuple[str, ...]:
        """The quantities from which it is found."""

    def times(self, even: Array, chosen: Array, case: Case | None) -> Array:
        """The times at which it needs them, taken from the evenly spaced or the chosen ones."""
        return even

    @abstractmethod
    def unit(self, unit: Callable[[str], str]) -> str:
        """Its unit, from those of quantities."""

    @abstractmethod
    def find(self, seen: Samples, case: Case | None) -> Array:
        """Its value for each run, (B,) or (B, times), from samples at its times."""


class OfQuantity(Output):
    """An output that is found from one quantity and has its unit."""

    quantity: str

    def quantities(self, case: Case | None) -> tuple[str, ...]:
        return (self.quantity,)

    def unit(self, unit: Callable[[str], str]) -> str:
        return unit(self.quantity)
