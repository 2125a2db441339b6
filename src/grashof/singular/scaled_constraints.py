"""Constraint rows scaled for Newton's method, which is used to find singular positions (see `nodes` and `folds`)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grashof.formulation.natural.couplings import Turns
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.natural.row_tables import row_tables_of
from grashof.scalar.jet import Jet

Array = NDArray[np.float64]

ITERATIONS = 16
"""Largest number of Newton iterations: a few to come near, and three or four for full accuracy."""

CONVERGED = 1e-9
"""Size of the last step, relative to the mechanism's length: the next one would be round-off."""

LONGEST = 0.2
"""The longest step, relative to the mechanism's length."""

DAMPING = 1e-12
"""Damping of the least-squares steps, relative to the largest square: it prevents motion along directions in which
there are further critical points."""

NODES, WEIGHTS = 0.5 + 0.5 * np.polynomial.legendre.leggauss(8)[0], 0.5 * np.polynomial.legendre.leggauss(8)[1]
"""Gauss–Legendre quadrature on [0, 1]."""


def least_squares_step(matrix: Array, right: Array) -> Array:
    """The step of Newton's method; the shortest one, if there are several solutions."""
    normal = matrix.T @ matrix
    normal[np.diag_indices_from(normal)] += DAMPING * np.max(np.diag(normal))
    return np.asarray(np.linalg.solve(normal, matrix.T @ right))


@dataclass(frozen=True, eq=False)
class Scaled:
    """Independent, scaled rows as functions of x = [q/length, (t − begin)/clock]; the last component exists only if
    there are motors.

    unit   factors that make the gradients of the chosen rows unit vectors at the start
    """

    dynamics: Dynamics
    begin: float
    clock: float
    chosen: NDArray[np.int64]
    unit: Array
    turns: Array | None

    @classmethod
    def around(cls, dynamics: Dynamics, t: float, q: Array, redundant: int, rate: float, turns: Array | None) -> Scaled:
        jacobian = dynamics.jacobians(np.array([t]), q[None], None if turns is None else turns[None])[0]
        chosen = independent_rows(unit_rows(jacobian), len(jacobian) - redundant)
        sizes = np.linalg.norm(jacobian[chosen], axis=1)
        unit = 1.0 / np.where(sizes > 0.0, sizes, 1.0)
        return cls(dynamics, t, 1.0 / rate if rate else 0.0, chosen, unit, turns)

    @property
    def size(self) -> int:
        """The length of x."""
        return self.dynamics.n + bool(self.clock)

    def located(self, x: Array) -> tuple[float, Array]:
        """t and q."""
        n = self.dynamics.n
        return self.begin + (self.clock * float(x[n]) if self.clock else 0.0), self.dynamics.length * x[:n]

    def turns_at(self, t: float) -> Array:
        """The tracked angles at a time, if they are known: those driven by motors of a given speed advance with it."""
        assert self.turns is not None
        if not self.clock:
            return self.turns
        model, tracked = self.dynamics.model, self.dynamics.system.tracked
        driven = [(tracked.index(name), motor) for motor in model.motors for name in motor.integrates]
        found, span = self.turns.copy(), t - self.begin
        for place, motor in driven:
            rates = motor.value(Jet(self.begin + span * NODES, 1.0, 0.0)).first
            found[place] += span * float(np.sum(WEIGHTS * rates))
        return found

    def first_weights(self, x: Array) -> Array:
        """The combination of rows with the smallest gradient."""
        u: Array = np.linalg.svd(self.slopes(x))[0]
        return u[:, -1]

    def at(self, x: Array, weights: Array) -> tuple[Array, Array, Array]:
        """Φ/length, its gradients, and the second derivatives of its weighted sum."""
        return self.errors(x), self.slopes(x), self.curvature(x, weights)

    def errors(self, x: Array) -> Array:
        """Φ/length."""
        t, place, turns = self._known(x)
        values = self.dynamics.rows.violation(t, place.tolist(), turns)
        return np.asarray(self.unit * np.array(values, float)[self.chosen] / self.dynamics.length)

    def slopes(self, x: Array) -> Array:
        """The gradients of Φ/length."""
        dynamics, n, unit = self.dynamics, self.dynamics.n, self.unit
        t, place, turns = self._known(x)
        found = np.empty((len(unit), len(x)))
        near = None if self.turns is None else self.turns_at(t)[None]
        found[:, :n] = unit[:, None] * dynamics.jacobians(np.array([t]), place[None], near)[0, self.chosen]
        if self.clock:
            slip = np.array(dynamics.rows.slip(t, place.tolist(), turns), float)[self.chosen]
            found[:, n] = unit * slip * self.clock / dynamics.length
        return found

    def curvature(self, x: Array, weights: Array) -> Array:
        """The second derivatives of the weighted sum of Φ/length."""
        dynamics, n, rows = self.dynamics, self.dynamics.n, row_tables_of(self.dynamics)
        t, place, turns = self._known(x)
        angles = None if self.turns is None else self.turns_at(t)
        of_row = np.zeros(dynamics.rows.count)
        of_row[self.chosen] = self.unit * weights
        found = np.empty((len(x), len(x)))
        found[:n, :n] = dynamics.length * rows.hessian(t, place, of_row, angles)
        if self.clock:
            near = None if angles is None else angles[None]
            mixed = self.clock * (of_row @ rows.jacobians(np.array([t]), place[None], near, rates=True)[0])
            found[n, :n] = found[:n, n] = mixed
            second = np.array(dynamics.rows.bias(t, place.tolist(), [0.0] * n, turns), float)  # −Φ_tt
            found[n, n] = -(self.clock**2) * (of_row @ second) / dynamics.length
        return found

    def _known(self, x: Array) -> tuple[float, Array, Turns]:
        """t, q and the tracked angles on which rows depend."""
        t, place = self.located(x)
        return t, place, [] if self.turns is None else self.dynamics.rows.turns(self.turns_at(t).tolist())


def unit_rows(rows: Array) -> Array:
    """Rows of unit length."""
    sizes = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(sizes > 0.0, sizes, 1.0))


def independent_rows(rows: Array, count: int) -> NDArray[np.int64]:
    """Indices of `count` rows, each of which is the farthest from the span of the previous ones."""
    if count == len(rows):
        return np.arange(count)
    rest, chosen = rows.copy(), []
    for _ in range(count):
        k = int(np.argmax(np.linalg.norm(rest, axis=1)))
        chosen.append(k)
        direction = rest[k] / np.linalg.norm(rest[k])
        rest -= np.outer(rest @ direction, direction)
    return np.array(sorted(chosen))
