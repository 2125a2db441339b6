"""The rows of a tree: joints that close loops (see `closures`), couplings and motors, rows for velocities only, and
limits against which measures rest.

All but the first are the rows in natural coordinates, written in z = [natural coordinates, motions of the nodes]: a
measure that is a sum of motions of joints depends on these alone. With G = Φ_z and the velocities u of the nodes,

    J = G ∂ż/∂u        J u + Φ_t = 0        J u̇ = γ = γ_z − G z̈₀

where γ_z is the right-hand side for zero z̈, and z̈₀ belongs to zero accelerations of the joints. G is mapped to J as
generalised forces are mapped to efforts in the joints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import pi
from typing import TYPE_CHECKING, cast

import numpy as np

from grashof.formulation.natural.couplings import CouplingRow
from grashof.formulation.natural.forms import Expression, Form, Gradient
from grashof.formulation.natural.slips import CouplingSlip, SlipRow
from grashof.formulation.natural.state import measure_parts
from grashof.formulation.relative.closures import Closure, SeenClosure
from grashof.formulation.relative.kinematics import Efforts, Kinematics
from grashof.formulation.relative.placement import Wrench
from grashof.formulation.relative.view import NaturalView
from grashof.model.measures import Measure
from grashof.scalar.functions import Scalar, floor

if TYPE_CHECKING:
    from grashof.formulation.relative.equations import Relative

REGULAR = 1e-6
"""Rows are independent if the smallest singular value of their constant entries, scaled to unit length, exceeds
this."""


@dataclass(frozen=True)
class JointMeasure:
    """A measure that is a sum of motions of joints, as couplings see it: its only part is this sum, with whole
    turns."""

    measure: Measure

    @property
    def name(self) -> str:
        """Its name."""
        return self.measure.name

    @property
    def unit(self) -> str:
        """Its unit."""
        return self.measure.unit

    @property
    def winds(self) -> bool:
        """Whether positions determine it only up to whole turns."""
        return self.measure.winds

    def value(self, parts: Sequence[Scalar], near: Scalar | None = None) -> Scalar:
        """The measure; an angle with the whole turns that bring it nearest to `near`, or else within ±π."""
        if not self.winds:
            return parts[0]
        ahead = parts[0] if near is None else parts[0] - near
        return parts[0] - 2.0 * pi * floor(ahead * (0.5 / pi) + 0.5)

    def miss(self, parts: Sequence[Scalar], value: Scalar, length: float) -> Scalar:
        """The deviation from a value, in metres."""
        return self.value([parts[0] - value]) * (length if self.unit == "rad" else 1.0)


@dataclass(frozen=True)
class RowsPlace:
    """Where rows are evaluated.

    z, rates, bent   z, ż and z̈₀
    turns            the tracked angles on which rows depend
    sides            of the limits, see `natural.resting`
    closed           the joints that close loops
    shares           of nodes that may stick (see `articulated`)
    """

    time: Scalar
    z: Sequence[Scalar]
    rates: Sequence[Scalar]
    bent: Sequence[Scalar]
    turns: Sequence[Scalar]
    sides: Sequence[Scalar]
    motion: Kinematics
    closed: Sequence[SeenClosure]
    shares: Mapping[int, Scalar] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class TreeRows:
    """All rows of a tree, in the order in which they follow those of joints in natural coordinates.

    Coordinates beyond the natural ones are the motions of the nodes.
    """

    view: NaturalView
    closures: tuple[Closure, ...]
    couplings: tuple[CouplingRow, ...]
    slips: tuple[SlipRow, ...]
    limits: tuple[CouplingRow, ...]

    @property
    def count(self) -> int:
        """Number of rows."""
        return self.closing + len(self.couplings) + len(self.slips) + len(self.limits)

    @property
    def closing(self) -> int:
        """Number of rows of joints that close loops, which come first."""
        return sum(len(closure.rows) for closure in self.closures)

    @property
    def positions(self) -> int:
        """Number of rows that hold for positions at all times: those of joints and of couplings."""
        return self.closing + len(self.couplings)

    @property
    def _always(self) -> tuple[CouplingRow | SlipRow, ...]:
        """The rows but those of limits."""
        return *self.couplings, *self.slips

    def jacobian(self, place: RowsPlace) -> list[Efforts]:
        """J, row by row."""
        closed = [row for closure in place.closed for row in closure.jacobian()]
        return closed + [self.along_joints(place.motion, gradient) for gradient in self._gradients(place)]

    def _gradients(self, place: RowsPlace) -> list[Gradient]:
        """G of all rows but those of joints that close loops."""
        gradients = [row.gradient(place.time, place.z, place.turns) for row in self._always]
        return gradients + [
            {i: s * x for i, x in row.gradient(place.time, place.z, ()).items()}
            for s, row in zip(place.sides, self.limits, strict=True)
        ]

    def wrenches(self, place: RowsPlace, factors: Sequence[Scalar]) -> dict[int, Wrench]:
        """Generalised forces along these rows, without efforts in joints, as wrenches on nodes in their own axes.

        factors   of all rows; those of joints that close loops are left out
        """
        total: Gradient = {}
        for factor, gradient in zip(factors[self.closing :], self._gradients(place), strict=True):
            for i, x in gradient.items():
                if i < len(self.view.sources):
                    total[i] = total[i] + factor * x if i in total else factor * x
        return self.view.wrenches(place.motion, total)

    def violation(self, place: RowsPlace) -> list[Scalar]:
        """Φ, m; zero for rows that hold for velocities only."""
        found = [x for closure in place.closed for x in closure.violation()]
        found += [row.at(place.time, place.z, place.turns) for row in self.couplings]
        beyond = [s * row.at(place.time, place.z, ()) for s, row in zip(place.sides, self.limits, strict=True)]
        return [*found, *([0.0] * len(self.slips)), *beyond]

    def slip(self, place: RowsPlace) -> list[Scalar]:
        """Φ_t, m/s."""
        found = [row.slip(place.time, place.z, place.turns) for row in self.couplings]
        return [0.0] * self.closing + found + [0.0] * (len(self.slips) + len(self.limits))

    def bias(self, place: RowsPlace) -> list[Scalar]:
        """γ, m/s²."""
        found = [x for closure in place.closed for x in closure.bias()]
        found += [self._bias(row, place, place.turns) for row in self._always]
        return found + [s * self._bias(row, place, ()) for s, row in zip(place.sides, self.limits, strict=True)]

    @staticmethod
    def _bias(row: CouplingRow | SlipRow, place: RowsPlace, turns: Sequence[Scalar]) -> Scalar:
        total = row.bias(place.time, place.z, place.rates, turns)
        for i, x in row.gradient(place.time, place.z, turns).items():
            total = total - x * place.bent[i]
        return total

    def along_joints(self, motion: Kinematics, gradient: Gradient) -> Efforts:
        """The efforts along the motions of the nodes, of a gradient with respect to z."""
        n = len(self.view.sources)
        natural = {i: x for i, x in gradient.items() if i < n}
        found = motion.joint_efforts(self.view.wrenches(motion, natural)) if natural else {}
        for i, x in gradient.items():
            if i >= n:
                found[i - n] = [found[i - n][0] + x] if i - n in found else [x]
        return found


def make_tree_rows(relative: Relative) -> TreeRows:
    """The rows of a mechanism over its tree."""
    natural = relative.natural
    n, system = natural.n, natural.system

    def seen(measure: Measure, parts: tuple[Expression, ...]) -> tuple[Measure, tuple[Expression, ...]]:
        found = relative.linear(measure)
        if found is None:
            return measure, parts
        return cast("Measure", JointMeasure(measure)), (
            Form({n + k: w for k, w in found.weights.items()}, found.offset),
        )

    def over_tree(row: CouplingRow) -> CouplingRow:
        pairs = [seen(measure, parts) for measure, parts in zip(row.measures, row.parts, strict=True)]
        return replace(row, measures=tuple(x for x, _ in pairs), parts=tuple(x for _, x in pairs))

    def slip_over_tree(row: SlipRow) -> SlipRow:
        source = row.source
        if not isinstance(source, CouplingSlip):
            return row
        pairs = [seen(measure, tuple(measure_parts(system, measure))) for measure in source.measures]
        measures, counts = tuple(x for x, _ in pairs), tuple(len(parts) for _, parts in pairs)
        return SlipRow(
            replace(source, measures=measures, counts=counts), row.index, tuple(x for _, y in pairs for x in y)
        )

    return TreeRows(
        relative.view,
        relative.closures,
        tuple(over_tree(row) for row in system.couplings),
        tuple(slip_over_tree(row) for row in natural.slips.rows),
        tuple(over_tree(row) for row in natural.limits),
    )


Entries = dict[tuple[int, int], float | None]
"""A row of J by node and velocity; None where the entry is not constant."""


def left_after_removal(rows: Sequence[Entries]) -> list[Entries]:
    """The rows that remain if rows are removed one after another, each with a velocity that occurs in no remaining row
    and has a constant factor there. Those that were removed are linearly independent of all others."""
    left = list(rows)
    while True:
        held = [
            row
            for row in left
            if not any(x is not None and sum(key in other for other in left) == 1 for key, x in row.items())
        ]
        if len(held) == len(left):
            return left
        left = held


def are_regular(rows: Sequence[Entries]) -> bool:
    """Whether rows are linearly independent at every position.

    They are if all of them can be removed (see `left_after_removal`), or if the velocities that have constant factors
    in all remaining rows show it.
    """
    left = left_after_removal(rows)
    if not left:
        return True
    keys = {key for row in left for key in row}
    constant = [key for key in keys if all(row.get(key, 0.0) is not None for row in left)]
    matrix = np.array([[row.get(key, 0.0) for key in constant] for row in left], float)
    sizes = np.linalg.norm(matrix, axis=1)
    if not constant or not sizes.all():
        return False
    singular = np.linalg.svd(matrix / sizes[:, None], compute_uv=False)
    return len(singular) == len(left) and float(singular[-1]) > REGULAR
