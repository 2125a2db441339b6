"""Uncontrolled bicycle: four bodies and two wheels that roll without slipping, in three manoeuvres."""

from __future__ import annotations

from grashof.problems.base import Problem, later
from grashof.problems.linear import LinearProblem

PROBLEMS = (
    Problem(
        name="uncontrolled-bicycle",
        title="Uncontrolled bicycle: two rolling wheels, in an unstable, a stable and a slowly falling manoeuvre",
        variants=("M1", "M2", "M3"),
        make=later(f"{__name__}.case", "case"),
        package=__name__,
        derivations=later(f"{__name__}.derivations", "derivations"),
        alternatives=later(f"{__name__}.alternatives", "alternatives"),
    ),
)

LINEAR = (
    LinearProblem(
        name="bicycle-linearisation",
        title="Uncontrolled bicycle: the eigenvalues of small motions while it rolls straight on",
        variants=("upright",),
        make=later(f"{__name__}.meijaard", "case"),
        package=__name__,
        parameters={"speed": (4.6, "forward speed, m/s")},
    ),
)
