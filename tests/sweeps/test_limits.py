"""Which rows have impossible numbers is what the check of each row's own description says."""

from __future__ import annotations

import numpy as np
import pytest

import grashof as gr
from grashof.common.errors import ModelError
from grashof.model.mechanism import as_model
from grashof.model.model import Model
from grashof.model.parameters import check_numbers
from grashof.sweeps.limits import Limits


def pendulum_with_definitions() -> Model:
    """The mass is negative beyond L = 0.5, and the length is none below L = 0.1."""
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    length = m.parameter("L", 0.2, bounds=(-1.0, 1.0))
    rod = m.bar("rod", length=gr.sqrt(length - 0.1), mass=0.5 - length)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.spring(rod.end, m.ground.at(0, 1), stiffness="max(L, 0.05)", length=0.1, name="spring")
    return as_model(m)


def block_on_a_guide() -> Model:
    m = gr.Mechanism("block on a guide", gravity=(0, -9.81))
    block = m.bar("block", length=1.0, mass=1.0)
    m.slider(m.ground.line((0, 0), (1, -1)), block.start, name="guide")
    return as_model(m)


def body_in_space() -> Model:
    m = gr.Mechanism("body in space", gravity=(0, 0, -9.81))
    m.body("body", mass=1.0, inertia=(1.0, 1.5, 2.0), center=(0.0, 0.0, 0.0))
    return as_model(m)


@pytest.mark.parametrize(
    ("make", "path", "values", "possible"),
    [
        (pendulum_with_definitions, "L", [0.2, 0.05, 0.49, 0.6, 1.5, np.nan], [1, 0, 1, 0, 0, 0]),
        (pendulum_with_definitions, "rod.mass", [0.2, -0.1, 1e6, np.inf], [1, 0, 1, 0]),
        (block_on_a_guide, "guide.axis_a.x", [0.5**0.5, 0.8, -(0.5**0.5)], [1, 0, 1]),
        (body_in_space, "body.inertia.zz", [2.0, 2.6, -0.4], [1, 1, 0]),
    ],
)
def test_rows_are_judged_as_their_descriptions_are(make, path, values, possible) -> None:
    model = make()

    def passes(value: float) -> bool:
        try:
            check_numbers(model, {path: value})
        except ModelError:
            return False
        return True

    assert [passes(value) for value in values] == [bool(x) for x in possible]
    assert Limits(model, (path,)).allow(np.array(values)[:, None]).tolist() == [bool(x) for x in possible]
