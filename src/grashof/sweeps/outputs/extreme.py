"""Extremes of a quantity, and when they are reached."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from grashof.problems.base import Case
from grashof.sweeps import hermite
from grashof.sweeps.outputs.base import Array, OfQuantity, Samples

Kind = Literal["max", "min", "peak"]
_KINDS: dict[str, Kind] = {"max": "max", "min": "min", "peak": "peak"}


@dataclass(frozen=True)
class Extreme(OfQuantity):
    """The largest value (max), the smallest (min) or the largest magnitude (peak)."""

    kind: Kind
    quantity: str
    forms = "'max rod.end.x', 'min …', 'peak …'"
    sampled = True

    @classmethod
    def read(cls, text: str) -> Extreme | None:
        match = re.fullmatch(r"(max|min|peak) (.+)", text)
        return match and cls(_KINDS[match[1]], match[2])

    def __str__(self) -> str:
        return f"{self.kind} {self.quantity}"

    def find(self, seen: Samples, case: Case | None) -> Array:
        return _extreme(self.kind, seen, self.quantity)[0]


@dataclass(frozen=True)
class TimeOf(OfQuantity):
    """The first time at which an extreme is reached, s."""

    kind: Kind
    quantity: str
    forms = "'time of max rod.end.x', …"
    sampled = True

    @classmethod
    def read(cls, text: str) -> TimeOf | None:
        match = re.fullmatch(r"time of (max|min|peak) (.+)", text)
        return match and cls(_KINDS[match[1]], match[2])

    def __str__(self) -> str:
        return f"time of {self.kind} {self.quantity}"

    def unit(self, unit: Callable[[str], str]) -> str:
        return "s"

    def find(self, seen: Samples, case: Case | None) -> Array:
        return _extreme(self.kind, seen, self.quantity)[1]


def _extreme(kind: Kind, seen: Samples, name: str) -> tuple[Array, Array]:
    """The extreme value, and the first time at which it is reached."""
    t, x, r = seen.of(name)
    if kind == "max":
        return hermite.maximum(t, x, r)
    low, when_low = hermite.maximum(t, -x, -r)
    if kind == "min":
        return -low, when_low
    high, when_high = hermite.maximum(t, x, r)
    first = (high > low) | ((high == low) & (when_high <= when_low))
    return np.maximum(high, low), np.where(first, when_high, when_low)
