"""Spatial rigid slider-crank: one degree of freedom, and an inertia that can be read in three ways."""

from __future__ import annotations

from grashof.problems.base import problem_in

PROBLEMS = (
    problem_in(
        __name__,
        "slider-crank",
        "Spatial slider-crank: a spherical and a universal joint, and three readings of one inertia",
        ("axial", "third"),
    ),
)
