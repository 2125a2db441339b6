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


def accelerations(tmp_path: Path, **parts: str) -> tuple[np.ndarray, list[np.ndarray]]:
    """Of MuJoCo, and of Grashof in each formulation."""
    path = tmp_path / "arm.xml"
    path.write_text(ARM.format(**{"a": "", "b": "", "c": "", "more": "", "ctrl": ""} | parts))
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    loaded = load_file(path)
    assert loaded.left_out == ()
    runs = [gr.simulate(loaded.model, 1e-3, formulation=kind) for kind in ("natural", "relative")]
    return data.qacc, [np.array([run[f"{name}.acceleration"][0] for name in "abc"]) for run in runs]


def test_armature(tmp_path: Path) -> None:
    expected, found = accelerations(tmp_path, a='armature="0.3"', b='armature="0.02"', c='armature="1.5"')
    for one in found:
        np.testing.assert_allclose(one, expected, rtol=1e-10)
