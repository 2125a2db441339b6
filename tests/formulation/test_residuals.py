"""Many expressions at many positions at once."""

import numpy as np
import pytest

from grashof.formulation.natural.forms import Expression, Form, Quadratic
from grashof.formulation.natural.residuals import Residuals
from grashof.problems import make_case
from grashof.program import build


def random_form(rng: np.random.Generator, count: int, size: float) -> Form:
    """A form with a few terms, or with none."""
    terms = {int(i): float(x) for i, x in zip(rng.permutation(count)[:3], rng.normal(size=3), strict=False)}
    return Form({} if rng.random() < 0.1 else terms, size * float(rng.normal()))


@pytest.mark.parametrize("seed", range(5))
def test_the_largest_residual_is_that_of_the_expressions_evaluated_one_by_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size = 10.0 ** rng.integers(-3, 6)
    coordinates = [random_form(rng, 4, size) for _ in range(6)]
    rows: list[Expression] = []
    for _ in range(12):
        products = [(float(rng.normal()), random_form(rng, 6, 1.0), random_form(rng, 6, 1.0)) for _ in range(2)]
        rows += [random_form(rng, 6, 1.0), Quadratic(products, random_form(rng, 6, 1.0))]
    q = size * rng.normal(size=(7, 4))
    places = [form.at(list(q.T)) for form in coordinates]
    expected = np.max([np.abs(np.broadcast_to(row.at(places), 7)) for row in rows], axis=0)
    np.testing.assert_allclose(Residuals(rows, coordinates).largest(q), expected, rtol=1e-12)


def test_without_expressions_nothing_is_left() -> None:
    assert np.array_equal(Residuals([], [Form({0: 1.0})]).largest(np.ones((3, 1))), np.zeros(3))


def test_expressions_that_differ_by_more_than_round_off_are_all_evaluated() -> None:
    x = Form({0: 1.0})
    rows = [Quadratic([(1.0, x, x)], Form({}, -1.0 - 10.0**-k)) for k in range(8, 13)]
    found = Residuals(rows, [x]).largest(np.ones((1, 1)))
    assert found == pytest.approx(1e-8, rel=1e-6)


def test_where_forty_bars_stay_parallel_two_equations_represent_all_of_them() -> None:
    branch = build(make_case("n-four-bar", None, {"N": 40}).model).branch
    assert branch is not None
    residuals = Residuals([row.expression for row in branch.joints.rows], branch.coordinates)
    assert len(branch.joints.rows) > 80
    assert residuals.count == 2
