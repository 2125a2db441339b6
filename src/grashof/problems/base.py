"""What a benchmark problem is: a mechanism, a duration, a rule, result columns, and an independent solution.

Nothing here, and nothing in the engine, knows which problem is running; a problem is data and a few functions of readings.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from grashof.model.model import Model


class Readings(Protocol):
    """Named quantities over time: a `Trajectory`, or what was observed of another engine's motion."""

    t: np.ndarray

    def __getitem__(self, name: str) -> np.ndarray:
        """The quantity at all times."""


Quantity = Callable[[Readings], np.ndarray]


@dataclass(frozen=True)
class Column:
    """A column of the official result file."""

    name: str
    unit: str
    value: Quantity


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
    error       the problem's own definition of the error, J, over the trajectory (signed)
    error_text  that definition in words
    columns     the official result file
    final       what is reported at the end, beside t and energy
    reference   the independent solution: final quantities by name at given times
    figures     what the document plots
    notes       what was read how, or corrected
    """

    problem: str
    variant: str
    parameters: Mapping[str, float]
    model: Model
    t_end: float
    step: float
    bound: float
    error: Quantity
    error_text: str
    columns: tuple[Column, ...]
    final: tuple[Column, ...]
    reference: Callable[[np.ndarray], dict[str, np.ndarray]]
    figures: tuple[Figure, ...]
    notes: tuple[str, ...] = ()

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
    """A benchmark problem, by name; `make(variant, parameters)` gives the case."""

    name: str
    title: str
    variants: tuple[str, ...]
    make: Callable[[str, Mapping[str, float]], Case]
    parameters: Mapping[str, tuple[float, str]] = field(default_factory=dict)
