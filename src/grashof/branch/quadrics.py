"""Quadratic equations that hold on a branch in addition to those of the joints, for pieces with few coordinates."""

from __future__ import annotations

import numpy as np

from grashof.branch.sampling import STRIDES, Array, Piece, spread
from grashof.formulation.natural.forms import Expression, Form, monomials
from grashof.formulation.natural.presolve import BRANCH, Row

FEW = 6
"""Largest number of coordinates of a piece whose quadratic equations are looked for: 28 monomials."""

CANDIDATES = 8
"""Number of combinations of the quadratic equations that are tried; the one that keeps the rows farthest from
singular is used."""

WALKERS, WAYS = 4, (16, 64)
"""Number of walks on which a quadratic equation is found again, and their lengths in strides: each longer than the
one before, using its result."""

EXACT_QUADRIC, CURVED_QUADRIC = 1e-12, 1e-9
"""As for linear relations: what vanishes does so to round-off, about 1e-14, while monomials on a short stretch are
nearly dependent, in small pieces to about 1e-9. On a short stretch singular values decrease steadily, so that a gap
between them alone proves nothing."""


def quadrics_of(piece: Piece) -> list[Row]:
    """A row that holds on the branch and is not a combination of the piece's own rows, if there is one.

    If it is found on a short stretch, it is used to walk through the position where branches cross, and is then found
    again on the longer path.
    """
    rng = np.random.default_rng(1)
    enough = (len(piece.columns) + 2) ** 2
    points = np.concatenate([piece.here[None], piece.walk(rng, enough // STRIDES + 2, STRIDES)[0]])
    if len(points) < enough:  # walks end early near a singular position
        points = np.concatenate([points, piece.walk(rng, 2 * enough, STRIDES)[0]])
    found = _vanishing(piece, points, rng)
    if not found:  # unless the walks stepped over a singular position
        points = np.concatenate([piece.here[None], piece.walk(rng, enough, 2 * STRIDES, careful=True)[0]])
        found = _vanishing(piece, points, rng)
    for strides in WAYS:
        if found:
            points = np.concatenate([points, piece.walk(rng, WALKERS, strides, piece.extended(found))[0]])
            found = _vanishing(piece, points, rng)
    return found


def _vanishing(piece: Piece, points: Array, rng: np.random.Generator) -> list[Row]:
    """The row that vanishes at the points, if there is one."""
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
    """The coefficients of a row as a polynomial in z = (q − here)/ℓ: the constant, then those of z_i, then those of
    the products."""
    places = {a: Form({i: piece.length}, x) for i, (a, x) in enumerate(zip(piece.columns, piece.here, strict=True))}
    found = monomials(row.expression.substitute(places))
    return [
        found.get((), 0.0),
        *(found.get((i,), 0.0) for i in range(len(places))),
        *(found.get(p, 0.0) for p in pairs),
    ]


def _row(coefficients: Array, piece: Piece, pairs: list[tuple[int, int]]) -> Row:
    """The row with these coefficients of its polynomial in z, scaled to gradients of about one."""
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
