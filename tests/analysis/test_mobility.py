"""The mobility report against what the books say: degrees of freedom, redundant equations, their joints and their causes.

Numbers are from counting by hand, or from the literature named at the test; none comes from the engine.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grashof.analysis.assembly import closed_position
from grashof.analysis.mobility import Mobility, mobility
from grashof.analysis.twists import motions
from grashof.dynamics.equations import make_dynamics
from grashof.errors import ModelError
from grashof.model.handles import Point
from grashof.model.mechanism import Mechanism
from grashof.problems import four_bar, multiple_four_bar
from grashof.system.system import compile_system

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)

# -- mechanisms in the plane


def planar_four_bar() -> Mechanism:
    m = Mechanism("four-bar")
    crank = m.bar("crank", start=(0, 0), end=(0.5, 1), mass=1)
    coupler = m.bar("coupler", start=(0.5, 1), end=(3, 2), mass=1)
    rocker = m.bar("rocker", start=(2.5, 0), end=(3, 2), mass=1)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(m.ground.at(2.5, 0), rocker.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end, name="closing")
    return m


def slider_crank(angle: float = 0.7, *, motor: str | None = None) -> Mechanism:
    """A crank of 1 m, a rod of 2 m and a pin in a slot along x; `motor` drives the crank."""
    m = Mechanism("slider-crank")
    pin = (math.cos(angle), math.sin(angle))
    far = pin[0] + math.sqrt(4.0 - pin[1] ** 2)
    crank = m.bar("crank", start=(0, 0), end=pin, mass=1)
    rod = m.bar("rod", start=pin, end=(far, 0), mass=1)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0, 0), (1, 0)), rod.end)
    if motor is not None:
        m.motor(crank, motor)
    return m


def piston_driven(angle: float) -> Mechanism:
    """The slider-crank driven at its pin: the distance from the crank's centre follows a law."""
    m = slider_crank(angle)
    reach = math.cos(angle) + math.sqrt(4.0 - math.sin(angle) ** 2)
    m.separation("reach", Point("ground", "p1"), Point("rod", "end"))
    m.motor("reach", f"{reach!r} - t**2")
    return m


def parallelogram(cranks: int) -> Mechanism:
    """Equal, parallel cranks on one coupler."""
    m = Mechanism(f"parallelogram with {cranks} cranks")
    coupler = m.body("coupler", mass=1, inertia=1, position=(0.6, 0.8))
    for i in range(cranks):
        crank = m.bar(f"crank{i}", start=(i, 0), end=(i + 0.6, 0.8), mass=1)
        m.revolute(m.ground.at(i, 0), crank.start, name=f"foot{i}")
        m.revolute(crank.end, coupler.at(i, 0), name=f"head{i}")
    return m


def windows_lying_flat(count: int) -> Mechanism:
    """Four-bar windows of equal bars, all of them on the x axis."""
    m = Mechanism("flat windows")
    uprights = [m.bar(f"upright{i}", start=(i, 0), end=(i + 1, 0), mass=1) for i in range(count + 1)]
    tops = [m.bar(f"top{i}", start=(i + 1, 0), end=(i + 2, 0), mass=1) for i in range(count)]
    for i, upright in enumerate(uprights):
        m.revolute(m.ground.at(i, 0), upright.start)
    for i, top in enumerate(tops):
        m.revolute(uprights[i].end, top.start)
        m.revolute(top.end, uprights[i + 1].end)
    return m


def flat_window_on_an_upright_one() -> Mechanism:
    m = Mechanism("two storeys")
    lower = [m.bar(f"lower{i}", start=(i, 0), end=(i, 1), mass=1) for i in range(2)]
    floor = m.bar("floor", start=(0, 1), end=(1, 1), mass=1)
    upper = [m.bar(f"upper{i}", start=(i, 1), end=(i + 1, 1), mass=1) for i in range(2)]
    roof = m.bar("roof", start=(1, 1), end=(2, 1), mass=1)
    for i in range(2):
        m.revolute(m.ground.at(i, 0), lower[i].start)
        m.revolute(lower[i].end, (floor.start, floor.end)[i])
        m.revolute(lower[i].end, upper[i].start)
        m.revolute(upper[i].end, (roof.start, roof.end)[i])
    return m


def two_bars_in_line() -> Mechanism:
    """Two bars between fixed pins as far apart as the bars are long."""
    m = Mechanism("shaky arch")
    left = m.bar("left", start=(0, 0), end=(1, 0), mass=1)
    right = m.bar("right", start=(1, 0), end=(2, 0), mass=1)
    m.revolute(m.ground.at(0, 0), left.start)
    m.revolute(left.end, right.start)
    m.revolute(right.end, m.ground.at(2, 0))
    return m


def arch() -> Mechanism:
    m = Mechanism("three-pinned arch")
    left = m.bar("left", start=(0, 0), end=(1, 1), mass=1)
    right = m.bar("right", start=(1, 1), end=(2, 0), mass=1)
    m.revolute(m.ground.at(0, 0), left.start)
    m.revolute(left.end, right.start)
    m.revolute(right.end, m.ground.at(2, 0))
    return m


