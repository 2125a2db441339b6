"""Small mechanisms, one for each joint and force an engine may know, and how far its motion is from Grashof's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import grashof as gr
from grashof.engines import ENGINES
from grashof.engines.base import Engine
from grashof.engines.grashof import ENGINE as GRASHOF
from grashof.situation import situation
from tests import classics

GRAVITY = (1.0, -2.0, -9.81)
BRICK: dict[str, Any] = {"mass": 2.0, "inertia": (0.3, 0.4, 0.2)}

Maker = Callable[[], gr.Mechanism]
Joining = tuple[str, dict[str, Any]]
"""A joint by the builder's name of it, and its directions in world axes."""

PLANE: Joining = ("planar", {"normal": (0.0, 0.6, 0.8)})
ON_GROUND: Joining = ("planar", {"normal": (0.0, 0.0, 1.0)})
CROSS: Joining = ("universal", {"axis_a": (1.0, 0.0, 0.0), "axis_b": (0.0, 1.0, 0.0)})
TILTED_CROSS: Joining = ("universal", {"axis_a": (0.6, 0.0, 0.8), "axis_b": (0.0, 1.0, 0.0)})

SPATIAL: dict[str, Joining] = {
    "revolute": ("revolute", {"axis": (0.0, 0.6, 0.8)}),
    "prismatic": ("prismatic", {"axis": (0.0, 0.6, 0.8)}),
    "cylindrical": ("cylindrical", {"axis": (0.0, 0.6, 0.8)}),
    "spherical": ("spherical", {}),
    "universal": CROSS,
    "planar": PLANE,
}
CLOSING: dict[str, tuple[Joining, Joining, Joining]] = {
    "revolute": (ON_GROUND, PLANE, ("revolute", {"axis": (0.6, 0.8, 0.0)})),
    "prismatic": (ON_GROUND, PLANE, ("prismatic", {"axis": (0.6, 0.8, 0.0)})),
    "cylindrical": (ON_GROUND, CROSS, ("cylindrical", {"axis": (1.0, 0.0, 0.0)})),
    "spherical": (CROSS, TILTED_CROSS, ("spherical", {})),
    "universal": (ON_GROUND, CROSS, ("universal", {"axis_a": (0.0, 0.0, 1.0), "axis_b": (0.0, 1.0, 0.0)})),
    "planar": (CROSS, TILTED_CROSS, PLANE),
    "weld": (ON_GROUND, ON_GROUND, ("weld", {})),
}
"""For each joint a loop of two bodies that moves and is cut at it: how they are joined to the ground, and to each
other."""


def hung(kind: str) -> gr.Mechanism:
    """A brick on the ground by one joint, and another on it by the same."""
    m = gr.Mechanism(f"two bricks, {kind}", gravity=GRAVITY)
    word, directions = SPATIAL[kind]
    first = m.body("first", **BRICK, center=(0.3, 0.2, -0.1), points={"a": (0, 0, 0), "b": (0.5, 0, 0.2)})
    second = m.body("second", **BRICK, center=(0.1, -0.3, 0.2), points={"b": (0, 0, 0)}, position=(0.5, 0, 0.2))
    getattr(m, word)(m.ground.at(0, 0, 0), first.a, **directions)
    getattr(m, word)(first.b, second.b, **directions)
    return m


def loop(kind: str) -> gr.Mechanism:
    """Two bricks, each on the ground by a joint, and joined to each other by one of this kind, where the loop is
    cut."""
    m = gr.Mechanism(f"a loop closed by a {kind} joint", gravity=GRAVITY)
    points: dict[str, Any] = {"foot": (0.0, 0.0, 0.0), "top": (0.5, 0.1, 0.4)}
    first = m.body("first", **BRICK, center=(0.3, 0.2, 0.1), points=points)
    second = m.body(
        "second",
        **BRICK,
        center=(-0.1, 0.1, 0.2),
        points={"foot": (0, 0, 0), "top": (-0.7, 0.1, 0.4)},
        position=(1.2, 0, 0),
    )
    (one, of_one), (other, of_other), (between, of_both) = CLOSING[kind]
    getattr(m, one)(m.ground.at(0, 0, 0), first.foot, **of_one)
    getattr(m, other)(m.ground.at(1.2, 0, 0), second.foot, **of_other)
    getattr(m, between)(first.top, second.top, **of_both, name="closing")
    return m


