"""A quantity at chosen times."""

from __future__ import annotations

from dataclasses import dataclass

from grashof.problems.base import Case
from grashof.sweeps.outputs.base import Array, OfQuantity, OutputColumns, Samples


@dataclass(frozen=True)
class History(OfQuantity):
    """The values at the chosen times; there are none after an event has ended the run."""

    quantity: str
    forms = "'trajectory rod.end.x'"
    many = True

    @classmethod
    def read(cls, text: str) -> History | None:
        quantity = text.removeprefix("trajectory ")
        return None if quantity == text else cls(quantity)

    def __str__(self) -> str:
        return f"trajectory {self.quantity}"

    def times(self, span: tuple[float, float], chosen: Array, case: Case | None) -> Array:
        return chosen

    def find(self, seen: Samples, case: Case | None) -> OutputColumns:
        return OutputColumns.exactly(seen.until_end(self.quantity))
