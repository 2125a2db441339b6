"""Quadratic equations that hold on a branch beyond those of the joints, for pieces of a few coordinates."""

from __future__ import annotations

import numpy as np

from grashof.analysis.sampling import STRIDES, Array, Piece, spread
from grashof.system.forms import Expression, Form, monomials
from grashof.system.presolve import BRANCH, Row

FEW = 6
"""Coordinates of a piece whose quadratic equations are looked for: 28 monomials."""

CANDIDATES = 8
"""Combinations of the quadratic equations that are tried: the one that leaves the rows farthest from singular is taken."""

WALKERS, WAYS = 4, (16, 64)
"""Walks on which a quadratic equation is found anew, and how many strides they take: each longer, with what was found before."""

EXACT_QUADRIC, CURVED_QUADRIC = 1e-12, 1e-9
"""The same for quadratic equations: what vanishes does so to round-off, about 1e-14, and on a stretch monomials are nearly dependent, in
small pieces to about 1e-9. Singular values fall steadily on a short one, so that a gap alone says nothing."""


def quadrics_of(piece: Piece) -> list[Row]:
    """A row that holds on the branch and is no combination of the piece's own, if there is one.

    Found on a stretch, it leads on through the position where branches cross, and is found anew on the longer way.
    """
    rng = np.random.default_rng(1)
    enough = (len(piece.columns) + 2) ** 2
    points = np.concatenate([piece.here[None], piece.walk(rng, enough // STRIDES + 2, STRIDES)[0]])
    if len(points) < enough:  # ways are short near a singular position
        points = np.concatenate([points, piece.walk(rng, 2 * enough, STRIDES)[0]])
    found = _vanishing(piece, points, rng)
    if not found:  # unless they stepped over a singular position
        points = np.concatenate([piece.here[None], piece.walk(rng, enough, 2 * STRIDES, careful=True)[0]])
        found = _vanishing(piece, points, rng)
    for strides in WAYS:
        if found:
            points = np.concatenate([points, piece.walk(rng, WALKERS, strides, piece.extended(found))[0]])
            found = _vanishing(piece, points, rng)
    return found


def _vanishing(piece: Piece, points: Array, rng: np.random.Generator) -> list[Row]:
    """The row, if there is one that vanishes at the points."""
    n = len(piece.columns)
    pairs = [(i, j) for i in range(n) for j in range(i, n)]
    z = (points - piece.here) / piece.length
    table = np.hstack([np.ones((len(z), 1)), z, np.stack([z[:, i] * z[:, j] for i, j in pairs], axis=1)])
    count = table.shape[1]
    if len(table) < count:
        return []
    scales = np.max(np.abs(table), axis=0)
    sizes, directions = spread(table / scales)
    curved = int(np.sum(sizes > EXACT_QUADRIC * sizes[0]))
    own = np.linalg.qr(np.array([_coefficients(row, piece, pairs) for row in piece.rows]).T)[0]
    new = count - curved - own.shape[1]
    if new <= 0 or sizes[curved - 1] < CURVED_QUADRIC * sizes[0]:
        return []
    vanishing = (directions[curved:] / scales).T
    beyond = np.linalg.svd(vanishing - own @ (own.T @ vanishing))[0][:, :new]
    candidates = [_row(beyond @ weights, piece, pairs) for weights in rng.normal(size=(CANDIDATES, new))]
    rank = piece.rank()

    def regularity(row: Row) -> float:
        gradients = piece.extended([row]).gradients(points)
        return float(np.min(np.linalg.svd(gradients, compute_uv=False)[:, rank - 1]))

    return [max(candidates, key=regularity)]


def _coefficients(row: Row, piece: Piece, pairs: list[tuple[int, int]]) -> list[float]:
    """Of a row as a polynomial in z = (q − here)/ℓ: the constant, then of z_i, then of the products."""
    places = {a: Form({i: piece.length}, x) for i, (a, x) in enumerate(zip(piece.columns, piece.here, strict=True))}
    found = monomials(row.expression.substitute(places))
    return [
        found.get((), 0.0),
        *(found.get((i,), 0.0) for i in range(len(places))),
        *(found.get(p, 0.0) for p in pairs),
    ]


def _row(coefficients: Array, piece: Piece, pairs: list[tuple[int, int]]) -> Row:
    """The row with these coefficients of its polynomial in z; gradients are about one."""
    n = len(piece.columns)
    z = [Form({a: 1.0 / piece.length}, -x / piece.length) for a, x in zip(piece.columns, piece.here, strict=True)]
    scale = piece.length / float(np.max(np.abs(coefficients)))
    total: Expression = Form()
    for i in range(n):
        terms: dict[int, float] = {}
        constant = coefficients[1 + i]
        for (first, second), x in zip(pairs, coefficients[1 + n :], strict=True):
            if first == i:
                terms[piece.columns[second]] = scale / piece.length * x
                constant -= x * piece.here[second] / piece.length
        total = total + z[i] * Form(terms, scale * constant)
    return Row(total, BRANCH)
