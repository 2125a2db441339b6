"""The straight-line program that tracing produces."""

import operator
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from grashof import scalar
from grashof.scalar import Scalar
from grashof.tape.instructions import OWN
from grashof.tape.words import (
    CALL,
    CONSTANT,
    INPUT,
    KINDS,
    RESULT,
    WHERE,
    Words,
    columns,
    operands_held,
    pack,
    values_needed,
)

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
    "floor": scalar.floor,
    "interval": scalar.interval,
    "entry": scalar.entry,
}

FUNCTION = 120
"""A sine, a cosine or the like takes as long as so many other operations (docs/measurements.md)."""


@dataclass(frozen=True, eq=False)
class Tape:
    """A straight-line function of lists of scalars, which are concatenated in one input vector.

    Every statement is needed by some output. An input that no output needs has no statement.
    """

    sizes: tuple[int, ...]  # lengths of the lists
    words: Words  # the statements, see grashof.tape.words
    constants: tuple[float, ...]
    lists: tuple[tuple[int, ...], ...]  # operands of calls and of ``where``
    outputs: tuple[int, ...]  # places of the outputs among the statements
    blocks: tuple["Tape", ...] = ()  # the tapes that are called

    @property
    def inputs(self) -> int:
        """Length of the input vector."""
        return sum(self.sizes)

    @cached_property
    def reads(self) -> tuple[int, ...]:
        """Elements of the input vector that are read, in the order in which a call names them."""
        kinds, places, _ = columns(self.words)
        return tuple(places[kinds == INPUT].tolist())

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        """The statements in readable form."""
        return tuple(self._statements())

    def _statements(self) -> Iterator[Statement]:
        kinds, first, second = columns(self.words)
        for kind, i, j, count in zip(*(x.tolist() for x in (kinds, first, second, operands_held(kinds))), strict=True):
            if kind == CONSTANT:
                yield ("constant", self.constants[i])
            elif kind == CALL:
                yield ("call", j, *self.lists[i])
            elif kind == WHERE:
                yield ("where", *self.lists[i])
            elif count == 2 or kind == RESULT:
                yield (KINDS[kind], i, j)
            else:
                yield (KINDS[kind], i)

    def __len__(self) -> int:
        """Number of operations and calls; those of each block are counted once."""
        return sum(
            int(np.count_nonzero((kinds == CALL) | (kinds >= WHERE)))
            for kinds in (columns(tape.words)[0] for tape in self.with_blocks())
        )

    def executed(self) -> Counter[str]:
        """How often each operation is executed in one evaluation: those of a block as often as it is called."""
        kinds, _, second = columns(self.words)
        numbers = np.bincount(kinds, minlength=len(KINDS)).tolist()
        found = Counter({name: numbers[code] for code, name in enumerate(KINDS) if code >= WHERE})
        for block, calls in enumerate(np.bincount(second[kinds == CALL], minlength=len(self.blocks)).tolist()):
            for name, number in self.blocks[block].executed().items():
                found[name] += calls * number
        return found

    @cached_property
    def operations(self) -> int:
        """How many operations an evaluation takes, in terms of the fast ones."""
        counts = self.executed()
        return counts.total() + (FUNCTION - 1) * sum(counts[name] for name in OWN)

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


def uses(tape: Tape) -> NDArray[np.intp]:
    """How often the value of each statement is read, by other statements and as an output."""
    kinds, first, second = columns(tape.words)
    listed = [tape.lists[k] for k in first[(kinds == CALL) | (kinds == WHERE)]]
    read = [first[operands_held(kinds) >= 1], second[operands_held(kinds) == 2], np.array(tape.outputs, dtype=np.int32)]
    read += [np.array(row, dtype=np.int32) for row in listed]
    return np.bincount(np.concatenate(read), minlength=len(kinds))


def live(tape: Tape) -> Tape:
    """The tape of those statements, constants and blocks that the outputs need."""
    kinds, first, second = columns(tape.words)
    one, two, listed = operands_held(kinds) >= 1, operands_held(kinds) == 2, (kinds == CALL) | (kinds == WHERE)
    lists = [tape.lists[k] for k in first[listed]]
    in_lists = np.array([i for row in lists for i in row], dtype=np.int32)
    places = np.arange(len(kinds), dtype=np.int32)
    users = np.concatenate([places[one], places[two], np.repeat(places[listed], [*map(len, lists)])])
    operands = np.concatenate([first[one], second[two], in_lists])
    keep = values_needed(len(kinds), users, operands, np.array(tape.outputs, dtype=np.int32))
    if keep.all():
        return tape

    places = np.cumsum(keep, dtype=np.int32) - 1
    first[one], second[two] = places[first[one]], places[second[two]]
    chosen = keep & (kinds == CONSTANT)
    constants = tuple(tape.constants[k] for k in first[chosen])
    first[chosen] = np.arange(len(constants))
    chosen = keep & listed
    lists = [tuple(places[list(tape.lists[k])].tolist()) for k in first[chosen]]
    first[chosen] = np.arange(len(lists))
    chosen = keep & (kinds == CALL)
    blocks, second[chosen] = np.unique(second[chosen], return_inverse=True)
    return Tape(
        tape.sizes,
        pack(kinds, first, second)[keep],
        constants,
        tuple(lists),
        tuple(places[list(tape.outputs)].tolist()),
        tuple(tape.blocks[b] for b in blocks),
    )
