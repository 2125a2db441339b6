"""Motions that motors give, against closed forms and against simulations."""

import math
from collections.abc import Callable

import numpy as np
import pytest

import grashof as gr


def slider_crank(law="2*pi*t + 0.3", mass=1.0, slider=False):
    """Crank 0.2 m, rod 0.5 m; the motor turns the crank, or holds the slider's distance from x = −1 m."""
    m = gr.Mechanism("slider crank", gravity=(0, -9.81))
    crank, rod = m.bar("crank", length=0.2, mass=mass), m.bar("rod", length=0.5, mass=mass)
    m.revolute(m.ground.at(0, 0), crank.start, name="A")
    m.revolute(crank.end, rod.start, name="B")
    m.slider(m.ground.line((0, 0), (1, 0)), rod.end, name="C")
    if slider:
        m.separation("reach", m.ground.at(-1, 0), rod.end)
        m.motor("reach", law, name="drive")
        m.want(crank.angle, value=0.5)
    else:
        m.motor(crank, law, name="drive")
    return m


def four_bar(lengths, law="3*t + 1", mass=1.0, rocker=1.0):
    """Crank, coupler, rocker and ground link, the crank driven."""
    m = gr.Mechanism("four-bar", gravity=(0, -9.81))
    a, b, c = (m.bar(name, length=x, mass=mass) for name, x in zip("abc", lengths, strict=False))
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, c.end)
    m.revolute(m.ground.at(lengths[3], 0), c.start)
    m.motor(a, law, name="drive")
    m.want(c.angle, value=rocker)
    return m


def test_a_slider_crank_moves_as_its_closed_form_says_through_all_dead_centres():
    run = gr.kinematics(slider_crank(mass=0.0), 3.0)
    assert run.status.ok
    w, phi = 2.0 * math.pi, 2.0 * math.pi * run.t + 0.3
    s, c = 0.2 * np.sin(phi), 0.2 * np.cos(phi)
    root = np.sqrt(0.25 - s * s)
    rate = -w * s - w * s * c / root
    acceleration = -w * w * c - w * w * ((c * c - s * s) / root + (s * c) ** 2 / root**3)
    assert run["rod.end.x"] == pytest.approx(c + root, abs=1e-13)
    assert run["rod.end.x.rate"] == pytest.approx(rate, abs=1e-11)
    form = run.program.system.point("rod.end")[0]
    assert form.rate(list(run.a.T)) == pytest.approx(acceleration, abs=1e-9)
    assert run["crank.angle"][-1] == pytest.approx(6.0 * math.pi + 0.3)  # whole turns are counted


def test_efforts_and_reactions_are_those_of_a_simulation():
    run, other = gr.kinematics(slider_crank(), 2.0), gr.simulate(slider_crank(), 2.0, tol=1e-10)
    found, expected = run.reactions(), other.reactions()
    for name in found.names:
        assert found[name] == pytest.approx(expected[name], abs=1e-7)
    assert run["work.drive"] == pytest.approx(other["work.drive"], abs=1e-8)
    assert np.max(np.abs(run["balance"])) < 1e-11


def test_springs_load_a_motor_though_nothing_has_mass():
    m = gr.Mechanism("arm")
    arm = m.bar("arm", length=2.0)
    m.revolute(m.ground.at(0, 0), arm.start)
    m.spring(m.ground.at(0, -3), arm.end, stiffness=10.0, length=1.0)
    m.motor(arm, "t", name="drive")
    run = gr.kinematics(m, 1.0)
    assert run.massless
    # the moment of the spring's pull about the hinge
    x, y = 2.0 * np.cos(run.t), 2.0 * np.sin(run.t)
    length = np.hypot(x, y + 3.0)
    pull = 10.0 * (length - 1.0) / length
    assert run.reactions()["drive.torque"] == pytest.approx(pull * 3.0 * x, abs=1e-10)
    assert run["work.drive"][-1] == pytest.approx(5.0 * ((length[-1] - 1.0) ** 2 - (length[0] - 1.0) ** 2), abs=1e-10)


