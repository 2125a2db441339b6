"""Constant torque."""

from __future__ import annotations

from grashof.model.forces.base import ForceBase, Load, State
from grashof.scalar.functions import Scalar


class Torque(ForceBase, tag="torque", frozen=True):
    """A constant torque τ (N m) that drives an angle θ forward, on its body and back on its reference; work τ (θ − θ₀)."""

    angle: str
    torque: float

    def targets(self) -> list[str]:
        return [self.angle]

    def loads(self, state: State) -> list[Load]:
        return [(self.angle, [self.torque])]

    def work(self, state: State) -> Scalar | None:
        return self.torque * state.measure(self.angle)
