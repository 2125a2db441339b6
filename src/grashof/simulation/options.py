"""What can be chosen about how a run is made."""

from __future__ import annotations

from dataclasses import dataclass

from grashof.common.errors import ModelError
from grashof.model.given import Number, number

TOLERANCE = 1e-6
"""Default tolerance: the error over the whole run, relative to the mechanism's length, speed and energy."""

MOST_STEPS = 1_000_000
"""Default for the largest number of steps tried in one run."""

MOST_EVENTS = 10_000
"""Default for the largest number of events that restart a run."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """How a run is to be made, whatever the mechanism, its duration and its output times; `simulate` explains each.

    Made from any numbers, and checked.
    """

    tol: float = TOLERANCE
    method: str = "auto"
    step: float | None = None
    max_step: float | None = None
    max_steps: int = MOST_STEPS
    max_events: int = MOST_EVENTS
    check_error: bool = True
    keep_steps: bool = True
    formulation: str = "auto"
    fit: float | None = None

    def __post_init__(self) -> None:
        def settle(name: str, value: object) -> None:
            object.__setattr__(self, name, value)  # as dataclasses do themselves where they are frozen

        settle("tol", tolerance(self.tol))
        for name, what in (("step", "step"), ("max_step", "longest step")):
            value = seconds(f"The {what}", getattr(self, name))
            if value is not None and not value > 0.0:
                raise ModelError(f"The {what} is {value} s; it must be above zero.")
            settle(name, value)
        for name, least, floor in (("max_steps", 0, "that is not negative"), ("max_events", 1, "above zero")):
            value, what = getattr(self, name), f"The largest number of {name.removeprefix('max_')}"
            if number(what, value) != int(value) or value < least:
                raise ModelError(f"{what} is {value}; it must be a whole number {floor}.")
            settle(name, int(value))


def tolerance(given: float) -> float:
    """The tolerance as a number; ModelError if no run can meet it."""
    found = number("The tolerance", given)
    if not 1e-12 <= found <= 0.1:
        raise ModelError(f"The tolerance is {found}; it must be between 1e-12 and 0.1.")
    return found


def seconds(what: str, given: Number | None) -> float | None:
    """A time that may be left open, s."""
    return None if given is None else number(what, given, "s")
