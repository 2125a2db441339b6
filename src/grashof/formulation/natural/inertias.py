"""Inerters as rows: they add J g gᵀ to the mass matrix, where g = ∂m/∂q depends on the position.

m̈ = g·a + ġ·v        f = −J m̈ g        (M + Σ J g gᵀ) a + … = Q − Σ J (ġ·v) g
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from grashof.formulation.natural.couplings import columns_of, jet_of
from grashof.formulation.natural.forms import Expression, Gradient
from grashof.formulation.natural.state import measure_parts, sum_of_gradients
from grashof.formulation.natural.system import System
from grashof.model.measures import Measure
from grashof.scalar.dual import slopes
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet


@dataclass(frozen=True, eq=False)
class InertiaRow:
    """An inerter.

    parts       the arguments of its measure, as expressions in the coordinates
    inertance   J: kg m² for an angle, else kg
    """

    measure: Measure
    parts: tuple[Expression, ...]
    inertance: Scalar

    @cached_property
    def columns(self) -> tuple[int, ...]:
        """The coordinates on which it depends."""
        return tuple(sorted({a for part in self.parts for a in columns_of(part)}))

    def gradient(self, q: Sequence[Scalar]) -> Gradient:
        """g = ∂m/∂q, in the order of the columns."""
        changes = slopes(self.measure.value, [part.at(q) for part in self.parts])
        shares = [
            {a: slope * x for a, x in part.gradient(q).items()} for slope, part in zip(changes, self.parts, strict=True)
        ]
        total = sum_of_gradients(shares)
        return {a: total.get(a, 0.0) for a in self.columns}

    def bend(self, q: Sequence[Scalar], v: Sequence[Scalar]) -> Scalar:
        """ġ·v: m̈ for zero accelerations."""
        found = self.measure.value([jet_of(part, q, v) for part in self.parts])
        return found.second if isinstance(found, Jet) else 0.0


def inertia_rows(system: System) -> tuple[InertiaRow, ...]:
    """The inerters of a mechanism."""
    model = system.model
    pairs = [(model.quantities[name], inertance) for name, inertance in model.inertances]
    return tuple(InertiaRow(measure, tuple(measure_parts(system, measure)), x) for measure, x in pairs)
