"""Engines compute rows: they make runs with given numbers and return the observed quantities.

An engine is made from a `Study` alone, which is data, so that it can be made in any thread, process or machine. Its result for a row must be
bit-for-bit independent of the other rows that are computed with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

import numpy as np

if TYPE_CHECKING:
    from grashof.sweeps.study import Study

Array = np.ndarray


@dataclass(frozen=True)
class Observed:
    """B runs, of which K quantities were to be observed at m times.

    codes   the status of each (B,): see `statuses.NUMBERS`
    end     time reached, s, (B,)
    values  (B, m, K); at times after the end of a run, those at its end. Arbitrary if the code is not one of `statuses.GOOD`
    rates   the quantities' time derivatives, (B, m, K)
    single  number of rows that were run one by one because they needed a closer look
    """

    codes: Array
    end: Array
    values: Array
    rates: Array
    single: int = 0


class Engine(Protocol):
    """Makes runs of a study.

    batch        number of rows that are requested at once
    concurrency  "threads" if it is faster with several threads that each have their own engine, else "processes"
    """

    batch: ClassVar[int]
    concurrency: ClassVar[str]

    def __init__(self, study: Study) -> None: ...

    def observe(self, rows: Array) -> Observed:
        """Runs with the numbers `study.paths` = each of the rows (B, P), at `study.times` (m,), of `study.quantities` (K)."""
