"""A run whose steps are not kept is the same run at the times asked for, with the same status, in bounded memory."""

from __future__ import annotations

import math
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest

import grashof as gr
from grashof.common.status import Code
from grashof.integrate import Steps
from grashof.motion.trajectory import Trajectory
from grashof.simulation.trust import RunChecks

from .test_crossing import four_bar_with_pendulum
from .test_stream import slider_crank
from .test_trust import pendulum


@pytest.fixture
def _short_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grashof.integrate.run.FIRST_PAUSE", 20)
    monkeypatch.setattr("grashof.integrate.run.PAUSE_EVERY", 0.0)
    monkeypatch.setattr("grashof.simulation.streaming.LEAST", 30)
    monkeypatch.setattr("grashof.simulation.streaming.MOST", 40)


def both(m: gr.Mechanism, t_end: float | None, **options: object) -> tuple[Trajectory, Trajectory]:
    program = gr.build(m)
    whole = gr.simulate(program, t_end, **options)  # type: ignore[arg-type]
    return whole, gr.simulate(program, t_end, keep_steps=False, **options)  # type: ignore[arg-type]


def assert_same(whole: Trajectory, kept: Trajectory) -> None:
    assert str(whole.status) == str(kept.status)
    assert np.array_equal(whole.t, kept.t)
    assert whole.names == kept.names
    for name in whole.names:
        scale = 1.0 + np.max(np.abs(whole[name]))
        np.testing.assert_allclose(kept[name], whole[name], rtol=0.0, atol=1e-11 * scale, err_msg=name)
    assert [(x.name, x.time) for x in whole.events] == [(x.name, x.time) for x in kept.events]
    assert whole.steps.counters == kept.steps.counters


@pytest.mark.usefixtures("_short_pieces")
def test_motion_works_turns_and_events_are_those_of_the_whole_run() -> None:
    whole, kept = both(slider_crank(), 3.0, tol=1e-8, times=301, check_error=False)
    assert whole.status.ok
    assert kept["crank.angle"][-1] > 50.0
    assert_same(whole, kept)
    name = "crank.end~rod.start.fx"
    np.testing.assert_allclose(kept.reactions()[name], whole.reactions()[name], rtol=1e-9, atol=1e-9)
    with pytest.raises(gr.ModelError, match="steps of this run were not kept"):
        kept.reactions(times=12)


@pytest.mark.usefixtures("_short_pieces")
def test_error_is_estimated_without_the_steps() -> None:
    whole, kept = both(pendulum(), 20.0, tol=1e-7)
    assert whole.status.ok
    assert kept.status.ok
    assert whole.error is not None
    assert kept.error == pytest.approx(whole.error, rel=0.5)  # compared at other times
    assert np.max(kept.error_estimate("rod.angle")) < 1e-7
    assert np.max(np.abs(whole["rod.angle"] - kept["rod.angle"])) < 1e-7


@pytest.mark.usefixtures("_short_pieces")
def test_singular_positions_are_crossed_all_the_same() -> None:
    whole, kept = both(four_bar_with_pendulum(), 6.0, tol=1e-9, times=101, check_error=False)
    assert whole.steps.crossings
    assert_same(whole, kept)


@pytest.mark.usefixtures("_short_pieces")
def test_times_end_where_an_event_ends_the_run() -> None:
    whole, kept = both(pendulum(), None, until="rod.end.x < -0.9", times=51, check_error=False)
    assert whole.status.ended is Code.EVENT
    assert_same(whole, kept)


@pytest.mark.usefixtures("_short_pieces")
def test_given_times_are_kept_and_no_others() -> None:
    whole, kept = both(pendulum(), 5.0, times=[0.3, 1.7, 1.7, 4.9], check_error=False)
    assert_same(whole, kept)
    with pytest.raises(gr.ModelError, match="keep_steps=True"):
        _ = Trajectory(kept.program, kept.steps, np.array([0.4])).y


