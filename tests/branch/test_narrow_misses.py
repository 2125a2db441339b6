"""Equations of a special linkage are not used for one that is special only to twelve digits."""

from __future__ import annotations

import numpy as np
import pytest

import grashof as gr


def parallelogram(longer: float) -> gr.Mechanism:
    """Cranks of 1 m on pivots 2 m apart, and a coupler that is a little longer than that."""
    start, across = np.array([np.cos(1.0), np.sin(1.0)]), 2.0 + longer
    apart = np.array([2.0, 0.0]) - start
    distance = float(np.hypot(*apart))
    along = (across**2 - 1.0 + distance**2) / (2.0 * distance)
    side = np.sqrt(across**2 - along**2) * np.array([-apart[1], apart[0]]) / distance
    end = start + along * apart / distance + side
    m = gr.Mechanism("nearly a parallelogram", gravity=(0, -9.81))
    one = m.bar("one", mass=1.0, start=(0, 0), end=start, length=1.0)
    coupler = m.bar("coupler", mass=1.0, start=start, end=end, length=across)
    two = m.bar("two", mass=1.0, start=(2, 0), end=end, length=1.0)
    m.revolute(m.ground.at(0, 0), one.start)
    m.revolute(m.ground.at(2, 0), two.start)
    m.revolute(one.end, coupler.start)
    m.revolute(coupler.end, two.end)
    return m


def test_a_parallelogram_has_equations_of_its_own() -> None:
    program = gr.build(parallelogram(0.0))
    assert program.branch is not None
    assert not program.remark


@pytest.mark.parametrize("longer", [1e-12, 3e-12, 1e-11])
def test_one_that_misses_its_flat_position_by_round_off_has_not(longer: float) -> None:
    assert gr.build(parallelogram(longer)).branch is None
