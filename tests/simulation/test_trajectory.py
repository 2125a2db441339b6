"""A trajectory: names, units, whole turns, works and energies."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import grashof as gr

from .accuracy import CLOSE, TOL, largest


def pendulum(dimension: int = 2) -> gr.Mechanism:
    rest = (0.0,) * (dimension - 2)
    m = gr.Mechanism("pendulum", gravity=(0, -9.81, *rest))
    bar = m.bar("bar", mass=1.0, start=(0, 0, *rest), end=(1, 0, *rest))
    m.revolute(m.ground.at(0, 0, *rest), bar.start, axis=(0, 0, 1) if dimension == 3 else None)
    return m


def test_every_quantity_that_is_named_is_there_with_a_unit() -> None:
    m = pendulum(3)
    m.angle("turn", m.body("wheel", mass=1.0, inertia=(1.0, 1.0, 1.0)), axis=(0, 0, 1))
    m.separation("reach", m.ground.at(2, 0, 0), gr_point(m, "bar", "end"))
    m.spring(m.ground.at(2, 0, 0), gr_point(m, "bar", "end"), stiffness=1.0, length=1.0, damping=0.1, name="spring")
    run = gr.simulate(m, 0.1, times=5)
    for name in run.names:
        assert run[name].shape == (5,), name
        assert np.all(np.isfinite(run[name])), name
    assert list(run) == list(run.names)
    units = {
        "t": "s",
        "bar.end.z": "m",
        "bar.end.z.rate": "m/s",
        "turn": "rad",
        "turn.rate": "rad/s",
        "reach": "m",
        "reach.rate": "m/s",
        "kinetic": "J",
        "work.spring": "J",
        "balance": "J",
        "violation.position": "m",
        "violation.velocity": "m/s",
        "violation.acceleration": "m/s²",
    }
    for name, unit in units.items():
        assert name in run.names
        assert run.unit(name) == unit


def gr_point(m: gr.Mechanism, body: str, name: str) -> Any:
    from grashof.model.handles import Point

    assert name in m.points_of(body)
    return Point(body, name)


def test_names_that_look_like_others_are_kept_apart() -> None:
    """A body called "work", a force called "x": neither is taken for the other, nor for a length."""
    m = gr.Mechanism("names", gravity=(0, -9.81))
    body = m.bar("work", mass=1.0, start=(0, 0), end=(1, 0))
    m.revolute(m.ground.at(0, 0), body.start)
    m.force(body.end, (1.0, 0.0), name="x")
    run = gr.simulate(m, 0.1, times=3)
    assert run.unit("work.x") == "J"
    assert run.unit("work.end.x") == "m"
    with pytest.raises(gr.ModelError, match=r"no quantity 'rod\.top'"):
        run.unit("rod.top")
    assert run["work.end.x"][0] == pytest.approx(1.0)
    assert run["work.x"][0] == 0.0


def test_an_unknown_quantity_is_refused_with_a_hint() -> None:
    run = gr.simulate(pendulum(), 0.1, times=3)
    with pytest.raises(gr.ModelError, match=r"'bar\.ende\.x'.*bar\.end\.x"):
        run["bar.ende.x"]


def test_rates_are_the_derivatives_of_what_they_are_rates_of() -> None:
    """By central differences of the output, whose error is h²/6 of the third derivative."""
    m = pendulum()
    m.separation("reach", m.ground.at(2, 0.5), gr_point(m, "bar", "end"))
    run = gr.simulate(m, 1.0, tol=TOL, times=2001)
    h = run.t[1] - run.t[0]
    for name in ("bar.end.x", "bar.end.y", "bar.angle", "reach"):
        slope = (run[name][2:] - run[name][:-2]) / (2 * h)
        third = np.diff(run[name], 3) / h**3
        assert largest(run[f"{name}.rate"][1:-1] - slope) < h**2 / 6 * largest(third) + 1e-9


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("tol", [0.1, 1e-3])
def test_whole_turns_are_counted_even_when_steps_are_as_coarse_as_can_be(dimension: int, tol: float) -> None:
    """A light wheel with an eccentric mass, at about 12 turns a second: every step goes through a good part of a
    turn."""
    rest = (0.0,) * (dimension - 2)
    m = gr.Mechanism("wheel", gravity=(0, -9.81, *rest))
    inertia = 0.5 if dimension == 2 else (0.5, 0.5, 0.5)
    wheel = m.body("wheel", mass=1.0, center=(0.3, 0, *rest), inertia=inertia, points={"hub": (0, 0, *rest)})
    m.guess(wheel, (0, 0, *rest))
    m.revolute(m.ground.at(0, 0, *rest), wheel.hub, axis=(0, 0, 1) if dimension == 3 else None)
    angle = m.angle("turn", wheel, axis=(0, 0, 1)) if dimension == 3 else wheel.angle
    m.need(angle, value=0.0, rate=75.0)
    run = gr.simulate(m, 2.0, tol=tol, times=40)
    fine = gr.simulate(m, 2.0, tol=TOL, times=40)
    assert run.status.ok
    assert fine[angle][-1] > 23 * 2 * math.pi
    # within half a turn: the count is right
    assert largest(run[angle] - fine[angle]) < math.pi
    steps = run.at_steps()
    assert steps.t[-1] == 2.0
    assert abs(steps[angle][-1] - run[angle][-1]) < 1e-9


def test_at_steps_is_the_same_run_at_the_integrator_s_own_times() -> None:
    run = gr.simulate(pendulum(), 2.0, times=7)
    steps = run.at_steps()
    assert steps.t[0] == 0.0
    assert steps.t[-1] == 2.0
    assert len(steps.t) == run.steps.counters.steps + 1
    assert steps["bar.end.x"][-1] == run["bar.end.x"][-1]


def test_output_times_are_the_ones_asked_for() -> None:
    times = [0.0, 0.3, 0.31, 2.0]
    run = gr.simulate(pendulum(), 2.0, times=times)
    assert run.t.tolist() == times
    assert gr.simulate(pendulum(), 2.0, times=3).t.tolist() == [0.0, 1.0, 2.0]


NO_TIMES: list[Any] = [
    [0.0, 3.0],
    [-1.0, 0.5],
    [0.5, 0.2],
    [0.0, math.nan],
    -5,
    0,
    1,
    [],
    [[0.0, 1.0]],
    "often",
    None,
    True,
]


@pytest.mark.parametrize("times", NO_TIMES)
def test_output_times_that_cannot_be_are_refused(times: Any) -> None:
    """Not dropped, not reordered: a table that looks whole must be whole."""
    with pytest.raises(gr.ModelError, match="times"):
        gr.simulate(pendulum(), 2.0, times=times)


@pytest.mark.parametrize("times", [10**8, np.int64(10**15)])
def test_more_output_times_than_fit_into_memory_are_refused_with_their_number(times: int) -> None:
    """A pendulum has two coordinates, so that each time has six numbers: 2²⁸/6 = 44,739,242 of them fit into 2 GiB."""
    with pytest.raises(gr.ModelError, match=rf"^{times} output times .* at most 44739242 times"):
        gr.simulate(pendulum(), 2.0, times=times)


def test_a_table_has_what_was_asked_for() -> None:
    pandas = pytest.importorskip("pandas")
    run = gr.simulate(pendulum(), 1.0, times=5)
    frame = run.to_pandas(["bar.end.x"])
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame.columns) == ["bar.end.x"]
    assert frame.index.name == "t"


# -- energies and works


HINGE = (0.0, 0.6, 0.8)


def nothing_special(dimension: int) -> tuple[gr.Mechanism, Any, Any]:
    """Two bodies in a row under gravity, started with some speed; in space the first on a ball, the second on a
    hinge."""
    m = gr.Mechanism("two bars", gravity=(1.0, -9.81, *([0.5] * (dimension - 2))))
    if dimension == 2:
        one = m.bar("one", mass=1.0, start=(0, 0), end=(0.6, 0.3))
        two = m.bar("two", mass=1.0, start=(0.6, 0.3), end=(1.2, -0.1))
        m.revolute(m.ground.at(0, 0), one.start)
        m.revolute(one.end, two.start)
    else:
        inertia = (0.05, 0.06, 0.07)
        one = m.body("one", mass=1.0, inertia=inertia, points={"start": (-0.3, 0, 0), "end": (0.3, 0, 0.1)})
        two = m.body("two", mass=1.0, inertia=inertia, points={"start": (-0.3, 0.1, 0), "end": (0.3, 0, 0)})
        m.guess(one, (0.3, 0.0, 0.0))
        m.guess(two, (0.9, -0.1, 0.1))
        m.spherical(m.ground.at(0, 0, 0), one.start)
        m.revolute(one.end, two.start, axis=HINGE)
    m.want("one.end.y", rate=1.5)
    m.want("two.end.x", rate=-1.0)
    return m, one, two


def add_force(kind: str, m: gr.Mechanism, one: Any, two: Any) -> str:
    def drag(t: Any, x: Any, v: Any) -> list[Any]:
        return [[-0.4 * c for c in v[0]], 0.3 * gr.sin(x[1]) - 0.1 * v[1] + 0.2 * t]

    angle = m.angle("bend", two, reference=one, axis=HINGE if m.dimension == 3 else None)
    rest = (0.0,) * (m.dimension - 2)
    match kind:
        case "spring":
            m.spring(m.ground.at(1, 1, *rest), two.end, stiffness=20.0, length=0.5, damping=0.6, name="it")
        case "torsion spring":
            m.torsion_spring(angle, stiffness=2.0, rest=0.3, damping=0.2, name="it")
        case "torque":
            m.torque(angle, 0.7, name="it")
        case "world force":
            m.force(two.end, (1.0, 2.0, *rest), name="it")
        case "body force":
            m.force(two.end, (1.0, 2.0, *rest), axes="body", name="it")
        case "user force":
            m.user_force(drag, [two.end, angle], name="it")
        case "motor":
            m.motor(m.separation("span", m.ground.at(-0.5, 0.5, *rest), two.end), "1.6 + 0.1*sin(3*t)", name="it")
    return "it"


KINDS = ("spring", "torsion spring", "torque", "world force", "body force", "user force", "motor")


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("kind", KINDS)
def test_the_energy_gained_is_the_work_done(dimension: int, kind: str) -> None:
    m, one, two = nothing_special(dimension)
    name = add_force(kind, m, one, two)
    run = gr.simulate(m, 1.5, tol=TOL)
    assert run.status.ok
    assert largest(run["balance"]) < CLOSE
    assert largest(run[f"work.{name}"]) > 0.01  # it did do something
    assert largest(run.energy - run["kinetic"] - run["potential"]) < 1e-12