def wedges() -> Mechanism:
    """Two wedges that slide on the ground and on each other."""
    m = Mechanism("wedges")
    low = m.body("low", mass=1, inertia=1, position=(0, 0))
    high = m.body("high", mass=1, inertia=1, position=(0, 1))
    m.prismatic(m.ground.at(0, 0), low.at(0, 0), axis=(1, 0), name="floor")
    m.prismatic(m.ground.at(0, 1), high.at(0, 0), axis=(0, 1), name="wall")
    m.prismatic(low.at(0, 1), high.at(0, 0), axis=(1, 1), name="slope")
    return m


# -- mechanisms in space


def block(m: Mechanism, name: str, *places: Sequence[float]) -> Callable[[Sequence[float]], Point]:
    """A rigid body whose axes are the world's at the start: gives its points by where they are."""
    center = np.mean(places, axis=0) if places else (0.0, 0.0, 0.0)
    body = m.body(name, mass=1, center=center, inertia=(1.0, 1.0, 1.0), position=(0, 0, 0))
    return lambda place: body.at(*place)


def revolute_loop(name: str, pins: Sequence[Sequence[float]], axes: Sequence[Sequence[float]]) -> Mechanism:
    """A closed chain of links with a revolute joint at each pin; the ground is the link from the last pin to the first."""
    m = Mechanism(name, dimension=3)
    count = len(pins)
    links = [lambda place: m.ground.at(*place)]
    links += [block(m, f"link{i}", pins[i - 1], pins[i]) for i in range(1, count)]
    for i in range(count):
        m.revolute(links[i](pins[i]), links[(i + 1) % count](pins[i]), axis=axes[i], name=f"pin{i}")
    return m


def four_bar_in_space(axis: Sequence[float] = Z) -> Mechanism:
    """The four-bar drawn in the plane across `axis`."""
    n = np.array(axis) / np.linalg.norm(axis)
    u = np.cross(n, (0.3, 0.2, 0.9) if abs(n[2]) < 0.9 else X)
    u /= np.linalg.norm(u)
    corners = [(0, 0), (0.5, 1), (3, 2), (2.5, 0)]
    return revolute_loop("four-bar in space", [x * u + y * np.cross(n, u) for x, y in corners], [n] * 4)


def spherical_four_bar(center: Sequence[float] = (0.0, 0.0, 0.0)) -> Mechanism:
    axes = [np.array(a) / np.linalg.norm(a) for a in ((1, 0, 0.2), (0.8, 0.7, 0.6), (-0.2, 1, 0.5), (-0.3, 0.6, -0.4))]
    return revolute_loop("spherical four-bar", [np.array(center) + a for a in axes], axes)


def bennett(length: float = 1.0, twist: float = 0.7, other_twist: float = 1.9, theta: float = 0.9) -> Mechanism:
    """Bennett's four-revolute loop (1903): opposite links alike, a/sin α = b/sin β, joint angles related by
    tan(θ₁/2) tan(θ₂/2) = sin((β + α)/2) / sin((β − α)/2)."""
    other = length * math.sin(other_twist) / math.sin(twist)
    ratio = math.sin(0.5 * (other_twist + twist)) / math.sin(0.5 * (other_twist - twist))
    second = 2.0 * math.atan(ratio / math.tan(0.5 * theta))
    frame = np.eye(4)
    pins, axes = [], []
    for angle, a, alpha in zip(
        (theta, second, -theta, -second), (length, other) * 2, (twist, other_twist) * 2, strict=True
    ):
        frame = frame @ _denavit_hartenberg(angle, a, alpha)
        pins.append(frame[:3, 3].copy())
        axes.append(frame[:3, 2].copy())
    assert np.allclose(frame, np.eye(4), atol=1e-12), "the loop does not close"
    return revolute_loop("Bennett linkage", pins, axes)


def _denavit_hartenberg(angle: float, a: float, alpha: float) -> np.ndarray:
    c, s, ca, sa = math.cos(angle), math.sin(angle), math.cos(alpha), math.sin(alpha)
    return np.array([[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, 0], [0, 0, 0, 1]])


def bricard() -> Mechanism:
    """Bricard's loop (1897) along six edges of a cube, each axis at right angles to the next."""
    pins = [(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)]
    return revolute_loop("Bricard", pins, [Y, Z, X, Y, Z, X])


def sarrus() -> Mechanism:
    """Sarrus's straight-line linkage (1853): two folding legs whose hinges are along x and along y."""
    pins = [(0, -1, 0), (0, -1.8, 0.6), (0, -1, 1.2), (-1, 0, 1.2), (-1.8, 0, 0.6), (-1, 0, 0)]
    return revolute_loop("Sarrus", pins, [X, X, X, Y, Y, Y])


