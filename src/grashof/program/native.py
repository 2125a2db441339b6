"""The machine code of tapes, evaluated at many points at once."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grashof.integrate.native import address
from grashof.tape import Library, Tape, library_of
from grashof.tape.llvm import STRAIGHT_LINE

Matrix = NDArray[np.float64]

_OVER_ROWS = f"""\
define void @over_rows(ptr %f, i64 %count, ptr %x, i64 %dx, ptr %c, i64 %dc, ptr %y, i64 %dy) nounwind {STRAIGHT_LINE} {{
entry:
  br label %head
head:
  %k = phi i64 [0, %entry], [%next, %row]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %row, label %end
row:
  %ix = mul i64 %k, %dx
  %ic = mul i64 %k, %dc
  %iy = mul i64 %k, %dy
  %px = getelementptr double, ptr %x, i64 %ix
  %pc = getelementptr double, ptr %c, i64 %ic
  %py = getelementptr double, ptr %y, i64 %iy
  call void %f(ptr %px, ptr %pc, ptr %py)
  %next = add i64 %k, 1
  br label %head
end:
  ret void
}}
"""


@cache
def _over_rows() -> Any:
    pointer, whole = ctypes.c_void_p, ctypes.c_int64
    return Library(_OVER_ROWS).function("over_rows", None, *[pointer, whole] * 4)


class Native:
    """Functions of two lists, (x, c) → y, as machine code."""

    def __init__(self, tapes: Mapping[str, Tape], name: str | None = None) -> None:
        self.library, _ = library_of(lambda: dict(tapes), name)
        self.outputs = {key: len(tape.outputs) for key, tape in tapes.items()}

    def rows(self, name: str, x: Matrix, c: Matrix) -> Matrix:
        """One of them at rows of x (B, …) and c (B, …): (B, outputs)."""
        return over_rows(self.library.address(name), x, c, self.outputs[name])


def over_rows(function: int, x: Matrix, c: Matrix, outputs: int) -> Matrix:
    """A function (x, c) → y, given by its address, at rows of x (B, …) and c (B, …): (B, outputs)."""
    x, c = (np.ascontiguousarray(part, dtype=float) for part in (x, c))
    y = np.empty((len(x), outputs))
    parts = (address(x), x.shape[1], address(c), c.shape[1], address(y), y.shape[1])
    _over_rows()(function, len(x), *parts)
    return y
