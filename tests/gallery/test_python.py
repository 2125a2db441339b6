"""The Python listings of the gallery's page build the mechanisms of its files: both move alike."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import grashof as gr

LISTINGS = sorted((Path(__file__).parents[2] / "docs" / "gallery").glob("*.py"))


def test_there_are_listings() -> None:
    assert len(LISTINGS) >= 15


@pytest.mark.parametrize("path", LISTINGS, ids=lambda path: path.stem)
def test_a_listing_builds_the_mechanism_of_the_file(path: Path) -> None:
    entry = next(entry for entry in gr.gallery() if entry.name == path.stem)
    names: dict[str, Any] = {}
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 30
    exec(compile(text, path.name, "exec"), names)
    model = gr.example(entry.name)
    runs = [gr.simulate(mechanism, entry.t_end, times=101) for mechanism in (names["m"], model)]
    assert all(run.status.ok for run in runs)
    axes = "xyz"[: model.dimension]
    for quantity in (*entry.plot, *(f"{point}.{axis}" for point in entry.trace for axis in axes)):
        apart = np.max(np.abs(runs[0][quantity] - runs[1][quantity]))
        estimates = sum(np.max(run.error_estimate(quantity)) for run in runs)
        assert apart <= estimates + 1e-12, quantity
