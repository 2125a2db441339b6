"""Presolve: eliminates every linear row exactly, again and again, until only quadratic rows are left.

As in linear programming. A linear row determines one coordinate from the others; putting that in can make other rows linear
(a direction that became constant turns "at right angles to it" into a linear row) or empty (satisfied by themselves:
redundant). Each row remembers who owns it.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from dataclasses import dataclass

from grashof.errors import ModelError
from grashof.system.forms import Expression, Form, monomials

Monomials = dict[tuple[int, ...], float]

CONTRADICTION = 1e-9
"""An empty row that misses by more than this fraction of the length scale is a contradiction, not round-off."""

ROUND_OFF = 1e-9
"""A coefficient that shrinks below this fraction of its row's first size has cancelled: what is left of it is no pivot."""


@dataclass(frozen=True)
class Row:
    """An equation, in metres, and the joint or body that asks for it."""

    expression: Expression
    owner: str


@dataclass(frozen=True)
class Presolved:
    """What is left: a form for every eliminated coordinate, and the rows that stay quadratic.

    satisfied: the owners of rows that hold by themselves, once for each such row
    """

    eliminated: dict[int, Form]
    rows: tuple[Row, ...]
    satisfied: tuple[str, ...]


def presolve(rows: list[Row], length: float) -> Presolved:
    """Eliminates linear rows until none is left; raises ModelError if two rows contradict each other."""
    work = _Elimination(rows, length)
    work.run()
    kept, duplicates = _without_repeats(work.quadratic_rows())
    return Presolved(work.resolved(), tuple(kept), (*work.satisfied, *duplicates))


class _Elimination:
    """Rows by number, with an index from each coordinate to the rows it occurs in, so that a substitution is local."""

    def __init__(self, rows: list[Row], length: float) -> None:
        self.length = length
        self.rows: dict[int, Row] = dict(enumerate(rows))
        self.occurs: dict[int, set[int]] = defaultdict(set)
        self.linear: list[tuple[int, int]] = []
        self.by: dict[int, Form] = {}
        self.order: list[int] = []
        self.satisfied: list[str] = []
        self.sizes = {number: self._size(monomials(row.expression)) for number, row in self.rows.items()}
        for number in list(self.rows):
            self._index(number)

    def run(self) -> None:
        while self.linear:
            # the shortest row first: pins (two terms) merge points before anything can fill in
            size, number = heapq.heappop(self.linear)
            form = self.rows[number].expression if number in self.rows else None
            if not isinstance(form, Form) or len(form.terms) != size:
                continue  # filed anew since
            del self.rows[number]
            for i in form.terms:
                self.occurs[i].discard(number)
            self._eliminate(self._pivot(form), form)

    def _pivot(self, form: Form) -> int:
        """The coordinate to eliminate: a large coefficient, then the fewest rows touched, then the later coordinate."""
        largest = max(abs(a) for a in form.terms.values())
        good = [i for i, a in form.terms.items() if abs(a) >= 0.1 * largest]
        return min(good, key=lambda i: (len(self.occurs[i]), -i))

    def _eliminate(self, i: int, form: Form) -> None:
        a = form.terms[i]
        solved = Form({j: -b / a for j, b in form.terms.items() if j != i}, -form.constant / a)
        self.by[i] = solved
        self.order.append(i)
        for number in sorted(self.occurs.pop(i, ())):
            row = self.rows[number]
            for j in _coordinates(row.expression):
                self.occurs[j].discard(number)
            self.rows[number] = Row(row.expression.substitute({i: solved}), row.owner)
            self._index(number)

    def _index(self, number: int) -> None:
        """Files a new or changed row: empty, linear or quadratic."""
        row = self.rows[number]
        expression = row.expression
        found = self._without_round_off(monomials(expression), self.sizes[number])
        if not any(found):
            missing = abs(found.get((), 0.0))
            if missing > CONTRADICTION * self.length:
                raise ModelError(
                    f"'{row.owner}' cannot be satisfied: the joints and bodies around it leave a gap of {missing:.3g} m "
                    "that no motion can close. Check the positions and lengths given there."
                )
            del self.rows[number]
            self.satisfied.append(row.owner)
            return
        if not any(len(key) == 2 for key in found):
            expression = Form({key[0]: x for key, x in found.items() if key}, found.get((), 0.0))
            self.rows[number] = Row(expression, row.owner)
        if isinstance(expression, Form):
            heapq.heappush(self.linear, (len(expression.terms), number))
        for i in _coordinates(expression):
            self.occurs[i].add(number)

    def _size(self, found: Monomials) -> float:
        """The largest coefficient, of qᵢ or of qᵢqⱼ/ℓ."""
        return max((abs(x) * self.length ** (len(key) - 1) for key, x in found.items() if key), default=0.0)

    def _without_round_off(self, found: Monomials, size: float) -> Monomials:
        return {key: x for key, x in found.items() if not key or self._size({key: x}) > ROUND_OFF * size}

    def quadratic_rows(self) -> list[Row]:
        return [self.rows[number] for number in sorted(self.rows)]

    def resolved(self) -> dict[int, Form]:
        """Every eliminated coordinate in terms of surviving ones: the last one solved refers to survivors only."""
        final: dict[int, Form] = {}
        for i in reversed(self.order):
            final[i] = self.by[i].substitute(final)
        return final


def _coordinates(expression: Expression) -> set[int]:
    if isinstance(expression, Form):
        return set(expression.terms)
    found = set(expression.linear.terms)
    for _, f, g in expression.products:
        found |= f.terms.keys() | g.terms.keys()
    return found


def _without_repeats(rows: list[Row]) -> tuple[list[Row], list[str]]:
    """Drops rows that are a multiple of another: the largest stays, since cancellation makes small ones, of few digits."""
    kept: dict[tuple[tuple[tuple[int, ...], ...], tuple[float, ...]], tuple[float, Row]] = {}
    dropped = []
    for row in rows:
        found = monomials(row.expression)
        keys = tuple(sorted(found))
        size = max(abs(found[key]) for key in keys)
        lead = next(found[key] for key in keys if abs(found[key]) > 0.5 * size)
        signature = (keys, tuple(round(found[key] / lead, 9) + 0.0 for key in keys))
        if signature in kept:
            smaller, larger = sorted([kept[signature], (size, row)], key=lambda pair: pair[0])
            dropped.append(smaller[1].owner)
            kept[signature] = larger
        else:
            kept[signature] = size, row
    return [row for _, row in kept.values()], dropped
