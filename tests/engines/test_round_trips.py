"""Random documents that are read and written again move in OpenSim and in MuJoCo as the originals do."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec
import numpy as np
import pytest

from grashof.exchange import xml
from grashof.exchange.mjcf.reader import read as read_mjcf
from grashof.exchange.mjcf.writer import write as write_mjcf
from grashof.exchange.opensim.reader import read as read_osim
from grashof.exchange.opensim.writer import write as write_osim
from grashof.model.model import Model

from ..exchange import forms
from ..exchange.test_round_trips import mjcf, osim


def versions(model: Model) -> list[Model]:
    """With the numbers of the file, and without them."""
    return [model, msgspec.structs.replace(model, source={})]


def in_mujoco(text: str) -> dict[str, np.ndarray]:
    """Where the sites are at the start and after 0.05 s, m."""
    mujoco = pytest.importorskip("mujoco", reason="MuJoCo is not installed: pip install 'grashof[engines]'")
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    model.opt.timestep, model.opt.integrator = 1e-4, mujoco.mjtIntegrator.mjINT_RK4
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    start = data.site_xpos.copy()
    for _ in range(500):
        mujoco.mj_step(model, data)
    names = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_SITE, k).rpartition(".")[2] for k in range(model.nsite)]
    return {name: np.array([start[k], data.site_xpos[k]]) for k, name in enumerate(names) if name.startswith("sb")}


@pytest.mark.parametrize("kind", ["plain", "forms"])
@pytest.mark.parametrize("seed", range(25))
def test_documents_of_mujoco_move_as_the_originals(seed: int, kind: str) -> None:
    # MuJoCo's equalities are soft, each document with its own stiffness
    text = re.sub(r"<equality>.*</equality>", "", mjcf(seed) if kind == "plain" else forms.mjcf(seed))
    # geoms collide in MuJoCo
    text = text.replace("<worldbody>", '<option><flag contact="disable"/></option><worldbody>')
    right = in_mujoco(text)
    model, _ = read_mjcf(xml.parse(text.encode()))
    for version in versions(model):
        written, left_out = write_mjcf(version)
        assert left_out == []
        found = in_mujoco(written)
        for name, places in right.items():
            assert found[name] == pytest.approx(places, abs=1e-9)


@pytest.mark.parametrize("kind", ["plain", "forms"])
@pytest.mark.parametrize("seed", range(25))
def test_documents_of_opensim_move_as_the_originals(seed: int, kind: str, tmp_path: Path) -> None:
    pytest.importorskip("opensim", reason="OpenSim is not installed: pip install 'grashof[engines]'")
    from .test_exchange_opensim import departure, moved_in_opensim

    if kind == "plain":
        text = re.sub(r"<WeldConstraint .*?</WeldConstraint>\n", "", osim(seed))  # redundant
    else:
        text = forms.osim(seed, simulated=True)
    path, times = tmp_path / "model.osim", np.linspace(0.0, 0.1, 3)
    path.write_text(text)
    model, _, *_ = read_osim(xml.parse(text.encode()))
    points = {f"{body.name}.o": (0.1, 0.2, 0.3) for body in model.bodies if "_between_" not in body.name}
    right = moved_in_opensim(path, points, times, 1e-11)
    assert departure(model, path, 0.1, 1e-11, 3) < 1e-8
    for version in versions(model):
        written, left_out = write_osim(version)
        if version.source:
            assert left_out == []
        if left_out:  # two massless bodies one after the other, which OpenSim refuses
            assert all("_between_" in sentence for sentence in left_out)
            continue
        path.write_text(written)
        assert moved_in_opensim(path, points, times, 1e-11) == pytest.approx(right, abs=1e-9)
