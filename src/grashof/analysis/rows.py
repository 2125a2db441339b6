"""The constraint rows at many positions at once.

Rows are quadratic in q, and those of motors are sums of quadratic expressions with factors that depend on time:

    Φ_k(t, q) = Σ_j f_j(t) E_j(q),    E_j(q) = c_j + g_jᵀ q + ½ qᵀ H_j q

so that constant tables give values, gradients and second derivatives by products of matrices.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from grashof.dynamics.equations import Dynamics
from grashof.scalar.jet import Jet

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of a mechanism with n coordinates: m of them, made of e expressions.

    The gradients of the expressions have p entries that are not always zero: entry i belongs to expression `owner[i]` and to coordinate
    `column[i]`, and is slope₀[i] + q · slope[:, i].
    """

    dynamics: Dynamics
    owner: NDArray[np.int64]  # (p,)
    column: NDArray[np.int64]  # (p,)
    slope0: Array  # (p,)
    slope: Array  # (n, p)
    row: NDArray[np.int64]  # (e,): which row an expression is part of

    @property
    def n(self) -> int:
        """Number of coordinates."""
        return self.dynamics.n

    @property
    def m(self) -> int:
        """Number of rows."""
        return self.dynamics.kkt.m

    def factors(self, t: Array) -> tuple[Array, Array]:
        """f_j and ḟ_j at k times, (k, e) each."""
        fixed = len(self.dynamics.system.rows)
        values, rates = np.ones((len(t), len(self.row))), np.zeros((len(t), len(self.row)))
        terms = [factor for motor in self.dynamics.system.motors for factor, _ in motor.terms]
        for j, factor in enumerate(terms, start=fixed):
            with np.errstate(divide="ignore", invalid="ignore"):  # laws may have no rate at a kink
                found = factor(Jet(t, 1.0, 0.0))
            values[:, j], rates[:, j] = (found.value, found.first) if isinstance(found, Jet) else (found, 0.0)
        return values, rates

    def jacobians(self, t: Array, q: Array, *, rates: bool = False) -> Array:
        """J, (k, m, n); its rates at fixed positions, if asked for."""
        entries = self.slope0 + q @ self.slope
        place = self.row[self.owner] * self.n + self.column
        rows = np.zeros((len(q), self.m * self.n))
        fixed = int(np.searchsorted(self.owner, len(self.dynamics.system.rows)))
        if not rates:
            rows[:, place[:fixed]] = entries[:, :fixed]
        if fixed < len(place):
            weights = self.factors(t)[1 if rates else 0][:, self.owner[fixed:]]
            np.add.at(rows.T, place[fixed:], (weights * entries[:, fixed:]).T)
        return rows.reshape(len(q), self.m, self.n)

    def hessian(self, t: float, weights: Array) -> Array:
        """Σ_k w_k ∂²Φ_k/∂q², (n, n)."""
        factors = self.factors(np.array([t]))[0][0]
        total = np.zeros((self.n, self.n))
        np.add.at(total, self.column, ((weights[self.row] * factors)[self.owner] * self.slope).T)
        return total


@lru_cache(maxsize=16)
def rows_of(dynamics: Dynamics) -> Rows:
    """The tables of a mechanism."""
    system, n = dynamics.system, dynamics.n
    parts = [(k, row.expression) for k, row in enumerate(system.rows)]
    for k, motor in enumerate(system.motors, start=len(system.rows)):
        parts += [(k, expression) for _, expression in motor.terms]
    # at zero and at each unit vector: gradients are affine
    places = list(np.vstack([np.zeros(n), np.eye(n)]).T)
    owner, column, slopes = [], [], []
    for j, (_, expression) in enumerate(parts):
        for a, x in expression.gradient(places).items():
            owner.append(j)
            column.append(a)
            slopes.append(np.broadcast_to(x, n + 1))
    table = np.array(slopes, float).reshape(len(slopes), n + 1).T
    return Rows(
        dynamics,
        np.array(owner, int),
        np.array(column, int),
        table[0],
        table[1:] - table[0],
        np.array([k for k, _ in parts], int),
    )
