"""Planar simple pendulum: one point mass, 10 s, or 2,000 s."""

from __future__ import annotations

from grashof.problems.base import Problem, later

PROBLEMS = (
    Problem(
        name="simple-pendulum",
        title="Simple pendulum: a point mass on a massless bar, for a short and a very long time",
        variants=("short", "long"),
        make=later(f"{__name__}.case", "case"),
        package=__name__,
        derivations=later(f"{__name__}.derivations", "derivations"),
        alternatives=later(f"{__name__}.alternatives", "alternatives"),
    ),
)
