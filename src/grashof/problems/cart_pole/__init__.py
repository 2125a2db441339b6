"""Cart-pole with a light cart: peaks of a microsecond in a swing of seconds."""

from __future__ import annotations

from grashof.problems.base import Problem, later

PROBLEMS = (
    Problem(
        name="light-cart-pole",
        title="Cart-pole with a light cart: peaks of a microsecond in a swing of seconds",
        variants=("standard",),
        make=later(f"{__name__}.case", "case"),
        package=__name__,
        derivations=later(f"{__name__}.derivations", "derivations"),
        alternatives=later(f"{__name__}.alternatives", "alternatives"),
    ),
)
