"""The rows of a tree that hold for positions, with respect to its coordinates: by these, singular positions are
found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from grashof.formulation.relative.kinematics import Efforts
from grashof.scalar.functions import Scalar

if TYPE_CHECKING:
    from grashof.formulation.relative.equations import Relative
    from grashof.formulation.relative.rows import RowsPlace


@dataclass(frozen=True, eq=False)
class TreePositions:
    """The rows of joints that close loops, and of couplings and motors (see `protocol.Rows`).

    closed   whether they can be linearly dependent somewhere; if not, there are none here
    """

    relative: Relative
    closed: bool

    @property
    def count(self) -> int:
        """Number of rows."""
        return self.relative.tree_rows.positions if self.closed else 0

    @cached_property
    def pattern(self) -> tuple[tuple[int, ...], ...]:
        """For each row, the coordinates on which it can depend."""
        if not self.closed:
            return ()
        relative, still = self.relative, [0.0] * self.relative.layout.extra
        q, v = relative.coordinates.normalise([1.0] * relative.n, [0.0] * relative.n)
        place = relative.place(relative.state([0.0, *q, *v, *still]))
        places = relative.coordinates.places
        return tuple(
            tuple(a for k in sorted(row) for a in range(places[k].start, places[k].stop))
            for row in relative.tree_rows.jacobian(place)[: self.count]
        )

    def violation(self, t: Scalar, q: Sequence[Scalar], turns: Sequence[Scalar] = ()) -> list[Scalar]:
        """Φ, m."""
        return self.relative.tree_rows.violation(self._place(t, q, turns))[: self.count] if self.closed else []

    def jacobian(self, t: Scalar, q: Sequence[Scalar], turns: Sequence[Scalar] = ()) -> list[Scalar]:
        """The entries of J that can be non-zero, row by row."""
        if not self.closed:
            return []
        rows = self.relative.tree_rows.jacobian(self._place(t, q, turns))[: self.count]
        return [x for row in rows for x in self._over_coordinates(q, row)]

    def slip(self, t: Scalar, q: Sequence[Scalar], turns: Sequence[Scalar] = ()) -> list[Scalar]:
        """Φ_t, m/s."""
        return self.relative.tree_rows.slip(self._place(t, q, turns))[: self.count] if self.closed else []

    def bias(self, t: Scalar, q: Sequence[Scalar], v: Sequence[Scalar], turns: Sequence[Scalar] = ()) -> list[Scalar]:
        """γ, m/s²."""
        return self.relative.tree_rows.bias(self._place(t, q, turns, v))[: self.count] if self.closed else []

    def turns(self, e: Sequence[Scalar]) -> Sequence[Scalar]:
        """The extra states on which rows depend."""
        return self.relative.natural.rows.turns(e)

    def _place(
        self, t: Scalar, q: Sequence[Scalar], turns: Sequence[Scalar], v: Sequence[Scalar] | None = None
    ) -> RowsPlace:
        relative = self.relative
        extra = [*turns, *([0.0] * (relative.layout.extra - len(turns)))]
        return relative.place(relative.state([t, *q, *(v or [0.0] * relative.n), *extra]))

    def _over_coordinates(self, q: Sequence[Scalar], row: Efforts) -> list[Scalar]:
        """A row with respect to the coordinates of its nodes."""
        tree, places = self.relative.tree, self.relative.coordinates.places
        full = [row.get(k, [0.0] * (3 if node.kind == "ball" else 1)) for k, node in enumerate(tree.nodes)]
        loads = self.relative.coordinates.loads(q, full)
        return [x for k in sorted(row) for x in loads[places[k]]]
