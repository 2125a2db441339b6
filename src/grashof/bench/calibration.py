"""A fixed calibration kernel, timed beside every measurement, so that times from different machines can be compared.

One round does five operations on doubles: a step of the logistic map, whose three operations depend on each other, and
an update of a table at an index from a linear congruential generator, which depends on the latency of nearby memory:

    x ← 3.75 · x · (1 − x)
    k ← (1664525 · k + 1013904223) mod 2³²,   i = ⌊k / 2¹⁷⌋
    table[i] ← 0.5 · table[i] + x

ROUNDS rounds on a table of 2¹⁵ doubles (256 KiB) are one *unit*. It represents scalar code that runs from fast caches,
such as the integration of a small mechanism. It says nothing about vector units, many cores or main memory: a time in
units allows a rough comparison between machines and does not replace a measurement. Any change of the kernel must raise
VERSION; units of different versions are not comparable.
"""

from __future__ import annotations

import ctypes
import functools
import time
from collections.abc import Callable

VERSION = 1
ROUNDS = 5_000_000
SIZE = 2**15

_IR = """
define double @work(ptr %table, i64 %rounds) nounwind {
start:
  br label %round
round:
  %n = phi i64 [ 0, %start ], [ %n1, %round ]
  %x = phi double [ 5.0e-1, %start ], [ %x1, %round ]
  %k = phi i32 [ 1, %start ], [ %k1, %round ]
  %rest = fsub double 1.0, %x
  %grown = fmul double 3.75, %x
  %x1 = fmul double %grown, %rest
  %product = mul i32 %k, 1664525
  %k1 = add i32 %product, 1013904223
  %high = lshr i32 %k1, 17
  %i = zext i32 %high to i64
  %place = getelementptr double, ptr %table, i64 %i
  %old = load double, ptr %place
  %half = fmul double 5.0e-1, %old
  %new = fadd double %half, %x1
  store double %new, ptr %place
  %n1 = add i64 %n, 1
  %more = icmp ult i64 %n1, %rounds
  br i1 %more, label %round, label %end
end:
  ret double %x1
}
"""


def work(rounds: int) -> tuple[float, list[float]]:
    """Executes a number of rounds from x = 0.5, k = 1 and a table of zeros; returns the last x and the table."""
    table = (ctypes.c_double * SIZE)()
    return _native()(table, rounds), list(table)


def calibrate(repeat: int = 5) -> float:
    """Process CPU seconds of one unit on this machine now, the best of several."""
    table = (ctypes.c_double * SIZE)()
    best = float("inf")
    for _ in range(repeat):
        began = time.process_time()
        _native()(table, ROUNDS)
        best = min(best, time.process_time() - began)
    return best


@functools.cache
def _native() -> Callable[[ctypes.Array[ctypes.c_double], int], float]:
    from grashof.tape.library import Library  # here, so that reading a store does not load the compiler

    function: Callable[[ctypes.Array[ctypes.c_double], int], float] = Library(_IR).function(
        "work", ctypes.c_double, ctypes.POINTER(ctypes.c_double), ctypes.c_int64
    )
    return function
