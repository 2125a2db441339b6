"""A second opinion says whether another engine's answer agrees with Grashof's, by numbers, and has none where
nothing is known."""

from __future__ import annotations

import json
import multiprocessing
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import count, pairwise
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import grashof as gr
from grashof.cli.app import app
from grashof.engines import ENGINES, consultation, second_opinion
from grashof.engines.base import EngineFailed, NotInstalled, families
from grashof.engines.second_opinion import Opinion, Opinions, OpinionVerdict
from grashof.model.model import Model
from grashof.situation import situation

from . import linkages, toys

T_END = 2.0

Ask = Callable[..., tuple[Opinion, OpinionVerdict, Opinions]]


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Asks one engine about a mechanism."""

    def asked(other: toys.Toy, model: Model | None = None) -> tuple[Opinion, OpinionVerdict, Opinions]:
        monkeypatch.setattr(second_opinion, "ENGINES", {"grashof": ENGINES["grashof"], "other": other})
        opinions = second_opinion.second_opinion(model or toys.wheel(), T_END)
        opinion = opinions.all[1]
        return opinion, opinions.verdict(opinion), opinions

    return asked


def test_an_engine_that_converges_to_the_same_agrees(ask: Ask) -> None:
    """1e-4 h² t: two settings are 0.75 · 2e-4 apart at first, and a quarter of it the next time."""
    opinion, verdict, opinions = ask(toys.Toy())
    assert verdict.word == "agrees"
    assert opinion.setting == "h = 0.25"
    assert opinion.own == pytest.approx(0.75 * 1e-4 * 0.5**2 * T_END, rel=1e-6)
    assert opinion.largest == pytest.approx(1e-4 * 0.25**2 * T_END, rel=1e-2)
    assert re.fullmatch(
        r"At most, the orientations of 'wheel' differ by 1\.[23]e-05 rad; its own settings differ by 3\.[78]e-05\.",
        verdict.why,
    )
    assert str(opinions) == "Within 0.001 of Grashof over the whole time: other."


def test_an_engine_that_errs_in_orientation_alone_parts_when_it_does(ask: Ask) -> None:
    """A wheel that is known by its axle alone: all its points are where they should be, and 0.01 rad/s is 1e-3 after
    0.1 s."""
    opinion, verdict, opinions = ask(toys.Toy(toys.orientation_off))
    assert opinion.difference is not None
    assert opinion.difference.by_kind["position"] == 0.0
    assert opinion.balance == pytest.approx(0.0, abs=1e-9)
    assert verdict.word == "parts"
    assert opinions.parts(opinion) == pytest.approx(0.1, abs=T_END / 250)
    assert "the orientations of 'wheel' differ by 1.0e-03 rad; its own settings differ by" in verdict.why
    assert "other diverges from Grashof. At t = 0.1" in str(opinions)


def test_an_engine_whose_energy_is_off_has_no_opinion(ask: Ask) -> None:
    """½ I ω² with 1.1 ω: 21 % more than the 1.25 J that it has."""
    opinion, verdict, opinions = ask(toys.Toy(toys.speed_off))
    assert opinion.settled
    assert opinion.balance == pytest.approx(0.21 * 1.25)
    assert verdict.word == "no opinion"
    assert verdict.why == "Its energy balance is off by 0.26 J, 2.1e-01 of the energy of the motion."
    assert opinions.parts(opinion) is None


def test_where_work_has_no_closed_form_energies_are_held_against_each_other(ask: Ask) -> None:
    opinion, verdict, _ = ask(toys.Toy(toys.speed_off), toys.wheel(damped=True))
    assert opinion.balance is None
    assert verdict.word == "parts"
    assert "At t = 0 s, the energies differ by 2.1e-01 of the energy of the motion" in verdict.why


def test_what_is_no_number_does_not_agree(ask: Ask) -> None:
    """A motion that is finite, and speeds whose energy is not."""

    def overflowing(motion: toys.Motion, h: float) -> toys.Motion:
        return replace(motion, spins=np.full_like(motion.spins, 1e200))

    with np.errstate(over="ignore", invalid="ignore"):
        _, verdict, _ = ask(toys.Toy(overflowing))
    assert verdict.word == "no opinion"


def test_an_engine_that_has_not_converged_is_not_blamed(ask: Ask) -> None:
    """0.1 h (t − 1): the last two of six settings are 0.1/32 (t − 1) apart, which is 1e-4 at 1.032 s."""
    opinion, verdict, opinions = ask(toys.Toy(toys.not_converged))
    assert opinion.largest == pytest.approx(0.1 / 32, rel=1e-3)
    assert verdict.word == "no opinion"
    assert opinion.sure == pytest.approx(1.032 / T_END * 500 + 1, abs=1)
    assert "It has not converged from t = 1.0" in verdict.why
    assert "the orientations of 'wheel' differ by 3.1e-03 rad" in verdict.why
    until = re.search(r"Until then, the engine differs from Grashof by at most (\S+)\.$", verdict.why)
    assert until
    # round-off decides whether 1.032 s, where the settings are 1e-4 apart, is before it or after it
    assert 0.1 / 32 * 0.028 * 0.98 <= float(until[1]) <= 1e-4
    assert opinions.parts(opinion) is None


def test_an_engine_that_parts_while_it_has_converged_does_part(ask: Ask) -> None:
    def both(motion: toys.Motion, h: float) -> toys.Motion:
        return toys.orientation_off(toys.not_converged(motion, h), h)

    _, verdict, _ = ask(toys.Toy(both))
    assert verdict.word == "parts"
    assert verdict.parts_at == pytest.approx(0.1, abs=T_END / 250)


@pytest.mark.parametrize("change", [toys.right, toys.orientation_off])
def test_an_engine_whose_settings_make_no_difference_has_no_opinion(ask: Ask, change: toys.Change) -> None:
    opinion, verdict, _ = ask(toys.Idle(change))
    assert (verdict.word, opinion.own) == ("no opinion", None)
    assert verdict.why == "All its settings gave the same run, to the last bit, so its error is not known."


def test_an_engine_that_steps_from_time_to_time_is_asked_for_fewer_times(ask: Ask) -> None:
    """With twice the step, 4 times the error: 1e-4 · 3 h² t, h = 0.004 s."""
    opinion, verdict, _ = ask(toys.AtTimes())
    assert opinion.own == pytest.approx(1e-4 * 3.0 * (T_END / 500) ** 2 * T_END, rel=1e-3)
    assert verdict.word == "agrees"


def test_an_engine_of_which_one_setting_runs_has_no_opinion(ask: Ask) -> None:
    _, verdict, _ = ask(toys.Toy(rungs=1))
    assert (verdict.word, verdict.why) == (
        "no opinion",
        "Only one of its settings ran, so its error is not known.",
    )


def test_where_grashof_has_not_converged_nobody_is_blamed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_opinion, "ENGINES", {"grashof": toys.Wavering(), "other": toys.Toy()})
    opinions = second_opinion.second_opinion(toys.wheel(), T_END)
    ours, other = opinions.all
    assert other.settled
    assert opinions.verdict(ours).word == "no opinion"
    verdict = opinions.verdict(other)
    assert verdict.word == "no opinion"
    assert "Grashof has not converged from t = 0.1" in verdict.why
    assert "A smaller tolerance may help. Until then, the engine differs from Grashof by at most" in verdict.why


def test_reasons_are_in_the_engines_own_words(ask: Ask) -> None:
    for other, reason in (
        (toys.Toy(problem=NotInstalled("get it there")), "not installed: get it there"),
        (toys.Toy(problem=EngineFailed("corrector diverged")), "failed: corrector diverged"),
        (toys.Toy(problem=RuntimeError("bad alloc")), "failed: RuntimeError: bad alloc"),
        (toys.Toy(refusal="no wheels"), "refused: no wheels"),
    ):
        opinion, verdict, opinions = ask(other)
        assert opinion.reason == reason
        assert (verdict.word, verdict.why) == ("no opinion", f"It did not run: {reason}")
        assert str(opinions) == "No other engine ran this mechanism."


@pytest.mark.parametrize("name", [name for name in ENGINES if name not in ("grashof", "opensim")])
def test_real_engines_turn_a_wheel_as_grashof_does_and_err_where_they_are_misled(name: str, ask: Ask) -> None:
    """T = τ²t²/(2 I): with 0.9 N m instead of 0.8 N m, (τ′ − τ) τ′ t²/(2 I) = 1.8 J come from nowhere. (OpenSim's
    steps on a wheel are the same at every accuracy.)"""

    def driven(torque: float) -> Model:
        m = gr.Mechanism("wheel", gravity=(0.0, -9.81))
        disc = m.body("wheel", mass=2.0, inertia=0.1, points={"axle": (0, 0)})
        m.revolute(m.ground.at(0, 0), disc.axle)
        m.torque(disc, torque)
        return m.model

    engine = linkages.installed(name)
    opinion, verdict, _ = ask(toys.Misled(engine, driven(0.8)), driven(0.8))
    assert verdict.word == "agrees"
    assert opinion.difference is not None
    assert opinion.difference.by_kind["orientation"] < 1e-4
    opinion, verdict, _ = ask(toys.Misled(engine, driven(0.9)), driven(0.8))
    assert verdict.word == "no opinion"
    assert opinion.balance == pytest.approx(1.8, rel=1e-3)
    assert "1.8 J" in verdict.why


def test_successive_settings_are_at_most_0_71_apart() -> None:
    """What CLOSE says about a method of first order rests on it."""
    s = situation(linkages.four_bar().model)
    for name, engine in ENGINES.items():
        ladder = engine.ladder(s, 1.0)
        for family in families(ladder):
            tried = [ladder[k].values for k in family[:: -(-len(family) // consultation.RUNGS)]]
            for one, two in pairwise(tried):
                ratios = [min(one[key] / two[key], two[key] / one[key]) for key in one if _is_number(one[key])]
                assert min(ratios) < 0.715, name


def _is_number(x: object) -> bool:
    return isinstance(x, int | float) and x != 0


def test_the_ladder_is_left_when_the_cpu_time_is_used_up(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that goes on by 2 s whenever it is read, twice for each setting: 20 s are used up after five of
    them."""
    seconds = count(0.0, 2.0)
    monkeypatch.setattr(consultation, "process_time", lambda: next(seconds))
    opinion, _, _ = ask(toys.Toy(toys.not_converged))
    assert opinion.setting == "h = 0.0625"


