"""Symbols are where joints, forces and couplings are, and as large as these say."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeVar

import numpy as np
import pytest

import grashof as gr
from grashof.scene import Scene, describe, describe_model, kinds, types
from grashof.scene.outlines import around
from grashof.show.seen import Seen

Kind = TypeVar("Kind", bound=types.Symbol)


def of_kind(scene: Scene, kind: type[Kind]) -> list[Kind]:
    return [symbol for symbol in scene.symbols if isinstance(symbol, kind)]


def only(scene: Scene, kind: type[Kind]) -> Kind:
    (found,) = of_kind(scene, kind)
    return found


def path_of(scene: Scene, spot: types.Spot) -> np.ndarray:
    """Where a place is at all frames, (frames, 3); the view of planar scenes is along z, so that the viewer's axes
    are the world's."""
    seen = Seen(scene)
    return np.array([seen.frame(row).place(spot) @ seen.axes for row in range(len(seen.times))])


def directions(scene: Scene, body: int, local: types.Vec3) -> np.ndarray:
    return path_of(scene, types.Spot(body, local)) - path_of(scene, types.Spot(body, (0.0, 0.0, 0.0)))


# -- joints


def test_every_joint_has_its_symbol_with_its_axes() -> None:
    m = gr.Mechanism("joints", dimension=3)
    bodies = [m.body(name, mass=1.0, inertia=(1.0, 1.0, 1.0)) for name in "abcdefh"]
    bodies.insert(6, m.body("g", mass=1.0, inertia=(1.0, 1.0, 1.0), position=(0.3, 0, 0)))
    held = m.ground.at(0, 0, 0)
    m.revolute(held, bodies[0].at(0, 0, 0), axis=(0, 3, 4))
    m.spherical(held, bodies[1].at(0, 0, 0))
    m.universal(held, bodies[2].at(0, 0, 0), axis_a=(1, 0, 0), axis_b=(0, 2, 0))
    m.prismatic(held, bodies[3].at(0, 0, 0), axis=(0, 0, 1))
    m.cylindrical(held, bodies[4].at(0, 0, 0), axis=(0, 1, 0))
    m.planar(held, bodies[5].at(0, 0, 0), normal=(1, 0, 0))
    m.distance(m.ground.at(0.3, 0, 1), bodies[6].at(0, 0, 0), 1.0)
    m.weld(held, bodies[7].at(0, 0, 0))
    symbols = describe_model(m).symbols
    expected = [kinds.Pin, kinds.Ball, kinds.Cross, kinds.Guide, kinds.Guide, kinds.Face, kinds.Rod, kinds.Seam]
    assert [type(symbol) for symbol in symbols] == expected
    assert [symbol.name for symbol in symbols] == [joint.name for joint in m.model.joints]
    pin, _, cross, block, sleeve, face, _, _ = symbols
    assert isinstance(pin, kinds.Pin)
    assert pin.axis == pytest.approx((0.0, 0.6, 0.8))
    assert isinstance(cross, kinds.Cross)
    assert (cross.arm_a, cross.arm_b) == ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    assert isinstance(face, kinds.Face)
    assert face.normal == (1.0, 0.0, 0.0)
    for guide, kind in ((block, "block"), (sleeve, "sleeve")):
        assert isinstance(guide, kinds.Guide)
        assert guide.block == kind
        assert np.dot(guide.axis, guide.normal) == pytest.approx(0.0, abs=1e-15)
        assert np.linalg.norm(guide.normal) == pytest.approx(1.0)


def test_pins_are_one_place_of_both_bodies_at_all_times() -> None:
    m = gr.Mechanism("double pendulum", gravity=(0, -9.81))
    one, two = (m.bar(name, length=1.0, mass=1.0) for name in ("one", "two"))
    m.revolute(m.ground.at(0, 0), one.start)
    m.revolute(one.end, two.start)
    scene = describe(gr.simulate(m, 2.0), np.linspace(0.0, 2.0, 41), quantities=False)
    for pin in of_kind(scene, kinds.Pin):
        assert np.allclose(path_of(scene, pin.a), path_of(scene, pin.b), rtol=0.0, atol=1e-6)