def rssr(*, slender: bool) -> Mechanism:
    """Crank and rocker with a coupler between ball joints."""
    m = Mechanism("RSSR", dimension=3)
    a, b = (0.0, 0.5, 0.0), (2.0, 0.3, 1.0)
    crank, rocker = block(m, "crank", (0, 0, 0), a), block(m, "rocker", (2, 0, 0), b)
    m.revolute(m.ground.at(0, 0, 0), crank((0, 0, 0)), axis=X)
    m.revolute(m.ground.at(2, 0, 0), rocker((2, 0, 0)), axis=(0, 1, 0.3))
    if slender:
        rod = m.bar("rod", start=a, end=b, mass=1)
        m.spherical(crank(a), rod.start)
        m.spherical(rod.end, rocker(b))
    else:
        coupler = block(m, "coupler", a, b)
        m.spherical(crank(a), coupler(a))
        m.spherical(coupler(b), rocker(b))
    return m


def sliding_on_parallel_axes() -> Mechanism:
    """Four parallel axes, two of which let their bodies slide along: revolute and cylindrical joints in turn."""
    m = Mechanism("RCRC", dimension=3)
    pins = [(0, 0, 0), (0.5, 1, 0), (3, 2, 0), (2.5, 0, 0)]
    links = [lambda place: m.ground.at(*place)]
    links += [block(m, f"link{i}", pins[i - 1], pins[i]) for i in range(1, 4)]
    for i, join in enumerate((m.revolute, m.cylindrical, m.revolute, m.cylindrical)):
        join(links[i](pins[i]), links[(i + 1) % 4](pins[i]), axis=Z, name=f"joint{i}")
    return m


def door() -> Mechanism:
    m = Mechanism("door", dimension=3)
    leaf = block(m, "leaf", (0, 0, 0), (0, 0, 2), (1, 0, 1))
    for name, height in (("lower", 0), ("upper", 2)):
        m.revolute(m.ground.at(0, 0, height), leaf((0, 0, height)), axis=Z, name=name)
    return m


def welded_twice(dimension: int) -> Mechanism:
    m = Mechanism("welded twice", dimension=dimension)
    zero, one = (0.0,) * dimension, (1.0,) + (0.0,) * (dimension - 1)
    bodies = []
    for name in ("left", "right"):
        inertia = 1.0 if dimension == 2 else (1.0, 1.0, 1.0)
        bodies.append(m.body(name, mass=1, inertia=inertia, position=zero))
    a, b = bodies
    m.weld(a.at(*zero), b.at(*zero), name="first")
    m.weld(a.at(*one), b.at(*one), name="second")
    return m


def table(legs: int) -> Mechanism:
    """A plate on massless rods, none of which crosses another."""
    m = Mechanism(f"table on {legs} legs", dimension=3)
    plate = m.body("plate", mass=1, inertia=(1, 1, 2), position=(0, 0, 1))
    for i in range(legs):
        around, turned = math.pi / 3 * i, math.pi / 3 * i + (0.5 if i % 2 else -0.5)
        foot = (2 * math.cos(turned), 2 * math.sin(turned), 0)
        top = (math.cos(around), math.sin(around), 0)
        length = math.dist(foot, (top[0], top[1], 1))
        m.distance(m.ground.at(*foot), plate.at(*top), length)
    return m


def all_at_rest() -> list[Mechanism]:
    """One of everything that can be assembled."""
    return [
        planar_four_bar(),
        slider_crank(),
        slider_crank(motor="0.7 + t"),
        piston_driven(0.7),
        piston_driven(0.0),
        parallelogram(2),
        parallelogram(4),
        windows_lying_flat(1),
        windows_lying_flat(2),
        flat_window_on_an_upright_one(),
        two_bars_in_line(),
        arch(),
        wedges(),
        four_bar_in_space(),
        four_bar_in_space((1, 2, -1)),
        spherical_four_bar(),
        bennett(),
        bricard(),
        sarrus(),
        rssr(slender=True),
        rssr(slender=False),
        sliding_on_parallel_axes(),
        door(),
        welded_twice(2),
        welded_twice(3),
        table(5),
        table(6),
    ]


def numbers(report: Mobility) -> tuple[int, int, int, int]:
    """(degrees of freedom, freedoms, joint equations, redundant ones)"""
    return report.dof, report.freedoms, report.equations, report.redundant


# -- linkages with nothing redundant


def test_a_planar_four_bar_has_one_freedom_and_gruebler_agrees() -> None:
    report = mobility(planar_four_bar())
    assert numbers(report) == (1, 9, 8, 0)
    assert report.gruebler == 1
    assert not report.singular
    assert "1 degree of freedom, nothing redundant" in str(report)
    assert "Grübler's count agrees: 9 − 8 = 1" in str(report)


def test_a_slider_crank_has_one_freedom() -> None:
    assert numbers(mobility(slider_crank())) == (1, 6, 5, 0)


