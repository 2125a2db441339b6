"""Assembly: loops closed and needs met to round-off, wants as nearly as can be, velocities of least energy."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import grashof as gr
from grashof.assembly.assemble import Assembly
from grashof.model.files import loads
from tests import classics

from ..linkages import guessed_four_bar

ROUND_OFF = 1e-12


def places(m: gr.Mechanism, assembly: Assembly) -> dict[str, np.ndarray]:
    """Every point's coordinates."""
    system = gr.build(m).system
    return {name: np.array([float(form.at(assembly.q)) for form in system.point(name)]) for name in system.model.points}


def is_whole(m: gr.Mechanism, assembly: Assembly) -> None:
    """Bars have their lengths and pins meet, measured on the points."""
    at = places(m, assembly)
    for name, length in (("crank", 0.5), ("coupler", 1.2), ("rocker", 0.9)):
        assert np.linalg.norm(at[f"{name}.end"] - at[f"{name}.start"]) == pytest.approx(length, abs=ROUND_OFF)
    assert np.linalg.norm(at["coupler.end"] - at["rocker.end"]) < ROUND_OFF
    assert np.linalg.norm(at["crank.start"]) < ROUND_OFF


# -- positions


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_a_rough_guess_closes(seed: int) -> None:
    """Bodies a third of their size and a third of a radian away from anywhere they fit."""
    m = guessed_four_bar(off=0.3, seed=seed)
    assembly = gr.assemble(m)
    is_whole(m, assembly)
    assert assembly.residual[0] < ROUND_OFF


@pytest.mark.parametrize("needed", [False, True])
def test_a_disc_in_a_ring_starts_where_it_was_put(needed: bool) -> None:
    """The massless arm by which it rolls has no guess. The disc then rolls as θ″ = −2g sin θ/(3 (R − r)), and turns
    (R − r)/r times as far back."""
    ring, radius, angle = 1.0, 0.2, 1.0
    way = ring - radius
    m = gr.Mechanism("disc", gravity=(0, -9.81))
    at = (way * math.sin(angle), -way * math.cos(angle))
    disc = m.body("disc", mass=2.0, inertia=radius**2, points={"o": (0, 0)}, position=at)
    turn = m.roll(m.ground.circle((0, 0), ring), disc.o, radius=radius, inside=True, name="roll")
    if needed:
        m.need(turn, value=angle - math.pi / 2)
    run = gr.simulate(m, 3.0, times=31)
    assert run.status.ok
    assert math.atan2(run["disc.o.x"][0], -run["disc.o.y"][0]) == pytest.approx(angle, abs=1e-12)
    report = str(gr.assemble(m))
    assert "moved" not in report
    assert "default" not in report
    law = solve_ivp(
        lambda _, y: [y[1], -2.0 * 9.81 / (3.0 * way) * math.sin(y[0])],
        (0.0, 3.0),
        [angle, 0.0],
        method="DOP853",
        rtol=1e-12,
        atol=1e-13,
        t_eval=run.t,
    )
    assert run["disc.o.x"] == pytest.approx(way * np.sin(law.y[0]), abs=1e-7)
    assert run["disc.angle"] - run["disc.angle"][0] == pytest.approx(-way / radius * (law.y[0] - angle), abs=1e-6)


