"""Runs of the gallery's mechanisms, each made once, over the time that the gallery names."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import grashof as gr
from grashof.examples import find_entry

Runs = Callable[[str], gr.Trajectory]


@pytest.fixture(scope="session")
def run_of() -> Runs:
    made: dict[str, gr.Trajectory] = {}

    def run_of(name: str) -> gr.Trajectory:
        if name not in made:
            made[name] = gr.simulate(gr.example(name), find_entry(name).t_end, tol=1e-8)
        return made[name]

    return run_of
