"""Tapes without blocks, in columns."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grashof.tape.tape import Tape
from grashof.tape.words import (
    CALL,
    CONSTANT,
    INPUT,
    KINDS,
    OPERANDS,
    RESULT,
    WHERE,
    Kinds,
    Places,
    columns,
    operands_held,
)

_COUNTS = np.array([OPERANDS.get(kind, 0) for kind in KINDS], dtype=np.int8)

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Flat:
    """Operations on numbered values: the inputs, then the constants, then the results of the operations in order."""

    inputs: int
    constants: Numbers  # (k,)
    kinds: Kinds  # (n,) codes of grashof.tape.words
    operands: Places  # (3, n) numbers of values; where an operation has fewer, the first is repeated
    outputs: Places  # numbers of values

    @property
    def given(self) -> int:
        """Number of values that are not the result of an operation."""
        return self.inputs + len(self.constants)

    @property
    def size(self) -> int:
        """Number of values."""
        return self.given + len(self.kinds)


def operand_counts(kinds: Kinds) -> Kinds:
    """The number of operands of operations of these kinds."""
    return _COUNTS[kinds]


def flatten(tape: Tape) -> Flat:
    """The tape with its blocks expanded where they are called."""
    parts = tape.with_blocks()
    # by their bits, because zeros of different sign are different
    bits = np.unique(np.array([x for part in parts for x in part.constants], dtype=np.float64).view(np.int64))
    expansion = _Expansion(tape.inputs, bits)
    outputs = expansion.expand(tape, np.arange(tape.inputs, dtype=np.int32))
    kinds, operands = np.concatenate(expansion.kinds), np.concatenate(expansion.operands, axis=1)
    return Flat(tape.inputs, bits.view(np.float64), kinds, operands, outputs)


class _Expansion:
    """The operations collected so far."""

    def __init__(self, inputs: int, constant_bits: NDArray[np.int64]) -> None:
        self.inputs = inputs
        self.constant_bits = constant_bits
        self.size = inputs + len(constant_bits)
        self.kinds: list[Kinds] = [np.empty(0, dtype=np.int8)]
        self.operands: list[Places] = [np.empty((3, 0), dtype=np.int32)]

    def expand(self, tape: Tape, arguments: Places) -> Places:
        """Adds a tape whose inputs have these numbers, and returns the numbers of its outputs."""
        kinds, first, second = columns(tape.words)
        triples = np.stack([first, np.where(operands_held(kinds) == 2, second, first), first])
        for i in np.flatnonzero(kinds == WHERE):
            triples[:, i] = tape.lists[first[i]]
        results = np.flatnonzero(kinds == RESULT)
        numbers = np.empty(len(kinds), dtype=np.int32)
        numbers[kinds == INPUT] = arguments[first[kinds == INPUT]]
        numbers[kinds == CONSTANT] = self._constants(tape)[first[kinds == CONSTANT]]
        start = 0
        for end in [*np.flatnonzero(kinds == CALL).tolist(), len(kinds)]:
            here = start + np.flatnonzero(kinds[start:end] >= WHERE)
            numbers[here] = np.arange(self.size, self.size + len(here))
            self.size += len(here)
            self.kinds.append(kinds[here])
            self.operands.append(numbers[triples[:, here]])
            if end < len(kinds):
                block = tape.blocks[second[end]]
                taken = np.full(block.inputs, -1, dtype=np.int32)
                taken[list(block.reads)] = numbers[list(tape.lists[first[end]])]
                outputs = self.expand(block, taken)
                own = results[first[results] == end]
                numbers[own] = outputs[second[own]]
            start = end + 1
        return numbers[list(tape.outputs)]

    def _constants(self, tape: Tape) -> Places:
        """The numbers of a tape's constants."""
        bits = np.array(tape.constants, dtype=np.float64).view(np.int64)
        return (self.inputs + np.searchsorted(self.constant_bits, bits)).astype(np.int32)
