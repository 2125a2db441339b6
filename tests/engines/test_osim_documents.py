"""Models made through OpenSim's own interface, written by OpenSim, move here as they do there: bushings, custom
joints, joints in either direction, joints that close loops."""

from __future__ import annotations

import cmath
import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import grashof as gr
from grashof.exchange import load_file
from grashof.situation import situation

from ..exchange.documents import body, document, joint
from .test_exchange_opensim import departure, moved_in_opensim

opensim = pytest.importorskip("opensim", reason="OpenSim is not installed: pip install 'grashof[engines]'")


class Maker:
    """OpenSim's model, as it is being made."""

    def __init__(self, speed: float = 0.5) -> None:
        """Coordinates begin with their values times `speed` as their speeds."""
        self.speed = speed
        opensim.Logger.setLevelString("Off")
        self.model = self.keep(opensim.Model())
        self.model.setName("made")
        self.model.setGravity(self.vector(0.3, -9.81, 1.0))
        self.ground = self.model.getGround()

    def keep(self, made: Any) -> Any:
        """What is handed to OpenSim, which frees it: Python must not do so, too."""
        made.thisown = False
        return made

    def vector(self, *numbers: float) -> Any:
        return opensim.Vec3(*(numbers or (0.0, 0.0, 0.0)))

    def frame(self, place: tuple[float, ...], angles: tuple[float, ...]) -> Any:
        turned = opensim.Rotation()
        turned.setRotationToBodyFixedXYZ(self.vector(*angles))
        return self.keep(opensim.Transform(turned, self.vector(*place)))

    def body(self, name: str, mass: float = 1.3) -> Any:
        inertia = opensim.Inertia(0.3, 0.4, 0.5, 0.01, 0.02, -0.01)
        made = self.keep(opensim.Body(name, mass, self.vector(0.1, -0.2, 0.05), inertia))
        self.model.addBody(made)
        return made

    def joint(self, kind: str, name: str, parent: Any, child: Any, *values: float, more: tuple[Any, ...] = ()) -> Any:
        """A joint between frames that are turned and off the bodies' origins; its coordinates begin with these
        values."""
        v = self.vector
        frames = (parent, v(0.1, 0.2, -0.1), v(0.2, 0.1, -0.3), child, v(-0.2, 0.1, 0.15), v(0.1, -0.2, 0.2))
        made = self.keep(getattr(opensim, kind)(name, *frames, *more))
        made.finalizeFromProperties()
        for k, value in enumerate(values):
            made.upd_coordinates(k).setName(f"{name}_q{k}")
            made.upd_coordinates(k).setDefaultValue(value)
            made.upd_coordinates(k).setDefaultSpeedValue(self.speed * value)
        self.model.addJoint(made)
        return made

    def transform(self, *axes: tuple[int, float, float, int]) -> Any:
        """A spatial transform: axis (0 to 2 turn, 3 to 5 slide), slope, offset and the coordinate that it is linear
        in."""
        made = self.keep(opensim.SpatialTransform())
        for axis, slope, offset, coordinate in axes:
            names = self.keep(opensim.ArrayStr())
            names.append(f"j_q{coordinate}")
            made.updTransformAxis(axis).setCoordinateNames(names)
            made.updTransformAxis(axis).setFunction(self.keep(opensim.LinearFunction(slope, offset)))
        return made

    def custom(self, *axes: tuple[int, float, float, int], values: tuple[float, ...], parent: Any, child: Any) -> Any:
        # the names of the coordinates are those that the transform asks for
        transform = self.transform(*axes)
        return self.joint("CustomJoint", "j", parent, child, *values, more=(transform,))

    def force(self, made: Any) -> None:
        self.model.addForce(self.keep(made))

    def write(self, path: Path) -> Path:
        self.model.finalizeConnections()
        self.model.printToXML(str(path))
        return path


def bushing(translation: bool, rotation: bool) -> Maker:
    m = Maker()
    body = m.body("b")
    m.joint("FreeJoint", "free", m.ground, body, 0.3, -0.2, 0.4, 0.1, 0.2, -0.1)
    v = m.vector
    k, c = (v(30, 40, 25), v(1, 2, 3)) if translation else (v(), v())
    kappa, d = (v(20, 30, 10), v(1, 0.5, 2)) if rotation else (v(), v())
    ends = (m.ground, m.frame((0.1, 0.2, 0), (0.2, 0.1, 0)), body, m.frame((0, 0.1, 0.1), (0.1, 0, 0.3)))
    m.force(opensim.BushingForce("bushing", *ends, k, kappa, c, d))
    return m


def sloped() -> Maker:
    """A turn of 2.5 q + 0.3 with a spring, a law and a damper along q, and a body on it."""
    m = Maker()
    a, b = m.body("a"), m.body("b")
    m.custom((0, -2.5, 0.3, 0), values=(0.2,), parent=m.ground, child=a)
    m.joint("PinJoint", "pin", a, b, 0.4)
    m.force(opensim.SpringGeneralizedForce("j_q0"))
    spring = m.model.getForceSet().get(0)
    for name, value in (("Stiffness", 30.0), ("RestLength", 0.1), ("Viscosity", 2.0)):
        getattr(opensim.SpringGeneralizedForce.safeDownCast(spring), f"set{name}")(value)
    m.force(opensim.ExpressionBasedCoordinateForce("j_q0", "3*q^2-0.4*qdot"))
    return m


