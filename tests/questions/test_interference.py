"""Which bodies overlap along a motion: crossing bars, passing wheels, a turning square, a pin in a fork."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import grashof as gr
from grashof.common.errors import ModelError


def wipers(span: float = 0.6) -> gr.Mechanism:
    """Two bars of length ½ that turn towards each other at 1 rad/s, about pivots on the ground."""
    m = gr.Mechanism("wipers")
    left, right = m.bar("left", length=0.5), m.bar("right", length=0.5)
    m.revolute(m.ground.at(0, 0), left.start)
    m.revolute(m.ground.at(span, 0), right.start)
    m.motor(left, "pi/2 - t")
    m.motor(right, "pi/2 + t")
    return m


def test_two_bars_that_cross() -> None:
    """They touch when each tip is half a width from the line of symmetry; later, the shortest way out is across one of
    them, over the other's tip: |D cos t − ℓ sin 2t| + b."""
    found = gr.interference(gr.kinematics(wipers(), 1.0, times=5), width="20 mm")
    (one,) = found.overlaps
    assert one.start == pytest.approx(math.asin((0.3 - 0.01) / 0.5), abs=1e-9)
    assert (one.end, one.time) == (1.0, 1.0)
    assert one.depth == pytest.approx(0.5 * math.sin(2.0) - 0.6 * math.cos(1.0) + 0.02, abs=1e-12)
    assert found.clearance == -one.depth
    course = found["right", "left"]
    crossing = course.t > 0.7
    t = course.t[crossing]
    assert np.allclose(course.gap[crossing], 0.6 * np.cos(t) - 0.5 * np.sin(2.0 * t) - 0.02, atol=1e-12)


def test_bars_that_stay_apart() -> None:
    """The clearance of their tips, at the end: D − 2 ℓ sin t − b."""
    found = gr.interference(gr.kinematics(wipers(1.0), 1.0), width=0.02)
    assert not found.overlaps
    assert found.clearance == pytest.approx(1.0 - math.sin(1.0) - 0.02, abs=1e-12)
    assert "none of 1 pair of bodies overlap" in str(found)
    assert "clearance" in str(found)


def planet_and_plate(speed: float) -> gr.Mechanism:
    """A gear train whose planet's plate passes a disc on the ground once per revolution of the arm."""
    m = gr.Mechanism("gears")
    sun, arm, planet = m.body("sun"), m.body("arm"), m.body("planet", position=(0.3, 0))
    m.revolute(m.ground.at(0, 0), sun.at(0, 0))
    m.revolute(m.ground.at(0, 0), arm.at(0, 0))
    m.revolute(arm.at(0.3, 0), planet.at(0, 0))
    m.gear(sun, planet, teeth=(40, 20))
    m.motor(arm, f"{speed}*t - 1")
    m.motor(sun, "0.3*t")
    column = m.body("column")
    m.weld(m.ground.at(0.5, 0), column.at(0, 0))
    return m


@pytest.mark.parametrize("turns", [1, 5])
def test_a_gear_whose_plate_passes_a_column(turns: int) -> None:
    """d² = a² + r² − 2 a r cos θ: they overlap while d < R₁ + R₂, and by R₁ + R₂ − (a − r) at most. In five
    revolutions that happens five times."""
    speed = 2.0 * math.pi * turns
    run = gr.kinematics(planet_and_plate(speed), 1.0, times=3)
    found = gr.interference(run, {"planet": 0.28, "column": 0.14}, pairs=[("planet", "column")])
    half = math.acos((0.5**2 + 0.3**2 - 0.21**2) / (2.0 * 0.5 * 0.3))
    assert len(found.overlaps) == turns
    for k, one in enumerate(found.overlaps):
        middle = (1.0 + 2.0 * math.pi * k) / speed
        assert one.start == pytest.approx(middle - half / speed, abs=1e-9)
        assert one.end == pytest.approx(middle + half / speed, abs=1e-9)
        assert one.time == pytest.approx(middle, abs=1e-6)
        assert one.depth == pytest.approx(0.01, abs=1e-12)