def rod() -> gr.Mechanism:
    """Two bars on balls, a rod between their ends."""
    m = gr.Mechanism("two bars and a rod", gravity=GRAVITY)
    bodies = []
    for k, name in enumerate(("first", "second")):
        bodies.append(
            m.body(
                name, **BRICK, center=(0, 0, -0.3), points={"top": (0, 0, 0), "end": (0.1, 0, -0.6)}, position=(k, 0, 0)
            )
        )
        m.spherical(m.ground.at(k, 0, 0), bodies[k].top)
    m.distance(bodies[0].end, bodies[1].end, 1.0)
    return m


def thrown() -> gr.Mechanism:
    """A brick that nothing holds, with another welded to it."""
    m = gr.Mechanism("thrown", gravity=GRAVITY)
    brick = m.body("brick", **BRICK, points={"tip": (0.2, 0.1, 0.0)}, position=(1.0, 2.0, 3.0))
    ball = m.body("ball", mass=1.0, inertia=(0.1, 0.1, 0.1), points={"c": (0, 0, 0)}, position=(1.2, 2.1, 3.0))
    m.weld(brick.tip, ball.c)
    for axis, rate in zip("xyz", (1.0, 2.0, -0.5), strict=True):
        m.need(f"brick.tip.{axis}", rate=rate)
    return m


def four_bar() -> gr.Mechanism:
    """A planar four-bar with a spring, a damper, a torque on its coupler and forces at points."""
    m = gr.Mechanism("four-bar", gravity=(0.0, -9.81))
    crank = m.bar("crank", start=(0, 0), end=(0.1, 0.4), mass=1.0)
    coupler = m.bar("coupler", start=(0.1, 0.4), end=(1.0, 0.7), mass=2.0)
    rocker = m.bar("rocker", start=(1.2, 0), end=(1.0, 0.7), mass=1.5)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(m.ground.at(1.2, 0), rocker.start)
    m.revolute(coupler.end, rocker.end)
    m.spring(m.ground.at(0.5, 1.0), coupler.at(0.4, 0.1), stiffness=40.0, length=0.3, damping=0.5)
    m.torque(coupler, 0.4)
    m.force(rocker.end, (2.0, 1.0))
    return m


def trammel() -> gr.Mechanism:
    """A bar with its ends in two crossed slots."""
    m = gr.Mechanism("trammel", gravity=(0.0, -9.81))
    bar = m.bar("bar", start=(0.6, 0.0), end=(0.0, 0.8), mass=1.0)
    m.slider(m.ground.line((0, 0), (1, 0)), bar.start)
    m.slider(m.ground.line((0, 0), (0, 1)), bar.end)
    return m


def slider_crank() -> gr.Mechanism:
    """A crank under a torque, and a rod whose end is a pin in a slot."""
    m, crank, _ = classics.slider_crank()
    m.motor(crank, torque=0.3)
    return m


def wedge() -> gr.Mechanism:
    """A wedge on a rail, a follower with a load welded to it that slides on the wedge and falls, a pendulum on both."""
    m = gr.Mechanism("wedge", gravity=(0.0, -9.81))
    wedge = m.body("wedge", mass=1.0, inertia=0.1, points={"foot": (0, 0), "face": (0.3, 0.4)})
    follower = m.body("follower", mass=1.0, inertia=0.1, points={"face": (0, 0)}, position=(0.3, 0.4))
    load = m.body("load", mass=0.5, inertia=0.1, points={"foot": (0, 0)}, position=(0.3, 0.4))
    m.prismatic(m.ground.at(0, 0), wedge.foot, axis=(1.0, 0.0))
    m.prismatic(m.ground.at(0.3, 0), follower.face, axis=(0.0, 1.0))
    m.prismatic(wedge.face, follower.face, axis=(0.8, -0.6))
    m.weld(follower.face, load.foot)
    m.revolute(follower.face, m.bar("bar", start=(0.3, 0.4), end=(0.9, 0.4), mass=1.0).start)
    return m


