"""What is written for MuJoCo moves in MuJoCo as it does here, and shapes, attitudes and defaults are read as MuJoCo
reads them."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

import grashof as gr
from grashof.exchange import load_file, save_file
from grashof.problems import make_case
from grashof.situation import situation

mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install 'grashof[engines]'")


@pytest.mark.parametrize(
    ("name", "step", "omega", "ratio"), [("andrews", 5e-6, 0.35, 1.0), ("double-four-bar", 1e-3, 2.2, 0.2)]
)
def test_problems_move_as_here_over_the_whole_time(
    name: str, step: float, omega: float, ratio: float, tmp_path: Path
) -> None:
    """Constraints of MuJoCo give way by 1/ω²: ω h and the damping ratio are those of the adapter."""
    case = make_case(name)
    assert save_file(case.model, tmp_path / "model.xml", strict=True) == ()
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "model.xml"))
    model.opt.timestep = step
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_REFSAFE)
    model.eq_solref[:] = (-((omega / step) ** 2), -2.0 * ratio * omega / step)
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    count = round(case.t_end / step)
    times = np.linspace(0.0, case.t_end, 51)
    run = gr.simulate(case.model, case.t_end, tol=1e-10, times=times)
    points = [point for point in case.model.points if not point.startswith("ground.")]
    worst, done = 0.0, 0
    for k in range(len(times)):
        while done < round(k * count / 50):
            mujoco.mj_step(model, data)
            done += 1
        mujoco.mj_kinematics(model, data)
        for point in points:
            x, y, z = data.site(point).xpos
            worst = max(worst, float(np.hypot(x - run[f"{point}.x"][k], y - run[f"{point}.y"][k])), abs(z))
    assert worst < 1e-7


def _geoms(draw: random.Random) -> str:
    kinds = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}
    found = []
    for kind, count in kinds.items():
        size = " ".join(f"{draw.uniform(0.05, 0.4):.6f}" for _ in range(count))
        place = " ".join(f"{draw.uniform(-1, 1):.6f}" for _ in range(3))
        turned = {
            0: 'euler="{:.4f} {:.4f} {:.4f}"'.format(*(draw.uniform(-170, 170) for _ in range(3))),
            1: 'axisangle="{:.4f} {:.4f} {:.4f} {:.4f}"'.format(
                *(draw.uniform(-1, 1) for _ in range(3)), draw.uniform(-170, 170)
            ),
            2: 'quat="{:.4f} {:.4f} {:.4f} {:.4f}"'.format(*(draw.uniform(-1, 1) for _ in range(4))),
            3: 'zaxis="{:.4f} {:.4f} {:.4f}"'.format(*(draw.uniform(-1, 1) for _ in range(3))),
            4: 'xyaxes="1 {:.4f} {:.4f} {:.4f} 1 {:.4f}"'.format(*(draw.uniform(-0.3, 0.3) for _ in range(4))),
        }[draw.randrange(5)]
        weight = (
            f'mass="{draw.uniform(0.1, 2):.4f}"' if draw.random() < 0.5 else f'density="{draw.uniform(100, 3000):.4f}"'
        )
        found.append(f'<geom type="{kind}" size="{size}" pos="{place}" {turned} {weight}/>')
    found.append(
        f'<geom type="capsule" size="0.1" fromto="0 0 0 {draw.uniform(0.2, 1):.4f} 0.3 {draw.uniform(-1, 1):.4f}"/>'
    )
    return "".join(found)


@pytest.mark.parametrize("seed", range(20))
def test_masses_of_geoms_are_those_of_mujoco(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    text = (
        '<mujoco><option gravity="0 0 0"><flag contact="disable"/></option><worldbody><body name="b" pos="1 2 3" '
        f'euler="10 20 30"><freejoint name="f"/>{_geoms(draw)}</body></worldbody></mujoco>'
    )
    (tmp_path / "m.xml").write_text(text)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    here = situation(load_file(tmp_path / "m.xml", strict=True).model)
    assert here.masses[0] == pytest.approx(model.body_mass[1], rel=1e-9)
    assert here.centers[0] == pytest.approx(model.body_ipos[1], abs=1e-9)
    own = np.empty(9)
    mujoco.mju_quat2Mat(own, model.body_iquat[1])
    axes = own.reshape(3, 3)
    assert here.inertias[0] == pytest.approx(axes @ np.diag(model.body_inertia[1]) @ axes.T, abs=1e-9)
    assert here.positions[0] == pytest.approx(data.xpos[1], abs=1e-12)
    assert here.rotations[0].ravel() == pytest.approx(data.xmat[1], abs=1e-12)


ARM = """
<mujoco>
  <compiler angle="degree"/>
  <default><joint damping="0.3"/><default class="stiff"><joint stiffness="20" springref="15"/></default></default>
  <option gravity="0 1 -9.81"><flag contact="disable"/></option>
  <worldbody>
    <body name="upper" pos="0.1 0 1" euler="0 30 0">
      <joint name="shoulder" class="stiff" axis="0 1 0" pos="0 0.05 0" ref="10"/>
      <geom type="capsule" size="0.04" fromto="0 0 0 0.5 0 0"/>
      <body name="lower" pos="0.5 0 0">
        <joint name="slide" type="slide" axis="1 0 0" damping="2"/>
        <joint name="elbow" axis="0 1 1"/>
        <geom type="box" size="0.2 0.03 0.05" pos="0.2 0 0"/>
        <body name="hand" pos="0.4 0 0" quat="0.9 0.1 0.2 0"><joint name="wrist" type="ball" pos="0.01 0 0" damping="0"/><geom type="sphere" size="0.07" pos="0.05 0.02 0"/></body>
      </body>
    </body>
  </worldbody>
  <keyframe><key qpos="0.3 0.05 -0.4 1 0.1 0 0.2" qvel="0.5 0.1 -1 0.3 0.2 -0.4"/></keyframe>
</mujoco>"""


def test_a_tree_with_defaults_springs_and_a_keyframe_moves_as_in_mujoco(tmp_path: Path) -> None:
    (tmp_path / "arm.xml").write_text(ARM)
    here = load_file(tmp_path / "arm.xml", strict=True).model
    model = mujoco.MjModel.from_xml_string(ARM)
    model.opt.integrator, model.opt.timestep = mujoco.mjtIntegrator.mjINT_RK4, 1e-4
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    for _ in range(5000):
        mujoco.mj_step(model, data)
    mujoco.mj_kinematics(model, data)
    run = gr.simulate(here, 0.5, tol=1e-9)
    place = {name: here.points[name] for name in here.points if name.startswith("hand.")}
    for point, local in place.items():
        there = data.body("hand").xpos + data.body("hand").xmat.reshape(3, 3) @ np.array(local)
        assert [run[f"{point}.{axis}"][-1] for axis in "xyz"] == pytest.approx(there, abs=1e-7)
    assert run["shoulder"][-1] == pytest.approx(data.joint("shoulder").qpos[0], abs=1e-7)
