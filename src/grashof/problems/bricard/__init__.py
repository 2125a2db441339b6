"""Bricard's linkage: a closed loop of six hinges that moves although its count says that it cannot."""

from __future__ import annotations

from grashof.problems.base import Problem, later

PROBLEMS = (
    Problem(
        name="bricard-mechanism",
        title="Bricard's mechanism: a loop of six hinges, one of its equations redundant in every position",
        variants=("prism", "thin"),
        make=later(f"{__name__}.case", "case"),
        package=__name__,
        derivations=later(f"{__name__}.derivations", "derivations"),
        alternatives=later(f"{__name__}.alternatives", "alternatives"),
    ),
)