def test_a_motor_on_the_slider_stops_at_the_dead_centre_and_says_so():
    run = gr.kinematics(slider_crank("1.6 + 0.05*t", slider=True), 3.0)
    assert not run.status.ok
    assert run.status.time == pytest.approx(2.0, abs=1e-6)  # reach 1.7 m
    assert "dead centre" in str(run.status)
    assert "'crank'" in str(run.status)
    assert run.t[-1] <= run.status.time


@pytest.mark.parametrize("short", [1e-2, 1e-5, 1e-9])
def test_a_motor_that_turns_back_before_a_dead_centre_turns_the_crank_back(short):
    run = gr.kinematics(slider_crank(f"1.5 + {0.2 - short}*sin(3*t)", slider=True), 3.0)
    assert run.status.ok
    assert run["crank.angle"].min() > 0.0
    assert run["crank.angle"].max() < math.pi
    x = 0.5 + (0.2 - short) * np.sin(3.0 * run.t)
    assert np.cos(run["crank.angle"]) == pytest.approx((x * x + 0.04 - 0.25) / (0.4 * x), abs=1e-9)


def test_a_dead_centre_that_is_met_exactly_leaves_a_doubt():
    run = gr.kinematics(slider_crank("1.5 + 0.2*sin(3*t)", slider=True), 1.0)
    assert run.status.reached
    assert not run.status.believed
    assert "t = 0.523599 s" in str(run.status)  # π/6
    assert len(run.t) == 1001


@pytest.mark.parametrize("mass", [0.0, 1.0])
def test_a_parallelogram_stays_one_through_its_change_points(mass):
    run = gr.kinematics(four_bar([0.3, 1.0, 0.3, 1.0], mass=mass), 10.0)
    assert run.status.ok
    assert run["a.angle"] == pytest.approx(run["c.angle"], abs=1e-12)


@pytest.mark.parametrize("off", [0.0, 1e-7, 1e-4])
def test_two_change_points_at_once_that_are_narrowly_missed_are_not_crossed(off):
    # two windows beside each other: with longer rockers each is a crank-rocker, whose rocker does not pass the line of
    # the pivots
    m = gr.Mechanism("two windows", gravity=(0, -9.81))
    rockers = [m.bar(f"rocker{k}", length=0.3 + k * off, mass=1.0) for k in range(3)]
    tops = [m.bar(f"top{k}", length=1.0, mass=1.0) for k in range(2)]
    for k, rocker in enumerate(rockers):
        m.revolute(m.ground.at(float(k), 0.0), rocker.start)
        m.want(rocker.angle, value=1.0)
    for k, top in enumerate(tops):
        m.revolute(rockers[k].end, top.start)
        m.revolute(top.end, rockers[k + 1].end)
    m.motor(rockers[0], "1 + 2*t")
    run = gr.kinematics(m, 4.0, times=201)
    assert run.status.ok
    for k in (1, 2):
        angle = run[f"rocker{k}.angle"]
        assert np.ptp(angle) == pytest.approx(8.0) if off == 0.0 else (angle.min() > 0.0 and angle.max() < math.pi)


@pytest.mark.parametrize("seed", range(6))
def test_random_crank_rockers_move_as_freudenstein_says(seed):
    rng = np.random.default_rng(seed)
    while True:
        b, c, d = rng.uniform(0.5, 1.5, 3)
        a = rng.uniform(0.1, 0.4)
        lengths = sorted([a, b, c, d])
        if lengths[0] + lengths[3] < lengths[1] + lengths[2] - 1e-2:
            break
    run = gr.kinematics(four_bar([a, b, c, d]), 4.0)
    assert run.status.ok
    # d/a cos ψ − d/c cos φ + (a² − b² + c² + d²)/2ac = cos(φ − ψ)
    phi, psi = run["a.angle"], run["c.angle"]
    left = d / a * np.cos(psi) - d / c * np.cos(phi) + (a * a - b * b + c * c + d * d) / (2.0 * a * c)
    assert left == pytest.approx(np.cos(phi - psi), abs=1e-11)
    bend = np.sin(run["b.angle"] - psi)
    assert np.all(bend * bend[0] > 0.0)  # one branch
    assert np.max(np.abs(run["balance"])) < 1e-8 * np.ptp(run["energy"])


