"""Every kind of symbol is drawn, in the plane and in space, near where it belongs."""

from __future__ import annotations

import math
from pathlib import Path

import msgspec
import numpy as np
import pytest

import grashof as gr
from grashof.scene import Scene, describe_model, kinds, types
from grashof.scene.outlines import distance_beside
from grashof.scene.pens import GROUNDED
from grashof.show.drawing import draw_model
from grashof.show.files import save_figure
from grashof.show.planar import PlanarSheet
from grashof.show.seen import Seen
from grashof.show.spatial import meshes_of
from tests.show.pictures import ink, pixels_of

INERTIA = (0.01, 0.01, 0.01)


def everything_in_the_plane() -> gr.Mechanism:
    m = gr.Mechanism("everything in the plane", gravity=(0, -9.81))
    crank = m.bar("crank", start=(0, 0), end=(0.1, 0.2), mass=1.0)
    rod = m.bar("rod", start=(0.1, 0.2), end=(0.6, 0), mass=0.5)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0, 0), (1, 0)), rod.end)
    m.spring(m.ground.at(1, 0.2), rod.end, stiffness=50.0, length=0.3, damping=3.0)
    m.spring(m.ground.at(1, 0.4), rod.at(0.2, 0), stiffness=50.0, length=0.3)
    m.spring(m.ground.at(1, 0.6), rod.at(0.2, 0), stiffness=0.0, length=0.0, damping=1.0)
    m.spring(crank.start, m.ground.at(0, 0), stiffness=1.0, length=0.0, name="no length")
    m.torsion_spring(crank.angle, stiffness=0.1, damping=0.1)
    m.force(rod.end, (-5.0, 0.0))
    m.force(rod.end, ("sin(t)", 0.0), name="waving")
    m.force(rod.end, (1.0, 1.0), axes="body", name="following")
    m.torque(crank, 0.2)
    m.cylinder(m.ground.at(1, 0.8), rod.at(0.2, 0), force=1.0, name="jack")
    pinion, wheel = (m.body(name, mass=1.0, inertia=0.1) for name in ("pinion", "wheel"))
    m.revolute(m.ground.at(0, -1), pinion.at(0, 0))
    m.revolute(m.ground.at(0.5, -1), wheel.at(0, 0))
    m.gear(pinion, wheel, teeth=(20, 30))
    planet = m.body("planet", mass=1.0, inertia=0.1, position=(0, -0.8))
    m.revolute(m.ground.at(0, -0.8), planet.at(0, 0))
    m.gear(planet, wheel, teeth=(150, 500), internal=True)
    pulley = m.body("pulley", mass=1.0, inertia=0.1)
    m.revolute(m.ground.at(1, -1), pulley.at(0, 0))
    m.belt(wheel, pulley, radii=(0.1, 0.2))
    m.motor(pinion, speed=1.0)
    rack = m.body("rack", mass=1.0, inertia=0.1, points={"tooth": (0, 0)}, position=(0, -1.4))
    m.slider(m.ground.line((0, -1.4), (1, -1.4)), rack.line((0, 0), (1, 0)))
    m.rack("rack.tooth.x", pinion, radius=0.2)
    cam = m.body("cam", mass=1.0, inertia=0.1)
    m.revolute(m.ground.at(2, 0), cam.at(0, 0))
    follower = m.body("follower", mass=1.0, inertia=0.1, points={"roller": (0, 0)}, position=(2, 0.3))
    m.slider(m.ground.line((2, 0.5), (2, 1)), follower.line((0, 0.2), (0, 1)))
    m.roller(cam.curve(radius="0.2 + 0.02*cos(phi)"), follower.roller, radius=0.05)
    m.motor(cam, speed=1.0)
    disc = m.body("disc", mass=1.0, inertia=0.1, position=(-1, 0.1))
    m.roll(m.ground.line((-2, 0), (0, 0)), disc.at(0, 0), radius=0.1)
    weight = m.body("weight", mass=1.0, inertia=0.1, points={"hook": (0, 0)}, position=(-0.3, -0.5))
    m.slider(m.ground.line((-0.3, -0.5), (-0.3, 1)), weight.line((0, 0), (0, 1)))
    m.rope([disc.at(0, 0), m.ground.at(-0.4, 0.0), weight.hook], radii=(0, -0.1, 0))
    lever = m.body("lever", mass=1.0, inertia=0.1, points={"pivot": (0, 0)}, position=(3, 0), angle=math.pi / 2)
    m.revolute(m.ground.at(3, 0), lever.pivot)
    bead = m.bar("bead", start=(3, 0.5), end=(3.2, 0.5), mass=0.1)
    m.pin_in_slot(lever.line((0, 0), (1, 0)), bead.start)
    m.distance(m.ground.at(3.4, 0.5), bead.end, 0.2)
    plate = m.body("plate", mass=1.0, inertia=0.1, points={"a": (0, 0), "b": (0.2, 0), "c": (0, 0.2)}, position=(3, -1))
    m.weld(m.ground.at(3, -1), plate.a)
    mount = m.body("mount", mass=1.0, inertia=0.1, position=(2, -1))
    m.bushing(m.ground.at(2, -1), mount.at(0, 0), stiffness=1e3, rotational_stiffness=10.0)
    m.stop(lever, upper=2.0, stiffness=1e3)
    m.stop("weight.hook.y", lower=-0.8, restitution=0.2)
    m.separation("tether", m.ground.at(-0.6, 0.0), weight.hook)
    m.stop("tether", lower=0.3, upper=0.9, stiffness=1e3)
    return m


