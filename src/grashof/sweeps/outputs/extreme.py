"""Extremes of a quantity, and when they are reached."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from grashof.problems.base import Case
from grashof.sweeps.curves import OutputCurves
from grashof.sweeps.outputs.base import Array, OfQuantity, OutputColumns, Samples

Kind = Literal["max", "min", "peak"]
_KINDS: dict[str, Kind] = {"max": "max", "min": "min", "peak": "peak"}


@dataclass(frozen=True)
class Extreme(OfQuantity):
    """The largest value (max), the smallest (min) or the largest magnitude (peak)."""

    kind: Kind
    quantity: str
    forms = "'max rod.end.x', 'min …', 'peak …'"
    along = True

    @classmethod
    def read(cls, text: str) -> Extreme | None:
        match = re.fullmatch(r"(max|min|peak) (.+)", text)
        return match and cls(_KINDS[match[1]], match[2])

    def __str__(self) -> str:
        return f"{self.kind} {self.quantity}"

    def find(self, seen: Samples, case: Case | None) -> OutputColumns:
        value, error, _ = _extreme(self.kind, seen.curves[self.quantity])
        return OutputColumns(value, error)


@dataclass(frozen=True)
class TimeOf(OfQuantity):
    """The first time at which an extreme is reached, s. Extremes that differ by less than the tolerance count as
    equal."""

    kind: Kind
    quantity: str
    forms = "'time of max rod.end.x', …"
    along = True

    @classmethod
    def read(cls, text: str) -> TimeOf | None:
        match = re.fullmatch(r"time of (max|min|peak) (.+)", text)
        return match and cls(_KINDS[match[1]], match[2])

    def __str__(self) -> str:
        return f"time of {self.kind} {self.quantity}"

    def unit(self, unit: Callable[[str], str]) -> str:
        return "s"

    def find(self, seen: Samples, case: Case | None) -> OutputColumns:
        return OutputColumns.exactly(_extreme(self.kind, seen.curves[self.quantity], seen.ties[self.quantity])[2])


def _extreme(kind: Kind, curve: OutputCurves, tie: Array | float = 0.0) -> tuple[Array, Array, Array]:
    """The extreme value, the estimated error of finding it, and the first time at which it is reached."""
    if kind == "max":
        return curve.maximum(tie)
    low, low_error, when_low = (-curve).maximum(tie)
    if kind == "min":
        return -low, low_error, when_low
    high, high_error, when_high = curve.maximum(tie)
    value = np.maximum(high, low)
    when = [np.where(x >= value - tie, t, np.inf) for x, t in ((high, when_high), (low, when_low))]
    return value, np.maximum(high_error, low_error), np.minimum(*when)
