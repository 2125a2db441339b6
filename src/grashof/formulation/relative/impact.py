"""Impacts of a tree, and limits against which its measures rest (see `natural.impact` and `natural.resting`).

The velocities are those of the tree: ∇g is a gradient with respect to these, and v⁺ = v⁻ + p x. The multipliers Λ are
those of the rows of the tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from grashof.formulation.natural.forms import Gradient
from grashof.formulation.natural.impact import free_yield
from grashof.formulation.natural.resting import with_margin
from grashof.formulation.natural.state import SystemState, sum_of_gradients
from grashof.scalar.functions import Scalar

if TYPE_CHECKING:
    from grashof.formulation.relative.equations import Relative


@dataclass(frozen=True, eq=False)
class TreeImpacts:
    """The functions of `NaturalImpacts`, for a tree."""

    relative: Relative

    @property
    def rows(self) -> int:
        """Number of multipliers Λ; the last are those of limits."""
        return self.relative.tree_rows.count

    def answer(self, x: Sequence[Scalar], pulls: Sequence[tuple[str, Scalar]]) -> list[Scalar]:
        """∇g, x, the response of the free masses, and Λ, for the sum of measures with weights."""
        relative = self.relative
        state, q = relative.state(x), relative.layout.split(x)[1]
        efforts = relative.efforts_of(state, _gradient(state, pulls))
        tree = relative.constrained(relative.place(state))
        found, multipliers = tree.solve(lambda given: tree.articulated.responses(efforts, given), [0.0] * self.rows)
        along = [efforts.get(k, [0.0] * len(own)) for k, own in enumerate(state.rates)]
        still = [[0.0] * len(own) for own in state.rates]
        plain = SystemState(relative.natural.system, state.time, state.q, state.v)
        free = free_yield(relative.natural, _gradient(plain, pulls))
        changes = relative.coordinates.accelerations(q, still, found.accelerations)
        return [*relative.coordinates.loads(q, along), *changes, free, *multipliers]

    def pressing(self, x: Sequence[Scalar]) -> list[Scalar]:
        """The forces that press against limits, N along their rows, then the same with a margin (see
        `natural.resting.pressing`)."""
        relative, natural = self.relative, self.relative.natural
        state = relative.state(x)
        found = relative.solve(state)
        seen = natural.state([state.time, *state.q, *state.v, *relative.layout.split(x)[3]])
        seen = replace(seen, bearings=found.bearings)
        first = self.rows - len(relative.tree_rows.limits)
        return with_margin(natural, seen, natural.forces(seen), found.multipliers, first)

    def gaps(self, x: Sequence[float]) -> list[float]:
        """How far the measures are from their limits, m."""
        place = self.relative.place(self.relative.state(x))
        return [float(row.at(place.time, place.z, ())) for row in self.relative.tree_rows.limits]

    def driving_slips(self, x: Sequence[float]) -> list[tuple[str, int, float]]:
        """The couplings that depend on time: name, number of the row, and Φ_t, m/s."""
        rows = self.relative.tree_rows
        slips = rows.slip(self.relative.place(self.relative.state(x)))
        couplings = enumerate(rows.couplings, start=rows.closing)
        return [(row.owner, k, float(slips[k])) for k, row in couplings if row.timed]


def _gradient(state: SystemState, pulls: Sequence[tuple[str, Scalar]]) -> Gradient:
    return sum_of_gradients([state.gradient(name, [weight]) for name, weight in pulls])
