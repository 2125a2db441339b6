"""Loops and rigid stops in relative coordinates while numbers are left open."""

from __future__ import annotations

import math

import numpy as np
import pytest

import grashof as gr
from grashof.program import build


def leg() -> gr.Mechanism:
    """A four-bar in space, whose pins are parallel, on a turning column."""
    m = gr.Mechanism("leg", gravity=(1.0, 2.0, -9.81))
    frame = {"inertia": (0.01, 0.02, 0.015)}
    column = m.body("column", mass=2.0, **frame, points={"foot": (0, 0, 0), "a": (0.1, 0, 0.2), "d": (0.5, 0, 0.25)})
    m.revolute(m.ground.at(0, 0, 0), column.foot, axis=(0, 0, 1))
    for name, mass, center, far, place, lean in (
        ("crank", 0.5, (0.05, 0.01, 0.02), 0.12, (0.1, 0, 0.2), -1.0),
        ("rod", 0.7, (0.2, 0, 0.03), 0.4, (0.165, 0, 0.301), -0.669),
        ("rocker", 0.4, (0.1, 0, 0), 0.3, (0.5, 0, 0.25), -1.644),
    ):
        points, turn = {"near": (0, 0, 0), "far": (far, 0, 0)}, (math.cos(0.5 * lean), 0, math.sin(0.5 * lean), 0)
        m.body(name, mass=mass, center=center, **frame, points=points, position=place, rotation=turn)
    crank, rod, rocker = (m[name] for name in ("crank", "rod", "rocker"))
    for one, other in ((column.a, crank.near), (crank.far, rod.near), (column.d, rocker.near), (rod.far, rocker.far)):
        m.revolute(one, other, axis=(0, 1, 0))
    m.angle("lift", crank, reference=column, axis=(0, 1, 0))
    m.angle("swing", column, axis=(0, 0, 1))
    m.need("lift", value=-1.0, rate=0.0)
    m.need("swing", value=0.0, rate=2.0)
    m.torque("lift", 0.5)
    return m


@pytest.fixture
def prefer_relative(monkeypatch: pytest.MonkeyPatch) -> None:
    """Relative coordinates are chosen for all loops in space, however many operations they take."""
    monkeypatch.setattr("grashof.program.coordinates.LOOPED", 0.0)
    monkeypatch.setattr("grashof.program.coordinates._Work.may_be_less", lambda work: True)


NUMBERS = {"crank.far.x": 0.13, "rod.mass": 0.9, "column.d.z": 0.22, "rocker.center.x": 0.14}


def test_lengths_and_masses_of_a_loop_are_put_in_after_compilation() -> None:
    """As in natural coordinates, for a mechanism built with these numbers."""
    program = build(leg(), numbers=list(NUMBERS), formulation="relative")
    assert program.formulation.rows.closed
    run = gr.simulate(program.at(NUMBERS), 0.5, tol=1e-10, times=5)
    expected = gr.simulate(gr.with_numbers(leg(), NUMBERS), 0.5, tol=1e-10, times=5, formulation="natural")
    assert run.status.ok
    assert run.program.relative is not None
    for name in ("rod.far.x", "rod.far.z", "lift.rate", "kinetic"):
        assert run[name] == pytest.approx(expected[name], abs=1e-8)


@pytest.mark.usefixtures("prefer_relative")
def test_a_sweep_over_lengths_of_a_loop_runs_in_lanes_of_relative_coordinates() -> None:
    lengths = [0.1, 0.12, 0.14]
    given = {"crank.far.x": lengths}
    table = gr.sweep(leg(), given, 0.5, outputs=["rod.far.z at end", "max lift"], tol=1e-8, engine="compiled")
    assert build(leg(), numbers=list(given)).relative is not None
    assert table.ok.all()
    for row, length in enumerate(lengths):
        changed = gr.with_numbers(leg(), {"crank.far.x": length})
        run = gr.simulate(changed, 0.5, tol=1e-10, times=2, formulation="natural")
        assert table["rod.far.z at end"][row] == pytest.approx(run["rod.far.z"][-1], abs=1e-7)


