"""Contacts against closed forms, places computed by hand, and the Newton-Euler equations in SciPy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import grashof as gr
from grashof.model.files import dumps, loads
from grashof.model.forces import Contact
from grashof.model.handles import Circle

G = 9.81
RADIUS, MASS, INERTIA = 0.1, 2.0, 0.4 * 2.0 * 0.01


def ball(x: float = 0.0, y: float = RADIUS, **rates: float) -> tuple[gr.Mechanism, Circle]:
    """A solid ball in the plane."""
    m = gr.Mechanism("ball", gravity=(0, -G))
    body = m.body("ball", mass=MASS, inertia=INERTIA, points={"center": (0, 0)}, position=(x, y))
    m.need("ball.angle", value=0.0, rate=rates.get("spin", 0.0))
    m.need("ball.center.x", value=x, rate=rates.get("vx", 0.0))
    m.need("ball.center.y", value=y, rate=rates.get("vy", 0.0))
    return m, body.circle((0, 0), RADIUS)


def test_a_ball_bounces_off_an_inclined_line_when_the_closed_form_says() -> None:
    slope = 0.4
    m, rim = ball(y=0.6)
    m.contact(m.ground.line((0, 0), (math.cos(slope), math.sin(slope))), rim, restitution=0.5, name="ramp")
    run = gr.simulate(m, 0.85, tol=1e-9)
    normal = 0.6 * math.cos(slope) - RADIUS  # distance along the normal, with the gravity g cos α
    fall = math.sqrt(2.0 * normal / (G * math.cos(slope)))
    assert run.status.ok
    times = [event.time for event in run.events]
    np.testing.assert_allclose(times, [fall * x for x in (1.0, 2.0, 2.5)], rtol=1e-9)


def test_a_ball_inside_a_ring_rests_at_its_bottom() -> None:
    m, rim = ball(y=0.0)
    m.contact(m.ground.circle((0, 0), 0.3), rim, restitution=0.5, inside=True, name="ring")
    run = gr.simulate(m, 1.0)
    fall = math.sqrt(2.0 * 0.2 / G)
    assert run.status.ok
    assert run.events[0].time == pytest.approx(fall, rel=1e-6)
    assert run.events[-1].name == "ring touch rest"
    assert run.events[-1].time == pytest.approx(3.0 * fall, rel=1e-5)
    assert run["ring.gap"][-1] == pytest.approx(0.0, abs=1e-9)
    assert run["push.ring touch"][-1] == pytest.approx(MASS * G, rel=1e-6)


@pytest.mark.parametrize("radius", [0.0, 0.04])
@pytest.mark.parametrize("shape", ["line", "line with ends", "circle", "ring"])
def test_gap_and_slip_are_those_of_the_nearest_places(shape: str, radius: float) -> None:
    """The nearest places of densely sampled outlines, and the velocities of the bodies there."""
    rng = np.random.default_rng(5)
    for _ in range(6):
        m = gr.Mechanism("two bodies")
        pose = rng.uniform(-0.5, 0.5, 6)
        rates = dict(
            zip(("a.c.x", "a.c.y", "a.angle", "b.c.x", "b.c.y", "b.angle"), rng.uniform(-1, 1, 6), strict=True)
        )
        if shape == "ring":
            pose[3:5] = 0.1 * pose[3:5] + pose[:2] + [0.3, 0.0]
        bodies = []
        for name, (x, y, angle) in (("a", pose[:3]), ("b", pose[3:])):
            bodies.append(
                m.body(
                    name, mass=1.0, inertia=0.1, points={"c": (0, 0)}, position=(float(x), float(y)), angle=float(angle)
                )
            )
        for (name, rate), value in zip(rates.items(), pose, strict=True):
            m.need(name, value=float(value), rate=float(rate))
        a, b = bodies
        thickness = 0.02
        if shape.startswith("line"):
            outline = a.line((0.1, 0.05), (0.4, 0.2))
            ends = shape.endswith("ends")
            m.contact(
                outline,
                b.circle((0.02, 0.03), radius),
                ends=ends,
                thickness=thickness,
                stiffness=1e-9,
                mu=0.1,
                name="k",
            )
            along = np.linspace(0.0, 1.0, 20001) if ends else np.linspace(-9.0, 10.0, 200001)
            local = np.array([0.1, 0.05]) + along[:, None] * [0.3, 0.15]
            half = 0.5 * thickness
        else:
            half = 0.9 if shape == "ring" else 0.15
            m.contact(
                a.circle((0.0, 0.1), half),
                b.circle((0.02, 0.03), radius),
                inside=shape == "ring",
                stiffness=1e-9,
                mu=0.1,
                name="k",
            )
            local = np.array([[0.0, 0.1]])
        run = gr.simulate(m, 1e-9)

        def world(place: np.ndarray, where: np.ndarray) -> np.ndarray:
            c, s = math.cos(place[2]), math.sin(place[2])
            return place[:2] + where @ np.array([[c, s], [-s, c]])

        center = world(pose[3:], np.array([[0.02, 0.03]]))[0]
        skeleton = world(pose[:3], local)
        index = int(np.argmin(np.sum((skeleton - center) ** 2, axis=1)))
        nearest, is_round = skeleton[index], index in (0, len(skeleton) - 1)
        apart = center - nearest
        distance = float(np.hypot(*apart))
        normal = apart / distance  # from a to b
        if shape == "line":
            left = world(pose[:3], np.array([[-0.15, 0.3]]))[0] - pose[:2]
            sign = math.copysign(1.0, float(left @ apart))
            distance, normal = sign * distance, sign * normal
        if shape == "ring":
            gap, normal = half - radius - distance, -normal
        else:
            gap = distance - half - radius
        touch_b = center - radius * normal
        tangent = np.array([normal[1], -normal[0]])
        rate = np.array(list(rates.values()))

        def velocity(place: np.ndarray, moving: np.ndarray, at: np.ndarray) -> np.ndarray:
            r = at - place[:2]
            return moving[:2] + moving[2] * np.array([-r[1], r[0]])

        assert run["k.gap"][0] == pytest.approx(gap, abs=2e-8)
        if is_round:  # where they do not touch, s is the velocity at which they would slip if they were closer
            psi = tangent @ (velocity(pose[3:], rate[3:], center) - velocity(pose[:3], rate[:3], nearest)) / distance
            far = half - radius if shape == "ring" else half + radius
            spins = radius * rate[5] + (-half if shape == "ring" else half) * rate[2]
            slip, error = far * psi + spins, 1e-7
        else:  # the nearest of the places that were tried is up to 2e-5 m beside the nearest one
            slip = tangent @ (velocity(pose[3:], rate[3:], touch_b) - velocity(pose[:3], rate[:3], touch_b))
            error = 2e-5 * (2.0 + 2.0 / abs(distance))
        assert run["k.slide.rate"][0] == pytest.approx(slip, abs=error)


def test_a_sliding_ball_rolls_with_five_sevenths_of_its_speed() -> None:
    """Compliant, with smooth friction: angular momentum about the floor is conserved, whatever the friction."""
    m, rim = ball(vx=1.0)
    m.contact(m.ground.line((0, 0), (1, 0)), rim, stiffness=1e7, damping=1e7, mu=0.3, name="floor")
    run = gr.simulate(m, 0.6)
    assert run.status.ok
    assert run["ball.center.x.rate"][-1] == pytest.approx(5.0 / 7.0, rel=1e-6)
    assert run["ball.angle.rate"][-1] == pytest.approx(-5.0 / 7.0 / RADIUS, rel=1e-6)
    assert run["floor.slide.rate"][-1] == pytest.approx(0.0, abs=1e-6)
    # μ g decelerates it, with the mean of N = m g, until t = 2 v/(7 μ g)
    slipping = run.t[run["floor.slide.rate"] > 1e-3]
    assert slipping[-1] == pytest.approx(2.0 / 7.0 / (0.3 * G), rel=0.1)
    loss = -0.5 * MASS * (1.0 - 5.0 / 7.0)
    assert run["work.floor"][-1] == pytest.approx(loss, rel=1e-2)
    assert np.max(np.abs(run["balance"])) < 1e-6


def test_a_ball_in_a_tilted_ring_moves_as_newton_and_euler_say() -> None:
    """The same law in SciPy, in other coordinates."""
    k, c, mu, slow, big = 2e5, 4e4, 0.4, 0.05, 0.5
    m, rim = ball(x=0.3, y=-0.1, spin=20.0)
    m.contact(
        m.ground.circle((0, 0), big),
        rim,
        inside=True,
        stiffness=k,
        damping=c,
        exponent=1.5,
        mu=mu,
        slip_speed=slow,
        name="ring",
    )
    run = gr.simulate(m, 0.8, tol=1e-9)

    def rates(_: float, y: np.ndarray) -> list[float]:
        place, velocity, spin = y[0:2], y[3:5], y[5]
        far = math.hypot(*place)
        out = place / far
        depth, sinking = far + RADIUS - big, float(out @ velocity)
        push = max(k + c * sinking, 0.0) * max(depth, 0.0) ** 1.5
        along = np.array([-out[1], out[0]])
        slip = float(along @ velocity) * (big - RADIUS) / far + spin * RADIUS
        x = max(-1.0, min(1.0, slip / slow))
        rub = -mu * push * x * (1.5 - 0.5 * x * x)
        force = np.array([0.0, -MASS * G]) - push * out + rub * along * (big - RADIUS) / far
        return [*velocity, spin, *(force / MASS), rub * RADIUS / INERTIA]

    found = solve_ivp(
        rates, (0.0, 0.8), [0.3, -0.1, 0.0, 0.0, 0.0, 20.0], "DOP853", rtol=1e-11, atol=1e-12, max_step=1e-3
    )
    assert run.status.ok
    for name, value in zip(("center.x", "center.y", "angle"), found.y[:3, -1], strict=True):
        assert run[f"ball.{name}"][-1] == pytest.approx(value, abs=2e-7)
    assert np.max(np.abs(run["balance"])) < 1e-6


def test_contacts_are_written_and_read() -> None:
    m, rim = ball()
    m.contact(m.ground.line((0, 0), (3, 4)), rim, ends=True, thickness="2 mm", stiffness=1e6, mu=0.2, name="bar")
    m.contact(m.ground.circle((0, 0), 2.0), rim, inside=True, restitution=0.5, name="ring")
    again = loads(dumps(m.model))
    assert again.forces == m.model.forces
    bar = again.forces[0]
    assert isinstance(bar, Contact)
    assert (bar.length, bar.radius_a, bar.axis_a) == (5.0, 0.001, (0.6, 0.8))


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"b": "point", "ends": True}, "passes through a thin line"),
        ({"a": "point", "b": "point"}, "two points do not meet"),
        ({"inside": True}, "inside a line"),
        ({"a": "circle", "inside": True}, "must be smaller"),
        ({"stiffness": 0.0}, "positive stiffness"),
        ({"mu": -0.1}, "mu"),
        ({"a": "circle", "ends": True}, "those of a line"),
        ({"a": "own"}, "same body"),
    ],
)
def test_what_cannot_meet_is_refused(given: dict[str, object], words: str) -> None:
    m, rim = ball()
    shapes = {
        "line": m.ground.line((0, 0), (1, 0)),
        "circle": m.ground.circle((0, 0), 0.05),
        "point": m.ground.at(0, 0),
        "own": rim,
    }
    options: dict[str, object] = {"stiffness": 1e5, "name": "k"} | given
    a = shapes[str(options.pop("a", "line"))]
    b = rim.center if options.pop("b", "") == "point" else rim

    def describe() -> object:
        m.contact(a, b, **options)  # type: ignore[arg-type]
        return gr.simulate(m, 0.1)

    with pytest.raises(gr.ModelError, match=words):
        describe()