def sprung() -> gr.Mechanism:
    """A double pendulum with a torsion spring between its bars, which wind it up by more than a turn."""
    m = gr.Mechanism("wound up", gravity=(0.0, -9.81))
    first, second = (
        m.bar("first", start=(0, 0), end=(1, 0), mass=1.0),
        m.bar("second", start=(1, 0), end=(2, 0), mass=0.2),
    )
    m.revolute(m.ground.at(0, 0), first.start)
    m.revolute(second.start, first.end)
    between = m.angle("between", second, reference=first)
    m.torsion_spring(between, stiffness=0.5, rest=9.0, damping=0.02)
    return m


def pushed(t: Any, positions: Any, velocities: Any) -> list[list[Any]]:
    """A law of the user's own: a push that grows with time and a drag."""
    return [[3.0 * gr.sin(4.0 * t) - velocities[0][0], -0.5 * velocities[0][1]]]


def user_force() -> gr.Mechanism:
    """A pendulum under a force written in Python."""
    m, bar = _pendulum()
    m.user_force(pushed, [bar.end])
    return m


def follower() -> gr.Mechanism:
    """A pendulum under a force that turns with it, and one that does not."""
    m, bar = _pendulum()
    m.force(bar.at(0.4, 0.1), (0.5, 2.0), axes="body")
    m.force(bar.end, (1.0, 3.0))
    return m


def absolute_torsion() -> gr.Mechanism:
    """A double pendulum whose outer bar has a torsion spring to the ground."""
    m, bar = _pendulum()
    outer = m.bar("outer", start=(1, 0), end=(2, 0), mass=1.0)
    m.revolute(bar.end, outer.start)
    m.torsion_spring(outer, stiffness=2.0, rest=1.0, name="turn of the bar")
    return m


def aslant() -> gr.Mechanism:
    """A pendulum under a torque along an angle whose axis is aslant to its own: what turns it changes with its
    position."""
    m = gr.Mechanism("torque aslant", gravity=(0.0, 0.0, -9.81))
    bar = m.body("bar", mass=1.0, inertia=(0.1, 0.2, 0.2), center=(0.0, 0.5, 0.0), points={"pin": (0, 0, 0)})
    m.revolute(m.ground.at(0, 0, 0), bar.pin, axis=(1.0, 0.0, 0.0))
    turn = m.angle("turn", bar, axis=(0.6, 0.0, 0.8), zero=(0.8, 0.0, -0.6), direction=(0.0, 1.0, 0.0))
    m.torque(turn, 3.0, name="aslant")
    return m


def tethered() -> gr.Mechanism:
    """An arm of two bricks in space, with springs between them and to the ground, a torsion spring and a torque at
    its joints."""
    m = gr.Mechanism("tethered arm", gravity=GRAVITY)
    first = m.body("first", **BRICK, center=(0.3, 0.2, -0.1), points={"a": (0, 0, 0), "b": (0.5, 0, 0.2)})
    second = m.body("second", **BRICK, center=(0.1, -0.3, 0.2), points={"b": (0, 0, 0)}, position=(0.5, 0, 0.2))
    m.revolute(m.ground.at(0, 0, 0), first.a, axis=(0.0, 0.6, 0.8))
    m.revolute(second.b, first.b, axis=(0.6, 0.0, 0.8))
    m.spring(m.ground.at(0.2, 0.5, 0.3), second.at(0.1, 0.2, 0.3), stiffness=30.0, length=0.2, damping=0.4)
    m.spring(first.at(0.1, 0.3, 0.0), second.at(0.4, 0.0, 0.0), stiffness=20.0, length=0.1)
    m.force(second.at(0.0, 0.3, 0.0), (0.5, 1.0, 2.0), axes="body")
    turn = m.angle("turn", first, axis=(0.0, 0.6, 0.8))
    bend = m.angle("bend", second, reference=first, axis=(-0.6, 0.0, -0.8))
    m.torque(turn, 0.7)
    m.torsion_spring(bend, stiffness=3.0, rest=0.5, damping=0.1)
    return m


