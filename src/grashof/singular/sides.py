"""Whether steps stay on their side of singular positions.

For neighbouring positions 0 and 1 on a branch without singular positions, det(J₁ J₀ᵀ) > 0 for the gradients J of the
rows there. The sign changes where a simple node is passed, and where a step jumps from one arm of a hyperbola to the
other. Machine code, which follows the pattern of the rows, decides by the pivots of elimination without row exchanges,
for single runs and for those in lanes (see `integrate.lanes.sides`). In single runs it only saves time: if all pivots
are clearly positive, so is the determinant; otherwise the determinant itself is computed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from grashof.formulation.natural.equations import UNHELD
from grashof.formulation.protocol import Formulation
from grashof.scalar.functions import Scalar, absolute, sign, where
from grashof.singular.scaled_constraints import independent_rows, unit_rows
from grashof.tape import Library, Tape, emit, trace
from grashof.tape.arrays import over_rows

Array = NDArray[np.float64]

SIDES = 64
"""Largest number of rows for which steps are checked for changes of side; the determinants of more rows would take
as long as the run."""

TURNED = 0.3
"""If the directions of a row at both ends of a step have a cosine smaller than this, the step is examined inside,
too."""

MEMORY = 50_000_000
"""Largest memory for rows at many positions, bytes."""

MANY_ROWS, MANY_STEPS = 16, 1000
"""The machine code for at least this many rows is made after this many steps of a mechanism: by then, determinants have
taken about as long as compiling takes. That for fewer rows is made with the program."""

STRAIGHT, ALIKE, SQUARE, SIGN = range(4)
"""The outputs of `sides`: the first is positive if no row has turned far and all pivots are positive, the second if
all pivots are; the third is the square of the determinant, for rows of unit length, and the last is its sign."""

Pattern = Sequence[Sequence[int]]
"""For each row, the columns of its entries, which are stored one after another in this order."""

VANISHING = 1e-8
"""Smaller pivots, relative to a row's squared length, may have the wrong sign."""

_Rows = list[dict[int, Scalar]]


def side_tapes(pattern: Pattern, redundant: int) -> dict[str, Tape]:
    """`sides` of J₀ and J₁, and `far` of J and d."""
    count, order = sum(map(len, pattern)), _order(pattern)
    more = 1.0 + (UNHELD**2 if redundant else 0.0)

    def sides(before: Sequence[Scalar], after: Sequence[Scalar]) -> list[Scalar]:
        old, new = _rows(pattern, before), _rows(pattern, after)
        pivots = _pivots(_scale_diagonal(_products(new, old), more), order)
        alike = _all_positive(pivots)
        straight = where(_all_positive(_little_turned(new, old)), alike, -1.0)
        return [straight, alike, _square(new, old, pivots, order), math.prod(map(sign, pivots))]

    def far(entries: Sequence[Scalar], distance: Sequence[Scalar]) -> list[Scalar]:
        rows = _rows(pattern, entries)
        pivots = _pivots(_scale_diagonal(_products(rows, rows), 1.0 - distance[0] * distance[0]), order)
        if not redundant:
            return [_all_positive(pivots)]
        certain = _all_positive(
            absolute(x) - VANISHING * _product(rows[i], rows[i]) for i, x in zip(order, pivots, strict=True)
        )
        positive = sum(where(x, 1.0, 0.0) for x in pivots)
        return [where(certain, positive - (len(rows) - redundant - 0.5), -1.0)]

    return {"sides": trace(sides, count, count), "far": trace(far, count, 1)}


def certainly_alike(pattern: Pattern, before: Sequence[Scalar], after: Sequence[Scalar]) -> list[Scalar]:
    """Of J₀ and J₁: a number that is positive only if no pivot is small enough to have the wrong sign, and no row has
    turned far; and the square of the determinant, for rows of unit length."""
    old, new, order = _rows(pattern, before), _rows(pattern, after), _order(pattern)
    pivots = _pivots(_products(new, old), order)
    large = [x - VANISHING * _product(new[i], old[i]) for i, x in zip(order, pivots, strict=True)]
    return [_all_positive([*_little_turned(new, old), *large]), _square(new, old, pivots, order)]


