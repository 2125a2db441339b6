"""Known mistakes with the light cart-pole: other masses, another gravity."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grashof.problems.base import Alternative, Case, Columns
from grashof.problems.cart_pole.reference import DATA, motion

NAMES = ("x", "theta", "xdot", "thetadot")
DIGITS = 12
"""Digits of the mistakes."""


def alternatives(case: Case) -> Iterator[Alternative]:
    for words, changes in (
        ("a cart of 1 g", {"cart": "0.001"}),
        ("the masses of cart and bob exchanged", {"cart": DATA["bob"], "bob": DATA["cart"]}),
        ("g = 9.8 m/s²", {"g": "9.8"}),
        ("g = 9.80665 m/s²", {"g": "9.80665"}),
    ):

        def at(times: np.ndarray, changes: dict[str, str] = changes) -> Columns:
            rows = motion([f"{time:.15g}" for time in times], DATA | changes, DIGITS)
            return {name: np.array(column, float) for name, column in zip(NAMES, zip(*rows, strict=True), strict=True)}

        yield Alternative(words, case.t_end, at)
