"""Random mechanisms written for OpenSim and MuJoCo move there as here, and so do the mechanisms that are read from
those files again."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import grashof as gr
from grashof.exchange import load_file, save_file
from grashof.model.model import Model

from .natives import FREEDOMS, native

CLOSING = frozenset(FREEDOMS[2]) | frozenset(FREEDOMS[3])
"""Kinds of joints that may close a loop; OpenSim has no constraint for a face on a face, and MJCF no point on a
line."""


def moving(seed: int, *, varying: bool, closing: frozenset[str]) -> Model:
    """A random mechanism that can move; others, such as one with welds alone, are drawn again."""
    while True:
        model = native(seed, varying=varying, closing=closing)
        try:
            assert model is not None
            gr.simulate(model, 0.001)
        except gr.ModelError as problem:
            if not re.search("nothing that moves has mass|singular position", str(problem)):
                raise
            seed += 1000
        else:
            return model


@pytest.mark.parametrize("seed", range(30))
def test_native_mechanisms_move_in_opensim_as_here(seed: int, tmp_path: Path) -> None:
    pytest.importorskip("opensim", reason="OpenSim is not installed: pip install 'grashof[engines]'")
    from .test_exchange_opensim import departure

    model, path = moving(seed, varying=True, closing=CLOSING - {"planar"}), tmp_path / "model.osim"
    save_file(model, path, strict=True)
    assert departure(model, path, 0.3, 1e-11, 4) < 1e-8
    assert departure(load_file(path, strict=True).model, path, 0.3, 1e-11, 4) < 1e-8


def distances(model: Model, path: Path, step: float) -> list[float]:
    """How far the points of a mechanism are from those of a file in MuJoCo at the start, after 0.05 s and after 0.1
    s."""
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install 'grashof[engines]'")
    there = mujoco.MjModel.from_xml_path(str(path))
    there.opt.timestep, there.opt.tolerance, there.opt.iterations = step, 0.0, 200
    there.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_REFSAFE)
    there.eq_solref[:] = (-((0.35 / step) ** 2), -2.0 * 0.35 / step)
    data = mujoco.MjData(there)
    if there.nkey:
        mujoco.mj_resetDataKeyframe(there, data, 0)
    sites = {mujoco.mj_id2name(there, mujoco.mjtObj.mjOBJ_SITE, k) for k in range(there.nsite)}
    points = [point for point in model.points if point in sites and not point.startswith("ground.")]
    run = gr.simulate(model, 0.1, tol=1e-10, times=np.array([0.0, 0.05, 0.1]))
    found = []
    for k in range(3):
        for _ in range(round(0.05 / step) if k else 0):
            mujoco.mj_step(there, data)
        mujoco.mj_kinematics(there, data)
        here = np.zeros((len(points), 3))
        for i, axis in enumerate("xyz"[: model.dimension]):
            here[:, i] = [run[f"{point}.{axis}"][k] for point in points]
        found.append(float(np.abs(here - [data.site(point).xpos for point in points]).max(initial=0.0)))
    return found


@pytest.mark.parametrize("seed", range(30))
def test_native_mechanisms_move_in_mujoco_as_here(seed: int, tmp_path: Path) -> None:
    """MuJoCo's steps are of fourth order, and its constraints, which close loops, give way by h²: both errors shrink
    with the step."""
    pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install 'grashof[engines]'")
    model, path = moving(seed, varying=False, closing=CLOSING - {"point on line"}), tmp_path / "model.xml"
    save_file(model, path, strict=True)
    order = 2 if "<equality>" in path.read_text() else 4
    coarse, fine = distances(model, path, 2e-4), distances(model, path, 1e-4)
    again = distances(load_file(path, strict=True).model, path, 1e-4)
    for errors in (fine, again):
        assert errors[0] < 1e-9
        assert max(errors) < max(1e-8, 1.6 * max(coarse) / 2**order)
        assert max(errors) < 1e-4
