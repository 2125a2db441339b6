"""What is kept of each run. In Python as objects or as text, on the command line as text:

rod.end.x at end           At("rod.end.x")             value at the end of the run
rod.end.x at 0.3           At("rod.end.x", 0.3)        value at a time in s
max rod.end.y              Extreme("max", "rod.end.y") largest value; `min` the smallest, `peak` the largest magnitude
time of max rod.end.y      TimeOf("max", "rod.end.y")  when it is reached first, s
mean crank.angle.rate      Mean("crank.angle.rate")    mean over the time of the run
trajectory crank.angle     History("crank.angle")      values at the chosen times
error                      Error()                     largest error by the rule of a benchmark problem, J
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from grashof.errors import ModelError
from grashof.problems.base import Case
from grashof.sweeps import hermite

Array = np.ndarray

FORMS = (
    "'rod.end.x at end', 'rod.end.x at 0.3', 'max rod.end.x', 'min …', 'peak …', 'time of max …', 'mean …', 'trajectory …' and, for a "
    "benchmark problem, 'error'"
)

Kind = Literal["max", "min", "peak"]
_KINDS: dict[str, Kind] = {"max": "max", "min": "min", "peak": "peak"}


@dataclass(frozen=True)
class Samples:
    """Quantities of B runs at m times, by name.

    asked   the times that were asked for, (m,)
    t       the same for each run, (B, m): times after its end are its end
    values  (B, m) each
    rates   their time derivatives, (B, m) each
    """

    asked: Array
    t: Array
    values: dict[str, Array]
    rates: dict[str, Array]

    def at(self, places: Array | slice, names: Sequence[str] | None = None) -> Samples:
        """Only at some of the times, and only some of the quantities if these are named."""
        chosen = self.values if names is None else names
        cut = [{name: part[name][:, places] for name in chosen} for part in (self.values, self.rates)]
        return Samples(self.asked[places], self.t[:, places], *cut)

    def of(self, name: str) -> tuple[Array, Array, Array]:
        """Times, values and rates of a quantity."""
        return self.t, self.values[name], self.rates[name]

    def until_end(self, name: str) -> Array:
        """Values of a quantity; not a number at times after the end of a run."""
        return np.where(self.t < self.asked, np.nan, self.values[name])


class Output(ABC):
    """One output, a column of the table. `str(output)` is its name there."""

    sampled = False
    """Whether it is found from samples over the whole run, so that half of them tell how exact it is."""

    def quantities(self, case: Case | None) -> tuple[str, ...]:
        """The quantities that it is made of."""
        return (getattr(self, "quantity"),)  # noqa: B009 - all but one have this field

    def times(self, even: Array, chosen: Array, case: Case | None) -> Array:
        """The times at which it needs them, of evenly spaced ones and those that a person chose."""
        return even

    def unit(self, unit: Callable[[str], str]) -> str:
        """Its unit, from those of quantities."""
        return unit(getattr(self, "quantity"))  # noqa: B009

    @abstractmethod
    def find(self, seen: Samples, case: Case | None) -> Array:
        """Its value for each run, (B,) or (B, times), from samples at its times."""


@dataclass(frozen=True)
class At(Output):
    """The value at a time in s, or at the end of the run. It is not defined after an event has ended the run."""

    quantity: str
    time: float | None = None

    def __str__(self) -> str:
        return f"{self.quantity} at {'end' if self.time is None else repr(float(self.time)).removesuffix('.0')}"

    def times(self, even: Array, chosen: Array, case: Case | None) -> Array:
        if self.time is None:
            return even[-1:]
        if not even[0] <= self.time <= even[-1]:
            raise ModelError(f"Output '{self}': the run is from {even[0]:g} s to {even[-1]:g} s.")
        return np.array([self.time])

    def find(self, seen: Samples, case: Case | None) -> Array:
        value = seen.values[self.quantity] if self.time is None else seen.until_end(self.quantity)
        return value[:, 0]


@dataclass(frozen=True)
class Extreme(Output):
    """The largest value (max), the smallest (min) or the largest magnitude (peak)."""

    kind: Kind
    quantity: str
    sampled = True

    def __str__(self) -> str:
        return f"{self.kind} {self.quantity}"

    def find(self, seen: Samples, case: Case | None) -> Array:
        return _extreme(self.kind, seen, self.quantity)[0]


@dataclass(frozen=True)
class TimeOf(Output):
    """The first time at which an extreme is reached, s."""

    kind: Kind
    quantity: str
    sampled = True

    def __str__(self) -> str:
        return f"time of {self.kind} {self.quantity}"

    def unit(self, unit: Callable[[str], str]) -> str:
        return "s"

    def find(self, seen: Samples, case: Case | None) -> Array:
        return _extreme(self.kind, seen, self.quantity)[1]


@dataclass(frozen=True)
class Mean(Output):
    """The mean over the time of the run."""

    quantity: str
    sampled = True

    def __str__(self) -> str:
        return f"mean {self.quantity}"

    def find(self, seen: Samples, case: Case | None) -> Array:
        return hermite.mean(*seen.of(self.quantity))


@dataclass(frozen=True)
class History(Output):
    """The values at the chosen times; there are none after an event has ended the run."""

    quantity: str

    def __str__(self) -> str:
        return f"trajectory {self.quantity}"

    def times(self, even: Array, chosen: Array, case: Case | None) -> Array:
        return chosen

    def find(self, seen: Samples, case: Case | None) -> Array:
        return seen.until_end(self.quantity)


@dataclass(frozen=True)
class Error(Output):
    """The largest error by the problem's own rule at its official times, J."""

    def __str__(self) -> str:
        return "error"

    def quantities(self, case: Case | None) -> tuple[str, ...]:
        """Those that the rule reads; it is asked by letting it read."""
        probe = _Probe()
        self._of(case).error(probe)
        return tuple(probe.read)

    def times(self, even: Array, chosen: Array, case: Case | None) -> Array:
        return self._of(case).times(float(even[-1]))

    def unit(self, unit: Callable[[str], str]) -> str:
        return "J"

    def find(self, seen: Samples, case: Case | None) -> Array:
        error = self._of(case).error(_Columns(seen))
        largest: Array = np.max(np.abs(error), axis=0)
        return largest

    def _of(self, case: Case | None) -> Case:
        if case is None:
            raise ModelError("Output 'error' is that of a benchmark problem, and this mechanism is none; leave it out.")
        return case


