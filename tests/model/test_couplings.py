"""Couplings in files and in the documentation."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

import grashof as gr
from grashof.model.building.couplings import CouplingMethods
from grashof.model.building.curves import CurveMethods
from grashof.model.couplings import Coupling
from grashof.model.files import dumps, loads
from tests.formulation.test_couplings import floating

PAGE = (Path(__file__).parents[2] / "docs" / "couplings.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("dimension", [2, 3])
def test_what_is_saved_is_what_is_loaded(dimension: int) -> None:
    model = floating(dimension).model
    assert loads(dumps(model)) == model


def test_every_kind_can_be_built_saved_and_loaded() -> None:
    m = gr.Mechanism("worm", dimension=3)
    for k, name in enumerate(("worm", "wheel")):
        m.revolute(m.ground.at(k, 0, 0), m.body(name, mass=1.0, inertia=(1, 1, 1)).at(0, 0, 0), axis=(0, 0, 1))
    m.worm("worm.angle", "wheel.angle", teeth=40, hand="left")
    m.variator("worm.angle", "wheel.angle", ratio="2 + wheel.angle")
    models = [floating(2).model, floating(3).model, m.model]
    assert loads(dumps(m.model)) == m.model
    assert {type(coupling) for model in models for coupling in model.couplings} == set(get_args(Coupling))


@pytest.mark.parametrize("example", re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
def test_the_examples_of_the_page_run(example: str) -> None:
    names: dict[str, object] = {}
    exec(example.replace("run.plot(", "len("), names)
    run = names["run"]
    assert isinstance(run, gr.Trajectory)
    assert run.status.ok


def test_every_method_is_on_the_page() -> None:
    for name in (*vars(CouplingMethods), *vars(CurveMethods)):
        if not name.startswith("_"):
            assert f"`m.{name}(" in PAGE