def test_an_arch_of_two_bars_stands() -> None:
    report = mobility(arch())
    assert numbers(report) == (0, 6, 6, 0)
    assert not report.singular


@pytest.mark.parametrize(("legs", "freedoms"), [(4, 2), (5, 1), (6, 0)])
def test_a_table_stands_on_six_legs_and_moves_on_fewer(legs: int, freedoms: int) -> None:
    assert mobility(table(legs)).dof == freedoms


@pytest.mark.parametrize(
    ("dimension", "join", "equations"),
    [
        (2, lambda m, a, b: m.revolute(a, b), 2),
        (2, lambda m, a, b: m.prismatic(a, b, axis=(0.6, 0.8)), 2),
        (2, lambda m, a, b: m.pin_in_slot(m.ground.line((0, 0), (1, 2)), b), 1),
        (2, lambda m, a, b: m.weld(a, b), 3),
        (2, lambda m, a, b: m.distance(m.ground.at(3.0, 4.0), b, 5.0), 1),
        (3, lambda m, a, b: m.revolute(a, b, axis=(1, 2, 3)), 5),
        (3, lambda m, a, b: m.prismatic(a, b, axis=(1, 2, 3)), 5),
        (3, lambda m, a, b: m.cylindrical(a, b, axis=(1, 2, 3)), 4),
        (3, lambda m, a, b: m.universal(a, b, axis_a=(1, 2, 3), axis_b=(3, 0, -1)), 4),
        (3, lambda m, a, b: m.spherical(a, b), 3),
        (3, lambda m, a, b: m.planar(a, b, normal=(1, 2, 3)), 3),
        (3, lambda m, a, b: m.weld(a, b), 6),
        (3, lambda m, a, b: m.distance(m.ground.at(3.0, 4.0, 0.0), b, 5.0), 1),
    ],
)
def test_each_joint_holds_what_it_should(dimension: int, join: Callable[..., object], equations: int) -> None:
    """The second body is held by nothing, so that something moves even where the joint is a weld."""
    m = Mechanism("one joint", dimension=dimension)
    zero = (0.0,) * dimension
    inertia = 1.0 if dimension == 2 else (1.0, 1.0, 1.0)
    body, _ = (m.body(name, mass=1, inertia=inertia, position=zero) for name in ("joined", "free"))
    join(m, m.ground.at(*zero), body.at(*zero))
    freedoms = 6 if dimension == 2 else 12
    assert numbers(mobility(m)) == (freedoms - equations, freedoms, equations, 0)


@pytest.mark.parametrize(("dimension", "freedoms"), [(2, 3), (3, 6)])
def test_a_body_that_nothing_holds_has_all_its_freedoms(dimension: int, freedoms: int) -> None:
    m = Mechanism("stone", dimension=dimension)
    m.body("stone", mass=1, inertia=1.0 if dimension == 2 else (1.0, 1.0, 1.0), position=(0.0,) * dimension)
    assert numbers(mobility(m)) == (freedoms, freedoms, 0, 0)


def test_two_pinned_bars_that_fly_have_four_freedoms() -> None:
    m = Mechanism("nunchaku")
    left, right = m.bar("left", start=(0, 0), end=(1, 0), mass=1), m.bar("right", start=(1, 0), end=(2, 1), mass=1)
    m.revolute(left.end, right.start)
    assert numbers(mobility(m)) == (4, 6, 2, 0)


# -- redundant because of the group in which a loop moves


@pytest.mark.parametrize("axis", [X, Z, (1.0, 2.0, -1.0)])
def test_a_planar_four_bar_modelled_in_space_repeats_three(axis: Sequence[float]) -> None:
    report = mobility(four_bar_in_space(axis))
    assert numbers(report) == (1, 18, 20, 3)
    assert report.gruebler == -2
    (repeat,) = report.repeats
    assert (repeat.kind, repeat.count, repeat.nearby) == ("planar", 3, 3)
    assert set(repeat.loop) == {"ground", "link1", "link2", "link3"}
    assert not report.singular


def test_what_a_planar_loop_repeats_is_named_by_the_world_s_axes() -> None:
    (repeat,) = mobility(four_bar_in_space(Y)).repeats
    assert repeat.directions == ("translation along y", "rotation about x", "rotation about z")
    assert "all axes are parallel to y" in repeat.why
    assert "translation along y and rotations about x and z" in repeat.why


@pytest.mark.parametrize("center", [(0.0, 0.0, 0.0), (5.0, -2.0, 1.0)])
def test_a_spherical_four_bar_repeats_three(center: Sequence[float]) -> None:
    report = mobility(spherical_four_bar(center))
    assert numbers(report) == (1, 18, 20, 3)
    (repeat,) = report.repeats
    assert repeat.kind == "spherical"
    assert "({:g}, {:g}, {:g})".format(*center).replace("-", "−") in repeat.why


