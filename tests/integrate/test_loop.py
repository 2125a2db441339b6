"""The adaptive loop: its order, its accuracy, its account of the work, and how it ends where it should."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from grashof.integrate import Integrator, integrator
from grashof.integrate.dop853 import ORDER
from grashof.scalar.functions import cos

from .systems import Interpreted, native, oscillator, pendulum, pendulum_angle

START = [1.0, 0.0]


@pytest.fixture(scope="module")
def swing() -> Integrator:
    return native(1, 0, pendulum)


def run(system: Integrator, t_end: float, tol: float = 1e-8, **options: object):
    return system.run(START, 0.0, t_end, tol=tol, length=1.0, speed=1.0, **options)


def test_equal_steps_converge_with_order_8(swing: Integrator) -> None:
    counts, errors = np.array([10, 12, 16, 24, 32]), []
    for count in counts:
        y, edges = np.array(START), np.linspace(0.0, 6.0, count + 1)
        for begin, end in pairwise(edges):
            steps = swing.run(y, begin, end, tol=1e3, length=1.0, speed=1.0, first_step=end - begin)
            assert steps.counters.steps == 1
            y = steps.y[-1]
        errors.append(abs(y[0] - pendulum_angle(6.0, START[0])))
    slope = -np.polyfit(np.log(counts), np.log(errors), 1)[0]
    assert slope >= ORDER - 0.3


@pytest.mark.parametrize("tol", [1e-4, 1e-6, 1e-8, 1e-10])
def test_the_global_error_follows_the_tolerance(swing: Integrator, tol: float) -> None:
    steps = run(swing, 20.0, tol)
    assert abs(steps.y[-1, 0] - pendulum_angle(20.0, START[0])) < 20 * tol


def test_it_agrees_with_scipy(swing: Integrator) -> None:
    other = solve_ivp(lambda t, y: [y[1], -math.sin(y[0])], (0, 20), START, method="DOP853", rtol=1e-13, atol=1e-13)
    assert np.abs(run(swing, 20.0, 1e-12).y[-1] - other.y[:, -1]).max() < 1e-11


def test_it_needs_about_the_work_of_scipy() -> None:
    system = Interpreted(1, 0, lambda x: [-math.sin(x[1])])
    steps = run(system.integrator, 20.0, 1e-9)
    other = solve_ivp(lambda t, y: [y[1], -math.sin(y[0])], (0, 20), START, method="DOP853", rtol=1e-13, atol=1e-9)
    assert steps.counters.evaluations < 1.2 * other.nfev


def test_the_counters_count_what_they_say() -> None:
    system = Interpreted(1, 0, lambda x: [-math.sin(x[1])])
    counters = run(system.integrator, 20.0).counters
    assert counters.rejected_error > 0
    assert counters.evaluations == system.evaluations
    assert counters.projections == system.projections == counters.steps
    assert counters.evaluations == 2 + 12 * counters.steps + 11 * counters.rejected
    system.evaluations = 0
    given = run(system.integrator, 20.0, first_step=0.1).counters
    assert given.evaluations == system.evaluations == 1 + 12 * given.steps + 11 * given.rejected


@pytest.mark.parametrize("t_end", [1e-9, 0.1, 1.0 / 3.0, 7.0, 123.4567])
def test_the_last_step_ends_exactly_at_the_end(swing: Integrator, t_end: float) -> None:
    steps = run(swing, t_end)
    assert steps.status.ok
    assert steps.t[-1] == t_end == steps.status.time
    assert np.diff(steps.t)[-1] > 0.3 * np.diff(steps.t)[-2:].max()


def test_no_time_at_all_is_a_run_of_one_state(swing: Integrator) -> None:
    steps = run(swing, 0.0)
    assert steps.status.ok
    assert steps.t.tolist() == [0.0]
    assert steps.y.tolist() == [START]


def test_going_back_in_time_returns_to_the_start(swing: Integrator) -> None:
    there = run(swing, 10.0, 1e-12)
    back = swing.run(there.y[-1], 10.0, 0.0, tol=1e-12, length=1.0, speed=1.0)
    assert back.status.ok
    assert back.t[-1] == 0.0
    assert np.all(np.diff(back.t) < 0)
    assert np.abs(back.y[-1] - START).max() < 1e-10


def test_the_unit_of_time_does_not_matter() -> None:
    """A motion 1024 times as fast has the same steps, to the last bit."""
    slow = native(1, 0, oscillator(1.0)).run(START, 0.0, 16.0, tol=1e-8, length=1.0, speed=1.0)
    fast = native(1, 0, oscillator(1024.0)).run(START, 0.0, 16.0 / 1024, tol=1e-8, length=1.0, speed=1024.0)
    assert np.array_equal(slow.t, 1024 * fast.t)
    assert np.array_equal(slow.y, fast.y / [1.0, 1024.0])


def test_neither_does_the_unit_of_length() -> None:
    metres = native(1, 0, oscillator()).run(START, 0.0, 16.0, tol=1e-8, length=1.0, speed=1.0)
    small = native(1, 0, oscillator()).run([1.0 / 512, 0.0], 0.0, 16.0, tol=1e-8, length=1.0 / 512, speed=1.0 / 512)
    assert np.array_equal(metres.t, small.t)
    assert np.array_equal(metres.y, 512 * small.y)


def test_pauses_leave_no_trace(swing: Integrator, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = run(swing, 300.0, 1e-10)
    assert whole.counters.steps > integrator.FIRST_PAUSE
    monkeypatch.setattr(integrator, "FIRST_PAUSE", 1)
    monkeypatch.setattr(integrator, "PAUSE_EVERY", 0.0)
    pauses = []
    chopped = run(swing, 300.0, 1e-10, progress=pauses.append)
    assert len(pauses) == whole.counters.steps + whole.counters.rejected
    assert np.array_equal(whole.t, chopped.t)
    assert np.array_equal(whole.y, chopped.y)
    assert whole.counters == chopped.counters


def test_progress_rises_to_one(swing: Integrator) -> None:
    seen: list[float] = []
    run(swing, 3000.0, progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    assert len(seen) > 1


def test_a_large_system_is_as_accurate_as_its_parts() -> None:
    """61 oscillators of different rates in one system (the vectors do not fill whole lanes)."""
    rates = np.linspace(0.5, 2.0, 61)
    system = native(61, 0, lambda x: [-(float(w) ** 2) * q for w, q in zip(rates, x[1:62], strict=True)])
    y0 = np.concatenate([np.ones(61), np.zeros(61)])
    steps = system.run(y0, 0.0, 10.0, tol=1e-10, length=1.0, speed=1.0)
    exact = np.concatenate([np.cos(10 * rates), -rates * np.sin(10 * rates)])
    assert np.abs(steps.y[-1] - exact).max() < 1e-9


def test_extra_states_are_controlled_by_their_weight_only() -> None:
    """ė = 50 cos 50t beside a slow motion: small steps if it is weighted, large ones if it is an output."""
    system = native(1, 1, lambda x: [-x[1], 50.0 * cos(50.0 * x[0])])
    ignored = system.run([1.0, 0.0, 0.0], 0.0, 10.0, tol=1e-8, length=1.0, speed=1.0)
    weighted = system.run([1.0, 0.0, 0.0], 0.0, 10.0, tol=1e-8, length=1.0, speed=1.0, weights=[1.0])
    assert weighted.counters.steps > 5 * ignored.counters.steps
    assert abs(weighted.y[-1, 2] - math.sin(500.0)) < 1e-6


def test_nonsense_is_refused(swing: Integrator) -> None:
    for bad in ({"tol": 0.0}, {"tol": math.nan}, {"length": -1.0}, {"speed": math.inf}):
        with pytest.raises(ValueError, match="must be positive"):
            swing.run(START, 0.0, 1.0, **({"tol": 1e-6, "length": 1.0, "speed": 1.0} | bad))
    with pytest.raises(ValueError, match="finite"):
        run(swing, math.inf)
