"""The interface of outputs, and what they are found from."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from grashof.problems.base import Case
from grashof.sweeps.curves import OutputCurves

Array = np.ndarray


@dataclass(frozen=True)
class Samples:
    """What was observed of B runs, by the names of quantities.

    asked   times at which some were to be observed, (m,)
    t       the same for each run, (B, m): times after its end are its end
    values  at these times, (B, m) each
    curves  others over the whole runs
    ties    values of these that differ by less than this count as equal, (B,) each
    """

    asked: Array
    t: Array
    values: Mapping[str, Array]
    curves: Mapping[str, OutputCurves] = field(default_factory=dict)
    ties: Mapping[str, Array] = field(default_factory=dict)

    def at(self, places: Array | slice, names: Sequence[str]) -> Samples:
        """The same at some of the times, of some quantities."""
        cut = {name: self.values[name][:, places] for name in names}
        return replace(self, asked=self.asked[places], t=self.t[:, places], values=cut)

    def until_end(self, name: str) -> Array:
        """Values of a quantity; NaN at times after the end of a run."""
        return np.where(self.t < self.asked, np.nan, self.values[name])


@dataclass(frozen=True)
class OutputColumns:
    """An output of B runs.

    values   (B,) or (B, times)
    errors   the estimated errors of finding it, without those of the motion itself, (B,)
    """

    values: Array
    errors: Array

    @classmethod
    def exactly(cls, values: Array) -> OutputColumns:
        return cls(values, np.zeros(len(values)))


class Output(ABC):
    """An output, which is a column of the table. `str(output)` is its name there, which `read` understands."""

    forms: ClassVar[str]
    """How it is written, for error messages."""

    along: ClassVar[bool] = False
    """Whether it is found from its quantity over the whole run, instead of at certain times."""

    many: ClassVar[bool] = False
    """Whether it has one value for each of the chosen times, instead of a single one."""

    @classmethod
    @abstractmethod
    def read(cls, text: str) -> Output | None:
        """The output that a text describes; None if it is not of this kind."""

    @abstractmethod
    def quantities(self, case: Case | None) -> tuple[str, ...]:
        """The quantities from which it is found."""

    def times(self, span: tuple[float, float], chosen: Array, case: Case | None) -> Array:
        """The times at which it needs them, for a run from the first to the second time of `span`; `chosen` are
        those of trajectories."""
        return np.empty(0)

    @abstractmethod
    def unit(self, unit: Callable[[str], str]) -> str:
        """Its unit, from those of quantities."""

    @abstractmethod
    def find(self, seen: Samples, case: Case | None) -> OutputColumns:
        """Its value for each run, from samples at its times or from its quantity over the whole runs."""


class OfQuantity(Output):
    """An output that is found from one quantity and has its unit."""

    quantity: str

    def quantities(self, case: Case | None) -> tuple[str, ...]:
        return (self.quantity,)

    def unit(self, unit: Callable[[str], str]) -> str:
        return unit(self.quantity)


@dataclass(frozen=True)
class OfNamedQuantity(OfQuantity):
    """An output that is written as a word before the name of its quantity."""

    quantity: str
    word: ClassVar[str]

    @classmethod
    def read(cls, text: str) -> Output | None:
        quantity = text.removeprefix(f"{cls.word} ")
        return None if quantity == text else cls(quantity)

    def __str__(self) -> str:
        return f"{self.word} {self.quantity}"