def slider_crank() -> gr.Mechanism:
    m = gr.Mechanism("slider crank", gravity=(0, -9.81))
    crank = m.bar("crank", start=(0.1, 0.2), end=(0.1, 0.4), mass=1.0)
    rod = m.bar("rod", start=(0.1, 0.4), end=(0.6, 0.2), mass=0.5)
    m.revolute(m.ground.at(0.1, 0.2), crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0.1, 0.2), (1, 0.2)), rod.end)
    m.need("crank.angle", rate=-10.0)
    return m


def slotted_lever() -> gr.Mechanism:
    m = gr.Mechanism("slotted lever")
    crank = m.bar("crank", start=(0, 0), end=(0.15, 0.1), mass=1.0)
    lever = m.body("lever", mass=2.0, inertia=0.1, points={"pivot": (0.1, 0.0)}, position=(0, -0.5), angle=1.3)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(m.ground.at(0, -0.4), lever.pivot)
    m.pin_in_slot(lever.line((0.1, 0), (1, 0)), crank.end)
    m.motor(crank, speed=7.0)
    return m


@pytest.mark.parametrize("make", [slider_crank, slotted_lever])
def test_guides_are_as_long_as_the_block_travels(make: Callable[[], gr.Mechanism]) -> None:
    """Also between the frames of the scene, of which there are only two here."""
    run = gr.simulate(make(), 3.0)
    guide = only(describe(run, np.array([0.0, 0.1]), quantities=False), kinds.Guide)
    fine = describe(run, np.linspace(0.0, 3.0, 2001), quantities=False)
    along = directions(fine, guide.a.body, guide.axis)
    travel = np.einsum("fi,fi->f", path_of(fine, guide.b) - path_of(fine, guide.a), along)
    assert guide.lower < travel.min()
    assert travel.max() < guide.upper
    assert guide.upper - guide.lower < 2.0 * np.ptp(travel)


# -- forces


def test_forces_are_where_they_act() -> None:
    m = gr.Mechanism("forces", gravity=(0, -9.81))
    arm = m.bar("arm", start=(0, 0), end=(1, 0), mass=1.0)
    m.revolute(m.ground.at(0, 0), arm.start)
    m.spring(m.ground.at(1, 1), arm.end, stiffness=10.0, length=0.7, name="elastic")
    m.spring(m.ground.at(1, 2), arm.end, stiffness=0.0, length=0.0, damping=3.0, name="damper")
    m.torsion_spring(arm.angle, stiffness=2.0, name="coil")
    m.torque(arm, 1.5, name="torque")
    m.force(arm.end, (3.0, -4.0), name="constant")
    m.force(arm.end, (1.0, "sin(t)"), name="waving")
    m.force(arm.end, (0.0, 2.0), axes="body", name="follower")
    m.bushing(m.ground.at(0.5, 0), arm.at(0.5, 0), stiffness=100.0, name="mount")
    scene = describe_model(m)
    elastic, damper = of_kind(scene, kinds.Spring)
    assert (elastic.elastic, elastic.damped, elastic.length) == (True, False, 0.7)
    assert (damper.elastic, damper.damped) == (False, True)
    assert elastic.a == types.Spot(0, (1.0, 1.0, 0.0))
    assert elastic.b == types.Spot(1, (1.0, 0.0, 0.0))
    coil, drive, mount = only(scene, kinds.Coil), only(scene, kinds.Drive), only(scene, kinds.Mount)
    assert coil.a == drive.a == types.Spot(1, (0.0, 0.0, 0.0))
    assert coil.axis == drive.axis == (0.0, 0.0, 1.0)
    assert (drive.b, drive.prescribed) == (None, False)
    assert mount.a == types.Spot(0, (0.5, 0.0, 0.0))
    loads = {load.name: load for load in of_kind(scene, kinds.Load)}
    assert loads["constant"].direction == (3.0, -4.0, 0.0)
    assert loads["waving"].direction == (0.0, 0.0, 0.0)  # nothing tells it beforehand
    assert (loads["follower"].direction, loads["follower"].follows) == ((0.0, 2.0, 0.0), True)


