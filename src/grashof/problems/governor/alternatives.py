"""The softened copies of the governor that circulate under its name, and known mistakes."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, localcontext

import numpy as np

from grashof.problems.base import Alternative, Case, Columns
from grashof.problems.governor.case import DATA
from grashof.problems.governor.derivations import by_direction, numbers

UNTIL = 0.2
"""Time up to which they are calculated, s; it suffices to tell them apart."""
DIGITS, ORDER = 16, 20
OTHERS: tuple[tuple[str, dict[str, str]], ...] = (
    (
        "the softened copy of Exudyn's redundant versions: K and C × 0.005, 0.16 · 2π rad/s at the start",
        {"stiffness": "4000", "damping": "200", "spin_pi": "0.32"},
    ),
    ("the softened copy with K/1e5", {"stiffness": "8"}),
    ("the softened copy with K = 1000 N/m and C = 20 N s/m", {"stiffness": "1000", "damping": "20"}),
    ("the governor with K and C × 0.005", {"stiffness": "4000", "damping": "200"}),
    ("rods that begin 30° above the horizontal", {"angle_deg": "-30"}),
)


def alternatives(case: Case) -> Iterator[Alternative]:
    for words, changes in OTHERS:

        def at(times: np.ndarray, changes: dict[str, str] = changes) -> Columns:
            with localcontext(prec=DIGITS):
                found = by_direction(numbers(DATA | changes), [Decimal(f"{time:.15g}") for time in times], ORDER)
            return {name: np.array([float(x) for x in values]) for name, values in found.items()}

        yield Alternative(words, UNTIL, at)
