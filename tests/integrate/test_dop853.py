"""The coefficients: the same figures as elsewhere, and the order conditions that they claim to satisfy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import pytest
import scipy.integrate._ivp.dop853_coefficients as published

from grashof.integrate.dop853 import DENSE_ORDER, E3, E5, ORDER, STAGES, A, C, D

Tree = tuple["Tree", ...]  # a rooted tree is the tuple of the trees on its root


def dense(rows: tuple[Mapping[int, float], ...] | list[Mapping[int, float]]) -> np.ndarray:
    return np.array([[row.get(j, 0.0) for j in range(len(A))] for row in rows])


MATRIX = dense(A)


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


def weights(tree: Tree) -> np.ndarray:
    """Φ_j(t), the elementary weight at each stage (Hairer, Nørsett, Wanner I, II.2)."""
    result = np.ones(len(A))
    for branch in tree:
        result = result * (MATRIX @ weights(branch))
    return result


def residuals(row: np.ndarray, order: int, end: float = 1.0, target: float = 1.0) -> np.ndarray:
    """row·Φ(t) − target·end^order/γ(t) for all trees of an order."""
    return np.array([row @ weights(t) - target * end**order / density(t) for t in trees(order)])


def test_the_figures_are_those_of_dop853_as_scipy_has_them() -> None:
    assert np.array_equal(MATRIX, published.A)
    assert np.array_equal(C, published.C)
    assert np.array_equal(MATRIX[STAGES, :STAGES], published.B)
    assert np.array_equal(dense([E5, E3])[:, : STAGES + 1], [published.E5, published.E3])
    assert np.array_equal(dense(D), published.D)


def test_there_are_as_many_rooted_trees_as_there_should_be() -> None:
    assert [len(trees(order)) for order in range(1, 10)] == [1, 1, 2, 4, 9, 20, 48, 115, 286]


def test_every_stage_is_at_its_time() -> None:
    assert np.abs(MATRIX.sum(axis=1) - C).max() < 1e-14


@pytest.mark.parametrize("order", range(1, ORDER + 1))
def test_a_step_is_of_order_8(order: int) -> None:
    assert np.abs(residuals(MATRIX[STAGES], order)).max() < 1e-14


def test_a_step_is_not_of_order_9() -> None:
    assert np.abs(residuals(MATRIX[STAGES], ORDER + 1)).max() > 1e-7


@pytest.mark.parametrize(("row", "claimed"), [(E5, 5), (E3, 3)])
def test_error_estimates_vanish_up_to_their_order_and_not_beyond(row: Mapping[int, float], claimed: int) -> None:
    (estimate,) = dense([row])
    for order in range(1, claimed + 1):
        assert np.abs(residuals(estimate, order, target=0.0)).max() < 1e-14
    assert np.abs(residuals(estimate, claimed + 1, target=0.0)).max() > 1e-5


@pytest.mark.parametrize("theta", [0.1, 0.37, 0.5, 0.81, 1.0])
def test_the_dense_output_is_of_order_7_everywhere_in_the_step(theta: float) -> None:
    first, last = np.eye(len(A))[[0, STAGES]]
    b = MATRIX[STAGES]
    vectors = [b, first - b, 2 * b - first - last, *dense(D)]
    row = np.zeros(len(A))
    for power in reversed(range(len(vectors))):
        row = (theta, 1 - theta)[power % 2] * (vectors[power] + row)
    for order in range(1, DENSE_ORDER + 1):
        assert np.abs(residuals(row, order, end=theta)).max() < 1e-13
