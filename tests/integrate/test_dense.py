"""The dense output: its order, and what it promises at and between steps."""

from __future__ import annotations

import numpy as np
import pytest

from grashof.integrate import Integrator, Steps
from grashof.integrate.dop853 import DENSE_ORDER

from .systems import (
    GRAVITY,
    LENGTH,
    Interpreted,
    cartesian_pendulum,
    native,
    on_circle,
    pendulum,
    pendulum_angle,
    released,
)


@pytest.fixture(scope="module")
def swing() -> Integrator:
    return native(1, 0, pendulum)


@pytest.fixture(scope="module")
def hanging() -> Integrator:
    return native(2, 1, cartesian_pendulum, on_circle)


@pytest.fixture(scope="module")
def steps(hanging: Integrator) -> Steps:
    return hanging.run(released(2.0), 0.0, 5.0, tol=1e-9, length=LENGTH, speed=1.0)


def test_inside_a_step_the_error_is_that_of_order_7(swing: Integrator) -> None:
    """Order p means a local error of O(h^(p+1)): here the largest in a step from t = 1, where nothing is special."""
    start = swing.run([1.0, 0.0], 0.0, 1.0, tol=1e-14, length=1.0, speed=1.0).y[-1]
    sizes, errors = np.array([0.2, 0.3, 0.4, 0.6]), []
    for h in sizes:
        step = swing.run(start, 1.0, 1.0 + h, tol=1e3, length=1.0, speed=1.0, first_step=h)
        assert step.counters.steps == 1
        times = 1.0 + h * np.linspace(0.1, 0.9, 9)
        y, _ = swing.sample(step, times)
        errors.append(max(abs(q - pendulum_angle(t, 1.0)) for t, q in zip(times, y[:, 0], strict=True)))
    slope = np.polyfit(np.log(sizes), np.log(errors), 1)[0]
    assert slope >= DENSE_ORDER + 1 - 0.3


def test_samples_follow_the_elliptic_solution(hanging: Integrator, steps: Steps) -> None:
    times = np.linspace(0.0, 5.0, 201)
    y, _ = hanging.sample(steps, times)
    rate = (GRAVITY / LENGTH) ** 0.5
    angles = np.array([pendulum_angle(t, 2.0, rate) for t in times])
    assert np.abs(y[:, 4] - angles).max() < 1e-6
    assert np.abs(y[:, 0] - LENGTH * np.sin(angles)).max() < 1e-6


def test_samples_are_on_the_constraints(hanging: Integrator, steps: Steps) -> None:
    y, _ = hanging.sample(steps, np.linspace(0.0, 5.0, 201))
    assert np.abs(np.hypot(y[:, 0], y[:, 1]) - LENGTH).max() < 1e-14
    assert np.abs(y[:, 0] * y[:, 2] + y[:, 1] * y[:, 3]).max() < 1e-13


def test_samples_at_steps_are_the_steps(hanging: Integrator, steps: Steps) -> None:
    y, _ = hanging.sample(steps, steps.t)
    assert np.array_equal(y, steps.y)


def test_samples_come_with_their_derivatives(hanging: Integrator, steps: Steps) -> None:
    times = np.sort(np.concatenate([steps.t, np.linspace(0.0, 5.0, 50)]))
    y, rates = hanging.sample(steps, times)
    assert np.array_equal(rates, [hanging.derivative(t, row) for t, row in zip(times, y, strict=True)])


def test_the_polynomial_joins_the_steps(hanging: Integrator, steps: Steps) -> None:
    """Right before and after a step its state is met, up to what the projection changed."""
    inside = steps.t[1:-1]
    before, _ = hanging.sample(steps, np.nextafter(inside, -1.0))
    after, _ = hanging.sample(steps, np.nextafter(inside, 9.0))
    assert np.abs(before - steps.y[1:-1]).max() < 1e-8
    assert np.abs(after - steps.y[1:-1]).max() < 1e-13


def test_how_many_samples_are_asked_for_does_not_change_them(hanging: Integrator, steps: Steps) -> None:
    times = np.linspace(0.0, 5.0, 101)
    all_at_once, _ = hanging.sample(steps, times)
    one_by_one = [hanging.sample(steps, [t])[0][0] for t in times]
    assert np.array_equal(all_at_once, one_by_one)


def test_a_step_is_computed_again_once_for_all_its_samples() -> None:
    """One evaluation for each sample, and 16 for each step that holds some."""
    system = Interpreted(1, 0, lambda x: [-x[1]])
    steps = system.integrator.run([1.0, 0.0], 0.0, 5.0, tol=1e-9, length=1.0, speed=1.0)
    system.evaluations = 0
    held = steps.t[3] + (steps.t[4] - steps.t[3]) * np.array([0.1, 0.2, 0.3, 0.7])
    system.integrator.sample(steps, held)
    assert system.evaluations == 16 + len(held)


def test_a_run_back_in_time_is_sampled_back_in_time(hanging: Integrator, steps: Steps) -> None:
    back = hanging.run(steps.y[-1], 5.0, 0.0, tol=1e-9, length=LENGTH, speed=1.0)
    times = np.linspace(5.0, 0.0, 101)
    forth_again, _ = hanging.sample(steps, times[::-1])
    y, _ = hanging.sample(back, times)
    assert np.abs(y[::-1] - forth_again).max() < 1e-6


def test_no_samples_are_no_samples(hanging: Integrator, steps: Steps) -> None:
    y, rates = hanging.sample(steps, [])
    assert y.shape == (0, 5)
    assert rates.shape == (0, 3)


@pytest.mark.parametrize("times", [[-0.1], [5.1], [2.0, 1.0], [np.nan]])
def test_times_outside_or_out_of_order_are_refused(hanging: Integrator, steps: Steps, times: list[float]) -> None:
    with pytest.raises(ValueError, match="between"):
        hanging.sample(steps, times)
