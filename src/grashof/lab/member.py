"""What can be compared in the laboratory: something that runs a subject at a setting."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any, ClassVar

from grashof.lab.card import Card
from grashof.lab.status import Ending
from grashof.lab.subject import Subject
from grashof.problems.base import Readings


@dataclass(frozen=True, eq=False)
class Performed:
    """A run, not yet judged.

    readings     the motion as far as it was computed; None if there is none
    time         that was reached, s
    why          a sentence if it failed
    steps        made; `evaluations` of the equations, `slopes` of their derivatives, and `solutions` of linear systems
                 that it took; None: not counted
    cpu_s        CPU time of the integration alone, s
    violations   the largest |Φ|, m, and |J v + Φ_t|, m/s, of a formulation's own equations, among which are those that
                 keep bodies rigid; None: not known
    """

    readings: Readings | None
    ending: Ending
    time: float
    why: str
    steps: int
    evaluations: int | None
    slopes: int | None
    solutions: int | None
    cpu_s: float
    violations: tuple[float, float] | None = None


class Member(ABC):
    """A formulation with an integrator; a frozen dataclass whose fields are its parameters.

    setting   what makes its runs finer: "step" (s) or "tolerance"
    """

    name: ClassVar[str]
    card: ClassVar[Card]
    setting: ClassVar[str]

    @abstractmethod
    def settings(self, subject: Subject) -> Iterable[float]:
        """Settings from coarse to fine that suit the subject."""

    @abstractmethod
    def perform(self, subject: Subject, setting: float, limit_s: float) -> Performed:
        """Runs the subject; ModelError if that is impossible with any setting."""

    @property
    def parameters(self) -> dict[str, Any]:
        """The values of its parameters by name."""
        return {field.name: getattr(self, field.name) for field in fields(self)}  # type: ignore[arg-type]

    @property
    def label(self) -> str:
        """Its name, with the parameters that differ from their defaults."""
        default = {field.name: field.default for field in fields(self)}  # type: ignore[arg-type]
        other = [f"{name}={x}" for name, x in self.parameters.items() if x != default[name]]
        return f"{self.name}({', '.join(other)})" if other else self.name
