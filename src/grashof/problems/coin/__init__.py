"""Spinning coin: a small thin disc that spins on its edge and rolls without slip."""

from __future__ import annotations

from grashof.problems.base import problem_in

PROBLEMS = (
    problem_in(
        __name__, "spinning-coin", "Spinning coin: a small thin disc that spins nearly upright and rolls without slip"
    ),
)
