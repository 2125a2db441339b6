"""Where constraints are redundant some reactions are not unique: which, the report says, and the smallest are shown."""

from __future__ import annotations

import numpy as np

from grashof.model.mechanism import Mechanism
from grashof.motion.trajectory import Trajectory
from grashof.reactions import reactions
from grashof.simulation.simulate import simulate

from ..formulation.newton_euler import BodyCoordinates, turned
from ..linkages import bricard
from .classical import DIGITS, RUN, largest, moments

Array = np.ndarray

G = 9.81

PLANE, SPACE = np.eye(2), np.eye(3)

TURNED = np.array([[2.0, -1.0, 2.0], [2.0, 2.0, -1.0], [-1.0, 2.0, 2.0]]) / 3.0
"""World axes that no mechanism was drawn in."""


def four_bar(axes: Array) -> Trajectory:
    """A four-bar in the plane of the first two axes, driven by gravity in it; in space a force on its rod also pulls
    it askew."""
    dimension = len(axes)

    def vector(*components: float) -> tuple[float, ...]:
        return tuple(axes.T @ np.array(components)[:dimension])

    m = Mechanism("four-bar", gravity=vector(0.0, -G, 0.0))
    corners = [vector(x, y, 0.0) for x, y in ((0.0, 0.0), (0.1, 0.4), (0.9, 0.7), (1.0, 0.0))]
    names = ("crank", "rod", "rocker")
    crank, rod, rocker = (
        m.bar(name, start=corners[i], end=corners[i + 1], mass=1.0 + i) for i, name in enumerate(names)
    )
    axis = tuple(axes[2]) if dimension == 3 else None
    m.revolute(m.ground.at(*corners[0]), crank.start, axis=axis, name="A")
    m.revolute(crank.end, rod.start, axis=axis, name="B")
    m.revolute(rod.end, rocker.start, axis=axis, name="C")
    m.revolute(m.ground.at(*corners[3]), rocker.end, axis=axis, name="D")
    m.force(rod.at(*(0.3, 0.0, 0.0)[:dimension]), vector(1.0, 2.0, 3.0))
    return simulate(m, 1.0, tol=1e-8, times=21)


def test_in_space_a_planar_four_bar_bears_what_it_bears_in_the_plane_and_out_of_it_nothing_is_unique() -> None:
    in_space, flat = reactions(four_bar(SPACE)), reactions(four_bar(PLANE))
    for joint in "ABCD":
        for component in ("fx", "fy"):
            name = f"{joint}.{component}"
            assert np.max(np.abs(in_space[name] - flat[name])) < RUN * largest(flat)
    assert set(in_space.not_unique) == {f"{joint}.{c}" for joint in "ABCD" for c in ("fz", "mx", "my")}
    assert not flat.not_unique
    assert set(in_space.stresses) == {3}


def test_reactions_do_not_depend_on_the_world_axes() -> None:
    straight, askew = reactions(four_bar(SPACE)), reactions(four_bar(TURNED))
    for joint in "ABCD":
        for part in (slice(0, 3), slice(3, 6)):
            back = askew.joints[joint][:, part] @ TURNED.T
            assert np.max(np.abs(back - straight.joints[joint][:, part])) < RUN * largest(straight)
    assert set(askew.stresses) == {3}


def test_bricard_s_loop_can_be_stressed_in_one_way_wherever_it_is() -> None:
    m = bricard()
    m.gravity = (0.3, -G, 0.5)
    found = reactions(simulate(m, 2.0, tol=1e-4, times=41))
    assert set(found.stresses) == {1}
    assert not any(found.unique.values())
    assert np.max(found.residual) < DIGITS * largest(found)


def test_motors_that_drive_one_freedom_share_the_work() -> None:
    """Two motors on one shaft: their torques are not unique, their sum is."""
    m = Mechanism("two motors", gravity=(0.0, -G))
    arm = m.bar("arm", start=(0.0, 0.0), end=(1.0, 0.0), mass=2.0)
    m.revolute(m.ground.at(0, 0), arm.start, name="shaft")
    m.motor(arm, "0.5*t*t", name="first")
    m.motor(m.angle("shaft angle", arm), "0.5*t*t", name="second")
    found = reactions(simulate(m, 1.0, tol=1e-8, times=11))
    angle = 0.5 * found.t**2
    torque = 2.0 / 3.0 + G * np.cos(angle)
    assert np.max(np.abs(found["first.torque"] - 0.5 * torque)) < RUN * np.max(torque)
    assert np.max(np.abs(found["second.torque"] - 0.5 * torque)) < RUN * np.max(torque)
    assert found.not_unique == ("first.torque", "second.torque")
    assert found.unique == {"shaft": True}
    assert "torque of 'first' and 'second' is not unique." in str(found)


def test_the_report_says_what_is_unique_and_why_the_rest_is_not() -> None:
    text = str(reactions(four_bar(SPACE)))
    assert "four-bar: reactions of 4 joints at 21 times." in text
    assert "fz, mx and my of 'A', 'B', 'C' and 'D' are not unique (fx, fy and mz are)." in text
    assert "The constraints around the loop" in text
    assert "are redundant." in text
    assert "The smallest ones are shown" in text
    assert "All of them are unique." in str(reactions(four_bar(PLANE)))


def test_a_position_where_a_loop_lies_flat_is_singular() -> None:
    """At the change point of a parallelogram the bars can press on each other along their common line."""
    m = Mechanism("parallelogram", gravity=(0.0, -G))
    left, top, right = (
        m.bar(name, length=length, mass=1.0) for name, length in (("left", 1), ("top", 2), ("right", 1))
    )
    m.revolute(m.ground.at(0, 0), left.start, name="A")
    m.revolute(left.end, top.start, name="B")
    m.revolute(top.end, right.end, name="C")
    m.revolute(m.ground.at(2, 0), right.start, name="D")

    def at(angle: float) -> BodyCoordinates:
        axes = turned(angle)
        poses = {"ground": (np.zeros(2), PLANE), "left": (np.zeros(2), axes)}
        poses |= {"top": (axes[:, 0], PLANE), "right": (np.array([2.0, 0.0]), axes)}
        return BodyCoordinates(m.model, poses)

    found = reactions(moments(m.model, at(0.7), at(0.0), at(-0.4)))
    assert found.stresses.tolist() == [0, 1, 0]
    assert all(found.unique.values())
    assert "singular at 1 time (t = 1 s first)" in str(found)
