"""Controller: a torque or a force that brings a measure to a target."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grashof.common.errors import ModelError, did_you_mean
from grashof.model.forces.base import ForceBase, Load
from grashof.model.laws import Law, evaluate_with_rate
from grashof.model.state import RATE, State
from grashof.scalar.functions import Scalar, absolute, maximum, minimum, where
from grashof.scalar.jet import Jet

if TYPE_CHECKING:
    from grashof.model.model import Model

FADE = 1e-3
"""The fraction of a limit over which the growth of the integral fades to zero."""


class Controller(ForceBase, tag="controller", frozen=True):
    """u = kp e + ki ∫ e dt + kd ė along a measure, e = target − measure: a P, PI, PD or PID controller.

    measure   the controlled measure, on which u acts: an angle (u in N m), a distance or a coordinate (u in N)
    target    a law, in the measure's unit
    kp        N m/rad or N/m; the unit of ki is that of kp per second, the unit of kd that of kp times seconds
    limit     upper bound of |u|, N m or N; while it is active, ∫ e dt does not grow
    windup    upper bound of |∫ e dt|, rad s or m s, beyond which it does not grow

    ∫ e dt is a state of the run that starts from zero, the quantity NAME.integral. Its growth does not end abruptly: it
    fades to zero linearly over the last thousandth of either limit (FADE). Otherwise, where the integral drives u to
    its limit and the motion drives it back, the controller would switch infinitely often.
    """

    measure: str
    target: Law = 0.0
    kp: float = 0.0
    ki: float = 0.0
    kd: float = 0.0
    limit: float | None = None
    windup: float | None = None

    def targets(self) -> list[str]:
        return [self.measure]

    def laws(self) -> tuple[Law, ...]:
        return (self.target,)

    def tracked(self) -> list[str]:
        return [self.measure, *super().tracked()]

    @property
    def varies(self) -> bool:
        return True

    def integrals(self) -> dict[str, str]:
        return {f"{self.name}.integral": self.measure} if self.ki != 0.0 else {}

    def integrands(self, state: State) -> list[Scalar]:
        if self.ki == 0.0:
            return []
        (name,) = self.integrals()
        error, so_far = self._error(state).value, state.integral(name)
        growing = error
        if self.limit is not None:
            effort = self._wanted(state)
            growing = growing * _room(effort, self.limit, error * effort * self.ki)
        if self.windup is not None:
            growing = growing * _room(so_far, self.windup, error * so_far)
        return [growing]

    def loads(self, state: State) -> list[Load]:
        effort = self._wanted(state)
        if self.limit is not None:
            effort = minimum(maximum(effort, -self.limit), self.limit)
        return [(self.measure, [effort])]

    def work(self, state: State) -> None:
        return None

    def check(self, owner: str, model: Model) -> None:
        if self.measure not in model.quantities:
            known = [*model.all_measures, *model.quantities]
            raise ModelError(f"{owner}: there is no measure '{self.measure}'; {did_you_mean(self.measure, known)}")
        if not (self.kp or self.ki or self.kd):
            raise ModelError(f"{owner}: kp, ki and kd are all zero; give at least one of them.")
        for name, number in (("limit", self.limit), ("windup", self.windup)):
            if number is not None and not number > 0.0:
                raise ModelError(f"{owner}: {name} is {number}; it must be positive.")
        if self.kd and any(name.endswith(RATE) for name in self._quantities()):
            raise ModelError(
                f"{owner}: its target depends on a rate, and kd would need the rate of that; leave kd out, or "
                "write another target."
            )

    def _error(self, state: State) -> Jet:
        """e and ė."""
        measured = state.measure(self.measure)
        return evaluate_with_rate(self.target, self._owner, state, self.parameters) - Jet(
            measured.value, measured.first, 0.0
        )

    def _wanted(self, state: State) -> Scalar:
        """u before the limit is applied."""
        error = self._error(state)
        effort = self.kp * error.value + self.kd * error.first
        for name in self.integrals():
            effort = effort + self.ki * state.integral(name)
        return effort


def _room(value: Scalar, limit: float, outward: Scalar) -> Scalar:
    """1 well within ± limit, or where the value is moving inward (`outward` is negative); 0 at the limit and beyond."""
    room = (limit - absolute(value)) / (FADE * limit)
    return where(outward, minimum(maximum(room, 0.0), 1.0), 1.0)
