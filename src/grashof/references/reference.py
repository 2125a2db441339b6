"""A certified reference: official columns with an error bar for every value, and their provenance."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from grashof.common.errors import ModelError, finite

HOLDS = 1e-6
"""Largest error bar, relative to a column's largest magnitude, with which the column counts as certain: six digits."""


@dataclass(frozen=True)
class Agreement:
    """The comparison of two references of a case.

    times       number of common times
    difference  the largest difference of each column, in the column's unit
    within      whether every difference is within the sum of the two error bars
    """

    times: int
    difference: Mapping[str, float]
    within: bool


@dataclass(frozen=True)
class Reference:
    """The official columns of a case, certified.

    times       s
    columns     values by official name (`t` is `times`), (n,) each
    bars        error bars, in the column's unit; inf where nothing is certain any more. A bar is the sum of three
                contributions: the rounding of the value to a double, the difference of the two derivations, and the
                change when each datum and the time are rounded to doubles (of the latter two the largest so far)
    until       the last time up to which all columns are certain to six digits (`HOLDS`), s
    provenance  sentences on the two derivations, their agreement, and the error bars
    """

    problem: str
    variant: str
    parameters: Mapping[str, float]
    times: np.ndarray
    columns: Mapping[str, np.ndarray]
    bars: Mapping[str, np.ndarray]
    until: float
    provenance: tuple[str, ...]

    def digits(self, name: str) -> float:
        """Certain digits of a column up to `until` (where all times are later, at them), relative to its largest
        magnitude: inf for one that is exactly known, -inf where nothing is certain."""
        held = self.times <= self.until
        bar = float(np.max(self.bars[name][held] if held.any() else self.bars[name]))
        scale = float(np.max(np.abs(self.columns[name])))
        return -math.log10(bar / scale) if bar and scale else math.inf

    def at(self, times: Sequence[float]) -> Reference:
        """The reference at some of its times only; refuses other times."""
        check_times(times)
        chosen = [int(np.argmin(np.abs(self.times - time))) for time in times]
        for time, index in zip(times, chosen, strict=True):
            if not math.isclose(time, self.times[index], rel_tol=1e-12, abs_tol=0.0):
                raise ModelError(
                    f"t = {time:g} s is not an official time of problem '{self.problem}'; the nearest is "
                    f"{self.times[index]:g} s. To derive the reference at other times, use --recompute."
                )
        return replace(
            self,
            times=self.times[chosen],
            columns={name: values[chosen] for name, values in self.columns.items()},
            bars={name: values[chosen] for name, values in self.bars.items()},
        )

    def against(self, other: Reference) -> Agreement:
        """Compares another reference of the same case with this one at their common times."""
        here, there = np.nonzero(np.isclose(self.times[:, None], other.times, rtol=1e-12, atol=0.0))
        apart = {name: np.abs(values[here] - other.columns[name][there]) for name, values in self.columns.items()}
        return Agreement(
            times=len(here),
            difference={name: float(np.max(x, initial=0.0)) for name, x in apart.items()},
            within=all(bool(np.all(x <= self.bars[name][here] + other.bars[name][there])) for name, x in apart.items()),
        )

    def as_dict(self) -> dict[str, Any]:
        """Plain data; infinite error bars become None."""
        return {
            "problem": self.problem,
            "variant": self.variant,
            "parameters": dict(self.parameters),
            "until": self.until,
            "provenance": list(self.provenance),
            "times": self.times.tolist(),
            "columns": {name: values.tolist() for name, values in self.columns.items()},
            "bars": {name: [finite(x) for x in bar] for name, bar in self.bars.items()},
        }


def check_times(times: Sequence[float] | np.ndarray) -> None:
    """Refuses times [s] that are not possible for a reference."""
    moments = np.asarray(times, float)
    if not moments.size or not np.isfinite(moments).all() or moments[0] < 0.0 or np.any(np.diff(moments) <= 0.0):
        raise ModelError("The times of a reference must be finite numbers that start at zero or later and increase.")
