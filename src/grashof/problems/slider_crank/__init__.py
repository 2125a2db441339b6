"""Spatial rigid slider-crank: one degree of freedom, and an inertia that can be read in three ways."""

from __future__ import annotations

from grashof.problems.base import Problem, later

PROBLEMS = (
    Problem(
        name="slider-crank",
        title="Spatial slider-crank: a spherical and a universal joint, and three readings of one inertia",
        variants=("axial", "third"),
        make=later(f"{__name__}.case", "case"),
        package=__name__,
        derivations=later(f"{__name__}.derivations", "derivations"),
        alternatives=later(f"{__name__}.alternatives", "alternatives"),
    ),
)
