"""Pins, rollers and flat faces on curves, and gears of variable ratio, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import grashof as gr
from grashof.model.handles import Handle, Profile

G = 9.81
OFF, BIG, ROLLER = 0.01, 0.03, 0.008  # an eccentric disk: eccentricity, radius; radius of a roller, m


def disk(cam: Handle, form: str) -> Profile:
    """The same eccentric disk, given in several ways."""
    turns = np.linspace(0.0, 2.0 * np.pi, 48, endpoint=False)
    forms: dict[str, dict[str, object]] = {
        "implicit": {"implicit": f"((x - {OFF})**2 + y**2)/{BIG} - {BIG}"},
        "radius": {"radius": f"{OFF}*cos(phi) + sqrt({BIG}**2 - ({OFF}*sin(phi))**2)"},
        "points": {"points": np.column_stack([OFF + BIG * np.cos(turns), BIG * np.sin(turns)])},
    }
    return cam.curve(**forms[form])  # type: ignore[arg-type]


def cam_and_follower(speed: float) -> tuple[gr.Mechanism, Handle, Handle]:
    """A cam that turns at a given speed and a follower of 0.5 kg above it."""
    m = gr.Mechanism("cam")
    cam = m.body("cam", mass=1.0, inertia=0.01)
    follower = m.body("follower", mass=0.5, inertia=1.0, position=(0, 2 * BIG))
    m.revolute(m.ground.at(0, 0), cam.at(0, 0))
    m.prismatic(m.ground.at(0, 0), follower.at(0, 0, name="o"), axis=(0, 1))
    m.motor(cam, f"{speed}*t")
    return m, cam, follower


@pytest.mark.parametrize(("form", "near"), [("implicit", 1e-12), ("radius", 1e-12), ("points", 1e-6)])
def test_a_flat_follower_of_an_eccentric_disk_moves_harmonically(form: str, near: float) -> None:
    """y = R + e sin ωt, so that the face is pressed with −m e ω² sin ωt."""
    m, cam, follower = cam_and_follower(5.0)
    m.flat_face(disk(cam, form), follower.line((0, 0), (-1, 0)), name="face")
    m.guess("face contact", (0, BIG))
    run = gr.simulate(m, 1.0)
    assert run.status.ok
    assert run["follower.o.y"] == pytest.approx(BIG + OFF * np.sin(5 * run.t), abs=near)
    pressed = run.reactions()["face.force"]
    assert pressed == pytest.approx(-0.5 * OFF * 25 * np.sin(5 * run.t), abs=max(1e-9, 1e3 * near))


@pytest.mark.parametrize(("form", "near"), [("implicit", 1e-12), ("radius", 1e-12), ("points", 1e-6)])
def test_a_roller_on_an_eccentric_disk_moves_like_the_piston_of_a_crank(form: str, near: float) -> None:
    """Its centre keeps the distance R + r from that of the disk: y = e sin ωt + √((R + r)² − e² cos² ωt)."""
    m, cam, follower = cam_and_follower(5.0)
    m.roller(disk(cam, form), follower.o, radius=ROLLER, name="roller")
    m.guess("roller contact", (0, BIG + ROLLER), angle=-np.pi / 2)
    run = gr.simulate(m, 1.0)
    wt = 5 * run.t
    assert run.status.ok
    assert run["follower.o.y"] == pytest.approx(
        OFF * np.sin(wt) + np.sqrt((BIG + ROLLER) ** 2 - OFF**2 * np.cos(wt) ** 2), abs=near
    )


def test_a_pin_in_an_eccentric_groove_moves_like_a_crank_and_its_normal_force_too() -> None:
    m, cam, follower = cam_and_follower(5.0)
    m.pin_on_curve(disk(cam, "implicit"), follower.o, name="groove")
    m.want("follower.o.y", value=BIG)
    run = gr.simulate(m, 1.0)
    wt = 5 * run.t
    rod = np.sqrt(BIG**2 - OFF**2 * np.cos(wt) ** 2)
    assert run.status.ok
    assert run["follower.o.y"] == pytest.approx(OFF * np.sin(wt) + rod, abs=1e-12)
    # ÿ by differentiating, and the pressure along the rod, which leans by asin(e cos ωt / R)
    lean = OFF**2 * np.cos(wt) * np.sin(wt) / rod
    jerk = OFF**2 * np.cos(2 * wt) / rod - lean**2 / rod
    acceleration = 25 * (-OFF * np.sin(wt) + jerk)
    assert run.reactions()["groove.force"] == pytest.approx(0.5 * acceleration * BIG / rod, abs=1e-9)


def test_a_bead_on_a_cycloid_swings_in_the_same_time_from_anywhere() -> None:
    """Huygens: s̈ = −(g/4a) s along the arc. The cycloid in its implicit form, about its lowest point."""
    a = 0.25
    m = gr.Mechanism("tautochrone", gravity=(0, -G))
    bead = m.body("bead", mass=1.0, position=(0.3, 0.1)).at(0, 0, name="o")
    # y = a (1 − cos u), x = a (u + sin u) with u = acos(1 − y/a), right of the lowest point and left of it
    m.pin_on_curve(m.ground.curve(implicit=f"abs(x) - {a}*acos(1 - y/{a}) - sqrt(y*(2*{a} - y))"), bead)
    m.need("bead.o.x", value=a * (1.2 + np.sin(1.2)))
    run = gr.simulate(m, 0.9 * 0.5 * np.pi * np.sqrt(4 * a / G))
    arc = 4 * a * np.sin(0.6) * np.cos(np.sqrt(G / (4 * a)) * run.t)
    assert run.status.ok
    u = 2 * np.arcsin(arc / (4 * a))
    assert run["bead.o.y"] == pytest.approx(a * (1 - np.cos(u)), abs=1e-7)


def test_a_bead_on_a_wire_follows_lagrange() -> None:
    """y = f(x): (1 + f'²) ẍ + f' f″ ẋ² + g f' = 0, by another program; and the same wire through points."""
    m = gr.Mechanism("wire", gravity=(0, -G))
    bead = m.body("bead", mass=1.0, position=(0.5, 0.3)).at(0, 0, name="o")
    m.pin_on_curve(m.ground.curve(y="0.3*cosh(x) + 0.1*sin(5*x)"), bead)
    m.need("bead.o.x", value=0.7)
    run = gr.simulate(m, 3.0, tol=1e-9)

    def rates(t: float, y: np.ndarray) -> list[float]:
        x, speed = y
        slope, bend = 0.3 * np.sinh(x) + 0.5 * np.cos(5 * x), 0.3 * np.cosh(x) - 2.5 * np.sin(5 * x)
        return [speed, -(slope * bend * speed**2 + G * slope) / (1 + slope**2)]

    exact = solve_ivp(rates, (0, 3), [0.7, 0], rtol=1e-11, atol=1e-12, dense_output=True).sol(run.t)[0]
    assert run.status.ok
    assert run["bead.o.x"] == pytest.approx(exact, abs=1e-6)


def test_an_open_curve_through_points_is_near_what_they_are_taken_from() -> None:
    places = np.linspace(-1.0, 1.0, 41)
    runs = []
    for form in ({"y": "0.4*x**2"}, {"points": np.column_stack([places, 0.4 * places**2]), "closed": False}):
        m = gr.Mechanism("wire", gravity=(0, -G))
        bead = m.body("bead", mass=1.0, position=(0.5, 0.3)).at(0, 0, name="o")
        m.pin_on_curve(m.ground.curve(**form), bead)
        m.need("bead.o.x", value=0.7)
        runs.append(gr.simulate(m, 2.0, tol=1e-9))
    assert all(run.status.ok for run in runs)
    assert runs[0]["bead.o.x"] == pytest.approx(runs[1]["bead.o.x"], abs=1e-7)  # a cubic spline has the parabola in it


def test_a_gear_of_variable_ratio() -> None:
    """θ₂ = g(θ₁) = θ₁ + k sin θ₁: the energy of both wheels is ½ (J₁ + J₂ g'²) θ̇₁², which stays what it is."""
    m = gr.Mechanism("elliptic gears")
    for k, (name, inertia) in enumerate((("first", 0.2), ("second", 0.5))):
        m.revolute(m.ground.at(k, 0), m.body(name, mass=1.0, inertia=inertia).at(0, 0))
    m.coupling("second.angle - first.angle - 0.4*sin(first.angle)", name="gears")
    m.need("first.angle", value=0.0, rate=3.0)
    run = gr.simulate(m, 20.0)
    angle = run["first.angle"]
    ratio = 1 + 0.4 * np.cos(angle)
    assert run.status.ok
    assert gr.mobility(m).dof == 1
    assert angle[-1] > 40.0
    assert run["second.angle"] == pytest.approx(angle + 0.4 * np.sin(angle), abs=1e-9)
    energy = 0.5 * (0.2 + 0.5 * ratio**2) * run["first.angle.rate"] ** 2
    assert energy == pytest.approx(np.full(len(energy), energy[0]), rel=1e-5)
    second = np.gradient(run["second.angle.rate"], run.t)
    assert run.reactions()["gears.torque"][5:-5] == pytest.approx(0.5 * second[5:-5], abs=0.01)


def test_a_lift_diagram_as_a_table_gives_the_acceleration_of_its_function() -> None:
    """y = s(φ) at a constant speed ω: ÿ = s″ ω², which the follower needs as a force."""
    m, _, _ = cam_and_follower(5.0)
    turn = np.linspace(0.0, 2.0 * np.pi, 201)
    lift = 0.03 + 0.005 * np.exp(np.cos(turn))
    lift[-1] = lift[0]
    m.table("lift", turn, lift, kind="cubic", periodic=True)
    m.coupling("follower.o.y - lift(cam.angle)", name="lift")
    run = gr.simulate(m, 2.0)
    phi = 5.0 * run.t
    assert run.status.ok
    assert run["follower.o.y"] == pytest.approx(0.03 + 0.005 * np.exp(np.cos(phi)), abs=1e-8)
    bend = 0.005 * np.exp(np.cos(phi)) * (np.sin(phi) ** 2 - np.cos(phi))
    assert run.reactions()["lift.force"] == pytest.approx(0.5 * 25 * bend, abs=1e-3 * 0.5 * 25 * 0.005)


def test_a_curve_may_be_given_by_a_table() -> None:
    m, cam, follower = cam_and_follower(5.0)
    turn = np.linspace(-np.pi, np.pi, 201)
    radius = OFF * np.cos(turn) + np.sqrt(BIG**2 - OFF**2 * np.sin(turn) ** 2)
    radius[-1] = radius[0]
    m.table("profile", turn, radius, kind="cubic", periodic=True)
    m.roller(cam.curve(radius="profile(phi)"), follower.o, radius=ROLLER, name="roller")
    m.guess("roller contact", (0, BIG + ROLLER), angle=-np.pi / 2)
    run = gr.simulate(m, 0.5)
    wt = 5 * run.t
    assert run.status.ok
    assert run["follower.o.y"] == pytest.approx(
        OFF * np.sin(wt) + np.sqrt((BIG + ROLLER) ** 2 - OFF**2 * np.cos(wt) ** 2), abs=1e-8
    )


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"radius": "sinn(phi)"}, "neither a function nor a table; did you mean 'sin'"),
        ({}, "its curve is given by nothing"),
        ({"y": "x", "radius": "1"}, "its curve is given by y and radius"),
        ({"y": "x + t"}, "y depends on 't'; it is an expression in x alone"),
        ({"radius": "1 + 0.1*x"}, "radius depends on 'x'; it is an expression in phi alone"),
        ({"radius": "1 + 0.1*phi"}, "where the curve closes"),
        ({"radius": "1 +"}, "it is not an expression"),
        ({"points": [(1, 0), (0, 1), (1, 1), (-1, 0), (0, -1)]}, "do not go once around the origin"),
        ({"points": [(1, 0), (0, 1)], "closed": True}, "do not go once around the origin"),
        ({"points": [(1, 0), (0, 1), (2, 1)], "closed": False}, "x must increase"),
        ({"points": [(1, 0, 3)]}, "it must be 2 numbers"),
    ],
)
def test_curves_that_cannot_be_are_refused(form: dict[str, object], words: str) -> None:
    m = gr.Mechanism("wire", gravity=(0, -G))
    bead = m.body("bead", mass=1.0, position=(0.5, 0.3)).at(0, 0, name="o")
    with pytest.raises(gr.ModelError, match=words):
        m.pin_on_curve(m.ground.curve(**form), bead) or m.model  # type: ignore[arg-type]


def test_a_coupling_of_rates_is_refused() -> None:
    m = gr.Mechanism("wheel")
    m.revolute(m.ground.at(0, 0), m.body("wheel", mass=1.0, inertia=0.1).at(0, 0))
    m.coupling("wheel.angle.rate - 3")
    with pytest.raises(gr.ModelError, match="ties positions, not their rates"):
        gr.simulate(m, 1.0)
