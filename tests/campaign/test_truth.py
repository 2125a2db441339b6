"""The motions the judge knows, against closed forms, series and ordinary differential equations."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import numpy as np
import pytest
from campaign.energy_integral import EXACT, NotJudged, Orbit, orbit
from campaign.grid import make_grid, swinging
from campaign.linkage import Linkage
from campaign.plane import PlaneFrame, row
from campaign.suites.singular_positions import FAMILIES
from campaign.truth import along_branch
from scipy.integrate import solve_ivp

from grashof.problems.four_bar import reference as four_bar
from grashof.problems.multiple_four_bar import reference as grid_series

TIMES = np.linspace(0.5, 10.0, 20)


@pytest.mark.parametrize(("windows", "angle", "speed"), [(2, 0.0, 1.0), (5, 0.3, -0.8), (1, 2.0, 0.0), (3, 1.0, 2.0)])
def test_the_row_of_the_benchmark_turns_and_swings_by_elliptic_functions(
    windows: int, angle: float, speed: float
) -> None:
    """s is the angle of the cranks from +x, φ from +y, clockwise: s = 90° − φ."""
    linkage = row(np.random.default_rng(1), ["parallelogram"] * windows, square=True)
    s, rate = orbit(linkage, 0.5 * np.pi - angle, -speed).at(TIMES)
    exact = four_bar.motion(TIMES, windows, speed, angle)
    late = EXACT * TIMES[-1]  # the clock is exact to this, s
    assert np.max(np.abs(0.5 * np.pi - s - exact.angle)) < late * np.max(np.abs(exact.rate))
    assert np.max(np.abs(rate + exact.rate)) < late * 1.5 * 9.81  # no angular acceleration is larger


def drawn(family: str, start: Callable[[float], tuple[float, float]]) -> tuple[Linkage, Orbit]:
    """The first linkage whose motion can be told: which that is depends on the last bits where a series hardly
    converges."""
    for seed in range(3, 9):
        linkage = FAMILIES[family][1](np.random.default_rng(seed))
        assert isinstance(linkage, Linkage)
        with contextlib.suppress(NotJudged):
            return linkage, orbit(linkage, *start(linkage.length))
    raise AssertionError(f"no {family} can be judged")


@pytest.mark.parametrize("rate", [0.0, 3.0])
@pytest.mark.parametrize("family", ["kites", "change point", "Bricard", "Sarrus, leaning"])
def test_the_quadrature_solves_the_equation_of_motion(family: str, rate: float) -> None:
    """J s̈ + ½ J′ ṡ² + V′ = 0, by SciPy; J′ and V′ by differences."""
    linkage, found = drawn(family, lambda length: (1.0, 0.1 * rate * float(np.sqrt(9.81 / length))))
    h = 1e-4

    def slope(_: float, y: np.ndarray) -> list[float]:
        inertia, potential = linkage.landscape(y[0] + h * np.array([-2.0, -1.0, 0.0, 1.0, 2.0]))
        by_s = [(x[0] - 8.0 * x[1] + 8.0 * x[3] - x[4]) / (12.0 * h) for x in (inertia, potential)]
        return [y[1], -(0.5 * by_s[0] * y[1] ** 2 + by_s[1]) / inertia[2]]

    scale = float(np.sqrt(9.81 / linkage.length))
    times = np.linspace(0.2, 2.0, 5) / scale
    start = [1.0, 0.1 * rate * scale]
    exact = solve_ivp(slope, (0.0, times[-1]), start, "DOP853", times, rtol=1e-10, atol=1e-10).y
    s, speed = found.at(times)
    assert np.max(np.abs(s - exact[0])) < 1e-7
    assert np.max(np.abs(speed - exact[1])) < 1e-7 * scale * (1.0 + rate)


@pytest.mark.parametrize("family", ["kites", "change point", "Bricard", "Sarrus, leaning"])
def test_a_motion_from_rest_begins_at_rest(family: str) -> None:
    linkage = FAMILIES[family][1](np.random.default_rng(3))
    assert isinstance(linkage, Linkage)
    start = linkage.period - 0.3
    (s,), (rate,) = orbit(linkage, start, 0.0).at(np.zeros(1))
    assert s == pytest.approx(start, abs=1e-13)
    assert abs(rate) < 1e-13 * np.sqrt(9.81 / linkage.length)


def test_the_grid_of_the_benchmark_moves_by_its_taylor_series() -> None:
    frame = PlaneFrame(np.zeros(3), np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    grid = make_grid(np.random.default_rng(1), 2, 2, frame, square=True)
    times = np.array([1.0, 3.0])
    truth = swinging(grid, [0.0, 0.0], [2.0 * np.pi / 3.0] * 2, times)
    exact = grid_series.solution(times, 2, 2, "all-rows")
    corner = [body.name for body in grid.bodies].index("vertical_1_2")
    points = sum(len(body.watched) for body in grid.bodies[:corner])
    end = truth.places[:, points + 2]
    assert np.max(np.abs(end - np.column_stack([np.zeros(2), exact.y_a, exact.z_a]))) < 1e-9
    assert truth.energy == pytest.approx(exact.energy[0], abs=1e-9)


def test_sensitivity_grows_where_neighbours_part() -> None:
    """A pendulum that goes over the top slowly is thrown off more than one that goes over fast."""
    linkage = row(np.random.default_rng(1), ["parallelogram"], square=True)
    slowly, fast = (along_branch(linkage, 0.5 * np.pi, -speed, TIMES).sensitivity[-1] for speed in (0.5, 5.0))
    assert slowly > 3.0 * fast