def test_motors_point_along_what_they_prescribe() -> None:
    m = gr.Mechanism("drives")
    table = m.body("table", mass=1.0, inertia=1.0, points={"corner": (0.3, 0.1)}, angle=0.5)
    m.slider(m.ground.line((0, 0), (1, 0)), table.line((0, 0), (math.cos(0.5), -math.sin(0.5))))
    m.motor("table.corner.x", speed=0.2, name="along x")
    (drive,) = of_kind(describe_model(m), kinds.Drive)
    assert drive.prescribed
    assert drive.b == types.Spot(1, (0.3, 0.1, 0.0))
    assert (drive.a.body, drive.axis) == (0, (1.0, 0.0, 0.0))  # of the ground, although the table is turned
    m = gr.Mechanism("jack", gravity=(0, -9.81))
    arm = m.bar("arm", start=(0, 0), end=(1, 0), mass=1.0)
    m.revolute(m.ground.at(0, 0), arm.start)
    m.separation("stroke", m.ground.at(0.5, -0.5), arm.end)
    m.motor("stroke", speed=0.1)
    (jack,) = of_kind(describe_model(m), kinds.Cylinder)
    assert (jack.a, jack.b) == (types.Spot(0, (0.5, -0.5, 0.0)), types.Spot(1, (1.0, 0.0, 0.0)))


def test_an_angle_about_an_axis_of_another_body_is_drawn_about_that_axis() -> None:
    """The axis is given in the axes of a turned reference; the body itself is turned otherwise."""
    m = gr.Mechanism("gimbal", dimension=3)
    outer = m.body("outer", mass=1.0, inertia=(1.0, 1.0, 1.0), rotation=(math.cos(0.3), 0.0, 0.0, math.sin(0.3)))
    inner = m.body("inner", mass=1.0, inertia=(1.0, 1.0, 1.0), rotation=(math.cos(0.4), math.sin(0.4), 0.0, 0.0))
    m.spherical(m.ground.at(0, 0, 0), outer.at(0, 0, 0))
    m.spherical(outer.at(0, 0, 0), inner.at(0, 0, 0))
    axis = np.array([1.0, 2.0, 2.0]) / 3.0  # world axes, at the start
    m.torsion_spring(m.angle("turn", inner, reference=outer, axis=tuple(axis)), stiffness=1.0)
    scene = describe_model(m)
    coil = only(scene, kinds.Coil)
    assert np.allclose(directions(scene, coil.a.body, coil.axis)[0], axis, rtol=0.0, atol=1e-6)


# -- couplings


def planetary() -> gr.Mechanism:
    m = gr.Mechanism("planetary gears")
    sun, arm = (m.body(name, mass=1.0, inertia=0.1) for name in ("sun", "arm"))
    for body in (sun, arm):
        m.revolute(m.ground.at(0, 0), body.at(0, 0))
    for k in range(3):
        place = (0.35 * math.cos(2.1 * k + 0.2), 0.35 * math.sin(2.1 * k + 0.2))
        planet = m.body(f"planet{k}", mass=0.5, inertia=0.02, position=place, angle=0.7 * k)
        m.revolute(planet.at(0.05, 0), m.bar(f"knob{k}", length=0.03, mass=0.01).start)  # not the pin it turns about
        m.revolute(arm.at(*place), planet.at(0, 0))
        m.gear(sun, planet, teeth=(24, 18))
        m.gear(planet, m.ground, teeth=(18, 60), internal=True)
    m.motor(sun, speed=3.0)
    return m


def test_pitch_circles_of_gears_touch_at_all_times_and_are_in_the_ratio_of_their_teeth() -> None:
    scene = describe(gr.simulate(planetary(), 2.0), np.linspace(0.0, 2.0, 21), quantities=False)
    gears = of_kind(scene, kinds.Wheel)
    assert len(gears) == 12
    for one, other in zip(gears[::2], gears[1::2], strict=True):
        assert one.name == other.name
        apart = np.linalg.norm(path_of(scene, one.a) - path_of(scene, other.a), axis=1)
        together = other.radius - one.radius if other.internal else one.radius + other.radius
        assert np.allclose(apart, together, rtol=0.0, atol=1e-6)
        assert one.radius / other.radius == pytest.approx(one.teeth / other.teeth)
        assert not one.internal
    assert {gear.a.body for gear in gears if gear.internal} == {0}
    # one wheel has one direction of its teeth, in whatever pair it is
    assert len({(gear.a, gear.zero) for gear in gears if gear.a.body == 1}) == 1


