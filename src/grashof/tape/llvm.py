"""Tapes as LLVM IR."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from grashof.tape.executor import call_ir, executor_ir
from grashof.tape.instructions import STRAIGHT_LINE
from grashof.tape.rows import rows_ir
from grashof.tape.schedule import Schedule, schedule
from grashof.tape.tape import Tape
from grashof.tape.unrolled import unrolled_ir

__all__ = ["STRAIGHT_LINE", "LlvmModule", "emit"]

# Statements of all tapes, each block once: unrolled code runs faster, but takes long to make (docs/measurements.md).
_UNROLL_LIMIT = 45_000


@dataclass(frozen=True, eq=False)
class LlvmModule:
    """LLVM IR, and the tables of those of its functions that run schedules, by name."""

    text: str
    schedules: Mapping[str, Schedule] = field(default_factory=dict)


def emit(tapes: dict[str, Tape], inline: bool | None = None, unroll: bool | None = None) -> LlvmModule:
    """A module with one function ``void name(ptr x, …, ptr y)`` for each tape.

    The pointers are to the lists of inputs, in their order, and to the outputs: doubles, not overlapping. Each function may be
    called from several threads at once.

    Unrolled code (:mod:`grashof.tape.unrolled`) runs faster; a program with loops (:mod:`grashof.tape.schedule`) is
    ready at once. ``unroll`` decides; None decides by size. ``inline`` is handed to the former. Emit all tapes of a
    module together: they share what can be shared.
    """
    if unroll or (unroll is None and sum(map(len, tapes.values())) <= _UNROLL_LIMIT):
        return LlvmModule("\n".join([unrolled_ir(tapes, inline), rows_ir(tapes.values(), always=False)]))
    return LlvmModule(
        "\n".join(
            [
                executor_ir(),
                *(call_ir(name, tape.sizes) for name, tape in tapes.items()),
                rows_ir(tapes.values(), always=True),
            ]
        ),
        {name: schedule(tape) for name, tape in tapes.items()},
    )
