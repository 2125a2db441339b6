"""Rows that hold for velocities only (nonholonomic constraints), such as those of rolling without slipping.

    J(t, q) v = 0,        J a = γ = −J̇ v

There is no Φ(t, q) whose gradient is J, so that these rows restrict velocities, but not positions. Their multipliers
enter the equations of motion as those of all other rows, M a + Jᵀ λ = Q: the constraint forces do no work on velocities
that the rows allow (Lagrange–d'Alembert principle; Neimark and Fufaev, Dynamics of Nonholonomic Systems, 1972).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from grashof.formulation.natural.couplings import Turns, columns_of, jet_of
from grashof.formulation.natural.forms import Expression, Gradient, as_expression
from grashof.formulation.natural.kkt import Pattern
from grashof.model.couplings import CouplingBase
from grashof.model.fields import Fields, Scalars
from grashof.model.joints import Joint
from grashof.model.joints.slipping import rate_of
from grashof.model.measures import Measure
from grashof.model.model import Model
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet
from grashof.tape import block


class Slipping(Protocol):
    """What prevents slip: a joint, or a coupling of rates."""

    @property
    def name(self) -> str:
        """The name of the joint or coupling."""

    @property
    def coupling(self) -> CouplingBase | None:
        """The coupling, if it is one."""

    @property
    def turns(self) -> tuple[int, ...]:
        """The tracked angles on whose whole turns the slips depend."""

    def parts(self, fields: Fields) -> Scalars:
        """The functions of position on which the slips depend."""

    def slips(self, parts: Sequence[Scalar], time: Scalar, turns: Turns) -> Sequence[Scalar]:
        """The prevented velocities, m/s: linear in the rates of the parts, which are jets."""

    def laws(self, parts: Sequence[Scalar], time: Scalar, turns: Turns) -> Sequence[Scalar]:
        """Factors that may depend on time."""


@dataclass(frozen=True)
class JointSlip:
    """The slips of a joint, which depend on its points and directions alone."""

    joint: Joint
    coupling: None = None
    turns: tuple[int, ...] = ()

    @property
    def name(self) -> str:
        return self.joint.name

    def parts(self, fields: Fields) -> Scalars:
        return self.joint.slip_parts(fields)

    def slips(self, parts: Sequence[Scalar], time: Scalar, turns: Turns) -> Sequence[Scalar]:
        return self.joint.slips(list(parts))

    def laws(self, parts: Sequence[Scalar], time: Scalar, turns: Turns) -> Sequence[Scalar]:
        return ()


@dataclass(frozen=True)
class CouplingSlip:
    """A coupling of rates, Σ cᵢ ṁᵢ, in m/s.

    counts    how many parts each measure has
    numbers   for each measure the number of its tracked angle, if the factors depend on its whole turns
    """

    coupling: CouplingBase
    measures: tuple[Measure, ...]
    counts: tuple[int, ...]
    numbers: tuple[int | None, ...]
    length: float

    @property
    def name(self) -> str:
        return self.coupling.name

    @property
    def turns(self) -> tuple[int, ...]:
        return tuple(k for k in self.numbers if k is not None)

    def parts(self, fields: Fields) -> Scalars:
        return [x for measure in self.measures for x in measure.parts(fields)]

    def slips(self, parts: Sequence[Scalar], time: Scalar, turns: Turns) -> Sequence[Scalar]:
        values = self._values(parts, turns)
        total: Scalar = 0.0
        for factor, value in zip(self.coupling.rate_factors(values, time), values, strict=True):
            total = total + factor * rate_of(value)
        return [total * (1.0 / self.coupling.size(self.measures, self.length))]

    def laws(self, parts: Sequence[Scalar], time: Scalar, turns: Turns) -> Sequence[Scalar]:
        return self.coupling.rate_factors(self._values(parts, turns), time)

    def _values(self, parts: Sequence[Scalar], turns: Turns) -> list[Scalar]:
        left, values = iter(parts), []
        for measure, count, number in zip(self.measures, self.counts, self.numbers, strict=True):
            near = turns[number] if number is not None and turns else None
            values.append(measure.value([next(left) for _ in range(count)], near))
        return values


@dataclass(frozen=True, eq=False)
class SlipRow:
    """One row for velocities: the slip number `index` of a joint or coupling, in m/s.

    parts   the arguments of the slip, as expressions in the coordinates
    """

    source: Slipping
    index: int
    parts: tuple[Expression, ...]

    @property
    def owner(self) -> str:
        """The name of the joint or coupling."""
        return self.source.name

    @property
    def coupling(self) -> CouplingBase | None:
        """The coupling to which it belongs, if it is not a joint."""
        return self.source.coupling

    @cached_property
    def columns(self) -> set[int]:
        """The coordinates on which its parts depend."""
        return {a for part in self.parts for a in columns_of(part)}

    def gradient(self, t: Scalar, q: Sequence[Scalar], turns: Turns = ()) -> Gradient:
        """The entries of J, for the coordinates that occur: each part in turn has a unit rate, and all others rest."""
        values = [part.at(q) for part in self.parts]
        total: Gradient = {}
        for k, part in enumerate(self.parts):
            if not columns_of(part):
                continue
            moving = [Jet(x, 1.0 if j == k else 0.0, 0.0) for j, x in enumerate(values)]
            slope = self._slip(moving, t, turns).value
            for a, x in part.gradient(q).items():
                total[a] = total[a] + slope * x if a in total else slope * x
        return total

    def slip(self, t: Scalar, q: Sequence[Scalar], turns: Turns = ()) -> Scalar:
        """What is added to J v, m/s: nothing."""
        return 0.0

    def bias(self, t: Scalar, q: Sequence[Scalar], v: Sequence[Scalar], turns: Turns = ()) -> Scalar:
        """γ: minus the rate of the slip for zero accelerations, m/s²."""
        return -self._slip([jet_of(part, q, v) for part in self.parts], Jet(t, 1.0, 0.0), turns).first

    def laws(self, t: Scalar, q: Sequence[Scalar], turns: Turns = ()) -> list[Jet]:
        """Its factors that may depend on time, with their rates at a fixed position."""
        found = self.source.laws([part.at(q) for part in self.parts], Jet(t, 1.0, 0.0), turns)
        return [x for x in found if isinstance(x, Jet)]

    def _slip(self, parts: Sequence[Scalar], time: Scalar, turns: Turns) -> Jet:
        found = self.source.slips(parts, time, turns)[self.index]
        return found if isinstance(found, Jet) else Jet(found, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class SlipRows:
    """All rows of a mechanism that hold for velocities only."""

    rows: tuple[SlipRow, ...]

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.rows)

    @cached_property
    def pattern(self) -> Pattern:
        """For each row, the columns of J that can be non-zero."""
        return tuple(tuple(sorted(row.columns)) for row in self.rows)

    @block
    def jacobian(self, t: Scalar, q: Sequence[Scalar], turns: Turns = ()) -> list[Scalar]:
        """The entries of J that can be non-zero, row by row."""
        rows = zip((row.gradient(t, q, turns) for row in self.rows), self.pattern, strict=True)
        return [row.get(a, 0.0) for row, columns in rows for a in columns]

    def slip(self, t: Scalar, q: Sequence[Scalar], turns: Turns = ()) -> list[Scalar]:
        """What is added to J v, m/s."""
        return [row.slip(t, q, turns) for row in self.rows]

    def bias(self, t: Scalar, q: Sequence[Scalar], v: Sequence[Scalar], turns: Turns = ()) -> list[Scalar]:
        """γ, m/s²."""
        return [row.bias(t, q, v, turns) for row in self.rows]


def slipping_parts(model: Model, fields: Fields, tracked: Sequence[str]) -> list[tuple[Slipping, int]]:
    """The joints and couplings that have rows for velocities only, and how many each of them has.

    tracked   the angles whose whole turns are known, in the order in which they are given
    """
    found: list[tuple[Slipping, int]] = [(JointSlip(joint), joint.slip_count) for joint in model.joints]
    for coupling in model.velocity_couplings:
        measures = coupling.measures(model.quantities)
        counts = tuple(len(measure.parts(fields)) for measure in measures)
        numbers = tuple(
            tracked.index(x.name) if x.name in coupling.followed and x.name in tracked else None for x in measures
        )
        found.append((CouplingSlip(coupling, measures, counts, numbers, fields.length), 1))
    return found


def make_slip_rows(model: Model, fields: Fields, tracked: Sequence[str]) -> tuple[SlipRow, ...]:
    """The rows for velocities of all joints and couplings, given the bodies as forms in the coordinates."""
    rows = []
    for source, count in slipping_parts(model, fields, tracked):
        parts = tuple(as_expression(x) for x in source.parts(fields)) if count else ()
        rows += [SlipRow(source, k, parts) for k in range(count)]
    return tuple(rows)
