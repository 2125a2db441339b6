"""A row that is run on its own with the machine code that is there moves as the mechanism built anew, and has all
its checks."""

from __future__ import annotations

import numpy as np
import pytest

import grashof as gr
from grashof.model.model import Model
from grashof.model.parameters import numbers, with_numbers
from grashof.problems import make_case
from grashof.program import build

from .mechanisms import sprung_four_bar

CASES = {
    "sprung four-bar": (
        sprung_four_bar(),
        {
            "crank.length": 0.33,
            "rod.mass": 1.4,
            "spring.stiffness": 31.0,
            "ground.B.y": -0.05,
            "start.crank.angle": 7.0,
        },
        ("crank.angle", "rod.angle"),
        1.0,
    ),
    "relations": (make_case("double-four-bar").model, {"top0.mass": 1.7, "upright1.mass": 0.6}, (), 2.0),
    "redundant rows in space": (gr.example("bricard"), {"m": 1.8, "push": 0.4}, ("turn 1",), 1.0),
}


@pytest.mark.parametrize("name", CASES)
def test_a_row_alone_moves_as_the_mechanism_built_anew(name: str) -> None:
    model, values, observe, end = CASES[name]
    program = build(model, numbers=list(values), observe=observe).at(values)
    assert not program.model.events
    run, expected = (gr.simulate(x, end, tol=1e-8, times=21) for x in (program, with_numbers(model, values)))
    assert run.status.ok
    assert expected.status.ok
    for quantity in ("energy", "balance", *run.work_names, *(x for x in moving(model) if x in expected.names)):
        size = max(1.0, float(np.max(np.abs(expected[quantity]))))
        assert run[quantity] == pytest.approx(expected[quantity], abs=1e-6 * size), quantity
    assert run.program.freedom == expected.program.freedom
    assert run.reactions([0.5 * end]).names == expected.reactions([0.5 * end]).names


def moving(model: Model) -> list[str]:
    return [f"{name}{end}" for name in model.quantities for end in ("", ".rate")]


def test_values_that_were_not_named_are_the_nominal_ones() -> None:
    model = sprung_four_bar()
    program = build(model, numbers=["crank.length"]).at({"crank.length": 0.36})
    known, expected = numbers(program.model), numbers(with_numbers(model, {"crank.length": 0.36}))
    assert {k: x.value for k, x in known.items()} == {k: x.value for k, x in expected.items()}
