"""Planar simple pendulum: one point mass, 10 s, or 2,000 s."""

from __future__ import annotations

from grashof.problems.base import problem_in

PROBLEMS = (
    problem_in(
        __name__,
        "simple-pendulum",
        "Simple pendulum: a point mass on a massless bar, for a short and a very long time",
        ("short", "long"),
    ),
)