def alike_tape(dynamics: Formulation) -> Tape:
    """`certainly_alike` of the states x = [t, y] before and after a step."""
    size, pattern = 1 + dynamics.layout.size, dynamics.rows.pattern

    def alike(before: Sequence[Scalar], after: Sequence[Scalar]) -> list[Scalar]:
        return certainly_alike(pattern, dynamics.gradients(before), dynamics.gradients(after))

    return trace(alike, size, size)


def further_tapes(dynamics: Formulation, *, redundant: bool) -> dict[str, Tape]:
    """The functions of the library of a mechanism by which its steps are checked. Of redundant rows, the pivots are
    zero."""
    few = dynamics.rows.closed and dynamics.rows.count < MANY_ROWS and not redundant
    return {"alike": alike_tape(dynamics)} if few else {}


class Sides:
    """The rows of a mechanism, of which `redundant` are implied by others at every position, at the steps of its
    runs.

    library   that of the mechanism, which may have the function `alike`
    """

    def __init__(self, dynamics: Formulation, redundant: int, library: Library | None = None) -> None:
        self.dynamics, self.redundant, self.steps = dynamics, redundant, 0
        self._library = library if library is not None and library.has("alike") else None

    def alike(self, t: Array, y: Array, turned: float = TURNED) -> NDArray[np.bool_]:
        """Whether neighbouring states y = [q, v, …] at times t are certainly on the same side; no row may have
        turned by more than the angle with this cosine."""
        return self.compared(t, y, turned)[0]

    def compared(self, t: Array, y: Array, turned: float = TURNED) -> tuple[NDArray[np.bool_], Array]:
        """The same, and the squares of the determinants for rows of unit length, which are small next to singular
        positions."""
        self.steps += len(t) - 1
        late = self.dynamics.rows.count >= MANY_ROWS and self.steps >= MANY_STEPS
        if (self._library is None and not late) or self.redundant or turned != TURNED:
            return self._by_determinants(t, y, turned)
        states = np.column_stack([t, y])
        found = over_rows((self._library or _compile(self.dynamics)).address("alike"), states[:-1], states[1:], 2)
        alike, squares = found[:, 0] > 0.0, found[:, 1]
        uncertain = np.flatnonzero(~alike)
        for part in np.split(uncertain, 1 + np.flatnonzero(np.diff(uncertain) > 1)) if len(uncertain) else ():
            rows = slice(part[0], part[-1] + 2)
            alike[part], squares[part] = self._by_determinants(t[rows], y[rows], turned)
        return alike, squares

    def _by_determinants(self, t: Array, y: Array, turned: float) -> tuple[NDArray[np.bool_], Array]:
        """The same by determinants alone."""
        layout, alike, squares = self.dynamics.layout, np.ones(len(t) - 1, bool), np.ones(len(t) - 1)
        stride = max(1, MEMORY // (8 * self.dynamics.rows.count * self.dynamics.n))
        for first in range(0, len(alike), stride):
            part = slice(first, first + stride + 1)
            rows = self.dynamics.jacobians(t[part], y[part, layout.of_q], y[part, layout.of_angles])
            steps = slice(first, first + stride)
            alike[steps], squares[steps] = compare_sides(rows, self.redundant, turned)
        return alike, squares


def compare_sides(rows: Array, redundant: int, turned: float = TURNED) -> tuple[NDArray[np.bool_], Array]:
    """`Sides.compared` by determinants, given J at the states, (k, m, n)."""
    if redundant:
        rows = rows[:, independent_rows(unit_rows(rows[0]), rows.shape[1] - redundant)]
    products = rows[1:] @ rows[:-1].transpose(0, 2, 1)
    sizes = np.sqrt(np.einsum("kij,kij->ki", rows, rows))
    cosines = sizes[1:] * sizes[:-1]
    turns = np.einsum("kii->ki", products) - turned * cosines
    determinants = np.linalg.det(products)
    with np.errstate(all="ignore"):
        squares = np.square(determinants / cosines.prod(axis=1))
    return np.asarray((determinants > 0.0) & (turns > 0.0).all(axis=1)), squares


@lru_cache(maxsize=16)
def _compile(dynamics: Formulation) -> Library:
    """A library with the function `alike`: a program with loops, which is compiled fast."""
    return Library(emit({"alike": alike_tape(dynamics)}, unroll=False))


def _rows(pattern: Pattern, entries: Sequence[Scalar]) -> _Rows:
    entry = iter(entries)
    return [{a: next(entry) for a in columns} for columns in pattern]


def _product(a: dict[int, Scalar], b: dict[int, Scalar]) -> Scalar:
    total: Scalar = 0.0
    for column, x in a.items():
        if column in b:
            total = total + x * b[column]
    return total


def _little_turned(new: _Rows, old: _Rows) -> list[Scalar]:
    """For each row, a number that is positive if its directions differ by less than the angle with the cosine
    `TURNED`."""
    found = []
    for a, b in zip(new, old, strict=True):
        cosine = _product(a, b)
        found.append(cosine * absolute(cosine) - TURNED**2 * (_product(a, a) * _product(b, b)))
    return found


def _products(a: _Rows, b: _Rows) -> _Rows:
    """A Bᵀ, without entries that are always zero."""
    return [{j: _product(x, y) for j, y in enumerate(b) if x.keys() & y.keys()} for x in a]


def _scale_diagonal(matrix: _Rows, factor: Scalar) -> _Rows:
    """The matrix with its diagonal multiplied by a factor."""
    return [{j: factor * x if j == i else x for j, x in row.items()} for i, row in enumerate(matrix)]


def _pivots(matrix: _Rows, order: Sequence[int]) -> list[Scalar]:
    """The pivots of elimination in the given order, without exchanges."""
    rows, found, left = [dict(row) for row in matrix], [], set(order)
    for k in order:
        left.discard(k)
        pivot = rows[k].get(k, 0.0)
        found.append(pivot)
        for i in [i for i in left if k in rows[i]]:
            factor = rows[i].pop(k) / pivot
            for j, x in rows[k].items():
                if j in left:
                    rows[i][j] = rows[i].get(j, 0.0) - factor * x
    return found


def _square(new: _Rows, old: _Rows, pivots: Sequence[Scalar], order: Sequence[int]) -> Scalar:
    """The square of the determinant, for rows of unit length."""
    square: Scalar = 1.0
    for i, x in zip(order, pivots, strict=True):
        square = square * (x * x / (_product(new[i], new[i]) * _product(old[i], old[i])))
    return square


def _order(pattern: Pattern) -> list[int]:
    """An elimination order with little fill-in: always the row with the fewest neighbours (minimum degree)."""
    columns = [set(row) for row in pattern]
    near: list[set[int]] = [
        {j for j, other in enumerate(columns) if j != i and row & other} for i, row in enumerate(columns)
    ]
    left, order = set(range(len(columns))), []
    while left:
        k = min(left, key=lambda i: (len(near[i]), i))
        left.discard(k)
        order.append(k)
        for i, j in combinations(near[k], 2):
            near[i].add(j)
            near[j].add(i)
        for i in near[k]:
            near[i].discard(k)
    return order


def _all_positive(numbers: Iterable[Scalar]) -> Scalar:
    """1 if all are positive, otherwise −1; NaN does not count as positive."""
    result: Scalar = 1.0
    for x in numbers:
        result = where(x, result, -1.0)
    return result