@pytest.mark.usefixtures("_short_pieces")
def test_run_that_is_not_whole_says_so() -> None:
    whole, kept = both(pendulum(), 50.0, max_steps=300)
    assert kept.status.code is Code.TOO_MANY_STEPS
    assert kept.status.time == whole.status.time
    assert np.array_equal(whole.t, kept.t)


@pytest.mark.usefixtures("_short_pieces")
def test_rest_at_a_singular_position_is_told_all_the_same() -> None:
    """A parallelogram with just the energy to become flat: I = 5/3 kg m² about its cranks, V = 2 m g sin θ."""
    m = gr.Mechanism("parallelogram", gravity=(0, -9.81))
    a, b, c = (m.bar(name, length=length, mass=1.0) for name, length in (("a", 1.0), ("b", 2.0), ("c", 1.0)))
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, c.end)
    m.revolute(m.ground.at(2, 0), c.start)
    m.guess(b, (math.cos(0.5), -math.sin(0.5)), angle=0.0)
    m.guess(c, (2, 0), angle=-0.5)
    m.need(a.angle, value=-0.5, rate=math.sqrt(4.0 * 9.81 * math.sin(0.5) / (5.0 / 3.0)))
    program = gr.build(m, relations=False)
    whole, kept = (gr.simulate(program, 1.5, check_error=False, keep_steps=keep) for keep in (True, False))
    assert whole.status.code is Code.UNDECIDED
    assert str(kept.status) == str(whole.status)


def test_memory_does_not_grow_with_the_number_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grashof.integrate.run._next_chunk", lambda chunk, seconds: 512)  # whatever the clock says
    program = gr.build(pendulum())
    gr.simulate(program, 1.0, keep_steps=False)
    rows, peaks = [], []
    for t_end in (500.0, 4000.0):
        tracemalloc.start()
        run = gr.simulate(program, t_end, times=101, keep_steps=False, check_error=False)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert run.status.ok
        assert run.steps.counters.steps > 10.0 * t_end
        rows.append(len(run.steps.t))
    assert max(rows) < 200
    assert peaks[1] < 1.3 * peaks[0]


def in_pieces(steps: Steps, rows: int) -> list[Steps]:
    """Pieces of so many rows that have two rows in common."""
    starts = range(0, len(steps.t) - 2, rows - 2)
    return [replace(steps, t=steps.t[k : k + rows], y=steps.y[k : k + rows]) for k in starts]


def verdicts(run: Trajectory, steps: Steps) -> list[tuple[Code, float]]:
    """Of the steps at once, and of the same in pieces."""
    found = []
    for parts in ([steps], in_pieces(steps, 17)):
        checks = RunChecks(run.program, 1e-6, adaptive=True)
        for part in parts:
            checks.add(part, alone=len(parts) == 1)
        status, (time, y) = checks.verdict(steps.status)
        assert y.shape == steps.y[0].shape
        found.append((status.code, time))
    return found


def test_doubts_arise_in_pieces_as_in_the_whole() -> None:
    run = gr.simulate(pendulum(), 5.0, check_error=False)
    layout = run.program.dynamics.layout
    once, again = verdicts(run, run.steps)
    assert once[0] is again[0] is Code.SUCCESS
    y = run.steps.y.copy()
    y[len(y) // 2 :, layout.of_v] *= 1.01
    once, again = verdicts(run, replace(run.steps, y=y))
    assert once == again
    assert once[0] is Code.INACCURATE
    y = run.steps.y.copy()
    y[-40, 0] = np.nan
    once, again = verdicts(run, replace(run.steps, y=y))
    assert once == again
    assert once[0] is Code.NOT_FINITE


def test_angle_half_a_turn_from_its_law_is_found_in_pieces() -> None:
    m = pendulum()
    m.motor("rod.angle", "0.3*t")
    run = gr.simulate(m, 20.0, check_error=False)
    y, layout = run.steps.y.copy(), run.program.dynamics.layout
    for part in (layout.of_q, layout.of_v):  # the rod points the other way
        y[run.steps.t > 7.0, part] *= -1.0
    once, again = verdicts(run, replace(run.steps, y=y))
    assert once == again
    assert once[0] is Code.CONSTRAINTS_UNMET
    assert once[1] > 7.0
