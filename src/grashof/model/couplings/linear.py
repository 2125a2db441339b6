"""Linear coupling of measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from grashof.model.couplings.base import CouplingBase
from grashof.model.expressions import compile_expression
from grashof.model.measures import Measure
from grashof.scalar.functions import Scalar


class Linear(CouplingBase, tag_field="type", tag="linear", frozen=True, kw_only=True):
    """Σ cᵢ mᵢ = f(t): gears, belts, racks, screws and differentials are of this kind.

    terms   the factor cᵢ of each measure
    law     f, an expression in t; unless given, the sum keeps the value that it has at the start
    """

    terms: dict[str, float]
    law: str | None = None

    @property
    def timed(self) -> bool:
        return self.law is not None and _is_timed(self.law)

    def laws(self, time: Scalar) -> list[Scalar]:
        return [] if self.law is None else [compile_expression(self.law, f"coupling '{self.name}'")(time)]

    def measures(self, known: Mapping[str, Measure]) -> tuple[Measure, ...]:
        return tuple(known[name] for name in self.terms)

    def equation(self, values: Sequence[Scalar], time: Scalar) -> Scalar:
        total: Scalar = 0.0
        for factor, value in zip(self.terms.values(), values, strict=True):
            total = total + factor * value
        for law in self.laws(time):
            total = total - law
        return total

    def size(self, measures: Sequence[Measure], length: float) -> float:
        factors = zip(self.terms.values(), measures, strict=True)
        return max(abs(factor) * (1.0 if measure.unit == "m" else 1.0 / length) for factor, measure in factors)

    @property
    def open(self) -> bool:
        return self.law is None

    def kept(self, value: float) -> Linear:
        return msgspec.structs.replace(self, law=repr(value))


def _is_timed(law: str) -> bool:
    try:
        float(law)
    except ValueError:
        return True
    return False
