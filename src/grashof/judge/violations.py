"""Whether the joints hold: the columns of constraint violation, which are zero in the reference."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from grashof.common.near import AGREES
from grashof.judge.rows import ResultRows
from grashof.problems.base import Case
from grashof.references import Reference

LEVELS = {"m": 0, "m/s": 1, "m/s²": 2}
"""Units of violations, and the order of the time derivative of a position that has this unit."""


@dataclass(frozen=True)
class Violations:
    """largest  the largest magnitude of each column of violation, in its unit
    allowed  the largest magnitude with which the joints hold
    """

    largest: Mapping[str, float]
    allowed: Mapping[str, float]

    @property
    def hold(self) -> bool | None:
        """Whether the joints hold; None: there is no such column."""
        return all(x <= self.allowed[name] for name, x in self.largest.items()) if self.largest else None

    @property
    def definition(self) -> str:
        return (
            f"the largest violation of the joint equations; the joints hold if it is at most {AGREES:g} of the largest "
            "coordinate, speed or acceleration of the points in the reference"
        )


def judge_violations(case: Case, rows: ResultRows, reference: Reference) -> Violations:
    """Compares the columns of violation with the motion of the reference."""
    given = [column for column in case.columns if column.violation and column.name in rows.columns and len(rows.t)]
    largest = {column.name: float(np.max(np.abs(rows.columns[column.name]))) for column in given}
    allowed = {column.name: AGREES * _scale(case, reference, LEVELS[column.unit]) for column in given}
    return Violations(largest, allowed)


def _scale(case: Case, reference: Reference, level: int) -> float:
    """The largest magnitude of the coordinates of points in the reference, or of their derivatives by finite
    differences."""
    holds = reference.times <= reference.until
    times = reference.times[holds]
    largest = 0.0
    for column in case.columns:
        if column.unit == "m" and np.any(reference.columns.get(column.name, 0.0)):
            values = reference.columns[column.name][holds]
            for _ in range(level):
                values = np.gradient(values, times)
            largest = max(largest, float(np.max(np.abs(values))))
    return largest
