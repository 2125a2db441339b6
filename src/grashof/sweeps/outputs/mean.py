"""The mean of a quantity."""

from __future__ import annotations

from grashof.problems.base import Case
from grashof.sweeps.outputs.base import OfNamedQuantity, OutputColumns, Samples


class Mean(OfNamedQuantity):
    """The mean over the time of the run."""

    word = "mean"
    forms = "'mean rod.end.x'"
    along = True

    def find(self, seen: Samples, case: Case | None) -> OutputColumns:
        return OutputColumns(*seen.curves[self.quantity].mean())