def test_engines_in_processes_of_their_own_may_hang_and_crash(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever they do, there is a reason in the end, and nobody is left behind."""
    others = {"stuck": toys.Stuck(), "crashing": toys.Crashing(), "sound": toys.Toy()}
    for name, engine in others.items():
        engine.name = name
    monkeypatch.setattr(second_opinion, "ENGINES", {"grashof": ENGINES["grashof"], **others})
    crashing, sound = second_opinion.second_opinion(toys.wheel(), T_END, ["crashing", "sound"], isolated=True).all[1:]
    assert crashing.reason == "failed: its process ended without an answer; it has probably crashed."
    assert sound.reason is None
    assert sound.largest == pytest.approx(0.0, abs=1e-4)
    waited = []

    def never(answer: Connection, wall_s: float) -> bool:
        waited.append(wall_s)
        return False

    monkeypatch.setattr(consultation, "_answers", never)
    stuck = second_opinion.second_opinion(toys.wheel(), T_END, ["stuck"], limit_s=7.0, isolated=True).all[1]
    assert waited == [second_opinion.PREPARING + 2.0 * 7.0]
    assert stuck.reason == "failed: it gave no answer within 194 s of wall time and was terminated."
    assert not multiprocessing.active_children()


def test_unknown_engines_and_times_are_refused() -> None:
    with pytest.raises(gr.ModelError, match="no engine 'abacus'"):
        second_opinion.second_opinion(toys.wheel(), 1.0, ["abacus"])
    with pytest.raises(gr.ModelError, match="another engine"):
        second_opinion.second_opinion(toys.wheel(), 1.0, ["grashof"])
    with pytest.raises(gr.ModelError, match="end time"):
        second_opinion.second_opinion(toys.wheel(), -1.0)


def test_plain_data_has_a_verdict_and_its_numbers(ask: Ask) -> None:
    _, _, opinions = ask(toys.Toy(toys.orientation_off))
    facts = json.loads(json.dumps(opinions.as_dict()))
    ours, other = facts["opinions"]
    assert (ours["verdict"], other["verdict"]) == ("reference", "parts")
    assert other["apart"]["orientation"] == other["apart_max"] == pytest.approx(0.02, rel=1e-2)
    assert other["parts_at_s"] == pytest.approx(0.1, abs=T_END / 250)
    assert other["settled"]
    assert other["converged_until_s"] == T_END
    assert facts["energy_J"] == pytest.approx(1.25, rel=1e-5)


def test_the_command_prints_one_json_object_and_draws(tmp_path: Path) -> None:
    file, picture = tmp_path / "wheel.toml", tmp_path / "apart.png"
    gr.save(toys.wheel(), file)
    arguments = ["second-opinion", str(file), "--t-end", "1", "--engines", "mujoco", "--plot", str(picture), "--json"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0
    facts = json.loads(result.stdout)
    ours, other = facts["opinions"]
    assert (ours["engine"], ours["reason"], other["engine"]) == ("grashof", None, "mujoco")
    assert other["reason"] is None or other["reason"].startswith("not installed")
    assert picture.stat().st_size > 0


def test_the_command_says_its_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_opinion, "ENGINES", {"grashof": ENGINES["grashof"], "other": toys.Toy(toys.speed_off)})
    file = tmp_path / "wheel.toml"
    gr.save(toys.wheel(), file)
    result = CliRunner().invoke(app, ["second-opinion", str(file), "--t-end", "1"])
    assert result.exit_code == 0
    assert "no opinion" in result.stdout
    assert "other has no opinion. Its energy balance is off by 0.26 J" in result.stdout


def test_a_file_needs_an_end_time(tmp_path: Path) -> None:
    file = tmp_path / "wheel.toml"
    gr.save(toys.wheel(), file)
    assert CliRunner().invoke(app, ["second-opinion", str(file)]).exit_code == 2


def test_numbers_of_steps_and_motion_tell_runs_apart() -> None:
    """An exact solution may be the same with twice the steps."""
    s = situation(toys.wheel())
    toy = toys.Toy(lambda motion, h: motion)
    prepared, times = toy.prepare(s), np.linspace(0.0, 1.0, 5)
    one, two = (prepared.run(setting, times) for setting in toy.ladder(s, 1.0)[:2])
    assert consultation._same(one, one)
    assert not consultation._same(one, two)


def test_what_the_file_contains_beyond_the_mechanism_is_said() -> None:
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    opinions = second_opinion.second_opinion(
        m.model, 0.5, ["scipy"], left_out=["line 3, muscle: it is left out.", "two"]
    )
    assert opinions.verdict(opinions.all[1]).word == "agrees"
    said = "2 parts of it are in none of the runs (line 3, muscle: it is left out and 1 more)"
    assert said in str(opinions)
    assert opinions.as_dict()["left_out"] == ["line 3, muscle: it is left out.", "two"]


@pytest.mark.parametrize("columns", ["", "80"])
def test_the_command_says_once_what_is_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    missing = {name: toys.Toy(problem=NotInstalled("get it there")) for name in ("first", "second")}
    for name, toy in missing.items():
        toy.name = name
    monkeypatch.setattr(second_opinion, "ENGINES", {"grashof": ENGINES["grashof"], **missing})
    file = tmp_path / "wheel.toml"
    gr.save(toys.wheel(), file)
    result = CliRunner().invoke(app, ["second-opinion", str(file), "--t-end", "1"])
    said = " ".join(result.stdout.split())  # lines are wrapped where the width of the screen is known
    assert said.count("not installed") == 1
    assert "not installed: first and second; pip install 'grashof[engines]' installs all engines." in said
