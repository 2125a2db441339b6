"""Joints and measures are between known points of two bodies, with the directions they need."""

from __future__ import annotations

from typing import Any

import pytest

from grashof.model.check import check
from grashof.model.joints import Cylindrical, Distance, PinInSlot, Revolute, Slider, Spherical, Universal, Weld
from grashof.model.measures import Angle, Separation
from grashof.model.model import Model

from ..strategies import DIRECTIONS
from .descriptions import PLANAR, SPATIAL, X, Y, Z, planar, refusal, spatial, with_joint


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"b": "rodd.a"}, "did you mean 'rod'?"),
        ({"b": "rod.aa"}, "body 'rod' has no point 'rod.aa'; did you mean 'rod.a'?"),
        ({"b": "rod"}, "'rod' is not a point"),
        ({"a": "rod.b"}, "points of the same body"),
    ],
)
def test_joints_tie_points_of_two_known_bodies(fields: dict[str, str], words: str) -> None:
    text = refusal(with_joint(PLANAR, Revolute, **fields))
    assert text.startswith("Joint 'J'")
    assert words in text


def test_the_ground_is_not_joined_to_itself() -> None:
    base = planar(ground={"pin": (0.0, 0.0), "eye": (1.0, 0.0)})
    assert "points of the same body" in refusal(with_joint(base, Revolute, b="ground.eye"))


@pytest.mark.parametrize(
    ("base", "kind", "words"),
    [
        (PLANAR, Spherical, "no joint of type 'spherical' in the plane"),
        (PLANAR, Universal, "no joint of type 'universal' in the plane"),
        (SPATIAL, PinInSlot, "no joint of type 'pin in slot' in space"),
    ],
)
def test_joints_belong_to_the_plane_or_to_space(base: Model, kind: Any, words: str) -> None:
    assert words in refusal(with_joint(base, kind))


@pytest.mark.parametrize("length", [0.0, -1.0])
def test_a_distance_is_positive(length: float) -> None:
    assert f"Joint 'J': length is {length} m" in refusal(with_joint(PLANAR, Distance, length=length))


@pytest.mark.parametrize(
    ("dimension", "kind", "field"),
    [
        (dimension, kind, field)
        for dimension in (2, 3)
        for kind, fields in DIRECTIONS[dimension].items()
        for field in fields
    ],
)
def test_every_direction_a_joint_needs_is_asked_for(dimension: int, kind: Any, field: str) -> None:
    base, axis, normal = (PLANAR, (1.0, 0.0), ()) if dimension == 2 else (SPATIAL, X, Y)
    all_of_them = {f: axis if f.startswith("axis") else normal for f in DIRECTIONS[dimension][kind]}
    check(with_joint(base, kind, **all_of_them))
    del all_of_them[field]
    assert f"Joint 'J': {field} is missing" in refusal(with_joint(base, kind, **all_of_them))


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (with_joint(PLANAR, PinInSlot, axis_a=(0.0, 0.0)), "axis_a is (0.0, 0.0), of length 0"),
        (with_joint(PLANAR, PinInSlot, axis_a=(1.0, 1.0)), "divide it by its length"),
        (with_joint(PLANAR, PinInSlot, axis_a=(1.0 + 1e-8, 0.0)), "divide it by its length"),
        (with_joint(PLANAR, PinInSlot, axis_a=X), "has 3 components"),
        (with_joint(PLANAR, Revolute, axis_a=(1.0, 0.0)), "axis_a is (1.0, 0.0), which has no meaning in the plane"),
        (with_joint(SPATIAL, Cylindrical, axis_a=Z, axis_b=(0.0, 0.0, 2.0)), "axis_b is (0.0, 0.0, 2.0)"),
        (
            with_joint(SPATIAL, Slider, axis_a=X, axis_b=X, normal_a=Y, normal_b=(0.8, 0.6, 0.0)),
            "axis_b (1.0, 0.0, 0.0) and normal_b (0.8, 0.6, 0.0) are 36.8698976° apart",
        ),
        (with_joint(SPATIAL, Weld, axis_a=X, axis_b=X, normal_a=X, normal_b=Y), "normal_a (1.0, 0.0, 0.0)"),
    ],
)
def test_directions_have_length_one_and_stand_at_right_angles(model: Model, words: str) -> None:
    text = refusal(model)
    assert text.startswith("Joint 'J'")
    assert words in text


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (planar(measures=(Angle("θ", "crnk"),)), "there is no body 'crnk'; did you mean 'crank'?"),
        (planar(measures=(Angle("θ", "crank", "frame"),)), "there is no body 'frame'"),
        (planar(measures=(Angle("θ", "crank", "crank"),)), "relative to itself"),
        (planar(measures=(Angle("θ", "crank", axis=(1.0, 0.0)),)), "no meaning in the plane"),
        (planar(measures=(Separation("θ", "rod.a", "rod.b"),)), "never changes"),
        (planar(measures=(Separation("θ", "rod.a", "ground.pn"),)), "did you mean 'ground.pin'?"),
        (spatial(measures=(Angle("θ", "crank"),)), "axis is missing"),
        (spatial(measures=(Angle("θ", "crank", axis=Z, zero=X),)), "direction is missing"),
        (spatial(measures=(Angle("θ", "crank", axis=Z, zero=Z, direction=X),)), "are 0° apart"),
        (spatial(measures=(Angle("θ", "crank", axis=Z, zero=X, direction=(2.0, 0.0, 0.0)),)), "of length 2"),
    ],
)
def test_impossible_measures(model: Model, words: str) -> None:
    text = refusal(model)
    assert text.startswith("Measure 'θ'")
    assert words in text
