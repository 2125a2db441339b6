"""Five-bar linkage with two springs: the eigenvalues at rest, in three readings."""

from __future__ import annotations

from grashof.problems.base import later
from grashof.problems.linear import LinearProblem

LINEAR = (
    LinearProblem(
        name="five-bar-linearisation",
        title="Five-bar linkage with two springs: the eigenvalues at rest, in three readings",
        variants=("supported", "no-gravity", "gravity"),
        make=later(f"{__name__}.case", "case"),
        package=__name__,
    ),
)
