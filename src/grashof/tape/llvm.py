"""Tapes as LLVM IR."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from grashof.tape.executor import call_ir, executor_ir
from grashof.tape.instructions import STRAIGHT_LINE
from grashof.tape.lanes import ONE, Lanes
from grashof.tape.rows import rows_ir
from grashof.tape.schedule import Schedule, schedule
from grashof.tape.tape import Tape
from grashof.tape.unrolled import unrolled_ir

__all__ = ["STRAIGHT_LINE", "LlvmModule", "emit"]

# Statements of all tapes, each block once: unrolled code runs faster but takes long to compile (docs/measurements.md).
_UNROLL_LIMIT = 60_000


@dataclass(frozen=True, eq=False)
class LlvmModule:
    """LLVM IR, and the tables of those of its functions that run schedules, by name."""

    text: str
    schedules: Mapping[str, Schedule] = field(default_factory=dict)


def emit(
    tapes: dict[str, Tape], inline: bool | None = None, unroll: bool | None = None, lanes: Lanes = ONE
) -> LlvmModule:
    """A module with one function ``void name(ptr x, …, ptr y)`` for each tape.

    There is a pointer for each list of inputs, and one for the outputs of the tape: doubles, not overlapping, or
    vectors with a double for each of several ``lanes``. Each function may be called from several threads at once.

    Unrolled code (:mod:`grashof.tape.unrolled`) runs faster; a program with loops (:mod:`grashof.tape.schedule`) needs
    no compilation. ``unroll`` decides; None decides by size. ``inline`` is passed to the former. Emit all tapes of a
    module together, so that they share code.
    """
    small = sum(map(len, tapes.values())) <= _UNROLL_LIMIT
    if unroll or (unroll is None and small):
        return LlvmModule("\n".join([unrolled_ir(tapes, inline, lanes), rows_ir(tapes.values(), always=False)]))
    calls = [call_ir(name, tape.sizes, lanes) for name, tape in tapes.items()]
    return LlvmModule(
        "\n".join([executor_ir(lanes), *calls, rows_ir(tapes.values(), always=True)]),
        {name: schedule(tape, lanes.count) for name, tape in tapes.items()},
    )