def from_contact(scene: Scene, wheel: kinds.Wheel, contact: np.ndarray, middle: float) -> np.ndarray:
    """How far the middle of a tooth (0) or a gap (0.5) is from a direction, counter-clockwise along the pitch
    circle, in pitches from −0.5 to 0.5."""
    zero = directions(scene, wheel.a.body, wheel.zero)
    angle = np.arctan2(zero[:, 1], zero[:, 0]) - np.arctan2(contact[:, 1], contact[:, 0])
    return (wheel.teeth * angle / (2.0 * np.pi) + middle + 0.5) % 1.0 - 0.5


def test_teeth_are_in_gaps_at_all_times() -> None:
    """Of wheels outside each other a tooth that is ahead meets a gap that is behind by as much; of a wheel in a ring
    both are ahead."""
    m = gr.Mechanism("two trains", gravity=(0, 0))
    one, two, three = (
        m.body(name, mass=1.0, inertia=0.1, angle=a) for name, a in (("a", 0.3), ("b", 1.1), ("c", -2.0))
    )
    for body, place in ((one, (0, 0)), (two, (0.5, 0.2)), (three, (0.3, 0.1))):
        m.revolute(m.ground.at(*place), body.at(0, 0))
    m.gear(one, two, teeth=(17, 30))
    m.gear(three, two, teeth=(12, 40), internal=True)
    m.motor(one, speed=2.0)
    scene = describe(gr.simulate(m, 3.0), np.linspace(0.0, 3.0, 31), quantities=False)
    outer, second, pinion, ring = of_kind(scene, kinds.Wheel)
    span = path_of(scene, second.a) - path_of(scene, outer.a)
    ahead = from_contact(scene, outer, span, 0.0)
    behind = from_contact(scene, second, -span, 0.5)
    assert np.max(np.abs((ahead + behind + 0.5) % 1.0 - 0.5)) < 1e-4
    assert np.ptp(ahead) > 0.5  # it turns
    assert ring.internal
    span = path_of(scene, pinion.a) - path_of(scene, ring.a)
    difference = from_contact(scene, pinion, span, 0.0) - from_contact(scene, ring, span, 0.5)
    assert np.max(np.abs((difference + 0.5) % 1.0 - 0.5)) < 1e-4


def gears_in_space(second_axis: tuple[float, float, float]) -> Scene:
    m = gr.Mechanism("gears in space", dimension=3)
    wheels = [m.body(name, mass=1.0, inertia=(0.1, 0.1, 0.1)) for name in "ab"]
    m.revolute(m.ground.at(0, 0, 0), wheels[0].at(0, 0, 0), axis=(0, 1, 0))
    m.revolute(m.ground.at(0.3, 5.0, 0.4), wheels[1].at(0, 0, 0), axis=second_axis)
    angles = [m.angle(f"angle {x}", x, axis=axis) for x, axis in zip(wheels, ((0, 1, 0), second_axis), strict=True)]
    m.gear(*angles, teeth=(20, 30))
    return describe_model(m)


def test_the_distance_of_gears_is_that_of_their_axes() -> None:
    """Their centres are 5 m from each other along the axes, and √(0.3² + 0.4²) m across them."""
    assert [gear.radius for gear in of_kind(gears_in_space((0, 1, 0)), kinds.Wheel)] == pytest.approx([0.2, 0.3])
    assert [gear.radius for gear in of_kind(gears_in_space((0, -1, 0)), kinds.Wheel)] == pytest.approx([0.2, 0.3])


def test_what_has_no_known_place_is_left_out() -> None:
    assert not of_kind(gears_in_space((1, 0, 0)), kinds.Wheel)  # bevel gears: nothing tells their size
    m = gr.Mechanism("on one axis")
    one, two = (m.body(name, mass=1.0, inertia=0.1) for name in "ab")
    for body in (one, two):
        m.revolute(m.ground.at(0, 0), body.at(0, 0))
    m.gear(one, two, teeth=(20, 30))
    m.coupling({one.angle: 1.0, two.angle: 2.0})
    m.friction(m.model.joints[0], viscous=0.1)
    assert {type(symbol) for symbol in describe_model(m).symbols} == {kinds.Pin}
    m = gr.Mechanism("implicit")
    bead = m.body("bead", mass=1.0, inertia=0.1, points={"hole": (0, 0)}, position=(1, 0))
    m.pin_on_curve(m.ground.curve(implicit="x**2 + y**2 - 1"), bead.hole)
    assert not describe_model(m).symbols


