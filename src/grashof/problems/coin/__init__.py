"""Spinning coin: a small thin disc that spins on its edge and rolls without slip."""

from __future__ import annotations

from grashof.problems.base import Problem, later

PROBLEMS = (
    Problem(
        name="spinning-coin",
        title="Spinning coin: a small thin disc that spins nearly upright and rolls without slip",
        variants=("standard",),
        make=later(f"{__name__}.case", "case"),
        package=__name__,
        derivations=later(f"{__name__}.derivations", "derivations"),
    ),
)
