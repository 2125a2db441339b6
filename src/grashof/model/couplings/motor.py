"""Motor: an angle, a distance or a coordinate that follows a law of time."""

from __future__ import annotations

from collections.abc import Sequence

from grashof.model.couplings.base import CouplingBase
from grashof.model.expressions import compile_expression
from grashof.model.measures import Measure
from grashof.scalar.functions import Scalar


class Motor(CouplingBase, frozen=True):
    """Holds the measure `target` on f(t), given as an expression in t, such as "0.5*sin(2*pi*t)" (rad or m, s): the coupling of one measure.

    An angle is held by ℓ sin(θ − f) = 0, which needs no whole turns, and is started with cos(θ − f) > 0.
    """

    target: str
    law: str

    @property
    def timed(self) -> bool:
        return True

    def value(self, time: Scalar) -> Scalar:
        """f at a time."""
        return compile_expression(self.law, f"motor '{self.name}'")(time)

    def laws(self, time: Scalar) -> list[Scalar]:
        return [self.value(time)]

    @property
    def names(self) -> tuple[str, ...]:
        return (self.target,)

    def equation(self, values: Sequence[Scalar], time: Scalar) -> Scalar:
        return values[0] - self.value(time)

    def miss(
        self,
        measures: Sequence[Measure],
        parts: Sequence[Sequence[Scalar]],
        near: Sequence[Scalar | None],
        time: Scalar,
        length: float,
    ) -> Scalar:
        return measures[0].miss(parts[0], self.value(time), length)
