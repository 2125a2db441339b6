"""Costs: functions of a run, traced into tapes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np

from grashof.common.errors import ModelError
from grashof.scalar.functions import Scalar
from grashof.sensitivity.reductions import parse_output, single
from grashof.sweeps.outputs import History, Output
from grashof.tape import Tape, TraceError, trace
from grashof.tape.node import Recorder

Array = np.ndarray


class SeenValues:
    """The run that is passed to a cost function.

    `run["rod.end.x"]` contains the values of a quantity at the times `run.t`; `run["max rod.end.x"]` and
    `run["rod.end.x at 0.5"]` are single numbers; `run.numbers["crank.length"]` is one of the numbers that are varied.
    All of them are traced: use operators and functions of NumPy or Grashof.
    """

    def __init__(self, t: Array, numbers: Mapping[str, Scalar], look: Callable[[str], Scalar]) -> None:
        self.t, self.numbers, self._look = t, numbers, look

    def __getitem__(self, name: str) -> Scalar:
        return self._look(name)


Cost: TypeAlias = Callable[[SeenValues], Scalar]


def _output(text: str) -> Output:
    """The output that a cost asks for; the name of a quantity stands for its values along the run."""
    return single(text) if parse_output(text) else History(text)


def asked_by(cost: Cost, names: Sequence[str], times: Array) -> dict[str, Output]:
    """The outputs that a cost uses, by the text with which it asks for them."""
    found: dict[str, Output] = {}
    recorder = Recorder()

    def look(text: str) -> Scalar:
        found[text] = _output(text)
        if not isinstance(found[text], History):
            return recorder.inputs(1)[0]
        return np.array(recorder.inputs(len(times)), dtype=object)

    _call_cost(cost, SeenValues(times, dict(zip(names, recorder.inputs(len(names)), strict=True)), look))
    return found


def trace_cost(cost: Cost, outputs: Mapping[str, Output], names: Sequence[str], times: Array) -> Tape:
    """The cost as a tape (outputs, numbers that are varied) → cost."""
    sizes = {text: len(times) if isinstance(output, History) else 1 for text, output in outputs.items()}

    def function(x: list[Scalar], p: list[Scalar]) -> list[Scalar]:
        seen: dict[str, Scalar] = {}
        rest = iter(x)
        for text, size in sizes.items():
            values = [next(rest) for _ in range(size)]
            seen[text] = np.array(values, dtype=object) if isinstance(outputs[text], History) else values[0]
        return [_call_cost(cost, SeenValues(times, dict(zip(names, p, strict=True)), seen.__getitem__))]

    return trace(function, sum(sizes.values()), len(names))


def _call_cost(cost: Cost, run: SeenValues) -> Scalar:
    try:
        value = cost(run)
    except (TraceError, TypeError) as problem:
        raise ModelError(
            f"The cost cannot be differentiated: {problem}. Use operators and functions of NumPy or Grashof, "
            "and no `if` on values."
        ) from problem
    if getattr(value, "shape", ()) != ():
        raise ModelError(f"The cost is an array of shape {value.shape}; it must be one number, such as its sum.")
    return value.item() if hasattr(value, "item") else value
