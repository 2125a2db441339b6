"""Heavy top: one body on a point, with fast spin."""

from __future__ import annotations

from grashof.problems.base import Problem, later

PROBLEMS = (
    Problem(
        name="heavy-top",
        title="Heavy top: one body on a point, with fast spin",
        variants=("standard",),
        make=later(f"{__name__}.case", "case"),
        package=__name__,
        derivations=later(f"{__name__}.derivations", "derivations"),
        alternatives=later(f"{__name__}.alternatives", "alternatives"),
    ),
)