def test_what_motors_do_not_move_is_named():
    m = slider_crank()
    loose = m.bar("loose", length=0.3, mass=0.1)
    m.revolute(m.ground.at(0, 1), loose.start)
    with pytest.raises(
        gr.ModelError, match=r"1 degree of freedom is left with motor 'drive' running; free to move: 'loose' 1\.00\."
    ):
        gr.kinematics(m, 1.0)


def test_hookes_joint_turns_as_its_closed_form_says():
    m = gr.Mechanism("Hooke's joint", gravity=(0, 0, 0))
    bend = 0.7
    out = (math.cos(bend), math.sin(bend), 0.0)
    first = m.body("first", mass=1.0, inertia=(0.1, 0.2, 0.3), points={"o": (0, 0, 0)})
    second = m.body("second", mass=1.0, inertia=(0.1, 0.2, 0.3), points={"o": (0, 0, 0)})
    m.revolute(m.ground.at(0, 0, 0), first.o, axis=(1, 0, 0))
    m.revolute(m.ground.at(0, 0, 0), second.o, axis=out)
    m.universal(first.o, second.o, axis_a=(0, 0, 1), axis_b=(-math.sin(bend), math.cos(bend), 0.0))
    m.angle("input", first, axis=(1, 0, 0))
    m.angle("output", second, axis=out)
    m.motor("input", "2*t")
    run = gr.kinematics(m, 6.0)
    assert run.status.ok
    ratio = math.cos(bend) / (1.0 - (np.sin(bend) * np.sin(2.0 * run.t)) ** 2)
    other = math.cos(bend) / (1.0 - (np.sin(bend) * np.cos(2.0 * run.t)) ** 2)
    found = run["output.rate"] / 2.0
    assert found == pytest.approx(ratio, abs=1e-10) or found == pytest.approx(other, abs=1e-10)


def test_accelerations_may_jump():
    run = gr.kinematics(slider_crank("where(t - 1, t + 2*(t - 1)**2, t)"), 2.0, times=[0.5, 0.999, 1.001, 1.5])
    assert run.status.ok
    assert run["crank.angle.rate"] == pytest.approx([1.0, 1.0, 1.004, 3.0], abs=1e-12)


def test_as_data_text_and_picture(tmp_path):
    import json

    run = gr.kinematics(slider_crank(), 1.0, times=11)
    data = json.loads(json.dumps(run.as_dict(), allow_nan=False))
    assert data["status"] == "success"
    assert data["ranges"]["rod.end.x"] == pytest.approx([0.3, 0.7], abs=0.02)
    low, high = data["efforts"]["drive.torque"]
    assert low < 0.0 < high
    assert "torque from" in str(run)
    run.plot(path=tmp_path / "motion.png")
    run.animate(tmp_path / "motion.html")


@pytest.mark.parametrize(
    ("speed", "way"),
    [
        ("3 + 2*sin(5*t)", lambda t: 3.0 * t + 0.4 * (1.0 - np.cos(5.0 * t))),
        ("where(1 - t, 4*t, 4)", lambda t: np.where(t < 1.0, 2.0 * t**2, 4.0 * t - 2.0)),
    ],
)
def test_motors_of_varying_speed_are_followed(speed: str, way: Callable[[np.ndarray], np.ndarray]) -> None:
    """A slider-crank in closed form, the crank's angle being the integral of its speed."""
    m = gr.Mechanism("slider crank")
    crank, rod = m.bar("crank", length=0.2), m.bar("rod", length=0.5)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0, 0), (1, 0)), rod.end)
    m.motor(crank, speed=speed)
    m.want(crank.angle, value=0.3)
    run = gr.kinematics(m, 3.0)
    angle = run["crank.angle"][0] + way(run.t)
    assert run.status.ok
    assert run["crank.angle"] == pytest.approx(angle, abs=1e-11)
    assert run["rod.end.x"] == pytest.approx(0.2 * np.cos(angle) + np.sqrt(0.25 - 0.04 * np.sin(angle) ** 2), abs=1e-11)
