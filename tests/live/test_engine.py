"""The engine of live pages gives the motions that `simulate` gives: its digits are compared at every frame, in node."""

from __future__ import annotations

import math

import numpy as np
import pytest
from benchmarks.stiff_mechanisms import bushing

import grashof as gr
from grashof.common.errors import ModelError
from grashof.geometry.poses import poses_at
from grashof.live import LiveData, live_data
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.problems import make_case
from tests.live import mechanisms
from tests.live.node import Seen, drive

TOL = 1e-6
FRAMES = 24


def agree(
    mechanism: Mechanism | Model,
    t_end: float,
    values: dict[str, float] | None = None,
    numbers: list[str] | None = None,
    method: str = "auto",
) -> tuple[LiveData, list[Seen]]:
    """Runs both, and compares them at every frame: each is known to the tolerance, so they differ by two of them at
    most."""
    model = as_model(mechanism)
    data = live_data(model, t_end, numbers=numbers, tol=TOL, method=method)
    times = np.linspace(model.start.time, t_end, FRAMES + 1)
    script: list[list[object]] = [["look"], *(["advance", float(t)] for t in times[1:])]
    if values is not None:
        assert values.keys() <= {number.name for number in data.numbers}
        script[0] = ["restart", [values.get(number.name, number.value) for number in data.numbers]]
    seen = drive(data, script)
    assert all(x.outcome is None or x.outcome["ok"] for x in seen), [x.outcome for x in seen]
    run = gr.simulate(model if values is None else gr.with_numbers(model, values), t_end, tol=TOL, times=times)
    assert run.status.ok
    moving = np.max(run["kinetic"]) + np.ptp(run["potential"]) + sum(np.ptp(run[name]) for name in run.work_names)
    for quantity in data.observed:
        found = np.array([x.values[quantity.name] for x in seen])
        scale = moving if quantity.unit == "J" else 1.0
        assert np.max(np.abs(found - run[quantity.name])) <= 2.0 * TOL * scale, quantity.name
    for x, q in zip(seen, run.q, strict=True):
        compare_poses(run, x, q)
    return data, seen


def compare_poses(run: gr.Trajectory, seen: Seen, q: np.ndarray) -> None:
    """Places of bodies, and directions of their first axes (the spin of slender bars is arbitrary)."""
    system = run.program.system
    for pose, row in zip(poses_at(system, q).values(), seen.poses, strict=True):
        place = (*pose.position, 0.0)[:3]
        assert np.max(np.abs(row[:3] - place)) <= 2.0 * TOL * system.length
        w, x, y, z = row[3:]
        assert w * w + x * x + y * y + z * z == pytest.approx(1.0)
        if system.dimension == 2:
            angle = 2.0 * math.atan2(z, w)
            assert math.remainder(angle - pose.angle, 2.0 * math.pi) == pytest.approx(0.0, abs=4.0 * TOL)


def test_andrews_squeezer() -> None:
    data, _ = agree(make_case("andrews", None).model, 0.05)
    assert len(data.wasm) * 3 // 4 < 100_000


def test_double_four_bar_through_its_singular_positions() -> None:
    agree(make_case("double-four-bar", None).model, 10.0, numbers=["start.upright0.end.x.rate"])


@pytest.mark.slow
def test_grid_in_space() -> None:
    agree(make_case("multiple-four-bar", None).model, 10.0)


@pytest.mark.parametrize(
    ("name", "t_end", "values"),
    [
        ("slider_crank", 2.0, {"r": 0.1, "start.crank.angle": 1.0}),
        ("sprung_four_bar", 3.0, {"start.crank.angle.rate": -2.0, "rod.length": 1.05, "spring.stiffness": 30.0}),
        ("four_bar", 3.0, {"a": 0.15, "start.crank.angle": 2.0}),
        ("spherical_pendulum", 4.0, {"rod.length": 1.2, "start.rod.end.y.rate": 2.5}),
        ("spinning_top", 1.0, {"start.top.angular_velocity.z": 80.0, "start.top.angular_velocity.x": -1.0}),
        ("rssr", 2.0, None),
        ("pulsed_pendulum", 2.0, {"start.rod.angle": -1.2}),
        ("stopped_pendulum", 2.0, {"start.rod.angle.rate": 5.0}),
        ("rubbing_crank", 1.0, {"rod.mass": 0.8}),
    ],
)
def test_other_numbers(name: str, t_end: float, values: dict[str, float] | None) -> None:
    mechanism = getattr(mechanisms, name)()
    agree(mechanism, t_end)
    if values:
        agree(mechanism, t_end, values)


