"""Multiple four-bar mechanism: a grid of R × C four-bars, modelled in space."""

from __future__ import annotations

from grashof.problems.base import Problem, later

PROBLEMS = (
    Problem(
        name="multiple-four-bar",
        title="Multiple four-bar mechanism, in space: 5 × 5 grid, 75 redundant joint equations",
        variants=("top-row", "all-rows", "upright"),
        make=later(f"{__name__}.case", "case"),
        package=__name__,
        parameters={"R": (5, "rows"), "C": (5, "columns")},
        derivations=later(f"{__name__}.derivations", "derivations"),
    ),
)
