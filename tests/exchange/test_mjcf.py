"""MJCF without MuJoCo: what is written is read again as the same motion; constraints, springs and forces are what they say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import grashof as gr
from grashof.exchange import load_file, save_file, xml
from grashof.exchange.mjcf_reader import read
from grashof.exchange.mjcf_writer import write
from grashof.model.model import Model
from grashof.problems import make_case


def same_motion(first: Model, second: Model, t_end: float) -> float:
    """The largest distance between points of the same name, m."""
    times = np.linspace(0.0, t_end, 21)
    runs = [gr.simulate(model, t_end, tol=1e-9, times=times) for model in (first, second)]
    names = [
        name
        for name in runs[0].names
        if name in runs[1].names and name.rpartition(".")[2] in ("x", "y", "z") and name.count(".") == 2
    ]
    assert names
    return max(float(np.abs(runs[0][name] - runs[1][name]).max()) for name in names)


@pytest.mark.parametrize("name", ["andrews", "double-four-bar"])
def test_problems_are_read_again_as_the_same_motion(name: str, tmp_path: Path) -> None:
    case = make_case(name)
    save_file(case.model, tmp_path / "model.xml", strict=True)
    again = load_file(tmp_path / "model.xml", strict=True).model
    assert same_motion(case.model, again, case.t_end) < 1e-8
    masses = {body.name: (body.mass, tuple(body.center)) for body in again.bodies}
    assert masses == {
        body.name: (body.mass, (*body.center, 0.0)) if name == "andrews" else masses[body.name]
        for body in case.model.bodies
    }  # type: ignore[union-attr]


def spatial() -> gr.Mechanism:
    """A crank that drives a rocker by a rod between balls, with a spring and a torque."""
    m = gr.Mechanism("spatial", gravity=(0, 0, -9.81))
    crank = m.body(
        "crank", mass=1.0, inertia=(0.02, 0.03, 0.03), center=(0.1, 0, 0), points={"o": (0, 0, 0), "e": (0.2, 0, 0)}
    )
    rocker = m.body(
        "rocker",
        mass=2.0,
        inertia=(0.05, 0.02, 0.06, 0.001, 0, 0),
        center=(0, 0.2, 0),
        points={"o": (0, 0, 0), "e": (0, 0.4, 0)},
        position=(0.6, 0, 0),
    )
    m.revolute(m.ground.at(0, 0, 0), crank.o, axis=(0, 0, 1))
    m.revolute(m.ground.at(0.6, 0, 0), rocker.o, axis=(1, 0, 1))
    m.distance(crank.e, rocker.e, 0.6, name="rod")
    m.spring(m.ground.at(0, 1, 0), rocker.e, stiffness=30.0, length=0.4, damping=0.5, name="spring")
    m.torque(crank, 0.4, name="drive")
    m.torsion_spring(rocker, stiffness=2.0, rest=0.1, damping=0.1, name="coil")
    m.force(rocker.e, (0.1, 0.0, 0.3), name="wind")
    m.need(crank, value=0.3, rate=2.0)
    return m


def test_a_spatial_loop_with_forces_is_read_again_as_the_same_motion() -> None:
    model = spatial().model
    text, left_out = write(model)
    assert left_out == []
    again, left_out = read(xml.parse(text.encode()))
    assert left_out == []
    assert same_motion(model, again, 0.5) < 1e-7


def body(name: str, inside: str, pos: str = "0 0 0") -> str:
    return f'<body name="{name}" pos="{pos}"><inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/>{inside}</body>'


def document(inside: str, more: str = "") -> str:
    return f'<mujoco model="m"><compiler angle="radian"/><worldbody>{inside}</worldbody>{more}</mujoco>'


def test_connect_and_weld_by_bodies_hold_the_reference_position() -> None:
    hinge = '<joint name="{}" axis="0 1 0"/>'
    inside = body("a", hinge.format("ja"), "0 0 1") + body("b", hinge.format("jb"), "1 0 1")
    text = document(inside, '<equality><connect name="c" body1="a" body2="b" anchor="0.5 0 0"/></equality>')
    model, _ = read(xml.parse(text.encode()))
    places = {name: model.points[name] for name in (model.joints[-1].a, model.joints[-1].b)}
    assert list(places.values()) == [(0.5, 0.0, 0.0), (-0.5, 0.0, 0.0)]
    text = document(
        body("a", "<freejoint/>", "0 0 1") + body("b", "<freejoint/>", "1 0 1"),
        '<equality><weld body1="a" body2="b"/></equality>',
    )
    model, _ = read(xml.parse(text.encode()))
    run = gr.simulate(model, 0.5)
    apart = run["b.weld0_2.x"] - run["a.weld0_1.x"]
    assert np.abs(apart).max() < 1e-9


def test_a_joint_equality_counts_from_the_reference_position() -> None:
    inside = body("a", '<joint name="ja" axis="0 0 1" ref="0.5"/>') + body(
        "b", '<joint name="jb" axis="0 0 1" ref="0.2"/>'
    )
    text = document(
        inside,
        '<equality><joint joint1="ja" joint2="jb" polycoef="0.1 2"/></equality><keyframe><key qpos="1.2 0.5"/></keyframe>',
    )
    model, _ = read(xml.parse(text.encode()))
    run = gr.simulate(model, 0.1)
    assert run["ja"][0] - 0.5 == pytest.approx(0.1 + 2.0 * (run["jb"][0] - 0.2), abs=1e-9)


def test_what_is_not_ours_is_listed() -> None:
    inside = (
        body("a", '<joint name="ja" range="-1 1" armature="0.1"/><geom type="mesh" mesh="m"/>')
        + "<frame><body/></frame>"
    )
    more = '<actuator><motor joint="ja"/></actuator><deformable/>'
    _, left_out = read(xml.parse(document(inside, more).encode()))
    said = " ".join(left_out)
    for word in ("armature", "range -1 1", "<frame>", "control", "deformable"):
        assert word in said


def test_empty_attributes_of_a_spring_are_none() -> None:
    sites = '<site name="w"/>' + body("a", '<joint name="ja"/><site name="s" pos="0.1 0 0"/>')
    tendon = (
        '<tendon><spatial stiffness="" damping="2" springlength=""><site site="w"/><site site="s"/></spatial></tendon>'
    )
    model, _ = read(xml.parse(document(sites, tendon).encode()))
    assert (model.forces[0].stiffness, model.forces[0].length) == (0.0, 0.1)  # type: ignore[union-attr]
