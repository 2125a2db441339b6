"""The builder describes what was said, in world axes at the guessed position, and refuses what it cannot mean."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grashof.common.errors import ModelError
from grashof.model.mechanism import Mechanism
from grashof.model.rotations import quaternion, rotation_matrix

from .strategies import directions


def test_a_body_is_not_replaced_by_another_of_its_name() -> None:
    m = Mechanism("two rods")
    m.bar("rod", length=1.0)
    with pytest.raises(ModelError, match="There is already a body 'rod'"):
        m.bar("rod", length=2.0)
    with pytest.raises(ModelError, match="There is already a body 'rod'"):
        m.body("rod")
    with pytest.raises(ModelError, match="There is already a body 'ground'"):
        m.body("ground")


def test_a_bar_has_both_its_ends_or_neither() -> None:
    m = Mechanism("rod")
    with pytest.raises(ModelError, match="give both or neither"):
        m.bar("rod", length=1.0, start=(0, 0))


def test_positions_may_be_arrays() -> None:
    m = Mechanism("plate")
    m.body("plate", mass=1.0, position=np.array([1.0, 2.0]))
    assert m.model.start.guesses["plate"].position == (1.0, 2.0)


def test_a_slider_in_the_plane_needs_no_normal() -> None:
    m = Mechanism("block on a slope", gravity=(0, -9.81))
    block = m.body("block", mass=1.0, angle=math.pi / 2)
    m.prismatic(m.ground.at(0, 0), block.at(0, 0), axis=(3, 4))
    (joint,) = m.model.joints
    given = dict(joint.directions())
    assert given["axis_a"] == pytest.approx((0.6, 0.8), abs=1e-15)
    assert given["axis_b"] == pytest.approx((0.8, -0.6), abs=1e-15)
    assert given["normal_a"] == given["normal_b"] == ()


def test_a_direction_without_length_is_refused() -> None:
    m = Mechanism("block", gravity=(0, 0, -9.81))
    block = m.body("block", mass=1.0)
    with pytest.raises(ModelError, match="direction"):
        m.prismatic(m.ground.at(0, 0, 0), block.at(0, 0, 0), axis=(0, 0, 0))
    with pytest.raises(ModelError, match="direction"):
        m.angle("θ", block, axis=(0, 0, 0))


@given(directions(3), st.floats(-3.1, 3.1))
def test_quaternion_and_matrix_are_one_rotation(axis: tuple[float, ...], angle: float) -> None:
    w, s = math.cos(angle / 2), math.sin(angle / 2)
    turned = quaternion(rotation_matrix((w, *(s * x for x in axis))))
    assert abs(np.dot(turned, (w, *(s * x for x in axis)))) == pytest.approx(1.0, abs=1e-14)


@given(directions(3))
def test_an_axis_given_in_the_world_is_the_same_line_in_both_bodies(axis: tuple[float, ...]) -> None:
    m = Mechanism("hinge", gravity=(0, 0, -9.81))
    a = m.body("a", mass=1.0, rotation=(0.5, 0.5, -0.5, 0.5))
    b = m.body("b", mass=1.0, rotation=(0.9, 0.3, 0.1, -0.2))
    m.revolute(a.at(0, 0, 0), b.at(0, 0, 0), axis=axis)
    (joint,) = m.model.joints
    for body, direction in (("a", joint.axis_a), ("b", joint.axis_b)):
        assert m.rotation_of(body) @ direction == pytest.approx(axis, abs=1e-15)


def test_in_space_a_body_turns_about_its_revolute_joint_with_the_ground() -> None:
    m = Mechanism("crank", gravity=(0, 0, -9.81))
    crank = m.bar("crank", start=(0, 0, 0), end=(0.6, 0, -0.8), mass=1.0)
    m.torque(crank, 2.0)  # before the joint is known: it is looked for when the description is made
    m.need(crank.angle, rate=1.0)
    with pytest.raises(ModelError, match=r"'crank.angle' has no axis in space unless a revolute joint.*m\.angle"):
        m.model  # noqa: B018
    m.revolute(m.ground.at(0, 0, 0), crank.start, axis=(0, 1, 0))
    (measure,) = m.model.measures
    assert measure.name == "crank.angle"
    assert measure.axis == (0.0, 1.0, 0.0)
    assert measure.zero == pytest.approx((0.6, 0.0, -0.8), abs=1e-15)


def test_in_space_two_axes_give_a_body_no_angle_of_its_own() -> None:
    m = Mechanism("locked", dimension=3)
    plate = m.body("plate", mass=1.0)
    m.revolute(m.ground.at(0, 0, 0), plate.at(0, 0, 0), axis=(0, 1, 0))
    m.revolute(m.ground.at(0, 0, 1), plate.at(0, 0, 1), axis=(1, 0, 0))
    m.motor(plate, "t")
    with pytest.raises(ModelError, match="name an angle"):
        m.model  # noqa: B018
