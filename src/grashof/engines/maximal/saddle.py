"""The linear systems of constrained bodies, banded after a reverse Cuthill–McKee ordering.

    [ M  Jᵀ ] [x]   [ f ]
    [ J  −δ ] [λ] = [ γ ]

With δ > 0 the matrix is regular for any rank of J: redundant equations and singular positions need no special
treatment.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Array = np.ndarray
Solve = Callable[[Array, Array], tuple[Array, Array]]


class Saddle:
    """The positions of the entries: M has a block of `freedoms` for each body, J a block for each pair of an
    equation and a body."""

    def __init__(self, bodies: int, freedoms: int, equations: int, block_row: Array, block_body: Array) -> None:
        from scipy.sparse import coo_array
        from scipy.sparse.csgraph import reverse_cuthill_mckee

        unknowns = freedoms * bodies + equations
        own = (freedoms * np.arange(bodies))[:, None] + np.arange(freedoms)
        j_rows = freedoms * bodies + np.repeat(block_row, freedoms)
        j_columns = own[block_body].ravel()
        delta = freedoms * bodies + np.arange(equations)
        rows = np.concatenate([np.repeat(own, freedoms, axis=1).ravel(), j_rows, j_columns, delta])
        columns = np.concatenate([np.tile(own, (1, freedoms)).ravel(), j_columns, j_rows, delta])
        pattern = coo_array((np.ones(len(rows)), (rows, columns)), shape=(unknowns, unknowns)).tocsr()
        self._permutation = reverse_cuthill_mckee(pattern, symmetric_mode=True)
        position = np.argsort(self._permutation)
        i, j = position[rows], position[columns]
        self._band = int(np.abs(i - j).max(initial=0))
        # LAPACK's layout, with room for the fill of pivoting: entry (i, j) is at (2 band + i − j, j)
        self._entries = (2 * self._band + i - j) * unknowns + j
        self._shape = (3 * self._band + 1, unknowns)

    def factor(self, masses: Array, blocks: Array, delta: Array) -> Solve:
        """Returns a function that solves for x and λ with the right-hand side (f, γ). Raises ArithmeticError if the
        matrix is singular."""
        from scipy.linalg.lapack import dgbtrf, dgbtrs

        matrix, slopes, band = np.zeros(self._shape), blocks.ravel(), self._band
        matrix.ravel()[self._entries] = np.concatenate([masses.ravel(), slopes, slopes, -delta])
        factors, pivots, failed = dgbtrf(matrix, band, band, overwrite_ab=1)
        if failed:
            raise ArithmeticError("the equations of motion are singular")

        def solve(forces: Array, gamma: Array) -> tuple[Array, Array]:
            right = np.concatenate([forces, gamma])[self._permutation]
            ordered, _ = dgbtrs(factors, band, band, right, pivots)
            solution = np.empty_like(ordered)
            solution[self._permutation] = ordered
            return solution[: len(forces)], solution[len(forces) :]

        return solve
