"""Directions have length one and normals stand at right angles."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grashof.common.errors import ModelError
from grashof.model.fields import cross, dot, perpendicular, unit

from .strategies import directions, numbers


@given(st.one_of(st.tuples(numbers, numbers), st.tuples(numbers, numbers, numbers)).filter(any))
def test_a_direction_of_any_size_gets_length_one(direction: tuple[float, ...]) -> None:
    found = unit(direction)
    assert math.hypot(*found) == pytest.approx(1.0, abs=1e-15)
    largest = max(range(len(direction)), key=lambda i: abs(direction[i]))
    assert math.copysign(1.0, found[largest]) == math.copysign(1.0, direction[largest])


@pytest.mark.parametrize("direction", [(0.0, 0.0), (math.nan, 1.0), (1.0, math.nan), (math.inf, 0.0)])
def test_what_has_no_direction_is_refused(direction: tuple[float, ...]) -> None:
    with pytest.raises(ModelError, match="direction"):
        unit(direction)


@given(st.one_of(directions(2), directions(3)))
def test_a_normal_stands_at_right_angles(axis: tuple[float, ...]) -> None:
    normal = perpendicular(axis)
    assert math.hypot(*normal) == pytest.approx(1.0, abs=1e-15)
    assert dot(axis, normal) == pytest.approx(0.0, abs=1e-15)


@given(directions(3))
def test_axis_normal_and_side_are_a_right_handed_frame(axis: tuple[float, ...]) -> None:
    normal = perpendicular(axis)
    side = cross(axis, normal)
    assert dot(cross(normal, side), axis) == pytest.approx(1.0, abs=1e-14)
