"""Stops are drawn where they act: pegs, walls, bumpers and ropes, which hang while they are slack."""

from __future__ import annotations

import math

import numpy as np
import pytest

import grashof as gr
from grashof.scene import describe, describe_model, kinds, types
from grashof.scene.outlines import hang
from grashof.show.seen import Seen


def pendulum() -> gr.Mechanism:
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=-1.0)
    return m


@pytest.mark.parametrize("row", [0, -1])
def test_a_peg_stands_beside_the_body_at_its_limit(row: int) -> None:
    m = pendulum()
    m.stop("rod.angle", lower=-2.4, upper=-0.9, stiffness=1e4, name="buffer")
    run = gr.simulate(m, 0.3, times=7)
    scene = describe(run, run.t[[row]], quantities=False)
    pegs = [symbol for symbol in scene.symbols if isinstance(symbol, kinds.Peg)]
    assert [peg.outward for peg in pegs] == [-1.0, 1.0]
    for peg, limit in zip(pegs, (-2.4, -0.9), strict=True):
        assert peg.along == pytest.approx((math.cos(limit), math.sin(limit), 0.0), abs=1e-9)
        # the hatched line is beyond the limit, and touches the side of the bar there
        line = peg.shapes[0].corners.array()[:, :2]  # type: ignore[union-attr]
        beyond = line @ np.array([-math.sin(limit), math.cos(limit)]) * peg.outward
        assert np.all(beyond > scene.detail)
        assert np.all(beyond < 1.3 * scene.detail)


def test_a_wall_is_as_wide_as_its_point_moves_and_hatched_behind() -> None:
    m = gr.Mechanism("ball", gravity=(0, -9.81))
    ball = m.body("ball", mass=1.0, inertia=0.1, points={"o": (0, 0)}, position=(0, 1))
    m.need("ball.o.x", rate=2.0)
    m.stop("ball.o.y", lower=0.25, restitution=0.5, name="floor")
    m.stop("ball.o.x", upper=9.0, restitution=0.5, name="far")
    assert ball
    scene = describe(gr.simulate(m, 0.5), quantities=False)
    floor, far = (symbol for symbol in scene.symbols if isinstance(symbol, kinds.Wall))
    assert floor.corners() == pytest.approx(np.array([[0.0, 0.25, 0.0], [1.0, 0.25, 0.0]]), abs=1e-9)
    assert floor.normal == (0.0, 1.0, 0.0)
    assert far.normal == (-1.0, 0.0, 0.0)
    below = np.concatenate([shape.corners.array() for shape in floor.shapes[1:]])  # type: ignore[union-attr]
    assert np.all(below[:, 1] <= 0.25 + 1e-6)
    beyond = np.concatenate([shape.corners.array() for shape in far.shapes[1:]])  # type: ignore[union-attr]
    assert np.all(beyond[:, 0] >= 9.0 - 1e-6)


@pytest.mark.parametrize("gap", [(0.3, 0.1, 0.0), (0.0, -0.4, 0.0), (0.9, 0.0, 0.0)])
def test_a_rope_hangs_by_its_length_and_is_straight_when_taut(gap: tuple[float, float, float]) -> None:
    a, up = np.array([1.0, 2.0, 0.0]), np.array([0.0, 1.0, 0.0])
    b, distance = a + gap, math.hypot(*gap)
    straight = a + np.linspace(0, 1, 25)[:, None] * np.array(gap)
    assert hang(a, b, distance, up) == pytest.approx(straight, abs=1e-8)  # the square root of the rounding of ℓ²
    slack = hang(a, b, 1.1 * distance, up)
    length = float(np.sum(np.linalg.norm(np.diff(slack, axis=0), axis=1)))
    assert distance < length < 1.15 * distance
    if gap[0]:  # side by side
        assert length == pytest.approx(1.1 * distance, rel=0.05)
    assert slack[12, 1] < 0.5 * (a + b)[1]
    assert slack[[0, -1]] == pytest.approx(np.array([a, b]))