def test_a_touch_too_brief_for_the_output_times() -> None:
    """A column that is reached by 1 µm: the overlap lasts 3e-4 of a revolution."""
    m = gr.Mechanism("peg")
    arm, peg = m.bar("arm", length=1.0), m.body("peg")
    m.revolute(m.ground.at(0, 0), arm.start)
    m.weld(m.ground.at(1.1, 0), peg.at(0, 0))
    m.motor(arm, "2*pi*t - 1")
    radius = 0.05 + 0.5e-6
    found = gr.interference(gr.kinematics(m, 1.0, times=2), {"arm": 2.0 * radius, "peg": 2.0 * radius})
    (one,) = found.overlaps
    reach = 2.0 * radius
    half = math.acos((1.21 + 1.0 - reach**2) / 2.2) / (2.0 * math.pi)
    assert one.depth == pytest.approx(1e-6, rel=1e-6)
    assert 0.5 * (one.end - one.start) == pytest.approx(half, rel=1e-5)
    assert half < 3e-4


def test_a_square_that_turns_beside_a_wall() -> None:
    """Side s, its centre at the distance h from a wall on the ground: corners reach s/√2 four times a revolution."""
    m = gr.Mechanism("square")
    square = m.body("square")
    m.revolute(m.ground.at(0, 0), square.at(0, 0))
    m.motor(square, "2*pi*t")
    corners = [(-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1)]
    wall = [("120 mm", "-1 m"), (0.5, -1), (0.5, 1), (0.12, 1)]
    found = gr.interference(gr.kinematics(m, 1.0), {"square": corners, "ground": wall}, pairs=[("square", "ground")])
    corner = 0.1 * math.sqrt(2.0)
    assert [x.depth for x in found.overlaps] == pytest.approx([corner - 0.12] * 4, abs=1e-12)
    half = math.acos(0.12 / corner) / (2.0 * math.pi)
    starts = [0.125 + 0.25 * k - half for k in range(4)]
    assert [x.start for x in found.overlaps] == pytest.approx(starts, abs=1e-9)


def test_bodies_that_part_for_a_moment() -> None:
    """The same square beside a wall at 1 µm from its sides: it is free of it for 2e-5 rad at each quarter turn."""
    m = gr.Mechanism("square")
    square = m.body("square")
    m.revolute(m.ground.at(0, 0), square.at(0, 0))
    m.motor(square, "2*pi*t - 0.4")
    corners = [(-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1)]
    side = 0.1 + 1e-6
    wall = [(side, -1), (0.5, -1), (0.5, 1), (side, 1)]
    found = gr.interference(gr.kinematics(m, 1.0), {"square": corners, "ground": wall}, pairs=[("square", "ground")])
    assert len(found.overlaps) == 5
    # cos φ + sin φ = 1 + 1e-5
    free = 0.25 * math.pi - math.acos((1.0 + 1e-5) / math.sqrt(2.0))
    for k, one in enumerate(found.overlaps[1:]):
        middle = (0.4 + 0.5 * math.pi * k) / (2.0 * math.pi)
        assert one.start == pytest.approx(middle + free / (2.0 * math.pi), abs=1e-9)
        assert found.overlaps[k].end == pytest.approx(middle - free / (2.0 * math.pi), abs=1e-9)


def test_a_pin_in_a_fork_that_is_not_convex() -> None:
    """A pin of diameter 20 mm enters a fork 24 mm wide: 2 mm are left on both sides, although the hull of the fork is
    full, until it reaches the bottom."""
    m = gr.Mechanism("fork")
    pin = m.body("pin")
    centre = pin.at(0, 0)
    m.prismatic(m.ground.at(0, 0), centre, axis=(1, 0))
    m.motor(f"{centre}.x", "0.3*t")
    fork = [(250, -30), (250, 30), (100, 30), (100, 12), (230, 12), (230, -12), (100, -12), (100, -30)]
    outline = [(f"{x} mm", f"{y} mm") for x, y in fork]
    run = gr.kinematics(m, 0.8)
    found = gr.interference(run, {"pin": 0.02, "ground": outline}, pairs=[("pin", "ground")])
    (one,) = found.overlaps
    assert one.start == pytest.approx(0.22 / 0.3, abs=1e-9)
    course = found["pin", "ground"]
    x = 0.3 * course.t
    between = (x > 0.1) & (x < 0.218)
    assert np.any(between)
    assert course.gap[between] == pytest.approx(0.002, abs=1e-12)
    outside = x < 0.1
    assert course.gap[outside] == pytest.approx(np.hypot(0.1 - x[outside], 0.012) - 0.01, abs=1e-12)


