"""Machine code over the rows of arrays."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grashof.tape.library import Library
from grashof.tape.llvm import STRAIGHT_LINE

Matrix = NDArray[np.float64]

_NOTHING = ctypes.c_char * 0

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


def over_rows(function: int, x: Matrix, c: Matrix, outputs: int) -> Matrix:
    """A function (x, c) → y, given by its address, at rows of x (B, …) and c (B, …): (B, outputs)."""
    x, c = (np.ascontiguousarray(part, dtype=float) for part in (x, c))
    y = np.empty((len(x), outputs))
    parts = (address(x), x.shape[1], address(c), c.shape[1], address(y), y.shape[1])
    _over_rows()(function, len(x), *parts)
    return y


def address(array: NDArray[Any]) -> int:
    """The address of an array's data."""
    try:
        nothing = _NOTHING.from_buffer(array)  # type: ignore[arg-type]  # in a fifth of the time of array.ctypes.data
        return ctypes.addressof(nothing)
    except (TypeError, ValueError):  # it may not be written, or has gaps
        place: int = array.ctypes.data
        return place