def test_belts_go_around_their_wheels() -> None:
    m = gr.Mechanism("belt")
    one, two = (m.body(name, mass=1.0, inertia=0.1) for name in "ab")
    m.revolute(m.ground.at(0, 0), one.at(0, 0))
    m.revolute(m.ground.at(1, 0), two.at(0.0, 0.1))
    m.belt(one, two, radii=(0.1, 0.3), crossed=True)
    scene = describe_model(m)
    belt, wheels = only(scene, kinds.Band), of_kind(scene, kinds.Wheel)
    assert belt.radii == (0.1, 0.3)
    assert belt.crossed
    assert [wheel.radius for wheel in wheels] == [0.1, 0.3]
    assert (
        [wheel.a for wheel in wheels]
        == [belt.a, belt.b]
        == [
            types.Spot(1, (0.0, 0.0, 0.0)),
            types.Spot(2, (0.0, 0.1, 0.0)),
        ]
    )


def test_a_rope_around_pulleys_is_drawn_as_long_as_it_is() -> None:
    m = gr.Mechanism("hoist", gravity=(0, -9.81))
    loads = [
        m.body(name, mass=mass, inertia=0.1, points={"hook": (0, 0)}, position=place)
        for name, mass, place in (("left", 1.0, (-0.4, -1.0)), ("right", 1.2, (1.1, -0.8)))
    ]
    for load, x in zip(loads, (-0.4, 1.1), strict=True):
        m.slider(m.ground.line((x, 0), (x, 1)), load.line((0, 0), (0, 1)))
    m.rope(
        [loads[0].hook, m.ground.at(0, 0), m.ground.at(0.7, 0.1), loads[1].hook], radii=(0, -0.2, -0.1, 0), name="rope"
    )
    run = gr.simulate(m, 0.5, times=11)
    scene = describe(run, run.t, quantities=False)
    rope = only(scene, kinds.Rope)
    assert rope.radii == (0.0, -0.2, -0.1, 0.0)
    for row, length in enumerate(run["rope"]):
        places = np.array([path_of(scene, spot)[row, :2] for spot in rope.through])
        line = around(places, np.array(rope.radii), closed=False)
        assert line is not None
        drawn = np.sum(np.linalg.norm(np.diff(line, axis=0), axis=1))
        assert drawn == pytest.approx(length, rel=1e-3)  # arcs are drawn by chords of 0.07 rad: 2e-4 shorter


def test_the_outline_of_a_cam_is_its_curve_and_the_roller_touches_it() -> None:
    m = gr.Mechanism("cam", gravity=(0, -9.81))
    cam = m.body("cam", mass=1.0, inertia=0.01)
    m.revolute(m.ground.at(0, 0), cam.at(0.01, 0.0))
    follower = m.body("follower", mass=0.5, inertia=0.01, points={"roller": (0, 0)}, position=(0, 0.08))
    m.slider(m.ground.line((0, 0.2), (0, 1)), follower.line((0, 0.1), (0, 1)))
    m.roller(cam.curve(radius="0.05 + 0.012*cos(phi)", origin=(0.01, 0.0)), follower.roller, radius=0.015)
    m.motor(cam, speed=10.0)
    scene = describe(gr.simulate(m, 1.0), np.linspace(0.0, 1.0, 21), quantities=False)
    outline = only(scene, kinds.Outline)
    assert outline.closed
    assert outline.body == 1
    x, y, z = np.array(outline.corners).T
    phi = np.arctan2(y, x - 0.01)
    assert np.allclose(np.hypot(x - 0.01, y), 0.05 + 0.012 * np.cos(phi), rtol=0.0, atol=1e-12)
    assert not z.any()
    assert np.max(np.diff(np.sort(phi))) < 0.04
    roller = only(scene, kinds.Wheel)
    assert (roller.radius, roller.teeth) == (0.015, 0)
    centers = path_of(scene, roller.a)
    assert np.allclose(centers, path_of(scene, types.Spot(2, (0.0, 0.0, 0.0))), rtol=0.0, atol=1e-6)
    corners = np.array([path_of(scene, types.Spot(1, corner)) for corner in outline.corners])
    nearest = np.min(np.linalg.norm(corners - centers, axis=2), axis=0)
    # corners are 0.035 rad from each other: the nearest is up to 0.001 m aside, and so up to 0.001²/(2·0.015) m farther
    assert np.all(nearest >= 0.015 - 1e-6)
    assert np.all(nearest < 0.015 + 5e-5)
    # nothing is drawn of the body that stands for the contact
    assert not next(body for body in scene.bodies if "contact" in body.name).corners


