"""Spatial loops close with every body right-handed: natural coordinates alone would also accept mirror images."""

from __future__ import annotations

import math
from itertools import pairwise

import msgspec
import numpy as np
import pytest

import grashof as gr
from grashof.assembly import positions
from grashof.assembly.guess import place_bodies
from grashof.assembly.positions import closed_position
from grashof.assembly.refusals import mirrored_bodies
from grashof.assembly.upright import UprightPositions
from grashof.formulation.natural.closing import Positions, close
from grashof.formulation.natural.equations import make_dynamics
from grashof.formulation.natural.system import System, compile_system, length_scale
from grashof.model import joints as kinds
from grashof.model.bodies import RigidBody
from grashof.model.couplings import Linear
from grashof.model.measures import Angle
from grashof.model.model import Model
from grashof.model.rotations import quaternion, rotation_matrix
from grashof.model.start import Condition, Pose, Start
from grashof.program.start_equations import StartEquations


def turn(axis: np.ndarray, angle: float) -> np.ndarray:
    return rotation_matrix([math.cos(0.5 * angle), *(math.sin(0.5 * angle) * axis)])


def closed_loop(seed: int, guessed: bool) -> Model:
    """A ring of revolute joints, universal joints, balls and welds through bodies in random positions, so that it
    can be closed; it is guessed as a chain whose joints are turned by a radian or so from there, open at the last
    joint."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(5, 8))
    axes = [np.eye(3), *(rotation_matrix(rng.normal(size=4).tolist()) for _ in range(count))]
    origins = [np.zeros(3), *rng.uniform(-1.0, 1.0, (count, 3))]
    names = ["ground", *(f"b{k}" for k in range(1, count + 1))]
    points: dict[str, dict[str, tuple[float, ...]]] = {name: {} for name in names}
    joints: list[kinds.Joint] = []
    guesses = {"ground": (np.zeros(3), np.eye(3))}
    for k, (i, j) in enumerate(pairwise([*range(count + 1), 0])):
        where, e, n = rng.uniform(-1.0, 1.0, 3), *np.linalg.qr(rng.normal(size=(3, 2)))[0].T
        for b in (i, j):
            points[names[b]][f"p{k}"] = tuple((axes[b].T @ (where - origins[b])).tolist())
        (ea, na), (eb, nb) = (tuple(tuple((axes[b].T @ x).tolist()) for x in (e, n)) for b in (i, j))
        at = {"name": f"j{k}", "a": f"{names[i]}.p{k}", "b": f"{names[j]}.p{k}"}
        kind = rng.choice(["revolute", "revolute", "universal", "ball"]) if j else rng.choice(["revolute", "weld"])
        angle = rng.normal()
        if kind == "revolute":
            joints.append(kinds.Revolute(**at, axis_a=ea, axis_b=eb))
        elif kind == "weld":
            joints.append(kinds.Weld(**at, axis_a=ea, axis_b=eb, normal_a=na, normal_b=nb))
        elif kind == "ball":
            joints.append(kinds.Spherical(**at))
        else:
            joints.append(kinds.Universal(**at, axis_a=ea, axis_b=nb))
        if j:
            origin, attitude = guesses[names[i]]
            moved = attitude @ axes[i].T @ turn(e, angle) @ axes[j]
            place = origin + attitude @ np.array(points[names[i]][f"p{k}"])
            guesses[names[j]] = (place - moved @ np.array(points[names[j]][f"p{k}"]), moved)
    poses = {x: Pose(tuple(o.tolist()), 0.0, quaternion(r)) for x, (o, r) in guesses.items() if x != "ground"}
    return Model(
        name="loop",
        dimension=3,
        ground=points["ground"],
        bodies=tuple(RigidBody(name=x, mass=1.0, inertia=(1.0, 1.0, 1.0), points=points[x]) for x in names[1:]),
        joints=tuple(joints),
        start=Start(guesses=poses if guessed else {}),
    )


def rotations(system: System, q: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Origin and rotation of each body, from its three directions, by linear algebra alone."""
    found = {}
    for name, frame in system.frames.items():
        world = np.array([[float(form.at(q)) for form in forms] for forms in frame.directions])
        rotation = np.linalg.solve(np.asarray(frame.directions_local, float), world).T
        origin = np.array([float(form.at(q)) for form in frame.origin]) - rotation @ frame.origin_local
        found[name] = origin, rotation
    return found


