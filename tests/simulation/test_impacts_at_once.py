"""Impacts that happen at once, or in such quick succession that round-off decides on their order."""

from __future__ import annotations

import math

import numpy as np
import pytest

import grashof as gr
from grashof.common.status import Code
from grashof.motion.trajectory import Trajectory


def row_of_balls(
    places: list[float], speeds: list[float], restitution: float, masses: list[float] | None = None
) -> gr.Mechanism:
    """Balls of diameter 1 m on a line."""
    m = gr.Mechanism("cradle")
    balls = []
    for k, place in enumerate(places):
        mass = masses[k] if masses else 1.0
        balls.append(m.body(f"b{k}", mass=mass, inertia=1.0, points={"o": (0, 0)}, position=(place, 0)))
        m.prismatic(m.ground.at(0, 0), balls[-1].o, axis=(1, 0))
        m.need(f"b{k}.o.x", rate=speeds[k])
    for k in range(len(balls) - 1):
        gap = m.coordinate(f"gap{k}", balls[k + 1].o, (1, 0), origin=balls[k].o)
        m.stop(gap, lower=1.0, restitution=restitution, name=f"c{k}")
    return m


def cradle(count: int, gap: float, restitution: float = 1.0, moving: int = 1) -> gr.Mechanism:
    """The first balls come from half a metre away; they touch each other, and the others are apart by the gap."""
    places = [(k - 0.5) if k < moving else moving + (k - moving) * (1.0 + gap) for k in range(count)]
    return row_of_balls(places, [1.0 if k < moving else 0.0 for k in range(count)], restitution)


def last_speeds(run: Trajectory, count: int) -> list[float]:
    return [float(run[f"b{k}.o.x.rate"][-1]) for k in range(count)]


@pytest.mark.parametrize("count", [3, 5])
@pytest.mark.parametrize("gap", [0.1, 1e-6, 1e-9, 1e-12, 1e-14])
def test_balls_that_are_apart_pass_the_speed_on_to_the_last(count: int, gap: float) -> None:
    """Equal balls exchange their speeds, one pair after the other. Where the gap is round-off, this may be left
    open, but nothing else is a success."""
    run = gr.simulate(cradle(count, gap), 2.0, times=3, check_error=False)
    if gap >= 1e-9:
        assert run.status.ok
    if run.status.ok:
        assert last_speeds(run, count) == pytest.approx([0.0] * (count - 1) + [1.0], abs=1e-9)


@pytest.mark.parametrize(("count", "moving"), [(3, 1), (5, 1), (5, 2)])
def test_what_balls_that_touch_do_is_not_determined(count: int, moving: int) -> None:
    """Those at rest stay in contact, 0 ≤ Λ ⟂ u⁺ + e u⁻ ≥ 0, and one body of their whole mass is hit; with the
    smallest gaps the last ball would leave alone."""
    run = gr.simulate(cradle(count, 0.0, moving=moving), 2.0, times=3, check_error=False)
    assert run.status.code is Code.IMPACTS_UNDETERMINED
    assert run.status.time == pytest.approx(0.5)
    rest = count - moving
    after = [(moving - rest) / count] * moving + [2.0 * moving / count] * rest
    assert last_speeds(run, count) == pytest.approx(after, abs=1e-9)
    assert "at once" in str(run.status)
    assert "order" in str(run.status)


def test_balls_that_touch_and_stick_move_on_together() -> None:
    """Without restitution every order leads to the same speed."""
    run = gr.simulate(cradle(4, 0.0, restitution=0.0), 2.0, times=3, check_error=False)
    assert run.status.ok
    assert last_speeds(run, 4) == pytest.approx([0.25] * 4, abs=1e-9)


