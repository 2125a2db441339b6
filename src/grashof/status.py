"""How a run ended, as a value: a code, the time reached, and a sentence that says what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Code(Enum):
    """Every way a run can end; the value explains it and, unless it is SUCCESS, advises."""

    SUCCESS = "the end of the run was reached"
    STEP_TOO_SMALL = (
        "the step became too small to keep the error within the tolerance, as at an impact, a discontinuous force "
        "or a motion that goes to infinity. Try a larger tolerance, or smooth the forces that act at this time"
    )
    NOT_FINITE = (
        "positions, velocities or accelerations stopped being finite numbers, however small the step. "
        "Try to look at the forces at this time: a division by zero, a root of a negative number, an overflow"
    )
    CONSTRAINTS_UNMET = (
        "the joints could not be closed again, however small the step. Try to look at the position at this time: "
        "a motor may drive the mechanism out of its reach, or a singular position may not be passable"
    )
    INACCURATE = (
        "the end was reached, but energy was gained or lost that no force accounts for, more than the tolerance explains. "
        "Do not trust the motion to its tolerance. Try a smaller tolerance or, where it is 1e-8 or less already and singular "
        "positions are passed, a larger one"
    )
    TOLERANCE_UNMET = (
        "the end was reached, but the error over the whole run is estimated to be larger than the tolerance. Try a larger tolerance, a "
        "shorter run, or take the result for what the estimate says; motions that part exponentially from their neighbours lose digits"
    )
    UNDECIDED = (
        "the end was reached, but at this time the mechanism was at rest at a singular position, or passed one so narrowly that it cannot "
        "be told whether it was met: several ways go on there, and what follows is one of them. Try a start with which it passes this "
        "position, or turns before it, or lengths with which the position is met exactly or clearly missed"
    )
    TOO_MANY_STEPS = "the allowed number of steps was used up. Try more steps, or a larger tolerance"
    INTERRUPTED = "interrupted. What was computed until then is kept, and ends here"


@dataclass(frozen=True)
class Status:
    """How a run ended: `str(status)` is a sentence, `status.ok` is true only for a run that is whole.

    >>> print(Status(Code.SUCCESS, 10.0, 10.0))
    Finished at t = 10 s.
    >>> print(Status(Code.TOO_MANY_STEPS, 0.31, 10.0))
    Stopped at t = 0.31 s of 10 s: the allowed number of steps was used up. Try more steps, or a larger tolerance.
    """

    code: Code
    time: float
    """Time reached, s: the last state of the run is the one at this time."""
    end: float
    """Time that was to be reached, s."""
    where: str = ""
    """What is special about the position where it went wrong, as a sentence."""

    @property
    def ok(self) -> bool:
        return self.code is Code.SUCCESS

    def __str__(self) -> str:
        if self.ok:
            return f"Finished at t = {self.time:.6g} s."
        sentence = f"Stopped at t = {self.time:.6g} s of {self.end:.6g} s: {self.code.value}."
        return f"{sentence} {self.where}" if self.where else sentence
