"""Joints with all that MJCF gives them are accelerated here as in MuJoCo, in both formulations."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import grashof as gr
from grashof.exchange import load_file

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install 'grashof[engines]'")

ARM = """<mujoco><compiler angle="radian"/><option><flag contact="disable"/></option><worldbody>
  <body pos="0 0 1"><joint name="a" axis="0 0.6 0.8" {a}/><geom type="box" size=".05 .1 .2" pos=".1 0 .1"/>
    <body pos=".3 0 0"><joint name="b" axis="0 1 0" {b}/><geom type="capsule" size=".03 .1" pos="0 .1 0"/>
      <body pos="0 .2 0"><joint name="c" type="slide" axis="1 0 0" {c}/><geom type="sphere" size=".05"/></body>
    </body></body></worldbody>{more}
  <keyframe><key qpos=".3 -.4 .05" qvel="1.5 -2 .3" {ctrl}/></keyframe></mujoco>"""


def accelerations(tmp_path: Path, text: str = ARM, **parts: str) -> tuple[np.ndarray, list[np.ndarray]]:
    """Of MuJoCo, and of Grashof in each formulation."""
    path = tmp_path / "arm.xml"
    path.write_text(text.format(**{"a": "", "b": "", "c": "", "more": "", "ctrl": ""} | parts))
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    loaded = load_file(path)
    assert loaded.left_out == ()
    names = [model.joint(k).name for k in range(model.njnt)]
    runs = [gr.simulate(loaded.model, 1e-3, formulation=kind) for kind in ("natural", "relative")]
    return data.qacc, [np.array([run[f"{name}.acceleration"][0] for name in names]) for run in runs]


def test_armature(tmp_path: Path) -> None:
    expected, found = accelerations(tmp_path, a='armature="0.3"', b='armature="0.02"', c='armature="1.5"')
    for one in found:
        np.testing.assert_allclose(one, expected, rtol=1e-10)


HAND = """<mujoco><compiler angle="radian"/><option timestep="0.001"><flag contact="disable"/></option>
<default><position kp="40" kv="3"/><default class="g"><general biastype="affine" gainprm="30" biasprm="1 -30 -2"
  ctrlrange="-.5 .5" forcerange="-6 6"/></default></default>
<worldbody><body pos="0 0 1"><joint name="a" axis="0 .6 .8" range="-1 1" armature=".1" damping=".2" stiffness="3"
    springref=".2" ref=".1"/><geom type="box" size=".05 .1 .2" pos=".1 0 .1"/>
  <body pos=".3 0 0"><joint name="b" axis="0 1 0" range="-.3 .6"/><joint name="b2" axis="1 0 0" ref="-.3"/>
    <geom type="capsule" size=".03 .1" pos="0 .1 0"/>
    <body pos="0 .2 0" gravcomp=".7"><joint name="c" type="slide" axis="1 0 0" range="-.2 .2" ref=".02"/><geom type="sphere" size=".05"/></body>
    <body pos="0 .2 .1"><joint name="d" axis="1 0 0"/><joint name="e" axis="0 1 0" range="-1 1"/>
      <joint name="f" axis="0 0 1" damping=".01"/><geom type="box" size=".05 .02 .03"/></body>
  </body></body></worldbody>
<tendon><fixed name="t"><joint joint="a" coef="2"/><joint joint="c" coef="-3"/></fixed></tendon>
<actuator><motor name="m" joint="a" gear="3" ctrlrange="-1 1"/><position joint="b"/><velocity joint="c" kv="5"/>
  <position joint="b2" kp="20" {ratio} gear="2" {b2}/><general class="g" joint="d" gear="2" ctrlrange="-1 1"/>
  <general joint="e" gaintype="affine" gainprm="1 2 3" biastype="affine" biasprm="4 5 6" armature=".02" gear="2"
    damping=".3"/>
  <damper joint="f" kv="2" ctrlrange="0 3"/><position tendon="t" kp="7" {ratio} forcerange="{force}"/></actuator>
