"""Mechanisms in lanes move as they do alone, or say that they need attention."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from campaign.energy_integral import NotJudged
from campaign.suites import near_misses
from campaign.suites.singular_positions import FAMILIES, ROTA, STARTS, Drawn

from grashof.integrate.lanes import Ended, LaneIntegrator, lanes_of
from grashof.integrate.lanes import runs as lane_runs
from grashof.integrate.lanes.observing import NODES
from grashof.problems import make_case
from grashof.program import Program, build
from grashof.simulation.options import Options
from grashof.simulation.simulate import simulate
from grashof.simulation.task import Task, prepare

TOLERANCES = (1e-3, 1e-6, 1e-9)


def asked(program: Program, t_end: float, tol: float) -> Task:
    return prepare(program, t_end, Options(tol=tol, max_steps=200_000))


def in_lanes(program: Program) -> LaneIntegrator:
    """What is observed is the state."""
    return lanes_of(program.dynamics, program.assembly.redundant, lambda x: list(x[1:]), 4)


def neighbours(task: Task, count: int, far: float) -> np.ndarray:
    """Starts near that of a task, on the constraints."""
    rng, n, length = np.random.default_rng(3), task.program.system.n, task.program.system.length
    found = []
    for _ in range(count):
        y = task.program.y0.copy()
        y[:n] += far * length * rng.normal(size=n)
        y[n : 2 * n] += far * task.speed * rng.normal(size=n)
        for _ in range(8):
            y, _left = task.program.integrator.project(task.program.assembly.time, y)
        found.append(y)
    return np.array(found)


@pytest.mark.parametrize("name", ["andrews", "double-four-bar", "multiple-four-bar"])
@pytest.mark.parametrize("tol", [1e-4, 1e-7])
def test_benchmark_problems_take_the_same_steps(name: str, tol: float) -> None:
    case = make_case(name)
    program = build(case.model)
    task = asked(program, case.t_end, tol)
    settings = task.settings(task.attempt(tol), ())
    starts, times = neighbours(task, 6, 1e-3), np.linspace(program.assembly.time, task.t_end, 23)
    runs = in_lanes(program).run(starts, program.assembly.time, task.t_end, settings, times=times)
    assert np.all(runs.codes == Ended.ARRIVED)
    for row, y in enumerate(starts):
        single = program.integrator.collect(y, program.assembly.time, task.t_end, settings)
        assert runs.counters["steps"][row] == single.counters.steps
        assert runs.counters["evaluations"][row] == single.counters.evaluations
        sampled, scale = program.integrator.sample(single, times)[0], np.max(np.abs(single.y), axis=0)
        assert np.max(np.abs(runs.states[row] - single.y[-1]) / scale) < 1e-9
        assert np.max(np.abs(runs.observed[row] - sampled) / scale) < 1e-9


def test_fixed_steps_are_looked_at_as_those_of_single_runs() -> None:
    """Where the projection has much to do: not in this run, whose turning points are looked at."""
    case = make_case("andrews")
    program = build(case.model)
    task = prepare(program, case.t_end, Options(tol=1e-4, method="rk4", step=1e-4, max_steps=200_000))
    settings = task.settings(task.attempt(1e-4), ())
    runs = in_lanes(program).run(task.program.y0[None], 0.0, case.t_end, settings)
    single = program.integrator.collect(task.program.y0, 0.0, case.t_end, settings)
    assert runs.codes[0] == Ended.ARRIVED
    assert runs.counters["steps"][0] == single.counters.steps
    assert runs.states[0] == pytest.approx(single.y[-1], rel=1e-9)


def test_speed_is_found_from_the_start_as_for_single_runs() -> None:
    case = make_case("andrews")
    program = build(case.model)
    task = asked(program, case.t_end, 1e-5)
    settings = task.settings(task.attempt(1e-5), ())
    lanes = in_lanes(program)
    known = lanes.run(task.program.y0[None], 0.0, 0.05, settings)
    found = lanes.run(task.program.y0[None], 0.0, 0.05, settings, scales=[settings.length, 0.0, settings.mass])
    assert np.array_equal(known.states, found.states)


Case = tuple[str, LaneIntegrator, Program, float]


def singular_positions() -> Iterator[Case]:
    """One mechanism of each family, all its starts."""
    for family in FAMILIES:
        drawn = Drawn(ROTA.index(family))
        lanes = in_lanes(drawn.machine.program)
        for start in range(STARTS):
            try:
                trial = drawn.trial(start)
            except NotJudged:
                continue
            yield f"{family}, start {start}", lanes, trial.program, float(trial.truth.times[-1])


def narrow_misses() -> Iterator[Case]:
    for number in range(8):
        case = near_misses.SUITE.drawn(number)
        yield case.what, in_lanes(case.program), case.program, case.end


def judged(label: str, lanes: LaneIntegrator, program: Program, t_end: float, tol: float) -> tuple[Ended, str]:
    """How a run in a lane ended, and what is wrong about it."""
    task = asked(program, t_end, tol)
    settings = task.settings(task.attempt(tol))
    runs = lanes.run(task.program.y0[None], program.assembly.time, task.t_end, settings)
    ended = Ended(int(runs.codes[0]))
    if ended is not Ended.ARRIVED:
        return ended, ""
    single = simulate(program, t_end, tol=tol, times=2, check_error=False, max_steps=200_000)
    steps = single.steps
    same = len(steps.t) - 1 == runs.counters["steps"][0] and not steps.crossings
    away = np.max(np.abs(runs.states[0] - steps.y[-1])) / max(1.0, np.max(np.abs(steps.y[-1])))
    return ended, "" if same and away < 1e-6 and single.status.ok else f"{label}, tol {tol}: {single.status}, {away}"


@pytest.mark.parametrize("cases", [singular_positions, narrow_misses])
def test_no_run_by_a_singular_position_is_wrong_and_called_right(cases) -> None:
    """Whatever arrives made the steps of a single run that nothing had to be done about and that can be trusted."""
    found = [judged(*case, tol) for case in cases() for tol in TOLERANCES]
    assert [wrong for _, wrong in found if wrong] == []
    arrived = sum(ended is Ended.ARRIVED for ended, _ in found)
    assert 0.1 * len(found) < arrived < len(found)


@pytest.mark.parametrize(("method", "step"), [("dop853", None), ("rk4", 0.003)])
def test_mechanisms_that_pass_nodes_need_attention(method: str, step: float | None) -> None:
    """As its joints alone describe it, the double four-bar passes positions at which its branches cross."""
    case = make_case("double-four-bar")
    program = build(case.model, relations=False)
    task = prepare(program, case.t_end, Options(method=method, step=step, max_steps=200_000))
    settings = task.settings(task.attempt(1e-6), ())
    runs = in_lanes(program).run(neighbours(task, 3, 1e-6), 0.0, task.t_end, settings)
    assert np.all(runs.codes == Ended.ATTENTION)


def test_traces_are_the_dense_output_of_each_step_whenever_they_are_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of unequal length in four lanes; with little room for records, Python takes them while the runs are under
    way."""
    case = make_case("andrews")
    program = build(case.model)
    task = asked(program, case.t_end, 1e-5)
    settings = task.settings(task.attempt(1e-5), ())
    begin, starts = program.assembly.time, neighbours(task, 7, 1e-2)
    lanes, columns = in_lanes(program), [0, 3, 7]
    whole = lanes.run(starts, begin, task.t_end, settings, trace=columns)
    monkeypatch.setattr(lane_runs, "RECORDS", 3 * 4 * len(NODES))
    pieces = lanes.run(starts, begin, task.t_end, settings, trace=columns)
    plain = lanes.run(starts, begin, task.t_end, settings)
    assert whole.traces is not None
    assert pieces.traces is not None
    assert plain.traces is None
    assert np.array_equal(plain.states, whole.states)
    assert np.array_equal(plain.states, pieces.states)
    for one, other in zip(vars(whole.traces).values(), vars(pieces.traces).values(), strict=True):
        assert np.array_equal(one, other)
    assert np.array_equal(np.bincount(whole.traces.row), whole.counters["steps"])
    for row, y in enumerate(starts):
        single, mine = program.integrator.collect(y, begin, task.t_end, settings), whole.traces.row == row
        times = single.t[:-1, None] + np.array(NODES) * np.diff(single.t)[:, None]
        assert np.max(np.abs(whole.traces.times[mine] - times)) < 1e-9 * task.t_end
        values = program.integrator.sample(single, whole.traces.times[mine].ravel())[0]
        scale = np.max(np.abs(single.y[:, columns]), axis=0)
        found = whole.traces.values[mine].reshape(-1, len(columns))
        assert np.max(np.abs(found - values[:, columns]) / scale) < 1e-8
    some = whole.of(np.arange(7) % 2 == 1)
    assert some.traces is not None
    assert np.array_equal(some.traces.values[some.traces.row == 1], whole.traces.values[whole.traces.row == 3])
