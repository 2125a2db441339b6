"""Linear algebra of our own gives what LAPACK gives, up to rounding."""

from __future__ import annotations

import numpy as np
import pytest

from grashof.scalar.algebra import norm, principal, product, solve_symmetric


def matrices() -> list[np.ndarray]:
    """Symmetric, of several sizes and ranks; the first ones have equal eigenvalues."""
    rng = np.random.default_rng(1)
    found = [np.zeros((2, 2)), np.eye(3), np.diag([2.0, 1.0, 2.0])]
    for size in (1, 2, 3, 3, 5, 9):
        for rank in range(1, size + 1):
            factor = rng.normal(size=(size, rank))
            found.append(factor @ np.diag(10.0 ** rng.uniform(-3.0, 0.0, rank)) @ factor.T)
    return found


@pytest.mark.parametrize("matrix", matrices(), ids=lambda matrix: f"{len(matrix)}")
def test_principal_axes_are_orthonormal_and_turn_the_matrix_into_its_eigenvalues(matrix: np.ndarray) -> None:
    values, axes = principal(matrix)
    size = max(1.0, float(np.max(np.abs(matrix))))
    assert np.abs(axes.T @ axes - np.eye(len(matrix))).max() < 1e-14
    assert np.abs(axes @ np.diag(values) @ axes.T - matrix).max() < 1e-14 * size
    assert np.abs(values - np.linalg.eigvalsh(matrix)).max() < 1e-14 * size


@pytest.mark.parametrize("matrix", matrices(), ids=lambda matrix: f"{len(matrix)}")
@pytest.mark.parametrize("columns", [(), (3,)])
def test_of_all_solutions_the_shortest_is_found(matrix: np.ndarray, columns: tuple[int, ...]) -> None:
    """Also where the equations contradict each other: then of those that miss by the least."""
    right = np.random.default_rng(2).normal(size=(len(matrix), *columns))
    expected = np.linalg.lstsq(matrix, right, rcond=1e-10)[0]
    found = solve_symmetric(matrix, right, 1e-10)
    assert found.shape == right.shape
    assert np.abs(found - expected).max() <= 1e-9 * max(1.0, float(np.max(np.abs(expected))))


def test_products_of_matrices_and_vectors_also_of_size_zero() -> None:
    rng = np.random.default_rng(3)
    for rows, inner, columns in ((3, 3, 3), (2, 7, 4), (0, 3, 2), (2, 0, 3), (3, 2, 0)):
        a, b = rng.normal(size=(rows, inner)), rng.normal(size=(inner, columns))
        assert product(a, b) == pytest.approx(a @ b, abs=1e-14)
        assert product(a, rng.normal(size=inner)).shape == (rows,)
    assert norm([3.0, 4.0]) == 5.0