def test_a_loop_of_parallel_axes_that_may_slide_repeats_two_rotations() -> None:
    report = mobility(sliding_on_parallel_axes())
    assert numbers(report) == (2, 18, 18, 2)
    (repeat,) = report.repeats
    assert repeat.kind == "parallel axes"
    assert repeat.directions == ("rotation about x", "rotation about y")


def test_a_door_on_two_hinges_repeats_five() -> None:
    report = mobility(door())
    assert numbers(report) == (1, 6, 10, 5)
    (repeat,) = report.repeats
    assert (repeat.joint, repeat.kind) == ("upper", "one axis")


def test_wedges_move_though_gruebler_says_they_are_stuck() -> None:
    report = mobility(wedges())
    assert numbers(report) == (1, 6, 6, 1)
    assert report.gruebler == 0
    (repeat,) = report.repeats
    assert (repeat.kind, repeat.directions) == ("translations", ("rotation",))


@pytest.mark.parametrize(("dimension", "freedoms"), [(2, 3), (3, 6)])
def test_a_second_weld_is_redundant_altogether(dimension: int, freedoms: int) -> None:
    report = mobility(welded_twice(dimension))
    assert numbers(report) == (freedoms, 2 * freedoms, 2 * freedoms, freedoms)
    assert [repeat.kind for repeat in report.repeats] == ["fixed"]


# -- redundant because of special dimensions


def test_a_third_parallel_crank_is_redundant_once() -> None:
    report = mobility(parallelogram(3))
    assert numbers(report) == (1, 12, 12, 1)
    assert report.gruebler == 0
    (repeat,) = report.repeats
    assert repeat.joint == "head2"
    assert (repeat.kind, repeat.count, repeat.nearby) == ("dimensions", 1, 1)
    assert set(repeat.loop) >= {"crank2", "coupler", "ground"}
    assert not report.singular


def test_each_further_parallel_crank_is_redundant_once() -> None:
    report = mobility(parallelogram(6))
    assert (report.dof, report.redundant, report.gruebler) == (1, 4, -3)
    assert [repeat.joint for repeat in report.repeats] == ["head2", "head3", "head4", "head5"]


def test_a_third_crank_of_another_length_locks() -> None:
    m = parallelogram(2)
    crank = m.bar("odd", start=(2.2, 0), end=(2.6, 0.8), mass=1)
    m.add_point("coupler", "odd", (2.0, 0.0))
    m.revolute(m.ground.at(2.2, 0), crank.start)
    m.revolute(crank.end, Point("coupler", "odd"))
    assert numbers(mobility(m)) == (0, 12, 12, 0)


@pytest.mark.parametrize("theta", [0.4, 0.9, 2.0])
def test_bennett_s_linkage_moves_with_three_redundant_equations(theta: float) -> None:
    """Four revolutes with skew axes: 18 − 20 = −2, and yet it moves (Bennett, 1903)."""
    report = mobility(bennett(theta=theta))
    assert numbers(report) == (1, 18, 20, 3)
    assert report.gruebler == -2
    (repeat,) = report.repeats
    assert (repeat.kind, repeat.nearby) == ("dimensions", 3)
    assert not report.singular


def test_bricard_s_linkage_moves_with_one_redundant_equation() -> None:
    report = mobility(bricard())
    assert numbers(report) == (1, 30, 30, 1)
    assert report.gruebler == 0
    assert [(repeat.kind, repeat.count, repeat.nearby) for repeat in report.repeats] == [("dimensions", 1, 1)]


def test_sarrus_s_linkage_moves_with_one_redundant_equation() -> None:
    report = mobility(sarrus())
    assert numbers(report) == (1, 30, 30, 1)
    assert not report.singular
    (repeat,) = report.repeats
    assert repeat.directions == ("rotation about z",)


def test_six_revolutes_in_no_special_place_are_stuck() -> None:
    rng = np.random.default_rng(7)
    pins, axes = rng.normal(size=(6, 3)), rng.normal(size=(6, 3))
    assert numbers(mobility(revolute_loop("six", pins, axes))) == (0, 30, 30, 0)


def test_seven_revolutes_in_no_special_place_have_one_freedom() -> None:
    rng = np.random.default_rng(7)
    pins, axes = rng.normal(size=(7, 3)), rng.normal(size=(7, 3))
    assert numbers(mobility(revolute_loop("seven", pins, axes))) == (1, 36, 35, 0)


# -- spins


def test_a_slender_coupler_between_balls_has_an_idle_spin() -> None:
    report = mobility(rssr(slender=True))
    assert numbers(report) == (1, 18, 16, 0)
    assert report.gruebler == 2
    assert report.idle_spins == {"rod": 1}
    assert "1 idle spin, of no consequence: 'rod' about its own axis" in str(report)


def test_a_thick_coupler_spins_in_earnest() -> None:
    report = mobility(rssr(slender=False))
    assert numbers(report) == (2, 18, 16, 0)
    assert not report.idle_spins


