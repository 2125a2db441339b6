"""Andrews' squeezer mechanism: seven bodies, one degree of freedom, a very small time scale."""

from __future__ import annotations

from grashof.problems.base import problem_in

PROBLEMS = (
    problem_in(
        __name__,
        "andrews",
        "Andrews' squeezer mechanism: seven bodies, very small time scale",
        ("iftomm", "ivp", "opensim"),
        same={"opensim": "iftomm"},
    ),
)
