"""Blocks: parts of a traced function that become functions of their own."""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from grashof.scalar import Scalar
from grashof.tape.node import Node, Recorder, TraceError, as_number
from grashof.tape.tape import Tape


def block(function: Callable[..., Sequence[Scalar]]) -> "Block":
    """``function``, made to stay one function on the tape however often it is called.

    Its arguments are scalars and flat sequences of scalars, its result is a flat sequence of scalars. Over plain
    numbers it just runs. Over nodes it is traced once for each pattern of nodes and constants among its arguments;
    each call records one ``call``. Works on functions, on bound methods, and as a decorator of methods.

    What the function knows beside its arguments must be constant: a node from outside would belong to another tape.
    """
    return Block(function)


class Block:
    """See :func:`block`."""

    def __init__(self, function: Callable[..., Sequence[Scalar]]) -> None:
        self.function = function
        functools.update_wrapper(cast(Any, self), function)

    def __get__(self, instance: object, owner: type | None = None) -> "Block":
        return self if instance is None else Block(cast(Any, self.function).__get__(instance, owner))

    def __call__(self, *arguments: Scalar) -> list[Scalar]:
        flat, shape = _flatten(arguments)
        recorder = next((scalar.recorder for scalar in flat if type(scalar) is Node), None)
        if recorder is None:
            return list(self.function(*arguments))
        pattern = [None if type(scalar) is Node else _constant(scalar) for scalar in flat]
        key = (
            # Bound methods are made anew at each access; what they bind is not.
            id(getattr(self.function, "__func__", self.function)),
            id(getattr(self.function, "__self__", None)),
            shape,
            # by text, since 0.0 == -0.0
            tuple(None if number is None else number.hex() for number in pattern),
        )
        traced = recorder.traced_blocks.get(key)
        if traced is None:
            traced = _trace_block(self.function, pattern, shape, recorder)
            recorder.traced_blocks[key] = traced
        return cast(_TracedBlock, traced).call(recorder, flat)


@dataclass(frozen=True, eq=False)
class _TracedBlock:
    """A block traced for one pattern of arguments.

    Inputs and outputs of its tape keep the places that they have among the arguments and results of the function,
    so that a list which one block returns and another takes is one array of the compiled program.
    """

    function: Callable[..., Sequence[Scalar]]  # held so that the identities in the key stay its own
    tape: Tape
    constants: tuple[float | None, ...]  # results that are known, None for the others

    def call(self, recorder: Recorder, flat: list[Scalar]) -> list[Scalar]:
        if None not in self.constants:
            return list(self.constants)
        call = recorder.call(self.tape, [flat[k] for k in self.tape.reads]).index
        return [
            recorder.record(("result", call, k)) if constant is None else constant
            for k, constant in enumerate(self.constants)
        ]


def _trace_block(
    function: Callable[..., Sequence[Scalar]],
    pattern: list[float | None],
    shape: tuple[int | None, ...],
    caller: Recorder,
) -> _TracedBlock:
    recorder = Recorder(caller.traced_blocks)
    nodes = [node for length in shape for node in recorder.inputs(1 if length is None else length)]
    flat = [node if number is None else number for node, number in zip(nodes, pattern, strict=True)]
    outputs = function(*_unflatten(flat, shape))
    constants = tuple(None if type(value) is Node else _constant(value) for value in outputs)
    return _TracedBlock(function, recorder.finish(outputs), constants)


def _flatten(arguments: Sequence[Scalar]) -> tuple[list[Scalar], tuple[int | None, ...]]:
    """All scalars in a row, and the length of each argument (None for a single scalar)."""
    flat: list[Scalar] = []
    shape: list[int | None] = []
    for argument in arguments:
        if isinstance(argument, list | tuple):
            flat.extend(argument)
            shape.append(len(argument))
        else:
            flat.append(argument)
            shape.append(None)
    return flat, tuple(shape)


def _unflatten(flat: list[Scalar], shape: tuple[int | None, ...]) -> list[Scalar]:
    arguments: list[Scalar] = []
    start = 0
    for length in shape:
        arguments.append(flat[start] if length is None else flat[start : start + length])
        start += 1 if length is None else length
    return arguments


def _constant(scalar: Scalar) -> float:
    number = as_number(scalar)
    if number is None:
        raise TraceError(f"a block takes and gives numbers and traced values, not {type(scalar).__name__}")
    return number
