"""A run hands its steps over in stretches: together they are the whole run, and none is ever taken back."""

from __future__ import annotations

import math

import numpy as np
import pytest

from grashof.common.status import Code
from grashof.integrate import Settings

from .systems import native, oscillator

SETTINGS = Settings(tol=1e-8, length=1.0, speed=1.0)


def test_the_stretches_of_a_run_are_its_steps() -> None:
    system = native(1, 0, oscillator())
    whole = system.run([1.0, 0.0], 0.0, 3000.0, tol=1e-8, length=1.0, speed=1.0)
    stretches = list(system.begin([1.0, 0.0], 0.0, 3000.0, SETTINGS).stretches())
    assert len(stretches) > 1
    assert np.array_equal(np.concatenate([x.t for x in stretches]), whole.t)
    assert np.array_equal(np.concatenate([x.y for x in stretches]), whole.y)
    assert [x.ended for x in stretches] == [None] * (len(stretches) - 1) + [Code.SUCCESS]


def test_a_run_holds_no_more_rows_than_it_may_need_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grashof.integrate.run.PAUSE_EVERY", 0.0)  # the number of steps between pauses is not to grow
    run = native(1, 0, oscillator()).begin([1.0, 0.0], 0.0, 500.0, SETTINGS)
    longest, rows = 0, 0
    for stretch in run.stretches():
        longest, rows = max(longest, len(run.rows.times)), rows + len(stretch.t)
    assert rows == run.counters.steps + 1 > 2 * longest


def test_whoever_takes_no_more_stretches_ends_the_run() -> None:
    run = native(1, 0, oscillator()).begin([1.0, 0.0], 0.0, 1e9, SETTINGS)
    first = next(run.stretches())
    assert first.ended is None
    assert first.y[-1, 0] == pytest.approx(math.cos(first.t[-1]), abs=1e-5)
