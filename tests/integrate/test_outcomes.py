"""A run that cannot go on says so, keeps what it has, and never hands over what is not a number."""

from __future__ import annotations

import math
import os
import signal
import threading
from collections.abc import Iterator

import numpy as np
import pytest

from grashof.common.status import AS_ASKED, Code, Status
from grashof.integrate import METHODS, Choice, Integrator, Steps
from grashof.scalar.functions import sqrt, where

from .systems import Interpreted, native, oscillator


def run(system: Integrator, y0: list[float], t_end: float, **options: object) -> Steps:
    return system.run(y0, 0.0, t_end, **({"tol": 1e-8, "length": 1.0, "speed": 1.0} | options))


def is_partial_and_finite(steps: Steps) -> bool:
    rows = len(steps.t) == len(steps.y) == steps.counters.steps + 1
    return rows and not steps.status.ok and steps.t[-1] == steps.status.time and bool(np.isfinite(steps.y).all())


def test_a_force_that_is_not_a_number_from_some_time_on() -> None:
    system = Interpreted(1, 0, lambda x: [math.nan if x[0] > 0.5 else -x[1]])
    steps = run(system.integrator, [1.0, 0.0], 1.0)
    assert steps.status.code is Code.NOT_FINITE
    assert is_partial_and_finite(steps)
    assert steps.status.time == pytest.approx(0.5, abs=1e-9)
    assert steps.counters.rejected_not_finite > 0


def test_a_fixed_step_is_not_tried_again_with_another() -> None:
    system = Interpreted(1, 0, lambda x: [math.nan if x[0] > 0.5 else -x[1]])
    steps = run(system.integrator, [1.0, 0.0], 1.0, method=Choice(METHODS["rk4"], ""), step=0.04)
    assert steps.status.code is Code.NOT_FINITE
    assert is_partial_and_finite(steps)
    assert steps.status.time == pytest.approx(0.48)
    assert steps.counters.rejected == 1


def test_a_force_that_is_not_a_number_from_the_beginning() -> None:
    steps = run(native(1, 0, lambda x: [sqrt(-x[1])]), [1.0, 0.0], 1.0)
    assert steps.status.code is Code.NOT_FINITE
    assert is_partial_and_finite(steps)
    assert steps.t.tolist() == [0.0]


def test_a_moment_without_an_answer_is_stepped_over() -> None:
    """If the derivative fails exactly where a step ends, a smaller step passes."""
    trouble = [-1.0]
    system = Interpreted(1, 0, lambda x: [math.nan if x[0] == trouble[0] else -x[1]])
    trouble[0] = float(run(system.integrator, [1.0, 0.0], 10.0).t[5])
    steps = run(system.integrator, [1.0, 0.0], 10.0)
    assert steps.status.ok
    assert steps.counters.rejected_not_finite == 1
    assert steps.y[-1, 0] == pytest.approx(math.cos(10.0), abs=1e-6)


def test_a_motion_that_goes_to_infinity() -> None:
    """q̈ = 6q² with q(0) = 1, q̇(0) = 2 is 1/(1 − t)²."""
    steps = run(native(1, 0, lambda x: [6.0 * x[1] * x[1]]), [1.0, 2.0], 2.0)
    assert steps.status.code in (Code.STEP_TOO_SMALL, Code.NOT_FINITE)
    assert is_partial_and_finite(steps)
    assert steps.status.time == pytest.approx(1.0, abs=1e-2)
    assert "Stopped at t = " in str(steps.status)


def test_constraints_that_cannot_be_met_any_more() -> None:
    system = Interpreted(1, 0, derivative=lambda x: [-x[1]], project=lambda x: [*x[1:], 1e-4 if x[0] > 0.3 else 0.0])
    steps = run(system.integrator, [1.0, 0.0], 1.0)
    assert steps.status.code is Code.CONSTRAINTS_UNMET
    assert is_partial_and_finite(steps)
    assert steps.status.time == pytest.approx(0.3, abs=1e-9)
    assert steps.counters.rejected_constraints > 0
    assert system.projections == steps.counters.steps + steps.counters.rejected_constraints


def test_a_violation_below_the_tolerance_is_no_reason_to_stop() -> None:
    """r is squared: a thousandth of the tolerance of 1e-8 m, and what round-off leaves at tolerance 1e-13."""
    for tol, violation in ((1e-8, 1e-11), (1e-13, 1e-11)):
        system = Interpreted(1, 0, lambda x: [-x[1]], lambda x, r=violation**2: [*x[1:], r])
        assert run(system.integrator, [1.0, 0.0], 1.0, tol=tol).status.ok


