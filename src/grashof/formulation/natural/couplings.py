"""Couplings as rows: any function of measures and time, differentiated with duals and jets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grashof.common.errors import ModelError
from grashof.formulation.natural.forms import Expression, Form, Gradient, as_expression, curvature_of, rate_of
from grashof.model.couplings import CouplingBase
from grashof.model.couplings.base import CoupledPlace
from grashof.model.measures import Measure
from grashof.scalar.dual import Dual, slopes
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet

if TYPE_CHECKING:
    from grashof.formulation.natural.system import System

Turns = Sequence[Scalar]
"""The tracked angles, in the order of `System.tracked`; empty where whole turns are not known."""


@dataclass(frozen=True, eq=False)
class CouplingRow:
    """Φ(t, q) = F(m₁(q), …, t), in metres.

    parts    the arguments of each measure, as expressions in the coordinates
    turns    for each measure the number of its tracked angle; None if it does not wind or is not tracked
    """

    coupling: CouplingBase
    measures: tuple[Measure, ...]
    parts: tuple[tuple[Expression, ...], ...]
    turns: tuple[int | None, ...]
    length: float

    @property
    def owner(self) -> str:
        """The coupling's name."""
        return self.coupling.name

    @property
    def timed(self) -> bool:
        """Whether it depends on time."""
        return self.coupling.timed

    @property
    def columns(self) -> set[int]:
        """The coordinates on which it depends."""
        return {a for group in self.parts for part in group for a in columns_of(part)}

    def at(self, t: Scalar, q: Sequence[Scalar], turns: Turns) -> Scalar:
        """Φ, m."""
        return self._miss([[part.at(q) for part in group] for group in self.parts], t, turns)

    def gradient(self, t: Scalar, q: Sequence[Scalar], turns: Turns) -> Gradient:
        """∂Φ/∂q for the coordinates that occur in it."""
        total: Gradient = {}
        parts = [part for group in self.parts for part in group]

        def missed(duals: list[Dual]) -> Scalar:
            left = iter(duals)
            return self._miss([[next(left) for _ in group] for group in self.parts], Dual(t, 0.0), turns)

        for slope, part in zip(slopes(missed, [part.at(q) for part in parts]), parts, strict=True):
            for a, x in part.gradient(q).items():
                total[a] = total[a] + slope * x if a in total else slope * x
        return total

    def in_time(self, t: Scalar, q: Sequence[Scalar], turns: Turns) -> Jet:
        """Φ, ∂Φ/∂t and ∂²Φ/∂t² at a fixed position."""
        missed = self.at(Jet(t, 1.0, 0.0) if self.timed else t, q, turns)
        return missed if isinstance(missed, Jet) else Jet(missed, 0.0, 0.0)

    def slip(self, t: Scalar, q: Sequence[Scalar], turns: Turns) -> Scalar:
        """∂Φ/∂t, m/s."""
        return self.in_time(t, q, turns).first

    def bias(self, t: Scalar, q: Sequence[Scalar], v: Sequence[Scalar], turns: Turns) -> Scalar:
        """−d²Φ/dt² for zero accelerations, m/s²."""
        moving = [[jet_of(part, q, v) for part in group] for group in self.parts]
        missed = self._miss(moving, Jet(t, 1.0, 0.0) if self.timed else t, turns)
        return -missed.second if isinstance(missed, Jet) else 0.0 * missed

    def _miss(self, parts: Sequence[Sequence[Scalar]], t: Scalar, turns: Turns) -> Scalar:
        near = [turns[k] if k is not None and turns else None for k in self.turns]
        try:
            return self.coupling.miss(CoupledPlace(self.measures, parts, near, t, self.length))
        except ModelError:
            raise
        except (ArithmeticError, ValueError):  # a rope that ends inside a pulley, or a curve outside its domain
            return math.nan


def row_of(system: System, coupling: CouplingBase, measure: Measure) -> CouplingRow:
    """The row of a coupling of one measure, whose whole turns are not tracked."""
    parts = tuple(as_expression(x) for x in measure.parts(system))
    return CouplingRow(coupling, (measure,), (parts,), (None,), system.length)


def columns_of(part: Expression) -> set[int]:
    """The coordinates on which a part depends."""
    if isinstance(part, Form):
        return set(part.terms)
    return {a for form in (part.linear, *(f for _, f, g in part.products for f in (f, g))) for a in form.terms}


def jet_of(part: Expression, q: Sequence[Scalar], v: Sequence[Scalar]) -> Jet:
    """A part with its rate and its second derivative for zero accelerations."""
    return Jet(part.at(q), rate_of(part, q, v), curvature_of(part, v))
