"""Small dense linear algebra that every processor rounds alike.

Optimised libraries sum in an order that depends on the processor. Everything that determines the digits of a motion,
from the numbers of a description to its start, uses these functions; large matrices, of which only the rank is needed,
do not.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from grashof.scalar.functions import Scalar, sqrt

Matrix = NDArray[np.float64]

SWEEPS = 30
"""Largest number of Jacobi sweeps; convergence is quadratic, and five or six suffice."""


def plain(x: Scalar) -> Scalar:
    """A number as a float; an open number (see `tape.open`) is returned unchanged."""
    return x if hasattr(x, "apply_function") else float(x)


def norm(a: ArrayLike) -> float:
    """√Σ a_k²."""
    length: float = sqrt(plain(np.sum(np.square(a))))
    return length


def distance(a: Sequence[float], b: Sequence[float]) -> float:
    """|a − b|."""
    if all(isinstance(x, float | int) for x in (*a, *b)):
        return math.dist(a, b)
    return norm(np.subtract(a, b))


def mean(values: Sequence[float]) -> float:
    """Σ x_k / n."""
    if all(isinstance(x, float | int) for x in values):
        return float(np.mean(values))
    return sum(values) / len(values)


def _numbers(a: ArrayLike) -> Matrix:
    """An array of floats, or of objects if some numbers are open."""
    array = np.asarray(a)
    return array if array.dtype == object else np.asarray(array, float)


def product(a: ArrayLike, b: ArrayLike) -> Matrix:
    """A B, or A b for a vector b."""
    left, right = _numbers(a), _numbers(b)
    columns = right.reshape(len(right), math.prod(right.shape[1:]))
    total = np.zeros((len(left), columns.shape[1]), np.result_type(left, right))
    for k, row in enumerate(columns):
        total += left[:, k, None] * row
    return total.reshape(len(left), *right.shape[1:])


def roughly(a: ArrayLike, bits: int) -> Matrix:
    """Numbers rounded to this many bits below the largest of them: what LAPACK gives is then the same on every
    processor, if it need not be accurate."""
    array = np.asarray(a, float)
    last = np.ldexp(1.0, np.frexp(np.max(np.abs(array), initial=0.0))[1] - bits)
    return np.asarray(np.rint(array / last) * last)


def principal(symmetric: ArrayLike) -> tuple[Matrix, Matrix]:
    """Eigenvalues, smallest first, and eigenvectors as columns: by Jacobi's rotations (Golub and Van Loan, Matrix
    Computations, 8.5)."""
    a = np.array(symmetric, float)
    axes = np.eye(len(a))
    for _ in range(SWEEPS):
        if not np.any(np.abs(np.triu(a, 1)) > 1e-17 * np.max(np.abs(a), initial=0.0)):
            break
        for p in range(len(a)):
            for q in range(p + 1, len(a)):
                if a[p, q] == 0.0:
                    continue
                tau = float(a[q, q] - a[p, p]) / (2.0 * float(a[p, q]))  # may be infinite
                t = math.copysign(1.0, tau) / (abs(tau) + math.sqrt(1.0 + tau * tau))
                c = 1.0 / math.sqrt(1.0 + t * t)
                s = t * c
                a[:, p], a[:, q] = c * a[:, p] - s * a[:, q], s * a[:, p] + c * a[:, q]
                a[p], a[q] = c * a[p] - s * a[q], s * a[p] + c * a[q]
                axes[:, p], axes[:, q] = c * axes[:, p] - s * axes[:, q], s * axes[:, p] + c * axes[:, q]
    order = np.argsort(np.diag(a), kind="stable")
    return np.diag(a)[order], axes[:, order]


def solve_symmetric(matrix: ArrayLike, right: ArrayLike, smallest: float) -> Matrix:
    """The shortest x with A x as near as possible to b, where eigenvalues below `smallest` times the largest are
    taken as zero."""
    a = np.asarray(matrix, float)
    values, axes = principal(0.5 * (a + a.T))
    held = np.abs(values) > smallest * np.max(np.abs(values), initial=0.0)
    parts = product(axes[:, held].T, right)
    return product(axes[:, held], (parts.T / values[held]).T)


def exact_inverse(matrix: Sequence[Sequence[float | Fraction]]) -> list[list[float]]:
    """(AᵀA)⁻¹Aᵀ, which maps b to the least-squares solution of A x = b; by exact elimination, so that it is the same
    on every machine."""
    a = [[Fraction(x) for x in row] for row in matrix]
    columns = list(zip(*a, strict=True))
    rows = [[sum(x * y for x, y in zip(c, d, strict=True)) for d in columns] + list(c) for c in columns]
    for k in range(len(rows)):  # positive definite: no pivot is zero
        pivot = [x / rows[k][k] for x in rows[k]]
        rows = [[x - row[k] * y for x, y in zip(row, pivot, strict=True)] for row in rows]
        rows[k] = pivot
    return [[float(x) for x in row[len(columns) :]] for row in rows]
