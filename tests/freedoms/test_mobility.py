"""The mobility report against what the books say: degrees of freedom, spins, motors and singular positions.

Numbers are from counting by hand, or from the literature named at the test; none comes from the engine.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence

import numpy as np
import pytest

from grashof.common.errors import ModelError
from grashof.examples import example
from grashof.freedoms.mobility import mobility
from grashof.model.handles import Point
from grashof.model.mechanism import Mechanism
from grashof.problems.four_bar import case as four_bar
from grashof.problems.multiple_four_bar import case as multiple_four_bar

from ..linkages import (
    FLAT_RHOMBUS,
    SARRUS,
    X,
    Y,
    Z,
    arch,
    flat_window_on_an_upright_one,
    four_bar_in_space,
    numbers,
    parallelogram,
    piston_driven,
    planar_four_bar,
    revolute_loop,
    rssr,
    slider_crank,
    stone,
    table,
    windows_lying_flat,
)

# -- linkages without redundant constraints


def test_a_planar_four_bar_has_one_freedom_and_gruebler_agrees() -> None:
    report = mobility(planar_four_bar())
    assert numbers(report) == (1, 9, 8, 0)
    assert report.gruebler == 1
    assert not report.singular
    assert "1 degree of freedom, no redundant constraints" in str(report)
    assert "Grübler's formula agrees: 9 − 8 = 1" in str(report)


def test_a_slider_crank_has_one_freedom() -> None:
    assert numbers(mobility(slider_crank())) == (1, 6, 5, 0)


def test_an_arch_of_two_bars_stands() -> None:
    report = mobility(arch(1.0))
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
    body, _ = stone(m, "joined"), stone(m, "free")
    join(m, m.ground.at(*zero), body.at(*zero))
    freedoms = 6 if dimension == 2 else 12
    assert numbers(mobility(m)) == (freedoms - equations, freedoms, equations, 0)


@pytest.mark.parametrize(("dimension", "freedoms"), [(2, 3), (3, 6)])
def test_a_body_that_nothing_holds_has_all_its_freedoms(dimension: int, freedoms: int) -> None:
    m = Mechanism("stone", dimension=dimension)
    stone(m, "stone")
    assert numbers(mobility(m)) == (freedoms, freedoms, 0, 0)


def test_two_pinned_bars_that_fly_have_four_freedoms() -> None:
    m = Mechanism("nunchaku")
    left, right = m.bar("left", start=(0, 0), end=(1, 0), mass=1), m.bar("right", start=(1, 0), end=(2, 1), mass=1)
    m.revolute(left.end, right.start)
    assert numbers(mobility(m)) == (4, 6, 2, 0)


@pytest.mark.parametrize("count", [6, 7])
def test_revolutes_in_no_special_place_leave_six_freedoms_fewer_than_there_are(count: int) -> None:
    pins, axes = np.random.default_rng(7).normal(size=(2, count, 3))
    assert numbers(mobility(revolute_loop("loop", pins, axes))) == (count - 6, 6 * (count - 1), 5 * count, 0)


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
    report = mobility(m)
    assert numbers(report) == (1, 6, 5, 0)
    assert not report.idle_spins


# -- motors


def test_a_motor_takes_the_freedom_of_a_slider_crank() -> None:
    report = mobility(slider_crank(motor="0.7 + t"))
    assert (report.dof, report.dof_without_motors, report.driven, report.redundant) == (0, 1, 1, 0)
    assert report.gruebler == 1
    assert "1 degree of freedom, driven by 1 motor" in str(report)


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
    assert "determined only if its initial velocities select one branch" in str(report)


@pytest.mark.parametrize("count", [1, 5, 20])
def test_windows_lying_flat_have_a_freedom_for_each_upright(count: int) -> None:
    report = mobility(windows_lying_flat(count))
    assert (report.dof, report.dof_nearby) == (count + 1, 1)


def test_only_the_flat_storey_is_loosened() -> None:
    report = mobility(flat_window_on_an_upright_one())
    assert (report.dof, report.dof_nearby) == (3, 2)
    assert set(report.loosened) == {"upper0", "upper1", "roof"}


def test_a_four_bar_in_space_lying_flat_repeats_a_fourth_equation_there() -> None:
    report = mobility(revolute_loop("flat rhombus", *FLAT_RHOMBUS))
    assert numbers(report) == (2, 18, 20, 4)
    assert (report.dof_nearby, report.redundant_nearby) == (1, 3)
    (repeat,) = report.repeats
    assert (repeat.kind, repeat.count, repeat.nearby) == ("planar", 4, 3)
    assert repeat.why.endswith("1 only at this position")


def test_bars_in_line_can_only_begin_to_move() -> None:
    report = mobility(arch(0.0))
    assert numbers(report) == (1, 6, 6, 1)
    assert report.singular
    assert report.dof_nearby == 0
    assert set(report.loosened) == {"left", "right"}
    assert [repeat.kind for repeat in report.repeats] == ["position"]


def test_bars_in_line_are_singular_whatever_else_can_move() -> None:
    m = arch(0.0)
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
        "25 planar loops have 3 redundant equations each, 75 in total: all axes are parallel to x",
        "translation along x and rotations about y and z",
    ):
        assert words in text
    assert len(text.splitlines()) < 10


@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (2, 3), (3, 1)])
def test_a_grid_repeats_three_for_each_of_its_windows(rows: int, columns: int) -> None:
    report = mobility(multiple_four_bar.mechanism(rows, columns, "top-row"))
    assert (report.dof, report.redundant) == (rows, 3 * rows * columns)


# -- the report itself


def test_couplings_may_tie_quantities_that_have_no_name_in_the_mechanism() -> None:
    """A cam, a lever with a flat follower and a massless part between: 9 − 6 − 2 = 1, which the motor drives."""
    report = mobility(example("cam-follower"))
    assert (report.dof, report.redundant, report.blocked) == (0, 0, ())


def test_the_report_is_plain_data_too() -> None:
    data = json.loads(json.dumps(mobility(four_bar_in_space()).as_dict()))
    assert (data["dof"], data["redundant"], data["gruebler"], data["singular"]) == (1, 3, -2, False)
    assert data["repeats"][0]["joint"] == "pin2"


def test_a_mechanism_that_cannot_close_is_refused_in_words() -> None:
    with pytest.raises(ModelError, match="cannot close"):
        mobility(arch(0.0, span=5.0))


@pytest.mark.parametrize("size", [1e-4, 1e3])
@pytest.mark.parametrize(
    ("pins", "axes", "expected"),
    [
        ([(0, 0, 0), (1, 2, 0), (4, 3, 0), (3, 0, 0)], [Z] * 4, (1, 3, False)),
        ([X, Y, Z, (0.6, 0.0, 0.8)], [X, Y, Z, (0.6, 0.0, 0.8)], (1, 3, False)),
        (*SARRUS, (1, 1, False)),
        (*FLAT_RHOMBUS, (2, 4, True)),
    ],
    ids=["planar", "spherical", "Sarrus", "flat"],
)
def test_neither_size_nor_place_changes_the_count(
    pins: Sequence[Sequence[float]], axes: Sequence[Sequence[float]], expected: tuple[int, int, bool], size: float
) -> None:
    away = size * np.array([100.0, -200.0, 300.0])
    report = mobility(revolute_loop("loop", [size * np.array(pin) + away for pin in pins], axes))
    assert (report.dof, report.redundant, report.singular) == expected