def test_open_curves_are_drawn_as_far_as_they_are_used() -> None:
    m = gr.Mechanism("track", gravity=(0, -9.81))
    bead = m.body("bead", mass=1.0, inertia=0.001, points={"hole": (0, 0)}, position=(0.5, 0.3))
    m.pin_on_curve(m.ground.curve(y="0.4*(x - 0.2)**2", origin=(0.1, 0.05)), bead.hole)
    m.pin_in_slot(m.ground.line((0, 0), (1, 0)), m.bar("idle", start=(0, 0), end=(0, 1), mass=1.0).start)
    run = gr.simulate(m, 3.0)
    outline = only(describe(run, np.array([0.0]), quantities=False), kinds.Outline)
    assert not outline.closed
    x, y, _ = np.array(outline.corners).T
    assert np.allclose(y - 0.05, 0.4 * (x - 0.3) ** 2, rtol=0.0, atol=1e-12)
    passed = gr.Trajectory(run.program, run.steps, np.linspace(0.0, 3.0, 1001))["bead.hole.x"]
    assert x.min() < passed.min() < passed.max() < x.max()


def test_a_curve_is_left_out_where_it_has_no_value() -> None:
    m = gr.Mechanism("root", gravity=(0, -9.81))
    bead = m.body("bead", mass=1.0, inertia=0.001, points={"hole": (0, 0)}, position=(0.01, 0.1))
    m.pin_on_curve(m.ground.curve(y="sqrt(x)"), bead.hole)
    x, y, _ = np.array(only(describe_model(m), kinds.Outline).corners).T
    assert x.min() >= 0.0
    assert np.allclose(y**2, x, rtol=0.0, atol=1e-12)


def test_wheels_roll_on_their_track() -> None:
    m = gr.Mechanism("wheel", gravity=(0, -9.81))
    wheel = m.body("wheel", mass=1.0, inertia=0.01, position=(0.3, 0.2))
    line = (math.cos(-0.4), math.sin(-0.4))
    m.roll(m.ground.line((0.1, 0.0), (0.1 + line[0], line[1])), wheel.at(0, 0), radius=0.1)
    scene = describe(gr.simulate(m, 1.0), np.linspace(0.0, 1.0, 11), quantities=False)
    assert not of_kind(scene, kinds.Guide)
    track, drawn = only(scene, kinds.Outline), only(scene, kinds.Wheel)
    assert drawn.radius == pytest.approx(0.1)
    start, end = (np.array(corner) for corner in track.corners)
    along = (end - start) / np.linalg.norm(end - start)
    gap = path_of(scene, drawn.a) - start
    left = np.array([-along[1], along[0], 0.0])
    assert np.allclose(gap @ left, 0.1, rtol=0.0, atol=1e-6)  # the wheel touches it from the left
    assert np.all((gap @ along > 0.0) & (gap @ along < np.linalg.norm(end - start)))
    assert abs(np.cross(along, [*line, 0.0])[2]) < 1e-12


@pytest.mark.parametrize("radius", [0.1, -0.1])
def test_a_rack_touches_its_pinion_and_moves_as_its_teeth(radius: float) -> None:
    m = gr.Mechanism("rack")
    pinion = m.body("pinion", mass=1.0, inertia=0.01, angle=0.4)
    m.revolute(m.ground.at(0.2, 0.3), pinion.at(0, 0))
    rack = m.body("rack", mass=1.0, inertia=0.01, points={"tooth": (0, 0)}, position=(0.1, -0.2))
    m.slider(m.ground.line((0, -0.2), (1, -0.2)), rack.line((0, 0), (1, 0)))
    m.rack("rack.tooth.x", pinion, radius=radius)
    m.motor(pinion, speed=2.0)
    run = gr.simulate(m, 1.0)
    scene = describe(run, np.linspace(0.0, 1.0, 11), quantities=False)
    outline, wheel = only(scene, kinds.Outline), only(scene, kinds.Wheel)
    assert scene.bodies[outline.body].name == "rack"
    ends = [path_of(scene, types.Spot(outline.body, corner)) for corner in outline.corners]
    assert np.allclose(
        ends[0][:, 1], 0.3 - radius, rtol=0.0, atol=1e-6
    )  # on the side on which the rim moves as the rack does
    assert np.all(np.minimum(ends[0][:, 0], ends[1][:, 0]) < 0.2)
    assert np.all(np.maximum(ends[0][:, 0], ends[1][:, 0]) > 0.2)
    assert (ends[1][0, 0] > ends[0][0, 0]) == (radius > 0.0)  # the pinion is on the left
    assert wheel.radius == pytest.approx(0.1)