def check_whole(model: Model, system: System, q: np.ndarray) -> None:
    """Every body is turned, not mirrored or deformed, and every joint holds, by the definition of its kind."""
    found = rotations(system, q)
    for _, rotation in found.values():
        np.testing.assert_allclose(rotation.T @ rotation, np.eye(3), atol=1e-11)
        assert np.linalg.det(rotation) > 0.0
    for joint in model.joints:
        (a, first), (b, second) = (found[body] for body in joint.bodies)
        gap = a + first @ model.points[joint.a] - b - second @ model.points[joint.b]
        np.testing.assert_allclose(gap[2:] if isinstance(joint, kinds.Plane) else gap, 0.0, atol=1e-12)
        match joint:
            case kinds.Revolute():
                np.testing.assert_allclose(first @ joint.axis_a, second @ joint.axis_b, atol=1e-12)
            case kinds.Universal():
                assert abs((first @ joint.axis_a) @ (second @ joint.axis_b)) < 1e-12
            case kinds.Weld():
                np.testing.assert_allclose(first @ joint.axis_a, second @ joint.axis_b, atol=1e-12)
                np.testing.assert_allclose(first @ joint.normal_a, second @ joint.normal_b, atol=1e-12)


@pytest.mark.parametrize("guessed", [True, False])
@pytest.mark.parametrize("seed", range(8))
def test_a_loop_that_can_be_closed_is_closed_without_mirror_images(seed: int, guessed: bool) -> None:
    model = closed_loop(seed, guessed)
    system = compile_system(model)
    check_whole(model, system, gr.assemble(model).q)


def leg() -> Model:
    """Two shins in a row and a foot in the plane z = 0 of space, below a thigh that does not move; each knee turns
    by half the foot's angle."""
    m = gr.Mechanism("leg", dimension=3)
    points = {"top": (0.002, 0.17, 0), "knee": (0.003, -0.4, 0), "start": (0, 0, 0), "ankle": (0, -0.48, 0)}
    bodies = {}
    for name, place in (("thigh", (-0.002, -0.17, 0)), ("one", (0.001, -0.57, 0)), ("two", (0.004, -0.97, 0))):
        bodies[name] = m.body(name, mass=1.0, inertia=(1, 1, 1), points=points, position=place)
    about = (math.cos(0.05), 0.0, 0.0, math.sin(0.05))
    foot = m.body(
        "foot", mass=1.0, inertia=(1, 1, 1), points={"start": (0, 0, 0)}, position=(0, 0.1, 0), rotation=about
    )
    thigh, one, two = bodies.values()
    m.weld(m.ground.at(0, 0, 0), thigh.top)
    m.planar(m.ground.at(0, 0, 0), foot.start, normal=(0, 0, 1))
    m.revolute(thigh.knee, one.start, axis=(0, 0, 1))
    m.revolute(one.knee, two.start, axis=(0, 0, 1))
    model = m.model
    x, y, z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    weld = kinds.Weld(name="heel", a="foot.start", b="two.ankle", axis_a=x, axis_b=x, normal_a=y, normal_b=y)
    turns = {"turn": ("foot", "ground"), "first": ("one", "thigh"), "second": ("two", "one")}
    angles = (Angle(name, body, of, axis=z, zero=x, direction=x) for name, (body, of) in turns.items())
    wants = {"foot.start.x": 0.0, "foot.start.y": 0.1, "turn": 0.1, "first": 0.0, "second": 0.0}
    return msgspec.structs.replace(
        model,
        joints=(*model.joints, weld),
        measures=tuple(angles),
        couplings=tuple(Linear(name=f"half {x}", terms={x: 1.0, "turn": -0.5}, law="0") for x in ("first", "second")),
        start=msgspec.structs.replace(model.start, wants=tuple(Condition(*want) for want in wants.items())),
    )


