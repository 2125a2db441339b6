"""Closing loops: positions that satisfy all equations, near a given one.

Levenberg–Marquardt with least-norm steps, δ = −Jᵀ (J Jᵀ + μ)⁻¹ Φ, by a sparse factorisation. A small damping always
remains, so that redundant equations and singular positions need no special treatment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np

from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.natural.forms import Expression
from grashof.formulation.natural.kkt import Kkt, make_kkt
from grashof.scalar.algebra import norm

CLOSED = 1e-12
"""Loops are closed when no equation misses by more than this fraction of the mechanism's length."""

DEPENDENT = 1e-6
"""An equation is redundant if its gradient is a combination of other gradients up to this fraction of its length."""

SMALLEST_DAMPING = 1e-13
"""Smallest damping, relative to the square of the largest gradient: it must exceed the round-off in the pivot of a
redundant row."""

LARGEST = 300
"""Largest number of rows for which all singular values are computed; this takes some hundredths of a second."""


@dataclass(frozen=True, eq=False)
class Positions:
    """The constraint rows at a time, and conditions (expressions that are to be zero, in metres).

    turns   approximate values of tracked angles, if rows depend on their whole turns; without them angles are within ±π
    """

    dynamics: Dynamics
    time: float
    conditions: Sequence[Expression] = ()
    turns: Sequence[float] = ()

    @cached_property
    def _pattern(self) -> tuple[tuple[int, ...], ...]:
        given = [tuple(sorted(condition.gradient([1.0] * self.dynamics.n))) for condition in self.conditions]
        return (*self.dynamics.rows.pattern, *given)

    @cached_property
    def _normal(self) -> Kkt:
        """The structure of J Jᵀ: rows that share coordinates."""
        rows_of: dict[int, list[int]] = {}
        for k, columns in enumerate(self._pattern):
            for a in columns:
                rows_of.setdefault(a, []).append(k)
        pairs = {(k, l): 1.0 for rows in rows_of.values() for k in rows for l in rows if l <= k}
        return make_kkt(len(self._pattern), pairs, (), range(len(self._pattern)))

    @property
    def length(self) -> float:
        """The mechanism's length, m."""
        return self.dynamics.length

    def errors(self, q: np.ndarray) -> np.ndarray:
        """All equations at q, m."""
        values = q.tolist()
        rows = self.dynamics.rows.violation(self.time, values, self.turns) + [x.at(values) for x in self.conditions]
        return np.array(rows, float)

    def gradients(self, q: np.ndarray) -> list[dict[int, float]]:
        """The rows of J at q."""
        values = q.tolist()
        rows = self.dynamics.rows.by_row(self.dynamics.rows.jacobian(self.time, values, self.turns))
        return rows + [condition.gradient(values) for condition in self.conditions]

    def _factored(self, rows: list[dict[int, float]], damping: float) -> tuple[Kkt, list[float]]:
        """L D Lᵀ of J Jᵀ + μ."""
        matrix = {}
        for k, l in self._normal.mass:
            shorter, longer = sorted((rows[k], rows[l]), key=len)
            matrix[k, l] = sum(x * longer[a] for a, x in shorter.items() if a in longer)
        # the same for all rows; otherwise the step might not lead downhill
        largest = max([1.0, *(x for (k, l), x in matrix.items() if k == l)])
        for k in range(len(rows)):
            matrix[k, k] = matrix.get((k, k), 0.0) + damping * largest
        normal = replace(self._normal, mass=matrix)
        return normal, normal.factor([])

    def correction(self, q: np.ndarray, errors: np.ndarray, damping: float) -> np.ndarray:
        """The shortest step that would remove the errors if J were constant and there were no damping."""
        rows = self.gradients(q)
        normal, factors = self._factored(rows, damping)
        return _combine_rows(rows, normal.solve(factors, (-errors).tolist()), self.dynamics.n)

    def rank(self, q: np.ndarray) -> int:
        """Number of independent equations at q."""
        return len(self._pattern) - len(self.dependencies(q))

    def dependencies(self, q: np.ndarray) -> np.ndarray:
        """All w with wᵀ J = 0 at q, within DEPENDENT, as rows: orthonormal if the equations are scaled to unit
        gradients."""
        if len(self._pattern) > LARGEST:
            return self._few_dependencies(q)
        rows, sizes = self.unit_rows(q)
        u, s, _ = np.linalg.svd(rows)
        return np.asarray(u[:, int(np.sum(s > DEPENDENT)) :].T / sizes)

    def unit_rows(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """J at q with rows of unit length, and their original lengths."""
        rows = np.zeros((len(self._pattern), self.dynamics.n))
        for line, row in zip(rows, self.gradients(q), strict=True):
            line[list(row)] = list(row.values())
        sizes = np.linalg.norm(rows, axis=1)
        sizes = np.where(sizes > 0.0, sizes, 1.0)
        return rows / sizes[:, None], sizes

    def _few_dependencies(self, q: np.ndarray) -> np.ndarray:
        """Dependencies by inverse iteration on J Jᵀ + μ, with more vectors than there are dependencies.

        The factors of a positive definite matrix are accurate in any order. In each sweep a dependency (σ < DEPENDENT)
        grows by a factor of ninety or more relative to all w with σ > 10 DEPENDENT. The result is checked by |Jᵀ w|,
        without squaring.
        """
        rows = self.gradients(q)
        sizes = np.array([sum(x * x for x in row.values()) ** 0.5 or 1.0 for row in rows])
        units = [{a: x / size for a, x in row.items()} for row, size in zip(rows, sizes, strict=True)]
        rng = np.random.default_rng(1)
        normal, factors = self._factored(units, SMALLEST_DAMPING)
        count = 16
        while True:
            count = min(count, len(units))
            block = rng.normal(size=(len(units), count))
            for _ in range(4):
                solved = normal.solve(factors, list(block))  # each unknown is a row of the block
                block = np.linalg.qr(np.array(solved))[0]
            _, s, vt = np.linalg.svd(_combine_rows(units, block, self.dynamics.n), full_matrices=False)
            small = s <= DEPENDENT
            if count == len(units) or not np.all(small):
                return np.asarray((block @ vt[small].T).T / sizes)
            count *= 4

    def free_part(self, q: np.ndarray, direction: np.ndarray) -> np.ndarray:
        """The part of a direction that violates no equation to first order; several directions are given as columns."""
        rows = self.gradients(q)
        normal, factors = self._factored(rows, SMALLEST_DAMPING)
        for _ in range(2):  # the second pass improves the accuracy
            rates = [sum((x * direction[a] for a, x in row.items()), 0.0 * direction[0]) for row in rows]
            direction = direction - _combine_rows(rows, normal.solve(factors, rates), self.dynamics.n)
        return direction

    def freedom(self, q: np.ndarray) -> int:
        """Degrees of freedom at q."""
        return self.dynamics.n - self.rank(q)


def _combine_rows(rows: list[dict[int, float]], weights: Sequence[float] | np.ndarray, n: int) -> np.ndarray:
    """Jᵀ w, for one w or for the columns of many."""
    total = np.zeros((n, *np.shape(weights)[1:]))
    for row, w in zip(rows, weights, strict=True):
        for a, x in row.items():
            total[a] += w * x
    return total


class Closable(Protocol):
    """Equations that `close` can solve."""

    @property
    def length(self) -> float:
        """The mechanism's length, m."""

    def errors(self, q: np.ndarray) -> np.ndarray:
        """All equations at q, m."""

    def correction(self, q: np.ndarray, errors: np.ndarray, damping: float) -> np.ndarray:
        """A step that reduces the errors."""


def close(positions: Closable, q: np.ndarray, most: int = 200) -> tuple[np.ndarray, int, float]:
    """Moves from q to a position where all equations hold: (q, iterations, largest error in m). The error tells
    whether this succeeded."""
    goal = CLOSED * positions.length
    damping = SMALLEST_DAMPING
    polished = False
    iterations = 0
    errors = positions.errors(q)
    best = norm(errors)
    while iterations < most and errors.size and not polished:
        iterations += 1
        polished = best < goal  # then one more step, which reduces the error to round-off
        step = positions.correction(q, errors, damping)
        new_errors = positions.errors(q + step)
        size = norm(new_errors)
        if size < best * (1.0 - 1e-6):
            q, errors, best = q + step, new_errors, size
            damping = max(damping * 0.1, SMALLEST_DAMPING)
        elif damping < 1e8:
            damping = max(damping * 10.0, 1e-6)
        else:
            break
    return q, iterations, float(np.max(np.abs(errors), initial=0.0))


def is_closed(positions: Positions, error: float) -> bool:
    """Whether an error is as small as round-off."""
    return error <= 100.0 * CLOSED * positions.length


def positions_nearby(positions: Positions, q: np.ndarray) -> Iterator[np.ndarray]:
    """Admissible positions near q: steps along its free directions, after which the loops are closed again.

    The first direction pushes everything the same way, as gravity would; the others are random. Where many loops are
    singular at once, a random direction moves each of them in a different way, and together they may find no admissible
    position.
    """
    rng = np.random.default_rng(1)
    n = positions.dynamics.n
    axes = dict(zip("xyz", rng.normal(size=3), strict=True))
    push = np.array([axes[label[-1]] for label in positions.dynamics.system.labels])
    for size, wish in ((0.01, push), (0.01, rng.normal(size=n)), (0.05, rng.normal(size=n))):
        direction = positions.free_part(q, wish)
        largest = float(np.max(np.abs(direction), initial=0.0))
        if largest < 1e-9:
            continue
        near, _, error = close(positions, q + direction * (size * positions.length / largest), most=50)
        if is_closed(positions, error):
            yield near


def leads_nowhere(positions: Positions, q: np.ndarray) -> bool:
    """Whether a step along a free direction leads close to admissible positions, but to none exactly."""
    direction = positions.free_part(q, np.random.default_rng(1).normal(size=positions.dynamics.n))
    largest = float(np.max(np.abs(direction), initial=0.0))
    if largest < 1e-9:
        return False
    error = close(positions, q + direction * (0.03 * positions.length / largest), most=20)[2]
    return not is_closed(positions, error) and error < 1e-3 * positions.length


def freedom_nearby(positions: Positions, q: np.ndarray) -> int:
    """The smallest number of degrees of freedom found at admissible positions near q.

    Motors are ignored here: their equations depend on time and are not part of the mechanism's geometry.
    """
    freedom = positions.freedom(q)
    if freedom == positions.dynamics.n - len(positions.dynamics.rows.pattern):
        return freedom  # all equations are independent: there cannot be fewer
    nearby = positions_nearby(Positions(positions.dynamics.undriven, positions.time, turns=positions.turns), q)
    return min([freedom, *(positions.freedom(near) for near in nearby)])
