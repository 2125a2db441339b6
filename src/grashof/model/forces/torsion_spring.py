"""Torsional spring-damper."""

from __future__ import annotations

from grashof.model.forces.base import ForceBase, Load, State
from grashof.scalar.functions import Scalar


class TorsionSpring(ForceBase, tag="torsion spring", frozen=True):
    """τ = −k (θ − θ₀) − c θ̇ along an angle, which keeps its whole turns; V = ½ k (θ − θ₀)².

    angle: the measure θ; stiffness k in N m/rad, rest θ₀ in rad, damping c in N m s/rad.
    """

    angle: str
    stiffness: float = 0.0
    rest: float = 0.0
    damping: float = 0.0

    def targets(self) -> list[str]:
        return [self.angle]

    def tracked(self) -> list[str]:
        return [self.angle]

    def loads(self, state: State) -> list[Load]:
        angle = state.measure(self.angle)
        return [(self.angle, [-self.stiffness * (angle.value - self.rest) - self.damping * angle.first])]

    def potential(self, state: State) -> Scalar:
        return 0.5 * self.stiffness * (state.measure(self.angle) - self.rest) ** 2

    def work(self, state: State) -> Scalar | None:
        return 0.0 if self.damping == 0.0 else None
