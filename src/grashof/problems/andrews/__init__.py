"""Andrews' squeezer mechanism: seven bodies, one degree of freedom, a very small time scale."""

from __future__ import annotations

from grashof.problems.base import Problem, later

PROBLEMS = (
    Problem(
        name="andrews",
        title="Andrews' squeezer mechanism: seven bodies, very small time scale",
        variants=("iftomm", "ivp", "opensim"),
        make=later(f"{__name__}.case", "case"),
        package=__name__,
        derivations=later(f"{__name__}.derivations", "derivations"),
        alternatives=later(f"{__name__}.alternatives", "alternatives"),
        same={"opensim": "iftomm"},
    ),
)
