"""Vectors and matrices in space over any scalars, as lists and lists of rows.

Entries that are the float zero cost nothing in traced functions: products with them are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grashof.model.fields import dot
from grashof.scalar.functions import Scalar, sqrt, where

Row = Sequence[Scalar]
Column = list[Scalar]
Square = list[list[Scalar]]

ZERO: Column = [0.0, 0.0, 0.0]
EYE: Square = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]


def add(*vectors: Row) -> Column:
    """a + b + …"""
    total = list(vectors[0])
    for vector in vectors[1:]:
        total = [x + y for x, y in zip(total, vector, strict=True)]
    return total


def subtract(a: Row, b: Row) -> Column:
    """a − b"""
    return [x - y for x, y in zip(a, b, strict=True)]


def scale(factor: Scalar, a: Row) -> Column:
    """s a"""
    return [factor * x for x in a]


def vector_product(a: Row, b: Row) -> Column:
    """a × b"""
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def apply(matrix: Square, a: Row) -> Column:
    """A a"""
    return [dot(row, a) for row in matrix]


def apply_transposed(matrix: Square, a: Row) -> Column:
    """Aᵀ a"""
    return [dot(column, a) for column in zip(*matrix, strict=True)]


def transpose(matrix: Square) -> Square:
    """Aᵀ"""
    return [list(column) for column in zip(*matrix, strict=True)]


def multiply(first: Square, second: Square) -> Square:
    """A B"""
    columns = transpose(second)
    return [[dot(row, column) for column in columns] for row in first]


def symmetric(entry: Callable[[int, int], Scalar]) -> Square:
    """The matrix with these entries in the upper triangle, of which the others are the mirror image."""
    upper = {(i, j): entry(i, j) for i in range(3) for j in range(i, 3)}
    return [[upper[min(i, j), max(i, j)] for j in range(3)] for i in range(3)]


def crossing(a: Row, matrix: Square) -> Square:
    """The matrix whose columns are a × those of the given one."""
    return transpose([vector_product(a, column) for column in transpose(matrix)])


def quaternion_of(turn: Square) -> Column:
    """The unit quaternion w, x, y, z of a rotation matrix: the longest row of 4 π πᵀ, which is the most accurate
    (Shepperd, 1978)."""
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = turn
    rows = [
        [1.0 + xx + yy + zz, zy - yz, xz - zx, yx - xy],
        [zy - yz, 1.0 + xx - yy - zz, yx + xy, xz + zx],
        [xz - zx, yx + xy, 1.0 - xx + yy - zz, zy + yz],
        [yx - xy, xz + zx, zy + yz, 1.0 - xx - yy + zz],
    ]
    best, size = rows[0], rows[0][0]
    for k in (1, 2, 3):
        more = rows[k][k] - size
        best = [where(more, x, y) for x, y in zip(rows[k], best, strict=True)]
        size = where(more, rows[k][k], size)
    return scale(1.0 / sqrt(dot(best, best)), best)


def in_space(a: Row) -> Column:
    """A vector of the plane z = 0, or of space, with three components."""
    return [*a, 0.0][:3]
