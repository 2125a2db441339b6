"""A quantity at chosen times."""

from __future__ import annotations

from grashof.problems.base import Case
from grashof.sweeps.outputs.base import Array, OfNamedQuantity, OutputColumns, Samples


class History(OfNamedQuantity):
    """The values at the chosen times; there are none after an event has ended the run."""

    word = "trajectory"
    forms = "'trajectory rod.end.x'"
    many = True

    def times(self, span: tuple[float, float], chosen: Array, case: Case | None) -> Array:
        return chosen

    def find(self, seen: Samples, case: Case | None) -> OutputColumns:
        return OutputColumns.exactly(seen.until_end(self.quantity))
