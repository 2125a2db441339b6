"""Slider-crank with clearance between the slider and its guide."""

from __future__ import annotations

from grashof.problems.base import Problem, later

PROBLEMS = (
    Problem(
        name="slider-crank-clearance",
        title="Slider-crank with clearance: a slider that rattles in its guide, with friction",
        variants=("standard", "inclined", "driven"),
        make=later(f"{__name__}.case", "case"),
        package=__name__,
        derivations=later(f"{__name__}.derivations", "derivations"),
        alternatives=later(f"{__name__}.alternatives", "alternatives"),
    ),
)
