"""Gears, belts, racks, worms, screws and differentials, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import grashof as gr
from grashof.model.handles import Handle


def pinned(m: gr.Mechanism, name: str, place: tuple[float, ...], inertia: float, mass: float = 1.0) -> Handle:
    """A wheel on a pin of the ground, in the plane or about z."""
    wheel = m.body(name, mass=mass, inertia=inertia if m.dimension == 2 else (inertia,) * 3)
    zero = (0.0,) * m.dimension
    m.revolute(m.ground.at(*place), wheel.at(*zero), axis=None if m.dimension == 2 else (0, 0, 1))
    m.need(wheel.angle, value=0.0)
    return wheel


def planetary(torque: float = 2.0) -> tuple[gr.Mechanism, float]:
    """Sun with 24 teeth, planet with 18, fixed ring with 60, and the inertia that a torque on the sun feels."""
    m = gr.Mechanism("planetary gears")
    sun, arm = pinned(m, "sun", (0, 0), 0.02), pinned(m, "arm", (0, 0), 0.3)
    planet = m.body("planet", mass=0.7, inertia=0.01)
    m.revolute(arm.at(0.21, 0), planet.at(0, 0))
    m.need(planet.angle, value=0.0)
    m.gear(sun, planet, teeth=(24, 18), name="inner")
    m.gear(planet, m.ground, teeth=(18, 60), internal=True, name="outer")
    m.torque(sun, torque)
    arm_ratio, planet_ratio = 24 / 84, (24 / 84) * (1 - 60 / 18)  # ω/ω_sun: Willis
    return m, 0.02 + (0.3 + 0.7 * 0.21**2) * arm_ratio**2 + 0.01 * planet_ratio**2


def test_planetary_gears_follow_willis_and_feel_the_reduced_inertia() -> None:
    m, reduced = planetary()
    run = gr.simulate(m, 3.0)
    assert run.status.ok
    assert (gr.mobility(m).dof, gr.mobility(m).coupled) == (1, 2)
    assert run["sun.angle"] == pytest.approx(0.5 * 2.0 / reduced * run.t**2, rel=1e-6, abs=1e-9)
    sun, arm, planet = (run[f"{name}.angle"] for name in ("sun", "arm", "planet"))
    assert (sun - arm) * 24 == pytest.approx(
        arm * 60, abs=1e-9
    )  # the ring stands still: (ω_s − ω_c)/(0 − ω_c) = −60/24
    assert (planet - arm) * 18 == pytest.approx(-60 * arm, abs=1e-9)


def test_without_a_fixed_ring_a_planetary_train_has_two_freedoms_and_shares_torques_by_willis() -> None:
    """Torques of sun, ring and carrier are as z_s : z_r : −(z_s + z_r), whatever they turn at."""
    m = gr.Mechanism("planetary gears")
    sun, ring, arm = (pinned(m, name, (0, 0), inertia) for name, inertia in (("sun", 0.2), ("ring", 0.9), ("arm", 0.5)))
    planet = m.body("planet", mass=0.0)
    m.revolute(arm.at(0.21, 0), planet.at(0, 0))
    m.gear(sun, planet, teeth=(24, 18), name="inner")
    m.gear(planet, ring, teeth=(18, 60), internal=True, name="outer")
    m.torque(sun, 3.0)
    m.torque(arm, -1.0)
    run = gr.simulate(m, 2.0)
    # J_s a_s = 3 + z_s f, J_r a_r = z_r f, J_c a_c = −1 − (z_s + z_r) f, z_s a_s + z_r a_r = (z_s + z_r) a_c
    flexibility = 24**2 / 0.2 + 60**2 / 0.9 + 84**2 / 0.5
    f = -(24 * 3.0 / 0.2 + 84 * 1.0 / 0.5) / flexibility
    assert run.status.ok
    assert gr.mobility(m).dof == 2
    assert run["sun.angle"] == pytest.approx(0.5 * (3 + 24 * f) / 0.2 * run.t**2, rel=1e-6, abs=1e-9)
    assert run["ring.angle"] == pytest.approx(0.5 * 60 * f / 0.9 * run.t**2, rel=1e-6, abs=1e-9)
    assert run["arm.angle"] == pytest.approx(0.5 * (-1 - 84 * f) / 0.5 * run.t**2, rel=1e-6, abs=1e-9)
    assert run.reactions()["inner.torque"] == pytest.approx(np.full(len(run.t), 24 * f))


@pytest.mark.parametrize(("crossed", "ratio"), [(False, 0.25), (True, -0.25)])
def test_a_belt_turns_its_wheels_by_their_radii(crossed: bool, ratio: float) -> None:
    m = gr.Mechanism("belt")
    small, large = pinned(m, "small", (0, 0), 0.01), pinned(m, "large", (1, 0), 0.3)
    m.belt(small, large, radii=(0.1, 0.4), crossed=crossed)
    m.torque(small, 0.5)
    run = gr.simulate(m, 2.0)
    assert run.status.ok
    assert run["small.angle"] == pytest.approx(0.25 / (0.01 + 0.3 / 16) * run.t**2, rel=1e-6, abs=1e-9)
    assert run["large.angle"] == pytest.approx(ratio * run["small.angle"], abs=1e-9)


def test_bevel_gears_turn_by_their_teeth_about_axes_at_right_angles() -> None:
    m = gr.Mechanism("bevel", dimension=3)
    first = m.body("first", mass=1.0, inertia=(0.2, 0.1, 0.1))
    second = m.body("second", mass=1.0, inertia=(0.5, 0.7, 0.5))
    m.revolute(m.ground.at(1, 0, 0), first.at(0, 0, 0), axis=(1, 0, 0))
    m.revolute(m.ground.at(0, 1, 0), second.at(0, 0, 0), axis=(0, 1, 0))
    m.gear(first, second, teeth=(15, 45))
    m.need(first.angle, value=0.0)
    m.torque(first, 1.0)
    run = gr.simulate(m, 2.0)
    assert run.status.ok
    assert run["first.angle"] == pytest.approx(0.5 / (0.2 + 0.7 / 9) * run.t**2, rel=1e-6, abs=1e-9)
    # the pitch cones roll on each other along (3, 1, 0) from where the axes meet
    contact = np.array([3.0, 1.0, 0.0]) / 3.0
    speeds = [
        np.cross([1, 0, 0], contact) * run["first.angle.rate"][-1],
        np.cross([0, 1, 0], contact) * run["second.angle.rate"][-1],
    ]
    assert speeds[0] == pytest.approx(speeds[1], abs=1e-9)


def test_bevel_gears_in_a_turning_carrier_are_a_differential() -> None:
    """Two wheels and a planet between them, all in space: θ_left + θ_right = 2 θ_carrier without being told so."""
    m = gr.Mechanism("differential", dimension=3)
    bodies = {name: m.body(name, mass=1.0, inertia=(0.1, 0.2, 0.3)) for name in ("carrier", "left", "right", "planet")}
    for name in ("carrier", "left", "right"):
        m.revolute(m.ground.at(0, 0, 0), bodies[name].at(0, 0, 0), axis=(1, 0, 0))
    m.revolute(bodies["carrier"].at(0, 0.1, 0), bodies["planet"].at(0, 0, 0), axis=(0, 1, 0))
    on_carrier = {"reference": bodies["carrier"]}
    spin = m.angle("spin", bodies["planet"], axis=(0, 1, 0), **on_carrier)
    left = m.angle("left spin", bodies["left"], axis=(-1, 0, 0), **on_carrier)
    right = m.angle("right spin", bodies["right"], axis=(1, 0, 0), **on_carrier)
    m.gear(left, spin, teeth=(20, 10))
    m.gear(right, spin, teeth=(20, 10))
    for name in ("carrier", "left", "right"):
        m.need(bodies[name].angle, value=0.0)
    m.torque(bodies["carrier"], 2.0)
    m.torque(bodies["left"], 0.7)
    run = gr.simulate(m, 3.0)
    assert run.status.ok
    assert run["left.angle"][-1] > 10.0
    assert run["left.angle"] + run["right.angle"] == pytest.approx(2.0 * run["carrier.angle"], abs=1e-8)


def test_a_worm_holds_its_wheel_and_turns_it_by_one_tooth_a_turn() -> None:
    m = gr.Mechanism("worm", dimension=3)
    worm, wheel = (m.body(name, mass=1.0, inertia=(0.001, 0.001, 0.001)) for name in ("worm", "wheel"))
    m.revolute(m.ground.at(0, 0, 0), worm.at(0, 0, 0), axis=(1, 0, 0))
    m.revolute(m.ground.at(0, 0.1, 0), wheel.at(0, 0, 0), axis=np.cross((0, 1, 0), (1, 0, 0)))
    m.worm(worm, wheel, teeth=40, name="teeth")
    m.need(worm.angle, value=0.0)
    m.torque(worm, 1e-3)
    m.torque(wheel, -0.02)
    run = gr.simulate(m, 5.0)
    assert run.status.ok
    reduced = 0.001 * (1 + 1 / 1600)
    assert run["worm.angle"] == pytest.approx(0.5 * (1e-3 - 0.02 / 40) / reduced * run.t**2, rel=1e-6, abs=1e-9)
    # a right-handed thread that turns about +x pushes the tooth it meets towards −x
    tooth = np.cross(np.array([0, 0, -1.0]) * run["wheel.angle.rate"][-1], [0, -0.1, 0])
    assert tooth[0] < 0.0


def test_a_screw_joint_turns_a_force_into_a_torque() -> None:
    """A nut of lead p on a screw that is itself carried by a slider: (m + J (2π/p)²) z̈ = f, and the screw's torque
    is p f/2π."""
    m = gr.Mechanism("press", gravity=(0, 0, -9.81))
    screw, nut = (
        m.body("screw", mass=1.0, inertia=(1e-3, 1e-3, 1e-3)),
        m.body("nut", mass=3.0, inertia=(0.01, 0.01, 0.02)),
    )
    m.revolute(m.ground.at(0, 0, 0), screw.at(0, 0, 0), axis=(0, 0, 1))
    m.prismatic(m.ground.at(1, 0, 0), nut.at(1, 0, 0), axis=(0, 0, 1))
    m.screw(screw.at(0, 0, 0), nut.at(0, 0, 0), axis=(0, 0, 1), lead=-0.01, name="thread")
    m.need(screw.angle, value=0.0)
    m.torque(screw, 0.2)
    run = gr.simulate(m, 1.0)
    pitch = 0.01 / (2 * np.pi)  # the nut does not turn: left-handed, it rises by p a turn of the screw
    acceleration = (0.2 / pitch - 3.0 * 9.81) / (3.0 + 1e-3 / pitch**2)
    assert run.status.ok
    assert gr.mobility(m).dof == 1
    assert run["nut.p2.z"] == pytest.approx(0.5 * acceleration * run.t**2, abs=1e-7)
    assert run["screw.angle"] == pytest.approx(run["nut.p2.z"] / pitch, abs=1e-6)
    assert run.reactions()["thread.force"] == pytest.approx(np.full(len(run.t), 3.0 * (acceleration + 9.81)), rel=1e-6)


def test_a_rack_on_a_rolling_pinion_moves_twice_as_far() -> None:
    """A pinion rolls on a fixed rack below it and pushes another one above it: x = 2 x_p, (4 m + m_p + J/r²) ẍ_p = 2
    f."""
    m = gr.Mechanism("double rack")
    pinion, rack = m.body("pinion", mass=2.0, inertia=0.03), m.body("rack", mass=1.0, inertia=1.0)
    m.prismatic(m.ground.at(0, 0.2), rack.at(0, 0, name="o"), axis=(1, 0))
    m.pin_in_slot(m.ground.line((0, 0.1), (1, 0.1)), pinion.at(0, 0, name="o"))
    m.rack("pinion.o.x", pinion, radius=-0.1)
    m.coupling({"rack.o.x": 1.0, "pinion.o.x": -1.0, pinion: 0.1})
    for quantity in ("pinion.angle", "pinion.o.x", "rack.o.x"):
        m.need(quantity, value=0.0)
    m.force(rack.o, (4.0, 0.0))
    run = gr.simulate(m, 1.0)
    assert run.status.ok
    assert run["pinion.o.x"] == pytest.approx(0.5 * 8.0 / (4.0 + 2.0 + 0.03 / 0.01) * run.t**2, abs=1e-7)
    assert run["rack.o.x"] == pytest.approx(2.0 * run["pinion.o.x"], abs=1e-9)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"teeth": (20, 0)}, r"teeth is \(20.0, 0.0\); it must not be zero"),
        ({"teeth": (20, -40)}, r"teeth is \(20.0, -40.0\); it must be positive"),
        ({"teeth": (20,)}, "it must be 2 numbers"),
        ({"b": "first.p1.x"}, r"b is 'first\.p1\.x', which is in m; it must be an angle"),
        ({"b": "secnd.angle"}, r"there is no measure 'secnd\.angle'; did you mean 'second\.angle'"),
        ({"b": "first.angle"}, r"it ties 'first\.angle' to itself"),
    ],
)
def test_gears_that_cannot_be_are_refused(change: dict[str, object], words: str) -> None:
    m = gr.Mechanism("gears")
    for k, name in enumerate(("first", "second")):
        pinned(m, name, (k, 0), 0.1)
    gear = {"a": "first.angle", "b": "second.angle", "teeth": (20, 40), **change}
    with pytest.raises(gr.ModelError, match=words):
        m.gear(**gear) or gr.simulate(m, 1.0)  # type: ignore[arg-type]


def test_gears_whose_carrier_cannot_be_found_ask_for_it() -> None:
    m = gr.Mechanism("gears")
    first, second = pinned(m, "first", (0, 0), 0.1), m.body("second", mass=1.0, inertia=0.1)
    with pytest.raises(gr.ModelError, match="no body holds the axes of both 'first' and 'second'"):
        m.gear(first, second, teeth=(1, 2))


@pytest.mark.parametrize(("teeth", "dof"), [((2, 4), 1), ((1, 3), 0)])
def test_gears_in_parallel_run_if_they_agree_and_stand_still_if_not(teeth: tuple[float, float], dof: int) -> None:
    m = gr.Mechanism("gears")
    first, second = pinned(m, "first", (0, 0), 0.1), pinned(m, "second", (1, 0), 0.1)
    m.gear(first, second, teeth=(1, 2), name="one")
    m.gear(first, second, teeth=teeth, name="two")
    m.torque(first, 1.0)
    report = gr.mobility(m)
    assert report.dof == dof
    assert report.idle_motors == (("two",) if dof else ())
    assert ("1 redundant coupling" in str(report)) == bool(dof)
    run = gr.simulate(m, 2.0)
    assert run.status.ok
    assert run["first.angle"] == pytest.approx(0.5 * dof / (0.1 + 0.1 / 4) * run.t**2, rel=1e-6, abs=1e-9)
    assert sum(run.reactions().couplings.values()) == pytest.approx(np.full(len(run.t), -0.2 if dof else -1.0))


def test_gears_keep_their_phase_over_thousands_of_turns() -> None:
    m = gr.Mechanism("fast gears")
    first, second = pinned(m, "first", (0, 0), 0.1), pinned(m, "second", (1, 0), 0.1)
    m.gear(first, second, teeth=(17, 31))
    m.need(first.angle, rate=2000.0)
    run = gr.simulate(m, 5.0, tol=1e-6)
    assert run.status.ok
    assert run["first.angle"][-1] == pytest.approx(10_000.0, abs=1e-4)
    assert 17 * run["first.angle"] == pytest.approx(-31 * run["second.angle"], abs=1e-8)


@pytest.mark.parametrize("ratio", [1e-4, 1e4, 1e6])
def test_gears_of_extreme_ratios_feel_the_reduced_inertia(ratio: float) -> None:
    m = gr.Mechanism("gears")
    first, second = pinned(m, "first", (0, 0), 1e-4), pinned(m, "second", (1, 0), 1e3)
    m.gear(first, second, teeth=(1.0, ratio))
    m.torque(first, 1e-3)
    run = gr.simulate(m, 10.0)
    assert run.status.ok
    assert gr.mobility(m).dof == 1
    assert run["first.angle"] == pytest.approx(0.5e-3 / (1e-4 + 1e3 / ratio**2) * run.t**2, rel=1e-6, abs=1e-12)


def test_a_belt_leads_a_parallelogram_through_its_change_points() -> None:
    """Where all bars are in line its joints alone would let it go either way; elsewhere the belt is redundant."""
    m = gr.Mechanism("parallelogram")
    left, right = (m.bar(name, mass=1.0, start=(x, 0), end=(x, 0.5)) for name, x in (("left", 0.0), ("right", 1.0)))
    rod = m.bar("rod", mass=1.0, start=(0, 0.5), end=(1, 0.5))
    m.revolute(m.ground.at(0, 0), left.start)
    m.revolute(m.ground.at(1, 0), right.start)
    m.revolute(left.end, rod.start)
    m.revolute(right.end, rod.end)
    m.belt(left, right, radii=(0.1, 0.1), carrier=m.ground, name="belt")
    m.need(left.angle, value=1.5, rate=8.0)
    assert gr.mobility(m).idle_motors == ("belt",)
    run = gr.simulate(m, 5.0)
    assert run.status.ok
    assert run["left.angle"] == pytest.approx(1.5 + 8.0 * run.t, abs=1e-5)
    assert run["rod.angle"] == pytest.approx(np.zeros(len(run.t)), abs=1e-9)


def test_a_point_of_a_planet_half_as_large_as_its_ring_moves_on_a_straight_line() -> None:
    """Cardan's gears: the straight line passes through the centre, where a crank would have its dead points."""
    m = gr.Mechanism("Cardan gears")
    arm = m.bar("arm", mass=1.0, start=(0, 0), end=(0.2, 0))
    planet = m.body("planet", mass=1.0, inertia=0.01, position=(0.2, 0))
    m.revolute(m.ground.at(0, 0), arm.start)
    m.revolute(arm.end, planet.at(0, 0))
    m.gear(planet, m.ground, teeth=(1, 2), internal=True)
    planet.at(0.2, 0, name="pin")
    m.need(arm.angle, value=0.0, rate=7.0)
    m.need(planet.angle, value=0.0)
    run = gr.simulate(m, 5.0)
    assert run.status.ok
    assert run["planet.pin.y"] == pytest.approx(np.zeros(len(run.t)), abs=1e-12)
    assert run["planet.pin.x"] == pytest.approx(0.4 * np.cos(7.0 * run.t), abs=1e-5)


