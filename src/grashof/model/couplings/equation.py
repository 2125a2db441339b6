"""Coupling by an expression, such as a gear of variable ratio."""

from __future__ import annotations

from collections.abc import Sequence

from grashof.common.errors import ModelError
from grashof.model.couplings.base import CouplingBase
from grashof.model.expressions import Expression, Scope
from grashof.model.state import RATE
from grashof.scalar.functions import Scalar


class Equation(CouplingBase, tag_field="type", tag="equation", frozen=True, kw_only=True):
    """F(m₁, …, t) = 0, where mᵢ are any measures and coordinates: "wheel.angle - crank.angle - 0.3*sin(crank.angle)",
    "valve.o.y - lift(cam.angle)".

    Its effort acts on each measure multiplied by ∂F/∂mᵢ: it is the torque or force on a measure whose factor is one.

    expression   F, which is kept at zero; the first measure in it determines whether the effort is a torque or a force
    """

    expression: str

    @property
    def names(self) -> tuple[str, ...]:
        return self._parsed.quantities

    @property
    def timed(self) -> bool:
        return self._parsed.of_time

    def check(self, owner: str) -> None:
        for name in self.names:
            if name.endswith(RATE):
                raise ModelError(f"{owner}: it depends on '{name}', but a coupling ties positions, not their rates.")
        self._check_tables(owner, self._parsed)

    def equation(self, values: Sequence[Scalar], time: Scalar) -> Scalar:
        known = dict(zip(self.names, values, strict=True))
        return self._parsed.at(Scope(time, known.__getitem__, self.tables))

    @property
    def _parsed(self) -> Expression:
        return self._read(self.expression, f"coupling '{self.name}'")
