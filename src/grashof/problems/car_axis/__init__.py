"""Car axis: two masses on stiff springs over a bumpy road, of the IVP test set."""

from __future__ import annotations

from grashof.problems.base import Problem, later

PROBLEMS = (
    Problem(
        name="car-axis",
        title="Car axis: two masses on stiff springs over a bumpy road, with constraints that depend on time",
        variants=("standard",),
        make=later(f"{__name__}.case", "case"),
        package=__name__,
        derivations=later(f"{__name__}.derivations", "derivations"),
    ),
)
