"""The mean of a quantity."""

from __future__ import annotations

from dataclasses import dataclass

from grashof.problems.base import Case
from grashof.sweeps.outputs.base import OfQuantity, OutputColumns, Samples


@dataclass(frozen=True)
class Mean(OfQuantity):
    """The mean over the time of the run."""

    quantity: str
    forms = "'mean rod.end.x'"
    along = True

    @classmethod
    def read(cls, text: str) -> Mean | None:
        quantity = text.removeprefix("mean ")
        return None if quantity == text else cls(quantity)

    def __str__(self) -> str:
        return f"mean {self.quantity}"

    def find(self, seen: Samples, case: Case | None) -> OutputColumns:
        return OutputColumns(*seen.curves[self.quantity].mean())
