"""Dependencies between equations, by singular values and, where there are many equations, by inverse iteration."""

from __future__ import annotations

import numpy as np
import pytest

import grashof as gr
from grashof.assembly.positions import closed_position
from grashof.formulation.natural import closing
from grashof.formulation.natural.closing import Positions
from grashof.formulation.natural.equations import make_dynamics
from grashof.formulation.natural.system import compile_system
from grashof.problems.four_bar import case as four_bar
from grashof.problems.multiple_four_bar import case as multiple_four_bar
from tests.linkages import revolute_loop, windows_lying_flat


def positions_at_start(m: gr.Mechanism | gr.Model) -> tuple[Positions, np.ndarray]:
    """A mechanism's equations, and where it starts."""
    model = m.model if isinstance(m, gr.Mechanism) else m
    dynamics = make_dynamics(compile_system(model))
    return Positions(dynamics, 0.0), closed_position(dynamics).q


CASES = {
    "upright windows": (lambda: four_bar.mechanism(30, 1.0), 0),
    "a grid in space": (lambda: multiple_four_bar.mechanism(6, 6, "top-row"), 0),
    "three flat windows": (lambda: windows_lying_flat(3), 3),
    "forty flat windows": (lambda: windows_lying_flat(40), 40),
    "windows open by 1e-3": (lambda: windows_lying_flat(30, 1e-3), 0),
    "windows open by 1e-4": (lambda: windows_lying_flat(30, 1e-4), 0),
    "a flat rhombus in space": (
        lambda: revolute_loop("rhombus", [(0, 0, 0), (1, 0, 0), (2, 0, 0), (1, 0, 0)], [(0, 0, 1)] * 4),
        1,
    ),
}


@pytest.mark.parametrize("largest", [0, 10**6], ids=["by inverse iteration", "by singular values"])
@pytest.mark.parametrize("case", CASES)
def test_both_ways_find_the_dependencies_that_there_are(
    case: str, largest: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A flat window has one dependency; all others here have none once linear rows are eliminated."""
    monkeypatch.setattr(closing, "LARGEST", largest)
    make, expected = CASES[case]
    positions, q = positions_at_start(make())
    found = positions.dependencies(q)
    assert len(found) == expected
    dense = np.zeros((positions.dynamics.system.m, positions.dynamics.n))
    for line, row in zip(dense, positions.gradients(q), strict=True):
        line[list(row)] = list(row.values())
    assert np.max(np.abs(found @ dense), initial=0.0) < 1e-9
    sizes = np.linalg.norm(dense, axis=1)
    assert (found * sizes) @ (found * sizes).T == pytest.approx(np.eye(expected), abs=1e-9)


def test_the_part_of_a_direction_that_is_free_violates_nothing() -> None:
    positions, q = positions_at_start(four_bar.mechanism(10, 1.0))
    wishes = np.random.default_rng(0).normal(size=(positions.dynamics.n, 3))
    free = positions.free_part(q, wishes)
    rates = [sum(x * free[a] for a, x in row.items()) for row in positions.gradients(q)]
    assert np.max(np.abs(rates)) < 1e-12
    assert np.linalg.matrix_rank(free, tol=1e-9) == 1  # the windows have one degree of freedom


def test_a_rod_perpendicular_to_its_guide_can_make_the_equations_dependent() -> None:
    """The crank is in line with the rod there. The end of the rod occurs only in the rod's own equation, whose
    gradient with respect to it is zero."""
    m = gr.Mechanism("slider crank")
    crank, rod = m.bar("crank", mass=1.0, length=1.0), m.bar("rod", mass=1.0, length=2.0)
    m.revolute(m.ground.at(0, 1), crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0, 0), (1, 0)), rod.end)
    m.guess(crank, (0, 1), angle=np.pi / 2)
    m.guess(rod, (0, 2), angle=-np.pi / 2)
    positions, q = positions_at_start(m)
    assert len(positions.dependencies(q)) == 1
    assert positions.dynamics.rows.closed
