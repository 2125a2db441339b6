"""The basis of a certified reference: the same motion derived twice, and its sensitivity to the data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from typing import Any

import numpy as np

from grashof.precise.extrapolation import Done

Columns = Mapping[str, Sequence[Decimal]]
"""Official columns by name; a column that is left out is exactly zero."""

DIGITS = 25
"""Number of digits needed for correctly rounded doubles, if perturbations do not grow."""

HALF_UNIT = 2.0**-53
"""The largest relative change of a number that is rounded to a double."""


@dataclass(frozen=True)
class Derivations:
    """Two derivations of the official columns at times [s], given in decimal digits; independent in formulation, method
    and arithmetic.

    effect   for times and the first's columns: Σ |change of a column| when each datum, and the time, changes by
             HALF_UNIT
    methods  a sentence on each of the two
    data     which data `effect` changes
    """

    first: Callable[[Sequence[str]], Columns]
    second: Callable[[Sequence[str], Done], Columns]
    effect: Callable[[Sequence[str], Columns], Mapping[str, np.ndarray]]
    methods: tuple[str, str]
    data: str


def exact(value: Any) -> Decimal:
    """An mpmath number as a decimal one, to a hundred digits."""
    import mpmath

    return Decimal(mpmath.nstr(value, 100))


def change_number(number: str, change: Decimal) -> str:
    """The number times 1 + change, exactly."""
    with localcontext(prec=100):
        return str(Decimal(number) * (1 + change))


def effects(columns: Columns, others: Iterable[Columns], change: Decimal) -> dict[str, np.ndarray]:
    """Σ |change of a column| for data changed by HALF_UNIT, from the columns with one datum each changed by
    `change`."""
    found = {name: np.zeros(len(values)) for name, values in columns.items()}
    with localcontext(prec=100):
        for other in others:
            for name, values in columns.items():
                found[name] += [
                    HALF_UNIT * abs(float((y - x) / change)) for x, y in zip(values, other[name], strict=True)
                ]
    return found
