"""Stiff flyball governor: springs and dampers that are far faster than the motion."""

from __future__ import annotations

from grashof.problems.base import problem_in

PROBLEMS = (
    problem_in(
        __name__, "stiff-governor", "Stiff flyball governor: springs and dampers that are far faster than the motion"
    ),
)