def everything_in_space() -> gr.Mechanism:
    m = gr.Mechanism("everything in space", gravity=(0, 0, -9.81))
    wheels = []
    for name, place in (
        ("one", (0, 0, 0.3)),
        ("two", (0.3, 0, 0.3)),
        ("three", (0.8, 0, 0.5)),
        ("four", (0.1, 0, 0.3)),
    ):
        wheel = m.body(name, mass=1.0, inertia=INERTIA, position=place)
        m.revolute(m.ground.at(*place), wheel.at(0, 0, 0), axis=(0, 1, 0))
        wheels.append(m.angle(f"angle {name}", wheel, axis=(0, 1, 0)))
    m.gear(wheels[0], wheels[1], teeth=(20, 40))
    m.gear(wheels[3], wheels[1], teeth=(20, 60), internal=True)
    m.belt(wheels[1], wheels[2], radii=(0.08, 0.12), crossed=True)
    m.motor(wheels[0], speed=2.0)
    m.torque(wheels[2], 1.0)
    m.torsion_spring(wheels[2], stiffness=0.1, damping=0.1)
    sledge = m.body("sledge", mass=1.0, inertia=INERTIA, position=(0, 0.6, 0.1))
    m.prismatic(m.ground.at(0, 0.6, 0.1), sledge.at(0, 0, 0), axis=(1, 0, 0))
    m.spring(m.ground.at(0.8, 0.6, 0.1), sledge.at(0, 0, 0), stiffness=20.0, length=0.5, damping=1.0)
    m.spring(m.ground.at(0, 0.6, 0.1), sledge.at(0, 0, 0), stiffness=20.0, length=0.0)
    m.force(sledge.at(0, 0, 0), (2.0, 0.0, 0.0))
    m.force(sledge.at(0, 0, 0), ("sin(t)", 0.0, 0.0), name="waving")
    sleeve = m.body(
        "sleeve", mass=1.0, inertia=INERTIA, position=(0.3, 1, 0.3), points={"hub": (0, 0, 0), "arm": (0, 0.2, 0)}
    )
    m.cylindrical(m.ground.at(0.3, 1, 0.3), sleeve.hub, axis=(1, 0, 0))
    puck = m.body("puck", mass=1.0, inertia=INERTIA, position=(0.8, 1.1, 0))
    m.planar(m.ground.at(0.8, 1.1, 0), puck.at(0, 0, 0), normal=(0, 0, 1))
    corners = {"p": (0, 0, 0), "q": (0.2, 0, 0.2), "r": (0.2, 0.2, 0), "s": (0, 0.2, 0.3)}
    bracket = m.body("bracket", mass=1.0, inertia=INERTIA, position=(1.1, 0.3, 0.2), points=corners)
    m.weld(m.ground.at(1.1, 0.3, 0.2), bracket.p)
    mount = m.body("mount", mass=1.0, inertia=INERTIA, position=(1.2, 0.9, 0.3))
    m.bushing(m.ground.at(1.2, 0.9, 0.3), mount.at(0, 0, 0), stiffness=1e3, rotational_stiffness=10.0)
    bob = m.body("bob", mass=1.0, inertia=INERTIA, position=(0.3, -0.5, 0.3))
    m.distance(m.ground.at(0.3, -0.5, 0.7), bob.at(0, 0, 0), 0.4)
    plate = m.body(
        "plate",
        mass=1.0,
        inertia=INERTIA,
        position=(0, -1, 0),
        points={"a": (0, 0, 0), "b": (0.3, 0, 0), "c": (0, 0.3, 0)},
    )
    m.spherical(m.ground.at(0, -1, 0), plate.a)
    shaft = m.body(
        "shaft", mass=1.0, inertia=INERTIA, position=(0.3, -1, 0), points={"start": (0, 0, 0), "end": (0.3, 0, 0.1)}
    )
    m.universal(plate.b, shaft.start, axis_a=(0, 1, 0), axis_b=(0, 0, 1))
    m.rope([shaft.end, m.ground.at(1, -1, 0.5), bob.at(0, 0, 0)])
    m.separation("stroke", m.ground.at(0.8, 0.6, 0.5), puck.at(0, 0, 0))
    m.motor("stroke", speed=0.01)
    m.stop(wheels[0], lower=-1.0, stiffness=1e3)
    m.coordinate("lift", bob.at(0, 0, 0), (0, 0, 1))
    m.stop("lift", lower=-0.1, stiffness=1e3)
    m.separation("tether", m.ground.at(0, 0, 0), bob.at(0, 0, 0))
    m.stop("tether", lower=0.2, upper=0.9, stiffness=1e3)
    floor = m.ground.plane((0, 0, 0), (0, 0, 1))
    m.contact(floor, bob.sphere((0, 0, 0), 0.1), stiffness=1e3)
    return m


