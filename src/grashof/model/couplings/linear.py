"""Linear coupling of measures."""

from __future__ import annotations

from typing import Self

import msgspec

from grashof.common.errors import ModelError
from grashof.model.couplings.sum import Sum
from grashof.model.expressions import parse
from grashof.model.laws import Law
from grashof.scalar.functions import Scalar


class Linear(Sum, tag_field="type", tag="linear", frozen=True, kw_only=True):
    """Σ cᵢ mᵢ = f(t), where mᵢ are any measures.

    terms   the factor cᵢ of each measure
    law     f, an expression in t; by default the sum keeps its initial value
    """

    symbol = "ropes"

    terms: dict[str, float]
    law: Law | None = None

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.terms)

    def check(self, owner: str) -> None:
        if not self.terms:
            raise ModelError(f"{owner}: it has no terms; give each measure that it ties a factor.")
        for name, factor in self.terms.items():
            if factor == 0.0:
                raise ModelError(f"{owner}: the factor of '{name}' is 0; give another one or leave the measure out.")

    @property
    def timed(self) -> bool:
        return isinstance(self.law, str) and parse(self.law, self._owner).of_time

    def laws(self, time: Scalar) -> list[Scalar]:
        return [] if self.law is None else [self._of_time(self.law, self._owner, time)]

    def weights(self) -> list[tuple[str, float]]:
        return list(self.terms.items())

    def right(self, time: Scalar) -> Scalar:
        return sum(self.laws(time))

    @property
    def open(self) -> bool:
        return self.law is None

    def kept(self, value: float) -> Self:
        return msgspec.structs.replace(self, law=value)

    @property
    def _owner(self) -> str:
        return f"coupling '{self.name}'"
