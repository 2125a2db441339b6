"""Spring-damper between two points."""

from __future__ import annotations

from grashof.model.fields import difference, dot
from grashof.model.forces.base import ForceBase, Load, State
from grashof.scalar.functions import Scalar, sqrt
from grashof.scalar.jet import Jet


class SpringDamper(ForceBase, tag="spring", frozen=True):
    """f = k (l − l₀) + c l̇ pulls a and b together along the line between them; V = ½ k (l − l₀)².

    stiffness k in N/m, length l₀ in m, damping c in N s/m.
    """

    a: str
    b: str
    stiffness: float = 0.0
    length: float = 0.0
    damping: float = 0.0

    def targets(self) -> list[str]:
        return [self.a, self.b]

    def _span(self, state: State) -> tuple[list[Jet], Jet]:
        span = difference(state.point(self.b), state.point(self.a))
        return span, sqrt(dot(span, span))

    def loads(self, state: State) -> list[Load]:
        span, l = self._span(state)
        over_length = (self.stiffness * (l.value - self.length) + self.damping * l.first) / l.value
        pull = [over_length * x.value for x in span]
        return [(self.a, pull), (self.b, [-x for x in pull])]

    def potential(self, state: State) -> Scalar:
        _, l = self._span(state)
        return 0.5 * self.stiffness * (l - self.length) ** 2

    def work(self, state: State) -> Scalar | None:
        return 0.0 if self.damping == 0.0 else None