@pytest.mark.parametrize("restitution", [1.0, 0.5])
def test_a_ball_that_is_hit_from_both_sides_at_once(restitution: float) -> None:
    """Without loss all orders end with the two outer balls turned back; with a loss each order ends differently, and
    none is symmetric."""
    run = gr.simulate(row_of_balls([0.0, 2.0, 4.0], [1.0, 0.0, -1.0], restitution), 2.0, times=3, check_error=False)
    if restitution == 1.0:
        assert run.status.ok
        assert last_speeds(run, 3) == pytest.approx([-1.0, 0.0, 1.0], abs=1e-9)
    else:
        assert run.status.code is Code.IMPACTS_UNDETERMINED


@pytest.mark.parametrize("slope", [0.25 * math.pi, 0.3])
def test_a_particle_that_falls_into_a_valley(slope: float) -> None:
    """It hits both sides at once. Where these are perpendicular the impacts do not affect each other; otherwise
    their order decides on the side it goes."""
    m = gr.Mechanism("valley", gravity=(0, -9.81))
    ball = m.body("ball", mass=1.0, points={"center": (0, 0)}, position=(0, 1))
    for name, way in (("left", 1.0), ("right", -1.0)):
        depth = m.coordinate(f"{name} depth", ball.center, (way * math.sin(slope), math.cos(slope)))
        m.stop(depth, lower=0.0, restitution=0.5, name=name)
    fall = math.sqrt(2.0 / 9.81)
    run = gr.simulate(m, fall + 0.1, check_error=False)
    if slope == 0.3:
        assert run.status.code is Code.IMPACTS_UNDETERMINED
    else:
        assert run.status.ok
        up = 0.5 * 9.81 * fall - 9.81 * 0.1
        np.testing.assert_allclose([run["ball.center.x.rate"][-1], run["ball.center.y.rate"][-1]], [0.0, up], atol=1e-7)


def test_a_bar_that_lands_flat_with_a_loss_does_not_silently_tilt() -> None:
    m = gr.Mechanism("bar", gravity=(0, -9.81))
    m.body("bar", mass=1.0, inertia=1 / 12, points={"left": (-0.5, 0), "right": (0.5, 0)}, position=(0, 1))
    for end in ("left", "right"):
        m.stop(f"bar.{end}.y", lower=0.0, restitution=0.5, name=end)
    assert gr.simulate(m, 0.6, check_error=False).status.code is Code.IMPACTS_UNDETERMINED


def test_what_is_hit_while_it_is_pressed_against_a_stop_follows_the_stated_law() -> None:
    """A ball lies on the floor and another falls on it: the lower one stays on the floor, and the upper one jumps
    back as from the floor itself."""
    m = gr.Mechanism("drop", gravity=(0, -9.81))
    balls = [m.body(n, mass=1.0, points={"c": (0, 0)}, position=(0, y)) for n, y in (("lower", 0), ("upper", 1.5))]
    for ball in balls:
        m.prismatic(m.ground.at(0, 0), ball.c, axis=(0, 1))
    m.stop("lower.c.y", lower=0.0, restitution=0.5, name="floor")
    m.stop(m.coordinate("gap", balls[1].c, (0, 1), origin=balls[0].c), lower=0.5, restitution=0.5, name="contact")
    fall = math.sqrt(2.0 / 9.81)
    run = gr.simulate(m, fall + 0.1, check_error=False)
    assert run.status.ok
    assert "stay in contact during an impact" in str(run.status)
    assert run["upper.c.y.rate"][-1] == pytest.approx(0.5 * 9.81 * fall - 0.981, abs=1e-6)
    assert run["lower.c.y.rate"][-1] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(("ratio", "count"), [(1.0, 3), (100.0, 31), (1e4, 314)])
def test_a_ball_between_a_wall_and_a_heavy_one_counts_the_digits_of_pi(ratio: float, count: int) -> None:
    """Galperin, Playing pool with π (2003)."""
    m = row_of_balls([2.0, 4.0], [0.0, -1.0], 1.0, [1.0, ratio])
    m.stop("b0.o.x", lower=1.0, restitution=1.0, name="wall")
    run = gr.simulate(m, 400.0, times=3, check_error=False)
    assert run.status.ok
    assert len(run.events) == count
