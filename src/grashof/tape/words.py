"""Statements as integers.

A tape may have millions of statements. Each is encoded as a word of 64 bits, which is its own key while tracing and
an array element afterwards:

    bits 54 …      the kind of statement: an index in KINDS
    bits 27 … 53   its first operand
    bits  0 … 26   its second operand

An operand is the index of a statement. Exceptions: for an input it is the index in the input vector, for a constant the
index in the list of constants, and the second operand of a result is the index among the outputs of the block. Calls
and ``where`` have more operands than a word can hold: these are in a list of lists, and the word of ``where`` holds
their index in it, that of a call their index and the number of the block.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.int64]
Kinds: TypeAlias = NDArray[np.int8]
Places: TypeAlias = NDArray[np.int32]

OPERANDS: dict[str, int] = {
    "where": 3,
    **dict.fromkeys(("negate", "sin", "cos", "tan", "exp", "log", "sqrt", "tanh", "absolute", "sign", "floor"), 1),
    **dict.fromkeys(("add", "subtract", "multiply", "divide", "atan2", "minimum", "maximum", "interval", "entry"), 2),
}
"""The operations, and how many operands they have."""

KINDS = ("input", "constant", "call", "result", *OPERANDS)
CODES = {kind: code for code, kind in enumerate(KINDS)}
INPUT, CONSTANT, CALL, RESULT, WHERE = range(5)
"""From ``where`` on, statements are operations."""

BITS = 27
LIMIT = 1 << BITS
"""Largest number of statements of a tape."""

# How many operands in the word itself are places of statements.
_HELD = np.array([{"result": 1, "where": 0}.get(kind, OPERANDS.get(kind, 0)) for kind in KINDS], dtype=np.int8)


def word(kind: int, first: int, second: int = 0) -> int:
    """One statement."""
    return (kind << 2 * BITS) + (first << BITS) + second


def columns(words: Words) -> tuple[Kinds, Places, Places]:
    """The kind of each statement, its first and its second operand."""
    return (
        (words >> 2 * BITS).astype(np.int8),
        ((words >> BITS) & (LIMIT - 1)).astype(np.int32),
        (words & (LIMIT - 1)).astype(np.int32),
    )


def pack(kinds: Kinds, first: Places, second: Places) -> Words:
    """The statements with these columns."""
    words: Words = kinds.astype(np.int64) << 2 * BITS
    words += first.astype(np.int64) << BITS
    words += second
    return words


def operands_held(kinds: Kinds) -> Kinds:
    """How many operands in the word itself are places of statements, for each of these kinds."""
    return _HELD[kinds]


def values_needed(count: int, users: Places, operands: Places, outputs: Places) -> NDArray[np.bool_]:
    """Which of ``count`` values the outputs need, value ``users[k]`` being computed from value ``operands[k]``."""
    uses = np.bincount(operands, minlength=count)
    uses[outputs] += 1
    keep = np.ones(count, dtype=bool)
    useless = np.flatnonzero(uses == 0)
    if not len(useless):
        return keep
    order = np.argsort(users, kind="stable")
    operands = operands[order]
    starts = np.searchsorted(users[order], np.arange(count + 1))
    while len(useless):
        keep[useless] = False
        # all k from starts[i] to starts[i + 1], for each useless i
        lengths = starts[useless + 1] - starts[useless]
        shifts = starts[useless] - np.cumsum(lengths) + lengths
        released = operands[np.repeat(shifts, lengths) + np.arange(lengths.sum())]
        np.subtract.at(uses, released, 1)
        released = np.unique(released)
        useless = released[uses[released] == 0]
    return keep
