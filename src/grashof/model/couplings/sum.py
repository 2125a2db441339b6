"""Sums of measures with constant factors: linear couplings, gears, belts, racks, worms, screws and differentials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

import msgspec

from grashof.model.bodies import GROUND
from grashof.model.couplings.base import CouplingBase
from grashof.model.measures import Measure
from grashof.scalar.functions import Scalar


class Sum(CouplingBase, frozen=True):
    """Σ cᵢ mᵢ = right(t)."""

    @property
    def as_sum(self) -> Sum:
        return self

    def weights(self) -> list[tuple[str, float]]:
        """The measures with their factors cᵢ; the effort is reported along the first of them."""
        raise NotImplementedError

    def factors(self) -> dict[str, float]:
        """The nonzero factors of the measures; the ground, whose angle is zero, is left out."""
        return {name: factor for name, factor in self.weights() if name != GROUND and factor != 0.0}

    def right(self, time: Scalar) -> Scalar:
        """The right-hand side of the equation."""
        raise NotImplementedError

    def measures(self, known: Mapping[str, Measure]) -> tuple[Measure, ...]:
        return tuple(known[name] for name in self.factors())

    def equation(self, values: Sequence[Scalar], time: Scalar) -> Scalar:
        total: Scalar = 0.0
        for factor, value in zip(self.factors().values(), values, strict=True):
            total = total + factor * value
        return total - self.right(time)

    def shares(self, values: Sequence[Scalar], time: Scalar) -> list[Scalar]:
        """The loads per unit of effort, where the effort is the torque or force along the first measure."""
        factors = list(self.factors().values())
        return [factor / factors[0] for factor in factors]

    def size(self, measures: Sequence[Measure], length: float) -> float:
        factors = zip(self.factors().values(), measures, strict=True)
        return max(abs(factor) * (1.0 if measure.unit == "m" else 1.0 / length) for factor, measure in factors)


class Transmission(Sum, frozen=True, kw_only=True):
    """Σ cᵢ mᵢ = phase.

    phase   in the unit of the sum; by default the initial value of the sum
    """

    phase: float | None = None

    def right(self, time: Scalar) -> Scalar:
        return 0.0 if self.phase is None else self.phase

    @property
    def open(self) -> bool:
        return self.phase is None

    def kept(self, value: float) -> Self:
        return msgspec.structs.replace(self, phase=value)


class OnCarrier(Transmission, frozen=True, kw_only=True):
    """Two wheels a and b, whose axes are held at a constant distance by a carrier c:
    w_a (θ_a − θ_c) + w_b (θ_b − θ_c) = phase.

    a, b       angles
    carrier    the carrier's angle; omit it for the ground, or if a and b are angles relative to the carrier
    """

    angles = ("a", "b", "carrier")

    a: str
    b: str
    carrier: str = GROUND

    def pair(self) -> tuple[float, float]:
        """w_a and w_b."""
        raise NotImplementedError

    def weights(self) -> list[tuple[str, float]]:
        first, second = self.pair()
        return [(self.a, first), (self.b, second), (self.carrier, -(first + second))]