@pytest.mark.usefixtures("prefer_relative")
def test_derivatives_with_respect_to_lengths_of_a_loop() -> None:
    """Those of the runs in relative coordinates are the differences of runs in natural ones."""
    assert build(leg(), numbers=list(NUMBERS)).relative is not None
    found = gr.sensitivities(leg(), list(NUMBERS), ["rod.far.z"], t_end=0.4, tol=1e-8)
    assert found.ok, str(found)
    values = gr.numbers(leg())
    for name in NUMBERS:
        ends = [
            gr.simulate(
                gr.with_numbers(leg(), {name: values[name].value + step}),
                0.4,
                tol=1e-11,
                times=2,
                formulation="natural",
            )["rod.far.z"][-1]
            for step in (1e-4, -1e-4)
        ]
        assert found["rod.far.z", name] == pytest.approx((ends[0] - ends[1]) / 2e-4, rel=1e-5, abs=1e-7)


@pytest.mark.usefixtures("prefer_relative")
def test_a_loop_that_comes_near_a_singular_position_is_differentiated_in_natural_coordinates() -> None:
    """A parallelogram in space whose bars come to lie in one line: masses do not change how it passes."""
    m, axis = gr.Mechanism("parallelogram", gravity=(0.0, -1.0, 0.0)), (0, 0, 1)
    bars = [m.bar(f"bar{i}", start=(i, 0.0, 0.0), end=(i, 1.0, 0.0), mass=1.0) for i in range(2)]
    top = m.bar("top", start=(0.0, 1.0, 0.0), end=(1.0, 1.0, 0.0), mass=1.0)
    for i, bar in enumerate(bars):
        m.revolute(m.ground.at(i, 0, 0), bar.start, axis=axis)
    m.revolute(bars[0].end, top.start, axis=axis)
    m.revolute(top.end, bars[1].end, axis=axis)
    m.need("bar0.end.x", value=0.0, rate=1.0)
    assert build(m, numbers=["top.mass"]).relative is not None
    found = gr.sensitivities(m, ["top.mass"], ["bar0.end.x"], t_end=2.5, tol=1e-8)
    assert found.ok, str(found)
    ends = [
        gr.simulate(gr.with_numbers(m, {"top.mass": 1.0 + d}), 2.5, tol=1e-10, times=2, formulation="natural")
        for d in (1e-4, -1e-4)
    ]
    assert ends[0]["bar0.end.y"][-1] < 0.0  # the flat position has been passed
    expected = (ends[0]["bar0.end.x"][-1] - ends[1]["bar0.end.x"][-1]) / 2e-4
    assert found["bar0.end.x", "top.mass"] == pytest.approx(expected, rel=1e-4)


def test_a_rigid_stop_may_have_open_numbers_beside_it() -> None:
    """A block on rails falls on a stop, bounces with e = 0.5 and rests: g and the height may be changed."""
    m = gr.Mechanism("falling block", gravity=(0.0, -9.81))
    block = m.body("block", mass=2.0, inertia=0.1, points={"c": (0, 0)})
    m.prismatic(m.ground.at(0, 0), block.c, axis=(0, 1), name="rails")
    m.stop("block.c.y", lower=0.0, restitution=0.5, name="floor")
    m.need("block.c.y", value=1.0, rate=0.0)
    program = build(m, numbers=["gravity.y", "start.block.c.y"], formulation="relative")
    for g, height in ((9.81, 1.0), (4.0, 0.6)):
        run = gr.simulate(program.at({"gravity.y": -g, "start.block.c.y": height}), 3.0, times=31)
        assert run.status.ok, str(run.status)
        down = np.sqrt(2.0 * height / g)
        up = run.t[(run.t > down) & (run.t < 2.0 * down)]
        speed = 0.5 * g * down
        found = run["block.c.y"][(run.t > down) & (run.t < 2.0 * down)]
        assert found == pytest.approx(speed * (up - down) - 0.5 * g * (up - down) ** 2, abs=1e-6)
        assert run["block.c.y"][run.t > 3.0 * down + 0.01] == pytest.approx(0.0, abs=1e-6)
