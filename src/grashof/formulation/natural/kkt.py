"""The linear algebra of constrained dynamics, for redundant and singular constraints alike.

    [ M    Jᵀ ] [ x ]   [ f ]
    [ J   −E  ] [ λ ] = [ g ]        E = diag(ε_k) > 0

is symmetric quasi-definite (Vanderbei, 1995): L D Lᵀ exists in any order and at any rank of J, so neither redundancy
nor a singular position is a special case. Refinement against E = 0 removes the effect of ε where the rank is full;
where it is not, ε selects the multipliers. The elimination order is minimum degree, with one restriction: a multiplier
comes only after all coordinates of one of its points; otherwise ε could become its pivot.

Where M is singular (massless links, the spin of a slender bar) the first block is M + Jᵀ A J with A = diag(α_k), and Jᵀ
A g is added to f: the solution is the same and the matrix is again quasi-definite.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from grashof.scalar.functions import Scalar
from grashof.tape import block

Pattern = tuple[tuple[int, ...], ...]
"""For each row of J, the columns that may be non-zero."""


@dataclass(frozen=True, eq=False)
class Kkt:
    """The structure of the matrix; its methods take and return flat lists, and are traced as separate functions.

    n, m      sizes of M and of J's rows
    mass      lower triangle of M
    pattern   columns of each row of J; the values of J are stored as a flat list in this order
    epsilon   ε_k
    softening ∂ε_k/∂softness
    augment   α_k, all zero where M is regular
    inertial  further rows g of the matrix M + Σ w g gᵀ, by their columns; their values follow those of J
    weights   w of these rows
    order     elimination order of the n + m unknowns
    lower     for each step i, the earlier steps j with L_ij ≠ 0
    """

    n: int
    m: int
    mass: dict[tuple[int, int], float]
    pattern: Pattern
    epsilon: tuple[float, ...]
    softening: tuple[float, ...]
    augment: tuple[float, ...]
    order: tuple[int, ...]
    lower: Pattern
    inertial: Pattern = ()
    weights: tuple[float, ...] = ()

    @property
    def operations(self) -> int:
        """About how many multiplications and additions one solution takes: with c_j entries of L in column j, c_j² to
        factor the matrix and 4 c_j to solve with it, and again to refine the solution."""
        counts = Counter(j for row in self.lower for j in row)
        return sum(c * (c + 8) for c in counts.values())

    @block(general=["softness"])
    def factor(self, jacobian: Sequence[Scalar], softness: Scalar = 0.0) -> list[Scalar]:
        """L D Lᵀ of the matrix at these values of J, with E + softness · softening: the entries of L, then 1/D."""
        place = {unknown: i for i, unknown in enumerate(self.order)}
        matrix: list[dict[int, Scalar]] = [{} for _ in self.order]

        def put(a: int, b: int, x: Scalar) -> None:
            i, j = place[a], place[b]
            i, j = max(i, j), min(i, j)
            matrix[i][j] = matrix[i][j] + x if j in matrix[i] else x

        for (a, b), x in self.mass.items():
            put(a, b, x)
        for k, row in enumerate(self.rows(jacobian)):
            for a, x in row.items():
                put(self.n + k, a, x)
            put(self.n + k, self.n + k, -self.epsilon[k] - self.softening[k] * softness)
            if self.augment[k]:
                for a, x in row.items():
                    for b, y in row.items():
                        if b <= a:
                            put(a, b, self.augment[k] * (x * y))
        for w, row in zip(self.weights, self.inertial_rows(jacobian), strict=True):
            for a, x in row.items():
                for b, y in row.items():
                    if b <= a:
                        put(a, b, w * (x * y))

        # row by row: y = L_ij D_j for the entries found so far (up-looking)
        rows: list[dict[int, Scalar]] = []
        columns: list[list[int]] = [[] for _ in self.order]
        inverse: list[Scalar] = []
        for i, pattern in enumerate(self.lower):
            y = {j: matrix[i].get(j, 0.0) for j in pattern}
            pivot = matrix[i].get(i, 0.0)
            row = {}
            for j in pattern:
                row[j] = y[j] * inverse[j]
                pivot = pivot - row[j] * y[j]
                for k in columns[j]:
                    if k in y:
                        y[k] = y[k] - rows[k][j] * y[j]
            for j in pattern:
                columns[j].append(i)
            rows.append(row)
            inverse.append(1.0 / pivot)
        return [x for row in rows for x in row.values()] + inverse

    @block(general=["right"])
    def solve(self, factors: Sequence[Scalar], right: Sequence[Scalar]) -> list[Scalar]:
        """(x, λ) for the right-hand side (f, g)."""
        size = self.n + self.m
        inverse = factors[len(factors) - size :]
        entry = iter(factors)
        rows = [{j: next(entry) for j in pattern} for pattern in self.lower]
        b = [right[unknown] for unknown in self.order]
        for i, row in enumerate(rows):
            for j, l in row.items():
                b[i] = b[i] - l * b[j]
        b = [x * d for x, d in zip(b, inverse, strict=True)]
        for i in range(size - 1, -1, -1):
            for j, l in rows[i].items():
                b[j] = b[j] - l * b[i]
        result: list[Scalar] = [0.0] * size
        for unknown, x in zip(self.order, b, strict=True):
            result[unknown] = x
        return result

    @block
    def residual(self, jacobian: Sequence[Scalar], right: Sequence[Scalar], solution: Sequence[Scalar]) -> list[Scalar]:
        """(f − M x − Jᵀ λ, g − J x): the residual for E = 0."""
        rest = list(right)
        for (a, b), x in self.mass.items():
            rest[a] = rest[a] - x * solution[b]
            if a != b:
                rest[b] = rest[b] - x * solution[a]
        for w, row in zip(self.weights, self.inertial_rows(jacobian), strict=True):
            moved: Scalar = 0.0
            for a, x in row.items():
                moved = moved + x * solution[a]
            for a, x in row.items():
                rest[a] = rest[a] - x * (w * moved)
        for k, row in enumerate(self.rows(jacobian)):
            for a, x in row.items():
                rest[a] = rest[a] - x * solution[self.n + k]
                rest[self.n + k] = rest[self.n + k] - x * solution[a]
        return rest

    @block
    def augmented(self, jacobian: Sequence[Scalar], right: Sequence[Scalar]) -> list[Scalar]:
        """The right-hand side that goes with the augmented first block: f + Jᵀ A g."""
        result = list(right)
        for k, row in enumerate(self.rows(jacobian)):
            if self.augment[k]:
                for a, x in row.items():
                    result[a] = result[a] + x * (self.augment[k] * right[self.n + k])
        return result

    def solve_refined(
        self, jacobian: Sequence[Scalar], factors: Sequence[Scalar], right: Sequence[Scalar], refinements: int
    ) -> list[Scalar]:
        """(x, λ), refined against E = 0."""
        solution = self.solve(factors, self.augmented(jacobian, right))
        for _ in range(refinements):
            rest = self.augmented(jacobian, self.residual(jacobian, right, solution))
            solution = [x + dx for x, dx in zip(solution, self.solve(factors, rest), strict=True)]
        return solution

    def corrections(
        self, jacobian: Sequence[Scalar], softness: Scalar = 0.0
    ) -> Callable[[Sequence[Scalar]], list[Scalar]]:
        """A function of g: the smallest x, in the metric of M, with J x = −g, as far as ε allows; with one
        factorisation."""
        factors = self.factor(jacobian, softness)
        still: list[Scalar] = [0.0] * self.n
        return lambda rest: self.solve(factors, self.augmented(jacobian, still + [-x for x in rest]))[: self.n]

    @property
    def entries(self) -> int:
        """Number of values of J, and of the rows of inertias."""
        return sum(map(len, (*self.pattern, *self.inertial)))

    def rows(self, jacobian: Sequence[Scalar]) -> list[dict[int, Scalar]]:
        """The flat values of J as rows {column: value}."""
        entry = iter(jacobian)
        return [{a: next(entry) for a in columns} for columns in self.pattern]

    def inertial_rows(self, jacobian: Sequence[Scalar]) -> list[dict[int, Scalar]]:
        """The rows of inertias, {column: value}, which follow those of J."""
        if not self.inertial:
            return []
        entry = iter(jacobian[sum(map(len, self.pattern)) :])
        return [{a: next(entry) for a in columns} for columns in self.inertial]


def refinements_needed(kkt: Kkt, jacobian: Sequence[float], goal: float = 1e-11, most: int = 8) -> int:
    """How many refinements recover a known x to the relative accuracy `goal`, with the given J."""
    rng = np.random.default_rng(1)
    known = [*rng.normal(size=kkt.n).tolist(), *rng.normal(size=kkt.m).tolist()]
    right = [-x for x in kkt.residual(jacobian, [0.0] * len(known), known)]
    factors = kkt.factor(jacobian)
    for count in range(1, most):
        found = kkt.solve_refined(jacobian, factors, right, count)
        if max((abs(x - y) for x, y in zip(found[: kkt.n], known, strict=False)), default=0.0) <= goal:
            return count
    return most


def make_kkt(
    n: int,
    mass: dict[tuple[int, int], float],
    pattern: Pattern,
    groups: Sequence[int],
    epsilon: Sequence[float] = (),
    softening: Sequence[float] = (),
    augment: Sequence[float] = (),
    inertial: Pattern = (),
    weights: Sequence[float] = (),
) -> Kkt:
    """Chooses the elimination order and finds the fill-in of the factor.

    groups: for each coordinate, the point or direction it belongs to. The next three have one number for each row.
    """
    m = len(pattern)
    neighbours: list[set[int]] = [set() for _ in range(n + m)]
    for a, b in mass:
        if a != b:
            neighbours[a].add(b)
            neighbours[b].add(a)
    for k, columns in enumerate(pattern):
        for a in columns:
            neighbours[a].add(n + k)
            neighbours[n + k].add(a)
            if augment[k]:
                neighbours[a].update(b for b in columns if b != a)
    for columns in inertial:
        for a in columns:
            neighbours[a].update(b for b in columns if b != a)
    order = _order(n, pattern, groups, [set(x) for x in neighbours])
    rows = tuple(epsilon), tuple(softening), tuple(augment)
    return Kkt(n, m, mass, pattern, *rows, order, _fill(order, neighbours), inertial, tuple(weights))


def _order(n: int, pattern: Pattern, groups: Sequence[int], neighbours: list[set[int]]) -> tuple[int, ...]:
    """Minimum degree; a multiplier is ready when every coordinate of one of its points is eliminated.

    Among equals, the one with the shortest chain of dependencies comes first: neighbouring instructions are then
    independent, and the processor can execute several at once.
    """
    waiting: list[dict[int, set[int]]] = []
    for columns in pattern:
        points: dict[int, set[int]] = {}
        for a in columns:
            points.setdefault(groups[a], set()).add(a)
        waiting.append(points)
    ready = [True] * n + [not columns for columns in pattern]
    done = [False] * len(neighbours)
    depth = [0] * len(neighbours)
    queue = [(len(neighbours[i]), 0, i) for i in range(len(neighbours)) if ready[i]]
    heapq.heapify(queue)
    order = []
    while queue:
        degree, level, i = heapq.heappop(queue)
        if done[i] or degree != len(neighbours[i]) or level != depth[i]:
            continue
        done[i] = True
        order.append(i)
        around = neighbours[i]
        for k in around:
            neighbours[k].discard(i)
            neighbours[k].update(around - {k})
            depth[k] = max(depth[k], depth[i] + 1)
            if k >= n and i < n and not ready[k]:
                left = waiting[k - n].get(groups[i], {-1})
                left.discard(i)
                ready[k] = not left
            if ready[k]:
                heapq.heappush(queue, (len(neighbours[k]), depth[k], k))
    return tuple(order)


def _fill(order: tuple[int, ...], neighbours: list[set[int]]) -> Pattern:
    """The pattern of L, from the elimination tree: each row's path of ancestors."""
    place = {unknown: i for i, unknown in enumerate(order)}
    parent = [-1] * len(order)
    lower = []
    for i, unknown in enumerate(order):
        found: set[int] = set()
        for other in neighbours[unknown]:
            j = place[other]
            while j < i and j != -1 and j not in found:
                found.add(j)
                if parent[j] == -1:
                    parent[j] = i
                j = parent[j]
        found.discard(i)
        lower.append(tuple(sorted(found)))
    return tuple(lower)