def test_a_stiff_mechanism_with_the_implicit_method() -> None:
    """With other numbers than those of the page, too; `simulate` takes an explicit method in so short a time."""
    data, _ = agree(bushing(1e6, 2e3), 0.2, {"bushing.damping.x": 3e3}, method="rodas5p")
    assert data.settings.method == "rodas5p"


def test_redundant_joints_in_space() -> None:
    """Bennett's linkage, where the quick check of singular positions is not certain and a closer look is."""
    agree(gr.example("bennett"), 4.0)


@pytest.mark.slow
@pytest.mark.parametrize("name", [entry.name for entry in gr.gallery() if not entry.problem])
def test_the_gallery(name: str) -> None:
    agree(gr.example(name), next(entry.t_end for entry in gr.gallery() if entry.name == name))


@pytest.mark.parametrize("seed", range(6))
def test_random_chains(seed: int) -> None:
    agree(mechanisms.random_chain(seed), 1.0)


@pytest.mark.parametrize("seed", range(6))
def test_random_loops(seed: int) -> None:
    agree(mechanisms.random_four_bar(seed), 2.0)


def test_back_again() -> None:
    model = mechanisms.four_bar().model
    data = live_data(model, 2.0, observe=["crank.angle", "crank.angle.rate"])
    begin, *_, end = drive(data, [["look"], ["advance", 0.7], ["advance", 2.0], ["advance", 1.1], ["advance", 0.0]])
    assert end.outcome is not None
    assert end.outcome["ok"]
    assert end.values == pytest.approx(begin.values, abs=20.0 * TOL)


def test_a_loop_that_cannot_close() -> None:
    data = live_data(mechanisms.four_bar().model, 2.0)
    values = [number.value for number in data.numbers]
    beyond = [3.0, *values[1:]]
    before, refused, after = drive(data, [["advance", 0.5], ["restart", beyond], ["advance", 0.6]])
    assert refused.outcome is not None
    assert refused.outcome["code"] == "NOT_ASSEMBLED"
    assert "cannot be closed" in refused.outcome["sentence"]
    assert refused.time == before.time == 0.5
    assert np.array_equal(refused.poses, before.poses)
    assert after.outcome is not None
    assert after.outcome["ok"]
    with pytest.raises(ModelError, match="cannot"):
        gr.build(gr.with_numbers(mechanisms.four_bar().model, {"a": 3.0}))


def test_a_number_outside_of_its_bounds() -> None:
    data = live_data(mechanisms.slider_crank().model, 2.0)
    (refused,) = drive(data, [["restart", [0.5, 0.3]]])
    assert refused.outcome is not None
    assert refused.outcome["sentence"] == "r is 0.5; it must be at least 0.06 and at most 0.2 m."


def test_singular_positions_that_cannot_be_judged_are_told() -> None:
    model = mechanisms.change_point_four_bar().model
    data = live_data(model, 3.0, observe=["crank.angle"])
    seen = drive(data, [["advance", 0.1 * k] for k in range(1, 31)])
    run = gr.simulate(model, 3.0, times=[0.1 * k for k in range(31)])
    for k, x in enumerate(seen, start=1):
        assert x.outcome is not None
        if x.outcome["ok"]:
            assert x.values["crank.angle"] == pytest.approx(run["crank.angle"][k], abs=2.0 * TOL)
    stopped = [x.outcome["code"] for x in seen if x.outcome is not None and not x.outcome["ok"]]
    assert set(stopped) <= {"ATTENTION"}


