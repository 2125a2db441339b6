"""Which joint equations are redundant, of which joint, and why: because all of a loop moves alike, or by its
dimensions.

Numbers are from counting by hand, or from the literature named at the test; none comes from the engine.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from grashof.freedoms.mobility import mobility
from grashof.model.handles import Point

from ..linkages import (
    SARRUS,
    X,
    Y,
    Z,
    bennett,
    bricard,
    door,
    four_bar_in_space,
    numbers,
    parallelogram,
    revolute_loop,
    sliding_on_parallel_axes,
    spherical_four_bar,
    wedges,
    welded_twice,
)

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
    report = mobility(revolute_loop("Sarrus", *SARRUS))
    assert numbers(report) == (1, 30, 30, 1)
    assert not report.singular
    (repeat,) = report.repeats
    assert repeat.directions == ("rotation about z",)
