"""Multiple four-bar mechanism: a grid of R × C four-bars, modelled in space."""

from __future__ import annotations

from grashof.problems.base import problem_in

PROBLEMS = (
    problem_in(
        __name__,
        "multiple-four-bar",
        "Multiple four-bar mechanism, in space: 5 × 5 grid, 75 redundant joint equations",
        ("top-row", "all-rows", "upright"),
        parameters={"R": (5, "rows"), "C": (5, "columns")},
    ),
)
