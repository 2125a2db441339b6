"""Rows of numbers in which any scalar can be looked up, from which tables are built.

A row is referred to by a number, which programs can hold like any other constant. It is meaningful only in this
process.

>>> knots = keep([0.0, 1.0, 2.0])
>>> interval_of(1.5, knots), entry_of(1.0, knots)
(1.0, 1.0)
"""

import bisect
from collections.abc import Sequence
from typing import Any

_rows: list[tuple[float, ...]] = []
_numbers: dict[tuple[str, ...], int] = {}


def keep(values: Sequence[float]) -> float:
    """The number of a row with these values, at least two of them; rows with the same bits share one number."""
    row = tuple(float(x) for x in values)
    number = _numbers.setdefault(tuple(x.hex() for x in row), len(_rows))
    if number == len(_rows):
        _rows.append(row)
    return float(number)


def row_of(number: float) -> tuple[float, ...]:
    """The row with this number."""
    return _rows[int(number)]


def interval_of(x: Any, number: float) -> float:
    """The index i, from 0 to n − 2, with row[i] ≤ x < row[i + 1], in a row of n increasing numbers; 0 before the
    first, n − 2 after the last."""
    row = row_of(number)
    return float(min(max(bisect.bisect_right(row, x) - 1, 0), len(row) - 2))


def entry_of(i: Any, number: float) -> float:
    """row[i]"""
    return row_of(number)[int(i)]