def test_joined_bodies_are_left_out_by_default() -> None:
    run = gr.simulate(gr.example("jansen"), 0.5)
    found = gr.interference(run)
    compared = {pair.bodies for pair in found.pairs}
    assert ("crank", "upper rod") in found.adjacent
    assert ("upper rod", "lower rod") in found.adjacent  # which share the pin at the end of the crank
    assert ("crank", "leg") in compared
    assert not compared & set(found.adjacent)


def test_reports_and_data(tmp_path: Path) -> None:
    found = gr.interference(gr.kinematics(wipers(), 1.0), width=0.02)
    assert str(found).startswith("wipers, 0 to 1 s: 1 of 1 pair of bodies overlaps.")
    data = found.as_dict()["pairs"][0]
    assert data["overlaps"][0]["start"] == found.overlaps[0].start
    found.plot(tmp_path / "overlap.png")
    assert (tmp_path / "overlap.png").stat().st_size > 5000
    assert "overlap from" in found._repr_html_()


def test_a_peg_in_the_way_of_a_pendulum() -> None:
    """A rod that falls from the horizontal overlaps most with a peg below it when it hangs."""
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    rod, peg = m.bar("rod", length=1.0, mass=1.0), m.body("peg", mass=1.0, inertia=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.weld(m.ground.at(0, -1.05), peg.at(0, 0))
    run = gr.simulate(m, 1.0, times=101)
    (one,) = gr.interference(run, width=0.1).overlaps
    assert one.depth == pytest.approx(0.05, abs=1e-9)
    assert abs(float(np.interp(one.time, run.t, run["rod.angle"])) + math.pi / 2.0) < 1e-3


def test_a_fan_that_turns_once_between_the_times_at_first() -> None:
    """240 revolutions in 1 s at constant speed, which an integrator follows in a few steps: it passes a peg 240
    times."""
    m = gr.Mechanism("fan")
    blade, peg = m.bar("blade", length=1.0, mass=1.0), m.body("peg", mass=1.0, inertia=1.0)
    m.revolute(m.ground.at(0, 0), blade.start)
    m.weld(m.ground.at(0.9, 0.1), peg.at(0, 0))
    m.need(blade.angle, value=1.0, rate=480.0 * math.pi)
    run = gr.simulate(m, 1.0, times=2)
    assert len(run.steps.t) < 240
    found = gr.interference(run, width=0.02)
    assert len(found.overlaps) == 240
    assert found.overlaps[-1].depth == pytest.approx(0.02, abs=1e-5)
    with pytest.raises(ModelError, match="moves so fast"):
        gr.interference(gr.simulate(m, 20.0, times=2), width=0.02)


def test_mistakes_are_explained() -> None:
    run = gr.kinematics(wipers(), 1.0)
    with pytest.raises(ModelError, match="there is no body 'lift'"):
        gr.interference(run, {"lift": 0.1})
    with pytest.raises(ModelError, match="width is 0 m; it must be above zero"):
        gr.interference(run, width=0)
    with pytest.raises(ModelError, match="crosses side"):
        gr.interference(run, {"left": [(0, 0), (1, 1), (1, 0), (0, 1)], "right": 0.1})
    with pytest.raises(ModelError, match="at least three corners"):
        gr.interference(run, {"left": [(0, 0), (1, 1)], "right": 0.1})
    with pytest.raises(ModelError, match="'middle' has no outline"):
        gr.interference(run, width=0.1, pairs=[("left", "middle")])
    with pytest.raises(ModelError, match="no two bodies with outlines"):
        gr.interference(run, {"left": 0.1})
    with pytest.raises(ModelError, match="was not compared"):
        gr.interference(run, width=0.1)["left", "middle"]
    with pytest.raises(ModelError, match="spatial"):
        gr.interference(gr.simulate(gr.example("bricard"), 0.1), width=0.1)