def _pendulum() -> tuple[gr.Mechanism, Any]:
    m = gr.Mechanism("pendulum", gravity=(0.0, -9.81))
    bar = m.bar("bar", start=(0, 0), end=(1, 0), mass=1.0)
    m.revolute(m.ground.at(0, 0), bar.start)
    return m, bar


def driven(law: str = "2*t - 0.5*t**2") -> gr.Mechanism:
    """A crank that follows a law of time, and a bar hanging on it."""
    m = gr.Mechanism("driven", gravity=(0.0, -9.81))
    crank, bar = (
        m.bar("crank", start=(0, 0), end=(0.5, 0), mass=1.0),
        m.bar("bar", start=(0.5, 0), end=(0.5, -1), mass=1.0),
    )
    m.revolute(crank.start, m.ground.at(0, 0))
    m.revolute(crank.end, bar.start)
    m.motor(crank, law)
    return m


MECHANISMS: dict[str, Maker] = {
    maker.__name__: maker
    for maker in (
        rod,
        thrown,
        four_bar,
        trammel,
        slider_crank,
        wedge,
        sprung,
        follower,
        driven,
        absolute_torsion,
        aslant,
        user_force,
        tethered,
    )
}


TREES = (thrown, sprung, follower, user_force, absolute_torsion, aslant, tethered)
"""Those without loops or motors: every force."""


def installed(name: str) -> Engine:
    """An engine by name; skips the test if its package is not there."""
    module = {"drake": "pydrake", "sundials": "sksundae"}.get(name, name)
    pytest.importorskip(module, reason=f"{name} is not installed: pip install 'grashof[engines]'")
    return ENGINES[name]


def departure(engine: Engine, mechanism: gr.Mechanism, rung: int, t_end: float = 0.5) -> float:
    """How far the bodies' places (m) and axes (rad) are from Grashof's at its finest setting, at most, over 26
    times."""
    s = situation(mechanism.model)
    assert engine.refuses(s) is None
    times = np.linspace(0.0, t_end, 26)
    found, right = (
        one.prepare(s).run(one.ladder(s, t_end)[k], times).motion for one, k in ((engine, rung), (GRASHOF, -1))
    )
    assert np.abs(right.rotations - s.rotations).max() + np.abs(right.positions - s.positions).max() > 0.05, "it moves"
    return float(max(np.abs(found.positions - right.positions).max(), np.abs(found.rotations - right.rotations).max()))


def geared() -> gr.Mechanism:
    """Two pendulums, geared, one of them on the arm of a third."""
    m = gr.Mechanism("geared pendulums", gravity=(0, -9.81))
    sizes = {"mass": 1.0, "inertia": 0.05, "center": (0.2, 0.0)}
    first, arm, second = (
        m.body(name, **sizes, points={"o": (0, 0), "e": (0.5, 0)}) for name in ("first", "arm", "second")
    )
    m.revolute(m.ground.at(0, 0), first.o)
    m.revolute(m.ground.at(0.5, 0), arm.o)
    m.revolute(arm.e, second.o)
    turn = m.angle("turn", second, reference=arm)
    m.coupling({first: 1.0, turn: -2.5}, name="gears")
    m.need(first.angle, value=0.3, rate=1.0)
    m.need(arm.angle, value=-0.4)
    m.need(turn, value=0.7)
    return m


def racked() -> gr.Mechanism:
    """A pendulum that moves a rack, and a differential between both and a wheel."""
    m = gr.Mechanism("rack and differential", gravity=(0.5, -9.81))
    pinion = m.body("pinion", mass=1.0, inertia=0.05, center=(0.2, 0.0), points={"o": (0, 0)})
    wheel = m.body("wheel", mass=1.0, inertia=0.1, points={"o": (0, 0)})
    rack = m.body("rack", mass=0.5, inertia=0.01, points={"o": (0, 0)})
    m.revolute(m.ground.at(0, 0), pinion.o)
    m.revolute(m.ground.at(1, 0), wheel.o)
    m.prismatic(m.ground.at(0, 1), rack.o, axis=(1, 0))
    m.coupling({"rack.o.x": 1.0, pinion: 0.3, wheel: -0.2}, name="differential")
    m.need(pinion.angle, value=0.3, rate=2.0)
    m.need(wheel.angle, value=0.0, rate=-1.0)
    return m