def test_a_pull_is_a_spring() -> None:
    """A hand that pulls with 50 N/m at the end of a pendulum, to a point: the same as a spring and a damper that
    hold on to it."""
    m = Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=-1.0)
    data = live_data(m, 2.0, observe=["rod.angle"])
    pulled = drive(data, [["pull", 0, [1.0, 0.0, 0.0], [0.5, 0.5, 0.0], 50.0], ["advance", 0.4], ["advance", 1.5]])
    damping = math.sqrt(50.0 * data.settings.mass)
    pull = [f"-50*(rod.end.{axis} - 0.5) - {damping!r}*rod.end.{axis}.rate" for axis in "xy"]
    m.force(rod.end, tuple(pull))
    run = gr.simulate(m, 1.5, times=[0.0, 0.4, 1.5])
    assert [x.values["rod.angle"] for x in pulled] == pytest.approx(run["rod.angle"], abs=4.0 * TOL)
    let_go = drive(
        data, [["pull", 0, [1, 0, 0], [0.5, 0.5, 0], 50.0], ["pull", 0, [1, 0, 0], None, 0.0], ["advance", 1.5]]
    )
    free = drive(data, [["advance", 1.5]])
    assert let_go[-1].values == free[-1].values


def test_a_motor_is_turned_by_hand() -> None:
    """The slider is where the turned crank puts it, and the motor goes on from there at its speed."""
    data = live_data(mechanisms.slider_crank().model, 2.0, observe=["crank.angle", "rod.end.x"])
    turned, later, refused = drive(data, [["drive", 0, 1.2], ["advance", 0.5], ["drive", 0, -400.0]])
    for seen, angle in ((turned, 1.5), (later, 7.5)):
        assert seen.outcome is not None
        assert seen.outcome["ok"]
        reach = 0.08 * math.cos(angle) + math.sqrt(0.25**2 - (0.08 * math.sin(angle)) ** 2)
        assert seen.values["crank.angle"] == pytest.approx(angle, abs=TOL)
        assert seen.values["rod.end.x"] == pytest.approx(reach, abs=TOL)
    assert refused.values["crank.angle"] == pytest.approx(7.5 - 400.0, abs=1e-4)


def test_laws_of_time_end() -> None:
    data = live_data(mechanisms.pulsed_pendulum().model, 2.0, observe=["rod.angle"])
    before, beyond = drive(data, [["advance", 1.9], ["advance", 3.0]])
    assert before.outcome is not None
    assert before.outcome["ok"]
    assert beyond.outcome is not None
    assert beyond.outcome["code"] == "END_OF_LAWS"
    assert beyond.time == 2.0


def test_forces_of_the_users_own() -> None:
    """They leave no numbers open, but the page runs."""
    m = Mechanism("pushed", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=-1.0)
    m.user_force(lambda t, p, v: [[0.4 * t, -0.1 * v[0][1]]], [rod.end], name="push")
    data, _ = agree(m, 1.5)
    assert data.numbers == []
    assert "cannot be changed" in data.notes[0]


def test_a_page_says_what_it_may_pass_over_between_steps() -> None:
    m = Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=-1.0)
    m.stop("rod.end.x", lower=-0.3, stiffness=1e4, name="wall")
    assert live_data(m, numbers=[]).notes == []
    weight = m.body("weight", mass=0.1, inertia=1.0, points={"o": (0, 0)})
    m.prismatic(m.ground.at(2, 0), weight.o, axis=(0, 1))
    m.coupling("weight.o.y - 0.1*abs(rod.angle)", name="lift")
    passed, corner = live_data(m, numbers=[]).notes
    assert "narrower than a step" in passed
    assert "coupling lift" in corner


