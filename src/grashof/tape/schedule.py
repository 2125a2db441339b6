"""Tapes as tables for a program with loops.

An operation, or a sum of products, is one step. Steps whose operands are ready at the same time do not depend on each
other: sorted by that time and by kind, equal steps are adjacent, and each run of them is one loop.
"""

from array import array
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grashof.tape.flat import Flat, Numbers, flatten, operand_counts
from grashof.tape.sums import MINUS, NO_SUM, PLUS, REST, TERMS, Sums, find_sums
from grashof.tape.tape import Tape
from grashof.tape.words import KINDS, WHERE, Kinds, Places

STEPS: tuple[tuple[str, int], ...] = (
    *[(operation, 0) for operation in KINDS[WHERE:]],
    *[("plus", terms) for terms in range(1, TERMS + 1)],
    *[("minus", terms) for terms in range(1, TERMS + 1)],
    ("rest", 1),
)
"""The kinds of steps: an operation of the tape, or a sum, c + Σ a·b, c − Σ a·b or a·b − c, with its number of
products."""

_FIRST = {PLUS: STEPS.index(("plus", 1)), MINUS: STEPS.index(("minus", 1)), REST: STEPS.index(("rest", 1))}

_CHUNK = 1 << 16


@dataclass(frozen=True, eq=False)
class Schedule:
    """The program of one tape. Its memory holds the inputs, the constants and the results of the steps, in this
    order."""

    inputs: int
    constants: Numbers
    runs: Places  # (r, 2): place in STEPS, number of steps
    operands: Places  # places in memory that the steps read: c of a sum first, then a and b of each product
    outputs: Places  # places in memory
    size: int  # numbers in memory
    lanes: int = 1  # how many doubles each of them is


def schedule(tape: Tape, lanes: int = 1) -> Schedule:
    """The program that computes the outputs of the tape, up to round-off."""
    flat = flatten(tape)
    sums = find_sums(flat)
    steps = flat.kinds - WHERE
    for kind, first in _FIRST.items():
        chosen = sums.kinds == kind
        steps[chosen] = first + sums.positions[chosen]

    order = _order(_levels(flat, sums.absorbed), steps, sums.absorbed)
    # the last constant is −0, with which sums without c begin
    constants = np.append(flat.constants, -0.0)
    places = np.empty(flat.size + 1, dtype=np.int32)
    places[: flat.given] = np.arange(flat.given)
    places[flat.size] = flat.given
    places[flat.given + order] = flat.given + 1 + np.arange(len(order))

    begins = np.flatnonzero(np.diff(steps[order], prepend=-1))
    runs = np.stack([steps[order][begins], np.diff(begins, append=len(order))], axis=1).astype(np.int32)
    operands = _operands(flat, sums, order, places)
    return Schedule(flat.inputs, constants, runs, operands, places[flat.outputs], flat.given + 1 + len(order), lanes)


def _levels(flat: Flat, absorbed: NDArray[np.bool_]) -> Places:
    """The level of each operation: the length of the longest chain of steps that leads to it."""
    levels = array("i", bytes(4 * flat.given))
    own = (~absorbed).astype(np.int8)
    # in chunks, since lists of Python integers are large
    for start in range(0, len(own), _CHUNK):
        part = slice(start, start + _CHUNK)
        for i, j, k, step in zip(*flat.operands[:, part].tolist(), own[part].tolist(), strict=True):
            latest = levels[i]
            if j != i and levels[j] > latest:
                latest = levels[j]
            if k != i and levels[k] > latest:
                latest = levels[k]
            levels.append(latest + step)
    return np.frombuffer(levels, dtype=np.int32)[flat.given :]


def _order(levels: Places, steps: Kinds, absorbed: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The operations that end a step, in the order of the steps.

    Within a level, steps are sorted by kind, ascending in one level and descending in the next: the last run of one
    level is then often of the same kind as the first of the next, and the two are merged.
    """
    ends = np.flatnonzero(~absorbed)
    level, step = levels[ends].astype(np.int64), steps[ends]
    return ends[np.argsort(level * 2 * len(STEPS) + np.where(level % 2, -step, step), kind="stable")]


def _operands(flat: Flat, sums: Sums, order: NDArray[np.int64], places: Places) -> Places:
    """The places that the steps read, step by step."""
    in_sum = sums.kinds != NO_SUM
    counts = np.where(in_sum, 1 + 2 * (sums.positions + 1), operand_counts(flat.kinds))
    starts = np.zeros(len(counts), dtype=np.int64)
    starts[order] = np.cumsum(counts[order]) - counts[order]
    table = np.empty(int(counts[order].sum()), dtype=np.int32)

    alone = order[~in_sum[order]]
    for k, values in enumerate(flat.operands):
        chosen = alone[counts[alone] > k]
        table[starts[chosen] + k] = places[values[chosen]]
    parts = np.flatnonzero(in_sum)
    at = starts[sums.ends[parts]]
    first = sums.positions[parts] == 0
    table[at[first]] = places[sums.origins[parts[first]]]
    for k, values in enumerate(sums.factors):
        table[at + 1 + 2 * sums.positions[parts] + k] = places[values[parts]]
    return table
