"""A joint's equations are gaps in metres: a body moved off by hand shows in them what could be measured.

Bodies are placed by the test: exact rotations and positions, no coordinates.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grashof.model.joints import (
    Cylindrical,
    Distance,
    Joint,
    PinInSlot,
    Plane,
    Revolute,
    Slider,
    Spherical,
    Universal,
    Weld,
)

Array = np.ndarray
LENGTH = 0.7


@dataclass
class Placed:
    """Two bodies `a` and `b`, each with one point `p` at its origin."""

    dimension: int
    position: dict[str, Array]
    rotation: dict[str, Array]
    length: float = LENGTH
    points: dict[str, Array] = field(default_factory=dict)

    def point(self, reference: str) -> list[float]:
        return [float(x) for x in self.position[reference.partition(".")[0]]]

    def arrow(self, body: str, direction: tuple[float, ...]) -> list[float]:
        return [float(x) for x in self.length * self.rotation[body] @ np.array(direction)]


def turn(axis: Array, angle: float) -> Array:
    """Rodrigues' formula."""
    axis = axis / np.linalg.norm(axis)
    k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * k @ k


def gap(joint: Joint, moved: Array, turned: Array, start: Array | None = None) -> float:
    """The norm of the joint's equations after body b was moved and turned; both bodies sit in some common attitude."""
    size = len(moved)
    common = turn(np.array([1.0, 2.0, -0.5]), 0.8) if size == 3 else turn(np.array([0.0, 0.0, 1.0]), 0.8)[:2, :2]
    offset = np.zeros(size) if start is None else start
    placed = Placed(
        size,
        {"a": np.full(size, 0.3), "b": np.full(size, 0.3) + common @ (offset + moved)},
        {"a": common, "b": common @ turned},
    )
    return float(np.linalg.norm(np.array(joint.equations(placed), float)))


X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
ENDS = {"name": "joint", "a": "a.p", "b": "b.p"}
SPATIAL: dict[str, Joint] = {
    "revolute": Revolute(**ENDS, axis_a=Z, axis_b=Z),
    "cylindrical": Cylindrical(**ENDS, axis_a=Z, axis_b=Z),
    "prismatic": Slider(**ENDS, axis_a=Z, axis_b=Z, normal_a=X, normal_b=X),
    "spherical": Spherical(**ENDS),
    "universal": Universal(**ENDS, axis_a=X, axis_b=Y),
    "planar": Plane(**ENDS, normal_a=Z, normal_b=Z),
    "weld": Weld(**ENDS, axis_a=Z, axis_b=Z, normal_a=X, normal_b=X),
}
PLANAR: dict[str, Joint] = {
    "revolute": Revolute(**ENDS),
    "slider": Slider(**ENDS, axis_a=(0.0, 1.0), axis_b=(0.0, 1.0)),
    "pin in slot": PinInSlot(**ENDS, axis_a=(0.0, 1.0)),
    "weld": Weld(**ENDS, axis_a=(1.0, 0.0), axis_b=(1.0, 0.0)),
}
FREE_MOVES = {"cylindrical": [2], "prismatic": [2], "planar": [0, 1], "slider": [1], "pin in slot": [1]}
FREE_TURNS = {"revolute": "z", "cylindrical": "z", "planar": "z", "spherical": "xyz", "universal": "xy"}

shifts = st.floats(-0.5, 0.5)


@pytest.mark.parametrize("kind", SPATIAL)
@given(x=shifts, y=shifts, z=shifts)
def test_a_body_moved_off_is_away_by_what_the_joint_forbids(kind: str, x: float, y: float, z: float) -> None:
    moved = np.array([x, y, z])
    forbidden = [moved[i] for i in range(3) if i not in FREE_MOVES.get(kind, [])]
    assert gap(SPATIAL[kind], moved, np.eye(3)) == pytest.approx(np.linalg.norm(forbidden), abs=1e-14)


@pytest.mark.parametrize("kind", PLANAR)
@given(x=shifts, y=shifts)
def test_a_planar_body_moved_off_is_away_by_what_the_joint_forbids(kind: str, x: float, y: float) -> None:
    moved = np.array([x, y])
    forbidden = [moved[i] for i in range(2) if i not in FREE_MOVES.get(kind, [])]
    assert gap(PLANAR[kind], moved, np.eye(2)) == pytest.approx(np.linalg.norm(forbidden), abs=1e-14)


@pytest.mark.parametrize("kind", SPATIAL)
@pytest.mark.parametrize("axis", "xyz")
def test_a_turn_that_the_joint_allows_opens_nothing_and_another_shows_as_arc_length(kind: str, axis: str) -> None:
    """A forbidden turn by ε moves the tip of an arrow of length ℓ by 2ℓ sin(ε/2), that of two arrows by √2 times as
    much; an arm of the cross that leaves its right angle is off by ℓ sin ε."""
    angle = 0.1
    found = gap(SPATIAL[kind], np.zeros(3), turn(np.array({"x": X, "y": Y, "z": Z}[axis]), angle))
    if axis in FREE_TURNS.get(kind, ""):
        assert found < 1e-15
    elif kind == "universal":
        assert found == pytest.approx(LENGTH * math.sin(angle), rel=1e-12)
    else:
        arrows = 2 if kind in ("prismatic", "weld") else 1
        assert found == pytest.approx(math.sqrt(arrows) * 2 * LENGTH * math.sin(angle / 2), rel=1e-12)


@pytest.mark.parametrize(
    ("kind", "allowed"), [("revolute", True), ("slider", False), ("pin in slot", True), ("weld", False)]
)
def test_a_planar_turn(kind: str, allowed: bool) -> None:
    angle = 0.1
    found = gap(PLANAR[kind], np.zeros(2), turn(np.array(Z), angle)[:2, :2])
    assert found == pytest.approx(0.0 if allowed else 2 * LENGTH * math.sin(angle / 2), abs=1e-14)


@pytest.mark.parametrize("size", [2, 3])
@given(stretch=st.floats(-0.2, 0.2))
def test_a_rod_that_is_stretched_shows_by_how_much(size: int, stretch: float) -> None:
    """(d² − L²)/2L = (d − L)(1 + (d − L)/2L): metres of stretch, to first order."""
    start = np.array([0.6, 0.8, 0.0])[:size]
    joint = Distance(**ENDS, length=1.0)
    assert gap(joint, stretch * start, np.eye(size), start) == pytest.approx(
        abs(stretch) * (1 + 0.5 * stretch), abs=1e-14
    )