def test_a_point_mass_on_a_rod_has_two_freedoms_and_three_idle_spins() -> None:
    m = Mechanism("bob", dimension=3)
    bob = m.body("bob", mass=1, position=(0, 0, -1))
    m.distance(m.ground.at(0, 0, 0), bob.at(0, 0, 0), 1.0)
    report = mobility(m)
    assert (report.dof, report.idle_spins) == (2, {"bob": 3})


def test_a_bar_on_a_hinge_has_no_idle_spin() -> None:
    m = Mechanism("pendulum", dimension=3)
    rod = m.bar("rod", start=(0, 0, 0), end=(0, 0, -1), mass=1)
    m.revolute(m.ground.at(0, 0, 0), rod.start, axis=X)
    assert numbers(mobility(m)) == (1, 6, 5, 0)
    assert not mobility(m).idle_spins


# -- motors


def test_a_motor_takes_the_freedom_of_a_slider_crank() -> None:
    report = mobility(slider_crank(motor="0.7 + t"))
    assert (report.dof, report.dof_without_motors, report.driven, report.redundant) == (0, 1, 1, 0)
    assert report.gruebler == 1
    assert "0 degrees of freedom with its motor running and 1 without" in str(report)


def test_a_second_motor_on_the_same_freedom_is_idle() -> None:
    m = parallelogram(2)
    start = math.atan2(0.8, 0.6)
    m.motor("crank0.angle", f"{start!r} + t", name="first")
    m.motor("crank1.angle", f"{start!r} + t", name="second")
    report = mobility(m)
    assert (report.dof, report.driven, report.idle_motors) == (0, 1, ("second",))
    assert "'second'" in str(report)


def test_a_piston_drives_the_crank_except_at_the_dead_centre() -> None:
    assert not mobility(piston_driven(0.7)).singular
    dead = mobility(piston_driven(0.0))
    assert (dead.dof, dead.dof_nearby, dead.dof_without_motors) == (1, 0, 1)
    assert dead.singular


def test_the_crank_drives_the_piston_at_the_dead_centre_too() -> None:
    report = mobility(slider_crank(0.0, motor="t"))
    assert (report.dof, report.singular) == (0, False)


# -- singular positions


def test_the_double_four_bar_upright_is_regular() -> None:
    report = mobility(four_bar.mechanism(2, 1.0))
    assert numbers(report) == (1, 15, 14, 0)
    assert (report.dof_nearby, report.singular) == (1, False)


def test_the_double_four_bar_lying_flat_has_three_freedoms_and_one_nearby() -> None:
    report = mobility(windows_lying_flat(2))
    assert numbers(report) == (3, 15, 14, 2)
    assert (report.dof_nearby, report.redundant_nearby, report.singular) == (1, 0, True)
    assert set(report.loosened) == {"upright0", "upright1", "upright2", "top0", "top1"}
    assert [(repeat.kind, repeat.count, repeat.nearby) for repeat in report.repeats] == [("position", 1, 0)] * 2
    assert "3 degrees of freedom here and 1 nearby" in str(report)
    assert "determined only by velocities that choose one way to go on" in str(report)


@pytest.mark.parametrize("count", [1, 5, 20])
def test_windows_lying_flat_have_a_freedom_for_each_upright(count: int) -> None:
    report = mobility(windows_lying_flat(count))
    assert (report.dof, report.dof_nearby) == (count + 1, 1)


def test_only_the_flat_storey_is_loosened() -> None:
    report = mobility(flat_window_on_an_upright_one())
    assert (report.dof, report.dof_nearby) == (3, 2)
    assert set(report.loosened) == {"upper0", "upper1", "roof"}


def test_a_four_bar_in_space_lying_flat_repeats_a_fourth_equation_there() -> None:
    pins = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (1, 0, 0)]
    report = mobility(revolute_loop("flat rhombus", pins, [Z] * 4))
    assert numbers(report) == (2, 18, 20, 4)
    assert (report.dof_nearby, report.redundant_nearby) == (1, 3)
    (repeat,) = report.repeats
    assert (repeat.kind, repeat.count, repeat.nearby) == ("planar", 4, 3)
    assert repeat.why.endswith("1 at this position only")


def test_bars_in_line_can_only_begin_to_move() -> None:
    report = mobility(two_bars_in_line())
    assert numbers(report) == (1, 6, 6, 1)
    assert report.singular
    assert report.dof_nearby == 0
    assert set(report.loosened) == {"left", "right"}
    assert [repeat.kind for repeat in report.repeats] == ["position"]


def test_bars_in_line_are_singular_whatever_else_can_move() -> None:
    m = two_bars_in_line()
    m.body("stone", mass=1, inertia=1, position=(0, 5))
    report = mobility(m)
    assert (report.dof, report.dof_nearby) == (4, 3)
    assert set(report.loosened) == {"left", "right"}


