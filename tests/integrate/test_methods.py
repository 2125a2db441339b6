"""The coefficients of every method: the same figures as elsewhere, and the order conditions that they claim to
satisfy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import pytest
import scipy.integrate._ivp.dop853_coefficients as published
from scipy.integrate import RK45

from grashof.common.errors import ModelError
from grashof.integrate import METHODS, Explicit, choose
from grashof.integrate.methods import FINE, LOOSE
from grashof.integrate.methods.explicit import Row

Tree = tuple["Tree", ...]  # a rooted tree is the tuple of the trees on its root

EVERY = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)


def dense(method: Explicit, rows: Sequence[Row]) -> np.ndarray:
    return np.array([[row.get(j, 0.0) for j in range(len(method.a))] for row in rows])


@cache
def trees(order: int) -> list[Tree]:
    """All rooted trees with so many vertices."""
    return sorted({tuple(sorted(branches)) for branches in forests(order - 1, order - 1)})


def forests(vertices: int, largest: int) -> Iterator[tuple[Tree, ...]]:
    if vertices == 0:
        yield ()
        return
    for size in range(min(vertices, largest), 0, -1):
        for many in range(1, vertices // size + 1):
            for same in combinations_with_replacement(trees(size), many):
                for rest in forests(vertices - many * size, size - 1):
                    yield same + rest


def vertices(tree: Tree) -> int:
    return 1 + sum(vertices(branch) for branch in tree)


def density(tree: Tree) -> int:
    """γ(t): 1/γ is what the elementary weight of an exact method is."""
    return vertices(tree) * int(np.prod([density(branch) for branch in tree]))


def weights(matrix: np.ndarray, tree: Tree) -> np.ndarray:
    """Φ_j(t), the elementary weight at each stage (Hairer, Nørsett, Wanner I, II.2)."""
    result = np.ones(len(matrix))
    for branch in tree:
        result = result * (matrix @ weights(matrix, branch))
    return result


def residual(method: Explicit, row: np.ndarray, order: int, target: float = 1.0) -> float:
    """The largest |row·Φ(t) − target/γ(t)| of all trees of an order."""
    matrix = dense(method, method.a)
    return max(abs(row @ weights(matrix, t) - target / density(t)) for t in trees(order))


def test_the_figures_of_dop853_are_those_that_scipy_has() -> None:
    method = METHODS["dop853"]
    a, count = dense(method, method.a), method.stages
    assert np.array_equal(a[:count, :count], published.A[:count, :count])
    assert np.array_equal(method.c, published.C[: count + 1])
    assert np.array_equal(a[count, :count], published.B)
    assert np.array_equal(dense(method, method.errors), [published.E5, published.E3])


def test_the_figures_of_dopri5_are_those_that_scipy_has() -> None:
    method = METHODS["dopri5"]
    a = dense(method, method.a)
    assert np.array_equal(a[:6, :5], RK45.A)
    assert np.array_equal(a[6, :6], RK45.B)
    assert np.allclose(np.abs(dense(method, method.errors)[0]), np.abs(RK45.E), rtol=1e-14)


def test_there_are_as_many_rooted_trees_as_there_should_be() -> None:
    assert [len(trees(order)) for order in range(1, 10)] == [1, 1, 2, 4, 9, 20, 48, 115, 286]


@EVERY
def test_every_stage_is_at_its_time(method: Explicit) -> None:
    assert np.abs(dense(method, method.a).sum(axis=1) - method.c).max() < 1e-14


@EVERY
def test_a_step_is_of_the_order_claimed_and_no_more(method: Explicit) -> None:
    end = dense(method, method.a)[method.stages]
    for order in range(1, method.order + 1):
        assert residual(method, end, order) < 1e-14
    assert residual(method, end, method.order + 1) > 1e-7


@pytest.mark.parametrize(
    ("name", "orders"),
    [("dop853", (5, 3)), ("verner9", (8,)), ("bs5", (4,)), ("dopri5", (4,)), ("rk4", ())],
    ids=METHODS,
)
def test_error_estimates_vanish_up_to_their_order_and_not_beyond(name: str, orders: tuple[int, ...]) -> None:
    method = METHODS[name]
    for row, claimed in zip(dense(method, method.errors), orders, strict=True):
        for order in range(1, claimed + 1):
            assert residual(method, row, order, target=0.0) < 1e-14
        assert residual(method, row, claimed + 1, target=0.0) > 1e-5


def test_of_the_pairs_of_order_5_bs5_has_the_smaller_error() -> None:
    bs5, dopri5 = METHODS["bs5"], METHODS["dopri5"]
    largest = [residual(method, dense(method, method.a)[method.stages], 6) for method in (bs5, dopri5)]
    assert largest[0] < 0.2 * largest[1]


def test_auto_picks_by_tolerance_and_degrees_of_freedom_and_says_why() -> None:
    assert choose("auto", 1e-9, 5).name == "verner9"
    assert choose("auto", FINE, 5).name == "dop853"
    assert choose("auto", 1e-6, 5).name == "dop853"
    assert choose("auto", LOOSE, 5).name == "bs5"
    assert choose("auto", LOOSE, 1).name == "dop853"
    assert "below 1e-08" in str(choose("auto", 1e-9, 1))
    assert "below 0.001, down to 1e-08" in str(choose("auto", 1e-6, 5))
    assert "several degrees of freedom" in str(choose("auto", 0.01, 2))
    assert "one degree of freedom" in str(choose("auto", 0.01, 1))


def test_a_method_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    assert choose("rk4", 1e-6, 1).reason == "as requested"
    with pytest.raises(
        ModelError, match="no integration method 'euler'; there are auto, dop853, verner9, bs5, dopri5, rk4"
    ):
        choose("euler", 1e-6, 1)