def test_a_flat_face_is_a_line_without_a_block() -> None:
    m = gr.Mechanism("flat follower", gravity=(0, -9.81))
    cam = m.body("cam", mass=1.0, inertia=0.01)
    m.revolute(m.ground.at(0, 0), cam.at(0, 0))
    follower = m.body("follower", mass=0.5, inertia=0.01, position=(0, 0.06))
    m.slider(m.ground.line((0, 0.2), (0, 1)), follower.line((0, 0.1), (0, 1)))
    m.flat_face(cam.curve(radius="0.05 + 0.005*cos(phi)"), follower.line((0, 0), (-1, 0)))
    m.motor(cam, speed=5.0)
    scene = describe_model(m)
    assert sorted(guide.block for guide in of_kind(scene, kinds.Guide)) == ["block", "none"]


# -- bodies


def test_bodies_connect_their_points_and_centre() -> None:
    m = gr.Mechanism("bodies")
    m.bar("bar", length=2.0, mass=1.0)
    m.body("offset", mass=1.0, inertia=1.0, center=(0.5, 0.0), points={"only": (0.0, 0.0)})
    m.body("hub", mass=1.0, inertia=1.0, points={"one": (0.0, 0.0), "same": (0.0, 0.0)})
    m.body("light", points={"p": (1.0, 2.0)})
    scene = describe_model(m)
    ground, bar, offset, hub, light = scene.bodies
    assert (ground.name, ground.corners) == ("ground", ())
    assert bar.corners == ((0.0, 0.0, 0.0), (2.0, 0.0, 0.0))
    assert bar.center == (1.0, 0.0, 0.0)
    assert offset.corners == ((0.0, 0.0, 0.0), (0.5, 0.0, 0.0))  # a body with one point reaches to its mass
    assert hub.corners == ((0.0, 0.0, 0.0),)
    assert (light.corners, light.center) == (((1.0, 2.0, 0.0),), None)
    assert [body.color for body in scene.bodies[1:]] == [0, 1, 2, 3]


def test_many_bodies_share_the_colours_of_their_families() -> None:
    m = gr.Mechanism("family")
    for k in range(6):
        m.bar(f"upright{k}", length=1.0, mass=1.0)
        m.bar(f"beam_{k}", length=1.0, mass=1.0)
    assert [body.color for body in describe_model(m).bodies[1:]] == [0, 1] * 6


def test_a_mechanism_without_masses_is_placed_as_one_with_them() -> None:
    def four_bar(mass: float) -> Scene:
        m = gr.Mechanism("four-bar")
        crank, coupler, rocker = (m.bar(x, length=l, mass=mass) for x, l in (("a", 0.3), ("b", 1.0), ("c", 0.8)))
        m.revolute(m.ground.at(0, 0), crank.start)
        m.revolute(crank.end, coupler.start)
        m.revolute(coupler.end, rocker.end)
        m.revolute(m.ground.at(1, 0), rocker.start)
        m.need(crank.angle, value=0.8)
        return describe_model(m)

    light, heavy = four_bar(0.0), four_bar(2.0)
    assert np.allclose(light.poses.array(), heavy.poses.array(), rtol=0.0, atol=1e-6)
    assert all(body.center is None for body in light.bodies)


def test_everything_is_within_the_box_of_the_scene() -> None:
    run = gr.simulate(planetary(), 2.0)
    scene = describe(run, np.linspace(0.0, 2.0, 21), quantities=False)
    for gear in of_kind(scene, kinds.Wheel):
        turn = np.linspace(0.0, 2.0 * np.pi, 24)[:, None]
        rim = path_of(scene, gear.a)[:, None] + gear.radius * np.column_stack([np.cos(turn), np.sin(turn), 0.0 * turn])
        assert np.all(rim >= np.array(scene.lower) - 1e-5)
        assert np.all(rim <= np.array(scene.upper) + 1e-5)
