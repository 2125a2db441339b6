"""Forms and quadratics are polynomials: everything is checked exactly, on small whole numbers."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grashof.formulation.natural.forms import Expression, Form, Quadratic, monomials

SIZE = 4
whole = st.integers(-9, 9)
places = st.lists(whole, min_size=SIZE, max_size=SIZE)
forms = st.builds(Form, st.dictionaries(st.integers(0, SIZE - 1), whole.filter(bool).map(float)), whole.map(float))
products = st.lists(st.tuples(whole.filter(bool).map(float), forms, forms), max_size=3)
quadratics = st.builds(Quadratic, products, forms)
expressions = st.one_of(forms, quadratics)


def value(expression: Expression, q: Sequence[int]) -> Fraction:
    """The value from the definition c + Σ aᵢ qᵢ and Σ w f g + h, in exact arithmetic."""
    if isinstance(expression, Form):
        return Fraction(expression.constant) + sum(Fraction(a) * q[i] for i, a in expression.terms.items())
    products = sum(Fraction(w) * value(f, q) * value(g, q) for w, f, g in expression.products)
    return products + value(expression.linear, q)


def multiplied_out(expression: Expression, q: Sequence[int]) -> Fraction:
    total = Fraction(0)
    for key, x in monomials(expression).items():
        term = Fraction(x)
        for i in key:
            term *= q[i]
        total += term
    return total


@given(expressions, places)
def test_an_expression_has_the_value_of_its_definition(x: Expression, q: list[int]) -> None:
    assert x.at(q) == value(x, q)
    assert multiplied_out(x, q) == value(x, q)


@given(expressions, expressions, places)
def test_sums_and_differences(x: Expression, y: Expression, q: list[int]) -> None:
    assert value(x + y, q) == value(x, q) + value(y, q)
    assert value(x - y, q) == value(x, q) - value(y, q)
    assert value(-x, q) == -value(x, q)


@given(expressions, whole, places)
def test_numbers_add_and_multiply(x: Expression, number: int, q: list[int]) -> None:
    assert value(x + float(number), q) == value(x, q) + number
    assert value(x * float(number), q) == number * value(x, q)
    assert value(float(number) * x, q) == number * value(x, q)


@given(forms, whole, places)
def test_a_form_is_taken_from_a_number(x: Form, number: int, q: list[int]) -> None:
    assert value(number - x, q) == number - value(x, q)


@given(forms, forms, places)
def test_a_product_of_forms_is_linear_only_if_one_is_constant(f: Form, g: Form, q: list[int]) -> None:
    product = f * g
    assert value(product, q) == value(f, q) * value(g, q)
    assert isinstance(product, Form) == (f.is_constant or g.is_constant)


@given(expressions, places, places)
def test_the_taylor_series_ends_after_the_second_term(x: Expression, q: list[int], v: list[int]) -> None:
    """x(q + v) = x(q) + gradient·v + curvature/2, exactly: the rate, the gradient and the curvature are the
    derivatives."""
    moved = [a + b for a, b in zip(q, v, strict=True)]
    rate = x.rate(v) if isinstance(x, Form) else x.rate(q, v)
    curvature = 0.0 if isinstance(x, Form) else x.curvature(v)
    assert sum(slope * v[i] for i, slope in x.gradient(q).items()) == rate
    assert Fraction(rate) + Fraction(curvature) / 2 == value(x, moved) - value(x, q)


@given(expressions, st.dictionaries(st.integers(0, SIZE - 1), forms, max_size=2), places)
def test_substitution_is_evaluation_elsewhere(x: Expression, by: dict[int, Form], q: list[int]) -> None:
    there = [value(by[i], q) if i in by else Fraction(q[i]) for i in range(SIZE)]
    assert value(x.substitute(by), q) == value(x, there)  # type: ignore[arg-type]


@given(forms)
def test_what_cancels_is_gone(f: Form) -> None:
    """No term of size 1e-17 stays behind, which would look like a coordinate that matters."""
    tenth = f.scaled(0.1)
    rest = f - tenth.scaled(3.0) - tenth.scaled(7.0)
    assert isinstance(rest, Form)
    assert rest.is_constant
    assert rest.constant == 0.0


def test_only_what_cancels_to_round_off_is_zero() -> None:
    """A billionth that is left of two coefficients, or of two constants, is meant."""
    x = Form({0: 1.0})
    left = (x + 1.0) - (x * (1.0 - 1e-9) + (1.0 - 1e-9))
    assert isinstance(left, Form)
    assert abs(left.terms[0] - 1e-9) < 1e-15
    assert abs(left.constant - 1e-9) < 1e-15
    gone = (x + 1.0) - (x * (1.0 - 2e-16) + (1.0 - 2e-16))
    assert isinstance(gone, Form)
    assert not gone.terms
    assert gone.constant == 0.0


def test_a_difference_far_above_round_off_is_no_round_off() -> None:
    """Coefficients that cancel to 1e-7 of their size still have nine digits; those that cancel to 1e-12 are zero."""
    square = Form({0: 1.0}) * Form({0: 1.0})
    assert monomials(square + square * (-1.0 + 1e-7)) == {(0, 0): pytest.approx(1e-7, rel=1e-6)}
    assert monomials(square + square * (-1.0 + 1e-12)) == {}
