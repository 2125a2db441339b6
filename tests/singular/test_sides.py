"""What the checks by pivots prove is true, and what is harmless they do prove."""

from __future__ import annotations

import numpy as np
import pytest

import grashof as gr
from grashof.program import build
from grashof.singular import sides
from grashof.singular.sides import Sides, certainly_alike, side_tapes
from tests.linkages import rssr

ROWS, COLUMNS = 5, 8


def random_pattern(rng: np.random.Generator) -> list[list[int]]:
    return [sorted(rng.choice(COLUMNS, size=int(rng.integers(2, 5)), replace=False).tolist()) for _ in range(ROWS)]


def random_rows(rng: np.random.Generator, pattern: list[list[int]]) -> np.ndarray:
    rows = np.zeros((ROWS, COLUMNS))
    for row, columns in zip(rows, pattern, strict=True):
        row[columns] = rng.normal(size=len(columns))
    return rows


def flat(rows: np.ndarray, pattern: list[list[int]]) -> list[float]:
    return [row[a] for row, columns in zip(rows, pattern, strict=True) for a in columns]


def least(rows: np.ndarray) -> float:
    """The least singular value of rows of unit length."""
    return float(np.linalg.svd(rows / np.linalg.norm(rows, axis=1, keepdims=True), compute_uv=False)[-1])


