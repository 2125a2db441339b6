"""Presolve eliminates what is linear, exactly, and nothing else."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

import grashof as gr
from grashof.assembly.assemble import assemble
from grashof.common.errors import ModelError
from grashof.formulation.natural.closing import Positions
from grashof.formulation.natural.equations import make_dynamics
from grashof.formulation.natural.forms import Form, monomials
from grashof.formulation.natural.presolve import Row, presolve
from grashof.formulation.natural.system import compile_system
from grashof.model.mechanism import Mechanism

X, Y, Z = (Form({i: 1.0}) for i in range(3))


def test_a_linear_row_eliminates_one_coordinate() -> None:
    solved = presolve([Row(X - Y, "pin")], 1.0)
    (form,) = solved.eliminated.values()
    assert len(form.terms) == 1
    assert solved.rows == ()


def test_a_direction_that_became_constant_makes_other_rows_linear() -> None:
    """x = 2 turns x y + z = 1 into a linear row, which is eliminated as well."""
    solved = presolve([Row(X * Y + Z - 1.0, "right angle"), Row(X - 2.0, "fixed")], 1.0)
    assert len(solved.eliminated) == 2
    assert solved.rows == ()


def test_a_row_that_holds_by_itself_is_remembered_by_its_owner() -> None:
    solved = presolve([Row(X - Y, "first"), Row((Y - X) * 3.0, "second")], 1.0)
    assert solved.satisfied == ("second",)


def test_a_repeated_quadratic_row_is_dropped_and_the_larger_stays() -> None:
    """Cancellation can leave a row of a millionth of its size: few of its digits are right, and ε would drown it."""
    row = X * X + Y * Y - 1.0
    solved = presolve([Row(row * 1e-6, "small"), Row(row, "large")], 1.0)
    assert [kept.owner for kept in solved.rows] == ["large"]
    assert solved.satisfied == ("small",)


def test_of_rows_that_depend_on_each_other_those_stay_that_determine_most() -> None:
    """x² = 1 is known from y² = 1 and (x + 0.001 y)² = const only to a thousandth of its digits."""
    rows = {"xx": X * X - 1.0, "yy": Y * Y - 1.0, "xy": X * Y}
    slanted = X + Y * 0.001
    for order in permutations([*rows, "slanted"]):
        solved = presolve([Row(rows.get(name, slanted * slanted - 1.000001), name) for name in order], 1.0)
        assert solved.satisfied == ("slanted",)


@pytest.mark.parametrize("seed", range(6))
def test_an_open_chain_about_random_axes_keeps_well_conditioned_rows(seed: int) -> None:
    """Neighbours share the direction of their axis, so each direction has the same equation twice. Of a chain whose
    axes nearly fall into planes of other directions, the remaining ones are as independent as the directions of each
    body are."""
    rng = np.random.default_rng(seed)
    m = Mechanism("chain", dimension=3)
    last, place = m.ground.at(0, 0, 0), np.zeros(3)
    for k in range(25):
        way, axis = rng.normal((1.5, 0.0, 0.0)), rng.normal(size=3)
        way /= np.linalg.norm(way)
        body = m.body(
            f"b{k}", mass=1.0, inertia=(1.0, 1.1, 1.2), points={"a": (0, 0, 0), "b": tuple(way)}, position=tuple(place)
        )
        m.revolute(last, body.a, axis=tuple(axis / np.linalg.norm(axis)))
        last, place = body.b, place + way
    dynamics = make_dynamics(compile_system(m.model))
    start = assemble(dynamics, ())
    rows, _ = Positions(dynamics, start.time).unit_rows(start.q)
    assert np.linalg.svd(rows, compute_uv=False)[-1] > 1e-3


def test_what_rounding_leaves_of_a_cancelled_coefficient_is_no_equation() -> None:
    """(x − 1e-17) y = 0 is not y = 0 when x turns out to be zero."""
    solved = presolve([Row((X - 1e-17) * Y + Z - 1.0, "right angle"), Row(X, "fixed")], 1.0)
    assert 1 not in solved.eliminated
    assert solved.eliminated[2].at([0.0, 0.0, 0.0]) == 1.0


def test_rows_that_contradict_each_other_name_the_joint_and_the_gap() -> None:
    with pytest.raises(ModelError, match=r"'second' cannot be satisfied.*gap of 0\.25 m"):
        presolve([Row(X - 1.0, "first"), Row(X - 1.25, "second")], 1.0)


def test_a_plate_pinned_to_two_points_too_far_apart_names_the_pin() -> None:
    m = Mechanism("plate")
    m.body("plate", mass=1.0, inertia=1.0, points={"a": (0, 0), "b": (1, 0)})
    plate = m.body("other", mass=1.0, inertia=1.0, points={"a": (0, 0), "b": (1, 0)})
    m.weld(m.ground.at(0, 0), plate.a, name="foot")
    m.revolute(m.ground.at(1.5, 0), plate.b, name="wrong pin")
    with pytest.raises(ModelError, match=r"'wrong pin' cannot be satisfied.*0\.5 m"):
        compile_system(m.model)


def test_two_sliders_in_different_directions_hold_a_block() -> None:
    """Both are satisfied only by one position: all coordinates are eliminated, and nothing that moves is left."""
    m = Mechanism("block")
    block = m.body("block", mass=1.0, inertia=1.0, points={"p": (0, 0)})
    m.prismatic(m.ground.at(0, 0), block.p, axis=(1, 0), name="along")
    m.prismatic(m.ground.at(0, 0), block.p, axis=(0, 1), name="across")
    with pytest.raises(ModelError, match="is held by the joints"):
        compile_system(m.model)


def test_pinned_bars_share_their_points() -> None:
    """A chain of three bars is four points, the first of them fixed: six coordinates, one row a bar."""
    m = Mechanism("chain")
    bars = [m.bar(f"bar{i}", mass=1.0, length=1.0 + i) for i in range(3)]
    m.revolute(m.ground.at(0, 0), bars[0].start)
    m.revolute(bars[0].end, bars[1].start)
    m.revolute(bars[1].end, bars[2].start)
    system = compile_system(m.model)
    assert system.n == 6
    assert [row.owner for row in system.rows] == ["body 'bar0'", "body 'bar1'", "body 'bar2'"]
    assert all(len(monomials(row.expression)) <= 8 for row in system.rows)


def test_a_coordinate_is_eliminated_where_its_coefficient_is_large() -> None:
    """Of 1e-6 x + y = 1 it is y, although x occurs nowhere else: x = 1e6 (1 − y) would magnify every rounding of y."""
    solved = presolve([Row(X * 1e-6 + Y - 1.0, "row"), Row(Y * Y + Z * Z - 4.0, "circle")], 1.0)
    assert set(solved.eliminated) == {1}


def test_quadratic_rows_that_contradict_each_other_are_both_kept() -> None:
    """Assembly then explains which joints cannot be satisfied together; one circle alone could be closed."""
    circle = X * X + Y * Y
    solved = presolve([Row(circle - 1.0, "first"), Row(circle - 2.0, "second")], 1.0)
    assert [row.owner for row in solved.rows] == ["first", "second"]


def test_a_row_that_has_nearly_cancelled_determines_nothing_that_others_determine() -> None:
    """Once x = y is used, the second row says z = 0.3 with an error of 1e-8; the last two say so exactly."""
    other = Form({3: 1.0})
    rows = [X - Y, X - Y + Z * 1e-4 - 0.3e-4 + 1e-12, Z - other, Z + other - 0.6]
    solved = presolve([Row(row, f"row {k}") for k, row in enumerate(rows)], 1.0)
    assert solved.eliminated[2].at([0.0] * 4) == pytest.approx(0.3, abs=1e-15)
    assert solved.satisfied == ("row 1",)


def test_a_small_coefficient_that_was_given_is_kept_beside_large_ones() -> None:
    """It is no remainder: x = y + 2e-10 z, with y and z known."""
    rows = [
        Row(Form({0: 1.0, 1: -1.0, 2: -2e-10}), "weld"),
        Row(Form({1: 1.0}, -0.5), "a"),
        Row(Form({2: 1.0}, -3.0), "b"),
    ]
    assert presolve(rows, 1.0).eliminated[0].constant == 0.5 + 6e-10


def chain(quarter: str) -> str:
    """An arm of five links whose frames are turned by quarters of a turn, written with these digits, as a URDF file."""
    links = "".join(
        f'<link name="l{k}"><inertial><origin xyz="0.05 0.02 0.1"/><mass value="1"/>'
        '<inertia ixx="0.02" iyy="0.03" izz="0.025" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        for k in range(1, 7)
    )
    kinds = ("continuous", "continuous", "fixed", "continuous", "fixed", "continuous")
    joints = "".join(
        f'<joint name="j{k}" type="{kind}"><parent link="l{k - 1}"/><child link="l{k}"/><axis xyz="0 0 1"/>'
        f'<origin xyz="0.07 0 0.2" rpy="{quarter if k % 2 else 0} -{quarter} {quarter if k % 3 else 0.3}"/></joint>'
        for k, kind in enumerate(kinds, start=1)
    )
    return f'<robot name="chain"><link name="l0"/>{links}{joints}</robot>'


@pytest.mark.parametrize("digits", [5, 8, 10, 12])
def test_an_open_chain_with_rounded_angles_has_all_its_freedoms(digits: int, tmp_path: Path) -> None:
    """Joints of an open chain cannot contradict each other, whatever the digits of π in its file."""
    runs = []
    for name, quarter in (("rounded", f"{np.pi / 2:.{digits}f}"), ("exact", f"{np.pi / 2:.17f}")):
        file = tmp_path / f"{name}.urdf"
        file.write_text(chain(quarter))
        model = gr.load(file)
        assert gr.mobility(model).dof == 4
        runs.append(gr.simulate(model, 0.2, tol=1e-9, times=5, formulation="natural"))
    apart = max(np.max(np.abs(runs[0][f"l5.j6.{x}"] - runs[1][f"l5.j6.{x}"])) for x in ("x", "y", "z"))
    assert apart < 20.0 * 10.0**-digits + 1e-8
