"""What the checks of runs in lanes prove is true, and what is harmless they do prove."""

from __future__ import annotations

import numpy as np
import pytest

from grashof.integrate.lanes.sides import tapes

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
    straight, alike = tapes(pattern)["sides"].evaluate([*flat(before, pattern), *flat(after, pattern)])
    cosines = np.sum(before * after, axis=1) / np.linalg.norm(before, axis=1) / np.linalg.norm(after, axis=1)
    if alike > 0.0:
        assert np.linalg.det(after @ before.T) > 0.0
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
    sides = tapes(pattern)["sides"]
    moved, mirrored, lost = rows * (1.0 + 1e-9 * rng.normal(size=rows.shape)), rows.copy(), rows.copy()
    mirrored[2], lost[1] = -mirrored[2], np.nan
    assert sides.evaluate([*flat(rows, pattern), *flat(moved, pattern)]) == [1.0, 1.0]
    assert sides.evaluate([*flat(rows, pattern), *flat(mirrored, pattern)]) == [-1.0, -1.0]
    assert sides.evaluate([*flat(rows, pattern), *flat(lost, pattern)]) == [-1.0, -1.0]


@pytest.mark.parametrize("seed", range(30))
def test_far_is_what_singular_values_say(seed: int) -> None:
    rng = np.random.default_rng(seed)
    pattern = random_pattern(rng)
    rows = random_rows(rng, pattern)
    value, far = least(rows), tapes(pattern)["far"]
    assert far.evaluate([*flat(rows, pattern), 0.999 * value - 1e-6]) == [1.0]
    assert far.evaluate([*flat(rows, pattern), 1.001 * value + 1e-6]) == [-1.0]
