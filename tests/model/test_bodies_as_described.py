"""Bodies as CAD programs and drawings describe them: inertia about any point, places of points, joints at places."""

from __future__ import annotations

import math

import numpy as np
import pytest

import grashof as gr
from grashof.common.errors import ModelError
from grashof.model.rotations import rotation_matrix


def test_inertia_about_any_point_and_axes() -> None:
    """A cuboid a × b × c: m (b² + c²)/12 about the centre, m (b² + c²)/3 about a corner with −m a b/4 off the diagonal,
    in axes that are turned by 0.7 rad about (1, 2, 3)."""
    a, b, c, mass = 0.3, 0.2, 0.1, 4.0
    central = np.diag([b * b + c * c, a * a + c * c, a * a + b * b]) * mass / 12.0
    corner = 4.0 * central - mass / 4.0 * np.array([[0, a * b, a * c], [a * b, 0, b * c], [a * c, b * c, 0]])
    half, axis = 0.35, np.array([1.0, 2.0, 3.0]) / math.sqrt(14.0)
    turn = rotation_matrix((math.cos(half), *(math.sin(half) * axis)))
    m = gr.Mechanism("box", gravity=(0, 0, -9.81))
    m.body(
        "box",
        mass=mass,
        center=(a / 2, b / 2, c / 2),
        inertia=turn.T @ corner @ turn,
        about=(0, 0, 0),
        axes=turn.T.tolist(),
    )
    found = m.model.bodies[0].inertia
    assert np.allclose(found, [*np.diag(central), 0.0, 0.0, 0.0], atol=1e-15)


def test_inertia_about_a_point_in_the_plane() -> None:
    """A rod about its end: m ℓ²/3."""
    m = gr.Mechanism("rod")
    m.body("rod", mass=3.0, center=(1.0, 0), inertia=3.0 * 4.0 / 3.0, about=(0, 0))
    assert math.isclose(m.model.bodies[0].inertia, 3.0 * 4.0 / 12.0, rel_tol=1e-14)
    with pytest.raises(ModelError, match=r"negative.*the mass, the centre"):
        m.body("other", mass=3.0, center=(1.0, 0), inertia=1.0, about=(0, 0))


def test_a_body_placed_by_two_points_in_the_plane() -> None:
    m = gr.Mechanism("link")
    link = m.body("link", mass=1.0, inertia=0.1, points={"A": (0.1, 0), "B": (0.6, 0)}, at={"A": (1, 1), "B": (1, 1.5)})
    pose = m.model.start.guesses["link"]
    assert np.allclose([*pose.position, pose.angle], [1.0, 0.9, math.pi / 2])
    assert np.allclose(m.points_of("link")[link.at_world(1, 2).name], (1.1, 0.0))


@pytest.mark.parametrize("count", [2, 3])
def test_a_body_placed_by_points_in_space(count: int) -> None:
    points = {"A": (0.0, 0.0, 0.0), "B": (1.0, 0.2, 0.0), "C": (0.0, 1.0, 0.5)}
    turn, shift = rotation_matrix((0.5, 0.5, 0.5, 0.5)), np.array([1.0, 2.0, 3.0])
    where = {name: tuple(turn @ place + shift) for name, place in list(points.items())[:count]}
    m = gr.Mechanism("link", dimension=3)
    m.body("link", mass=1.0, inertia=(0.1, 0.1, 0.1), points=points, at=where)
    pose = m.model.start.guesses["link"]
    found = {name: rotation_matrix(pose.rotation) @ points[name] + pose.position for name in where}
    assert all(np.allclose(found[name], where[name]) for name in where)
    if count == 3:
        assert np.allclose(rotation_matrix(pose.rotation), turn)


def test_places_that_do_not_fit_are_refused() -> None:
    m = gr.Mechanism("link")
    with pytest.raises(ModelError, match=r"'A' and 'B' are 1 m apart, but the given places are 3 m apart"):
        m.body("link", mass=1.0, inertia=0.1, points={"A": (0, 0), "B": (1, 0)}, at={"A": (0, 0), "B": (3, 0)})
    with pytest.raises(ModelError, match="at names"):
        m.body("other", points={"A": (0, 0)}, at={"Z": (0, 0)})


