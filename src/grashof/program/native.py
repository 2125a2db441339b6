"""The machine code of tapes, evaluated at many points at once."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from grashof.tape import Tape, library_of
from grashof.tape.arrays import over_rows

Matrix = NDArray[np.float64]


class Native:
    """Functions of two lists, (x, c) → y, as machine code."""

    def __init__(self, tapes: Mapping[str, Tape], name: str | None = None) -> None:
        self.library, _ = library_of(lambda: dict(tapes), name)
        self.outputs = {key: len(tape.outputs) for key, tape in tapes.items()}

    def rows(self, name: str, x: Matrix, c: Matrix) -> Matrix:
        """One of them at rows of x (B, …) and c (B, …): (B, outputs)."""
        return over_rows(self.library.address(name), x, c, self.outputs[name])
