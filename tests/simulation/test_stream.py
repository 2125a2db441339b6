"""A run in pieces is the run as a whole: motion, works, whole turns, events and end."""

from __future__ import annotations

import numpy as np
import pytest

import grashof as gr
from grashof.common.status import Code
from tests import classics

from .test_crossing import four_bar_with_pendulum

NAMES = ("crank.angle", "rod.angle", "rod.end.x", "work.drive", "balance")


@pytest.fixture(autouse=True)
def _short_stretches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grashof.integrate.run.FIRST_PAUSE", 20)
    monkeypatch.setattr("grashof.integrate.run.PAUSE_EVERY", 0.0)
    monkeypatch.setattr("grashof.simulation.streaming.LEAST", 30)


def slider_crank() -> gr.Mechanism:
    m, crank, _ = classics.slider_crank()
    m.torque(crank, 2.0, name="drive")
    m.event("crank.end.y", direction="up", name="turn")
    return m


def test_the_pieces_of_a_run_are_the_whole() -> None:
    m = slider_crank()
    whole = gr.simulate(m, 3.0, tol=1e-8, times=301, check_error=False)
    pieces = list(gr.stream(m, 3.0, tol=1e-8, times=301))
    assert len(pieces) > 3
    assert np.array_equal(np.concatenate([piece.t for piece in pieces]), whole.t)
    for name in NAMES:
        assert np.concatenate([piece[name] for piece in pieces]) == pytest.approx(whole[name], rel=1e-13, abs=1e-10)
    assert whole["crank.angle"][-1] > 50.0
    assert [x.time for piece in pieces for x in piece.events] == [x.time for x in whole.events]
    assert all(piece.status.ok for piece in pieces)
    assert str(pieces[-1].status) == "Finished at t = 3 s."


def test_a_piece_holds_few_rows() -> None:
    rows = [len(piece.steps.t) for piece in gr.stream(slider_crank(), 2.5, tol=1e-8)]
    assert max(rows) < 0.3 * sum(rows)


def test_pieces_lead_across_singular_positions() -> None:
    m = four_bar_with_pendulum()
    whole = gr.simulate(m, 6.0, tol=1e-9, times=101, check_error=False)
    pieces = list(gr.stream(m, 6.0, tol=1e-9, times=101))
    assert whole.steps.crossings
    assert len(pieces) > 1
    x = np.concatenate([piece["pendulum.end.x"] for piece in pieces])
    assert x == pytest.approx(whole["pendulum.end.x"], abs=1e-12)


def test_the_last_piece_says_how_the_run_ended() -> None:
    *_, last = gr.stream(slider_crank(), 5.0, until="crank.angle > 20")
    assert last.status.ended is Code.EVENT
    assert last.steps.occurrences[-1].name == "until crank.angle > 20"
    *_, last = gr.stream(slider_crank(), 5.0, max_steps=100)
    assert last.status.ended is Code.TOO_MANY_STEPS


def test_whoever_takes_no_more_pieces_ends_the_run() -> None:
    pieces = gr.stream(slider_crank(), 1e9, times=[0.0, 0.01])
    assert next(pieces).t.tolist() == [0.0, 0.01]
