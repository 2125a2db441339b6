"""Tapes as LLVM IR."""

import itertools
import math
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
    no compilation. ``unroll`` decides; None decides by size: as many of the first tapes are unrolled as fit into a
    limit. ``inline`` is passed to the former. Emit all tapes of a module together, so that they share code.
    """
    limit = _UNROLL_LIMIT if unroll is None else math.inf if unroll else -1
    totals = itertools.accumulate(map(len, tapes.values()))
    unrolled = {name: tape for (name, tape), total in zip(tapes.items(), totals, strict=True) if total <= limit}
    others = {name: tape for name, tape in tapes.items() if name not in unrolled}
    parts = [unrolled_ir(unrolled, inline, lanes)] if unrolled else []
    if others:
        parts += [executor_ir(lanes), *(call_ir(name, tape.sizes, lanes) for name, tape in others.items())]
    text = "\n".join([*parts, rows_ir(tapes.values(), always=bool(others))])
    return LlvmModule(
        _without_repetitions(text) if unrolled and others else text,
        {name: schedule(tape, lanes.count) for name, tape in others.items()},
    )


def _without_repetitions(text: str) -> str:
    """A module of which both parts declare or define the same functions, with each of these once."""
    known: set[str] = set()
    lines, repeated = [], False
    for line in text.splitlines():
        if line.startswith(("declare ", "define ")):
            name = line[: line.index("(")].rpartition("@")[2]
            repeated = name in known
            known.add(name)
        if not repeated:
            lines.append(line)
        repeated = repeated and line != "}" and not line.startswith("declare ")
    return "\n".join(lines)
