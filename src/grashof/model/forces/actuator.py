"""Actuators: forces that follow a control."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grashof.common.errors import ModelError, did_you_mean
from grashof.model.forces.base import ForceBase, ForceElement, Load, written
from grashof.model.laws import Law
from grashof.model.state import State
from grashof.scalar.functions import Scalar, maximum, minimum

if TYPE_CHECKING:
    from grashof.model.model import Model


class Actuator(ForceBase, tag="actuator", frozen=True):
    """A force that depends on a control u, and on the length x = Σ wᵢ mᵢ of its transmission to the measures mᵢ:

        f = (g₀ + g₁ x + g₂ ẋ) u + b₀ + b₁ x + b₂ ẋ

    It acts with wᵢ f along each measure. With g = 1 and b = 0 it is a motor of the torque u, with g = kp and
    b = (0, −kp, −kv) a position servo, with g = kv and b = (0, 0, −kv) a velocity servo.

    terms           the factor wᵢ of each measure, such as a gear ratio
    control         u, a law
    gain, bias      g₀, g₁, g₂ and b₀, b₁, b₂
    control_range   lower and upper limit of u
    force_range     lower and upper limit of f
    """

    terms: dict[str, float]
    control: Law = 0.0
    gain: tuple[float, float, float] = (1.0, 0.0, 0.0)
    bias: tuple[float, float, float] = (0.0, 0.0, 0.0)
    control_range: tuple[float, float] | None = None
    force_range: tuple[float, float] | None = None

    def element(self) -> ForceElement | None:
        facts = (("type", "actuator"), ("control", written(self.control)))
        return ForceElement("drive", facts, measure=next(iter(self.terms)))

    @property
    def input(self) -> str:
        return "control"

    def check(self, owner: str, model: Model) -> None:
        if not self.terms:
            raise ModelError(f"{owner}: it has no terms; give each measure that it acts on a factor.")
        for name, factor in self.terms.items():
            if name not in model.quantities:
                known = [*model.all_measures, *model.quantities]
                raise ModelError(f"{owner}: there is no measure '{name}'; {did_you_mean(name, known)}")
            if factor == 0.0:
                raise ModelError(f"{owner}: the factor of '{name}' is 0; give another one or leave the measure out.")
        for field in ("control_range", "force_range"):
            limits = getattr(self, field)
            if limits is not None and not limits[0] <= limits[1]:
                raise ModelError(f"{owner}: {field} is {limits}; its lower limit must not be above the upper one.")

    def targets(self) -> list[str]:
        return list(self.terms)

    def laws(self) -> tuple[Law, ...]:
        return (self.control,)

    def tracked(self) -> list[str]:
        measures = self.terms if self.gain[1] or self.bias[1] else ()
        return [*measures, *super().tracked()]

    @property
    def varies(self) -> bool:
        return super().varies or any((*self.gain[1:], *self.bias[1:]))

    def loads(self, state: State) -> list[Load]:
        force = self._force(state)
        return [(name, [factor * force]) for name, factor in self.terms.items()]

    def work(self, state: State) -> Scalar | None:
        if self.varies:
            return None
        lengths = [factor * state.measure(name) for name, factor in self.terms.items()]
        return self._force(state) * sum(lengths[1:], lengths[0])

    def _force(self, state: State) -> Scalar:
        """f"""
        control = clip(self.now(self.control, state), self.control_range)
        gain, bias = (self._affine(coefficients, state) for coefficients in (self.gain, self.bias))
        return clip(gain * control + bias, self.force_range)

    def _affine(self, coefficients: tuple[float, float, float], state: State) -> Scalar:
        constant, along, moving = coefficients
        total: Scalar = constant
        for name, factor in self.terms.items() if along or moving else ():
            measure = state.measure(name)
            total = total + (along * factor) * measure.value + (moving * factor) * measure.first
        return total


def clip(value: Scalar, limits: tuple[float, float] | None) -> Scalar:
    """The value within these limits."""
    return value if limits is None else minimum(maximum(value, limits[0]), limits[1])