@settings(deadline=None, max_examples=5)
@given(seed=st.integers(0, 10**6))
def test_any_train_of_wheels_and_racks_feels_the_reduced_inertia(seed: int) -> None:
    """Each wheel or rack hangs on some earlier one by a coupling of any kind: J = Σ Jᵢ iᵢ², iᵢ being products of
    ratios."""
    rng = np.random.default_rng(seed)
    m = gr.Mechanism("train")
    pinned(m, "w0", (0, 0), 0.1)
    ratios, reduced = [1.0], 0.1
    for k in range(1, int(rng.integers(2, 7))):
        on = int(rng.integers(0, len(ratios)))
        kind, a, b = (
            rng.choice(["gear", "internal", "belt", "crossed", "worm", "linear"]),
            *rng.uniform(0.3, 3.0, size=2),
        )
        new = pinned(m, f"w{k}", (k, 0), 0.1)
        old = f"w{on}.angle"
        if kind in ("gear", "internal"):
            m.gear(old, new.angle, teeth=(a, b), internal=kind == "internal")
        elif kind in ("belt", "crossed"):
            m.belt(old, new.angle, radii=(a, b), crossed=kind == "crossed")
        elif kind == "worm":
            m.worm(old, new.angle, teeth=b, starts=a)
        else:
            m.coupling({old: -a, new: b})
        ratio = a / b * (-1.0 if kind in ("gear", "crossed") else 1.0)
        ratios.append(ratios[on] * ratio)
        reduced += 0.1 * ratios[-1] ** 2
    rack = m.body("rack", mass=0.5, inertia=1.0)
    m.prismatic(m.ground.at(0, -1), rack.at(0, 0, name="o"), axis=(1, 0))
    m.need("rack.o.x", value=0.0)
    m.rack("rack.o.x", f"w{len(ratios) - 1}.angle", radius=0.2)
    m.torque("w0.angle", 1.0)
    reduced += 0.5 * (0.2 * ratios[-1]) ** 2
    run = gr.simulate(m, 2.0)
    assert run.status.ok
    assert gr.mobility(m).dof == 1
    for k, ratio in enumerate(ratios):
        assert run[f"w{k}.angle"] == pytest.approx(0.5 * ratio / reduced * run.t**2, rel=1e-6, abs=1e-9)


