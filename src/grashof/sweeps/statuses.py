"""What became of a row: how its run ended, or why there was none."""

from __future__ import annotations

from grashof.status import AS_ASKED, Code

OUTSIDE_BOUNDS = "outside_bounds"
NOT_ASSEMBLED = "not_assembled"
OTHER_BRANCH = "other_branch"
NOT_DEFINED = "not_defined"
REFUSED = "refused"

STATUSES: dict[str, str] = {code.name.lower(): code.value for code in Code} | {
    OUTSIDE_BOUNDS: "a number is outside of its bounds, or one that no mechanism can have",
    NOT_ASSEMBLED: "with these numbers the mechanism cannot be assembled; a simulation of it alone says why",
    OTHER_BRANCH: "with these numbers the start belongs to another assembly mode than that of the mechanism as it is described",
    NOT_DEFINED: "an output is not defined at some time of the run, as an angle whose direction is parallel to its axis",
    REFUSED: "with these numbers the mechanism cannot be simulated; a simulation of it alone says why",
}
"""All statuses of rows with their explanations; those of runs are the codes of `Status` in lower case."""

NAMES = tuple(STATUSES)
NUMBERS = {name: number for number, name in enumerate(NAMES)}
"""The statuses by the numbers that stand for them in arrays."""

GOOD = tuple(NUMBERS[code.name.lower()] for code in AS_ASKED)
"""Those whose rows have values: the run is whole, and believed."""
