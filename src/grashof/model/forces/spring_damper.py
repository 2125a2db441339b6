"""Spring-damper between two points."""

from __future__ import annotations

from grashof.model.fields import Scalars, difference, dot
from grashof.model.forces.base import ForceBase, Load, State
from grashof.scalar.functions import Scalar, sqrt
from grashof.scalar.jet import Jet

TINY = 1e-200
"""m²: where l² is below it, points meet, and the velocity gives the line between them."""


class SpringDamper(ForceBase, tag="spring", frozen=True):
    """f = k (l − l₀) + c l̇ pulls a and b together along the line between them; V = ½ k (l − l₀)².

    stiffness k in N/m, length l₀ in m, damping c in N s/m. With l₀ = 0 the pull on a is k r + c (r·ṙ) r/l², where r is the
    vector from a to b: nothing happens to the spring where its ends meet, and the damper, which then has the line along
    which they move, pulls with c ṙ.
    """

    a: str
    b: str
    stiffness: float = 0.0
    length: float = 0.0
    damping: float = 0.0

    def targets(self) -> list[str]:
        return [self.a, self.b]

    def _span(self, state: State) -> list[Jet]:
        return difference(state.point(self.b), state.point(self.a))

    def loads(self, state: State) -> list[Load]:
        span = self._span(state)
        square = dot(span, span)
        if self.length == 0.0:
            pull = self._pull_without_length(span, square)
        else:
            l = sqrt(square)
            over_length = (self.stiffness * (l.value - self.length) + self.damping * l.first) / l.value
            pull = [over_length * x.value for x in span]
        return [(self.a, pull), (self.b, [-x for x in pull])]

    def _pull_without_length(self, span: list[Jet], square: Jet) -> Scalars:
        if self.damping == 0.0:
            return [self.stiffness * x.value for x in span]
        scale = self.damping / (square.value + TINY)
        along = 0.5 * square.first  # r·ṙ
        return [(self.stiffness + scale * along) * x.value + scale * TINY * x.first for x in span]

    def potential(self, state: State) -> Scalar:
        span = self._span(state)
        square = dot(span, span)
        stretch = square if self.length == 0.0 else (sqrt(square) - self.length) ** 2
        return 0.5 * self.stiffness * stretch

    def work(self, state: State) -> Scalar | None:
        return 0.0 if self.damping == 0.0 else None
