"""The parts of a benchmark problem: a mechanism, a duration, a rule, result columns, independent solutions, and known
mistakes.

All of it is in the problem's own folder. Neither the engine nor the judge depends on which problem is running;
a problem consists of data and a few functions of readings. Listing the problems imports neither numpy nor mechanisms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import numpy as np

    from grashof.model.model import Model
    from grashof.precise.derivation import Derivations


class Readings(Protocol):
    """Named quantities over time: a `Trajectory`, or quantities observed from another engine's motion."""

    t: np.ndarray

    def __getitem__(self, name: str) -> np.ndarray:
        """The quantity at all times."""


Quantity = Callable[[Readings], "np.ndarray"]


Columns = Mapping[str, "np.ndarray"]
"""Values by the columns' names."""


@dataclass(frozen=True)
class Column:
    """A column of the official result file.

    balance    how it enters the energy balance ΔU = T + V − W of the problem's rule: 1 for an energy, −1 for a work
    violation  whether it is a violation of the joint equations
    also       names in other tools, in lower case without signs and units; a single letter keeps its case
    """

    name: str
    unit: str
    value: Quantity
    balance: float = 0.0
    violation: bool = False
    also: tuple[str, ...] = ()


LEVELS = {"high": 1e-3, "low": 1e-1}
"""Precision levels of the library of A Coruña (LIM): the largest absolute difference from the reference, at every
sample of every column that counts, in the column's unit."""


@dataclass(frozen=True)
class BranchCondition:
    """A condition on official columns that holds only on the problem's branch, also where the reference is uncertain.

    columns  the columns that it needs
    beyond   by how much it is violated, relative to the size of the mechanism: positive if the motion has left its
             branch
    words    the violation in words
    """

    columns: tuple[str, ...]
    beyond: Callable[[Columns], np.ndarray]
    words: str


@dataclass(frozen=True)
class Alternative:
    """A known mistake: in words, and the columns that would result from it at times up to t_end [s]."""

    words: str
    t_end: float
    at: Callable[[np.ndarray], Columns]


@dataclass(frozen=True)
class Figure:
    """A figure of the problem's document: columns against time."""

    title: str
    columns: tuple[str, ...]
    logarithmic: bool = False


@dataclass(frozen=True)
class Case:
    """A problem with its variant and parameters chosen.

    step        time between official results, s
    bound       the bound of the rule on the error, J
    error_text  the definition of the error in words; it is calculated from the columns (`balance`)
    columns     the columns of the official result file
    final       quantities reported at the end, in addition to t and energy
    reference   the independent solution: final quantities by name at given times
    figures     the figures of the document
    notes       how the source was interpreted or corrected
    condition   what distinguishes its branch from others, if comparison with the reference does not suffice
    levels      the columns that precision levels are defined for: see `LEVELS`
    tol         the tolerance of our own single runs, where the usual one is too coarse; the problem's page says why
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
    levels: tuple[str, ...] = ()
    tol: float | None = None

    @property
    def balanced(self) -> tuple[Column, ...]:
        """The columns of energy and work, from which the error is calculated."""
        return tuple(column for column in self.columns if column.balance)

    def balance(self, columns: Columns) -> np.ndarray:
        """T + V − W from the columns of energy and work, J, from any datum."""
        import numpy as np

        total: np.ndarray = np.sum([column.balance * columns[column.name] for column in self.balanced], axis=0)
        return total

    def error(self, run: Readings) -> np.ndarray:
        """The problem's own error ΔU of readings that begin at the start, J (signed)."""
        balance = self.balance({column.name: column.value(run) for column in self.balanced})
        drift: np.ndarray = balance - balance[:1]
        return drift

    def times(self, t_end: float) -> np.ndarray:
        """The official times up to t_end, and t_end itself."""
        import numpy as np

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
    parameters    the default and a description of each parameter, by name
    derivations   two independent derivations of the official columns, for a certified reference
    alternatives  known mistakes other than another variant
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


def later(module: str, name: str) -> Callable[..., Any]:
    """A function of a module that is imported when the function is first called."""

    def function(*given: Any) -> Any:
        return getattr(import_module(module), name)(*given)

    return function


def problem_in(
    package: str,
    name: str,
    title: str,
    variants: tuple[str, ...] = ("standard",),
    *,
    parameters: Mapping[str, tuple[float, str]] | None = None,
    same: Mapping[str, str] | None = None,
) -> Problem:
    """A problem whose functions are in the modules of its folder: `case`, and `derivations` and `alternatives` where
    these exist."""
    found = {x: later(f"{package}.{x}", x) for x in ("derivations", "alternatives") if find_spec(f"{package}.{x}")}
    make = later(f"{package}.case", "case")
    return Problem(name, title, variants, make, package, parameters=parameters or {}, same=same or {}, **found)