def test_couplings_that_depend_on_time_count_as_motors() -> None:
    m = gr.Mechanism("wheels")
    first, second = pinned(m, "first", (0, 0), 0.1), pinned(m, "second", (1, 0), 0.1)
    m.coupling({first: 1, second: 1}, "sin(t)", name="one")
    m.coupling({first: 1, second: 1}, "sin(t)", name="two")
    report = gr.mobility(m)
    assert (report.motors, report.couplings, report.dof, report.dof_without_motors) == (2, 0, 1, 2)
    assert report.idle_motors == ("two",)


def test_an_angle_whose_direction_leans_can_be_geared() -> None:
    """A pendulum in space whose azimuth turns a wheel: its projection gets shorter and longer, the sum stays what it
    is."""
    m = gr.Mechanism("azimuth", gravity=(0, 0, -9.81))
    bob = m.body("bob", mass=1.0, inertia=(0.01, 0.02, 0.03))
    m.spherical(m.ground.at(0, 0, 0), bob.at(0, 0, 1))
    bob.at(0, 0, 0, name="o")
    wheel = m.body("wheel", mass=1.0, inertia=(0.1, 0.1, 0.1))
    m.revolute(m.ground.at(2, 0, 0), wheel.at(0, 0, 0), axis=(0, 0, 1))
    azimuth = m.angle("azimuth", bob, axis=(0, 0, 1), zero=(1, 0, 0), direction=(0.6, 0, -0.8))
    m.gear(azimuth, wheel, teeth=(1, 1))
    m.need(wheel.angle, value=0.0)
    for quantity, value, rate in (("bob.o.x", 0.5, 0.0), ("bob.o.y", 0.0, 1.2)):
        m.need(quantity, value=value, rate=rate)
    run = gr.simulate(m, 5.0)
    total = run["azimuth"] + run["wheel.angle"]
    assert run.status.ok
    assert np.ptp(run["azimuth"]) > 1.0
    assert total == pytest.approx(np.full(len(total), total[0]), abs=1e-12)
    assert np.max(np.abs(run["balance"])) < 1e-6
