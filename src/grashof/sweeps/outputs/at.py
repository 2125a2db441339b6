"""The value of a quantity at a time."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from grashof.common.errors import ModelError
from grashof.problems.base import Case
from grashof.sweeps.outputs.base import Array, OfQuantity, OutputColumns, Samples


@dataclass(frozen=True)
class At(OfQuantity):
    """The value at a time in s, or at the end of the run; undefined after an event has ended the run."""

    quantity: str
    time: float | None = None
    forms = "'rod.end.x at end', 'rod.end.x at 0.3'"

    @classmethod
    def read(cls, text: str) -> At | None:
        match = re.fullmatch(r"(.+) at (end|[-+.\de]+)( s)?", text)
        try:
            return match and cls(match[1], None if match[2] == "end" else float(match[2]))
        except ValueError:
            return None

    def __str__(self) -> str:
        return f"{self.quantity} at {'end' if self.time is None else repr(float(self.time)).removesuffix('.0')}"

    def times(self, span: tuple[float, float], chosen: Array, case: Case | None) -> Array:
        begin, end = span
        if self.time is None:
            return np.array([end])
        if not begin <= self.time <= end:
            raise ModelError(
                f"Output '{self}': its time is outside the run, which lasts from {begin:g} s to {end:g} s."
            )
        return np.array([self.time])

    def find(self, seen: Samples, case: Case | None) -> OutputColumns:
        value = seen.values[self.quantity] if self.time is None else seen.until_end(self.quantity)
        return OutputColumns.exactly(value[:, 0])
