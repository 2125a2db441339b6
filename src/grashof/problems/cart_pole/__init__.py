"""Cart-pole with a light cart: peaks of a microsecond in a swing of seconds."""

from __future__ import annotations

from grashof.problems.base import problem_in

PROBLEMS = (
    problem_in(
        __name__, "light-cart-pole", "Cart-pole with a light cart: peaks of a microsecond in a swing of seconds"
    ),
)