def test_a_position_within_round_off_of_a_singular_one_is_called_nearly_singular() -> None:
    m = slider_crank(1e-6)
    m.separation("reach", Point("ground", "p1"), Point("rod", "end"))
    m.motor("reach", f"{3.0 - 0.75e-12!r} - t**2")
    report = mobility(m)
    assert report.dof == 0
    assert 0.0 < report.margin < 1e-5
    assert "nearly singular" in str(report)


# -- the benchmarks


def test_the_grid_of_25_four_bars_has_5_freedoms_and_75_redundant_equations() -> None:
    """55 bars and 80 revolute joints in space: 330 freedoms, 400 equations."""
    report = mobility(multiple_four_bar.mechanism(5, 5, "top-row"))
    assert numbers(report) == (5, 330, 400, 75)
    assert (report.rank, report.gruebler, report.dof_nearby) == (325, -70, 5)
    assert len(report.repeats) == 25
    assert {(repeat.kind, repeat.count) for repeat in report.repeats} == {("planar", 3)}
    text = str(report)
    for words in (
        "5 degrees of freedom, 75 redundant joint equations",
        "330 − 400 = −70",
        "25 planar loops repeat 3 each, 75 together: all axes are parallel to x",
        "translation along x and rotations about y and z",
    ):
        assert words in text
    assert len(text.splitlines()) < 10


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (2, 3), (3, 1)])
def test_a_grid_repeats_three_for_each_of_its_windows(rows: int, columns: int) -> None:
    report = mobility(multiple_four_bar.mechanism(rows, columns, "top-row"))
    assert (report.dof, report.redundant) == (rows, 3 * rows * columns)


def test_the_report_is_quick_enough_to_print_with_every_run() -> None:
    for model in (multiple_four_bar.mechanism(5, 5, "top-row"), four_bar.mechanism(40, 1.0)):
        dynamics = make_dynamics(compile_system(model))
        spent = []
        for _ in range(3):
            began = time.process_time()
            mobility(dynamics)
            spent.append(time.process_time() - began)
        assert min(spent) < 0.5


# -- the report itself


def test_the_report_is_plain_data_too() -> None:
    data = json.loads(json.dumps(mobility(four_bar_in_space()).as_dict()))
    assert (data["dof"], data["redundant"], data["gruebler"], data["singular"]) == (1, 3, -2, False)
    assert data["repeats"][0]["joint"] == "pin2"


def test_a_mechanism_that_cannot_close_is_refused_in_words() -> None:
    m = Mechanism("torn")
    left = m.bar("left", start=(0, 0), end=(1, 0), mass=1)
    right = m.bar("right", start=(1, 0), end=(2, 0), mass=1)
    m.revolute(m.ground.at(0, 0), left.start)
    m.revolute(left.end, right.start)
    m.revolute(right.end, m.ground.at(5, 0))
    with pytest.raises(ModelError, match="cannot close"):
        mobility(m)


@pytest.mark.parametrize("size", [1e-4, 1e3])
@pytest.mark.parametrize("linkage", ["planar", "spherical", "Sarrus", "flat"])
def test_neither_size_nor_place_changes_the_count(linkage: str, size: float) -> None:
    corners = {
        "planar": ([(0, 0, 0), (1, 2, 0), (4, 3, 0), (3, 0, 0)], [Z] * 4, (1, 3, False)),
        "spherical": ([X, Y, Z, (0.6, 0.0, 0.8)], [X, Y, Z, (0.6, 0.0, 0.8)], (1, 3, False)),
        "Sarrus": (
            [(0, -1, 0), (0, -1.8, 0.6), (0, -1, 1.2), (-1, 0, 1.2), (-1.8, 0, 0.6), (-1, 0, 0)],
            [X, X, X, Y, Y, Y],
            (1, 1, False),
        ),
        "flat": ([(0, 0, 0), (1, 0, 0), (2, 0, 0), (1, 0, 0)], [Z] * 4, (2, 4, True)),
    }
    pins, axes, expected = corners[linkage]
    away = size * np.array([100.0, -200.0, 300.0])
    report = mobility(revolute_loop(linkage, [size * np.array(pin) + away for pin in pins], axes))
    assert (report.dof, report.redundant, report.singular) == expected


# -- against the coordinates of the engine, which know nothing of twists


@pytest.mark.parametrize("mechanism", all_at_rest(), ids=lambda m: m.name)
def test_the_presolved_system_has_the_same_degrees_of_freedom(mechanism: Mechanism) -> None:
    assert mobility(mechanism).dof == freedom_of_the_presolved_system(mechanism)


def freedom_of_the_presolved_system(mechanism: Mechanism) -> int:
    """n − rank J, with motors."""
    dynamics = make_dynamics(compile_system(mechanism.model))
    q, _ = closed_position(dynamics)
    jacobian = np.zeros((dynamics.system.m, dynamics.n))
    for k, row in enumerate(dynamics.kkt.rows(dynamics.jacobian(mechanism.time, list(q)))):
        for i, x in row.items():
            jacobian[k, i] = x
    return dynamics.n - (int(np.linalg.matrix_rank(jacobian, rtol=1e-8)) if jacobian.size else 0)


