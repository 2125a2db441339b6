"""Presolve: eliminates linear rows exactly and repeatedly until only quadratic rows and those to be kept are left.

The idea is that of presolving in linear programming. A linear row determines one coordinate from the others;
substituting it can make other rows linear (once a direction is constant, "perpendicular to it" is a linear row) or
empty (satisfied identically, hence redundant). Each row keeps track of its owner.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from dataclasses import dataclass, replace

from grashof.common.errors import ModelError
from grashof.formulation.natural.forms import Expression, Form, monomials

Monomials = dict[tuple[int, ...], float]

CONTRADICTION = 1e-9
"""An empty row whose residual exceeds this fraction of the length scale is a contradiction, not round-off."""

ROUND_OFF = 1e-9
"""A coefficient that shrinks below this fraction of its row's initial size has cancelled: the remainder cannot be a
pivot."""


WEAK = 1e-3
"""A row that has shrunk below this fraction of its initial size has lost digits, and is used for elimination only
after all others."""

BRANCH = "branch"
"""The owner of relations that hold on the mechanism's branch but do not belong to a joint."""


@dataclass(frozen=True)
class Row:
    """An equation, in metres, and the joint or body it comes from.

    gives: the coordinate to eliminate with it, if it is linear; -1 leaves the choice open
    kept:  it stays even if it is linear, because its multiplier is needed
    """

    expression: Expression
    owner: str
    gives: int = -1
    kept: bool = False


@dataclass(frozen=True)
class Presolved:
    """The result of presolve: a form for every eliminated coordinate, and the rows that remain.

    satisfied: the owners of rows that hold identically, once for each such row
    """

    eliminated: dict[int, Form]
    rows: tuple[Row, ...]
    satisfied: tuple[str, ...]


def presolve(rows: list[Row], length: float) -> Presolved:
    """Eliminates linear rows until none is left; raises ModelError if two rows contradict each other."""
    work = _Elimination(rows, length)
    work.run()
    kept, repeated = _independent(work.quadratic_rows(), length)
    return Presolved(work.resolved(), tuple(kept), (*work.satisfied, *repeated))


class _Elimination:
    """Rows by number, with an index from each coordinate to the rows it occurs in, so that a substitution is local."""

    def __init__(self, rows: list[Row], length: float) -> None:
        self.length = length
        self.rows: dict[int, Row] = dict(enumerate(rows))
        self.occurs: dict[int, set[int]] = defaultdict(set)
        self.linear: list[tuple[bool, int, int]] = []
        self.filed: dict[int, tuple[bool, int, int]] = {}
        self.by: dict[int, Form] = {}
        self.order: list[int] = []
        self.satisfied: list[str] = []
        self.sizes = {number: self._size(monomials(row.expression)) for number, row in self.rows.items()}
        for number in list(self.rows):
            self._index(number)

    def run(self) -> None:
        while self.linear:
            # rows that have nearly cancelled come last, as others may cancel them completely; otherwise the shortest
            # row comes first:
            # pins (two terms) merge points before any fill-in can occur
            entry = heapq.heappop(self.linear)
            number = entry[-1]
            form = self.rows[number].expression if number in self.rows else None
            if not isinstance(form, Form) or entry != self.filed[number]:
                continue  # re-indexed since
            row = self.rows.pop(number)
            for i in form.terms:
                self.occurs[i].discard(number)
            self._eliminate(row.gives if row.gives in form.terms else self._pivot(form, row.owner == BRANCH), form)

    def _pivot(self, form: Form, by_place: bool) -> int:
        """The coordinate to eliminate: a large coefficient, then the fewest rows touched, then the later coordinate.

        Relations of a branch tie many points equally: there the later one is eliminated, so that the remaining
        coordinates belong together.
        """
        largest = max(abs(a) for a in form.terms.values())
        good = [i for i, a in form.terms.items() if abs(a) >= 0.1 * largest]
        return max(good) if by_place else min(good, key=lambda i: (len(self.occurs[i]), -i))

    def _eliminate(self, i: int, form: Form) -> None:
        a = form.terms[i]
        solved = Form({j: -b / a for j, b in form.terms.items() if j != i}, -form.constant / a)
        self.by[i] = solved
        self.order.append(i)
        for number in sorted(self.occurs.pop(i, ())):
            row = self.rows[number]
            for j in _coordinates(row.expression):
                self.occurs[j].discard(number)
            self.rows[number] = replace(row, expression=row.expression.substitute({i: solved}))
            self._index(number)

    def _index(self, number: int) -> None:
        """Classifies a new or changed row as empty, linear or quadratic, and indexes it."""
        row = self.rows[number]
        expression = row.expression
        terms = monomials(expression)
        found = self._without_round_off(terms, self.sizes[number])
        if not any(found):
            missing = abs(found.get((), 0.0))
            if missing > CONTRADICTION * self.length:
                raise ModelError(
                    f"'{row.owner}' cannot be satisfied: the joints and bodies around it leave a gap of {missing:.3g} "
                    "m that no motion can close. Check the positions and lengths given there and, in space, the "
                    "guessed rotations, for which joint axes are given."
                )
            del self.rows[number]
            self.satisfied.append(row.owner)
            return
        if not any(len(key) == 2 for key in found):
            # beside larger coefficients, small ones may have been given: axes are parallel to the digits of π in a file
            expression = Form({key[0]: x for key, x in terms.items() if len(key) == 1}, found.get((), 0.0))
            self.rows[number] = replace(row, expression=expression)
        if isinstance(expression, Form) and not row.kept:
            weak = self._size(found) < WEAK * self.sizes[number]
            self.filed[number] = (weak, len(expression.terms), number)
            heapq.heappush(self.linear, self.filed[number])
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
        """Every eliminated coordinate in terms of the remaining ones: the last one eliminated refers to remaining
        ones only."""
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