@pytest.mark.parametrize(("radius", "angle", "tol"), [(0.0012, 1.93, 1e-6), (0.0104, 0.446, 1e-4), (0.003, 2.7, 1e-2)])
def test_a_thin_peg_is_not_passed_over(radius: float, angle: float, tol: float) -> None:
    """An arm of 1 m meets it with 1 rad/s, at an angle that follows from its radius, and returns as it came after a
    time of 2.9432 depths over the speed (H. Hertz, 1881)."""
    data = live_data(mechanisms.arm_before_a_peg(radius, angle), 3.0, numbers=[], observe=["rod.angle"], tol=tol)
    seen = drive(data, [["look"], *(["advance", 0.1 * k] for k in range(1, 31))])
    met = angle - 2.0 * math.asin(0.5 * radius)
    touch = 2.9432 * (1.25 / 3.0 / 1e8) ** 0.4
    turned = [0.1 * k if 0.1 * k < met else 2.0 * met + touch - 0.1 * k for k in range(31)]
    assert np.max(np.abs([x.values["rod.angle"] - a for x, a in zip(seen, turned, strict=True)])) < tol + 1e-6


def test_what_live_pages_cannot_do() -> None:
    m = mechanisms.four_bar()
    m.event("crank.angle", crosses=2.0, does="stop", name="enough")
    with pytest.raises(ModelError, match="enough"):
        live_data(m)
    with pytest.raises(ModelError, match="has no number"):
        live_data(mechanisms.four_bar(), numbers=["nothing"])


@pytest.mark.parametrize(
    ("mechanism", "t_end", "values"),
    [
        (mechanisms.robot_arm(2), 1.0, {"link1.mass": 1.1, "base.speed": 1.2}),
        (gr.example("cam-follower"), 1.0, None),  # with a part without mass, whose motion rows determine
    ],
)
def test_relative_coordinates(mechanism: Mechanism | Model, t_end: float, values: dict[str, float] | None) -> None:
    data, _ = agree(mechanism, t_end, values)
    assert data.blocks["x"][1] < 1 + gr.build(mechanism, formulation="natural").formulation.layout.size


def test_relative_coordinates_are_pulled_and_turned() -> None:
    """A hand at the third link of an arm, against the same spring and damper; then a motor that is turned by hand."""
    m = mechanisms.robot_arm(3)
    data = live_data(m, 2.0, observe=["link2.b.x", "link2.b.z", "heading"])
    target = [0.4, 0.3, 0.5]
    pulled = drive(data, [["pull", 2, [0.3, 0.0, 0.0], target, 20.0], ["advance", 0.4], ["drive", 0, 0.7]])
    damping = math.sqrt(20.0 * data.settings.mass)
    law = [f"-20*(link2.b.{x} - {to}) - {damping!r}*link2.b.{x}.rate" for x, to in zip("xyz", target, strict=True)]
    run = gr.simulate(mechanisms.robot_arm(3, tuple(law)), 0.4, tol=TOL, times=[0.0, 0.4])
    for name in ("link2.b.x", "link2.b.z", "heading"):
        assert pulled[1].values[name] == pytest.approx(run[name][-1], abs=4.0 * TOL)
    assert pulled[2].values["heading"] == pytest.approx(0.6 + 0.7, abs=TOL)
    assert math.hypot(*pulled[2].poses[0, :3]) < 1e-9  # the joints hold


def test_motors_that_go_on_as_they_begin_run_beyond_the_time_of_the_page() -> None:
    model = gr.example("jansen")
    data = live_data(model, 1.0, numbers=[], tol=TOL)
    seen = drive(data, [["advance", 7.5]])[0]
    assert seen.outcome is not None
    assert seen.outcome["ok"], seen.outcome
    run = gr.simulate(model, 7.5, tol=TOL, times=[0.0, 7.5])
    compare_poses(run, seen, run.q[-1])


def test_laws_of_time_that_may_hold_pulses_are_followed_only_as_far_as_they_were_looked_at() -> None:
    m = Mechanism("pulse", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.torque(rod, "5*exp(-((t - 3)/0.001)**2)")
    outcome = drive(live_data(m, 2.0, numbers=[], tol=TOL), [["advance", 4.0]])[0].outcome
    assert outcome is not None
    assert (outcome["code"], outcome["ok"], outcome["time"]) == ("END_OF_LAWS", False, 2.0)


def test_a_coin_rolls_on_a_page_with_another_radius() -> None:
    agree(mechanisms.coin(), 1.0, {"roll.radius": 0.24}, ["roll.radius"])
