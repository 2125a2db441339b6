"""Torsional spring-damper."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grashof.model.forces.base import ForceBase, ForceElement, Load, check_angle, written
from grashof.model.laws import Law
from grashof.model.state import State
from grashof.model.units import AngleLaw, TorsionDampingLaw, TorsionLaw
from grashof.model.validation import check_not_negative
from grashof.scalar.functions import Scalar

if TYPE_CHECKING:
    from grashof.model.model import Model


class TorsionSpring(ForceBase, tag="torsion spring", frozen=True):
    """τ = −k (θ − θ₀) − c θ̇ along an angle θ that counts whole turns; V = ½ k (θ − θ₀)².

    angle: the measure θ; laws: stiffness k in N m/rad, rest θ₀ in rad, damping c in N m s/rad. If k or θ₀ vary, no
    potential energy is stored, and all of the torque's work is integrated.
    """

    angle: str
    stiffness: TorsionLaw = 0.0
    rest: AngleLaw = 0.0
    damping: TorsionDampingLaw = 0.0

    def element(self) -> ForceElement:
        facts = (
            ("type", "torsional spring"),
            ("stiffness", f"{written(self.stiffness)} N m/rad"),
            ("damping", f"{written(self.damping)} N m s/rad"),
        )
        elastic, damped = (x != 0.0 for x in (self.stiffness, self.damping))
        return ForceElement("coil", facts, measure=self.angle, elastic=elastic, damped=damped)

    def check(self, owner: str, model: Model) -> None:
        check_angle(owner, self.angle, model)
        check_not_negative(f"{owner}: stiffness", self.constant(self.stiffness), "N m/rad")
        check_not_negative(f"{owner}: damping", self.constant(self.damping), "N m s/rad")

    def targets(self) -> list[str]:
        return [self.angle]

    def laws(self) -> tuple[Law, ...]:
        return (self.stiffness, self.rest, self.damping)

    def tracked(self) -> list[str]:
        return [self.angle, *super().tracked()]

    def loads(self, state: State) -> list[Load]:
        angle = state.measure(self.angle)
        k, rest, c = (self.now(law, state) for law in self.laws())
        return [(self.angle, [-k * (angle.value - rest) - c * angle.first])]

    def potential(self, state: State) -> Scalar:
        k, rest = self.constant(self.stiffness), self.constant(self.rest)
        return 0.0 if k is None or rest is None else 0.5 * k * (state.measure(self.angle) - rest) ** 2

    def work(self, state: State) -> Scalar | None:
        return 0.0 if self.constant(self.damping) == 0.0 and not self.varies else None
