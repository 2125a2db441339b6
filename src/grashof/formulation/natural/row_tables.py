"""The constraint rows in natural coordinates at many positions at once.

The rows of joints are quadratic,

    Φ_k(q) = c_k + g_kᵀ q + ½ qᵀ H_k q,

so that gradients and second derivatives follow from constant tables by matrix products. The rows of motors are
evaluated one by one, over arrays of positions. If there are other couplings, which may be arbitrary functions, all
couplings are evaluated by machine code.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from grashof.formulation.natural.couplings import Turns
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet
from grashof.tape import Library, emit, trace

if TYPE_CHECKING:
    from grashof.formulation.natural.equations import Dynamics

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RowTables:
    """The rows of a mechanism with n coordinates: m of them.

    The gradients of the joints' rows have p entries that are not always zero: entry i belongs to row `owner[i]` and to
    coordinate `column[i]`, and is slope₀[i] + q · slope[:, i].
    """

    dynamics: Dynamics
    owner: NDArray[np.int64]  # (p,)
    column: NDArray[np.int64]  # (p,)
    slope0: Array  # (p,)
    slope: Array  # (n, p)

    @property
    def n(self) -> int:
        """Number of coordinates."""
        return self.dynamics.n

    @property
    def m(self) -> int:
        """Number of rows."""
        return self.dynamics.rows.count

    @cached_property
    def place(self) -> NDArray[np.int64]:
        """Where the entries of the joints' rows are among all entries, row by row."""
        return self.owner * self.n + self.column

    def jacobians(self, t: Array, q: Array, turns: Array | None = None, *, rates: bool = False) -> Array:
        """J, (k, m, n), or with `rates` its rates of change at fixed positions.

        turns   tracked angles, (k, angles), if rows may depend on their whole turns
        """
        rows = np.zeros((len(q), self.m * self.n))
        if not rates:
            rows[:, self.place] = self.slope0 + q @ self.slope
        system = self.dynamics.system
        if not system.couplings:
            return rows.reshape(len(q), self.m, self.n)
        places, near = list(q.T), [] if turns is None else self.dynamics.rows.turns(list(turns.T))
        if not rates and not all(row.coupling.is_motor for row in system.couplings):
            first = len(system.rows)
            owner = [k for k, columns in enumerate(self.dynamics.rows.pattern[first:], start=first) for _ in columns]
            column = [a for columns in self.dynamics.rows.pattern[first:] for a in columns]
            rows[:, np.multiply(owner, self.n) + column] = _evaluate_couplings(self.dynamics, t, q, near, len(column))
            return rows.reshape(len(q), self.m, self.n)
        for k, row in enumerate(system.couplings, start=len(system.rows)):
            if rates and not row.timed:
                continue
            with np.errstate(divide="ignore", invalid="ignore"):  # at a kink a law may have no rate
                gradient = row.gradient(Jet(t, 1.0, 0.0) if rates else t, places, near)
            for a, x in gradient.items():
                rows[:, k * self.n + a] = _first(x) if rates else x
        return rows.reshape(len(q), self.m, self.n)

    def hessian(self, t: float, q: Array, weights: Array, turns: Array | None = None) -> Array:
        """Σ_k w_k ∂²Φ_k/∂q² at q, (n, n)."""
        total = np.zeros((self.n, self.n))
        np.add.at(total, self.column, (weights[self.owner] * self.slope).T)
        near = [] if turns is None else self.dynamics.rows.turns(turns.tolist())
        system = self.dynamics.system
        for w, row in zip(weights[len(system.rows) :], system.couplings, strict=True):
            for a in row.columns if w else ():
                moving = [Jet(x, 1.0 if b == a else 0.0, 0.0) for b, x in enumerate(q.tolist())]
                for b, x in row.gradient(t, moving, near).items():
                    total[a, b] += w * _first(x)
        return total


def _evaluate_couplings(dynamics: Dynamics, t: Array, q: Array, near: Turns, count: int) -> Array:
    """The entries of the couplings' gradients that can be non-zero, row by row, at each position: (k, count)."""
    states = np.column_stack([np.broadcast_to(t, len(q)), q, *near])
    found = np.empty((len(q), count))
    evaluate = _compile_rows(dynamics, len(near))
    for i in range(len(q)):
        evaluate(states.ctypes.data + i * states.strides[0], found.ctypes.data + i * found.strides[0])
    return found


@lru_cache(maxsize=16)
def _compile_rows(dynamics: Dynamics, turns: int) -> Callable[[int, int], None]:
    """A compiled function of the addresses of [t, q, tracked angles] and of the entries; a program with loops, which
    needs no compilation of its own."""
    n, couplings = dynamics.n, dynamics.system.couplings

    def entries(x: list[Scalar]) -> list[Scalar]:
        gradients = [row.gradient(x[0], x[1 : 1 + n], x[1 + n :]) for row in couplings]
        patterns = dynamics.rows.pattern[len(dynamics.system.rows) :]
        return [gradient.get(a, 0.0) for gradient, columns in zip(gradients, patterns, strict=True) for a in columns]

    library = Library(emit({"gradients": trace(entries, 1 + n + turns)}, unroll=False))
    function: Callable[[int, int], None] = library.function("gradients", None, ctypes.c_void_p, ctypes.c_void_p)
    return function


def _first(x: Scalar) -> Scalar:
    return x.first if isinstance(x, Jet) else 0.0


@lru_cache(maxsize=16)
def row_tables_of(dynamics: Dynamics) -> RowTables:
    """The tables of a mechanism."""
    system, n = dynamics.system, dynamics.n
    # at zero and at each unit vector: gradients are affine
    places = list(np.vstack([np.zeros(n), np.eye(n)]).T)
    owner, column, slopes = [], [], []
    for k, row in enumerate(system.rows):
        for a, x in row.expression.gradient(places).items():
            owner.append(k)
            column.append(a)
            slopes.append(np.broadcast_to(x, n + 1))
    table = np.array(slopes, float).reshape(len(slopes), n + 1).T
    return RowTables(dynamics, np.array(owner, int), np.array(column, int), table[0], table[1:] - table[0])
