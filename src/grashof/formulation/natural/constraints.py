"""The constraint rows of a mechanism, and those of the limits against which measures rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grashof.formulation.natural.couplings import CouplingRow, Turns
from grashof.formulation.natural.forms import Gradient, curvature_of
from grashof.formulation.natural.inertias import InertiaRow
from grashof.formulation.natural.kkt import Pattern
from grashof.formulation.natural.slips import SlipRows
from grashof.formulation.natural.system import System
from grashof.scalar.functions import Scalar
from grashof.tape import block


@dataclass(frozen=True, eq=False)
class Constraints:
    """The rows of a mechanism: Φ(t, q) = 0, J v + Φ_t = 0 and J a = γ, with J = Φ_q (see `equations`).

    Each row holds for positions and for velocities. Rows of couplings may depend on the whole turns of angles: these
    are given as `turns`, the first of the extra states.

    pattern   for each row, the columns of J that can be non-zero
    """

    system: System
    pattern: Pattern

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self.pattern)

    @cached_property
    def closed(self) -> bool:
        """Whether rows can be linearly dependent. They cannot if they can be removed one after another, each with a
        point or direction that occurs in no remaining row, as in open chains.

        The gradient of a row with respect to that point must not vanish. For a rod to a point on a line it does where
        the rod is perpendicular to the line, so the point must have as many coordinates in the row as the others there.
        """
        left = [Counter(self.system.groups[a] for a in columns) for columns in self.pattern]
        while left:
            owners = Counter(group for row in left for group in row)
            held = [
                row
                for row in left
                if all(owners[group] > 1 or count < max(row.values()) for group, count in row.items())
            ]
            if len(held) == len(left):
                return True
            left = held
        return False

    @block
    def violation(self, t: Scalar, q: Sequence[Scalar], turns: Turns = ()) -> list[Scalar]:
        """Φ(t, q), in metres."""
        values = [row.expression.at(q) for row in self.system.rows]
        return values + [row.at(t, q, turns) for row in self.system.couplings]

    @block
    def jacobian(self, t: Scalar, q: Sequence[Scalar], turns: Turns = ()) -> list[Scalar]:
        """The entries of J that can be non-zero, row by row."""
        rows = [row.expression.gradient(q) for row in self.system.rows]
        rows += [row.gradient(t, q, turns) for row in self.system.couplings]
        return [row.get(a, 0.0) for row, columns in zip(rows, self.pattern, strict=True) for a in columns]

    def slip(self, t: Scalar, q: Sequence[Scalar], turns: Turns = ()) -> list[Scalar]:
        """Φ_t: how fast couplings move their rows, m/s."""
        return [0.0] * len(self.system.rows) + [row.slip(t, q, turns) for row in self.system.couplings]

    def bias(self, t: Scalar, q: Sequence[Scalar], v: Sequence[Scalar], turns: Turns = ()) -> list[Scalar]:
        """γ, the right-hand side of J a = γ, m/s²."""
        values = [-curvature_of(row.expression, v) for row in self.system.rows]
        return values + [row.bias(t, q, v, turns) for row in self.system.couplings]

    def turns(self, e: Sequence[Scalar]) -> Turns:
        """The extra states that the rows need: the tracked angles, if any row depends on their whole turns."""
        return list(e[: len(self.system.tracked)]) if self.system.winding else []

    def by_row(self, entries: Sequence[Scalar]) -> list[Gradient]:
        """The entries of J as one {column: entry} for each row."""
        values = iter(entries)
        return [{a: next(values) for a in columns} for columns in self.pattern]

    def dense(self, entries: Sequence[float]) -> np.ndarray:
        """J as a matrix."""
        return _as_matrix(self.by_row(entries), self.system.n)


@dataclass(frozen=True, eq=False)
class LimitedRows:
    """The rows of a mechanism, then those for velocities only (see `slips`), then those of what sticks, for velocities
    only, and those of its limits: each of these is multiplied by its `side`, 1 while it sticks, or the free side of the
    limit while a measure rests there, and otherwise zero (see `resting` and `grips`). The entries of J are followed by
    those of inerters (see `inertias`)."""

    rows: Constraints
    slips: SlipRows
    limits: tuple[CouplingRow, ...]
    inertias: tuple[InertiaRow, ...] = ()
    sticks: tuple[CouplingRow, ...] = ()

    @property
    def first_stick(self) -> int:
        """The number of the first row of what sticks."""
        return self.rows.count + self.slips.count

    @property
    def first_limit(self) -> int:
        """The number of the first row of a limit."""
        return self.first_stick + len(self.sticks)

    @property
    def held(self) -> tuple[CouplingRow, ...]:
        """The rows that have sides."""
        return self.sticks + self.limits

    def violation(self, t: Scalar, q: Sequence[Scalar], turns: Turns, sides: Sequence[Scalar]) -> list[Scalar]:
        """Φ(t, q), in metres; zero for the rows that hold for velocities only."""
        sides = sides[len(self.sticks) :]
        beyond = [s * row.at(t, q, ()) for s, row in zip(sides, self.limits, strict=True)]
        return list(self.rows.violation(t, q, turns)) + [0.0] * (self.slips.count + len(self.sticks)) + beyond

    def jacobian(self, t: Scalar, q: Sequence[Scalar], turns: Turns, sides: Sequence[Scalar]) -> list[Scalar]:
        """The entries of J that can be non-zero, row by row."""
        entries = list(self.rows.jacobian(t, q, turns))
        if self.slips.count:
            entries += self.slips.jacobian(t, q, turns)
        for s, row, columns in zip(sides, self.held, self.patterns, strict=True):
            gradient = row.gradient(t, q, ())
            entries += [s * gradient.get(a, 0.0) for a in columns]
        for inertia in self.inertias:
            gradient = inertia.gradient(q)
            entries += [gradient[a] for a in inertia.columns]
        return entries

    def bias(
        self, t: Scalar, q: Sequence[Scalar], v: Sequence[Scalar], turns: Turns, sides: Sequence[Scalar]
    ) -> list[Scalar]:
        """γ, m/s²."""
        bias = [s * row.bias(t, q, v, ()) for s, row in zip(sides, self.held, strict=True)]
        return self.rows.bias(t, q, v, turns) + self.slips.bias(t, q, v, turns) + bias

    def slip(self, t: Scalar, q: Sequence[Scalar], turns: Turns) -> list[Scalar]:
        """Φ_t, m/s."""
        return self.rows.slip(t, q, turns) + self.slips.slip(t, q, turns) + [0.0] * len(self.held)

    def by_row(self, entries: Sequence[Scalar]) -> list[Gradient]:
        """The entries of J as one {column: entry} for each row."""
        values = iter(entries)
        return [{a: next(values) for a in columns} for columns in (*self.rows.pattern, *self.further)]

    def dense(self, entries: Sequence[float]) -> np.ndarray:
        """J as a matrix."""
        return _as_matrix(self.by_row(entries), self.rows.system.n)

    @cached_property
    def patterns(self) -> Pattern:
        """The columns of the rows that have sides."""
        return tuple(tuple(sorted(row.columns)) for row in self.held)

    @property
    def further(self) -> Pattern:
        """The columns of all rows beyond those of positions."""
        return self.slips.pattern + self.patterns


def _as_matrix(rows: Sequence[Gradient], columns: int) -> np.ndarray:
    full = np.zeros((len(rows), columns))
    for line, row in zip(full, rows, strict=True):
        line[list(row)] = list(row.values())
    return full


def pattern_of(system: System) -> Pattern:
    """For each row of a mechanism, the columns of J that can be non-zero."""
    rows = [set(row.expression.gradient([1.0] * system.n)) for row in system.rows]
    rows += [row.columns for row in system.couplings]
    return tuple(tuple(sorted(row)) for row in rows)
