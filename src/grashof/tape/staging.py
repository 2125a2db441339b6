"""A tape in two stages: the part that depends only on some inputs is computed once and passed on as coefficients.

early inputs p  ──►  coefficients c
late inputs x, coefficients c  ──►  outputs
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from grashof.scalar import Scalar
from grashof.tape.node import Recorder
from grashof.tape.tape import OPERATIONS, Tape


@dataclass(frozen=True, eq=False)
class Staged:
    """The two stages.

    setup   p → c, then the early outputs
    tapes   by name: (x, c) → outputs
    count   number of coefficients
    """

    setup: Tape
    tapes: Mapping[str, Tape]
    count: int


def stage_tape(tape: Tape, outputs: Mapping[str, int], early: Sequence[str] = (), tail: int = 0) -> Staged:
    """Cuts a tape without blocks, whose first list of inputs is p; the others together are x.

    outputs   the names and numbers of its outputs, in their order
    early     names of outputs that depend on p alone: the first stage returns them after the coefficients
    tail      this many of the last late inputs are appended to the coefficients, though the first stage does not
              compute them
    """
    known, statements = tape.sizes[0], tape.statements
    late: list[bool] = []  # whether a statement depends on x
    for kind, *operands in statements:
        late.append(operands[0] >= known if kind == "input" else kind != "constant" and any(late[i] for i in operands))
    places = dict(zip(outputs, _slices(outputs.values()), strict=True))
    wanted = [i for name in outputs if name not in early for i in tape.outputs[places[name]]]
    wanted += [i for i, (kind, *operands) in enumerate(statements) if late[i] and kind != "input" for i in operands]
    handed = sorted({i for i in wanted if not late[i] and statements[i][0] != "constant"})
    first = [i for name in early for i in tape.outputs[places[name]]]
    if any(late[i] for i in first):
        raise ValueError(f"{', '.join(early)} must depend on the early inputs alone")

    recorder = Recorder()
    values = _run(tape, recorder.inputs(known), 0, late, False, {})
    setup = recorder.finish([values[i] for i in (*handed, *first)])
    tapes = {}
    for name in outputs:
        if name not in early:
            recorder = Recorder()
            x, c = recorder.inputs(sum(tape.sizes[1:]) - tail), recorder.inputs(len(handed) + tail)
            given = dict(zip(handed, c, strict=False))
            values = _run(tape, [*x, *c[len(handed) :]], known, late, True, given)
            tapes[name] = recorder.finish([values[i] for i in tape.outputs[places[name]]])
    return Staged(setup, tapes, len(handed))


def _slices(counts: Iterable[int]) -> list[slice]:
    slices, start = [], 0
    for count in counts:
        slices.append(slice(start, start + count))
        start += count
    return slices


def _run(
    tape: Tape, inputs: Sequence[Scalar], first: int, late: Sequence[bool], wanted: bool, given: dict[int, Scalar]
) -> dict[int, Scalar]:
    """The values of the statements that are late, or of those that are not, in addition to the given ones; the
    inputs begin with number `first`."""
    values = dict(given)
    for i, (kind, *operands) in enumerate(tape.statements):
        if kind == "constant":
            values[i] = operands[0]
        elif late[i] is not wanted:
            continue
        elif kind == "input":
            values[i] = inputs[operands[0] - first]
        else:
            values[i] = OPERATIONS[kind](*(values[k] for k in operands))
    return values
