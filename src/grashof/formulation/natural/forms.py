"""Linear forms and quadratic expressions in the coordinates.

A `Form` is c + Σ aᵢ qᵢ. A `Quadratic` is Σ w f g + h with forms f, g, h: products are kept as products and never
multiplied out, because expanding |p − q|² causes cancellation.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from grashof.scalar.algebra import plain
from grashof.scalar.functions import Scalar

Scalars = Sequence[Scalar] | np.ndarray
"""Coordinates or velocities, one scalar each."""

NEGLIGIBLE = 1e-13
"""Coefficients that cancel to less than this, relative to the terms that cancelled, are zero."""


class Form:
    """c + Σ aᵢ qᵢ, immutable."""

    __slots__ = ("constant", "terms")

    def __init__(self, terms: Mapping[int, float] | None = None, constant: float = 0.0) -> None:
        self.terms: dict[int, float] = dict(terms) if terms else {}
        self.constant = plain(constant)

    @property
    def is_constant(self) -> bool:
        """Whether no coordinate occurs in it."""
        return not self.terms

    def __add__(self, other: Expression | float) -> Expression:
        if isinstance(other, Quadratic):
            return other + self
        if not isinstance(other, Form):
            return Form(self.terms, self.constant + other)
        terms = dict(self.terms)
        for i, b in other.terms.items():
            a = terms.get(i, 0.0)
            total = a + b
            if abs(total) > NEGLIGIBLE * max(abs(a), abs(b)):
                terms[i] = total
            else:
                terms.pop(i, None)
        constant = self.constant + other.constant
        if abs(constant) <= NEGLIGIBLE * max(abs(self.constant), abs(other.constant)):
            constant = 0.0
        return Form(terms, constant)

    __radd__ = __add__

    def __neg__(self) -> Form:
        return self.scaled(-1.0)

    def __sub__(self, other: Expression | float) -> Expression:
        return self + -other

    def __rsub__(self, other: float) -> Expression:
        return -self + other

    def scaled(self, factor: float) -> Form:
        """The form times a number."""
        if factor == 0.0:
            return Form()
        return Form({i: a * factor for i, a in self.terms.items()}, self.constant * factor)

    def __mul__(self, other: Form | float) -> Expression:
        if not isinstance(other, Form):
            return self.scaled(plain(other))
        if other.is_constant:
            return self.scaled(other.constant)
        if self.is_constant:
            return other.scaled(self.constant)
        return Quadratic([(1.0, self, other)], Form())

    __rmul__ = __mul__

    def at(self, q: Scalars) -> Scalar:
        """The value at q."""
        total: Scalar = self.constant
        for i, a in self.terms.items():
            total = total + a * q[i]
        return total

    def rate(self, v: Scalars) -> Scalar:
        """The rate at velocities v: Σ aᵢ vᵢ."""
        total: Scalar = 0.0
        for i, a in self.terms.items():
            total = total + a * v[i]
        return total

    def gradient(self, q: Scalars) -> dict[int, Scalar]:
        """∂/∂qᵢ, which is constant."""
        return dict(self.terms)

    def substitute(self, by: Mapping[int, Form]) -> Form:
        """The form with some coordinates replaced by forms."""
        if not any(i in by for i in self.terms):
            return self
        result: Expression = Form({i: a for i, a in self.terms.items() if i not in by}, self.constant)
        for i, a in self.terms.items():
            if i in by:
                result = result + by[i].scaled(a)
        assert isinstance(result, Form)
        return result


class Quadratic:
    """Σ w f g + h, immutable."""

    __slots__ = ("linear", "products")

    def __init__(self, products: Sequence[tuple[float, Form, Form]], linear: Form) -> None:
        self.products = tuple(products)
        self.linear = linear

    def __add__(self, other: Expression | float) -> Quadratic:
        if isinstance(other, Quadratic):
            linear = self.linear + other.linear
            products = self.products + other.products
        else:
            linear, products = self.linear + other, self.products
        assert isinstance(linear, Form)
        return Quadratic(products, linear)

    __radd__ = __add__

    def __neg__(self) -> Quadratic:
        return self * -1.0

    def __sub__(self, other: Expression | float) -> Quadratic:
        return self + -other

    def __mul__(self, factor: float) -> Quadratic:
        return Quadratic([(w * factor, f, g) for w, f, g in self.products], self.linear.scaled(factor))

    __rmul__ = __mul__

    def at(self, q: Scalars) -> Scalar:
        """The value at q."""
        total = self.linear.at(q)
        for w, f, g in self.products:
            total = total + w * (f.at(q) * g.at(q))
        return total

    def rate(self, q: Scalars, v: Scalars) -> Scalar:
        """The rate at q with velocities v."""
        total: Scalar = 0.0
        for i, slope in self.gradient(q).items():
            total = total + slope * v[i]
        return total

    def gradient(self, q: Scalars) -> dict[int, Scalar]:
        """∂/∂qᵢ at q, for the coordinates that occur."""
        slopes: dict[int, Scalar] = dict(self.linear.terms)

        def add(form: Form, factor: Scalar) -> None:
            for i, a in form.terms.items():
                slopes[i] = slopes[i] + a * factor if i in slopes else a * factor

        for w, f, g in self.products:
            if f is g:
                add(f, 2.0 * w * f.at(q))
            else:
                add(f, w * g.at(q))
                add(g, w * f.at(q))
        return slopes

    def curvature(self, v: Scalars) -> Scalar:
        """The part of the second time derivative other than gradient · q̈: 2 Σ w ḟ ġ."""
        total: Scalar = 0.0
        for w, f, g in self.products:
            total = total + 2.0 * w * (f.rate(v) * g.rate(v))
        return total

    def substitute(self, by: Mapping[int, Form]) -> Expression:
        """The expression with some coordinates replaced by forms; linear if every product has become linear."""
        result: Expression = self.linear.substitute(by)
        products = []
        for w, f, g in self.products:
            new_f = f.substitute(by)
            new_g = new_f if g is f else g.substitute(by)
            if new_f.is_constant or new_g.is_constant:
                product = new_f * new_g
                result = result + product * w
            else:
                products.append((w, new_f, new_g))
        assert isinstance(result, Form)
        return Quadratic(products, result) if products else result

    def monomials(self) -> dict[tuple[int, ...], float]:
        """The expanded coefficients of 1 (), qᵢ (i,) and qᵢqⱼ (i, j): for comparing expressions, not for evaluating
        them."""
        sums: dict[tuple[int, ...], float] = {}
        sizes: dict[tuple[int, ...], float] = {}

        def add(key: tuple[int, ...], x: float) -> None:
            sums[key] = sums.get(key, 0.0) + x
            sizes[key] = max(sizes.get(key, 0.0), abs(x))

        add((), self.linear.constant)
        for i, a in self.linear.terms.items():
            add((i,), a)
        for w, f, g in self.products:
            add((), w * f.constant * g.constant)
            for i, a in f.terms.items():
                add((i,), w * a * g.constant)
                for j, b in g.terms.items():
                    add((min(i, j), max(i, j)), w * a * b)
            for j, b in g.terms.items():
                add((j,), w * f.constant * b)
        return {key: x for key, x in sums.items() if abs(x) > 1e3 * NEGLIGIBLE * sizes[key] and x != 0.0}


Expression = Form | Quadratic

Gradient = dict[int, Scalar]
"""∂/∂qᵢ for the coordinates that occur."""


def as_expression(x: Scalar) -> Expression:
    """An expression; a number becomes a constant one."""
    return x if isinstance(x, Form | Quadratic) else Form({}, x)


def rate_of(expression: Expression, q: Scalars, v: Scalars) -> Scalar:
    """The rate of an expression at q with velocities v."""
    return expression.rate(v) if isinstance(expression, Form) else expression.rate(q, v)


def curvature_of(expression: Expression, v: Scalars) -> Scalar:
    """The part of its second time derivative other than gradient · q̈."""
    return 0.0 if isinstance(expression, Form) else expression.curvature(v)


def monomials(expression: Expression) -> dict[tuple[int, ...], float]:
    """The coefficients of an expanded expression."""
    if isinstance(expression, Quadratic):
        return expression.monomials()
    return Quadratic([], expression).monomials()
