"""Torque along an angle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grashof.model.forces.base import ForceBase, ForceElement, Load, check_angle, written
from grashof.model.laws import Law
from grashof.model.state import State
from grashof.model.units import TorqueLaw
from grashof.scalar.functions import Scalar

if TYPE_CHECKING:
    from grashof.model.model import Model


class Torque(ForceBase, tag="torque", frozen=True):
    """A torque τ (N m, a law) along an angle θ, positive if it increases θ; it acts on the angle's body, with the
    opposite torque on its reference, and does the work ∫ τ dθ."""

    angle: str
    torque: TorqueLaw

    def element(self) -> ForceElement:
        facts = (("type", "torque"), ("torque", f"{written(self.torque)} N m"))
        return ForceElement("drive", facts, measure=self.angle)

    def check(self, owner: str, model: Model) -> None:
        check_angle(owner, self.angle, model)

    def targets(self) -> list[str]:
        return [self.angle]

    def laws(self) -> tuple[Law, ...]:
        return (self.torque,)

    def loads(self, state: State) -> list[Load]:
        return [(self.angle, [self.now(self.torque, state)])]

    def work(self, state: State) -> Scalar | None:
        torque = self.constant(self.torque)
        return None if torque is None else torque * state.measure(self.angle)
