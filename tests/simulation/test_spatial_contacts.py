"""Contacts in space against closed forms, and the Newton-Euler equations of two bodies in SciPy, in world vectors."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import grashof as gr
from grashof.model.files import dumps, loads
from grashof.model.forces import SpatialContact

G = 9.81
RADIUS, MASS = 0.1, 2.0
INERTIA = 0.4 * MASS * RADIUS**2


def room(gravity: tuple[float, float, float] = (0.0, 0.0, -G)) -> gr.Mechanism:
    return gr.Mechanism("room", dimension=3, gravity=gravity)


def launch(m: gr.Mechanism, body: str, place: np.ndarray, velocity: np.ndarray, spin: np.ndarray) -> None:
    """Wants for the velocity and the angular velocity of a body whose axes are those of the world."""
    for name, at in (("o", np.zeros(3)), ("x", np.eye(3)[0]), ("y", np.eye(3)[1])):
        rate = velocity + np.cross(spin, at)
        for axis, value, speed in zip("xyz", place + at, rate, strict=True):
            m.want(f"{body}.{name}.{axis}", value=float(value), rate=float(speed))


MARKS = {"o": (0.0, 0.0, 0.0), "x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0)}


def ball(m: gr.Mechanism, velocity: tuple[float, ...], spin: tuple[float, ...] = (0, 0, 0), height: float = RADIUS):
    body = m.body("ball", mass=MASS, inertia=(INERTIA,) * 3, points=MARKS, position=(0, 0, height))
    launch(m, "ball", np.array([0.0, 0.0, height]), np.array(velocity, float), np.array(spin, float))
    return body


def test_a_sliding_ball_rolls_with_five_sevenths_of_its_speed() -> None:
    """Friction has no moment about the place where the ball touches, so that angular momentum about the floor is
    conserved, whatever the friction. The slip of −v turns to zero in a straight line, at 7/2 μ g."""
    m = room()
    body = ball(m, (0.6, 0.8, 0.0), height=RADIUS - (MASS * G / 1e7) ** (2.0 / 3.0))
    m.contact(m.ground.plane((0, 0, 0), (0, 0, 1)), body.sphere((0, 0, 0), RADIUS), stiffness=1e7, mu=0.3, name="floor")
    run = gr.simulate(m, 0.4)
    assert run.status.ok
    for axis, speed in zip("xyz", (0.6, 0.8, 0.0), strict=True):
        assert run[f"ball.o.{axis}.rate"][-1] == pytest.approx(5.0 / 7.0 * speed, abs=1e-6)
    # half way through the slip
    begin = 1.0 / 7.0 / (0.3 * G)
    assert np.interp(begin, run.t, run["ball.o.x.rate"]) == pytest.approx(0.6 * (1.0 - 1.0 / 7.0), abs=1e-6)
    assert run["work.floor"][-1] == pytest.approx(-0.5 * MASS * (1.0 - 5.0 / 7.0), rel=1e-4)
    assert np.max(np.abs(run["balance"])) < 1e-6


def test_a_block_slides_to_rest_on_its_corners() -> None:
    """v²/(2 μ g), whatever share of its weight each corner carries."""
    m = room()
    corners = {f"c{i}{k}": (0.2 * i, 0.15 * k, -0.05) for i in (-1, 1) for k in (-1, 1)}
    depth = (MASS * G / 4 / 1e7) ** (2.0 / 3.0)
    block = m.body(
        "block", mass=MASS, inertia=(0.02, 0.03, 0.04), points=MARKS | corners, position=(0, 0, 0.05 - depth)
    )
    launch(m, "block", np.array([0, 0, 0.05 - depth]), np.array([0.5, 0.0, 0.0]), np.zeros(3))
    floor = m.ground.plane((0, 0, 0), (0, 0, 1))
    for name in corners:
        m.contact(floor, block.point(name), stiffness=1e7, damping=1e8, mu=0.5, name=name)
    run = gr.simulate(m, 0.15)
    assert run.status.ok
    assert np.interp(0.05, run.t, run["block.o.x.rate"]) == pytest.approx(0.5 - 0.5 * G * 0.05, abs=2e-4)
    assert run["block.o.x"][-1] == pytest.approx(0.25 / (2.0 * 0.5 * G), rel=2e-3)
    assert abs(run["block.o.x.rate"][-1]) < 1e-4


def test_a_ball_bounces_and_comes_to_rest_at_its_static_depth() -> None:
    m = room()
    body = ball(m, (0, 0, 0), height=0.3)
    m.contact(
        m.ground.plane((0, 0, 0), (0, 0, 1)), body.sphere((0, 0, 0), RADIUS), stiffness=1e5, damping=2e5, name="k"
    )
    run = gr.simulate(m, 3.0)
    assert run.status.ok

    def rates(_: float, y: np.ndarray) -> list[float]:
        depth = RADIUS - y[0]
        push = max(depth, 0.0) ** 1.5 * max(1e5 - 2e5 * y[1], 0.0)
        return [y[1], push / MASS - G]

    found = solve_ivp(rates, (0.0, 1.0), [0.3, 0.0], "Radau", rtol=1e-10, atol=1e-12, max_step=1e-3)
    assert gr.simulate(m, 1.0)["ball.o.z"][-1] == pytest.approx(found.y[0, -1], abs=1e-6)
    assert run["k.gap"][-1] == pytest.approx(-((MASS * G / 1e5) ** (2.0 / 3.0)), rel=1e-3)


def test_a_rigid_ball_rests_after_bounces() -> None:
    m = room()
    body = ball(m, (0, 0, 0), height=0.3)
    m.contact(m.ground.plane((0, 0, 0), (0, 0, 1)), body.sphere((0, 0, 0), RADIUS), restitution=0.5, name="floor")
    run = gr.simulate(m, 1.0)
    fall = math.sqrt(2.0 * 0.2 / G)
    assert run.status.ok
    assert run.events[-1].name == "floor touch rest"
    assert run.events[-1].time == pytest.approx(3.0 * fall, rel=1e-5)


K, C, MU, SLOW = 2e4, 1e4, 0.4, 0.05
NORMAL = np.array([2.0, -1.0, 2.0]) / 3.0
AXIS = np.array([0.6, 0.8, 0.0])
Law = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], tuple[float, np.ndarray, np.ndarray]]


def touching(shape: str) -> Law:
    """Depth, normal and place of contact in world axes, from the positions and axes of two bodies."""

    def plane(place_a: np.ndarray, axes_a: np.ndarray, place_b: np.ndarray, axes_b: np.ndarray):
        normal = axes_a @ NORMAL
        height = normal @ (place_b - place_a)
        if shape == "point":
            return -height, normal, place_b
        if shape == "ball":
            return RADIUS - height, normal, place_b - RADIUS * normal
        axis = axes_b @ AXIS  # the lowest place of a rim is in the plane of the disc
        down = -(normal - axis * (axis @ normal))
        lowest = place_b + RADIUS * down / np.linalg.norm(down)
        return -normal @ (lowest - place_a), normal, lowest

    def round_one(place_a: np.ndarray, axes_a: np.ndarray, place_b: np.ndarray, axes_b: np.ndarray):
        apart = place_b - place_a
        far = float(np.linalg.norm(apart))
        if shape == "bowl":
            return far + RADIUS - 0.3, -apart / far, place_b + RADIUS * apart / far
        return 0.15 + RADIUS - far, apart / far, place_b - RADIUS * apart / far

    return round_one if shape in ("balls", "bowl") else plane


@pytest.mark.parametrize("shape", ["point", "ball", "disc", "balls", "bowl"])
def test_two_free_bodies_collide_as_newton_and_euler_say(shape: str) -> None:
    rng = np.random.default_rng(7)
    masses, inertias = (3.0, 1.0), (np.array([0.05, 0.07, 0.06]), np.array([0.02, 0.03, 0.025]))
    distance = {"point": 0.02, "ball": RADIUS + 0.02, "disc": RADIUS + 0.02, "balls": 0.27, "bowl": 0.1}[shape]
    places = (np.zeros(3), distance * NORMAL)
    velocities = (0.2 * rng.uniform(-1, 1, 3), -0.5 * NORMAL + 0.2 * rng.uniform(-1, 1, 3))
    spins = (rng.uniform(-1, 1, 3), rng.uniform(-2, 2, 3))
    m = room((0.0, 0.0, 0.0))
    bodies = []
    for name, mass, inertia, place, velocity, spin in zip(
        "ab", masses, inertias, places, velocities, spins, strict=True
    ):
        bodies.append(m.body(name, mass=mass, inertia=tuple(inertia), points=MARKS, position=tuple(place)))
        launch(m, name, place, velocity, spin)
    a, b = bodies
    first = a.plane((0, 0, 0), NORMAL)
    if shape in ("balls", "bowl"):
        first = a.sphere((0, 0, 0), 0.3 if shape == "bowl" else 0.15)
    second = {"point": b.o, "disc": b.circle((0, 0, 0), RADIUS, axis=AXIS)}.get(shape, b.sphere((0, 0, 0), RADIUS))
    options = {"stiffness": K, "damping": C, "exponent": 1.0, "mu": MU, "slip_speed": SLOW}
    m.contact(first, second, inside=shape == "bowl", name="k", **options)
    end = 0.5 if shape == "bowl" else 0.15
    run = gr.simulate(m, end, tol=1e-8)
    assert run.status.ok
    law = touching(shape)

    def rates(_: float, y: np.ndarray) -> np.ndarray:
        r, v, w = y[0:6].reshape(2, 3), y[6:12].reshape(2, 3), y[12:18].reshape(2, 3)
        axes = y[18:36].reshape(2, 3, 3)
        depth, normal, touch = law(r[0], axes[0], r[1], axes[1])
        speed = [v[k] + np.cross(w[k], touch - r[k]) for k in (0, 1)]
        # dδ/dt is the speed of approach of the places that touch
        push = max(depth, 0.0) * max(K - C * float(normal @ (speed[1] - speed[0])), 0.0)
        slip = speed[1] - speed[0] - normal * float(normal @ (speed[1] - speed[0]))
        size = float(np.linalg.norm(slip))
        x = min(size / SLOW, 1.0)
        force = push * normal - MU * push * x * (1.5 - 0.5 * x * x) * slip / max(size, 1e-300)
        change = []
        for k, sign in ((0, -1.0), (1, 1.0)):
            torque = np.cross(touch - r[k], sign * force)
            inertia = axes[k] @ np.diag(inertias[k]) @ axes[k].T
            change.append((sign * force / masses[k], np.linalg.solve(inertia, torque - np.cross(w[k], inertia @ w[k]))))
        turned = [np.cross(w[k], axes[k].T).T for k in (0, 1)]
        return np.concatenate(
            [v.ravel(), change[0][0], change[1][0], change[0][1], change[1][1], *map(np.ravel, turned)]
        )

    begin = np.concatenate([*places, *velocities, *spins, np.eye(3).ravel(), np.eye(3).ravel()])
    found = solve_ivp(rates, (0.0, end), begin, "DOP853", rtol=1e-10, atol=1e-12, max_step=2e-3).y[:, -1]
    assert np.min(run["k.gap"]) < -1e-4  # they met
    axes = found[18:36].reshape(2, 3, 3)
    for k, name in enumerate("ab"):
        for mark, at in MARKS.items():
            expected = found[3 * k : 3 * k + 3] + axes[k] @ at
            np.testing.assert_allclose([run[f"{name}.{mark}.{x}"][-1] for x in "xyz"], expected, atol=2e-7)
    assert np.max(np.abs(run["balance"])) < 1e-6


def test_spatial_contacts_are_written_and_read() -> None:
    m = room()
    body = ball(m, (0, 0, 0))
    m.contact(m.ground.plane((0, 0, 0), (0, 0, 2)), body.circle((0, 0, 0), "5 cm", axis=(0, 3, 4)), stiffness=1e4, mu=1)
    m.contact(m.ground.sphere((0, 0, 0), 2.0), body.sphere((0, 0, 0), 0.1), inside=True, restitution=0.5, name="bowl")
    again = loads(dumps(m.model))
    assert again.forces == m.model.forces
    disc = again.forces[0]
    assert isinstance(disc, SpatialContact)
    assert (disc.normal_a, disc.axis_b, disc.radius_b) == ((0.0, 0.0, 1.0), (0.0, 0.6, 0.8), 0.05)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"a": "point", "b": "point"}, "two points do not meet"),
        ({"a": "small", "inside": True}, "must be smaller"),
        ({"inside": True}, "neither a radius nor an inside"),
        ({"a": "small", "b": "disc"}, "touches planes only"),
        ({"restitution": 0.5, "stiffness": 0.0, "mu": 0.1}, "have no friction"),
        ({"stiffness": 0.0}, "positive stiffness"),
        ({"impact": "poisson"}, "in the plane"),
        ({"b": "plane"}, "comes first"),
    ],
)
def test_what_cannot_meet_is_refused(given: dict[str, object], words: str) -> None:
    m = room()
    body = ball(m, (0, 0, 0))
    shapes = {
        "plane": m.ground.plane((0, 0, 0), (0, 0, 1)),
        "small": m.ground.sphere((0, 0, 0), 0.01),
        "point": m.ground.at(0, 0, 0),
    }
    others = {"ball": body.sphere((0, 0, 0), RADIUS), "disc": body.circle((0, 0, 0), RADIUS, axis=(1, 0, 0))}
    others |= {"point": body.o, "plane": body.plane((0, 0, 0), (0, 0, 1))}
    options: dict[str, object] = {"stiffness": 1e5, "name": "k"} | given
    a, b = shapes[str(options.pop("a", "plane"))], others[str(options.pop("b", "ball"))]

    def describe() -> object:
        m.contact(a, b, **options)  # type: ignore[arg-type]
        return gr.simulate(m, 0.1)

    with pytest.raises(gr.ModelError, match=words):
        describe()
