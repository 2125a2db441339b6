"""Controller: a torque or a force that brings a measure to a target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, get_args

from grashof.common.errors import ModelError, did_you_mean
from grashof.model.forces.base import ForceBase, Load
from grashof.model.laws import Law, evaluate_with_rate
from grashof.model.measures import MeasureBase
from grashof.model.state import RATE, State
from grashof.model.units import Time
from grashof.scalar.functions import Scalar, absolute, maximum, minimum, where
from grashof.scalar.jet import Jet

if TYPE_CHECKING:
    from grashof.model.model import Model

FADE = 1e-3
"""The fraction of a limit over which the growth of the integral fades to zero."""


Derivative = Literal["rate", "difference"]
"""What a sampled controller may take for the rate of its error."""


class Controller(ForceBase, tag="controller", frozen=True):
    """u = kp e + ki ∫ e dt + kd ė along a measure, e = target − measure: a P, PI, PD or PID controller.

    measure   the controlled measure, on which u acts: an angle (u in N m), a distance or a coordinate (u in N)
    target    a law, in the measure's unit
    kp        N m/rad or N/m; the unit of ki is that of kp per second, the unit of kd that of kp times seconds
    limit     upper bound of |u|, N m or N; while it is active, ∫ e dt does not grow
    windup    upper bound of |∫ e dt|, rad s or m s, beyond which it does not grow
    every     T, the time between samples, s; if there is none, the controller acts continuously
    derivative   what a sampled controller takes for ė: the "rate" at the sample, as a tachometer measures it, or the
              "difference" of the last two samples

    ∫ e dt is a state of the run that starts from zero, the quantity NAME.integral. Its growth does not end abruptly: it
    fades to zero linearly over the last thousandth of either limit (FADE). Otherwise, where the integral drives u to
    its limit and the motion drives it back, the controller would switch infinitely often.

    With `every`, a digital controller: it sees the motion at the start of a run and whenever another T has passed, and
    holds u in between (zero-order hold). At the k-th sample, with e_k and ė_k or (e_k − e_{k−1})/T,

        u_k = kp e_k + ki I_k + kd ė_k      |u_k| ≤ limit
        I_{k+1} = I_k + T e_k               |I| ≤ windup; unchanged where u_k is beyond its limit, and e_k drives it on

    (Åström, Wittenmark: Computer-Controlled Systems, 3rd ed., 1997, section 8.5: forward difference for I, conditional
    integration.) The quantities NAME.effort and, with "difference", NAME.error are u and the error at the last sample.
    """

    measure: str
    target: Law = 0.0
    kp: float = 0.0
    ki: float = 0.0
    kd: float = 0.0
    limit: float | None = None
    windup: float | None = None
    every: Time | None = None
    derivative: Derivative = "rate"

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
        if self.every is not None:
            return [0.0]
        (name,) = self.integrals()
        error, so_far = self._error(state).value, state.integral(name)
        growing = error
        if self.limit is not None:
            effort = self._wanted(state, self._error(state))
            growing = growing * _room(effort, self.limit, error * effort * self.ki)
        if self.windup is not None:
            growing = growing * _room(so_far, self.windup, error * so_far)
        return [growing]

    def loads(self, state: State) -> list[Load]:
        if self.every is not None:
            return [(self.measure, [state.integral(self._effort)])]
        return [(self.measure, [_within(self._wanted(state, self._error(state)), self.limit)])]

    @property
    def period(self) -> Scalar | None:
        return self.every

    def held(self, quantities: Mapping[str, MeasureBase]) -> dict[str, str]:
        if self.every is None or self.measure not in quantities:
            return {}
        unit = quantities[self.measure].unit
        return {self._effort: "N m" if unit == "rad" else "N"} | ({self._last: unit} if self._differs else {})

    def sample(self, state: State, *, first: bool) -> dict[str, Scalar]:
        assert self.every is not None
        error = self._error(state)
        if self._differs and not first:
            error = Jet(error.value, (error.value - state.integral(self._last)) / self.every, 0.0)
        wanted = self._wanted(state, error)
        found = {self._effort: _within(wanted, self.limit)}
        if self._differs:
            found[self._last] = error.value
        for name in self.integrals():
            growth = self.every * error.value
            if self.limit is not None:
                beyond = where(absolute(wanted) - self.limit, error.value * wanted * self.ki, 0.0)
                growth = where(beyond, 0.0, growth)
            found[name] = _within(state.integral(name) + growth, self.windup)
        return found

    def work(self, state: State) -> None:
        return None

    def check(self, owner: str, model: Model) -> None:
        if self.measure not in model.quantities:
            known = [*model.all_measures, *model.quantities]
            raise ModelError(f"{owner}: there is no measure '{self.measure}'; {did_you_mean(self.measure, known)}")
        if not (self.kp or self.ki or self.kd):
            raise ModelError(f"{owner}: kp, ki and kd are all zero; give at least one of them.")
        for name, number in (("limit", self.limit), ("windup", self.windup), ("every", self.every)):
            if number is not None and not number > 0.0:
                raise ModelError(f"{owner}: {name} is {number}; it must be positive.")
        if self.derivative not in get_args(Derivative):
            raise ModelError(f"{owner}: derivative is '{self.derivative}'; it must be 'rate' or 'difference'.")
        if self._differs and self.every is None:
            raise ModelError(f"{owner}: only a sampled controller can take the 'difference'; give the period `every`.")
        if self.kd and not self._differs and any(name.endswith(RATE) for name in self._quantities()):
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

    @property
    def _differs(self) -> bool:
        """Whether ė is the difference of two samples."""
        return self.derivative == "difference"

    @property
    def _effort(self) -> str:
        """The quantity that is held between samples."""
        return f"{self.name}.effort"

    @property
    def _last(self) -> str:
        """The quantity that is remembered from one sample to the next."""
        return f"{self.name}.error"

    def _wanted(self, state: State, error: Jet) -> Scalar:
        """u before the limit is applied, for this e and ė."""
        effort = self.kp * error.value + self.kd * error.first
        for name in self.integrals():
            effort = effort + self.ki * state.integral(name)
        return effort


def _within(value: Scalar, limit: float | None) -> Scalar:
    """The value, or ± the limit if it is beyond that."""
    return value if limit is None else minimum(maximum(value, -limit), limit)


def _room(value: Scalar, limit: float, outward: Scalar) -> Scalar:
    """1 well within ± limit, or where the value is moving inward (`outward` is negative); 0 at the limit and beyond."""
    room = (limit - absolute(value)) / (FADE * limit)
    return where(outward, minimum(maximum(room, 0.0), 1.0), 1.0)