def _independent(rows: list[Row], length: float) -> tuple[list[Row], list[str]]:
    """The rows without those that are linear combinations of others, and the owners of the latter.

    Elimination on the coefficients of the monomials; rows that cancellation has made small have few digits and come
    last, otherwise the shortest row comes first. Rows of which the others leave little (WEAK) wait until all other rows
    have been used, which may cancel them completely.
    """
    vectors = []
    for row in rows:
        scaled = {key: x * length ** (len(key) - 1) for key, x in monomials(row.expression).items()}
        vectors.append((max(abs(x) for key, x in scaled.items() if key), scaled))
    elimination = _Monomials()
    kept: set[int] = set()
    small = WEAK * max((size for size, _ in vectors), default=0.0)
    waiting = sorted(range(len(rows)), key=lambda k: (vectors[k][0] < small, len(vectors[k][1]), -vectors[k][0]))
    for limit in (WEAK, ROUND_OFF):
        weak = []
        for number in waiting:
            size, vector = vectors[number]
            rest = elimination.reduce({key: x / size for key, x in vector.items()})
            if elimination.use(rest, limit):
                kept.add(number)
            else:
                weak.append(number)
                if limit == ROUND_OFF and abs(rest.get((), 0.0)) > CONTRADICTION * max(
                    1.0, abs(vector.get((), 0.0) / size)
                ):
                    kept.add(number)  # a contradiction is kept, so that assembly can explain it
        waiting = weak
    dropped = [row.owner for number, row in enumerate(rows) if number not in kept]
    return [rows[number] for number in sorted(kept)], dropped


class _Monomials:
    """Vectors {monomial: coefficient} in echelon form, each with coefficient 1 at its pivot."""

    def __init__(self) -> None:
        self.pivots: list[tuple[tuple[int, ...], Monomials]] = []
        self.place: dict[tuple[int, ...], int] = {}

    def reduce(self, rest: Monomials) -> Monomials:
        """What is left of a vector once the pivots are eliminated from it. It is changed."""
        waiting = [self.place[key] for key in rest if key in self.place]
        heapq.heapify(waiting)
        while waiting:
            key, pivot = self.pivots[heapq.heappop(waiting)]
            factor = rest.pop(key, 0.0)
            for other, x in pivot.items():
                if other != key and factor:
                    if other in self.place and other not in rest:
                        heapq.heappush(waiting, self.place[other])
                    rest[other] = rest.get(other, 0.0) - factor * x
        return rest

    def use(self, rest: Monomials, limit: float) -> bool:
        """Adds a reduced vector, if its largest coefficient exceeds the limit."""
        lead = max((key for key in rest if key), key=lambda key: abs(rest[key]), default=())
        if not lead or abs(rest[lead]) <= limit:
            return False
        self.place[lead] = len(self.pivots)
        self.pivots.append((lead, {key: x / rest[lead] for key, x in rest.items()}))
        return True