def read_output(given: str | Output) -> Output:
    """The output that a text means.

    >>> read_output("time of max rod.end.y"), str(read_output("crank.angle at 0.25 s"))
    (TimeOf(kind='max', quantity='rod.end.y'), 'crank.angle at 0.25')
    """
    if isinstance(given, Output):
        return given
    text = " ".join(str(given).split())
    if text == "error":
        return Error()
    if match := re.fullmatch(r"(time of )?(max|min|peak) (.+)", text):
        kind = _KINDS[match[2]]
        return TimeOf(kind, match[3]) if match[1] else Extreme(kind, match[3])
    if match := re.fullmatch(r"(mean|trajectory) (.+)", text):
        return Mean(match[2]) if match[1] == "mean" else History(match[2])
    if match := re.fullmatch(r"(.+) at (end|[-+.\de]+)( s)?", text):
        try:
            return At(match[1], None if match[2] == "end" else float(match[2]))
        except ValueError:
            pass
    raise ModelError(f"Output '{text}' is not understood; outputs are {FORMS}.")


def _extreme(kind: Kind, seen: Samples, name: str) -> tuple[Array, Array]:
    """Value and time."""
    t, x, r = seen.of(name)
    if kind == "max":
        return hermite.maximum(t, x, r)
    low, when_low = hermite.maximum(t, -x, -r)
    if kind == "min":
        return -low, when_low
    high, when_high = hermite.maximum(t, x, r)
    first = (high > low) | ((high == low) & (when_high <= when_low))
    return np.maximum(high, low), np.where(first, when_high, when_low)


class _Columns:
    """Samples of many runs as readings with times along the first axis, which is all that an error asks for."""

    def __init__(self, seen: Samples) -> None:
        self.t, self._values = seen.t.T, seen.values

    def __getitem__(self, name: str) -> Array:
        return self._values[name].T


class _Probe:
    """Readings that remember what is read."""

    t = np.zeros(1)

    def __init__(self) -> None:
        self.read: dict[str, None] = {}

    def __getitem__(self, name: str) -> Array:
        self.read[name] = None
        return np.zeros(1)
