"""Symmetric linear equations in decimal arithmetic, also with dependent rows."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from grashof.precise.pins import ZERO, solve

Row = list[Decimal]


def solve_semidefinite(matrix: Sequence[Sequence[Decimal]], right: Sequence[Decimal], rank: int) -> Row:
    """A solution x of S x = b for a positive semidefinite S of this rank and a b in its range.

    The largest diagonal element is the next pivot. The rows that are left depend on the others, and their unknowns are
    zero: the forces of redundant joints are not unique, but their sum is. The rank is given, because S of a position
    that is not exact, as in an iteration, has a higher one.
    """
    n = len(right)
    rows = [[*row, b] for row, b in zip(matrix, right, strict=True)]
    rest: list[int] = list(range(n))
    order: list[int] = []
    while len(order) < rank:
        pivot = max(rest, key=lambda i: rows[i][i])
        rest.remove(pivot)
        order.append(pivot)
        top = rows[pivot]
        for i in rest:
            row = rows[i]
            if row[pivot]:
                factor = row[pivot] / top[pivot]
                for k in rest:
                    if top[k]:
                        row[k] -= factor * top[k]
                row[n] -= factor * top[n]
    x = [ZERO] * n
    for place, i in reversed(list(enumerate(order))):
        known = sum((rows[i][k] * x[k] for k in order[place + 1 :]), ZERO)
        x[i] = (rows[i][n] - known) / rows[i][i]
    return x


def constrained_acceleration(
    inverse_times: Sequence[Row], jacobian: Sequence[Row], free: Row, right: Sequence[Decimal], rank: int | None = None
) -> Row:
    """a = a_free + M⁻¹Jᵀλ with J a = right, from the rows of J, those of (M⁻¹Jᵀ)ᵀ, and a_free; `rank` of the rows are
    independent, by default all."""
    schur = [[ZERO] * len(jacobian) for _ in jacobian]
    for i, row in enumerate(jacobian):
        for k, gain in enumerate(inverse_times[: i + 1]):
            schur[i][k] = schur[k][i] = _dot(row, gain)
    wanted = [r - _dot(row, free) for row, r in zip(jacobian, right, strict=True)]
    force = solve_semidefinite(schur, wanted, len(right) if rank is None else rank)
    return [
        a + sum((f * g for f, g in zip(force, gains, strict=True) if g), ZERO)
        for a, *gains in zip(free, *inverse_times, strict=True)
    ]


def augmented_acceleration(
    mass: Sequence[Row], jacobian: Sequence[Row], force: Row, right: Sequence[Decimal], rank: int | None = None
) -> Row:
    """The same with a mass matrix that may be singular, as that of thin rods is: M + JᵀJ takes its place, which changes
    nothing, because J a is known."""
    n = len(force)
    whole = [list(row) for row in mass]
    load = list(force)
    for row, r in zip(jacobian, right, strict=True):
        some = [i for i in range(n) if row[i]]
        for i in some:
            load[i] += row[i] * r
            for k in some:
                whole[i][k] += row[i] * row[k]
    free, *gains = solve(whole, [load, *jacobian])
    return constrained_acceleration(gains, jacobian, free, right, rank)


def _dot(a: Row, b: Row) -> Decimal:
    return sum((x * y for x, y in zip(a, b, strict=True) if x and y), ZERO)
