"""Natural coordinates of a mechanism whose motion is computed in relative ones."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grashof.formulation.relative.equations import Relative
from grashof.formulation.relative.start import own_coordinates
from grashof.tape import Library, Tape, trace
from grashof.tape.arrays import over_rows

Vector = NDArray[np.float64]


class NaturalStates:
    """States in natural and in relative coordinates, by functions of the mechanism's library (see
    `integrate.native.View`).

    coefficients   numbers that are not part of the machine code: for all states, or a row for each of them
    """

    def __init__(self, relative: Relative, library: Library, coefficients: ArrayLike = ()) -> None:
        self.inner, self.outer, self.library = relative.layout, relative.natural.layout, library
        self.coefficients = np.atleast_2d(np.asarray(coefficients, dtype=float))

    @staticmethod
    def tapes(relative: Relative) -> dict[str, Tape]:
        """`naturally`: natural coordinates, velocities and accelerations as a function of [t, y, v̇]; `own`: q and v as
        a function of [t, y] in natural coordinates."""
        inner, outer = 1 + relative.layout.size, 1 + relative.natural.layout.size
        moving = inner + relative.layout.nv
        return {
            "naturally": trace(lambda x, _: relative.naturally(x[:inner], x[inner:]), moving, 0),
            "own": trace(lambda x, _: own_coordinates(relative, x), outer, 0),
        }

    def own(self, t: float, y: Vector) -> Vector:
        """The state in relative coordinates, of a state in natural ones."""
        state: Vector = self.own_states(t, y[None])[0]
        return state

    def own_states(self, t: float, y: Vector) -> Vector:
        """The same for many states, (rows, …)."""
        x = np.column_stack([np.full(len(y), t), y])
        return np.column_stack([self._rows("own", x, 2 * self.inner.nq), y[:, self.outer.of_e]])

    def natural(self, t: Vector, y: Vector, rates: Vector | None = None) -> tuple[Vector, Vector]:
        """States and rates in natural coordinates, given those in relative ones; rates that are not given are zero."""
        inner, n = self.inner, self.outer.nq
        rates = np.zeros((len(y), inner.sizes.rates)) if rates is None else rates
        found = self._rows("naturally", np.column_stack([t, y, rates[:, inner.of_a]]), 3 * n)
        states = np.column_stack([found[:, : 2 * n], y[:, inner.of_e]])
        return states, np.column_stack([found[:, 2 * n :], rates[:, inner.of_a.stop :]])

    def _rows(self, name: str, x: Vector, outputs: int) -> Vector:
        c = np.broadcast_to(self.coefficients, (len(x), self.coefficients.shape[1]))
        return over_rows(self.library.address(name), x, c, outputs)
