"""Double four-bar mechanism, and the same with any number of windows."""

from __future__ import annotations

from grashof.problems.base import Problem, later

CASE = later(f"{__name__}.case", "case")

DOUBLE = Problem(
    name="double-four-bar",
    title="Double four-bar mechanism: one degree of freedom, three at each flat position",
    variants=("standard",),
    make=lambda variant, values: CASE("double-four-bar", 2, values["speed"], 10.0, 0.01),
    package=__name__,
    derivations=later(f"{__name__}.derivations", "derivations"),
    alternatives=later(f"{__name__}.alternatives", "alternatives"),
    parameters={"speed": (1.0, "initial speed of the top pins to the right, m/s")},
)

MANY = Problem(
    name="n-four-bar",
    title="N four-bar windows in a row",
    variants=("standard",),
    make=lambda variant, values: CASE("n-four-bar", values["N"], values["speed"], 20.0, 0.05),
    package=__name__,
    derivations=later(f"{__name__}.derivations", "derivations"),
    alternatives=later(f"{__name__}.alternatives", "alternatives"),
    parameters={"N": (40, "number of windows"), "speed": (1.0, "initial speed of the top pins to the right, m/s")},
)

PROBLEMS = (DOUBLE, MANY)
