"""Contact of geoms with planes beside MuJoCo: bodies come to rest where its own do, and roll and slide as far."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import grashof as gr
from grashof.model.forces import SpatialContact

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install 'grashof[engines]'")

SCENE = """<mujoco><option timestep="0.0005" cone="elliptic" integrator="implicitfast"/><worldbody>
<geom type="plane" size="5 5 .1" friction=".6" {floor}/>
<body name="thing" pos="0 0 {height}"><freejoint/><site name="s"/><geom friction=".3" {geom}/></body></worldbody>
<keyframe><key qpos="0 0 {height} 1 0 0 0" qvel="{speed}"/></keyframe></mujoco>"""

SHAPES = {
    "ball": ('type="sphere" size=".1" mass="1"', 0.1),
    "box": ('type="box" size=".1 .07 .05" mass="2"', 0.05),
    "capsule": ('type="capsule" size=".05 .1" mass="2" euler="0 90 0"', 0.05),
    "wheel": ('type="cylinder" size=".1 .05" mass="2" euler="90 0 0"', 0.1),
}


def load(path: Path, **choices: object) -> gr.Model:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return gr.load(path, **choices)


def beside(tmp_path: Path, shape: str, speed: str, end: float, drop: float = 0.0, floor: str = ""):
    """The place of the body at the end, here and in MuJoCo, and the lowest contacts."""
    geom, height = SHAPES[shape]
    path = tmp_path / "scene.xml"
    path.write_text(SCENE.format(geom=geom, height=height + drop, speed=speed, floor=floor))
    model = load(path, contact=True)
    run = gr.simulate(model, end)
    assert run.status.ok
    theirs = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(theirs)
    mujoco.mj_resetDataKeyframe(theirs, data, 0)
    while data.time < end - 1e-9:
        mujoco.mj_step(theirs, data)
    ours = np.array([run[f"thing.s.{axis}"][-1] for axis in "xyz"])
    return ours, data.qpos[:3].copy(), run


@pytest.mark.parametrize("floor", ["", 'solimp=".015 1 .022"', 'solref="0.05 0.7"'])
def test_a_ball_rests_as_deep_as_in_mujoco(tmp_path: Path, floor: str) -> None:
    ours, theirs, _ = beside(tmp_path, "ball", "0 0 0 0 0 0", 2.0, 0.05, floor)
    assert 1e-5 < 0.1 - theirs[2] < 0.05
    assert 0.1 - ours[2] == pytest.approx(0.1 - theirs[2], rel=0.02)


@pytest.mark.parametrize("shape", ["ball", "box", "capsule", "wheel"])
def test_things_slide_and_roll_as_far_as_in_mujoco(tmp_path: Path, shape: str) -> None:
    """μ is the larger of .6 and .3; a ball rolls on with 5/7 of its speed, a wheel with 2/3 of it."""
    ours, theirs, run = beside(tmp_path, shape, "1 0 0 0 0 0", 0.25)
    assert ours[0] == pytest.approx(theirs[0], rel=0.03)
    assert ours[1] == pytest.approx(theirs[1], abs=2e-3)
    assert ours[2] == pytest.approx(theirs[2], abs=1e-3)
    rolled = {"ball": 5.0 / 7.0, "wheel": 2.0 / 3.0}.get(shape, 0.0)
    assert run["thing.s.x.rate"][-1] == pytest.approx(rolled, abs=0.01)


def test_masks_exclusions_and_pairs_decide_what_touches(tmp_path: Path) -> None:
    path = tmp_path / "masks.xml"
    path.write_text("""<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1" contype="2" conaffinity="0"/>
    <body name="a" pos="0 0 1"><freejoint/><geom name="ga" size=".1"/><geom name="gh" size=".1" conaffinity="2"/></body>
    <body name="b" pos="0 0 2"><freejoint/><geom name="gb" size=".1" conaffinity="3"/></body>
    <body name="c" pos="0 0 3"><freejoint/><geom name="gc" size=".1" contype="0" conaffinity="0"/></body></worldbody>
    <contact><exclude body1="world" body2="b"/><pair geom1="gc" geom2="floor" friction=".2 .2 .1 .1 .1"/></contact>
    </mujoco>""")
    found = [force for force in load(path, contact=True).forces if isinstance(force, SpatialContact)]
    assert [(force.name, force.mu) for force in found] == [("contact gh", 1.0), ("contact gc", 0.2)]
    assert not any(isinstance(force, SpatialContact) for force in load(path).forces)
    # MuJoCo meets the same pairs when all are lowered
    theirs = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(theirs)
    data.qpos[[2, 9, 16]] = 0.05
    data.qpos[[0, 7, 14]] = (0.0, 1.0, 2.0)
    mujoco.mj_forward(theirs, data)
    names = {frozenset(theirs.geom(g).name for g in contact.geom) for contact in data.contact}
    assert names == {frozenset(("floor", "gh")), frozenset(("floor", "gc"))}
