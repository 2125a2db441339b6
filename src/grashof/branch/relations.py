"""Linear relations that hold on a branch, found for small pieces of a mechanism from their possible velocities.

If c · q is constant along the branch, c · v = 0 for every velocity v that is possible at any of its positions. The
velocities at random positions of a piece are therefore collected, and the orthogonal complement of their span contains
its relations. A few positions suffice, because each has as many independent velocities as the piece has degrees of
freedom.
"""

from __future__ import annotations

import math

import numpy as np

from grashof.branch.sampling import STRIDES, Array, Piece, spread
from grashof.formulation.natural.forms import Form

MORE = 2
"""Number of further positions that must show no new direction after all have been found."""

EXACT, CURVED = 1e-11, 1e-4
"""The error of a linear relation is below the first number, relative to the distances moved; for anything else it is
above the second. Between the two lies a stretch that is nearly flat: then nothing is concluded."""

REACH = (1.0, 16.0, 256.0)
"""Factors by which strides are lengthened if shorter ones did not show whether a stretch is flat: a tall lift rises
far while its foot closes."""

INTEGER = 1e-12
"""A factor this close to an integer is rounded to it."""

ROUND_OFF = 1e-15
"""A sum is zero if it is below this, relative to its terms."""


def relations_of(piece: Piece) -> list[Form]:
    """The forms that vanish on the branch, in the coordinates of a piece."""
    free = len(piece.columns) - piece.rank()
    if free:
        for reach in REACH:
            span = _span(piece, free, reach)
            if span is not None:
                return _forms(span, piece)
    return []


def _span(piece: Piece, free: int, reach: float) -> Array | None:
    """An orthonormal basis of the possible velocities of a piece; None if walks of this reach cannot decide."""
    n = len(piece.columns)
    rng = np.random.default_rng(1)
    walkers = 2 + n // (free * STRIDES)
    while True:
        moves = piece.walk(rng, walkers, STRIDES, reach=reach)[1]
        if len(moves) <= MORE:
            return None
        sizes, directions = spread(moves)
        flat = _rank(sizes)
        if flat == _rank(spread(moves[:-MORE])[0]) or len(moves) > n + MORE:
            break
        walkers *= 2
    if sizes[flat - 1] < CURVED * sizes[0]:
        return None
    if flat == n:
        return directions
    # relations have to hold on longer walks, too, and become more accurate there
    places, more = piece.walk(rng, walkers, 2 * STRIDES, reach=reach)
    away = np.concatenate([(places - piece.here) / (reach * piece.length), more.reshape(-1, n)])
    if np.max(np.abs(away @ directions[flat:].T), initial=0.0) > 10.0 * EXACT:
        return directions
    return spread(np.concatenate([moves, more]))[1][:flat]


def _forms(span: Array, piece: Piece) -> list[Form]:
    """The relations of a subspace, each solved for one coordinate: q_d − Σ c q_i = const."""
    basis = span.copy()
    independent: list[int] = []
    for k in range(len(basis)):
        # Gauss–Jordan elimination; among equally suitable columns, the first
        sizes = np.max(np.abs(basis[k:]), axis=0)
        column = int(np.argmax(sizes > 0.3 * np.max(sizes)))
        row = k + int(np.argmax(np.abs(basis[k:, column])))
        basis[[k, row]] = basis[[row, k]]
        basis[k] /= basis[k, column]
        others = np.arange(len(basis)) != k
        basis[others] -= np.outer(basis[others, column], basis[k])
        independent.append(column)
    forms = []
    q = piece.here.tolist()
    for d in set(range(len(q))) - set(independent):
        factors = {i: _round_integer(float(basis[k, d])) for k, i in enumerate(independent)}
        constant = rest(q[d], [(x, q[i]) for i, x in factors.items()])
        terms = {piece.columns[i]: -x for i, x in factors.items() if x} | {piece.columns[d]: 1.0}
        forms.append(Form(terms, -constant))
    return forms


def rest(total: float, products: list[tuple[float, float]]) -> float:
    """total − Σ x y, zero if it is round-off."""
    parts = [total, *(-x * y for x, y in products)]
    rest = math.fsum(parts)
    return rest if abs(rest) > ROUND_OFF * max(map(abs, parts)) else 0.0


def _round_integer(x: float) -> float:
    """Removes round-off from a number that is nearly an integer."""
    return float(round(x)) if abs(x - round(x)) < INTEGER else float(x)


def _rank(sizes: Array) -> int:
    return int(np.sum(sizes > EXACT * sizes[0]))