def test_joints_at_places_in_world_axes() -> None:
    """A four-bar drawn by the places of its pins moves like one that is built from lengths."""
    drawn, built = gr.Mechanism("drawn", gravity=(0, -9.81)), gr.Mechanism("built", gravity=(0, -9.81))
    bars = {"crank": ((0, 0), (0, 0.3)), "rod": ((0, 0.3), (1.0, 0.6)), "rocker": ((1.1, 0), (1.0, 0.6))}
    for m in (drawn, built):
        for name, (start, end) in bars.items():
            m.bar(name, start=start, end=end, mass=1.0)
    crank, rod, rocker = (drawn[name] for name in bars)
    drawn.revolute(drawn.ground, crank, at=(0, 0), name="O2")
    drawn.revolute(crank, rod, at=(0, 0.3), name="A")
    drawn.revolute(rod, rocker, at=(1.0, 0.6), name="B")
    drawn.revolute(drawn.ground, rocker, at=(1.1, 0), name="O4")
    crank, rod, rocker = (built[name] for name in bars)
    built.revolute(built.ground.at(0, 0), crank.start)
    built.revolute(crank.end, rod.start)
    built.revolute(rod.end, rocker.end)
    built.revolute(built.ground.at(1.1, 0), rocker.start)
    runs = [gr.simulate(m, 0.5, times=5) for m in (drawn, built)]
    assert np.max(np.abs(runs[0]["rocker.angle"] - runs[1]["rocker.angle"])) < 1e-6
    texts = [text.get_text() for text in drawn.draw().axes[0].texts]
    assert {"O2", "A", "B", "O4"} <= set(texts)
    with pytest.raises(ModelError, match="'crank' is a body; give one of its points"):
        drawn.revolute(drawn["crank"], drawn["rod"])


def boom() -> gr.Mechanism:
    m = gr.Mechanism("boom", gravity=(0, -9.81))
    arm = m.bar("arm", length=2.0, mass=50.0)
    m.revolute(m.ground.at(0, 0), arm.start, name="O2")
    m.want(arm.angle, value=0.3)
    return m


def test_a_cylinder_drives_a_distance() -> None:
    """The triangle of pivot, foot and eye gives the angle by the law of cosines, and virtual work the force at rest."""
    m = boom()
    assert m.cylinder(m.ground.at(0.5, -0.8), m["arm"].at(1.0, 0), length="1.0 + 0.3*(1 - cos(t))", name="lift") == (
        "lift length"
    )
    run = gr.simulate(m, 2.0, times=9, tol=1e-9)
    foot = math.hypot(0.5, 0.8)
    length = 1.0 + 0.3 * (1.0 - np.cos(run.t))
    angle = np.arccos((foot**2 + 1.0 - length**2) / (2.0 * foot)) - math.atan2(0.8, 0.5)
    assert np.max(np.abs(run["lift length"] - length)) < 1e-8
    assert np.max(np.abs(run["arm.angle"] - angle)) < 1e-8
    m = boom()
    m.cylinder(m.ground.at(0.5, -0.8), m["arm"].at(1.0, 0), length=1.0, name="lift")
    still = gr.simulate(m, 0.1, times=2)
    lever = foot * math.sin(angle[0] + math.atan2(0.8, 0.5)) / 1.0
    assert np.allclose(still["lift.force"], 50.0 * 9.81 * math.cos(angle[0]) / lever, rtol=1e-8)


def test_a_cylinder_that_pushes() -> None:
    """With the force of the last test the boom stays where it is."""
    m = boom()
    m.need("arm.angle", value=0.0)
    lever = 0.8 * 1.0 / math.hypot(0.5, 0.8)
    m.cylinder(m.ground.at(0.5, -0.8), m["arm"].at(1.0, 0), force=50.0 * 9.81 / lever, name="lift")
    m._wants.clear()
    run = gr.simulate(m, 0.5, times=3)
    assert np.max(np.abs(run["arm.angle"])) < 1e-9


def test_a_cylinder_is_drawn_as_one() -> None:
    from grashof.scene import describe_model
    from grashof.scene.kinds import Cylinder

    m = boom()
    m.cylinder(m.ground.at(0.5, -0.8), m["arm"].at(1.0, 0), length=1.0, name="lift")
    drawn = [symbol for symbol in describe_model(m).symbols if isinstance(symbol, Cylinder)]
    assert [symbol.name for symbol in drawn] == ["lift"]
    assert len(drawn[0].shapes) > 4
    with pytest.raises(ModelError, match=r"Cylinder 'lift': length and force are given"):
        m.cylinder(m.ground.at(0.5, -0.8), m["arm"].at(1.0, 0), length=1.0, force=2.0, name="lift")
