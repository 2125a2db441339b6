"""Car axis: two masses on stiff springs over a bumpy road, of the IVP test set."""

from __future__ import annotations

from grashof.problems.base import problem_in

PROBLEMS = (
    problem_in(
        __name__,
        "car-axis",
        "Car axis: two masses on stiff springs over a bumpy road, with constraints that depend on time",
    ),
)
