"""Replicated bodies have the names and the places that MuJoCo gives them."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from grashof.exchange import load_file
from grashof.situation import situation

mujoco = pytest.importorskip("mujoco")


def replicated(draw: random.Random, depth: int) -> str:
    """Copies of a body, in which there may be copies of others, or beside them."""
    inner = replicated(draw, depth - 1) if depth and draw.random() < 0.6 else ""
    within, beside = draw.sample((inner, ""), 2)
    pose = f'pos="{draw.uniform(-1, 1):.3f} {draw.uniform(-1, 1):.3f} 0.2" euler="{draw.uniform(-90, 90):.1f} 0 30"'
    body = f'<body name="b{depth}" {pose}><joint axis="0 1 0"/><geom size="0.1" pos="0.2 0 0"/>{within}</body>'
    how = f'count="{draw.randint(1, 4)}" offset="{draw.uniform(-1, 1):.2f} 0.3 0" euler="0 {draw.uniform(-60, 60):.1f} 20"'
    between = draw.choice(("", ' sep="-"'))
    return f"<replicate {how}{between}>{body}{beside}</replicate>"


@pytest.mark.parametrize("case", range(6))
def test_copies_are_where_mujoco_puts_them(case: int, tmp_path: Path) -> None:
    inside = replicated(random.Random(case), 2)
    text = f'<mujoco><compiler angle="degree"/><worldbody><frame euler="10 0 0">{inside}</frame></worldbody></mujoco>'
    (tmp_path / "case.xml").write_text(text)
    found = situation(load_file(tmp_path / "case.xml").model)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    assert set(found.bodies) == {model.body(k).name for k in range(1, model.nbody)}
    for k in range(1, model.nbody):
        place, axes = found.pose(model.body(k).name)
        assert np.allclose(place, data.xpos[k], atol=1e-12)
        assert np.allclose(axes, data.xmat[k].reshape(3, 3), atol=1e-12)
