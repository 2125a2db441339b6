"""A run begins exactly where and as fast as the judge's motion does: the judge's own error must be far below that of
any run."""

from __future__ import annotations

import numpy as np
import pytest
from campaign.engine import Machine, RunSettings
from campaign.linkage import STEP, Linkage
from campaign.suites.singular_positions import FAMILIES


@pytest.mark.parametrize("family", ["kites", "change point", "four-bars, space", "Bricard", "Sarrus, folding"])
def test_points_start_on_the_branch_with_its_velocities(family: str) -> None:
    """The first step of a run, through natural coordinates, against derivatives of the points themselves."""
    linkage = FAMILIES[family][1](np.random.default_rng(2))
    assert isinstance(linkage, Linkage)
    machine = Machine(linkage, linkage.path(np.array([1.0])))
    s, rate = np.array([1.3]), 3.0
    program = machine.started(linkage.path(s + 1j * STEP * rate))
    places, rates = machine.run(program, RunSettings(1e-6), np.array([1e-3])).at_steps
    there, slopes = linkage.tangents(s)
    assert np.max(np.abs(places[0] - there[0])) < 1e-13 * linkage.length
    assert np.max(np.abs(rates[0] - rate * slopes[0])) < 1e-12 * np.max(np.abs(rate * slopes))
