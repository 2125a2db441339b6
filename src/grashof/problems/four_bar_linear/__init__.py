"""Four-bar linkage with a diagonal spring: its rest, and the eigenvalues there."""

from __future__ import annotations

from grashof.problems.base import later
from grashof.problems.linear import LinearProblem

LINEAR = (
    LinearProblem(
        name="four-bar-linearisation",
        title="Four-bar linkage with a diagonal spring: its rest, and the eigenvalues there",
        variants=("damped", "undamped"),
        make=later(f"{__name__}.case", "case"),
        package=__name__,
    ),
)
