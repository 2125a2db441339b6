"""A second opinion says when another engine's answer parts from Grashof's, and why there is none."""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import grashof as gr
from grashof.cli.app import app
from grashof.engines import ENGINES, second_opinion
from grashof.engines.base import EngineFailed, NotInstalled, Prepared, Result, Setting
from grashof.engines.grashof import ENGINE as GRASHOF
from grashof.engines.situation import Situation, situation
from grashof.model.model import Model


def stone(gravity: float = 9.81) -> Model:
    """A stone that falls from rest."""
    m = gr.Mechanism("stone", gravity=(0.0, -gravity))
    m.body("stone", mass=1.0, inertia=1.0, points={"top": (0.0, 0.0)})
    return m.model


class Other:
    """An engine in which each setting has a gravity of its own."""

    name = "other"
    package = "other"
    notes = ()

    def __init__(self, *gravities: float, problem: Exception | None = None, refusal: str | None = None) -> None:
        self.gravities, self.problem, self.refusal = gravities, problem, refusal

    def version(self) -> str:
        if isinstance(self.problem, NotInstalled):
            raise self.problem
        return "1.0"

    def refuses(self, situation: Situation) -> str | None:
        return self.refusal

    def ladder(self, situation: Situation, t_end: float) -> tuple[Setting, ...]:
        return tuple(Setting(f"g = {g}", {"g": g}) for g in self.gravities)

    def prepare(self, situation: Situation) -> Prepared:
        return self

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        if self.problem is not None:
            raise self.problem
        elsewhere = situation(stone(float(setting.values["g"])))
        return GRASHOF.prepare(elsewhere).run(Setting("", {"tol": 1e-9}), times)


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Callable[[Other], second_opinion.Opinions]:
    def asked(other: Other) -> second_opinion.Opinions:
        monkeypatch.setattr(second_opinion, "ENGINES", {"grashof": ENGINES["grashof"], "other": other})
        return second_opinion.second_opinion(stone(), 2.0)

    return asked


def test_stones_part_where_the_square_of_time_says(ask: Callable[[Other], second_opinion.Opinions]) -> None:
    """With gravity 1 % off they are ½ · 0.01 g t² apart, of a fall of ½ g T²: a thousandth at t = T √0.1."""
    opinions = ask(Other(9.81 * 1.01, 9.81 * 1.01))
    other = opinions.all[1]
    assert opinions.size == pytest.approx(0.5 * 9.81 * 2.0**2, rel=1e-6)
    assert opinions.parts(other) == pytest.approx(2.0 * math.sqrt(0.1), abs=2.0 / 500)
    assert other.largest == pytest.approx(0.01, rel=1e-5)
    assert other.settled
    assert "though its own settings agree" in str(opinions)


def test_the_ladder_is_walked_until_two_settings_agree(ask: Callable[[Other], second_opinion.Opinions]) -> None:
    opinions = ask(Other(9.0, 9.5, 9.81, 9.81, 20.0))
    other = opinions.all[1]
    assert other.setting == "g = 9.81"
    assert other.own == pytest.approx(0.0, abs=1e-12)
    assert opinions.parts(other) is None
    assert other.balance == pytest.approx(0.0, abs=1e-6)
    assert "all the time: other" in str(opinions)


def test_an_engine_that_cannot_make_up_its_mind_is_not_believed(
    ask: Callable[[Other], second_opinion.Opinions],
) -> None:
    opinions = ask(Other(9.0, 9.3, 9.5))
    assert not opinions.all[1].settled
    assert "its own settings do not agree either" in str(opinions)


def test_reasons_are_in_the_engines_own_words(ask: Callable[[Other], second_opinion.Opinions]) -> None:
    for other, reason in (
        (Other(9.81, problem=NotInstalled("get it there")), "not installed: get it there"),
        (Other(9.81, problem=EngineFailed("corrector diverged")), "failed: corrector diverged"),
        (Other(9.81, problem=RuntimeError("bad alloc")), "failed: RuntimeError: bad alloc"),
        (Other(9.81, refusal="no stones"), "refused: no stones"),
    ):
        opinions = ask(other)
        assert opinions.all[1].reason == reason
        assert str(opinions) == "No other engine ran this mechanism."


class Stuck(Other):
    """Sleeps, and never looks at the clock."""

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        time.sleep(3600.0)
        raise AssertionError


class Crashing(Other):
    """Takes its process with it."""

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        os._exit(3)


def test_engines_in_processes_of_their_own_may_hang_and_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever they do, there is a reason in the end, and nobody is left behind."""
    others = {"stuck": Stuck(9.81), "crashing": Crashing(9.81), "sound": Other(9.81, 9.81)}
    monkeypatch.setattr(second_opinion, "ENGINES", {"grashof": ENGINES["grashof"], **others})
    model = stone()
    opinions = [
        second_opinion.second_opinion(model, 2.0, [name], limit_s=1.0, wall_s=wall_s, isolated=True)
        for name, wall_s in (("stuck", 3.0), ("crashing", None), ("sound", None))
    ]
    stuck, crashing, sound = (found.all[1] for found in opinions)
    assert stuck.reason == "failed: it had not answered after 3 s of wall time, and was ended."
    assert crashing.reason is not None
    assert "ended without a word" in crashing.reason
    assert sound.reason is None
    assert sound.largest == pytest.approx(0.0, abs=1e-5)
    assert not multiprocessing.active_children()


def test_unknown_engines_and_times_are_refused() -> None:
    with pytest.raises(gr.ModelError, match="no engine 'abacus'"):
        second_opinion.second_opinion(stone(), 1.0, ["abacus"])
    with pytest.raises(gr.ModelError, match="another engine"):
        second_opinion.second_opinion(stone(), 1.0, ["grashof"])
    with pytest.raises(gr.ModelError, match="end time"):
        second_opinion.second_opinion(stone(), -1.0)


def test_the_command_prints_one_json_object_and_draws(tmp_path: Path) -> None:
    file, picture = tmp_path / "stone.toml", tmp_path / "apart.png"
    gr.save(stone(), file)
    arguments = ["second-opinion", str(file), "--t-end", "1", "--engines", "mujoco", "--plot", str(picture), "--json"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0
    facts = json.loads(result.stdout)
    ours, other = facts["opinions"]
    assert (ours["engine"], ours["reason"], other["engine"]) == ("grashof", None, "mujoco")
    assert other["reason"] is None or other["reason"].startswith("not installed")
    assert picture.stat().st_size > 0


def test_a_file_needs_an_end_time(tmp_path: Path) -> None:
    file = tmp_path / "stone.toml"
    gr.save(stone(), file)
    assert CliRunner().invoke(app, ["second-opinion", str(file)]).exit_code == 2
