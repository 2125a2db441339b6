"""Blocks: parts of a traced function that become functions of their own."""

import functools
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast, overload

from grashof.scalar import Scalar
from grashof.tape.node import Node, Recorder, TraceError, as_number
from grashof.tape.tape import Tape

_Shape: TypeAlias = tuple[int | None, ...]  # length of each argument, None for a single scalar
Function: TypeAlias = Callable[..., Sequence[Scalar]]


@overload
def block(function: Function) -> "Block": ...
@overload
def block(*, general: Sequence[str]) -> Callable[[Function], "Block"]: ...
def block(function: Function | None = None, *, general: Sequence[str] = ()) -> "Block | Callable[[Function], Block]":
    """``function``, kept as a single function on the tape however often it is called.

    Its arguments are scalars and flat lists of scalars, and its result is a flat list of scalars. With plain numbers it
    simply runs. With nodes it is traced once for each pattern of nodes and constants among its arguments, and each
    call is one statement of the tape. Works on functions, on bound methods, and as a decorator of methods.

    Constant arguments make a traced function shorter, but each set of them gives a separate function. ``general`` names
    the parameters whose constants are passed as values instead.

    Anything the function uses besides its arguments must not change and must not contain traced values.
    """
    if function is None:
        return lambda function: Block(function, general)
    return Block(function, general)


class Block:
    """See `block`."""

    def __init__(self, function: Function, general: Sequence[str]) -> None:
        self._function = function
        self._general = general
        self._traced: dict[Any, _TracedBlock] = {}
        functools.update_wrapper(cast(Any, self), function)

    def __get__(self, instance: Any, owner: type | None = None) -> "Block":
        if instance is None:
            return self
        # Stored on the instance, as functools.cached_property does, so that traced functions are reused.
        bound = Block(cast(Any, self._function).__get__(instance, owner), self._general)
        instance.__dict__[cast(Any, self).__name__] = bound
        return bound

    def __call__(self, *arguments: Scalar, **named: Scalar) -> list[Scalar]:
        nodes = (scalar for scalar in _flatten([*arguments, *named.values()])[0] if type(scalar) is Node)
        node = next(nodes, None)
        if node is None or node.recorder.inline:
            return list(self._function(*arguments, **named))
        given = inspect.signature(self._function).bind(*arguments, **named)
        given.apply_defaults()
        flat, shape = _flatten(list(given.arguments.values()))
        varying = [name in self._general for name in given.arguments]
        pattern = [
            None if kept_open or type(scalar) is Node else _constant(scalar)
            for scalar, kept_open in zip(flat, _spread(varying, shape), strict=True)
        ]
        # by text, since 0.0 == -0.0
        key = shape, tuple(None if number is None else number.hex() for number in pattern)
        if key not in self._traced:
            self._traced[key] = _trace_block(self._function, pattern, shape)
        return self._traced[key].call(flat)


@dataclass(frozen=True, eq=False)
class _TracedBlock:
    """A block traced for one pattern of arguments.

    Inputs and outputs of its tape keep their positions among the arguments and results of the function,
    so that a list that one block returns and another takes can be one array of the compiled program.
    """

    tape: Tape
    constants: tuple[float | None, ...]  # results that are known, None for the others

    def call(self, flat: list[Scalar]) -> list[Scalar]:
        if len(self.tape) == 0:
            return self.tape.evaluate(flat)  # it only reorders its arguments
        recorder: Recorder = next(scalar.recorder for scalar in flat if type(scalar) is Node)
        unknown = [k for k, constant in enumerate(self.constants) if constant is None]
        nodes = iter(recorder.call(self.tape, [flat[k] for k in self.tape.reads], unknown))
        return [next(nodes) if constant is None else constant for constant in self.constants]


def _trace_block(function: Function, pattern: list[float | None], shape: _Shape) -> _TracedBlock:
    recorder = Recorder()
    nodes = [node for length in shape for node in recorder.inputs(1 if length is None else length)]
    flat = [node if number is None else number for node, number in zip(nodes, pattern, strict=True)]
    outputs = function(*_unflatten(flat, shape))
    constants = tuple(None if type(value) is Node else _constant(value) for value in outputs)
    return _TracedBlock(recorder.finish(outputs), constants)


def _flatten(arguments: Sequence[Scalar]) -> tuple[list[Scalar], _Shape]:
    """All scalars as one list, and the shape of the arguments."""
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


def _spread(values: Sequence[bool], shape: _Shape) -> list[bool]:
    """One value for each argument → one for each scalar."""
    return [value for value, length in zip(values, shape, strict=True) for _ in range(1 if length is None else length)]


def _unflatten(flat: list[Scalar], shape: _Shape) -> list[Scalar]:
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
