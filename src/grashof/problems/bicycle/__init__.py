"""Uncontrolled bicycle: four bodies and two wheels that roll without slipping, in three manoeuvres."""

from __future__ import annotations

from grashof.problems.base import later, problem_in
from grashof.problems.linear import LinearProblem

PROBLEMS = (
    problem_in(
        __name__,
        "uncontrolled-bicycle",
        "Uncontrolled bicycle: two rolling wheels, in an unstable, a stable and a slowly falling manoeuvre",
        ("M1", "M2", "M3"),
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