@pytest.mark.parametrize("mechanism", all_at_rest(), ids=lambda m: m.name)
def test_what_joints_repeat_they_hold_themselves(mechanism: Mechanism) -> None:
    """Redundant directions are orthonormal and among those that the joint holds."""
    dynamics = make_dynamics(compile_system(mechanism.model))
    q, _ = closed_position(dynamics)
    here = motions(dynamics.system, mechanism.time, q)
    for joint, rows in here.repeated.items():
        held = here.holds[joint].holds
        assert np.allclose(rows @ rows.T, np.eye(len(rows)), atol=1e-12)
        assert np.allclose(rows @ held.T @ held, rows, atol=1e-12)


# -- trees

SPATIAL_JOINTS = {
    "revolute": (1, lambda m, a, b, u, w, **name: m.revolute(a, b, axis=u, **name)),
    "prismatic": (1, lambda m, a, b, u, w, **name: m.prismatic(a, b, axis=u, **name)),
    "cylindrical": (2, lambda m, a, b, u, w, **name: m.cylindrical(a, b, axis=u, **name)),
    "universal": (2, lambda m, a, b, u, w, **name: m.universal(a, b, axis_a=u, axis_b=np.cross(u, w), **name)),
    "spherical": (3, lambda m, a, b, u, w, **name: m.spherical(a, b, **name)),
    "planar": (3, lambda m, a, b, u, w, **name: m.planar(a, b, normal=u, **name)),
    "weld": (0, lambda m, a, b, u, w, **name: m.weld(a, b, **name)),
}
"""Each with the freedoms it leaves, from any textbook."""


trees = st.lists(st.tuples(st.sampled_from(sorted(SPATIAL_JOINTS)), st.integers(0, 7)), min_size=1, max_size=7)


@given(trees.filter(lambda tree: any(kind != "weld" for kind, _ in tree)), st.integers(0, 999))
@example(
    [("prismatic", 0), *(("cylindrical", k) for k in (0, 0, 0, 1, 4, 2))], 790
)  # round-off of 1.6e-12 is no equation
@settings(max_examples=40, deadline=None)
def test_a_tree_has_the_freedoms_of_its_joints_and_nothing_redundant(tree: list[tuple[str, int]], seed: int) -> None:
    rng = np.random.default_rng(seed)
    m = Mechanism("tree", dimension=3)
    points = [lambda place: m.ground.at(*place)]
    for number, (kind, parent) in enumerate(tree):
        where, u, w = rng.normal(size=(3, 3))
        points.append(block(m, f"body{number}", where))
        SPATIAL_JOINTS[kind][1](m, points[parent % (len(points) - 1)](where), points[-1](where), u, w)
    report = mobility(m)
    assert report.dof == sum(SPATIAL_JOINTS[kind][0] for kind, _ in tree) == report.gruebler
    assert (report.redundant, report.repeats, report.singular) == (0, (), False)
    assert report.dof == freedom_of_the_presolved_system(m)


@given(st.integers(4, 8), st.integers(0, 999))
@settings(max_examples=25, deadline=None)
def test_a_loop_of_parallel_axes_has_three_freedoms_fewer_than_it_has_joints(count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    pins = rng.normal(size=(count, 3))
    report = mobility(revolute_loop("ring", pins, [axis] * count))
    assert (report.dof, report.redundant) == (count - 3, 3)
    assert report.repeats[0].kind == "planar"


nets = st.lists(
    st.tuples(st.sampled_from(sorted(SPATIAL_JOINTS)), st.integers(0, 4), st.integers(0, 4)).filter(
        lambda x: x[1] != x[2]
    ),
    min_size=1,
    max_size=9,
)


@given(nets, st.integers(0, 999), st.booleans())
@settings(max_examples=60, deadline=None)
def test_twists_and_presolved_coordinates_agree_on_random_nets(
    net: list[tuple[str, int, int]], seed: int, aligned: bool
) -> None:
    """Four bodies and the ground, joined at random; `aligned`: at whole numbers and along the world's axes, so that much repeats."""
    rng = np.random.default_rng(seed)
    m = Mechanism("net", dimension=3)
    points = [lambda place: m.ground.at(*place), *(block(m, f"body{i}") for i in range(4))]
    block(m, "bystander")
    for number, (kind, a, b) in enumerate(net):
        where, u, w = rng.normal(size=(3, 3))
        if aligned:
            where, u, w = rng.integers(-2, 3, size=3).astype(float), *np.eye(3)[rng.permutation(3)[:2]]
        SPATIAL_JOINTS[kind][1](m, points[a](where), points[b](where), u, w, name=f"joint{number}")
    report = mobility(m)
    assert report.dof == freedom_of_the_presolved_system(m)
    assert report.dof == report.gruebler + report.redundant
    assert report.redundant == sum(repeat.count for repeat in report.repeats)
