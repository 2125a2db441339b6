"""A mechanism has as many degrees of freedom with open numbers as without: redundant equations are counted once, not
with those that imply them."""

from __future__ import annotations

import pytest

import grashof as gr
from grashof.live import live_data
from grashof.program import build
from grashof.simulation.options import Options
from grashof.sweeps.asked import read_study
from grashof.sweeps.compiled import CompiledEngine

CLOSED = ("bricard", "bennett", "four-bar", "scissor-lift")


@pytest.mark.parametrize("name", CLOSED)
def test_the_count_agrees_with_the_mobility_report(name: str) -> None:
    """The report takes ranks of twists, the program those of constraint rows after presolve."""
    model = gr.example(name)
    assert build(model).freedom == gr.mobility(model).dof


def test_a_sweep_of_bricards_linkage_uses_the_method_of_its_single_run() -> None:
    """14 of its equations take part in one dependency: it has 1 degree of freedom, for which another method is
    chosen than for 14."""
    model, tol = gr.example("bricard"), 1e-2
    study = read_study(model, None, ("m",), ["kinetic at end"], 0.1, 3, 3, Options(tol=tol), "compiled")
    engine = CompiledEngine(study)
    assert engine._opened.structure.redundant_count == 1 < len(engine._opened.structure.dependent_rows)
    assert engine._settings(tol).method.name == gr.simulate(model, 0.1, tol=tol).method.name


def test_a_page_of_bennetts_linkage_uses_the_method_of_its_single_run() -> None:
    model, tol = gr.example("bennett"), 1e-2
    page = live_data(model, 0.1, numbers=["first.mass"], tol=tol)
    assert page.settings.method == gr.simulate(model, 0.1, tol=tol).method.name
