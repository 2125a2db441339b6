"""Woodpecker toy: it pecks its way down a pole, between jamming and sliding."""

from __future__ import annotations

from grashof.problems.base import Problem, later

PROBLEMS = (
    Problem(
        name="woodpecker-toy",
        title="Woodpecker toy: jamming, sliding and impacts with friction on a pole",
        variants=("standard",),
        make=later(f"{__name__}.case", "case"),
        package=__name__,
        derivations=later(f"{__name__}.derivations", "derivations"),
        alternatives=later(f"{__name__}.alternatives", "alternatives"),
    ),
)