SPATIAL = {getattr(kinds, name) for name in kinds.__all__} - {kinds.Kind, kinds.Joining, kinds.Outline}
PLANAR = SPATIAL - {kinds.Ball, kinds.Cross, kinds.Face, kinds.Sphere} | {kinds.Outline}


@pytest.fixture(scope="module")
def planar() -> Scene:
    return describe_model(everything_in_the_plane())


@pytest.fixture(scope="module")
def spatial() -> Scene:
    return describe_model(everything_in_space())


def places(frame_of: Seen, symbol: types.Symbol) -> np.ndarray:
    """Of a symbol, in the viewer's axes."""
    frame = frame_of.frame(0)
    match symbol:
        case kinds.Rope():
            return np.array([frame.place(spot) for spot in symbol.through])
        case kinds.Wall():
            return frame.places(symbol.body, symbol.corners())
        case kinds.Outline():
            return frame.places(symbol.body, np.array(symbol.corners))
    spots = [getattr(symbol, name, None) for name in "ab"]
    return np.array([frame.place(spot) for spot in spots if spot is not None])


def reach(scene: Scene, symbol: types.Symbol) -> float:
    """How far a symbol is drawn from its places, m."""
    most = 10.0 * scene.detail
    match symbol:
        case kinds.Wheel() | kinds.Sphere():
            return most + 1.4 * symbol.radius
        case kinds.Band():
            return most + max(symbol.radii)
        case kinds.Rope():
            return most + max(map(abs, symbol.radii), default=0.0) + symbol.length
        case kinds.Peg():
            return most + 0.3 * symbol.length
        case kinds.Guide():
            return most + symbol.upper - symbol.lower
    return most


def check_near(corners: np.ndarray, around: np.ndarray, most: float) -> None:
    """Everything that is drawn is near the box of the symbol's places, and something is."""
    assert len(corners)
    assert np.all(np.isfinite(corners))
    assert np.all(corners >= around.min(axis=0) - most)
    assert np.all(corners <= around.max(axis=0) + most)


@pytest.mark.parametrize("grey", [None, "#c4c8cd"])
def test_every_symbol_of_the_plane_is_drawn_where_it_is(planar: Scene, grey: str | None) -> None:
    scene = planar
    assert {type(symbol) for symbol in scene.symbols} == PLANAR
    seen = Seen(scene)
    sheet = PlanarSheet(seen.frame(0), 1.0, grey)
    for symbol in scene.symbols:
        drawn = [found for shape in symbol.shapes for found in sheet.draw(shape)]
        corners = np.concatenate([np.zeros((0, 2)), *(found.corners for found in drawn)])
        check_near(corners, places(seen, symbol)[:, :2], reach(scene, symbol))
        assert grey is None or {found.edge for found in drawn} <= {grey, None}


