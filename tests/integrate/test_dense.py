"""The dense output: its order, and what it promises at and between steps."""

from __future__ import annotations

import numpy as np
import pytest

from grashof.integrate import Integrator, Steps
from grashof.integrate.methods import METHODS, Choice
from grashof.integrate.methods.radau import Radau
from grashof.model.mechanism import Mechanism
from grashof.problems import make_case
from grashof.program import build
from grashof.simulation.simulate import simulate

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


def test_inside_a_step_positions_are_of_order_8_and_velocities_of_order_7(swing: Integrator) -> None:
    """Order p means a local error of O(h^(p+1)): here the largest in a step from t = 1, where nothing is special."""
    start = swing.run([1.0, 0.0], 0.0, 1.0, tol=1e-14, length=1.0, speed=1.0).y[-1]
    sizes, errors = np.array([0.4, 0.6, 0.8, 1.0]), []
    for h in sizes:
        # the ends of the step are exact, so that the polynomial is what errs
        end = swing.run(start, 1.0, 1.0 + h, tol=1e-14, length=1.0, speed=1.0).y[-1]
        step = swing.run(start, 1.0, 1.0 + h, tol=1e3, length=1.0, speed=1.0, step=h)
        assert step.counters.steps == 1
        step.y[-1] = end
        times = 1.0 + h * np.linspace(0.1, 0.9, 9)
        y, _ = swing.sample(step, times)
        exact = [swing.run(start, 1.0, t, tol=1e-14, length=1.0, speed=1.0).y[-1] for t in times]
        errors.append(np.abs(y - exact).max(axis=0))
    slopes = np.polyfit(np.log(sizes), np.log(errors), 1)[0]
    assert slopes[0] >= 9 - 0.3
    assert slopes[1] >= 8 - 0.3


def test_inside_a_step_extra_states_are_of_order_7() -> None:
    """ė = q of an oscillator is its velocity turned round."""
    system = native(1, 1, lambda x: [-x[1], x[1]])
    start, sizes, errors = np.array([0.6, 0.8, 0.0]), np.array([0.4, 0.6, 0.8, 1.0]), []

    def exact(t: float) -> list[float]:
        q, v = 0.6 * np.cos(t) + 0.8 * np.sin(t), 0.8 * np.cos(t) - 0.6 * np.sin(t)
        return [q, v, 0.8 - v]

    for h in sizes:
        step = system.run(start, 0.0, h, tol=1e3, length=1.0, speed=1.0, step=h)
        assert step.counters.steps == 1
        step.y[-1] = exact(h)
        times = h * np.linspace(0.1, 0.9, 9)
        y, _ = system.sample(step, times)
        errors.append(np.abs(y - [exact(t) for t in times])[:, 2].max())
    assert np.polyfit(np.log(sizes), np.log(errors), 1)[0] >= 8 - 0.3


@pytest.mark.parametrize("name", METHODS)
def test_samples_of_every_method_are_as_good_as_its_steps(swing: Integrator, name: str) -> None:
    steps = swing.run(
        [1.0, 0.0],
        0.0,
        6.0,
        tol=1e-7,
        length=1.0,
        speed=1.0,
        method=Choice(METHODS[name], ""),
        step=0.05 if name == "rk4" else None,
    )
    times = np.linspace(0.0, 6.0, 301)
    y, _ = swing.sample(steps, times)
    at_steps = max(abs(q - pendulum_angle(t, 1.0)) for t, q in zip(steps.t, steps.y[:, 0], strict=True))
    between = max(abs(q - pendulum_angle(t, 1.0)) for t, q in zip(times, y[:, 0], strict=True))
    permitted = 1e-8 if isinstance(METHODS[name], Radau) else 0.0  # whose ends are more accurate than was asked for
    assert 0.0 < between < max(1.5 * at_steps, permitted)


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
    """Right before and after a step its state is met."""
    inside = steps.t[1:-1]
    before, _ = hanging.sample(steps, np.nextafter(inside, -1.0))
    after, _ = hanging.sample(steps, np.nextafter(inside, 9.0))
    assert np.abs(before - steps.y[1:-1]).max() < 1e-13
    assert np.abs(after - steps.y[1:-1]).max() < 1e-13


