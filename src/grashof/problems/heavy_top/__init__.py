"""Heavy top: one body on a point, with fast spin."""

from __future__ import annotations

from grashof.problems.base import problem_in

PROBLEMS = (problem_in(__name__, "heavy-top", "Heavy top: one body on a point, with fast spin"),)
