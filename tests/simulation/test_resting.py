"""What comes to rest at a rigid stop stays there until it is pulled away: against closed forms and statics."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import grashof as gr
from grashof.motion.trajectory import Trajectory
from tests import classics

G = 9.81


def ball(height: float, restitution: float, gravity: float = -G, drift: float = 0.3) -> gr.Mechanism:
    m = gr.Mechanism("ball", gravity=(0, gravity))
    m.body("ball", mass=0.2, points={"center": (0, 0)}, position=(0, height))
    m.need("ball.center.x", value=0.0, rate=drift)
    m.need("ball.center.y", value=height, rate=0.0)
    m.stop("ball.center.y", lower=0.0, restitution=restitution, name="floor")
    return m


def turned(torque: str, angle: float = 0.0, **stop: float) -> gr.Mechanism:
    """A wheel of inertia 0.5 about a fixed axis."""
    m = gr.Mechanism("wheel")
    wheel = m.body("wheel", mass=1.0, inertia=0.5)
    m.revolute(m.ground.at(0, 0), wheel.at(0, 0))
    m.need("wheel.angle", value=angle, rate=0.0)
    m.torque(wheel, torque)
    m.stop(wheel, name="stop", **stop)
    return m


def names(run: Trajectory) -> list[str]:
    return [event.name for event in run.events]


def pushed(run: Trajectory) -> list[float]:
    """What the limits push with at the end of a run."""
    return [float(run[name][-1]) for name in run.derived_names if name.startswith("push.")]


@pytest.mark.parametrize("tol", [1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize("restitution", [0.2, 0.5, 0.9])
def test_ball_comes_to_rest_after_infinitely_many_jumps_in_a_finite_time(restitution: float, tol: float) -> None:
    """The jumps last 2 eᵏ √(2h/g), in all √(2h/g) (1 + e)/(1 − e); the last of them, slower than 1e-6 of the fall,
    are left out."""
    run = gr.simulate(ball(1.0, restitution), 12.0, tol=tol)
    assert run.status.ok
    end = math.sqrt(2.0 / G) * (1.0 + restitution) / (1.0 - restitution)
    assert names(run)[-2:] == ["floor lower", "floor lower rest"]
    assert end - run.events[-1].time == pytest.approx(0.0, abs=2e-6 / (1.0 - restitution))
    assert run.events[-1].time <= end + 1e-9
    after = run.t > end
    assert np.max(np.abs(run["ball.center.y"][after])) < 1e-12
    assert np.max(np.abs(run["ball.center.y.rate"][after])) < 1e-12
    np.testing.assert_allclose(run["ball.center.x"], 0.3 * run.t, atol=10.0 * tol)  # the floor is smooth
    assert run["work.floor lower"][-1] == pytest.approx(-0.2 * G, rel=1e-9)
    assert np.max(np.abs(run["balance"])) < 1e-9
    assert pushed(run) == pytest.approx([0.2 * G], rel=1e-9)


def test_ball_without_restitution_rests_where_it_lands() -> None:
    run = gr.simulate(ball(1.0, 0.0), 2.0, tol=1e-8)
    assert run.status.ok
    assert names(run) == ["floor lower rest"]
    assert run.events[0].time == pytest.approx(math.sqrt(2.0 / G), abs=1e-9)
    assert abs(run["ball.center.y"][-1]) < 1e-12


def test_what_starts_at_rest_on_a_stop_stays_there_or_leaves_it() -> None:
    stays = gr.simulate(ball(0.0, 0.5), 1.0)
    assert stays.status.ok
    assert [(event.name, event.time) for event in stays.events] == [("floor lower rest", 0.0)]
    assert np.max(np.abs(stays["ball.center.y"])) < 1e-12
    leaves = gr.simulate(ball(0.0, 0.5, gravity=G), 1.0)
    assert leaves.status.ok
    assert not leaves.events
    assert leaves["ball.center.y"][-1] == pytest.approx(0.5 * G, rel=1e-6)


def test_what_touches_a_wall_that_nothing_presses_it_against_slides_along_it() -> None:
    m = gr.Mechanism("ball")
    m.body("ball", mass=1.0, points={"center": (0, 0)})
    m.need("ball.center.x", value=0.0, rate=1.0)
    m.need("ball.center.y", value=0.0, rate=0.5)
    m.stop("ball.center.x", upper=1.0, restitution=0.0, name="wall")
    run = gr.simulate(m, 10.0)
    assert run.status.ok
    assert names(run) == ["wall upper rest"]
    assert (run["ball.center.x"][-1], run["ball.center.y"][-1]) == (pytest.approx(1.0), pytest.approx(5.0))


def test_pendulum_rests_at_its_lowest_point_if_a_stop_takes_its_speed_there() -> None:
    m = gr.Mechanism("pendulum", gravity=(0, -G))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=0.0, rate=0.0)
    m.stop(rod, lower=-0.5 * math.pi, restitution=0.0, name="wall")
    run = gr.simulate(m, 5.0)
    assert run.status.ok
    assert names(run) == ["wall lower rest"]
    assert run["rod.angle"][-1] == pytest.approx(-0.5 * math.pi, abs=1e-12)


def test_stop_lets_go_when_the_torque_turns_round() -> None:
    """I θ̈ = 1 − t presses until t = 1; then θ = limit − (t − 1)³/(6 I)."""
    run = gr.simulate(turned("1 - t", upper=0.2, restitution=0.0), 2.0, tol=1e-9)
    assert run.status.ok
    assert names(run) == ["stop upper rest", "stop upper release"]
    rest, release = run.events
    held = (run.t > rest.time) & (run.t < release.time)
    np.testing.assert_allclose(run["push.stop upper"], np.where(held, run.t - 1.0, 0.0), atol=1e-9)
    assert run.unit("push.stop upper") == "N m"
    assert 0.5 * rest.time**2 - rest.time**3 / 6.0 == pytest.approx(0.1, abs=1e-9)
    assert release.time == pytest.approx(1.0, abs=1e-8)
    late = run.t > release.time
    np.testing.assert_allclose(run["wheel.angle"][late], 0.2 - (run.t[late] - 1.0) ** 3 / 3.0, atol=1e-8)
    np.testing.assert_allclose(run["wheel.angle"][held], 0.2, atol=1e-12)
    assert np.max(np.abs(run["balance"])) < 1e-9


def test_wheel_goes_from_one_stop_to_the_other_and_back() -> None:
    """I θ̈ = sin t from rest at one stop: θ = (t − sin t)/I up to the other, which holds it until t = π; then back,
    until 2π, and so on."""
    run = gr.simulate(turned("sin(t)", lower=0.0, upper=1.0, restitution=0.0), 3.5 * math.pi, tol=1e-9)
    assert run.status.ok
    assert names(run)[:3] == ["stop upper rest", "stop upper release", "stop lower rest"]
    flight = run.events[0].time
    assert flight - math.sin(flight) == pytest.approx(0.5, abs=1e-8)
    expected = [flight, math.pi, math.pi + flight, 2.0 * math.pi, 2.0 * math.pi + flight, 3.0 * math.pi]
    assert [event.time for event in run.events] == pytest.approx([*expected, 3.0 * math.pi + flight], abs=1e-7)


def test_limit_of_an_angle_beyond_a_turn_holds() -> None:
    run = gr.simulate(turned("1", upper=20.0, restitution=0.4), 20.0)
    assert run.status.ok
    assert names(run)[-1] == "stop upper rest"
    assert run["wheel.angle"][-1] == pytest.approx(20.0, abs=1e-9)
    assert pushed(run) == pytest.approx([-1.0], rel=1e-9)


def test_pendulum_is_lifted_from_its_stop_by_a_growing_force() -> None:
    """A rod held at −0.3 rad by its weight and lifted by f = 4 t at its end: free when f = m g/2; then as SciPy
    integrates I θ̈."""
    m = gr.Mechanism("pendulum", gravity=(0, -G))
    rod = m.bar("rod", length=1.0, mass=2.0)
    m.revolute(m.ground.at(0, 0), rod.start, name="pin")
    m.need(rod.angle, value=-0.3, rate=0.0)
    m.force(rod.end, (0, "4*t"))
    m.stop(rod, lower=-0.3, restitution=0.5, name="rest")
    run = gr.simulate(m, 3.2, tol=1e-9)
    assert run.status.ok
    free = 2.0 * G / 8.0
    assert names(run) == ["rest lower rest", "rest lower release"]
    assert run.events[1].time == pytest.approx(free, abs=1e-8)

    def slope(t: float, y: np.ndarray) -> list[float]:
        return [y[1], (4.0 * t - G) * math.cos(y[0]) * 1.5]

    exact = solve_ivp(slope, (free, 3.2), [-0.3, 0.0], rtol=1e-12, atol=1e-13).y[0, -1]
    assert run["rod.angle"][-1] == pytest.approx(exact, abs=1e-8)
    # while it rests, forces and moments are in balance: the stop is a torque, and the pin bears what weight is left
    found = run.reactions(times=[1.0])
    assert found["pin.fy"][0] == pytest.approx(2.0 * G - 4.0, rel=1e-9)
    assert found["pin.fx"][0] == pytest.approx(0.0, abs=1e-9)


def test_pin_of_a_rod_that_rests_on_its_end_bears_half_the_weight() -> None:
    m = gr.Mechanism("rod", gravity=(0, -G))
    rod = m.bar("rod", length=1.0, mass=3.0)
    m.revolute(m.ground.at(0, 0), rod.start, name="pin")
    m.need(rod.angle, value=0.5, rate=0.0)
    m.stop("rod.end.y", lower=0.0, restitution=0.3, name="table")
    run = gr.simulate(m, 2.0)
    assert run.status.ok
    assert run.reactions()["pin.fy"][-1] == pytest.approx(1.5 * G, rel=1e-8)
    assert pushed(run) == pytest.approx([1.5 * G], rel=1e-8)


@pytest.mark.parametrize("restitution", [0.0, 0.4])
def test_rod_that_falls_on_two_supports_rests_on_both(restitution: float) -> None:
    m = gr.Mechanism("rod", gravity=(0, -G))
    m.bar("rod", length=1.0, mass=1.0)
    m.need("rod.start.x", value=0.0, rate=0.0)
    m.need("rod.start.y", value=0.5, rate=0.0)
    m.need("rod.angle", value=0.3, rate=0.0)
    for end in ("start", "end"):
        m.stop(f"rod.{end}.y", lower=0.0, restitution=restitution, name=end)
    run = gr.simulate(m, 5.0)
    assert run.status.ok
    assert sorted(names(run)[-1:] + [x for x in names(run)[:-1] if x.endswith("rest")])[-2:] == [
        "end lower rest",
        "start lower rest",
    ]
    assert abs(run["rod.start.y"][-1]) + abs(run["rod.end.y"][-1]) < 1e-12
    assert sum(run[name][-1] for name in run.work_names) == pytest.approx(
        run["energy"][-1] - run["energy"][0], rel=1e-8
    )
    assert pushed(run) == pytest.approx([0.5 * G, 0.5 * G], rel=1e-8)


def test_impact_lifts_what_rests_elsewhere() -> None:
    """A rod turns about its left end, which rests on the floor, until its right end hits a ceiling. The impulse there,
    p = (1 + e) u m/(1 + 3 cos² θ), takes the left end off the floor with (3 cos² θ − 1) p/m."""
    m = gr.Mechanism("rod", gravity=(0, -G))
    rod = m.bar("rod", length=1.0, mass=2.0)
    m.need("rod.start.x", value=0.0, rate=0.0)
    m.need("rod.angle", value=0.0, rate=0.5)
    m.need("rod.start.y", value=0.0, rate=0.0)
    m.force(rod.end, (0, 15.0))
    m.stop("rod.start.y", lower=0.0, restitution=0.0, name="floor")
    m.stop("rod.end.y", upper=0.02, restitution=0.6, name="ceiling")
    run = gr.simulate(m, 0.05, tol=1e-9)
    assert run.status.ok
    assert names(run)[:3] == ["floor lower rest", "floor lower release", "ceiling upper"]
    hit = run.events[2]
    dynamics = run.program.dynamics
    rates = []
    for state in (hit.state, hit.after):
        motion = dynamics.state([hit.time, *state.tolist()])
        rates.append([float(motion.measure(name).first) for name in ("rod.start.y", "rod.end.y")])
    (left, right), (left_after, right_after) = rates
    assert left == pytest.approx(0.0, abs=1e-9)
    assert right_after == pytest.approx(-0.6 * right, rel=1e-8)
    slope = math.cos(math.asin(0.02)) ** 2
    impulse = 1.6 * right * 2.0 / (1.0 + 3.0 * slope)
    assert left_after == pytest.approx((3.0 * slope - 1.0) * impulse / 2.0, rel=1e-7)


def test_linkage_rests_against_a_wall() -> None:
    m, _, rod = classics.slider_crank(gravity=(5.0, 0.0))
    m.guess(rod, (0.0, 0.2), angle=-0.4)
    m.need("crank.angle", value=1.5, rate=-3.0)
    m.stop("rod.end.x", upper=0.6, restitution=0.5, name="wall")
    run = gr.simulate(m, 10.0, tol=1e-8)
    assert run.status.ok
    assert names(run)[-1] == "wall upper rest"
    assert run["rod.end.x"][-1] == pytest.approx(0.6, abs=1e-11)
    lost = run["energy"][0] - run["energy"][-1]
    assert run["work.wall upper"][-1] == pytest.approx(-lost, rel=1e-7)


def test_ball_in_space_rests_on_the_floor() -> None:
    m = gr.Mechanism("ball", dimension=3, gravity=(0, 0, -G))
    m.body("ball", mass=0.2, inertia=(1, 1, 1), points={"center": (0, 0, 0)}, position=(0, 0, 1))
    m.stop("ball.center.z", lower=0.0, restitution=0.5, name="floor")
    run = gr.simulate(m, 3.0)
    assert run.status.ok
    assert names(run)[-1] == "floor lower rest"
    assert run["ball.center.z"][-1] == pytest.approx(0.0, abs=1e-11)


def test_bounce_in_either_direction_rests_on_the_side_that_it_came_from() -> None:
    for sign in (-1.0, 1.0):
        m = gr.Mechanism("ball", gravity=(0, sign * G))
        m.body("ball", mass=0.2, points={"center": (0, 0)}, position=(0, -sign))
        m.event("ball.center.y", crosses=0.0, does="bounce 0.5", name="shelf")
        run = gr.simulate(m, 3.0)
        assert run.status.ok
        assert names(run)[-1] == "shelf rest"
        assert run["ball.center.y"][-1] == pytest.approx(0.0, abs=1e-11)
        assert pushed(run) == pytest.approx([-sign * 0.2 * G], rel=1e-9)


@pytest.mark.parametrize("seed", [2, 7, 11, 17])
def test_box_that_falls_on_its_corners_comes_to_lie_on_one_of_its_sides(seed: int) -> None:
    """It rocks from corner to corner, each of which comes to rest and is lifted again, until two of them bear half
    of its weight each."""
    rng = np.random.default_rng(seed)
    width, height = rng.uniform(0.3, 1.0, 2).tolist()
    restitution = float(rng.choice([0.2, 0.5]))
    m = gr.Mechanism("box", gravity=(0, -G))
    corners = {"a": (-1, -1), "b": (1, -1), "c": (1, 1), "d": (-1, 1)}
    points = {name: (0.5 * x * width, 0.5 * y * height) for name, (x, y) in corners.items()}
    inertia = (width**2 + height**2) / 12.0
    m.body("box", mass=1.0, inertia=inertia, points={**points, "o": (0, 0)}, position=(0, 1.5))
    m.need("box.o.x", value=0.0, rate=0.0)
    m.need("box.o.y", value=1.5, rate=0.0)
    m.need("box.angle", value=float(rng.uniform(-3.0, 3.0)), rate=float(rng.normal(0.0, 3.0)))
    for name in corners:
        m.stop(f"box.{name}.y", lower=0.0, restitution=restitution, name=name)
    run = gr.simulate(m, 6.0, check_error=False)
    assert run.status.ok
    assert abs(math.remainder(run["box.angle"][-1], 0.5 * math.pi)) < 1e-12
    assert sorted(pushed(run)) == pytest.approx([0.0, 0.0, 0.5 * G, 0.5 * G], abs=1e-9)
    assert run["kinetic"][-1] == pytest.approx(0.0, abs=1e-20)
    assert min(np.min(run[f"box.{name}.y"]) for name in corners) > -1e-12
    assert np.max(np.abs(run["balance"])) < 1e-6


def test_plate_that_rests_on_three_corners_is_held_at_the_fourth() -> None:
    """Dropped level, all corners hit at once; three of them hold the fourth, and all pushes together bear the
    weight."""
    m = gr.Mechanism("plate", dimension=3, gravity=(0, 0, -G))
    corners = {"a": (-0.5, -0.4, 0), "b": (0.5, -0.4, 0), "c": (0.5, 0.4, 0), "d": (-0.5, 0.4, 0)}
    m.body("plate", mass=1.0, inertia=(0.16 / 3, 0.25 / 3, 0.41 / 3), points=corners, position=(0, 0, 1))
    for name in corners:
        m.stop(f"plate.{name}.z", lower=0.0, restitution=0.0, name=name)
    run = gr.simulate(m, 2.0, check_error=False)
    assert run.status.ok
    assert max(abs(run[f"plate.{name}.z"][-1]) for name in corners) < 1e-8
    assert sum(pushed(run)) == pytest.approx(G, rel=1e-8)
    assert min(pushed(run)) > -1e-9
    assert run["work.a lower"][-1] < 0.0
    assert sum(run[name][-1] for name in run.work_names) == pytest.approx(-G, rel=1e-8)
