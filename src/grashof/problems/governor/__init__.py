"""Stiff flyball governor: springs and dampers that are far faster than the motion."""

from __future__ import annotations

from grashof.problems.base import Problem, later

PROBLEMS = (
    Problem(
        name="stiff-governor",
        title="Stiff flyball governor: springs and dampers that are far faster than the motion",
        variants=("standard",),
        make=later(f"{__name__}.case", "case"),
        package=__name__,
        derivations=later(f"{__name__}.derivations", "derivations"),
        alternatives=later(f"{__name__}.alternatives", "alternatives"),
    ),
)