def test_a_rope_that_is_a_stop_is_slack_until_it_is_taut() -> None:
    m = gr.Mechanism("tether", gravity=(0, -9.81))
    ball = m.body("ball", mass=1.0, inertia=0.1, points={"o": (0, 0)}, position=(0.6, 0))
    m.separation("tether", m.ground.at(0, 0), ball.o)
    m.stop("tether", lower=0.2, upper=1.0, restitution=0.0, name="tether")
    run = gr.simulate(m, 1.0, until="tether > 0.999999999")
    scene = describe(run, run.t[[0, -1]], quantities=False)
    (rope,) = (symbol for symbol in scene.symbols if isinstance(symbol, kinds.Rope))
    (bumper,) = (symbol for symbol in scene.symbols if isinstance(symbol, kinds.Bumper))
    assert (rope.length, bumper.length) == (1.0, 0.2)
    stroke = rope.shapes[0]
    assert isinstance(stroke, types.Stroke)
    seen = Seen(scene)
    loose, taut = (seen.frame(row).corners(stroke) for row in (0, 1))
    assert loose[12, 1] < -0.3
    assert np.linalg.norm(taut[12] - 0.5 * (taut[0] + taut[-1])) < 1e-4


def test_points_that_only_tell_where_a_line_is_are_not_metal() -> None:
    m = gr.Mechanism("Geneva drive")
    driver = m.bar("driver", length=0.1)
    wheel = m.body("wheel", points={"O": (0, 0)}, position=(0.2, 0))
    m.revolute(m.ground.at(0, 0), driver.start)
    m.revolute(m.ground.at(0.2, 0), wheel.O)
    m.pin_in_slot(wheel.line((-0.15, 0), (-1, 0)), driver.end)
    m.need(driver.angle, value=-0.5)
    scene = describe_model(m)
    (guide,) = (symbol for symbol in scene.symbols if isinstance(symbol, kinds.Guide))
    body = scene.bodies[2]
    assert [point.name for point in scene.points if point.helper] == ["wheel.p1"]
    # metal from the pin to the nearer end of the slot
    assert body.corners[0] == (0.0, 0.0, 0.0)
    assert body.corners[1] == pytest.approx((-0.15 - guide.lower, 0.0, 0.0))


def test_named_points_remain_metal() -> None:
    m = gr.Mechanism("plate")
    plate = m.plate("plate", {"a": (0, 0), "b": (1, 0), "c": (0, 1)}, mass=1.0)
    ball = m.body("ball", mass=1.0, inertia=0.1, position=(0.3, -0.2))
    m.contact(plate.line(plate.b, plate.a), ball.circle((0, 0), 0.1), restitution=0.1)
    assert not any(point.helper for point in describe_model(m).points if point.name.startswith("plate"))


def test_surfaces_that_touch_in_space_are_drawn_once() -> None:
    m = gr.Mechanism("cart", dimension=3, gravity=(0, 0, -9.81))
    cart = m.body("cart", mass=1.0, inertia=(0.1, 0.1, 0.1), points={"o": (0, 0, 0)}, position=(0, 0, 0.1))
    m.want("cart.o.x", rate=1.0)
    floor = m.ground.plane((0, 0, 0), (0, 0, 1))
    m.contact(floor, cart.circle((0, 0, 0), 0.1, axis=(0, 1, 0)), stiffness=1e5, name="wheel")
    m.contact(floor, cart.sphere((0.3, 0, 0), 0.1), stiffness=1e5, name="ball")
    scene = describe(gr.simulate(m, 0.2), quantities=False)
    (wall,) = (symbol for symbol in scene.symbols if isinstance(symbol, kinds.Wall))
    (wheel,) = (symbol for symbol in scene.symbols if isinstance(symbol, kinds.Wheel))
    (ball,) = (symbol for symbol in scene.symbols if isinstance(symbol, kinds.Sphere))
    assert wall.normal == (0.0, 0.0, 1.0)
    assert (wheel.axis, wheel.radius, ball.radius, ball.a.at) == ((0.0, 1.0, 0.0), 0.1, 0.1, (0.3, 0.0, 0.0))
    corners = wall.corners()
    assert corners[:, 0].min() < 0.0
    assert corners[:, 0].max() > 0.5  # where the ball ends
    (solid,) = (shape for shape in ball.shapes)
    assert isinstance(solid, types.Solid)
    assert max(radius for _, radius in solid.profile) == pytest.approx(0.1)