def test_how_many_samples_are_asked_for_does_not_change_them(hanging: Integrator, steps: Steps) -> None:
    times = np.linspace(0.0, 5.0, 101)
    all_at_once, _ = hanging.sample(steps, times)
    one_by_one = [hanging.sample(steps, [t])[0][0] for t in times]
    assert np.array_equal(all_at_once, one_by_one)


def test_a_polynomial_is_found_once_for_all_samples_in_a_step() -> None:
    """One evaluation for each sample, and for each step that holds some 4 inside, 1 at its end and, unless known, 1
    at its start."""
    system = Interpreted(1, 0, lambda x: [-x[1]])
    steps = system.integrator.run([1.0, 0.0], 0.0, 5.0, tol=1e-9, length=1.0, speed=1.0)
    system.evaluations = 0
    held = steps.t[3] + (steps.t[4] - steps.t[3]) * np.array([0.1, 0.2, 0.3, 0.7])
    system.integrator.sample(steps, held)
    assert system.evaluations == 6 + len(held)
    system.evaluations = 0
    following = [*held, steps.t[4] + 0.5 * (steps.t[5] - steps.t[4])]
    system.integrator.sample(steps, following)
    assert system.evaluations == 6 + 5 + len(following)


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


def test_an_acceleration_that_is_wild_inside_a_step_does_not_reach_the_samples() -> None:
    """As at a singular position, where what is wrong with the state is divided by nearly nothing."""
    wild: list[float] = []

    def acceleration(x: list[float]) -> list[float]:
        wrong = x[1] ** 2 + x[2] ** 2 - 1.0
        return [-x[1] + (1e12 * wrong if any(abs(x[0] - t) < 1e-9 for t in wild) else 0.0)]

    system = Interpreted(1, 0, acceleration)
    steps = system.integrator.run([1.0, 0.0], 0.0, 5.0, tol=1e-9, length=1.0, speed=1.0)
    begin, end = steps.t[3:5]
    times = np.linspace(begin, end, 9)[[1, 2, 5, 7]]
    for theta in (0.5, 0.5 - 28**-0.5, 0.5 + 28**-0.5):
        wild[:] = [begin + theta * (end - begin)]
        y, _ = system.integrator.sample(steps, times)
        assert np.abs(y[:, 0] - np.cos(times)).max() < 1e-8


@pytest.mark.parametrize(("speed", "tol"), [(1.3, 2.51e-4), (1.3, 1e-6), (0.7, 1e-2), (2.0, 1e-8)])
def test_next_to_singular_positions_energy_is_kept_as_well_as_at_the_steps(speed: float, tol: float) -> None:
    """The double four-bar passes ten flat positions; without the relations of its branch each is singular.

    Inside one long step across such a position it is kept as well as was asked for; which of them are passed in small
    steps and which in a long one hangs on the last digits of the steps before.
    """
    program = build(make_case("double-four-bar", None, {"speed": speed}).model, relations=False)
    run = simulate(program, 10.0, tol=tol, times=2001)
    across = np.zeros(len(run.t), dtype=bool)
    for crossing in run.steps.crossings:
        across |= (run.t > crossing.begin) & (run.t < crossing.end)
    balance = np.abs(run["balance"])
    assert balance[~across].max() < 2.0 * np.abs(run.at_steps()["balance"]).max()
    assert balance[across].max(initial=0.0) < tol * run["kinetic"].max()


def test_samples_at_a_kink_have_the_velocity_of_the_steps_beside_it() -> None:
    """1 kg is pushed by 1 N, from t = 0.5 on by 2 N: at 0.5 s it has 0.5 m/s, though the step across is 1e-15 s
    long."""
    m = Mechanism("block")
    block = m.body("block", mass=1.0, inertia=0.1, points={"p": (0, 0)})
    m.slider(m.ground.line((0, 0), (1, 0)), block.line((0, 0), (1, 0)))
    m.need("block.p.x", value=0.7, rate=0.0)
    m.force(block.p, ("where(t < 0.5, 1, 2)", 0))
    run = simulate(m, 1.0, times=[0.25, 0.5 - 1e-15, 0.5, 0.5 + 1e-15, 0.75])
    assert run["block.p.x.rate"] == pytest.approx([0.25, 0.5, 0.5, 0.5, 1.0], abs=1e-9)
