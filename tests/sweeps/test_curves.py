"""Extremes and means of quantities that are given on intervals, against fine grids and quadrature by SciPy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize_scalar

from grashof.sweeps.curves import TRACED, OutputCurves, refine_curves

Array = np.ndarray
Function = Callable[[Array], Array]


def waves(seed: int) -> tuple[Function, Function]:
    """A sum of sines, and its derivative."""
    rng = np.random.default_rng(seed)
    a, w, p = rng.normal(size=(4, 1)), rng.uniform(1.0, 12.0, (4, 1)), rng.uniform(0.0, 6.0, (4, 1))
    return (
        lambda t: np.sum(a * np.sin(w * np.ravel(t) + p), axis=0).reshape(np.shape(t)),
        lambda t: np.sum(a * w * np.cos(w * np.ravel(t) + p), axis=0).reshape(np.shape(t)),
    )


def steps(seed: int, count: int, end: float = 3.0) -> tuple[Array, Array]:
    """Begins and lengths of uneven steps."""
    edges = np.sort(np.concatenate([[0.0, end], np.random.default_rng(seed).uniform(0.0, end, count - 1)]))
    return edges[:-1], np.diff(edges)


def traced(functions: list[tuple[Function, Function]], count: int) -> OutputCurves:
    """Runs of one quantity each, observed at the nodes of their steps."""
    parts = []
    for row, (x, rate) in enumerate(functions):
        begin, length = steps(row, count)
        times = begin[:, None] + np.array([0.0, *TRACED]) * length[:, None]
        parts.append((np.full(count, row), begin, length, x(times), rate(times)))
    return OutputCurves.along(len(functions), *(np.concatenate(part) for part in zip(*parts, strict=True)))


def exactly(x: Function, end: float = 3.0) -> tuple[float, float, float]:
    """The maximum, its time, and the mean."""
    grid = np.linspace(0.0, end, 20_001)
    k = int(np.argmax(x(grid)))
    low, high = grid[max(k - 1, 0)], grid[min(k + 1, len(grid) - 1)]
    best = minimize_scalar(
        lambda t: -float(x(np.array(t))), bounds=(low, high), method="bounded", options={"xatol": 1e-12}
    )
    inside = -best.fun > x(grid[[0, -1]]).max()
    when = float(best.x) if inside else float(grid[[0, -1]][np.argmax(x(grid[[0, -1]]))])
    mean = quad(lambda t: float(x(np.array(t))), 0.0, end, limit=400, epsabs=1e-12)[0] / end
    return float(x(np.array(when))), when, mean


def test_traces_of_many_runs_at_once() -> None:
    functions = [waves(seed) for seed in range(12)]
    curves = traced(functions, 60)
    value, error, when = curves.maximum()
    mean, mean_error = curves.mean()
    for row, (x, _) in enumerate(functions):
        most, at, average = exactly(x)
        assert abs(value[row] - most) <= error[row] + 1e-12
        assert abs(when[row] - at) < 1e-5
        assert abs(mean[row] - average) <= mean_error[row] + 1e-12
    assert np.max(error) < 1e-5
    low = (-curves).maximum()[0]
    assert low == pytest.approx([exactly(lambda t, x=x: -x(t))[0] for x, _ in functions], abs=1e-6)


def test_a_run_does_not_depend_on_the_runs_beside_it() -> None:
    functions = [waves(seed) for seed in range(5)]
    together = traced(functions, 30)
    chosen = together.row == 3
    alone = OutputCurves(
        1, together.row[chosen] * 0, together.begin[chosen], together.length[chosen], together.coefficients[:, chosen]
    )
    for one, other in zip(together.maximum() + together.mean(), alone.maximum() + alone.mean(), strict=True):
        assert one[3] == other[0]


@pytest.mark.parametrize("seed", range(6))
def test_intervals_are_divided_until_the_error_is_allowed(seed: int) -> None:
    """Two steps for some twenty waves."""
    x, _ = waves(seed)
    begin, length = steps(seed, 2)
    curve = refine_curves(begin, length, x, lambda _: 1e-9)
    most, at, average = exactly(x)
    value, error, when = curve.maximum()
    assert error[0] <= 1e-9
    assert abs(value[0] - most) < 1e-9
    assert abs(when[0] - at) < 1e-6
    assert abs(curve.mean()[0][0] - average) < 1e-9


def test_kinks_and_jumps_inside_intervals() -> None:
    """At a kink the estimate is several times too small. |t − 1| has its minimum 0 and its mean 5/6 over 3 s; a step
    from 0 to 1 at t = 1.1 has its maximum there first."""
    curve = refine_curves(np.array([0.0]), np.array([3.0]), lambda t: np.abs(t - 1.0), lambda _: 1e-7)
    value, error, when = (-curve).maximum()
    assert abs(value[0]) <= 1e-6
    assert error[0] <= 1e-6
    assert abs(when[0] - 1.0) < 1e-5
    assert curve.mean()[0][0] == pytest.approx(5.0 / 6.0, abs=1e-6)
    jump = refine_curves(np.array([0.0, 1.1]), np.array([1.1, 1.9]), lambda t: (t >= 1.1) * 1.0, lambda _: 1e-6)
    value, _, when = jump.maximum(tie=np.array([1e-6]))
    assert value[0] == pytest.approx(1.0, abs=1e-12)
    assert when[0] == pytest.approx(1.1, abs=1e-12)


def test_the_first_of_equal_maxima_and_of_what_is_constant() -> None:
    """sin 2πt is largest at ¼ s, 1¼ s and 2¼ s, where rounding makes one of them the largest."""
    begin, length = steps(1, 40)
    curve = refine_curves(begin, length, lambda t: np.sin(2.0 * np.pi * t), lambda _: 1e-12)
    assert curve.maximum(tie=np.array([1e-9]))[2][0] == pytest.approx(0.25, abs=1e-6)
    flat = refine_curves(begin, length, lambda t: 5.0 + 1e-13 * np.sin(1e4 * t), lambda _: 1e-9)
    assert flat.maximum(tie=np.array([1e-9]))[2][0] == 0.0
    ends = refine_curves(begin, length, lambda t: t, lambda _: 1e-9)
    assert ends.maximum(tie=np.array([1e-9]))[2][0] == pytest.approx(3.0)
    assert (-ends).maximum(tie=np.array([1e-9]))[2][0] == 0.0
