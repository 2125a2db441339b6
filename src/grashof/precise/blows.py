"""Impacts with friction in decimal arithmetic: impulses Λ_n, Λ_t of contacts, with the velocities γ⁺ = γ⁻ + W Λ.

Newton's law of restitution with Coulomb's law for the impulses: γ_n⁺ = −e γ_n⁻, and Λ_t = −μ Λ_n s⁺/|s⁺| if the
contact slips after the impact, |Λ_t| ≤ μ Λ_n if it does not. Contacts that are hit at once follow it together (J. J.
Moreau), or one after the other, until none is approached any more; those that rest take part in every impact.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from typing import Any

from grashof.precise.pins import ZERO

Row = list[Any]
"""Numbers, decimal ones or Taylor series."""
Matrix = list[Row]

OPENS, STICKS, FORWARD, BACKWARD = "opens", "sticks", "slips +", "slips -"
SIGNS = {FORWARD: 1, BACKWARD: -1}
Kinds = tuple[str, ...]
"""What each contact does."""

ONE = Decimal(1)
DEPENDENT = Decimal("1e-12")
"""Rows depend on others if less than this fraction of a pivot is left."""
MOST = 100_000
"""More than the impacts of a sequence."""


class DependentError(ArithmeticError):
    """Equations depend on each other."""


@dataclass(frozen=True)
class Contacts:
    """Coefficients of friction μ and restitution e of each contact; the speed of its slowest bounce, m/s; and whether
    contacts that are hit at once rebound together."""

    mu: Sequence[Decimal]
    restitution: Sequence[Decimal]
    slowest: Decimal
    together: bool = False


def impact(
    w: Matrix, before: Row, closed: Sequence[bool], rests: Sequence[bool], contacts: Contacts, small: Decimal
) -> Row:
    """The impulses at closed contacts, n and t of each."""
    total, velocity = [ZERO] * len(before), before

    def strike(chosen: Sequence[bool]) -> None:
        nonlocal total, velocity
        aims = [
            -e * speed if speed < -contacts.slowest else ZERO
            for speed, e in zip(velocity[::2], contacts.restitution, strict=True)
        ]
        found = next(_solutions(w, velocity, aims, chosen, contacts.mu, small), None)
        if found is None:
            raise ArithmeticError("an impact has no solution")
        total = [x + y for x, y in zip(total, found, strict=True)]
        velocity = [x + dot(row, found) for x, row in zip(velocity, w, strict=True)]

    loose = [i for i, shut in enumerate(closed) if shut and not rests[i]]
    if contacts.together or len(loose) == 1:
        strike(closed)
        return total
    for _ in range(MOST):
        coming = [i for i in loose if velocity[2 * i] < -contacts.slowest]
        if not coming:
            break
        strike([i == coming[0] or (rest and shut) for i, (rest, shut) in enumerate(zip(rests, closed, strict=True))])
    strike([shut and velocity[2 * i] <= contacts.slowest for i, shut in enumerate(closed)])
    return total


def _solutions(
    w: Matrix,
    before: Row,
    aims: Row,
    closed: Sequence[bool],
    mu: Sequence[Decimal],
    small: Decimal,
) -> Iterator[Row]:
    """Impulses (n and t of each contact) with which those that stay reach the speeds `aims`, which the other closed
    ones exceed."""
    for kinds in product(*((FORWARD, BACKWARD, STICKS, OPENS) if shut else (OPENS,) for shut in closed)):
        columns, rows, right = list[Row](), list[int](), list[Any]()
        for i, kind in enumerate(kinds):
            if kind == OPENS:
                continue
            column = [ZERO] * len(before)
            column[2 * i] = ONE
            if kind in SIGNS:
                column[2 * i + 1] = -SIGNS[kind] * mu[i]
            columns.append(column)
            rows.append(2 * i)
            right.append(aims[i] - before[2 * i])
            if kind == STICKS:
                columns.append([ONE if k == 2 * i + 1 else ZERO for k in range(len(before))])
                rows.append(2 * i + 1)
                right.append(-before[2 * i + 1])
        impulses = [ZERO] * len(before)
        if rows:
            matrix = [[dot(w[row], column) for column in columns] for row in rows]
            try:
                (sizes,) = solved(matrix, [right])
            except DependentError:
                continue
            impulses = [dot([column[k] for column in columns], sizes) for k in range(len(before))]
        after = [x + dot(row, impulses) for x, row in zip(before, w, strict=True)]
        if all(
            _obeys(kind, after[2 * i] - aims[i], after[2 * i + 1], impulses[2 * i], impulses[2 * i + 1], mu[i], small)
            for i, kind in enumerate(kinds)
            if closed[i]
        ):
            yield impulses


def _obeys(
    kind: str, beyond: Decimal, slip: Decimal, push: Decimal, along: Decimal, mu: Decimal, small: Decimal
) -> bool:
    """Whether an impact at a contact satisfies the inequalities of its kind."""
    if kind == OPENS:
        return beyond >= -small
    if kind == STICKS:
        return push >= -small and abs(along) <= mu * push + small
    return push >= -small and SIGNS[kind] * slip >= -small


def dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    """Σ a b, without the terms that are exactly zero."""
    total: Any = ZERO
    for x, y in zip(a, b, strict=True):
        if not (is_zero(x) or is_zero(y)):
            total = total + x * y
    return total


def is_zero(x: Any) -> bool:
    return isinstance(x, Decimal) and not x


def solved(matrix: Matrix, right: Sequence[Row]) -> Matrix:
    """The solutions of equations whose pivots are not zero, for each right side."""
    n = len(matrix)
    rows = [[*row, *(b[i] for b in right)] for i, row in enumerate(matrix)]
    for i, pivot in enumerate(rows):
        if isinstance(pivot[i], Decimal) and abs(pivot[i]) <= DEPENDENT * abs(matrix[i][i]):
            raise DependentError
        for row in rows[i + 1 :]:
            if not is_zero(row[i]):
                factor = row[i] / pivot[i]
                row[i:] = [x if is_zero(y) else x - factor * y for x, y in zip(row[i:], pivot[i:], strict=True)]
    found: Matrix = [[ZERO] * n for _ in right]
    for column, x in enumerate(found):
        for i in reversed(range(n)):
            x[i] = (rows[i][n + column] - dot(rows[i][i + 1 : n], x[i + 1 :])) / rows[i][i]
    return found