@pytest.mark.parametrize(("n", "spoiled"), [(1, 0), (1, 1), (1, 2), (2, 0), (2, 3), (2, 4)])
def test_a_projection_that_returns_no_numbers(n: int, spoiled: int) -> None:
    """Neither in position or velocity nor in the violation is NaN taken for success."""

    def project(x: list[float]) -> list[float]:
        out = [*x[1:], 0.0]
        if x[0] > 0.3:
            out[spoiled] = math.nan
        return out

    system = Interpreted(n, 0, lambda x: [-q for q in x[1 : 1 + n]], project)
    steps = run(system.integrator, [1.0] * n + [0.0] * n, 1.0)
    assert steps.status.code in (Code.NOT_FINITE, Code.CONSTRAINTS_UNMET)
    assert is_partial_and_finite(steps)
    assert steps.status.time == pytest.approx(0.3, abs=1e-9)


def test_the_steps_allowed_are_counted_with_the_rejected_ones() -> None:
    steps = run(native(1, 0, oscillator()), [1.0, 0.0], 1000.0, max_steps=57)
    assert steps.status.code is Code.TOO_MANY_STEPS
    assert is_partial_and_finite(steps)
    assert steps.counters.steps + steps.counters.rejected == 57


def test_an_interrupt_from_the_progress_callback_keeps_the_steps_made() -> None:
    def stop(fraction: float) -> None:
        raise KeyboardInterrupt

    steps = run(native(1, 0, oscillator()), [1.0, 0.0], 1e6, progress=stop)
    assert steps.status.code is Code.INTERRUPTED
    assert is_partial_and_finite(steps)
    assert steps.counters.steps > 0
    assert steps.y[-1, 0] == pytest.approx(math.cos(steps.t[-1]), abs=1e-4)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """SIGINT raises KeyboardInterrupt, as at a terminal, also where the parent process has it ignored (nohup)."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_an_interrupt_from_the_keyboard_is_heard_while_native_code_runs() -> None:
    running = threading.Event()

    def interrupt() -> None:
        running.wait()
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt, daemon=True)
    thread.start()
    system = native(1, 0, oscillator())
    steps = run(system, [1.0, 0.0], 1e9, max_steps=10**7, progress=lambda _: running.set())
    assert steps.status.code is Code.INTERRUPTED
    assert is_partial_and_finite(steps)


def test_other_exceptions_of_the_callback_are_not_hidden() -> None:
    def fail(fraction: float) -> None:
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        run(native(1, 0, oscillator()), [1.0, 0.0], 10.0, progress=fail)


@pytest.mark.parametrize("doubted", [False, True])
@pytest.mark.parametrize("code", [code for code in Code if code not in AS_ASKED])
def test_every_failure_is_a_sentence_with_advice(code: Code, doubted: bool) -> None:
    status = Status(Code.SUCCESS, 0.31, 10.0, doubt=code) if doubted else Status(code, 0.31, 10.0)
    assert status.code is code
    assert not status.ok
    assert status.reached is doubted
    text = str(status)
    assert text.startswith(f"{'Doubtful' if doubted else 'Stopped'} at t = 0.31 s of 10 s: ")
    assert text.endswith(".")
    assert code is Code.INTERRUPTED or "Try " in text or "Inspect " in text


def test_the_memory_for_steps_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    from grashof.integrate import integrator

    monkeypatch.setattr(integrator, "MEMORY", 2400)  # a hundred steps of three numbers
    steps = run(native(1, 0, oscillator()), [1.0, 0.0], 1e4)
    assert steps.status.code is Code.TOO_MANY_STEPS
    assert is_partial_and_finite(steps)
    assert "100 steps" in str(steps.status)


def test_steps_end_at_stops_and_start_afresh_behind_them() -> None:
    """A force that sets in at t = 1: with a stop there no step is tried again, without one many are."""
    system = native(1, 0, lambda x: [where(x[0] - 1.0, 1.0, 0.0)])
    before, behind = 1.0 - 1e-15, 1.0 + 1e-15
    stopped = run(system, [0.0, 1.0], 3.0, stops=[(before, behind)])
    assert {before, behind} < set(stopped.t.tolist())
    assert stopped.counters.rejected == 0
    assert stopped.y[-1] == pytest.approx([3.0 + 2.0, 1.0 + 2.0], abs=1e-13)
    assert run(system, [0.0, 1.0], 3.0).counters.rejected > 5


def test_a_stop_that_is_asked_for_twice_does_not_lead_back_in_time() -> None:
    behind = math.nextafter(1.0, math.inf)
    stopped = run(native(1, 0, oscillator()), [0.0, 1.0], 3.0, stops=[(1.0, behind), (1.0, behind)])
    assert stopped.status.ok
    assert np.all(np.diff(stopped.t) >= 0.0)
    assert 1.0 in stopped.t


def test_a_run_from_rest_learns_its_speed() -> None:
    """The scale of speed given is far too small, and nothing moves at first: the step would become too small at the
    onset."""
    system = native(1, 0, lambda x: [where(x[0] - 1.0, 1.0, 0.0)])
    steps = run(system, [0.0, 0.0], 3.0, speed=1e-12)
    assert steps.status.ok
    assert steps.y[-1] == pytest.approx([2.0, 2.0], abs=1e-6)
