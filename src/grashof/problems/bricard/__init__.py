"""Bricard's linkage: a closed loop of six hinges that moves although its count says that it cannot."""

from __future__ import annotations

from grashof.problems.base import problem_in

PROBLEMS = (
    problem_in(
        __name__,
        "bricard-mechanism",
        "Bricard's mechanism: a loop of six hinges, one of its equations redundant in every position",
        ("prism", "thin"),
    ),
)
