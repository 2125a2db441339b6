"""The coefficients of every method: the same figures as elsewhere, and the order conditions that they claim to
satisfy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
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
from grashof.integrate.methods.rodas5p import RODAS5P
from grashof.integrate.methods.rosenbrock import Rosenbrock

Tree = tuple["Tree", ...]  # a rooted tree is the tuple of the trees on its root

EXPLICIT = {name: method for name, method in METHODS.items() if isinstance(method, Explicit)}
EVERY = pytest.mark.parametrize("method", EXPLICIT.values(), ids=EXPLICIT)


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
    ids=EXPLICIT,
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


def linearly_implicit(method: Rosenbrock) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """α and β of a Rosenbrock method, and the weights of its results: the last row of α is the end of the step, the
    one before it the embedded result.

    u = h Γ k for the slopes k, where Γ⁻¹ = 1/γ − C. In rational numbers, because large coefficients cancel: what is
    left is the rounding of the coefficients themselves, the same on every machine.
    """
    count, gamma = method.stages, Fraction(method.gamma)
    a, c = (exact([[*row, *[0.0] * (count - len(row))] for row in rows]) for rows in (method.a, method.c))
    gammas = exact(np.zeros((count, count)))
    for i in range(count):  # (1/γ − C) Γ = 1, row by row, because C is strictly lower triangular
        gammas[i] = gamma * (exact(np.eye(count)[i]) + c[i, :i] @ gammas[:i])
    alpha = a @ gammas
    return alpha, alpha[:count] + gammas, gammas


def exact(numbers: object) -> np.ndarray:
    """An array of the rational numbers that these floats are."""
    return np.vectorize(Fraction, otypes=[object])(np.array(numbers))


def rosenbrock_weights(alpha: np.ndarray, beta: np.ndarray, tree: Tree) -> np.ndarray:
    """Φ_j(t): a vertex with one branch stands for J k, any other for derivatives of f (Hairer, Wanner II, IV.7)."""
    if len(tree) == 1:
        return beta @ rosenbrock_weights(alpha, beta, tree[0])
    result = exact(np.ones(len(beta)))
    for branch in tree:
        result = result * (alpha @ rosenbrock_weights(alpha, beta, branch))
    return result


def rosenbrock_residual(method: Rosenbrock, row: np.ndarray, order: int, part: float = 1.0) -> float:
    """The largest violation of the conditions of an order for the state at this part of a step."""
    alpha, beta, _ = linearly_implicit(method)
    exactly = Fraction(part) ** order
    found = (row @ rosenbrock_weights(alpha[:-1], beta, t) - exactly / density(t) for t in trees(order))
    return float(max(abs(x) for x in found))


def test_a_step_of_rodas5p_is_of_order_5_and_its_embedded_result_of_order_4() -> None:
    alpha, _, _ = linearly_implicit(RODAS5P)
    for order in range(1, 6):
        assert rosenbrock_residual(RODAS5P, alpha[-1], order) < 1e-14
        if order < 5:
            assert rosenbrock_residual(RODAS5P, alpha[-2], order) < 1e-14
    assert rosenbrock_residual(RODAS5P, alpha[-1], 6) > 1e-3
    assert rosenbrock_residual(RODAS5P, alpha[-2], 5) > 1e-3


@pytest.mark.parametrize("part", [0.2, 0.5, 0.9])
def test_inside_a_step_of_rodas5p_the_state_is_of_order_4(part: float) -> None:
    alpha, _, gammas = linearly_implicit(RODAS5P)
    first, second, third = exact(RODAS5P.inside)
    s = Fraction(part)
    row = s * alpha[-1] + s * (1 - s) * (first + s * (second + s * third)) @ gammas
    for order in range(1, 5):
        assert rosenbrock_residual(RODAS5P, row, order, part) < 3e-14
    assert rosenbrock_residual(RODAS5P, row, 5, part) > 1e-4


def test_stages_of_rodas5p_are_at_their_times_and_have_their_share_of_the_drift() -> None:
    alpha, _, gammas = linearly_implicit(RODAS5P)
    assert np.abs(alpha[:-1].sum(axis=1) - exact(RODAS5P.times)).max() < 1e-14
    assert np.abs(gammas.sum(axis=1) - exact(RODAS5P.drifts)).max() < 1e-14


def test_rodas5p_damps_what_is_fast() -> None:
    """R(z) = 1 + z bᵀ(1 − z β)⁻¹ 1 of y′ = λ y, z = hλ: |R| ≤ 1 in the left half plane, and R(∞) = 0."""
    alpha, beta, _ = (x.astype(float) for x in linearly_implicit(RODAS5P))

    def factor(z: complex) -> float:
        return abs(1.0 + z * alpha[-1] @ np.linalg.solve(np.eye(len(beta)) - z * beta, np.ones(len(beta))))

    assert max(factor(1j * y) for y in np.logspace(-3, 6, 400)) <= 1.0 + 1e-9
    assert factor(-1e8) < 1e-6


def test_auto_picks_by_tolerance_and_degrees_of_freedom_and_says_why() -> None:
    assert choose("auto", 1e-9, 5).name == "verner9"
    assert choose("auto", FINE, 5).name == "dop853"
    assert choose("auto", 1e-6, 5).name == "dop853"
    assert choose("auto", LOOSE, 5).name == "bs5"
    assert choose("auto", LOOSE, 1).name == "dop853"
    assert "below 1e-08" in str(choose("auto", 1e-9, 1))
    assert "from 1e-08 to 0.001" in str(choose("auto", 1e-6, 5))
    assert "several degrees of freedom" in str(choose("auto", 0.01, 2))
    assert "one degree of freedom" in str(choose("auto", 0.01, 1))


def test_a_method_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    assert choose("rk4", 1e-6, 1).reason == "as requested"
    with pytest.raises(
        ModelError, match="no integration method 'euler'; there are auto, dop853, verner9, bs5, dopri5, rk4, rodas5p"
    ):
        choose("euler", 1e-6, 1)
