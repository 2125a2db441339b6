"""Spring-damper between two points."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grashof.model.fields import Scalars, difference, dot
from grashof.model.forces.base import ForceBase, ForceElement, Load, written
from grashof.model.laws import Law
from grashof.model.state import State
from grashof.model.units import DampingLaw, LengthLaw, StiffnessLaw
from grashof.model.validation import check_not_negative, check_two_bodies
from grashof.scalar.functions import Scalar, sqrt
from grashof.scalar.jet import Jet

if TYPE_CHECKING:
    from grashof.model.model import Model

TINY = 1e-200
"""m²: if l² is smaller, the points coincide, and their relative velocity gives the direction of the damper's force."""


class SpringDamper(ForceBase, tag="spring", frozen=True):
    """f = k (l − l₀) + c l̇ pulls a and b together along the line between them; V = ½ k (l − l₀)².

    Laws: stiffness k in N/m, length l₀ in m, damping c in N s/m. With l₀ = 0 the force on a is k r + c (r·ṙ) r/l²,
    where r is the vector from a to b. The spring force is then smooth where the ends meet; there the damper acts along
    the relative velocity, with c ṙ. If k or l₀ vary, no potential energy is stored, and all of the force's work is
    integrated.
    """

    a: str
    b: str
    stiffness: StiffnessLaw = 0.0
    length: LengthLaw = 0.0
    damping: DampingLaw = 0.0

    def element(self) -> ForceElement:
        facts = (
            ("type", "spring"),
            ("stiffness", f"{written(self.stiffness)} N/m"),
            ("relaxed length", f"{written(self.length)} m"),
            ("damping", f"{written(self.damping)} N s/m"),
        )
        relaxed, (elastic, damped) = self.constant(self.length), (x != 0.0 for x in (self.stiffness, self.damping))
        length = 0.0 if relaxed is None else float(relaxed)
        return ForceElement("spring", facts, (self.a, self.b), elastic=elastic, damped=damped, length=length)

    def check(self, owner: str, model: Model) -> None:
        check_two_bodies(owner, model, self.a, self.b, "between which nothing stretches")
        check_not_negative(f"{owner}: stiffness", self.constant(self.stiffness), "N/m")
        check_not_negative(f"{owner}: damping", self.constant(self.damping), "N s/m")
        check_not_negative(f"{owner}: length", self.constant(self.length), "m")

    def targets(self) -> list[str]:
        return [self.a, self.b]

    def laws(self) -> tuple[Law, ...]:
        return (self.stiffness, self.length, self.damping)

    def _span(self, state: State) -> list[Jet]:
        return difference(state.point(self.b), state.point(self.a))

    def loads(self, state: State) -> list[Load]:
        span = self._span(state)
        square = dot(span, span)
        k, length, c = (self.now(law, state) for law in self.laws())
        if self.constant(self.length) == 0.0:
            pull = _pull_without_length(span, square, k, c)
        else:
            l = sqrt(square)
            over_length = (k * (l.value - length) + c * l.first) / l.value
            pull = [over_length * x.value for x in span]
        return [(self.a, pull), (self.b, [-x for x in pull])]

    def potential(self, state: State) -> Scalar:
        k, length = self.constant(self.stiffness), self.constant(self.length)
        if k is None or length is None:
            return 0.0
        span = self._span(state)
        square = dot(span, span)
        stretch = square if length == 0.0 else (sqrt(square) - length) ** 2
        return 0.5 * k * stretch

    def work(self, state: State) -> Scalar | None:
        return 0.0 if self.constant(self.damping) == 0.0 and not self.varies else None


def _pull_without_length(span: list[Jet], square: Jet, stiffness: Scalar, damping: Scalar) -> Scalars:
    if isinstance(damping, float) and damping == 0.0:
        return [stiffness * x.value for x in span]
    scale = damping / (square.value + TINY)
    along = 0.5 * square.first  # r·ṙ
    return [(stiffness + scale * along) * x.value + scale * TINY * x.first for x in span]
