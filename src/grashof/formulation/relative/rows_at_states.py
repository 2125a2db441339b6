"""The constraint rows of a tree at many positions at once."""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from grashof.tape import Library, emit, trace

if TYPE_CHECKING:
    from grashof.formulation.relative.equations import Relative

Array = NDArray[np.float64]


class TreeRowsAtStates:
    """The rows of a tree at many positions, by machine code that needs no compilation of its own."""

    def __init__(self, relative: Relative) -> None:
        self.relative, rows = relative, relative.rows
        self.owner = [k for k, columns in enumerate(rows.pattern) for _ in columns]
        self.column = [a for columns in rows.pattern for a in columns]
        n, size = relative.n, 1 + relative.layout.size
        angles = 1 + n + len(relative.layout.angles)
        tapes = {
            "gradients": trace(lambda x: rows.jacobian(x[0], x[1 : 1 + n], rows.turns(x[1 + n :])), angles),
            "weakness": trace(relative.weakness, size),
        }
        self._weaknesses = len(tapes["weakness"].outputs)
        self._library = Library(emit(tapes, unroll=False))

    def jacobians(self, t: Array, q: Array, turns: Array | None = None) -> Array:
        """J, (k, m, n).

        turns   tracked angles, (k, angles), if rows may depend on their whole turns
        """
        angles = np.zeros((len(q), len(self.relative.layout.angles))) if turns is None else turns
        rows = np.zeros((len(q), self.relative.rows.count, self.relative.n))
        states = np.column_stack([np.broadcast_to(t, len(q)), q, angles])
        rows[:, self.owner, self.column] = self._at("gradients", states, len(self.column))
        return rows

    def strengths(self, t: Array, y: Array) -> Array:
        """How accurately rows are solved at states y, (k,) (see `RowsSolving.strengths`)."""
        return self.relative.strengths(self._at("weakness", np.column_stack([t, y]), self._weaknesses))

    def _at(self, name: str, states: Array, count: int) -> Array:
        function = self._library.function(name, None, ctypes.c_void_p, ctypes.c_void_p)
        states, found = np.ascontiguousarray(states), np.empty((len(states), count))
        for i in range(len(states)):
            function(states.ctypes.data + i * states.strides[0], found.ctypes.data + i * found.strides[0])
        return found


@lru_cache(maxsize=16)
def tree_rows_of(relative: Relative) -> TreeRowsAtStates:
    """The rows of a tree."""
    return TreeRowsAtStates(relative)
