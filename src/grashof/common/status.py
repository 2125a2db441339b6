"""The status of a run: how it ended, whether its result can be trusted, the time reached, and a sentence with
advice."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Code(Enum):
    """Every way in which a run can end, and every reason to doubt its result; the value is an explanation, with
    advice unless all is well."""

    SUCCESS = "the end of the run was reached"
    EVENT = "an event ended the run"
    STEP_TOO_SMALL = (
        "the step size required to meet the tolerance became too small, as happens at an impact, at a discontinuous "
        "force or when the motion goes to infinity. Try a larger tolerance, or smooth the forces that act at this time"
    )
    NOT_FINITE = (
        "positions, velocities or accelerations are no longer finite numbers, however small the step. Inspect the "
        "forces at this time: a division by zero, the square root of a negative number, or an overflow"
    )
    CONSTRAINTS_UNMET = (
        "the joint constraints cannot be satisfied beyond this time, however small the step. Inspect the "
        "mechanism at this time: "
        "a motor, or its own motion, may take it beyond its reach, or it may be stuck at a singular position"
    )
    INACCURATE = (
        "the end was reached, but the energy-balance error exceeds what the tolerance allows, so the motion may be "
        "less accurate than its tolerance. Try a smaller tolerance or, if it is 1e-8 or less already and the motion "
        "passes singular positions, a larger one"
    )
    TOLERANCE_UNMET = (
        "the end was reached, but the estimated error over the whole run exceeds the tolerance. Try a larger tolerance "
        "or a shorter run, or accept the estimated error; chaotic motions lose digits exponentially"
    )
    UNDECIDED = (
        "the end was reached, but at this time the mechanism came to rest at a singular position, passed so close to "
        "one that it cannot be decided whether it was reached, or passed one at which branches of its motion touch. "
        "The motion can continue in several ways from there, and the result follows one of them. Try a start from "
        "which the mechanism passes this position or turns back before it, or lengths with which it reaches the "
        "position exactly or clearly misses it"
    )
    FRICTION_UNDETERMINED = (
        "the end was reached, but at this time the equations for friction and joint reactions have no solution, or may "
        "have several: the mechanism may jam (Painlevé's paradox), or contacts with unlike friction may share their "
        "load in several ways. Rigid bodies with Coulomb friction do not determine the motion after this time. Try a "
        "smaller coefficient of friction, the same for all of these contacts, lengths and positions at which nothing "
        "wedges, or compliant contacts"
    )
    UNRESOLVED = (
        "the end was reached, but at this time an event, a law or a coupling may have changed between two steps "
        "without having been noticed. Try a longest step (max_step) that is shorter than what happens there, or an "
        "expression without features that are so narrow"
    )
    IMPACTS_UNDETERMINED = (
        "the end was reached, but at this time several stops are hit at once, and the motion after that depends on the "
        "order of the impacts, which the mechanics of rigid bodies does not determine: the result follows one order. "
        "Try a start from which they are hit one after the other, or compliant stops"
    )
    IMPACT_GAINS_ENERGY = (
        "the end was reached, but at this time an impact with friction gained energy, as Newton's law of restitution "
        "permits if the slip reverses in it (T. R. Kane, 1984): no real impact does. "
        "Try Poisson's law (impact = 'poisson'), or a stiffness instead of a restitution"
    )
    CORNER_PASSED = (
        "the end was reached, but at this time the motion passed a corner of a coupling, where velocities would have "
        "to jump: that takes an infinite force, and the energy that is lost there is not determined. Try a function "
        "whose slope is continuous, such as a cubic table"
    )
    NOT_SMOOTH = (
        "the end was reached, but the derivatives are not known, because at this time the motion does not "
        "depend smoothly on the parameters. Try a run that "
        "ends earlier, or replace what jumps by a compliant stop or a smooth law"
    )
    TOO_MANY_STEPS = "the allowed number of steps was used up. Try more steps, or a larger tolerance"
    TOO_MANY_EVENTS = (
        "the allowed number of events was used up, as happens when a body bounces very often or something is switched "
        "on and off endlessly. Try an event that ends the run earlier, or a larger number of events (max_events)"
    )
    INTERRUPTED = "interrupted. The result up to this time is kept"


AS_ASKED = (Code.SUCCESS, Code.EVENT)
"""How a run ends when it goes as requested."""


@dataclass(frozen=True)
class Status:
    """How a run ended, and whether to trust it: `str(status)` is a sentence; `status.ok` is true only if the run is
    complete and nothing casts doubt on it.

    >>> print(Status(Code.SUCCESS, 10.0, 10.0))
    Finished at t = 10 s.
    >>> print(Status(Code.TOO_MANY_STEPS, 0.31, 10.0))
    Stopped at t = 0.31 s of 10 s: the allowed number of steps was used up. Try more steps, or a larger tolerance.
    >>> doubtful = Status(Code.SUCCESS, 10.0, 10.0, doubt=Code.INACCURATE)
    >>> doubtful.ended.name, doubtful.believed, doubtful.code.name
    ('SUCCESS', False, 'INACCURATE')
    """

    ended: Code
    """How it ended: SUCCESS, EVENT, INTERRUPTED, TOO_MANY_STEPS, TOO_MANY_EVENTS or, if it could not continue,
    STEP_TOO_SMALL, NOT_FINITE, CONSTRAINTS_UNMET."""
    time: float
    """Time reached, s: which is that of the last state. If there is a doubt, the time at which it arises."""
    end: float
    """Requested end time, s."""
    where: str = ""
    """A sentence about the position at which the problem arose, about the event that ended the run, or about a law
    that decided on its result."""
    doubt: Code | None = None
    """Why not to trust the result: INACCURATE, TOLERANCE_UNMET, UNDECIDED, UNRESOLVED, FRICTION_UNDETERMINED,
    IMPACTS_UNDETERMINED, IMPACT_GAINS_ENERGY, CORNER_PASSED, CONSTRAINTS_UNMET or NOT_FINITE; None if there is no
    doubt."""
    advice: str = ""
    """A sentence of advice that replaces the usual one, if that would not help."""

    @property
    def believed(self) -> bool:
        """Whether there is no doubt about the result, as far as it was computed."""
        return self.doubt is None

    @property
    def reached(self) -> bool:
        """Whether the run ended as it was asked to: at its end time, or at a terminating event."""
        return self.ended in AS_ASKED

    @property
    def ok(self) -> bool:
        """Whether the run is complete and there is no doubt about it."""
        return self.reached and self.believed

    @property
    def code(self) -> Code:
        """The doubt if there is one, else how the run ended."""
        return self.doubt or self.ended

    @property
    def _explained(self) -> str:
        """The explanation of the code, with the advice for this run if it has its own."""
        reason, _, _ = self.code.value.partition(". Try ")
        return f"{reason}. {self.where} {self.advice}" if self.advice else f"{self.code.value}. {self.where}".rstrip()

    def __str__(self) -> str:
        if self.code is Code.SUCCESS:
            return f"Finished at t = {self.time:.6g} s. {self.where}".rstrip()
        if self.code is Code.EVENT:
            return f"Finished at t = {self.time:.6g} s of {self.end:.6g} s. {self.where}".rstrip()
        if self.reached:
            return f"Doubtful at t = {self.time:.6g} s of {self.end:.6g} s: {self._explained}"
        return f"Stopped at t = {self.time:.6g} s of {self.end:.6g} s: {self._explained}"
