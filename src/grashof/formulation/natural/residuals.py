"""The largest of many expressions at many positions at once.

The expressions are given in coordinates that are themselves forms in others. Those that then are equal up to round-off
are evaluated once: of the equations of a row of parallelograms on their branch, nearly all are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from grashof.formulation.natural.forms import Expression, Form
from grashof.scalar.functions import Scalar

DIGITS = 46
"""Coefficients are equal if they differ by less than the largest one divided by 2 to this power, 1.4e-14."""

AT_ONCE = 1_000_000
"""Largest number of terms that are computed at once, which bounds the memory."""

Product = tuple[float, int, int]
"""A weight and the numbers of two forms."""


class Residuals:
    """Expressions in coordinates, each of which is a form in the q of a position."""

    def __init__(self, expressions: Iterable[Expression], coordinates: Sequence[Form]) -> None:
        self._coordinates = coordinates
        self._numbers: dict[tuple[int, ...], int] = {}
        self._forms: list[dict[int, float]] = []
        one, rows = self._number(Form({}, 1.0)), dict[tuple[tuple[int, ...], ...], list[Product]]()
        for x in expressions:
            linear, products = (x, ()) if isinstance(x, Form) else (x.linear, x.products)
            row = [(w, self._number(f), self._number(g)) for w, f, g in products]
            row.append((1.0, self._number(linear), one))
            rows.setdefault(tuple((*_round_terms({0: w}), f, g) for w, f, g in row), row)
        terms = [[*form.items()] for form in self._forms]
        self._form_starts, flat = _join_groups(terms)
        self._column, self._factor = np.array([i for i, _ in flat], int), np.array([a for _, a in flat])[:, None]
        self._row_starts, every = _join_groups([*rows.values()])
        self._weight = np.array([w for w, _, _ in every])[:, None]
        self._left, self._right = np.array([f for _, f, _ in every], int), np.array([g for _, _, g in every], int)

    @property
    def count(self) -> int:
        """How many expressions are evaluated."""
        return len(self._row_starts)

    def at(self, q: Sequence[Scalar]) -> list[Scalar]:
        """All expressions at a position, over any scalars."""
        x = [1.0, *q]
        forms = [sum(a * x[i] for i, a in form.items()) for form in self._forms]
        ends = [*self._row_starts[1:].tolist(), len(self._weight)]
        rows = zip(self._row_starts.tolist(), ends, strict=True)
        products = [
            w * (forms[f] * forms[g])
            for w, f, g in zip(self._weight[:, 0].tolist(), self._left, self._right, strict=True)
        ]
        return [sum(products[begin:end]) for begin, end in rows]

    def largest(self, q: np.ndarray) -> np.ndarray:
        """The largest absolute value of all expressions at positions q, (k, n); (k,)."""
        found = np.zeros(len(q))
        if self._row_starts.size:
            stride = max(1, AT_ONCE // (len(self._column) + len(self._weight)))
            for k in range(0, len(q), stride):
                found[k : k + stride] = self._largest(q[k : k + stride])
        return found

    def _largest(self, q: np.ndarray) -> np.ndarray:
        x = np.empty((q.shape[1] + 1, len(q)))
        x[0], x[1:] = 1.0, q.T
        forms = np.add.reduceat(self._factor * x[self._column], self._form_starts, axis=0)
        products = self._weight * (forms[self._left] * forms[self._right])
        largest: np.ndarray = np.abs(np.add.reduceat(products, self._row_starts, axis=0)).max(axis=0)
        return largest

    def _number(self, form: Form) -> int:
        """The number of a form in the coordinates; the constant is the factor of x₀ = 1, and coordinate i that of
        x₁₊ᵢ."""
        terms = {0: float(form.constant)}
        for i, a in form.terms.items():
            by = self._coordinates[i]
            terms[0] += a * by.constant
            for j, b in by.terms.items():
                terms[1 + j] = terms.get(1 + j, 0.0) + a * b
        number = self._numbers.setdefault(_round_terms(terms), len(self._forms))
        if number == len(self._forms):
            self._forms.append(terms)
        return number


def _round_terms(terms: dict[int, float]) -> tuple[int, ...]:
    """As a rule, the same for terms that are equal up to round-off."""
    size = max(map(abs, terms.values()))
    if not 0.0 < size < math.inf:
        return (hash(size),)
    exponent = math.frexp(1.1 * size)[1]  # not of 1, which is common and may be a little less
    unit = math.ldexp(1.0, exponent - DIGITS)
    whole = ((i, round(terms[i] / unit)) for i in sorted(terms))
    return exponent, *(x for i, count in whole if count for x in (i, count))


def _join_groups(groups: Sequence[list[Any]]) -> tuple[np.ndarray, list[Any]]:
    """Where each group begins in the list of all elements, and this list."""
    starts = np.cumsum([0, *map(len, groups)])[:-1]
    return starts, [x for group in groups for x in group]