@pytest.mark.parametrize("seed", range(30))
def test_positive_pivots_mean_a_positive_determinant_and_rows_that_turned_little(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pattern = random_pattern(rng)
    before = random_rows(rng, pattern)
    after = before + 10.0 ** rng.uniform(-3.0, 0.5) * random_rows(rng, pattern)
    entries = [*flat(before, pattern), *flat(after, pattern)]
    straight, alike, square, sign = side_tapes(pattern, 0)["sides"].evaluate(entries)
    cosines = np.sum(before * after, axis=1) / np.linalg.norm(before, axis=1) / np.linalg.norm(after, axis=1)
    sizes = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
    determinant = np.linalg.det(after @ before.T) / np.prod(sizes)
    assert square == pytest.approx(determinant**2, rel=1e-6, abs=1e-12)
    if abs(determinant) > 1e-9:
        assert sign == np.sign(determinant)
    if alike > 0.0:
        assert determinant > 0.0
    if straight > 0.0:
        assert alike > 0.0
        assert np.all(cosines > 0.3)


@pytest.mark.parametrize("seed", range(30))
def test_what_hardly_moved_is_alike_and_what_was_turned_over_is_not(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pattern = random_pattern(rng)
    rows = random_rows(rng, pattern)
    while least(rows) < 1e-3:
        rows = random_rows(rng, pattern)
    sides = side_tapes(pattern, 0)["sides"]
    moved, mirrored, lost = rows * (1.0 + 1e-9 * rng.normal(size=rows.shape)), rows.copy(), rows.copy()
    mirrored[2], lost[1] = -mirrored[2], np.nan
    assert sides.evaluate([*flat(rows, pattern), *flat(moved, pattern)])[:2] == [1.0, 1.0]
    assert sides.evaluate([*flat(rows, pattern), *flat(mirrored, pattern)])[:2] == [-1.0, -1.0]
    assert sides.evaluate([*flat(rows, pattern), *flat(lost, pattern)])[:2] == [-1.0, -1.0]


@pytest.mark.parametrize("seed", range(30))
def test_far_is_what_singular_values_say(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pattern = random_pattern(rng)
    rows = random_rows(rng, pattern)
    value, far = least(rows), side_tapes(pattern, 0)["far"]
    assert far.evaluate([*flat(rows, pattern), 0.999 * value - 1e-6]) == [1.0]
    assert far.evaluate([*flat(rows, pattern), 1.001 * value + 1e-6]) == [-1.0]


def with_redundant_row(rows: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return np.vstack([rows, weights @ rows])


@pytest.mark.parametrize("seed", range(30))
def test_redundant_rows_do_not_hide_what_the_others_do(seed: int) -> None:
    """A combination of rows, whose weights change with them, is added."""
    rng = np.random.default_rng(seed)
    pattern = [list(range(COLUMNS))] * (ROWS + 1)
    rows, weights = rng.normal(size=(ROWS, COLUMNS)), rng.normal(size=ROWS)
    moved = rows + 1e-3 * rng.normal(size=rows.shape)
    mirrored = rows.copy()  # through the span of the others
    mirrored[0] -= 2.0 * (rows[0] @ _alone(rows)) * _alone(rows)
    before, after, other = (
        flat(with_redundant_row(x, weights * w), pattern) for x, w in ((rows, 1.0), (moved, 1.01), (mirrored, 1.0))
    )
    judge = side_tapes(pattern, 1)
    assert judge["sides"].evaluate([*before, *after])[1] > 0.0
    assert judge["sides"].evaluate([*before, *other])[1] < 0.0
    values = with_redundant_row(rows, weights)
    value = np.linalg.svd(values / np.linalg.norm(values, axis=1, keepdims=True), compute_uv=False)[ROWS - 1]
    assert judge["far"].evaluate([*before, 0.99 * value])[0] > 0.0
    assert judge["far"].evaluate([*before, 1.01 * value])[0] < 0.0


def _alone(rows: np.ndarray) -> np.ndarray:
    """The direction of the first row that no other has."""
    q, _ = np.linalg.qr(rows[1:].T)
    left = rows[0] - q @ (q.T @ rows[0])
    return left / np.linalg.norm(left)


def test_machine_code_decides_as_determinants_do(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows at pairs of positions from close together to far apart; most of the close ones are decided by pivots
    alone."""
    program = build(rssr(slender=False), relations=False)
    dynamics, rng = program.dynamics, np.random.default_rng(4)
    assert not program.assembly.redundant
    apart = np.repeat(np.geomspace(1e-3, 3.0, 40), 2)[:, None]
    y = np.zeros((80, dynamics.layout.size))
    y[:, dynamics.layout.of_q] = program.assembly.q + apart * rng.normal(size=(80, dynamics.n))
    t, judge = np.zeros(80), Sides(dynamics, 0)
    rows = dynamics.jacobians(t, y[:, dynamics.layout.of_q])
    expected = np.linalg.det(rows[1:] @ rows[:-1].transpose(0, 2, 1)) > 0.0
    cosines = np.sum(rows[1:] * rows[:-1], axis=2) / (
        np.linalg.norm(rows, axis=2)[1:] * np.linalg.norm(rows, axis=2)[:-1]
    )
    expected &= np.all(cosines > sides.TURNED, axis=1)
    assert 20 < np.count_nonzero(expected) < 60
    alike, squares = judge.compared(t, y)
    assert alike.tolist() == expected.tolist()
    unit = rows / np.linalg.norm(rows, axis=2, keepdims=True)
    np.testing.assert_allclose(squares, np.linalg.det(unit[1:] @ unit[:-1].transpose(0, 2, 1)) ** 2, rtol=1e-9)
    monkeypatch.setattr(sides, "MANY_ROWS", 0)
    monkeypatch.setattr(sides, "MANY_STEPS", 0)
    alike, by_pivots = judge.compared(t, y)
    assert alike.tolist() == expected.tolist()
    np.testing.assert_allclose(by_pivots, squares, rtol=1e-6)
    monkeypatch.setattr(
        Sides, "_by_determinants", lambda self, t, y, turned: (np.zeros(len(t) - 1, bool), np.zeros(len(t) - 1))
    )
    assert np.all(judge.alike(t, y)[:20])
    assert not np.any(judge.alike(t, y) & ~expected)


@pytest.mark.parametrize("seed", range(10))
def test_pivots_do_not_decide_next_to_singular_positions(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pattern = [list(range(COLUMNS))] * ROWS
    rows = rng.normal(size=(ROWS, COLUMNS))
    assert certainly_alike(pattern, flat(rows, pattern), flat(rows, pattern))[0] == 1.0
    rows[-1] = rng.normal(size=ROWS - 1) @ rows[:-1] + 1e-6 * rng.normal(size=COLUMNS)
    assert np.linalg.det(rows @ rows.T) > 0.0
    assert certainly_alike(pattern, flat(rows, pattern), flat(rows, pattern))[0] == -1.0


def test_few_rows_are_judged_by_the_machine_code_of_the_mechanism(monkeypatch: pytest.MonkeyPatch) -> None:
    """The states of a crank's run, with a step to the mirrored position at its end."""
    m = gr.Mechanism("four-bar", gravity=(0, -9.81))
    a, b, c = (m.bar(name, length=length, mass=1.0) for name, length in (("a", 1.0), ("b", 2.5), ("c", 2.2)))
    for one, other in ((m.ground.at(0, 0), a.start), (a.end, b.start), (b.end, c.end), (c.start, m.ground.at(2, 0))):
        m.revolute(one, other)
    program = build(m, relations=False)
    run = gr.simulate(program, 1.0).steps
    mirrored = run.y[-1].copy()
    mirrored[program.dynamics.layout.of_q] *= np.resize([1.0, -1.0], program.dynamics.n)
    t, y = np.append(run.t, run.t[-1]), np.vstack([run.y, mirrored])
    alike, squares = Sides(program.dynamics, 0).compared(t, y)
    native = Sides(program.dynamics, 0, program.integrator.library)
    found, by_pivots = native.compared(t, y)
    assert found.tolist() == alike.tolist() == [True] * (len(t) - 2) + [False]
    np.testing.assert_allclose(by_pivots, squares, rtol=1e-6)
    monkeypatch.delattr(Sides, "_by_determinants")
    assert native.alike(run.t, run.y).all()
