"""Variator: a transmission whose ratio changes."""

from __future__ import annotations

from collections.abc import Sequence

from grashof.common.errors import ModelError
from grashof.model.couplings.base import CouplingBase
from grashof.model.expressions import Expression, Scope
from grashof.model.laws import Law
from grashof.model.measures import Measure
from grashof.model.state import RATE
from grashof.scalar.functions import Scalar


class Variator(CouplingBase, tag_field="type", tag="variator", frozen=True, kw_only=True):
    """A continuously variable transmission: ṁ_a = i ṁ_b, with a ratio i that depends on time and on any measures.

    The equation ties rates. Unless the ratio is constant, no equation ties the positions: these depend on the ratios at
    which they were reached. The transmission does no work, even while its ratio changes.

    a, b    measures, such as angles; the effort is the torque or force on the first
    ratio   i: a number, or an expression in t and quantities other than rates
    """

    for_velocities = True

    a: str
    b: str
    ratio: Law

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((self.a, self.b, *self.followed)))

    @property
    def followed(self) -> tuple[str, ...]:
        return () if self._parsed is None else self._parsed.quantities

    def check(self, owner: str) -> None:
        if self.a == self.b:
            raise ModelError(f"{owner}: it ties '{self.a}' to itself; give it measures that differ.")
        for name in self.followed:
            if name.endswith(RATE):
                raise ModelError(f"{owner}: its ratio depends on '{name}'; it may depend on positions and time only.")
        if self._parsed is not None:
            self._check_tables(owner, self._parsed)

    def laws(self, time: Scalar) -> list[Scalar]:
        """Its ratio, if that is a function of time alone."""
        return [] if self.followed else [self._ratio([], time)]

    def rate_factors(self, values: Sequence[Scalar], time: Scalar) -> list[Scalar]:
        return [1.0, -self._ratio(values, time), *([0.0] * (len(values) - 2))]

    def shares(self, values: Sequence[Scalar], time: Scalar) -> list[Scalar]:
        return self.rate_factors(values, time)

    def size(self, measures: Sequence[Measure], length: float) -> float:
        return super().size(measures[:1], length)

    def _ratio(self, values: Sequence[Scalar], time: Scalar) -> Scalar:
        if self._parsed is None:
            return self.ratio
        known = dict(zip(self.names, values, strict=False))
        return self._parsed.at(Scope(time, known.__getitem__, self.tables))

    @property
    def _parsed(self) -> Expression | None:
        return self._read(self.ratio, f"coupling '{self.name}'") if isinstance(self.ratio, str) else None
