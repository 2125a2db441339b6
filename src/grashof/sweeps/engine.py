"""Engines compute rows: they make runs with given numbers and return the outputs.

An engine is made from a `Study` alone, which is data, so that it can be made in any thread, process or machine. Its
result for a row must be bit-for-bit independent of the other rows that are computed with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

import numpy as np

from grashof.sweeps.outputs import OutputColumns

if TYPE_CHECKING:
    from grashof.sweeps.study import Study

Array = np.ndarray


@dataclass(frozen=True)
class ObservedRows:
    """The outputs of B runs.

    codes    the status of each (B,): see `statuses.NUMBERS`
    columns  the values of each output, (B,) or (B, times). Arbitrary if the code is not one of `statuses.GOOD`
    errors   their estimated errors, (B, outputs)
    single   number of rows that were run one by one because they needed a closer look
    """

    codes: Array
    columns: list[Array]
    errors: Array
    single: int = 0

    @classmethod
    def nothing(cls, study: Study, rows: int) -> ObservedRows:
        """No outputs yet."""
        columns = [np.full((rows, len(study.chosen)) if x.many else rows, np.nan) for x in study.parsed_outputs]
        return cls(np.zeros(rows, np.uint8), columns, np.zeros((rows, len(columns))))

    def put(self, place: int, rows: Array, found: OutputColumns, errors: Array) -> None:
        """Stores an output of some rows."""
        self.columns[place][rows], self.errors[rows, place] = found.values, errors


class SweepEngine(Protocol):
    """Makes runs of a study.

    batch        number of rows that are requested at once
    concurrency  "threads" if it is faster with several threads that each have their own engine, else "processes"
    """

    batch: ClassVar[int]
    concurrency: ClassVar[str]

    def __init__(self, study: Study) -> None: ...

    def observe(self, rows: Array) -> ObservedRows:
        """Makes runs with the numbers `study.paths` = each of the rows (B, P), and finds the outputs
        `study.parsed_outputs`."""