def screw() -> Maker:
    """A turn of q and a slide of 0.05 q along the same axis."""
    m = Maker()
    m.custom((2, 1.0, 0.0, 0), (5, 0.05, 0.1, 0), values=(0.3,), parent=m.ground, child=m.body("a"))
    return m


def rolling() -> Maker:
    """Three turns and a slide by two coordinates: one of them drives two turns and the slide."""
    m = Maker(speed=0.0)
    axes = ((0, 0.5, 0.1, 0), (1, -1.0, 0.2, 1), (2, 1.5, 0.0, 0), (3, 0.3, -0.1, 0))
    m.custom(*axes, values=(0.3, -0.4), parent=m.ground, child=m.body("a"))
    return m


def shifted(first: float, second: float, third: float, *values: float) -> Maker:
    """Offsets at all axes, and constant turns and slides between the motions."""
    m = Maker(speed=0.0)
    made = m.transform((0, 1.0, first, 0), (2, 1.0, second, 1), (4, -2.0, third, 2))
    made.updTransformAxis(1).setFunction(m.keep(opensim.Constant(first - second)))
    made.updTransformAxis(3).setFunction(m.keep(opensim.Constant(third)))
    m.joint("CustomJoint", "j", m.ground, m.body("a"), *values, more=(made,))
    return m


KINDS = {
    "PinJoint": (0.4,),
    "SliderJoint": (0.2,),
    "UniversalJoint": (0.3, -0.4),
    "BallJoint": (0.3, -0.4, 0.2),
    "GimbalJoint": (0.3, -0.4, 0.2),
    "PlanarJoint": (0.3, -0.2, 0.1),
    "FreeJoint": (0.3, -0.4, 0.2, 0.1, 0.2, 0.3),
    "WeldJoint": (),
}


def backwards(kind: str) -> Maker:
    """A body whose joint has the ground as its child, and another one that hangs on it the same way."""
    m = Maker()
    a, b = m.body("a"), m.body("b")
    m.joint(kind, "first", a, m.ground, *KINDS[kind])
    m.joint("PinJoint", "second", b, a, 0.5)
    return m


def backwards_in_stages() -> Maker:
    m = Maker()
    axes = ((0, 1.0, 0.0, 0), (1, 2.0, 0.2, 1), (5, 1.0, 0.0, 2))
    m.custom(*axes, values=(0.3, -0.2, 0.2), parent=m.body("a"), child=m.ground)
    return m


def four_bar(closed_by_joint: bool) -> Maker:
    """A four-bar whose last pin is a joint, or a constraint."""
    m = Maker()
    m.model.setGravity(m.vector(0.3, -9.81, 0.0))
    crank, coupler, rocker, base = 0.3, 0.8, 0.6, 0.7
    end, foot = cmath.rect(crank, 1.2), complex(base)
    span = foot - end
    cosine = (abs(span) ** 2 + coupler**2 - rocker**2) / (2.0 * abs(span) * coupler)
    top = end + cmath.rect(coupler, cmath.phase(span) + math.acos(cosine))
    angles = [1.2, cmath.phase(top - end), cmath.phase(foot - top)]
    bodies = [m.ground, m.body("a"), m.body("b"), m.body("c"), m.ground]
    at = [0.0, crank, coupler, rocker]
    for k, angle in enumerate([*angles, 0.0] if closed_by_joint else angles):
        on = m.vector(base, 0, 0) if k == 3 else m.vector()
        pin = opensim.PinJoint(f"pin{k}", bodies[k], m.vector(at[k], 0, 0), m.vector(), bodies[k + 1], on, m.vector())
        pin.upd_coordinates(0).setName(f"q{k}")
        pin.upd_coordinates(0).setDefaultValue(angle - (angles[k - 1] if k else 0.0))
        m.model.addJoint(m.keep(pin))
    if not closed_by_joint:
        place, on = m.vector(base, 0, 0), m.vector(rocker, 0, 0)
        m.model.addConstraint(m.keep(opensim.PointOnLineConstraint(m.ground, m.vector(0, 0, 1), place, bodies[3], on)))
    return m


MODELS: dict[str, Callable[[], Maker]] = {
    "bushing, translation": lambda: bushing(True, False),
    "bushing, rotation": lambda: bushing(False, True),
    "bushing": lambda: bushing(True, True),
    "sloped": sloped,
    "screw": screw,
    **{f"backwards {kind}": lambda kind=kind: backwards(kind) for kind in KINDS},  # type: ignore[misc]
    "backwards in stages": backwards_in_stages,
}


