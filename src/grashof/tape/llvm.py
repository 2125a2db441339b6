"""Tapes as LLVM IR."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from grashof.tape.executor import call_ir, executor_ir
from grashof.tape.instructions import STRAIGHT_LINE
from grashof.tape.schedule import Schedule, schedule
from grashof.tape.tape import Tape
from grashof.tape.unrolled import unrolled_ir

__all__ = ["STRAIGHT_LINE", "Code", "emit"]

# Statements of all tapes, each block once. Unrolled code runs 1.1 to 2.9 times as fast as a schedule at these sizes, but LLVM
# needs 30 to 55 µs a statement to make it, so the limit is set by how long one may be made to wait, once for each mechanism:
# a second and a half. One evaluation of the accelerations, with loops and unrolled, and the time to compile the latter
# (2026-11-16, AMD EPYC with other work on it, CPU):
#
#     arm of 5 bars       16,515 statements   10.9 and  6.7 µs   0.6 s
#     net of 100 bars     25,444              17.0 and  8.8      1.0
#     Stewart platform    31,712               9.6 and  7.4      1.0
#     arm tree of 12      42,255              22.3 and  8.0      1.6
#     arm of 10 bars      44,866              22.9 and  8.0      1.3
#     ring of 20          58,467              32.6 and 15.8      3.2
#     arm of 15 bars      71,415              39.0 and 17.2      2.8
#     net of 200 bars     71,214              43.9 and 21.3      3.1
#     arm of 25 bars     133,941              41.9 and 24.1      5.6
_UNROLL_LIMIT = 45_000


@dataclass(frozen=True, eq=False)
class Code:
    """LLVM IR, and the tables of those of its functions that run schedules, by name."""

    text: str
    schedules: Mapping[str, Schedule] = field(default_factory=dict)


def emit(tapes: dict[str, Tape], inline: bool | None = None, unroll: bool | None = None) -> Code:
    """A module with one function ``void name(ptr x, ptr y)`` for each tape.

    x and y point to the inputs and outputs of the tape: doubles, not overlapping. Each function may be called from
    several threads at once.

    Unrolled code (:mod:`grashof.tape.unrolled`) runs faster; a program with loops (:mod:`grashof.tape.schedule`) is
    ready at once. ``unroll`` decides; None decides by size. ``inline`` is handed to the former. Emit all tapes of a
    module together: they share what can be shared.
    """
    if unroll or (unroll is None and sum(map(len, tapes.values())) <= _UNROLL_LIMIT):
        return Code(unrolled_ir(tapes, inline))
    return Code(
        "\n".join([executor_ir(), *map(call_ir, tapes)]),
        {name: schedule(tape) for name, tape in tapes.items()},
    )
