"""Rows that hold for velocities only (nonholonomic constraints), such as those of rolling without slipping.

    J(t, q) v + b(t, q) = 0,        J a = γ = −J̇ v − ḃ

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
from grashof.model.fields import Fields
from grashof.model.joints import Joint
from grashof.model.model import Model
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet
from grashof.tape import block


class Slipping(Protocol):
    """What prevents slip: functions of parts and time that are linear in the rates of the parts."""

    def slips(self, parts: Sequence[Scalar], time: Scalar, turns: Turns) -> Sequence[Scalar]:
        """The prevented velocities, m/s; the parts are jets."""

    def drifts(self, parts: Sequence[Scalar], time: Scalar, turns: Turns) -> Sequence[Scalar]:
        """b, m/s: what is added to them if they do not depend on rates alone."""


@dataclass(frozen=True, eq=False)
class SlipRow:
    """One row for velocities: the slip number `index` of a joint or coupling, in m/s.

    parts    the arguments of the slip, as expressions in the coordinates
    driven   whether b may differ from zero, so that the row may do work
    """

    owner: str
    source: Slipping
    index: int
    parts: tuple[Expression, ...]
    driven: bool = False

    @cached_property
    def columns(self) -> set[int]:
        """The coordinates on which its parts depend."""
        return {a for part in self.parts for a in columns_of(part)}

    def gradient(self, t: Scalar, q: Sequence[Scalar], turns: Turns = ()) -> Gradient:
        """The entries of J, for the coordinates that occur: each part in turn has a unit rate, all others rest."""
        values = [part.at(q) for part in self.parts]
        total: Gradient = {}
        for k, part in enumerate(self.parts):
            if not columns_of(part):
                continue
            moving = [Jet(x, 1.0 if j == k else 0.0, 0.0) for j, x in enumerate(values)]
            slope = _value(self.source.slips(moving, t, turns)[self.index])
            for a, x in part.gradient(q).items():
                total[a] = total[a] + slope * x if a in total else slope * x
        return total

    def slip(self, t: Scalar, q: Sequence[Scalar], turns: Turns = ()) -> Scalar:
        """b, m/s."""
        if not self.driven:
            return 0.0
        return _value(self.source.drifts([part.at(q) for part in self.parts], t, turns)[self.index])

    def bias(self, t: Scalar, q: Sequence[Scalar], v: Sequence[Scalar], turns: Turns = ()) -> Scalar:
        """γ: minus the rate of the slip for zero accelerations, m/s²."""
        moving, time = [jet_of(part, q, v) for part in self.parts], Jet(t, 1.0, 0.0)
        rate = _rate(self.source.slips(moving, time, turns)[self.index])
        return -rate - _rate(self.source.drifts(moving, time, turns)[self.index]) if self.driven else -rate


def _value(x: Scalar) -> Scalar:
    return x.value if isinstance(x, Jet) else x


def _rate(x: Scalar) -> Scalar:
    return x.first if isinstance(x, Jet) else 0.0 * x


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
        """b, m/s."""
        return [row.slip(t, q, turns) for row in self.rows]

    def bias(self, t: Scalar, q: Sequence[Scalar], v: Sequence[Scalar], turns: Turns = ()) -> list[Scalar]:
        """γ, m/s²."""
        return [row.bias(t, q, v, turns) for row in self.rows]


@dataclass(frozen=True)
class _OfJoint:
    """The slips of a joint, which depend on its points and directions alone."""

    joint: Joint

    def slips(self, parts: Sequence[Scalar], time: Scalar, turns: Turns) -> Sequence[Scalar]:
        return self.joint.slips(list(parts))

    def drifts(self, parts: Sequence[Scalar], time: Scalar, turns: Turns) -> Sequence[Scalar]:
        return [0.0] * len(self.joint.slips(list(parts)))


def make_slip_rows(model: Model, fields: Fields) -> tuple[SlipRow, ...]:
    """The rows for velocities of all joints, given the bodies as forms in the coordinates."""
    rows = []
    for joint in model.joints:
        parts = tuple(as_expression(x) for x in joint.slip_parts(fields))
        rows += [SlipRow(joint.name, _OfJoint(joint), k, parts) for k in range(joint.slip_count)]
    return tuple(rows)
