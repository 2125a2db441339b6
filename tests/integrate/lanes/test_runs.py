"""Runs in lanes are the runs that they would be alone."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from math import inf, nan

import numpy as np
import pytest

from grashof.formulation.layout import Sizes
from grashof.integrate import METHODS, Choice, Settings, Spacing
from grashof.integrate.lanes import Ended, LaneIntegrator
from grashof.integrate.methods.radau import Radau
from grashof.scalar.functions import Scalar, where
from grashof.tape import trace

from ..systems import (
    Function,
    cartesian_pendulum,
    native,
    on_circle,
    oscillator,
    pendulum,
    pendulum_angle,
    released,
    tapes_of,
    unconstrained,
)

WIDTHS = (1, 2, 4, 8)
SETTINGS = Settings(tol=1e-9, length=1.0, speed=1.0)


def in_lanes(
    n: int, extra: int, derivative: Function, project: Function = unconstrained, width: int = 4
) -> LaneIntegrator:
    """What is observed is the state."""
    sizes = Sizes(n, n, extra)
    tapes = tapes_of(sizes, derivative=derivative, project=project, observe=lambda x: list(x[1:]))
    return LaneIntegrator(tapes, sizes, lanes=width)


def counted(runs: object, row: int) -> dict[str, int]:
    return {name: int(column[row]) for name, column in runs.counters.items()}  # type: ignore[attr-defined]


@pytest.mark.parametrize("width", WIDTHS)
def test_pendulums_swing_as_elliptic_functions_say(width: int) -> None:
    angles, times = np.linspace(0.1, 3.0, 11), np.linspace(0.0, 7.0, 15)
    runs = in_lanes(1, 0, pendulum, width=width).run([[x, 0.0] for x in angles], 0.0, 7.0, SETTINGS, times=times)
    exact = [[pendulum_angle(t, x) for t in times] for x in angles]
    assert np.all(runs.codes == Ended.ARRIVED)
    assert np.all(runs.times == 7.0)
    assert runs.observed[:, :, 0] == pytest.approx(np.array(exact), abs=1e-7)
    assert np.array_equal(runs.observed[:, 0, 0], angles)
    assert np.array_equal(runs.observed[:, -1], runs.states)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("t_end", [5.0, -5.0])
def test_a_lane_makes_the_steps_of_a_single_run(method: str, t_end: float) -> None:
    """With a constraint, an extra state of some weight and times inside steps, at their ends and at both ends of the
    run."""
    settings = replace(SETTINGS, tol=1e-8, method=Choice(METHODS[method], ""), weights=[0.5])
    starts = np.array([released(x) for x in np.linspace(0.2, 2.9, 7)])
    alone = native(2, 1, cartesian_pendulum, on_circle)
    steps = [alone.collect(y, 0.0, t_end, settings) for y in starts]
    times = np.sort([0.0, *np.linspace(0.1, 4.9, 20), *abs(steps[0].t[3:5]), 5.0]) * np.sign(t_end)
    runs = in_lanes(2, 1, cartesian_pendulum, on_circle).run(starts, 0.0, t_end, settings, times=times)
    for row, single in enumerate(steps):
        assert counted(runs, row) == asdict(single.counters)
        assert runs.states[row] == pytest.approx(single.y[-1], abs=1e-11)
        inside = 1e-10 if isinstance(METHODS[method], Radau) else 1e-11  # whose equations are solved again for samples
        assert runs.observed[row] == pytest.approx(alone.sample(single, times)[0], abs=inside)


def test_steps_end_where_they_have_to() -> None:
    """A force that changes its sign at given times: each run stops there and begins anew, as a single one does."""

    def derivative(x: Sequence[Scalar]) -> list[Scalar]:
        return [where(x[0] - 1.0, where(x[0] - 2.5, 1.0, -3.0), 2.0) - x[1]]

    stops = [(t, float(np.nextafter(t, 9.0))) for t in (1.0, 2.5)]
    settings, times = replace(SETTINGS, stops=stops), [0.5, 1.0, 2.0, 2.5, 4.0]
    starts = [[x, 0.0] for x in np.linspace(-1.0, 1.0, 6)]
    runs = in_lanes(1, 0, derivative).run(starts, 0.0, 4.0, settings, times=times)
    alone = native(1, 0, derivative)
    for row, y in enumerate(starts):
        single = alone.collect(y, 0.0, 4.0, settings)
        assert counted(runs, row) == asdict(single.counters)
        assert runs.states[row] == pytest.approx(single.y[-1], abs=1e-13)
        assert runs.observed[row] == pytest.approx(alone.sample(single, times)[0], abs=1e-13)


def test_the_motion_goes_on_behind_a_stop_with_steps_for_what_is_left() -> None:
    """The free fall of the first is exact; in the short stretch at the end there are as many steps as asked for."""
    stops, spacing = [(0.5, 0.625), (0.9, 0.9)], Spacing(parts=16)
    settings = replace(SETTINGS, stops=stops, spacing=spacing)
    runs = in_lanes(1, 0, lambda x: [-9.81]).run([[0.0, 0.0], [1.0, 2.0]], 0.0, 1.0, settings)
    assert runs.states[0] == pytest.approx([-9.81 / 2 + 9.81 * 0.125**2 / 2, -9.81], rel=1e-12)
    assert np.all(runs.counters["steps"] >= 3 * 16)
    for row, y in enumerate(([0.0, 0.0], [1.0, 2.0])):
        single = native(1, 0, lambda x: [-9.81]).collect(y, 0.0, 1.0, settings)
        assert counted(runs, row) == asdict(single.counters)
        assert runs.states[row] == pytest.approx(single.y[-1], abs=1e-13)


def test_the_digits_do_not_depend_on_the_width_or_on_neighbours() -> None:
    starts = [[x, 0.3] for x in np.linspace(0.0, 3.1, 13)]
    results = [in_lanes(1, 0, pendulum, width=width).run(starts, 0.0, 9.0, SETTINGS).states for width in WIDTHS]
    alone = in_lanes(1, 0, pendulum, width=8).run(starts[6:7], 0.0, 9.0, SETTINGS).states
    assert all(np.array_equal(results[0], x) for x in results[1:])
    assert np.array_equal(results[0][6:7], alone)


@pytest.mark.parametrize("rows", [0, 1, 3, 9])
def test_any_number_of_runs_can_be_made(rows: int) -> None:
    starts = [[1.0 + k, 0.0] for k in range(rows)]
    runs = in_lanes(1, 0, oscillator()).run(np.reshape(starts, (rows, 2)), 0.0, 1.0, SETTINGS)
    assert runs.states[:, 0] == pytest.approx([(1.0 + k) * np.cos(1.0) for k in range(rows)], abs=1e-7)


def test_coefficients_and_scales_are_those_of_the_run() -> None:
    """q̈ = −c² q; a run with another scale of length is one with another tolerance."""
    tapes = {
        "derivative": trace(lambda x, c: [-c[0] * c[0] * x[1]], 3, 1),
        "project": trace(lambda x, _: [*x[1:], 0.0], 3, 1),
        "observe": trace(lambda x, c: [c[0], x[1] * c[0]], 3, 1),
    }
    rates = np.linspace(0.5, 4.0, 10)[:, None]
    lanes = LaneIntegrator(tapes, Sizes(1, 1))
    scales = np.array([[1.0, 0.0, 1.0]] * 5 + [[1000.0, 1000.0, 1.0]] * 5)
    runs = lanes.run([[1.0, 0.0]] * 10, 0.0, 3.0, SETTINGS, rates, times=[0.5, 3.0], scales=scales)
    assert runs.observed[:5, 1] == pytest.approx(np.hstack([rates, rates * np.cos(3.0 * rates)])[:5], abs=1e-6)
    assert np.all(runs.counters["steps"][:5] > 0)
    same = lanes.run([[1.0, 0.0]] * 10, 0.0, 3.0, replace(SETTINGS, length=1000.0, speed=1000.0), rates)
    assert np.array_equal(runs.states[5:], same.states[5:])


def test_runs_that_fail_do_not_disturb_others() -> None:
    """Beyond q = 1 there is no derivative: those that come there are stuck, as single runs are, and too many steps
    are too many."""

    def derivative(x: Sequence[Scalar]) -> list[Scalar]:
        return [where(1.0 - x[1], 1.0, nan)]

    lanes = in_lanes(1, 0, derivative)
    runs = lanes.run([[-10.0, 0.0], [0.9, 0.0], [-10.0, 0.1], [inf, 0.0]] * 3, 0.0, 2.0, SETTINGS, times=[0.1, 1.5])
    assert runs.codes.tolist() == [Ended.ARRIVED, Ended.ATTENTION, Ended.ARRIVED, Ended.ATTENTION] * 3
    assert runs.states[::4, 0] == pytest.approx(-8.0, abs=1e-9)
    assert np.array_equal(np.isnan(runs.observed[1, :, 0]), [False, True])
    few = in_lanes(1, 0, oscillator()).run([[1.0, 0.0]] * 2, 0.0, 100.0, replace(SETTINGS, max_steps=5))
    assert few.codes.tolist() == [Ended.TOO_MANY_STEPS] * 2
    assert few.times == pytest.approx(few.times[0])


def test_threads_share_an_integrator() -> None:
    lanes, starts = in_lanes(1, 0, pendulum), np.array([[x, 0.3] for x in np.linspace(0.0, 3.1, 40)])
    whole = lanes.run(starts, 0.0, 50.0, SETTINGS, times=[20.0, 50.0])
    with ThreadPoolExecutor(4) as threads:
        parts = list(
            threads.map(lambda part: lanes.run(part, 0.0, 50.0, SETTINGS, times=[20.0, 50.0]), np.split(starts, 8))
        )
    assert np.array_equal(whole.observed, np.concatenate([part.observed for part in parts]))


def test_a_run_of_no_duration_is_its_start() -> None:
    runs = in_lanes(1, 0, oscillator()).run([[1.0, 2.0]] * 3, 4.0, 4.0, SETTINGS, times=[4.0])
    assert np.array_equal(runs.observed[:, 0], [[1.0, 2.0]] * 3)
    assert np.all(runs.codes == Ended.ARRIVED)


def test_wrong_shapes_are_refused() -> None:
    with pytest.raises(ValueError, match="starts must be"):
        in_lanes(1, 0, oscillator()).run([[1.0, 0.0, 0.0]], 0.0, 1.0, SETTINGS)


@pytest.mark.parametrize("times", [[0.5, 0.2], [-0.1], [1.1], [nan]])
def test_times_outside_the_run_or_in_no_order_are_refused(times: list[float]) -> None:
    with pytest.raises(ValueError, match="must be sorted"):
        in_lanes(1, 0, oscillator()).run([[1.0, 0.0]], 0.0, 1.0, SETTINGS, times=times)


def test_lanes_without_a_run_write_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer runs than lanes, one of which ends early: nothing is written before the first row of the results."""
    margins = []

    def guarded(shape: tuple[int, ...], value: float) -> np.ndarray:
        count = int(np.prod(shape))
        memory = np.repeat(value, 3 * count)
        margins.append((memory[:count], memory[2 * count :]))
        return memory[count : 2 * count].reshape(shape)

    functions = {"derivative": oscillator(), "project": unconstrained, "observe": lambda x: list(x[1:])}
    functions["gradients"] = lambda x: [x[1] + 2.0]  # which vanishes on the way of the second run
    tapes = {name: trace(lambda x, _, of=function: of(x), 3, 0) for name, function in functions.items()}
    lanes = LaneIntegrator(tapes, Sizes(1, 1), pattern=[(0,)], lanes=8)
    monkeypatch.setattr(np, "full", guarded)
    runs = lanes.run([[1.0, 0.0], [4.0, 0.0], [1.0, 1.0]], 0.0, 9.0, SETTINGS, times=np.linspace(0.0, 9.0, 50))
    assert runs.codes.tolist() == [Ended.ARRIVED, Ended.ATTENTION, Ended.ARRIVED]
    assert all(np.all(np.isnan(margin)) for pair in margins for margin in pair)
