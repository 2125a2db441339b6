"""Runs that stop are made again with other settings, and judged like the first."""

from __future__ import annotations

import numpy as np
import pytest
from campaign.case import KnownMotion
from campaign.engine import RunSettings
from campaign.judge import Fate, Verdict
from campaign.stops import SETTINGS, Stop, by_kind, kind_of, try_others
from campaign.suite import Cases, Rng

import grashof as gr
from grashof.common.status import Code, Status


def swinging(rng: Rng, speed: float = 2.0) -> KnownMotion:
    """A wheel that turns at 2 rad/s on a shaft, for an hour."""

    def describe() -> gr.Mechanism:
        m = gr.Mechanism("wheel")
        bar = m.bar("bar", length=1.0, mass=1.0)
        m.revolute(m.ground.at(0, 0), bar.start)
        m.need(bar.angle, value=0.0, rate=2.0)
        return m

    times = np.linspace(1.0, 40.0, 20)
    exact = {"bar.end.x": np.cos(speed * times), "bar.end.y": np.sin(speed * times)}
    return KnownMotion("wheel", describe, times, exact, dict.fromkeys(exact, 1.0), 1.0)


def stopped(task: RunSettings) -> Verdict:
    return Verdict(0, "wheels", "wheel", task, Fate.STOPPED, message=str(Status(Code.TOO_MANY_STEPS, 1.0, 40.0)))


def test_settings_that_help_are_those_with_which_the_run_ends_and_is_right() -> None:
    """600 steps are not enough for rk4 at 0.02 s; four times as many are, and so is another method."""
    suite = Cases("wheels", {"wheels": (1, swinging)})
    stop = try_others(suite, stopped(RunSettings(1e-6, "rk4", 0.02, max_steps=600)))
    assert {"auto", "4 × steps"} <= set(stop.right)
    assert stop.wrong == ()


def test_a_setting_that_gives_a_wrong_success_is_counted_as_wrong() -> None:
    suite = Cases("wheels", {"wheels": (1, lambda rng: swinging(rng, 2.1))})
    stop = try_others(suite, stopped(RunSettings(1e-6, "rk4", 0.02, max_steps=600)))
    assert stop.right == ()
    assert "4 × steps" in stop.wrong


@pytest.mark.parametrize("code", [Code.TOLERANCE_UNMET, Code.UNDECIDED, Code.TOO_MANY_STEPS])
def test_kinds_are_those_of_the_status(code: Code) -> None:
    assert kind_of(str(Status(Code.SUCCESS, 1.0, 1.0, doubt=code))) == code.name


def test_refusals_are_alike_but_for_their_numbers() -> None:
    words = "ModelError: Mechanism 'four-bar, margins {}': its joints contradict each other by {}, so it cannot move"
    assert (
        kind_of(words.format(0.1, 3))
        == kind_of(words.format(2e-9, -4.5))
        == ("refused: its joints contradict each other by …")
    )


def test_the_table_counts_each_kind_and_what_helps() -> None:
    helped = Stop(stopped(RunSettings(1e-6)), ("4 × steps", "tol × 10"), ())
    table = by_kind([helped, Stop(stopped(RunSettings(1e-6)), (), ("fit",))])
    cells = {str(column.header): list(column.cells) for column in table.columns}
    assert cells["kind"] == ["TOO_MANY_STEPS", "all"]
    assert cells["runs"] == ["2", "2"]
    assert [cells[name][0] for name in SETTINGS] == ["0", "1", "0", "1", "0", "0"]
    assert (cells["none"][0], cells["wrong"][0]) == ("1", "1")