def test_wants_are_followed_without_mirroring_a_body(monkeypatch: pytest.MonkeyPatch) -> None:
    """The wants would have the foot far above its reach; the nearest position is found by trying all angles."""
    monkeypatch.setattr(positions, "ATTEMPTS", 2)
    model = leg()
    system = compile_system(model)
    q = gr.assemble(model).q
    check_whole(model, system, q)
    angle, length = np.linspace(-2.0 * np.pi, 2.0 * np.pi, 400_001), length_scale(model)
    knee = 0.001 - 0.57j + np.exp(0.5j * angle) * (0.003 - 0.4j)
    ankle = knee + np.exp(1j * angle) * -0.48j
    chords = [2.0 * length * np.sin(0.5 * x) for x in (angle - 0.1, 0.5 * angle, 0.5 * angle)]
    missed = np.abs(ankle - 0.1j) ** 2 + sum(chord**2 for chord in chords)
    least = int(np.argmin(missed))
    place = rotations(system, q)["foot"][0]
    np.testing.assert_allclose(place, [ankle[least].real, ankle[least].imag, 0.0], atol=1e-4)


def test_a_wanted_angle_in_space_is_not_taken_for_the_one_half_a_turn_away() -> None:
    """From a start beyond a right angle the sine alone would lead to π."""
    m = gr.Mechanism("door", dimension=3)
    half = math.cos(1.2), 0.0, 0.0, math.sin(1.2)
    door = m.body("door", mass=1.0, inertia=(1, 1, 1), points={"hinge": (0, 0, 0), "edge": (1, 0, 0)}, rotation=half)
    m.revolute(m.ground.at(0, 0, 0), door.hinge, axis=(0, 0, 1))
    m.angle("swing", door, axis=(0, 0, 1), zero=(1, 0, 0), direction=(1, 0, 0))
    m.want("swing", 0.3)
    assert gr.assemble(m).angles["swing"] == pytest.approx(0.3, abs=1e-9)
    assert closed_position(make_dynamics(compile_system(m.model))).attempt == 0


def test_a_mirror_image_is_no_start_for_other_numbers() -> None:
    """Of two positions that satisfy all rows, the one with mirrored bodies has a residual of the order of the
    mechanism's length."""
    m = gr.Mechanism("free", dimension=3)
    m.body("top", mass=1.0, inertia=(1, 2, 2.5), points={"tip": (0, 0, 1)})
    dynamics = make_dynamics(compile_system(m.model))
    q = gr.assemble(m).q
    reflected = [-x if label.endswith(".x") else x for x, label in zip(q, dynamics.system.labels, strict=True)]
    assert mirrored_bodies(dynamics.system, np.array(reflected)) == ["top"]
    equations = StartEquations(dynamics, [], [])
    assert equations.placed(0.0, q.tolist(), [])[-1] < 1e-24
    assert equations.placed(0.0, reflected, [])[-1] > 0.1 * dynamics.system.length**2


def test_slopes_of_the_rows_with_quaternions() -> None:
    """The corrections are those of Gauss and Newton: without damping, they remove small errors to second order."""
    model = closed_loop(3, guessed=True)
    positions = Positions(make_dynamics(compile_system(model)), 0.0)
    upright = UprightPositions(positions)
    from_guess = upright.extend(np.zeros(positions.dynamics.n), place_bodies(model))
    x = close(upright, from_guess)[0]
    near = x + 1e-5 * np.random.default_rng(1).normal(size=len(x))
    errors = upright.errors(near)
    left = upright.errors(near + upright.correction(near, errors, 0.0))
    assert np.linalg.norm(left) < 1e-4 * np.linalg.norm(errors)


def test_a_want_about_a_needed_quantity_does_not_call_for_other_assembly_modes() -> None:
    """It cannot be met anywhere, and is reported as missed."""
    m = gr.Mechanism("door", dimension=3)
    door = m.body("door", mass=1.0, inertia=(1, 1, 1), points={"hinge": (0, 0, 0), "edge": (1, 0, 0)})
    m.revolute(m.ground.at(0, 0, 0), door.hinge, axis=(0, 0, 1))
    m.angle("swing", door, axis=(0, 0, 1), zero=(1, 0, 0), direction=(1, 0, 0))
    m.need("swing", 0.3)
    m.want("swing", 0.5)
    found = closed_position(make_dynamics(compile_system(m.model)))
    assert (found.attempt, found.missed) == (0, 0.0)
    assert gr.assemble(m).missed["swing"] == pytest.approx((0.5, 0.3))
