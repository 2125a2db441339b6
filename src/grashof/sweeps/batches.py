"""The rows of a sweep in batches, and the progress that is reported while they are computed."""

from __future__ import annotations

import time
from collections.abc import Container, Iterator

import msgspec
import numpy as np

from grashof.common.progress import Part, Progress
from grashof.sweeps.design import Design
from grashof.sweeps.study import StudyRows
from grashof.sweeps.table import About

Array = np.ndarray


class Batches:
    """The rows of a design, in batches."""

    def __init__(self, design: Design, batch: int) -> None:
        self._design, self._batch = design, batch
        self.count = -(-design.count // batch)

    def size(self, index: int) -> int:
        """How many rows a batch has."""
        return min(self._batch, self._design.count - index * self._batch)

    def numbers(self, index: int) -> Array:
        """The numbers of a batch, (B, P)."""
        first = index * self._batch
        return self._design.rows(first, first + self.size(index))

    def all(self, skip: Container[int] = ()) -> Iterator[tuple[int, Array]]:
        """The batches in order, except those to skip."""
        for index in range(self.count):
            if index not in skip:
                yield index, self.numbers(index)


class Estimates:
    """The largest error estimate of each output over all batches, and the number of rows that needed a closer look."""

    def __init__(self, about: About) -> None:
        self._names = [column.name for column in about.columns if column.role == "output"]
        self._largest = np.zeros(len(self._names))
        self._single = 0

    def add(self, rows: StudyRows) -> None:
        self._largest = np.maximum(self._largest, rows.estimates)
        self._single += rows.single

    def put_into(self, about: About) -> About:
        found = {name: float(x) for name, x in zip(self._names, self._largest, strict=True) if name in about.estimates}
        facts = about.facts | {"rows that needed a closer look": str(self._single)}
        return msgspec.structs.replace(about, estimates=found, facts=facts)


class Counter:
    """Reports how many rows are done, how fast, and how long the rest will take."""

    def __init__(self, progress: Progress, total: int, mechanism: str) -> None:
        self._progress, self._total, self._doing = progress, total, f"sweeping {mechanism}"
        self._before = self._done = 0
        self._began = time.perf_counter()
        self._tell()

    def begin(self, done: int) -> None:
        """Sets the number of rows that were done before."""
        self._before = self._done = done
        self._began = time.perf_counter()
        self._tell()

    def more(self, rows: int) -> None:
        """Adds rows that are done."""
        self._done += rows
        self._tell()

    def _tell(self) -> None:
        elapsed = time.perf_counter() - self._began
        detail = f"{self._done:,} of {self._total:,} rows"
        if self._done > self._before and elapsed > 0.0:
            rate = (self._done - self._before) / elapsed
            detail += f", {rate:.3g} rows/s, {duration((self._total - self._done) / rate)} left"
        self._progress(Part(self._done / self._total, self._doing, detail))


def duration(seconds: float) -> str:
    """An approximate waiting time in words.

    >>> duration(7.3), duration(400), duration(50_000)
    ('8 s', '7 min', '14 h')
    """
    for length, unit in ((120.0, "s"), (7200.0, "min"), (172_800.0, "h")):
        if seconds < length:
            return f"{int(np.ceil(seconds / {'s': 1.0, 'min': 60.0, 'h': 3600.0}[unit]))} {unit}"
    return f"{int(np.ceil(seconds / 86_400.0))} days"