@pytest.mark.parametrize("name", MODELS)
def test_it_moves_as_in_opensim(name: str, tmp_path: Path) -> None:
    path = MODELS[name]().write(tmp_path / "model.osim")
    assert departure(load_file(path, strict=True).model, path, 0.5, 1e-11, 26) < 1e-8


def test_a_joint_that_closes_a_loop_moves_as_the_constraint_does_in_opensim(tmp_path: Path) -> None:
    """Where joints close a loop OpenSim cuts a body in two, after which OpenSim 4.6 moves otherwise than with a
    constraint; so the constraint is compared."""
    ring = load_file(four_bar(True).write(tmp_path / "ring.osim"), strict=True).model
    assert len(ring.joints) == 4
    chain = four_bar(False).write(tmp_path / "chain.osim")
    assert departure(ring, chain, 0.5, 1e-11, 26) < 1e-8


@pytest.mark.parametrize("seed", range(4))
def test_constant_parts_between_motions_are_placed_as_in_opensim(seed: int, tmp_path: Path) -> None:
    """Positions alone: with constant turns between turns, OpenSim's velocities are not the derivatives of its
    positions."""
    draw = random.Random(seed)
    path = shifted(*(draw.uniform(-1.5, 1.5) for _ in range(6))).write(tmp_path / "model.osim")
    model = load_file(path, strict=True).model
    points = {name: place for name, place in model.points.items() if name.startswith("a.")}
    there = moved_in_opensim(path, points, np.array([0.0]), 1e-9)[0]
    run = gr.simulate(model, 0.01, times=2)
    here = [[run[f"{name}.{axis}"][0] for axis in "xyz"] for name in points]
    assert np.abs(np.array(here) - there).max() < 1e-11


def test_accelerations_from_rest_are_those_of_opensim(tmp_path: Path) -> None:
    """With a coordinate that turns about two axes, a model of OpenSim 4.6 gains energy as it moves; from rest,
    accelerations are right."""
    path = rolling().write(tmp_path / "model.osim")
    theirs = opensim.Model(str(path))
    state = theirs.initSystem()
    theirs.realizeAcceleration(state)
    accelerations, value = [], theirs.getCoordinateSet()
    for k in range(value.getSize()):
        accelerations.append(value.get(k).getAccelerationValue(state))
    model = load_file(path, strict=True).model
    step = 1e-4
    run = gr.simulate(model, 2.0 * step, tol=1e-11, times=[0.0, step, 2.0 * step])
    for k, right in enumerate(accelerations):
        name = f"j_q{k}" if f"j_q{k}" in run.names else f"j_q{k}_translation1"
        factor = 1.0 if name == f"j_q{k}" else 0.3
        first, second = run[f"{name}.rate"][1:] / factor
        # q̇ = q̈ t + O(t²), and q̇ is odd in t from rest
        assert (8.0 * first - second) / (6.0 * step) == pytest.approx(right, rel=1e-7)


@pytest.mark.parametrize("kind", ["PointConstraint", "ConstantDistanceConstraint", "PointOnLineConstraint"])
def test_points_of_constraints_on_frames_are_where_opensim_has_them(kind: str, tmp_path: Path) -> None:
    """A body on a free joint, held at a frame on another body: OpenSim counts the point from that body, not from the
    frame."""
    offset = (
        "<socket_parent>/bodyset/a</socket_parent><translation>0 1 0</translation><orientation>0 0 0.5</orientation>"
    )
    framed = f'<components><PhysicalOffsetFrame name="f">{offset}</PhysicalOffsetFrame></components></Body>'
    first, second = ("line_body", "follower_body") if "Line" in kind else ("body_1", "body_2")
    places = ("point_on_line", "point_on_follower") if "Line" in kind else ("location_body_1", "location_body_2")
    held = (
        f'<{kind} name="c"><socket_{first}>/bodyset/a/f</socket_{first}><socket_{second}>/bodyset/b</socket_{second}>'
        f"<{places[0]}>0.2 0 0</{places[0]}><{places[1]}>0 0 0</{places[1]}><constant_distance>0.1</constant_distance>"
        f"<line_direction_vec>1 2 0</line_direction_vec></{kind}>\n"
    )
    weld, free = joint("WeldJoint", "w", "ground", "a", None, 0), joint("FreeJoint", "j", "ground", "b", None, 6)
    text = document(body("a").replace("</Body>", framed), body("b"), weld, free, held)
    path = tmp_path / "model.osim"
    path.write_text(text)
    there = opensim.Model(str(path))
    state = there.initSystem()
    found = there.getBodySet().get("b").getPositionInGround(state)
    x, y, _ = (found.get(k) for k in range(3))
    here = load_file(path, strict=True).model
    at = situation(here).positions[1]

    def off(x: float, y: float) -> float:
        """How far a place is from satisfying the constraint."""
        near = math.hypot(x - 0.2, y)
        return {"PointConstraint": near, "ConstantDistanceConstraint": near - 0.1}.get(kind, 2.0 * (x - 0.2) - y)

    assert off(x, y) == pytest.approx(0.0, abs=1e-8)
    assert off(at[0], at[1]) == pytest.approx(0.0, abs=1e-12)
