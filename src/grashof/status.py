"""How a run ended and whether to believe it, as a value: two codes, the time reached, and a sentence that says what to do about it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Code(Enum):
    """Every way a run can end, and every reason not to believe it; the value explains it and, unless all is well, advises."""

    SUCCESS = "the end of the run was reached"
    EVENT = "an event ended the run"
    STEP_TOO_SMALL = (
        "the step became too small to keep the error within the tolerance, as at an impact, a discontinuous force "
        "or a motion that goes to infinity. Try a larger tolerance, or smooth the forces that act at this time"
    )
    NOT_FINITE = (
        "positions, velocities or accelerations stopped being finite numbers, however small the step. "
        "Try to look at the forces at this time: a division by zero, a root of a negative number, an overflow"
    )
    CONSTRAINTS_UNMET = (
        "the joints cannot be closed beyond this time, however small the step. Try to look at the position at this time: "
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
    FRICTION_UNDETERMINED = (
        "the end was reached, but at this time friction and the joint reactions that it is proportional to have no solution, or may have several: "
        "the mechanism may jam. What follows is not determined by rigid bodies with Coulomb friction. Try a smaller coefficient of friction, "
        "or lengths and positions in which the joint is not wedged"
    )
    NOT_SMOOTH = (
        "the end was reached, but derivatives are not known: at this time the motion changes in a way that they do not describe. Try a run that "
        "ends before, or a compliant stop or a smooth law in place of what jumps"
    )
    TOO_MANY_STEPS = "the allowed number of steps was used up. Try more steps, or a larger tolerance"
    TOO_MANY_EVENTS = (
        "the allowed number of events was used up, as where a body bounces very often or something is switched on and off without end. Try an "
        "event that ends the run before, or a larger number of events (max_events)"
    )
    INTERRUPTED = "interrupted. What was computed until then is kept, and ends here"


AS_ASKED = (Code.SUCCESS, Code.EVENT)
"""How a run ends that went as it was asked to."""


@dataclass(frozen=True)
class Status:
    """How a run ended, and whether to believe it: `str(status)` is a sentence, `status.ok` is true only for a run that is whole and believed.

    >>> print(Status(Code.SUCCESS, 10.0, 10.0))
    Finished at t = 10 s.
    >>> print(Status(Code.TOO_MANY_STEPS, 0.31, 10.0))
    Stopped at t = 0.31 s of 10 s: the allowed number of steps was used up. Try more steps, or a larger tolerance.
    >>> doubtful = Status(Code.SUCCESS, 10.0, 10.0, doubt=Code.INACCURATE)
    >>> doubtful.ended.name, doubtful.believed, doubtful.code.name
    ('SUCCESS', False, 'INACCURATE')
    """

    ended: Code
    """How it ended: SUCCESS, EVENT, INTERRUPTED, TOO_MANY_STEPS, TOO_MANY_EVENTS or, where it was stuck, STEP_TOO_SMALL, NOT_FINITE, CONSTRAINTS_UNMET."""
    time: float
    """Time reached, s: the last state of the run is the one at this time. If there is a doubt, when that arises."""
    end: float
    """Time that was to be reached, s."""
    where: str = ""
    """What is special about the position where it went wrong, or which event ended the run, as a sentence."""
    doubt: Code | None = None
    """Why not to believe it: INACCURATE, TOLERANCE_UNMET, UNDECIDED, FRICTION_UNDETERMINED, CONSTRAINTS_UNMET or NOT_FINITE; None if nothing speaks against it."""
    advice: str = ""
    """What to do about it, as a sentence, if the usual advice would not help."""

    @property
    def believed(self) -> bool:
        """Whether nothing speaks against what was computed, as far as it goes."""
        return self.doubt is None

    @property
    def reached(self) -> bool:
        """Whether the run ended as it was asked to: at its end time, or at an event that ends it."""
        return self.ended in AS_ASKED

    @property
    def ok(self) -> bool:
        """Whether the run is whole, and believed."""
        return self.reached and self.believed

    @property
    def code(self) -> Code:
        """Both in one word: the doubt, if there is one."""
        return self.doubt or self.ended

    @property
    def _explained(self) -> str:
        """What the code says, with the advice for this run if there is some."""
        reason, _, _ = self.code.value.partition(". Try ")
        return f"{reason}. {self.where} {self.advice}" if self.advice else f"{self.code.value}. {self.where}".rstrip()

    def __str__(self) -> str:
        if self.code is Code.SUCCESS:
            return f"Finished at t = {self.time:.6g} s."
        if self.code is Code.EVENT:
            return f"Finished at t = {self.time:.6g} s of {self.end:.6g} s. {self.where}".rstrip()
        return f"Stopped at t = {self.time:.6g} s of {self.end:.6g} s: {self._explained}"
