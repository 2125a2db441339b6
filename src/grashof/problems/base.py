"""What a benchmark problem is: a mechanism, a duration, a rule, result columns, independent solutions, and known mistakes.

All of it is in the problem's own folder. Nothing outside of that, neither the engine nor the judge, knows which problem is running;
a problem is data and a few functions of readings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from grashof.model.model import Model
from grashof.precise.derivation import Derivations


class Readings(Protocol):
    """Named quantities over time: a `Trajectory`, or what was observed of another engine's motion."""

    t: np.ndarray

    def __getitem__(self, name: str) -> np.ndarray:
        """The quantity at all times."""


Quantity = Callable[[Readings], np.ndarray]


Columns = Mapping[str, np.ndarray]
"""Values by the columns' names."""


@dataclass(frozen=True)
class Column:
    """A column of the official result file.

    balance    how it enters the energy balance ΔU = T + V − W of the problem's rule: 1 for an energy, −1 for a work
    violation  whether it tells how far the joint equations are from zero
    also       what other tools call it, in lower case without signs and units; a single letter as it is
    """

    name: str
    unit: str
    value: Quantity
    balance: float = 0.0
    violation: bool = False
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class BranchCondition:
    """A condition on official columns that holds on the problem's branch alone, also where the reference is not certain.

    columns  the columns that it needs
    beyond   by how much they violate it, by the size of the mechanism: positive where the motion has left its branch
    words    what is then the case
    """

    columns: tuple[str, ...]
    beyond: Callable[[Columns], np.ndarray]
    words: str


@dataclass(frozen=True)
class Alternative:
    """Something that a result could be by mistake, in words, and its columns at times up to t_end [s]."""

    words: str
    t_end: float
    at: Callable[[np.ndarray], Columns]


@dataclass(frozen=True)
class Figure:
    """A figure the problem's document shows: columns against time."""

    title: str
    columns: tuple[str, ...]
    logarithmic: bool = False


@dataclass(frozen=True)
class Case:
    """A problem with its variant and parameters chosen.

    step        time between official results, s
    bound       the rule: the error must stay below this, J
    error_text  the error in words; it is calculated from the columns (`balance`)
    columns     the official result file
    final       what is reported at the end, beside t and energy
    reference   the independent solution: final quantities by name at given times
    figures     what the document plots
    notes       what was read how, or corrected
    condition   what tells its branch from others, if the trajectory near the reference does not
    """

    problem: str
    variant: str
    parameters: Mapping[str, float]
    model: Model
    t_end: float
    step: float
    bound: float
    error_text: str
    columns: tuple[Column, ...]
    final: tuple[Column, ...]
    reference: Callable[[np.ndarray], dict[str, np.ndarray]]
    figures: tuple[Figure, ...]
    notes: tuple[str, ...] = ()
    condition: BranchCondition | None = None

    @property
    def balanced(self) -> tuple[Column, ...]:
        """The columns of energy and work, of which the error is made."""
        return tuple(column for column in self.columns if column.balance)

    def balance(self, columns: Columns) -> np.ndarray:
        """T + V − W from the columns of energy and work, J, from any datum."""
        total: np.ndarray = np.sum([column.balance * columns[column.name] for column in self.balanced], axis=0)
        return total

    def error(self, run: Readings) -> np.ndarray:
        """The problem's own error ΔU of readings that begin at the start, J (signed)."""
        balance = self.balance({column.name: column.value(run) for column in self.balanced})
        drift: np.ndarray = balance - balance[:1]
        return drift

    def times(self, t_end: float) -> np.ndarray:
        """The official times up to t_end, and t_end itself."""
        count = int(np.floor(t_end / self.step * (1.0 + 1e-12)))
        times = self.step * np.arange(count + 1)
        if abs(times[-1] - t_end) <= 1e-9 * t_end:
            times[-1] = t_end
            return times
        return np.append(times, t_end)


@dataclass(frozen=True)
class Problem:
    """A benchmark problem, by name.

    make          the case of a variant with values of the parameters
    parameters    by name the default and a description
    derivations   two independent derivations of the official columns, for a certified reference
    alternatives  what a result of a case could be by mistake, beside another variant
    package       the package with the certified references, in files data/NAME-VARIANT.csv
    same          variants that describe the same motion as another one
    """

    name: str
    title: str
    variants: tuple[str, ...]
    make: Callable[[str, Mapping[str, float]], Case]
    package: str
    parameters: Mapping[str, tuple[float, str]] = field(default_factory=dict)
    derivations: Callable[[Case], Derivations] | None = None
    alternatives: Callable[[Case], Iterable[Alternative]] = lambda case: ()
    same: Mapping[str, str] = field(default_factory=dict)
