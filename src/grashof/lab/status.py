"""How a run in the laboratory ended."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Ending(Enum):
    """Every way in which a run can end; the value explains it."""

    FINISHED = "it reached the end and stayed near the reference"
    DEPARTED = "it reached the end, but its motion is another one than that of the reference"
    UNSOLVED = "the equations of a step could not be solved"
    NOT_FINITE = "positions or velocities are no longer finite, or grew beyond all bounds"
    DOUBTED = "its own checks do not call it a success"
    UNREADABLE = "the bodies are so far from rigid that some quantities are undefined"
    GIVEN_UP = "it took more CPU time than allowed"
    REFUSED = "the formulation cannot be used for this mechanism"


@dataclass(frozen=True)
class LabStatus:
    """How a run ended; `ok` only if it reached the end near the reference.

    time   that was reached or, if the motion departed from the reference, the first time at which it had, s
    end    that was asked for, s
    why    a further sentence; may be empty
    """

    ending: Ending
    time: float
    end: float
    why: str = ""

    @property
    def ok(self) -> bool:
        return self.ending is Ending.FINISHED

    @property
    def reached(self) -> bool:
        """Whether it reached the end."""
        return self.ending in (Ending.FINISHED, Ending.DEPARTED)

    def __str__(self) -> str:
        match self.ending:
            case Ending.FINISHED:
                text = f"Finished at t = {self.end:.6g} s."
            case Ending.DEPARTED:
                text = f"Finished, but from t = {self.time:.6g} s on {self.ending.value.partition(', but ')[2]}."
            case Ending.REFUSED:
                text = "Not run."
            case _:
                text = f"Failed at t = {self.time:.6g} s of {self.end:.6g} s: {self.ending.value}."
        return f"{text} {self.why}".rstrip()