<keyframe><key qpos="{at}" qvel="1 -2 .5 .3 1 2 -1.5" ctrl="2 .3 1 -.4 .9 .7 2 1"/></keyframe></mujoco>"""


@pytest.mark.parametrize("force", ["-2 2", "-200 200"])
@pytest.mark.parametrize("ratio", ['kv="1"', 'dampratio="0.7"'])
def test_actuators_springs_and_limits_that_are_not_reached(tmp_path: Path, ratio: str, force: str) -> None:
    plain = HAND.replace('<position kp="40" kv="3"/>', '<position kp="40"/>') if "damp" in ratio else HAND
    at = ".2 .1 .4 .05 .1 .2 -.3"
    expected, found = accelerations(tmp_path, plain, ratio=ratio, force=force, at=at, b2='inheritrange="0"')
    for one in found:
        np.testing.assert_allclose(one, expected, rtol=0.0, atol=1e-9 * np.abs(expected).max())


ALIGNED = """<mujoco><compiler alignfree="true"/><worldbody><body name="rod" pos=".1 .2 .3"><freejoint/>
  <geom type="capsule" size=".1" fromto="0 .1 0 1 0 .3"/><site name="s" pos="1 .2 .3"/></body>
<body name="box"><freejoint/><inertial pos=".1 .2 .3" mass="2" diaginertia=".1 .2 .25" quat=".5 .5 .1 -.3"/>
  <site name="z" pos=".3 .1 0"/></body></worldbody><keyframe><key qpos="0 0 1 .3 .2 -.4 .1 1 2 3 .4 .5 -.6 .7"
  qvel="1 2 3 2 -1 5 -1 -2 -3 1 2 3"/></keyframe></mujoco>"""


def test_keyframes_of_free_bodies_along_their_principal_axes(tmp_path: Path) -> None:
    path = tmp_path / "aligned.xml"
    path.write_text(ALIGNED)
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    model.opt.timestep, model.opt.integrator = 1e-4, mujoco.mjtIntegrator.mjINT_RK4
    run = gr.simulate(load_file(path).model, 0.3, times=2)
    for k in range(2):
        while data.time < run.t[k] - 5e-5:
            mujoco.mj_step(model, data)
        mujoco.mj_forward(model, data)
        for site in ("rod.s", "box.z"):
            found = [run[f"{site}.{x}"][k] for x in "xyz"]
            np.testing.assert_allclose(found, data.site(site[-1]).xpos, atol=1e-7)


def test_damping_of_a_ball(tmp_path: Path) -> None:
    path = tmp_path / "ball.xml"
    path.write_text(
        """<mujoco><worldbody><body name="a"><joint axis="0 1 0"/><geom type="box" size=".1 .2 .1" pos=".2 0 0"/>
        <body name="b" pos=".4 0 0"><joint type="ball" damping=".3" pos=".1 0 0"/><site name="s" pos="0 .2 .5"/>
        <geom type="box" size=".1 .1 .3"/></body></body></worldbody><option><flag contact="disable"/></option>
        <keyframe><key qpos=".3 .8 .2 -.4 .4" qvel="1 2 -3 4"/></keyframe></mujoco>"""
    )
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    slope, change, site = np.zeros((3, model.nv)), np.zeros((3, model.nv)), data.site("s").xpos
    mujoco.mj_jac(model, data, slope, None, site, 2)
    mujoco.mj_jacDot(model, data, change, None, site, 2)
    loaded = load_file(path)
    assert loaded.left_out == ()
    for kind in ("natural", "relative"):
        run = gr.simulate(loaded.model, 1e-3, formulation=kind)
        found = [run[f"b.s.{x}.acceleration"][0] for x in "xyz"]
        np.testing.assert_allclose(found, slope @ data.qacc + change @ data.qvel, rtol=1e-9)