def test_every_symbol_of_space_is_drawn_where_it_is(spatial: Scene) -> None:
    scene = spatial
    assert {type(symbol) for symbol in scene.symbols} == SPATIAL
    seen = Seen(scene)
    for symbol in scene.symbols:
        if isinstance(symbol, kinds.Load) and not any(symbol.direction):
            continue  # nothing tells where it points
        if isinstance(symbol, kinds.Spring) and symbol.b.body and np.allclose(*places(seen, symbol)):
            continue  # without length
        solids = [mesh for shape in symbol.shapes for mesh in meshes_of(seen.frame(0), shape)]
        vertices = np.concatenate([np.zeros((0, 3)), *(mesh.vertices for mesh in solids)])
        check_near(vertices, places(seen, symbol), reach(scene, symbol))


def shift_poses(scene: Scene, by: np.ndarray) -> Scene:
    """The scene with everything but the ground moved."""
    poses = scene.poses.array()
    poses[..., :3] += by
    return msgspec.structs.replace(scene, poses=types.Numbers.of(poses))


def test_what_is_fixed_in_a_body_moves_with_it_and_what_is_between_bodies_is_stretched(planar: Scene) -> None:
    """All bodies move to the right by 0.3 m: gears go along by as much; springs to the ground keep their ends."""
    by = np.array([0.3, 0.0, 0.0])
    before, after = (Seen(scene).frame(0) for scene in (planar, shift_poses(planar, by)))
    for symbol in planar.symbols:
        shapes = [shape for shape in symbol.shapes if not isinstance(shape, types.Solid) and shape.layer > GROUNDED]
        if isinstance(symbol, kinds.Wheel) and symbol.a.body:
            for shape in shapes:
                assert np.allclose(after.corners(shape), before.corners(shape) + by, rtol=0.0, atol=1e-6)
        if isinstance(symbol, kinds.Spring) and symbol.elastic and not symbol.damped and symbol.a.body == 0:
            zigzag = shapes[0]
            ends = after.corners(zigzag)[[0, -1]]
            assert np.allclose(ends, [after.place(symbol.a), after.place(symbol.b)], rtol=0.0, atol=1e-6)
            assert len(before.corners(zigzag)) == len(after.corners(zigzag)) == 20


def test_teeth_that_are_too_fine_to_be_seen_are_circles(planar: Scene) -> None:
    gears = {symbol.teeth: symbol for symbol in planar.symbols if isinstance(symbol, kinds.Wheel) and symbol.teeth}
    corners = {teeth: gear.shapes[0].corners.shape[0] for teeth, gear in gears.items()}
    assert corners == {20: 80, 30: 120, 150: 96, 500: 96}


@pytest.mark.parametrize("nearer", [0.4, -0.4])
def test_what_is_nearer_covers_what_is_behind(nearer: float) -> None:
    """Two bars that cross for the viewer, a blue one and a vermilion one; the pixel at which they do has the colour
    of the nearer one."""
    m = gr.Mechanism("crossing", dimension=3)
    towards = np.array([0.8, 0.45, 0.4]) / np.linalg.norm([0.8, 0.45, 0.4])
    right = np.cross([0.0, 0.0, 1.0], towards)
    for name, along, offset in (("blue", np.array([0.0, 0.0, 1.0]), 0.0), ("red", right, nearer)):
        a, b = (tuple(offset * towards + k * along) for k in (-0.5, 0.5))
        m.spherical(m.ground.at(*a), m.bar(name, start=a, end=b, mass=1.0).start)
    figure = draw_model(m)
    picture = pixels_of(figure)
    x, y = np.round(figure.axes[0].transData.transform((0.0, 0.0))).astype(int)
    red, _, blue = (int(part) for part in picture[-y - 1, x])
    assert (red > blue) == (nearer > 0.0)
    assert abs(red - blue) > 60


def test_pictures_of_everything_have_something_on_them(tmp_path: Path) -> None:
    for make in (everything_in_the_plane, everything_in_space):
        save_figure(draw_model(make()), tmp_path / "drawing.png")
        assert ink(tmp_path / "drawing.png") > 0.02


def test_the_distance_from_a_hull_is_that_from_its_nearest_edge_or_corner() -> None:
    square = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0), (0.5, 0.5)])
    bar = square[[0, 2]]
    assert distance_beside(square, np.array([0.3, 0.7])) == 0.0
    assert distance_beside(square, np.array([0.3, 1.2])) == pytest.approx(0.2)
    assert distance_beside(square, np.array([4.0, 5.0])) == pytest.approx(5.0)
    assert distance_beside(bar, np.array([1.0, 0.0])) == pytest.approx(math.sqrt(0.5))
    assert distance_beside(bar, np.array([-3.0, -4.0])) == pytest.approx(5.0)
