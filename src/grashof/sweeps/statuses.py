"""The status of a row: how its run ended, or why there was none."""

from __future__ import annotations

from grashof.common.status import AS_ASKED, Code

OUTSIDE_BOUNDS = "outside_bounds"
NOT_ASSEMBLED = "not_assembled"
OTHER_BRANCH = "other_branch"
NOT_DEFINED = "not_defined"
REFUSED = "refused"

STATUSES: dict[str, str] = {code.name.lower(): code.value for code in Code} | {
    OUTSIDE_BOUNDS: "a number is outside its bounds, or physically impossible",
    NOT_ASSEMBLED: "with these numbers the mechanism cannot be assembled; simulate it on its own to see why",
    OTHER_BRANCH: "with these numbers the start is in another assembly mode than that of the mechanism as described",
    NOT_DEFINED: "an output is undefined at some time, such as an angle whose direction is parallel to its axis",
    REFUSED: "with these numbers the mechanism cannot be simulated; simulate it on its own to see why",
}
"""All statuses of rows with their explanations; those of runs are the codes of `Status` in lower case."""

NAMES = tuple(STATUSES)
NUMBERS = {name: number for number, name in enumerate(NAMES)}
"""The statuses by the numbers that stand for them in arrays."""

GOOD = tuple(NUMBERS[code.name.lower()] for code in AS_ASKED)
"""Statuses of rows with values: the run is complete and trusted."""
