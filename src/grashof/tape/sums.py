"""Sums of products among the operations of a tape.

A product that only one sum needs is not stored, and neither is a partial sum that only the next one continues:

    c + a·b + d·e + …        c − a·b − d·e − …        a·b − c

Each product and its addition are rounded once: multiplications and additions are fused here and nowhere else.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grashof.tape.flat import Flat, operand_counts
from grashof.tape.words import CODES, Kinds, Places

TERMS = 4
"""Largest number of products in one sum; longer sums continue in another one."""

NO_SUM, PLUS, MINUS, REST = range(4)

_ADD, _SUBTRACT, _MULTIPLY = (CODES[name] for name in ("add", "subtract", "multiply"))


@dataclass(frozen=True, eq=False)
class Sums:
    """For each operation, its part in a sum.

    An operation that begins a sum with a product has no c: it starts from the value ``Flat.size``, which is −0.
    """

    kinds: Kinds  # NO_SUM, PLUS, MINUS, REST
    factors: Places  # (2, n) values a and b
    origins: Places  # value c of the sums that begin here
    positions: Places  # number of products before this one
    ends: Places  # the operation with which the sum ends
    absorbed: NDArray[np.bool_]  # whether its value is not stored


def fuse(kinds: Kinds, left: Places, right: Places, single: NDArray[np.bool_]) -> tuple[Kinds, Places, Places]:
    """The kind of sum that each operation is, the value of the product that it absorbs, and that of the other summand.

    ``single`` states for each value whether it is a product that nothing else needs. If both are, the second one is
    absorbed.
    """
    add, subtract = kinds == _ADD, kinds == _SUBTRACT
    left, right = (np.where(add | subtract, places, 0) for places in (left, right))
    take_right = (add | subtract) & single[right]
    take_left = (add | subtract) & single[left] & ~take_right
    sums = np.select([add & (take_left | take_right), subtract & take_right, subtract & take_left], [PLUS, MINUS, REST])
    return sums.astype(np.int8), np.where(take_right, right, left), np.where(take_right, left, right)


def find_sums(flat: Flat) -> Sums:
    """The longest sums, up to TERMS products."""
    count = len(flat.kinds)
    once = _uses(flat)[flat.given :] == 1
    single_product = np.concatenate([np.zeros(flat.given, dtype=bool), once & (flat.kinds == _MULTIPLY)])

    kinds, products, origins = fuse(flat.kinds, flat.operands[0], flat.operands[1], single_product)
    products = products[kinds != NO_SUM] - flat.given
    factors = flat.operands[:2].copy()
    factors[:, kinds != NO_SUM] = flat.operands[:2, products]
    absorbed = np.zeros(count, dtype=bool)
    absorbed[products] = True

    # each continues the previous one if nothing else needs that, and if it is of the same kind or a product
    later = np.flatnonzero((kinds == PLUS) | (kinds == MINUS))
    later = later[origins[later] >= flat.given]
    earlier = origins[later] - flat.given
    begins = (kinds[later] == PLUS) & (flat.kinds[earlier] == _MULTIPLY)
    joined = once[earlier] & (begins | (kinds[later] == kinds[earlier]))
    previous = np.full(count, -1, dtype=np.int32)
    previous[later[joined]] = earlier[joined]
    kinds[earlier[joined & begins]] = PLUS
    origins[earlier[joined & begins]] = flat.size

    positions = _positions(previous) % TERMS
    previous[positions == 0] = -1
    later = np.flatnonzero(previous >= 0)
    absorbed[previous[later]] = True
    ends = np.arange(count, dtype=np.int32)
    for _ in range(TERMS - 1):
        ends[previous[later]] = ends[later]
    return Sums(kinds, factors, origins, positions, ends, absorbed)


def _uses(flat: Flat) -> Places:
    """How often each value is read, by operations and as an output."""
    counts = operand_counts(flat.kinds)
    uses = np.bincount(flat.outputs, minlength=flat.size)
    for k, operands in enumerate(flat.operands):
        uses += np.bincount(operands[counts > k], minlength=flat.size)
    return uses.astype(np.int32)


def _positions(previous: Places) -> Places:
    """The number of predecessors of each, by pointer doubling."""
    positions = (previous >= 0).astype(np.int32)
    leaping = np.flatnonzero(previous >= 0)
    leaps = previous.copy()
    while len(leaping):
        targets = leaps[leaping]
        positions[leaping] += positions[targets]
        leaps[leaping] = leaps[targets]
        leaping = leaping[leaps[leaping] >= 0]
    return positions
