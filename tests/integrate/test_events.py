"""Events: found however they hide in a step, located to the tolerance, and the run goes on, turns or ends there."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from grashof.common.status import Code
from grashof.integrate import METHODS, Change, Choice, Integrator, Settings, Steps, Trigger, Watch
from grashof.scalar import Scalar, sin
from grashof.tape import Library, emit, trace

from .systems import native, oscillator

Functions = Callable[[list[Scalar]], list[Scalar]]


def watch(functions: Functions, size: int, *triggers: Trigger, most: int = 10_000) -> Watch:
    library = Library(emit({"events": trace(lambda x, _: functions(x), size, 0)}))
    pointer = ctypes.c_void_p
    return Watch(library.function("events", None, *[pointer] * 3), library.address("events"), triggers, most)


def run(system: Integrator, y0: Sequence[float], t_end: float, tol: float = 1e-8, **options: object) -> Steps:
    return system.run(y0, 0.0, t_end, tol=tol, length=1.0, speed=1.0, **options)  # type: ignore[arg-type]


def stop(time: float, state: np.ndarray) -> None:
    return None


@pytest.mark.parametrize("tol", [1e-4, 1e-6, 1e-8, 1e-10])
@pytest.mark.parametrize("method", [m for m in METHODS.values() if m.adaptive], ids=lambda m: m.name)
def test_zeros_of_an_oscillation_are_located_to_the_tolerance(method, tol: float) -> None:
    """x = cos t: falls through zero at π/2 and every whole turn later, rises a half turn later."""
    watched = watch(lambda x: [x[1]], 3, Trigger("zero"))
    steps = run(native(1, 0, oscillator()), [1.0, 0.0], 40.0, tol, watch=watched, method=Choice(method, "test"))
    exact = math.pi * (np.arange(13) + 0.5)
    assert [x.time for x in steps.occurrences] == pytest.approx(exact[exact < 40.0], abs=1000.0 * tol)
    assert [x.rising for x in steps.occurrences] == [bool(k % 2) for k in range(len(steps.occurrences))]


def test_what_is_only_recorded_leaves_no_trace_in_the_motion() -> None:
    system = native(1, 0, oscillator())
    watched = watch(lambda x: [x[1], x[2] - 0.5], 3, Trigger("zero"), Trigger("fast", 1))
    plain, seen = run(system, [1.0, 0.0], 40.0), run(system, [1.0, 0.0], 40.0, watch=watched)
    assert np.array_equal(plain.t, seen.t)
    assert np.array_equal(plain.y, seen.y)
    assert plain.counters == seen.counters
    times = [x.time for x in seen.occurrences]
    assert times == sorted(times)
    fast = 2.0 * math.pi * np.arange(7) + math.pi + math.pi / 6  # −sin t rises through a half
    assert [x.time for x in seen.occurrences if x.name == "fast"] == pytest.approx(fast[fast < 40.0], abs=1e-6)


@pytest.mark.parametrize("direction", [1, -1, 0])
def test_only_the_direction_that_is_asked_for_counts(direction: int) -> None:
    watched = watch(lambda x: [x[1]], 3, Trigger("zero", direction))
    steps = run(native(1, 0, oscillator()), [1.0, 0.0], 20.0, watch=watched)
    exact = {-1: [math.pi * k for k in (0.5, 2.5, 4.5)], 1: [math.pi * k for k in (1.5, 3.5, 5.5)]}
    wanted = sorted(exact[1] + exact[-1]) if direction == 0 else exact[direction]
    assert [x.time for x in steps.occurrences] == pytest.approx(wanted, abs=1e-6)


def test_a_run_ends_exactly_where_a_condition_is_met() -> None:
    watched = watch(lambda x: [-0.5 - x[1]], 3, Trigger("below", 1, reaction=stop))
    steps = run(native(1, 0, oscillator()), [1.0, 0.0], 100.0, watch=watched)
    assert steps.status.ended is Code.EVENT
    assert steps.status.ok
    assert steps.t[-1] == pytest.approx(2.0 * math.pi / 3.0, abs=1e-7)
    assert steps.status.time == steps.t[-1] == steps.occurrences[-1].time
    assert -1e-14 < steps.y[-1, 0] + 0.5 < 0.0  # where it ends, it is met
    assert "'below'" in str(steps.status)


@pytest.mark.parametrize("depth", [1e-2, 1e-4, 1e-6, 1e-8])
def test_two_changes_within_a_step_are_found(depth: float) -> None:
    """A free particle is integrated in steps as long as they may be; x = t touches sin 3x = 1 − depth closely at
    every top."""
    system = native(1, 0, lambda x: [0.0])
    watched = watch(lambda x: [sin(3.0 * x[1]) - 1.0 + depth], 3, Trigger("top"))
    steps = run(system, [0.0, 1.0], 6.0, watch=watched, step=1.0)
    half = math.acos(1.0 - depth) / 3.0
    tops = math.pi / 6.0 + 2.0 * math.pi / 3.0 * np.arange(3)
    exact = np.sort(np.concatenate([tops - half, tops + half]))
    assert len(steps.t) < 20
    assert [x.time for x in steps.occurrences] == pytest.approx(exact[exact < 6.0], abs=1e-13 / half)


def test_what_only_touches_zero_is_no_event() -> None:
    watched = watch(lambda x: [sin(3.0 * x[1]) - 1.0 - 1e-9], 3, Trigger("top"))
    assert not run(native(1, 0, lambda x: [0.0]), [0.0, 1.0], 6.0, watch=watched).occurrences


def test_a_bouncing_ball_bounces_when_the_closed_form_says() -> None:
    """Dropped from h: the first bounce after √(2h/g), the flights after it last 2eᵏ√(2h/g)."""
    height, gravity, restitution = 1.3, 9.81, 0.8

    def bounce(time: float, y: np.ndarray) -> Change:
        return Change(np.array([y[0], -restitution * y[1]]))

    watched = watch(lambda x: [x[1]], 3, Trigger("bounce", -1, reaction=bounce, returns=True))
    first = math.sqrt(2.0 * height / gravity)
    flights = 2.0 * first * restitution ** np.arange(1, 12)
    exact = first + np.concatenate([[0.0], np.cumsum(flights)])
    steps = run(native(1, 0, lambda x: [-gravity]), [height, 0.0], exact[-1] + 0.01, watch=watched)
    assert steps.status.ended is Code.SUCCESS
    assert [x.time for x in steps.occurrences] == pytest.approx(exact, abs=1e-11)
    assert np.min(steps.y[:, 0]) > -1e-15
    for x in steps.occurrences:
        assert x.after[1] == pytest.approx(-restitution * x.state[1], rel=1e-15)


@pytest.mark.parametrize("restitution", [0.3, 0.5, 0.9])
@pytest.mark.parametrize("floor", [0.0, 0.3])
def test_a_ball_that_comes_to_rest_ends_the_run_with_a_sentence(restitution: float, floor: float) -> None:
    def bounce(time: float, y: np.ndarray) -> Change:
        return Change(np.array([y[0], -restitution * y[1]]))

    watched = watch(lambda x: [x[1] - floor], 3, Trigger("bounce", -1, reaction=bounce, returns=True))
    steps = run(native(1, 0, lambda x: [-9.81]), [floor + 1.0, 0.0], 100.0, watch=watched)
    assert steps.status.ended is Code.TOO_MANY_EVENTS
    assert "'bounce'" in str(steps.status)
    first = math.sqrt(2.0 / 9.81)
    assert steps.t[-1] == pytest.approx(first * (1.0 + restitution) / (1.0 - restitution), abs=1e-5)
    assert np.min(steps.y[:, 0]) > floor - 1e-9


def test_the_number_of_events_is_bounded() -> None:
    again = Trigger("zero", reaction=lambda t, y: Change(y))
    steps = run(native(1, 0, oscillator()), [1.0, 0.0], 1000.0, watch=watch(lambda x: [x[1]], 3, again, most=7))
    assert steps.status.ended is Code.TOO_MANY_EVENTS
    assert steps.t[-1] == pytest.approx(6.5 * math.pi, abs=1e-5)


def test_an_event_at_the_start_is_none_and_does_not_happen_again_after_it() -> None:
    """sin t starts at zero, and crosses it at every half turn; beginning anew there changes nothing."""
    again = Trigger("zero", reaction=lambda t, y: Change(y))
    steps = run(native(1, 0, oscillator()), [0.0, 1.0], 10.0, watch=watch(lambda x: [x[1]], 3, again))
    assert [x.time for x in steps.occurrences] == pytest.approx([math.pi * k for k in (1, 2, 3)], abs=1e-6)


def test_a_condition_that_holds_at_the_start_ends_the_run_there() -> None:
    below = Trigger("below", 1, level=True, reaction=stop)
    steps = run(native(1, 0, oscillator()), [1.0, 0.0], 10.0, watch=watch(lambda x: [2.0 - x[1]], 3, below))
    assert steps.status.ended is Code.EVENT
    assert steps.t.tolist() == [0.0]


def test_events_at_the_same_time_happen_all() -> None:
    order: list[str] = []

    def note(name: str) -> Trigger:
        def reaction(time: float, y: np.ndarray) -> Change:
            order.append(name)
            return Change(y)

        return Trigger(name, -1, reaction=reaction)

    functions = watch(lambda x: [x[1] - 0.25, 2.0 * x[1] - 0.5, x[1] - 0.25], 3, *map(note, "abc"))
    steps = run(native(1, 0, lambda x: [0.0]), [1.0, -1.0], 2.0, watch=functions)
    assert sorted(order) == ["a", "b", "c"]
    assert [x.time for x in steps.occurrences] == pytest.approx([0.75] * 3, abs=1e-15)


def test_events_are_found_back_in_time() -> None:
    system = native(1, 0, oscillator())
    watched = watch(lambda x: [x[1]], 3, Trigger("zero", -1, reaction=stop))
    steps = system.run([1.0, 0.0], 0.0, -10.0, tol=1e-9, length=1.0, speed=1.0, watch=watched)
    assert steps.t[-1] == pytest.approx(-0.5 * math.pi, abs=1e-7)


def test_a_reaction_that_moves_something_across_lets_its_event_happen_at_once() -> None:
    def turn(time: float, y: np.ndarray) -> Change:
        return Change(np.array([y[0], -y[1]]))

    watched = watch(lambda x: [x[1], x[2]], 3, Trigger("wall", -1, reaction=turn, returns=True), Trigger("turned", 1))
    steps = run(native(1, 0, lambda x: [0.0]), [1.0, -2.0], 1.0, watch=watched)
    assert [(x.name, x.time) for x in steps.occurrences] == [
        ("wall", pytest.approx(0.5)),
        ("turned", pytest.approx(0.5)),
    ]
    assert steps.y[-1] == pytest.approx([1.0, 2.0], abs=1e-14)


def test_a_run_with_many_events_hands_its_steps_over_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grashof.integrate.run.PAUSE_EVERY", 0.0)
    monkeypatch.setattr("grashof.integrate.run.FEW", 1)
    watched = watch(lambda x: [x[1]], 3, Trigger("zero"))
    settings = Settings(tol=1e-8, length=1.0, speed=1.0, watch=watched)
    run = native(1, 0, oscillator()).begin([1.0, 0.0], 0.0, 300.0, settings)
    rows = [len(stretch.t) for stretch in run.stretches()]
    assert len(rows) > 100
    assert len(run.occurrences) == round(300.0 / math.pi)
