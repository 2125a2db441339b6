"""The straight-line program that tracing leaves behind."""

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

from grashof import scalar
from grashof.scalar import Scalar

Statement: TypeAlias = tuple[Any, ...]
"""One statement; the value it defines is referred to by its place in the tape.

    ("input", k)               element k of the input vector
    ("constant", c)            the float c
    (operation, i, …)          an operation of OPERATIONS on the values i, …
    ("call", b, i, …)          block b of the tape, the values i, … being those inputs of it that it reads
    ("result", i, k)           output k of the call i
"""

OPERATIONS: dict[str, Callable[..., Scalar]] = {
    "add": operator.add,
    "subtract": operator.sub,
    "multiply": operator.mul,
    "divide": operator.truediv,
    "negate": operator.neg,
    "sin": scalar.sin,
    "cos": scalar.cos,
    "tan": scalar.tan,
    "exp": scalar.exp,
    "log": scalar.log,
    "sqrt": scalar.sqrt,
    "tanh": scalar.tanh,
    "atan2": scalar.atan2,
    "absolute": scalar.absolute,
    "sign": scalar.sign,
    "minimum": scalar.minimum,
    "maximum": scalar.maximum,
    "where": scalar.where,
}

_NOT_WORK = frozenset({"input", "constant", "result"})


@dataclass(frozen=True, eq=False)
class Tape:
    """A straight-line function of lists of scalars, which lie end to end in one input vector.

    Every statement is needed by some output. An input that no output needs has no statement.
    """

    sizes: tuple[int, ...]  # lengths of the lists
    statements: tuple[Statement, ...]
    outputs: tuple[int, ...]  # places of the outputs among the statements
    blocks: tuple["Tape", ...] = ()  # what the calls call

    @property
    def inputs(self) -> int:
        """Length of the input vector."""
        return sum(self.sizes)

    @cached_property
    def reads(self) -> tuple[int, ...]:
        """Elements of the input vector that are read, in the order in which a call names them."""
        return tuple(statement[1] for statement in self.statements if statement[0] == "input")

    def __len__(self) -> int:
        """Number of operations and calls, those of each block counted once."""
        return sum(statement[0] not in _NOT_WORK for tape in self.with_blocks() for statement in tape.statements)

    def with_blocks(self) -> list["Tape"]:
        """Every block below this tape once, callees before callers, then the tape itself."""
        found: dict[int, Tape] = {}

        def visit(tape: Tape) -> None:
            if id(tape) not in found:
                for callee in tape.blocks:
                    visit(callee)
                found[id(tape)] = tape

        visit(self)
        return list(found.values())

    def evaluate(self, x: Sequence[Scalar]) -> list[Scalar]:
        """Interpret the tape over the scalars ``x``: floats, multiprecision numbers, arrays, nodes or jets."""
        if len(x) != self.inputs:
            raise ValueError(f"the tape has {self.inputs} inputs, {len(x)} values were given")
        values: list[Any] = []
        for statement in self.statements:
            operation = statement[0]
            if operation == "input":
                values.append(x[statement[1]])
            elif operation == "constant":
                values.append(statement[1])
            elif operation == "call":
                block = self.blocks[statement[1]]
                arguments: list[Any] = [None] * block.inputs
                for k, i in zip(block.reads, statement[2:], strict=True):
                    arguments[k] = values[i]
                values.append(block.evaluate(arguments))
            elif operation == "result":
                values.append(values[statement[1]][statement[2]])
            else:
                values.append(OPERATIONS[operation](*[values[i] for i in statement[1:]]))
        return [values[i] for i in self.outputs]


def operands(statement: Statement) -> tuple[int, ...]:
    """Places of the values that a statement reads."""
    operation = statement[0]
    if operation in ("input", "constant"):
        return ()
    if operation == "call":
        return statement[2:]
    if operation == "result":
        return statement[1:2]
    return statement[1:]


def live(sizes: Sequence[int], statements: Sequence[Statement], outputs: Sequence[int], blocks: Sequence[Tape]) -> Tape:
    """The tape of those statements and blocks that the outputs need."""
    needed = [False] * len(statements)
    for i in outputs:
        needed[i] = True
    for i in range(len(statements) - 1, -1, -1):
        if needed[i]:
            for j in operands(statements[i]):
                needed[j] = True
    place = [-1] * len(statements)
    kept: list[Statement] = []
    kept_blocks: dict[int, int] = {}
    for i, statement in enumerate(statements):
        if not needed[i]:
            continue
        place[i] = len(kept)
        operation = statement[0]
        if operation in ("input", "constant"):
            kept.append(statement)
        elif operation == "call":
            block = kept_blocks.setdefault(statement[1], len(kept_blocks))
            kept.append((operation, block, *[place[j] for j in statement[2:]]))
        elif operation == "result":
            kept.append((operation, place[statement[1]], statement[2]))
        else:
            kept.append((operation, *[place[j] for j in statement[1:]]))
    return Tape(tuple(sizes), tuple(kept), tuple(place[i] for i in outputs), tuple(blocks[b] for b in kept_blocks))
