"""The adaptive loop: its order, its accuracy, its account of the work, and how it ends where it should."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from grashof.integrate import Integrator, Method
from grashof.integrate.methods import METHODS, Choice
from grashof.integrate.methods.radau import Radau
from grashof.integrate.run import FIRST_PAUSE
from grashof.scalar.functions import cos

from .systems import Interpreted, native, oscillator, pendulum, pendulum_angle

START = [1.0, 0.0]


@pytest.fixture(scope="module")
def swing() -> Integrator:
    return native(1, 0, pendulum)


def run(system: Integrator, t_end: float, tol: float = 1e-8, **options: object):
    return system.run(START, 0.0, t_end, tol=tol, length=1.0, speed=1.0, **options)


ALL = pytest.mark.parametrize("method", METHODS.values(), ids=METHODS)
ADAPTIVE = pytest.mark.parametrize("name", [name for name, method in METHODS.items() if method.adaptive])


def measured_order(system: Integrator, method: Method, start: list[float], exact: list[float]) -> float:
    """Of equal steps from 0 to 6: so many that the leading term of the error shows, so few that it is above
    round-off."""
    counts, errors = np.array([16, 20, 25, 32, 40]) * {9: 1, 8: 1, 5: 4, 4: 8}.get(method.order, 1), []
    if isinstance(method, Radau):
        counts = {5: counts, 9: np.array([8, 10, 12, 14]), 13: np.array([5, 6, 7, 8])}[method.order]
        method = replace(method, solved=1e-16)  # in units of the tolerance, which lets all steps pass
    for count in counts:
        y, edges = np.array(start), np.linspace(0.0, 6.0, count + 1)
        for begin, end in pairwise(edges):
            steps = system.run(
                y, begin, end, tol=1e3, length=1.0, speed=1.0, step=end - begin, method=Choice(method, "")
            )
            assert steps.counters.steps == 1
            y = steps.y[-1]
        errors.append(np.linalg.norm(y - exact))
    return -np.polyfit(np.log(counts), np.log(errors), 1)[0]


@ALL
def test_equal_steps_converge_with_the_order_of_the_method(method: Method) -> None:
    """q = e^(−t/2) cos t, a damped oscillation; that of rodas5p is 6 for linear equations."""
    system = native(1, 0, lambda x: [-1.25 * x[1] - x[2]])
    decay, c, s = math.exp(-3.0), math.cos(6.0), math.sin(6.0)
    order = measured_order(system, method, [1.0, -0.5], [decay * c, -decay * (0.5 * c + s)])
    assert order == pytest.approx(6 if method.name == "rodas5p" else method.order, abs=0.3)


@ALL
def test_so_they_do_on_a_pendulum(swing: Integrator, method: Method) -> None:
    """But verner9 faster: its leading error nearly vanishes here."""
    angle = pendulum_angle(6.0, START[0])
    rate = math.sqrt(2.0 * (math.cos(angle) - math.cos(START[0])))  # on its way back, by its energy
    order = measured_order(swing, method, START, [angle, rate])
    assert order > method.order - 0.3
    assert order < method.order + 0.3 or method.name == "verner9"


def test_a_fixed_step_is_kept(swing: Integrator) -> None:
    steps = run(swing, 1.0, step=0.0301, method=Choice(METHODS["rk4"], ""))
    assert steps.counters.steps == 34
    assert np.diff(steps.t) == pytest.approx(np.full(34, 1.0 / 34), rel=1e-13)
    assert steps.counters.evaluations == 1 + 4 * 34
    assert run(swing, 1.0, step=0.05, method=Choice(METHODS["rk4"], "")).counters.steps == 20


def test_a_fixed_step_that_is_not_given_is_a_thousandth_of_the_run(swing: Integrator) -> None:
    assert run(swing, 7.0, method=Choice(METHODS["rk4"], "")).counters.steps == 1000


@ADAPTIVE
@pytest.mark.parametrize("tol", [1e-4, 1e-6, 1e-8, 1e-10])
def test_the_global_error_follows_the_tolerance(swing: Integrator, tol: float, name: str) -> None:
    method = METHODS[name]
    steps = run(swing, 20.0, method.share / 0.01 * tol, method=Choice(method, ""))
    assert abs(steps.y[-1, 0] - pendulum_angle(20.0, START[0])) < 20 * tol


def test_it_agrees_with_scipy(swing: Integrator) -> None:
    other = solve_ivp(lambda t, y: [y[1], -math.sin(y[0])], (0, 20), START, method="DOP853", rtol=1e-13, atol=1e-13)
    assert np.abs(run(swing, 20.0, 1e-12).y[-1] - other.y[:, -1]).max() < 1e-11


def test_it_needs_about_the_work_of_scipy() -> None:
    system = Interpreted(1, 0, lambda x: [-math.sin(x[1])])
    steps = run(system.integrator, 20.0, 1e-9)
    other = solve_ivp(lambda t, y: [y[1], -math.sin(y[0])], (0, 20), START, method="DOP853", rtol=1e-13, atol=1e-9)
    assert steps.counters.evaluations < 1.2 * other.nfev


@ADAPTIVE
def test_the_counters_count_what_they_say(name: str) -> None:
    """A rejected step costs one evaluation less, unless its error is known only at the end of the step."""
    system = Interpreted(1, 0, pendulum)
    method = Choice(METHODS[name], "")
    counters = run(system.integrator, 20.0, step=2.0, method=method).counters
    assert counters.rejected_error > 0
    assert counters.evaluations == system.evaluations
    assert counters.projections == system.projections
    closes = method.method.closes
    assert counters.projections == counters.steps + (counters.rejected if closes else 0)
    stages = method.method.stages
    if isinstance(method.method, Radau):  # its steps take as many iterations as they need
        return
    assert counters.evaluations == 1 + stages * counters.steps + (stages - (not closes)) * counters.rejected
    system.evaluations = 0
    chosen = run(system.integrator, 20.0, method=method).counters
    assert chosen.evaluations == system.evaluations
    assert chosen.evaluations == 2 + stages * chosen.steps + (stages - (not closes)) * chosen.rejected


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
    assert whole.counters.steps > FIRST_PAUSE
    monkeypatch.setattr("grashof.integrate.run.FIRST_PAUSE", 1)
    monkeypatch.setattr("grashof.integrate.run.PAUSE_EVERY", 0.0)
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


@ADAPTIVE
@pytest.mark.parametrize("tol", [1e-4, 1e-9])
def test_the_first_step_is_that_of_its_rule(name: str, tol: float) -> None:
    """Of q̈ = −q from rest at 1, tol·‖f₀‖ = √½ and tol·‖f₁ − f₀‖/h₀ = √½: T = 2^¼, and (h/T)ᵖ = tol/100."""
    method = METHODS[name]
    steps = native(1, 0, oscillator()).run(
        [1.0, 0.0], 0.0, 1e3, tol=tol, length=1.0, speed=1.0, method=Choice(method, ""), max_steps=1
    )
    assert steps.t[-1] == pytest.approx(2.0**0.25 * (tol / 100.0) ** (1.0 / method.estimate_order), rel=1e-6)
