"""How the rows of a tree are solved that may become linearly dependent: with ε and refinement, as in natural
coordinates (see `natural.equations` and `natural.kkt`).

S = J M⁻¹ Jᵀ of the rows is positive semidefinite, and S + E positive definite, whatever the rank of J. Each refinement
against E = 0 leaves the fraction ε/(σ² + ε) of the error, where σ² is an eigenvalue of S relative to the typical
inverse inertia of a row.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from grashof.formulation.natural.closing import DEPENDENT
from grashof.formulation.natural.equations import EPSILON, EPSILON_REDUNDANT

if TYPE_CHECKING:
    from grashof.formulation.relative.equations import Relative

IN_DEPENDENCY = 1e-6
"""A row takes part in a linear dependency if its weight in it exceeds this."""

SOLVED, MOST = 1e-11, 8
"""The relative accuracy of the accelerations along the rows, and the largest number of refinements for it at the
start; elsewhere, redundant rows may need twice as many."""

TRUSTED = 1e-9
"""Where refinement leaves more than this fraction of an error, the position counts as singular."""


FIRM = 1e-7
"""Where a motion that no mass resists is determined less firmly, its acceleration has lost about as many digits."""


@dataclass(frozen=True)
class RowsSolving:
    """The solution of the rows of a tree.

    epsilon       ε of each row, 1/kg;  softening: its typical inverse inertia, 1/kg
    refinements   against E = 0
    redundant     how many rows of positions others imply at every position
    """

    epsilon: tuple[float, ...]
    softening: tuple[float, ...]
    refinements: int
    redundant: int

    @property
    def least(self) -> float:
        """The smallest σ at which accelerations are accurate."""
        relative = max(x / y for x, y in zip(self.epsilon, self.softening, strict=True))
        left = TRUSTED ** (1.0 / (1.0 + self.refinements))
        return float(np.sqrt(relative * (1.0 / left - 1.0)))

    def strengths(self, weakness: np.ndarray, tied: int) -> np.ndarray:
        """σ at some states, without those of redundant rows, given the results of `Relative.weakness`, (k, entries), of
        which the first belong to motions that no mass resists: the least one decides how accurately rows are solved. It
        is zero where such a motion is not determined."""
        firmness, matrices = weakness[:, :tied], weakness[:, tied:]
        size = math.isqrt(matrices.shape[1])
        found = np.ones(len(matrices))
        if size > self.redundant:
            squares = np.linalg.eigvalsh(matrices.reshape(-1, size, size))[:, self.redundant]
            found = np.sqrt(np.maximum(squares, 0.0))
        return np.where(np.min(firmness, axis=1, initial=1.0) > FIRM, found, 0.0)


def find_solving(relative: Relative, x: Sequence[float]) -> RowsSolving:
    """The solution of rows, decided at a state x = [t, y] at which they are not singular."""
    layout, rows = relative.layout, relative.tree_rows
    start = list(x)
    resting = slice(1 + layout.of_resting.start, 1 + layout.of_resting.stop)
    start[resting] = [1.0] * len(layout.resting)  # a limit against which nothing rests has no row
    place = relative.place(relative.state(start))
    plain = RowsSolving((1.0,) * rows.count, (1.0,) * rows.count, 0, 0)
    tree = replace(relative, solving=plain).constrained(place)
    own = dict(zip(tree.others, (tree.inertance(i) for i in range(len(tree.others))), strict=True))
    inverse = [own.get(k, 1.0) for k in range(rows.count)]
    first = 0
    for closure in rows.closures:
        part = slice(first, first + len(closure.rows))
        inverse[part] = [sum(inverse[part]) / len(closure.rows)] * len(closure.rows)
        first = part.stop
    typical = max(inverse)
    inverse = [y if y > 0.0 else typical for y in inverse]
    dependent, redundant = _dependent_rows(relative, start)
    epsilon = [(EPSILON_REDUNDANT if k in dependent else EPSILON) * y for k, y in enumerate(inverse)]
    found = RowsSolving(tuple(epsilon), tuple(inverse), 0, redundant)
    for count in range(1, MOST + 1):
        found = replace(found, refinements=count)
        if _leaves(replace(relative, solving=found), start) <= SOLVED:
            break
    return replace(found, refinements=2 * found.refinements) if dependent else found


def _dependent_rows(relative: Relative, x: Sequence[float]) -> tuple[set[int], int]:
    """The rows that take part in linear dependencies, those for velocities only included; and how many rows of
    positions others imply."""
    rows = relative.tree_rows
    count = rows.positions + len(rows.slips)
    place = relative.place(relative.state(x))
    matrix = np.zeros((count, sum(len(own) for own in place.motion.rates)))
    first = np.cumsum([0, *(len(own) for own in place.motion.rates)])
    for line, row in zip(matrix, rows.jacobian(place)[:count], strict=True):
        for k, own in row.items():
            scale = 1.0 if relative.tree.nodes[k].kind == "slide" else 1.0 / relative.length
            line[first[k] : first[k] + len(own)] = [scale * y for y in own]
    sizes = np.linalg.norm(matrix, axis=1)
    matrix /= np.where(sizes > 0.0, sizes, 1.0)[:, None]

    def dependencies(part: np.ndarray) -> np.ndarray:
        u, s, _ = np.linalg.svd(part)
        return np.asarray(u[:, int(np.sum(s > DEPENDENT)) :])

    weights = np.max(np.abs(dependencies(matrix)), axis=1, initial=0.0)
    found = set(np.flatnonzero(weights > IN_DEPENDENCY).tolist())
    return found, dependencies(matrix[: rows.positions]).shape[1]


def _leaves(relative: Relative, x: Sequence[float]) -> float:
    """The largest error that refinement leaves in the accelerations along the rows, relative to the largest one."""
    tree = relative.constrained(relative.place(relative.state(x)))
    return tree.remainder(np.random.default_rng(1).normal(size=len(tree.others)).tolist())
