"""The error of a run by the rule of a benchmark problem."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from grashof.common.errors import ModelError
from grashof.problems.base import Case
from grashof.sweeps.outputs.base import Array, Output, OutputColumns, Samples


@dataclass(frozen=True)
class Error(Output):
    """The largest error by the problem's own rule at its official times, J."""

    forms = "'error' of a benchmark problem"

    @classmethod
    def read(cls, text: str) -> Error | None:
        return cls() if text == "error" else None

    def __str__(self) -> str:
        return "error"

    def quantities(self, case: Case | None) -> tuple[str, ...]:
        """The quantities that the rule reads, found by letting it read from a probe."""
        probe = _Probe()
        self._of(case).error(probe)
        return tuple(probe.read)

    def times(self, span: tuple[float, float], chosen: Array, case: Case | None) -> Array:
        return self._of(case).times(span[1])

    def unit(self, unit: Callable[[str], str]) -> str:
        return "J"

    def find(self, seen: Samples, case: Case | None) -> OutputColumns:
        error = self._of(case).error(_Columns(seen))
        return OutputColumns.exactly(np.max(np.abs(error), axis=0))

    def _of(self, case: Case | None) -> Case:
        if case is None:
            raise ModelError(
                "Output 'error' is defined by the rule of a benchmark problem, which this mechanism is not; "
                "leave it out."
            )
        return case


class _Columns:
    """Samples of many runs as readings, with times along the first axis as the error expects."""

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