@pytest.mark.parametrize("seed", range(6))
def test_bodies_that_fit_where_they_were_put_stay_there(seed: int) -> None:
    """A closed chain of four bodies that are pinned together at random places. Two or three of them are guessed
    there; the others have only to follow."""
    rng = np.random.default_rng(seed)
    m = gr.Mechanism("ring")
    pins = rng.normal(size=(5, 2))
    poses, bodies = list(zip(rng.normal(size=(4, 2)), rng.uniform(-3, 3, 4), strict=True)), []
    known = (1, 3) if seed % 2 else (0, 1, 2)
    for k, (origin, angle) in enumerate(poses):
        c, s = math.cos(angle), math.sin(angle)
        start, end = ((pins[k : k + 2] - origin) @ np.array([[c, -s], [s, c]])).tolist()
        points = {"start": start, "end": end, "tip": rng.normal(size=2).tolist()}
        guess = {"position": origin.tolist(), "angle": angle} if k in known else {}
        bodies.append(m.body(f"body {k}", mass=1.0, inertia=0.1, points=points, **guess))
    m.revolute(m.ground.at(*pins[0]), bodies[0].start)
    for one, other in pairwise(bodies):
        m.revolute(one.end, other.start)
    m.revolute(bodies[3].end, m.ground.at(*pins[4]))
    found = places(m, gr.assemble(m))
    for k, (origin, angle) in enumerate(poses):
        assert found[f"body {k}.start"] == pytest.approx(pins[k], abs=1e-9)
        if k in known:
            along = found[f"body {k}.tip"] - origin
            c, s = math.cos(angle), math.sin(angle)
            assert along @ np.array([[c, -s], [s, c]]) == pytest.approx(m.points_of(f"body {k}")["tip"], abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_bodies_in_space_that_fit_where_they_were_put_stay_there(seed: int) -> None:
    """A closed chain of three bodies with ball joints at random places: those without a guess have coordinates of
    their own."""
    rng = np.random.default_rng(seed)
    m = gr.Mechanism("ring", dimension=3)
    pins, origins = rng.normal(size=(4, 3)), rng.normal(size=(3, 3))
    turns, bodies = [Rotation.from_rotvec(x) for x in rng.normal(size=(3, 3))], []
    known = (1,) if seed % 2 else (0, 1)
    for k in range(3):
        start, end = turns[k].inv().apply(pins[k : k + 2] - origins[k]).tolist()
        x, y, z, w = turns[k].as_quat()
        guess = {"position": origins[k].tolist(), "rotation": (w, x, y, z)} if k in known else {}
        points = {"start": start, "end": end, "tip": rng.normal(size=3).tolist()}
        bodies.append(m.body(f"body {k}", mass=1.0, inertia=(0.1, 0.1, 0.1), points=points, **guess))
    m.spherical(m.ground.at(*pins[0]), bodies[0].start)
    for one, other in pairwise(bodies):
        m.spherical(one.end, other.start)
    m.spherical(bodies[2].end, m.ground.at(*pins[3]))
    found = places(m, gr.assemble(m))
    for k in known:
        there = origins[k] + turns[k].apply(m.points_of(f"body {k}")["tip"])
        assert found[f"body {k}.tip"] == pytest.approx(there, abs=1e-9)


def test_the_wheel_without_a_guess_turns_to_where_a_coupling_wants_it() -> None:
    m = gr.Mechanism("wheels")
    for name, x, angle in (("given", 0.0, 0.7), ("other", 3.0, None)):
        bar = m.bar(name, length=1.0, mass=1.0)
        m.revolute(m.ground.at(x, 0), bar.start)
        if angle is not None:
            m.guess(bar, (x, 0), angle=angle)
    m.coupling({"given.angle": 1.0, "other.angle": 0.5}, law=1.0)
    angles = gr.assemble(m).angles
    assert angles["given.angle"] == pytest.approx(0.7, abs=1e-12)
    assert angles["other.angle"] == pytest.approx(0.6, abs=1e-12)


def test_no_guess_at_all_closes() -> None:
    m, crank, _ = classics.slider_crank()
    m.motor(crank, torque=0.3)
    at = places(m, gr.assemble(m))
    assert abs(at["rod.end"][1]) < ROUND_OFF
    assert np.linalg.norm(at["rod.end"] - at["crank.end"]) == pytest.approx(0.5, abs=ROUND_OFF)


@pytest.mark.parametrize("up", [True, False])
def test_the_elbow_stays_on_the_side_of_the_guess(up: bool) -> None:
    assembly = gr.assemble(guessed_four_bar(up=up))
    at = places(guessed_four_bar(up=up), assembly)
    assert (at["rocker.end"][1] > 0) == up
    # seen from the crank, the coupler bends to the right with the elbow up
    assert (assembly.branch["A"] < 0) == up


@pytest.mark.parametrize("value", [0.3, 1.0, 2.0, -0.0620])
@pytest.mark.parametrize("guess", [0.1, 1.0, 2.9])
def test_a_needed_angle_is_met_from_any_guess(value: float, guess: float) -> None:
    """Also from more than a quarter turn away, where sin(θ − f) = 0 would lead to half a turn beside it."""
    m = gr.Mechanism("two bars")
    one = m.bar("one", mass=1.0, length=1.0)
    two = m.bar("two", mass=1.0, length=1.0)
    m.revolute(m.ground.at(0, 0), one.start)
    m.revolute(one.end, two.start)
    m.guess(one, (0, 0), angle=guess)
    m.guess(two, (math.cos(guess), math.sin(guess)), angle=0.5)
    m.need(one.angle, value=value)
    at = places(m, gr.assemble(m))
    assert at["one.end"] == pytest.approx([math.cos(value), math.sin(value)], abs=ROUND_OFF)


@pytest.mark.parametrize("value", [0.5, 2.5, -2.0, 7.0])
def test_a_needed_angle_in_space_is_met_from_no_guess(value: float) -> None:
    axis = np.array([2.0, -1.0, 2.0]) / 3.0
    m = gr.Mechanism("door", dimension=3)
    door = m.bar("door", mass=1.0, start=(0, 0, 0), end=(1 / 3, 2 / 3, 0))
    direction = np.array([1.0, 2.0, 0.0]) / math.sqrt(5)
    m.revolute(m.ground.at(0, 0, 0), door.start, axis=axis)
    m.need(m.angle("turn", door, axis=axis), value=value)
    assembly = gr.assemble(m)
    expected = math.sqrt(5) / 3 * (direction * math.cos(value) + np.cross(axis, direction) * math.sin(value))
    assert places(m, assembly)["door.end"] == pytest.approx(expected, abs=ROUND_OFF)
    assert assembly.angles["turn"] == pytest.approx(value, abs=ROUND_OFF)


def test_a_needed_angle_of_a_tilted_body_says_nothing_of_its_tilt() -> None:
    """A mast on a ball joint, leaning: its azimuth is needed at 0.4 and the height of its tip at 0.8. The azimuth is
    that of its projection; the mast itself is not at right angles to the axis."""
    m = gr.Mechanism("mast", dimension=3)
    mast = m.bar("mast", mass=1.0, start=(0, 0, 0), end=(1, 0, 0))
    m.spherical(m.ground.at(0, 0, 0), mast.start)
    m.need(m.angle("azimuth", mast, axis=(0, 0, 1)), value=0.4)
    m.need("mast.end.z", value=0.8)
    tip = places(m, gr.assemble(m))["mast.end"]
    assert tip == pytest.approx([0.6 * math.cos(0.4), 0.6 * math.sin(0.4), 0.8], abs=ROUND_OFF)


def test_needed_coordinates_and_distances_are_met_to_round_off() -> None:
    m = gr.Mechanism("chain")
    bars = [m.bar(f"bar{i}", mass=1.0, length=1.0) for i in range(3)]
    m.revolute(m.ground.at(0, 0), bars[0].start)
    m.revolute(bars[0].end, bars[1].start)
    m.revolute(bars[1].end, bars[2].start)
    m.separation("reach", m.ground.at(0, 0), bars[2].end)
    m.need("bar2.end.x", value=0.7)
    m.need("reach", value=1.9)
    m.need("bar0.end.y", value=0.25)
    at = places(m, gr.assemble(m))
    assert at["bar2.end"][0] == pytest.approx(0.7, abs=ROUND_OFF)
    assert np.linalg.norm(at["bar2.end"]) == pytest.approx(1.9, abs=ROUND_OFF)
    assert at["bar0.end"][1] == pytest.approx(0.25, abs=ROUND_OFF)


def test_a_want_that_can_be_met_is_met() -> None:
    m = guessed_four_bar()
    m.want("crank.angle", value=0.8)
    at = places(m, gr.assemble(m))
    assert at["crank.end"] == pytest.approx([0.5 * math.cos(0.8), 0.5 * math.sin(0.8)], abs=1e-9)


def test_wants_move_nothing_where_needs_leave_no_freedom() -> None:
    def assembled(*wants: tuple[str, float]) -> np.ndarray:
        m = guessed_four_bar()
        m.need("crank.angle", value=0.8)
        for quantity, value in wants:
            m.want(quantity, value=value)
        return gr.assemble(m).q

    there = assembled()
    near = gr.assemble(guessed_four_bar()).angles
    wanted = assembled(("coupler.angle", near["coupler.angle"] + 0.1), ("rocker.angle", near["rocker.angle"] - 0.1))
    assert wanted == pytest.approx(there, abs=ROUND_OFF)


def test_a_want_out_of_reach_is_met_as_nearly_as_the_joints_allow() -> None:
    """The end of a 1 m bar wants to be at x = 2 and y = 1: the nearest point of the circle is on the line to it."""
    m = gr.Mechanism("bar")
    bar = m.bar("bar", mass=1.0, length=1.0)
    m.revolute(m.ground.at(0, 0), bar.start)
    m.want("bar.end.x", value=2.0)
    m.want("bar.end.y", value=1.0)
    at = places(m, gr.assemble(m))
    assert at["bar.end"] == pytest.approx(np.array([2.0, 1.0]) / math.sqrt(5.0), abs=1e-6)


def four_bar(lengths: tuple[float, float, float, float], guessed: bool) -> gr.Mechanism:
    """Crank, coupler, rocker and ground; guessed or not with the elbow far from where it belongs."""
    a, b, c, ground = lengths
    m = gr.Mechanism("four-bar")
    crank, coupler, rocker = (
        m.bar(name, mass=1.0, length=x) for name, x in (("crank", a), ("coupler", b), ("rocker", c))
    )
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(m.ground.at(ground, 0), rocker.start)
    if guessed:
        m.guess(rocker, (ground, 0), angle=2.0)
    return m


def rocker_angles(lengths: tuple[float, float, float, float]) -> np.ndarray:
    """All angles that the rocker can have, in both assembly modes, from where circles around the crank's end meet
    its own."""
    a, b, c, ground = lengths
    crank = np.linspace(-math.pi, math.pi, 100_001)
    x, y = a * np.cos(crank) - ground, a * np.sin(crank)
    d = np.hypot(x, y)
    cosine = (c * c + d * d - b * b) / (2.0 * c * d)
    reached = np.abs(cosine) <= 1.0
    towards, apart = np.arctan2(y, x)[reached], np.arccos(cosine[reached])
    return np.concatenate([towards + apart, towards - apart])


@pytest.mark.parametrize("seed", range(12))
def test_wants_are_weighed_across_assembly_modes(seed: int) -> None:
    """The rocker comes as near to the wanted angle as in any position of either mode, whatever the guess."""
    rng = np.random.default_rng(seed)
    lengths = (1.0, 1.0, 1.0, 4.0)
    while 2.0 * max(lengths) > 0.98 * sum(lengths):
        lengths = tuple(rng.uniform(0.3, 2.0, 4))
    wanted = rng.uniform(-math.pi, math.pi)
    m = four_bar(lengths, guessed=bool(seed % 2))
    m.want("rocker.angle", value=wanted)
    assembly = gr.assemble(m)
    missed = abs(math.sin(0.5 * (assembly.angles["rocker.angle"] - wanted)))
    assert missed < np.min(np.abs(np.sin(0.5 * (rocker_angles(lengths) - wanted)))) + 1e-4
    assert ("rocker.angle" in assembly.missed) == (missed > 1e-6 * np.mean(lengths[:3]))


def test_a_want_that_the_guess_meets_does_not_leave_its_assembly_mode() -> None:
    for up in (True, False):
        m = guessed_four_bar(up=up)
        m.want("crank.angle", value=0.8)
        assembly = gr.assemble(m)
        assert assembly.angles["crank.angle"] == pytest.approx(0.8, abs=1e-9)
        assert (assembly.branch["B"] > 0) == up


def test_a_wanted_angle_is_not_taken_for_the_one_half_a_turn_away() -> None:
    for value in (3.0, -2.5, math.pi):
        m = gr.Mechanism("bar")
        bar = m.bar("bar", mass=1.0, length=1.0)
        m.revolute(m.ground.at(0, 0), bar.start)
        m.guess(bar, (0, 0), angle=0.1)
        m.want(bar.angle, value=value)
        assert math.cos(gr.assemble(m).angles["bar.angle"] - value) == pytest.approx(1.0, abs=1e-9)


def test_a_need_is_met_in_the_assembly_mode_that_has_it() -> None:
    """Below the ground, although default attitudes close the loop above it."""
    m = four_bar((0.5, 1.2, 0.9, 1.3), guessed=False)
    above = gr.assemble(m).angles["rocker.angle"]
    m.need("rocker.angle", value=-above)
    assert gr.assemble(m).angles["rocker.angle"] == pytest.approx(-above, abs=ROUND_OFF)


# -- what nobody asked for


@pytest.mark.parametrize("dimension", [2, 3])
def test_what_closes_no_loop_starts_along_the_axes_of_the_ground(dimension: int) -> None:
    rest = (0.0,) * (dimension - 1)
    axis = None if dimension == 2 else (0, 0, 1)
    m = gr.Mechanism("double pendulum", dimension=dimension)
    bars = [m.bar(name, mass=1.0, length=1.0) for name in ("upper", "lower")]
    m.revolute(m.ground.at(0, *rest), bars[0].start, axis=axis)
    m.revolute(bars[0].end, bars[1].start, axis=axis)
    assembly = gr.assemble(m)
    assert places(m, assembly)["lower.end"] == pytest.approx([2.0, *rest], abs=ROUND_OFF)
    assert assembly.free == 2
    assert set(assembly.default) == {"upper", "lower"}
    assert "is under-specified by 2" in str(assembly)
    assert "'upper', 'lower' along the axes of the ground" in str(assembly)


@pytest.mark.parametrize("gravity", [(0.0, -9.81), (3.0, 4.0), (0.0, 0.0), (0.0, 0.0, -9.81), (0.0, 9.81, 0.0)])
def test_what_hangs_on_a_rod_starts_below_its_other_end(gravity: tuple[float, ...]) -> None:
    size = len(gravity)
    m = gr.Mechanism("swing", gravity=gravity)
    body = m.body("body", mass=1.0, inertia=1.0 if size == 2 else (1.0, 1.0, 1.0), points={"eye": (0.5,) * size})
    other = m.body("other", mass=1.0, inertia=1.0 if size == 2 else (1.0, 1.0, 1.0), points={"eye": (0.1,) * size})
    m.distance(m.ground.at(*(1.0,) * size), body.eye, length=2.0)
    m.distance(body.eye, other.eye, length=0.5)
    run = gr.simulate(m, 0.01)
    down = np.array(gravity) / np.linalg.norm(gravity) if any(gravity) else -np.eye(size)[-1]
    for name, below in (("body.eye", 2.0), ("other.eye", 2.5)):
        found = [run[f"{name}.{axis}"][0] for axis in "xyz"[:size]]
        assert found == pytest.approx(1.0 + below * down, abs=1e-12)


def test_a_body_follows_the_directions_of_its_joint() -> None:
    """A hinge whose axis is −y in the hung body's own axes, and a block that slides along a slope in its own z."""
    text = """
    format = "grashof 1"
    name = "aligned"
    dimension = 3
    ground = { o = [0, 0, 0] }
    bodies = [
        { type = "rigid", name = "door", mass = 1, inertia = [1, 1, 1], points = { o = [0, 0, 0], p = [0, 1, 0] } },
        { type = "rigid", name = "block", mass = 1, inertia = [1, 1, 1], points = { o = [0, 0, 0], p = [0, 0, 1] } },
    ]
    [[joints]]
    type = "revolute"
    name = "hinge"
    a = "ground.o"
    b = "door.o"
    axis_a = [0, 1, 0]
    axis_b = [0, -1, 0]
    [[joints]]
    type = "slider"
    name = "slope"
    a = "ground.o"
    b = "block.o"
    axis_a = [3, 0, 4]
    axis_b = [0, 0, 1]
    normal_a = [0, 1, 0]
    normal_b = [0, 1, 0]
    """
    model = loads(text)
    system = gr.build(model, relations=False).system
    q = gr.assemble(model).q
    assert [form.at(q) for form in system.point("door.p")] == pytest.approx([0, -1, 0], abs=ROUND_OFF)
    assert [form.at(q) for form in system.point("block.p")] == pytest.approx([0.6, 0, 0.8], abs=ROUND_OFF)


def test_a_start_that_is_determined_leaves_nothing_open() -> None:
    m = guessed_four_bar()
    m.need("crank.angle", value=0.8)
    assembly = gr.assemble(m)
    assert assembly.free == 0
    assert assembly.default == {}
    assert "open" not in str(assembly)


def test_the_report_names_only_what_guesses_leave_open() -> None:
    """The coupler's guess determines crank and rocker; the pendulum beside them is where the default puts it."""
    m = four_bar((0.5, 1.2, 0.9, 1.3), guessed=False)
    closed = places(m, gr.assemble(m))
    start, end = closed["coupler.start"], closed["coupler.end"]
    m.guess("coupler", start.tolist(), angle=math.atan2(*(end - start)[::-1]))
    assert gr.assemble(m).unguessed == 0
    assert "default" not in str(gr.assemble(m))
    pendulum = m.bar("pendulum", mass=1.0, length=0.3)
    m.revolute(m.ground.at(2, 0), pendulum.start)
    assembly = gr.assemble(m)
    assert (assembly.free, assembly.unguessed) == (2, 1)
    assert set(assembly.default) == {"pendulum"}
    assert "is under-specified by 1; chosen by default: 'pendulum'" in str(assembly)


def test_needs_come_before_wants() -> None:
    m = guessed_four_bar()
    m.need("crank.angle", value=0.8)
    m.want("rocker.angle", value=0.1)
    at = places(m, gr.assemble(m))
    assert at["crank.end"] == pytest.approx([0.5 * math.cos(0.8), 0.5 * math.sin(0.8)], abs=ROUND_OFF)


def test_the_report_says_how_far_bodies_moved() -> None:
    """A bar guessed 0.3 m and 0.2 rad beside where its weld holds it."""
    m = gr.Mechanism("pendulum")
    bar = m.bar("bar", mass=1.0, length=1.0)
    m.revolute(m.ground.at(0, 0), bar.start)
    m.guess(bar, (0.3, 0.0), angle=0.2)
    m.need(bar.angle, value=0.4)
    distance, turn = gr.assemble(m).moved["bar"]
    assert distance == pytest.approx(0.3, abs=1e-9)
    assert turn == pytest.approx(0.2, abs=1e-9)


@pytest.mark.parametrize("asked", ["need", "want"])
@pytest.mark.parametrize("value", [7.0, -7.0, 21.0])
def test_a_needed_or_wanted_angle_keeps_its_whole_turns(value: float, asked: str) -> None:
    m = gr.Mechanism("bar")
    bar = m.bar("bar", mass=1.0, length=1.0)
    m.revolute(m.ground.at(0, 0), bar.start)
    getattr(m, asked)(bar.angle, value=value)
    assert gr.assemble(m).angles["bar.angle"] == pytest.approx(value, abs=ROUND_OFF)
    assert gr.simulate(m, 0.1, times=3)["bar.angle"][0] == pytest.approx(value, abs=ROUND_OFF)


# -- velocities


def chain_jacobian(angles: list[float]) -> np.ndarray:
    """ẋ, ẏ of the end of a chain of 1 m bars from their angular rates."""
    return np.array([[-math.sin(a) for a in angles], [math.cos(a) for a in angles]])


def chain_mass(angles: list[float]) -> np.ndarray:
    """M of T = ½ ωᵀ M ω for a chain of uniform bars, 1 m and 1 kg, by the velocities of their ends."""
    n = len(angles)
    mass = np.zeros((n, n))
    ends = [np.zeros((2, n))]
    for k, a in enumerate(angles):
        moved = ends[-1].copy()
        moved[:, k] = [-math.sin(a), math.cos(a)]
        p, q = ends[-1], moved
        mass += (p.T @ p + q.T @ q) / 3.0 + (p.T @ q + q.T @ p) / 6.0
        ends.append(moved)
    return mass


def chain(angles: list[float]) -> gr.Mechanism:
    m = gr.Mechanism("chain")
    bars = [m.bar(f"bar{i}", mass=1.0, length=1.0) for i in range(len(angles))]
    place = np.zeros(2)
    for i, (bar, angle) in enumerate(zip(bars, angles, strict=True)):
        m.guess(bar, tuple(place), angle=angle)
        m.need(bar.angle, value=angle)
        m.revolute(m.ground.at(0, 0) if i == 0 else bars[i - 1].end, bar.start)
        place += math.cos(angle), math.sin(angle)
    return m


def test_velocities_that_are_not_needed_are_those_of_least_energy() -> None:
    """min ½ ωᵀ M ω with ẋ = 1 and ẏ = −0.5 at the end: ω = M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ (ẋ, ẏ)."""
    angles = [0.4, 1.3, -0.5]
    m = chain(angles)
    m.need("bar2.end.x", rate=1.0)
    m.need("bar2.end.y", rate=-0.5)
    run = gr.simulate(m, 0.01, times=2)
    mass, jacobian = chain_mass(angles), chain_jacobian(angles)
    along = np.linalg.solve(mass, jacobian.T)
    omega = along @ np.linalg.solve(jacobian @ along, [1.0, -0.5])
    assert [run[f"bar{i}.angle.rate"][0] for i in range(3)] == pytest.approx(omega, abs=1e-10)
    assert run["kinetic"][0] == pytest.approx(0.5 * omega @ mass @ omega, rel=1e-10)


def test_wanted_rates_use_what_needed_ones_leave() -> None:
    """The end needs ẋ = 1 and wants ẏ = 2: both can be; the needed one is exact, and so is the other."""
    m = chain([0.4, 1.3])
    m.need("bar1.end.x", rate=1.0)
    m.want("bar1.end.y", rate=2.0)
    run = gr.simulate(m, 0.01, times=2)
    assert run["bar1.end.x.rate"][0] == pytest.approx(1.0, abs=1e-10)
    assert run["bar1.end.y.rate"][0] == pytest.approx(2.0, abs=1e-9)


def test_nothing_needed_starts_at_rest() -> None:
    assert np.max(np.abs(gr.assemble(guessed_four_bar()).v)) == 0.0


def test_a_needed_rate_moves_a_loop_as_its_geometry_says() -> None:
    """Rocker rate from crank rate in a four-bar: the velocities of the coupler's ends along it are equal."""
    m = guessed_four_bar()
    m.need("crank.angle", value=1.0, rate=3.0)
    run = gr.simulate(m, 0.01, times=2)
    ends = {name: np.array([run[f"{name}.{x}"][0] for x in "xy"]) for name in ("crank.end", "rocker.end")}
    along = ends["rocker.end"] - ends["crank.end"]
    crank_speed = 3.0 * np.array([-ends["crank.end"][1], ends["crank.end"][0]])
    arm = ends["rocker.end"] - [1.0, 0.0]
    rate = (along @ crank_speed) / (along @ np.array([-arm[1], arm[0]]))
    assert run["rocker.angle.rate"][0] == pytest.approx(rate, abs=1e-10)
